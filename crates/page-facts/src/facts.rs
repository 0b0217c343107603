//! What was found on a website, and where: the types that leave this crate.

use serde::{Deserialize, Serialize};

use crate::technology::rules::Category;

/// How a finding was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// A `mailto:` link.
    Mailto,
    /// A `tel:` link.
    TelLink,
    /// JSON-LD.
    JsonLd,
    /// Microdata attributes.
    Microdata,
    /// h-card or vCard classes.
    HCard,
    /// An address hidden by Cloudflare.
    Cloudflare,
    /// Visible text.
    Text,
    /// Spelled out, such as `name [at] domain (dot) com`.
    Spelled,
    /// Written backwards.
    Reversed,
    /// Joined from pieces in a script.
    Joined,
    /// Hidden by ROT13.
    Rot13,
    /// An attribute of a tag.
    Attribute,
    /// A value in an inline script.
    Script,
    /// An ordinary link.
    Link,
    /// A meta tag.
    Meta,
    /// Open Graph meta tags.
    OpenGraph,
    /// The address of something the page loads.
    Address,
    /// A mark in the page's source.
    Markup,
    /// A tag-manager container that the page loads.
    Container,
}

/// Where and how something was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The page.
    pub url: String,
    /// The way it was found.
    pub method: Method,
    /// A few words around it.
    pub snippet: String,
}

/// Whose mailbox an email is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EmailType {
    /// A person's.
    Personal,
    /// A function's, such as `info@` or `sales@`.
    Role,
    /// A free-mail box of the business.
    Generic,
    /// Cannot be told.
    Unknown,
}

/// An email found on the site.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FoundEmail {
    /// The address, in lower case.
    pub email: String,
    /// Whose it is.
    #[serde(rename = "type")]
    pub kind: EmailType,
    /// 0 to 1, see [`crate::confidence`]; computed without knowing the domain's mail servers.
    pub confidence: f64,
    /// The best one for outreach; exactly one when there is any.
    pub is_primary: bool,
    /// Pages and methods it was found by.
    pub times_seen: u32,
    /// The person it belongs to, where that is plain.
    pub person: Option<String>,
    /// Where it was found best.
    #[serde(flatten)]
    pub evidence: Evidence,
}

/// What answers a phone number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PhoneKind {
    /// A person, or a voice menu.
    Voice,
    /// A fax machine.
    Fax,
}

/// A phone number found on the site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundPhone {
    /// E.164, such as `+15125550100`.
    pub phone: String,
    /// As written within its country.
    pub national: String,
    /// Voice or fax.
    pub kind: PhoneKind,
    /// The extension, when one is given.
    pub extension: Option<String>,
    /// Pages and methods it was found by.
    pub times_seen: u32,
    /// Where it was found best.
    #[serde(flatten)]
    pub evidence: Evidence,
}

/// A person named on the site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundPerson {
    /// The name, without `Dr.` and `DDS`.
    pub name: String,
    /// The title, as the page words it.
    pub title: Option<String>,
    /// Whether this is the owner: at most one is.
    pub is_owner: bool,
    /// An email that stands with the person.
    pub email: Option<String>,
    /// Where the name was found.
    #[serde(flatten)]
    pub evidence: Evidence,
}

/// A profile on a social network.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundSocial {
    /// The network's slug, such as `facebook`.
    pub network: String,
    /// The profile's address, normalised.
    #[serde(rename = "profile")]
    pub profile_url: String,
    /// Where it was found.
    #[serde(flatten)]
    pub evidence: Evidence,
}

/// A technology the site uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundTechnology {
    /// Its slug, such as `wordpress`.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub category: Category,
    /// The version, when the page says it.
    pub version: Option<String>,
    /// Where it was found.
    #[serde(flatten)]
    pub evidence: Evidence,
}

/// Everything technical that was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Technology {
    /// What the site is built with; the most telling one.
    pub platform: Option<FoundTechnology>,
    /// A shop system, when something can be bought.
    pub ecommerce: Option<FoundTechnology>,
    /// The booking tool.
    pub booking: Option<FoundTechnology>,
    /// The ordering tool.
    pub online_ordering: Option<FoundTechnology>,
    /// The chat tool.
    pub chat: Option<FoundTechnology>,
    /// Advertising pixels.
    pub ad_networks: Vec<FoundTechnology>,
    /// Analytics.
    pub analytics: Vec<FoundTechnology>,
    /// Everything that was found, the above included.
    pub all: Vec<FoundTechnology>,
}

/// A postal address in parts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    /// Street and number.
    pub street: Option<String>,
    /// Town.
    pub city: Option<String>,
    /// State or region.
    pub state: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// Country, as written.
    pub country: Option<String>,
}

/// What the site says of its business in structured data.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SchemaOrg {
    /// The schema.org type, such as `Dentist`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// The business's name.
    pub name: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// Its address.
    pub address: Option<Address>,
    /// Latitude.
    pub latitude: Option<f64>,
    /// Longitude.
    pub longitude: Option<f64>,
    /// Opening hours, one entry a rule, such as `Mo-Fr 09:00-17:00`.
    pub opening_hours: Vec<String>,
    /// Average rating, scaled to 5.
    pub rating: Option<f64>,
    /// How many reviews it stands on.
    pub review_count: Option<u64>,
    /// Price range, as written.
    pub price_range: Option<String>,
    /// Where the most of it was found.
    pub evidence: Option<Evidence>,
}

/// What one page is like.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSummary {
    /// Where it was read from.
    pub url: String,
    /// Its title.
    pub title: Option<String>,
    /// Its language, as the page says.
    pub language: Option<String>,
    /// Readable text, cut to a limit, menus left out.
    pub text: String,
    /// Length of the readable text in characters, before it was cut.
    pub text_length: usize,
    /// Whether it came over TLS.
    pub https: bool,
    /// Whether it is made for phones.
    pub has_viewport: bool,
    /// The newest year of a copyright line.
    pub copyright_year: Option<u16>,
    /// The generator meta tag.
    pub generator: Option<String>,
    /// Bytes that came off the wire.
    pub bytes: usize,
    /// Whether part of the page was not read; [`SiteFacts::cut_pages`] says why.
    pub cut: bool,
    /// Steps of work spent on the page, at most [`crate::steps_max`] of its bytes.
    #[serde(default)]
    pub steps: u64,
}

/// Why part of a page was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CutReason {
    /// It is longer than [`crate::PAGE_BYTES_MAX`]; the end was dropped.
    Size,
    /// The budget of steps ran out: a finder stopped before the end of the page and kept what it had.
    Steps,
}

/// A page or script of the site that was not read whole: its findings are right, but some may be missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutPage {
    /// Where it was read from.
    pub url: String,
    /// Why it was cut.
    pub reason: CutReason,
}

/// Everything that was found on a website.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SiteFacts {
    /// Emails, the primary one first.
    pub emails: Vec<FoundEmail>,
    /// Phone numbers, the best first.
    pub phones: Vec<FoundPhone>,
    /// People, the owner first.
    pub people: Vec<FoundPerson>,
    /// Social profiles, one a network.
    pub socials: Vec<FoundSocial>,
    /// Technology.
    pub technology: Technology,
    /// Structured data.
    pub schema_org: SchemaOrg,
    /// The pages, in the order they were given.
    pub pages: Vec<PageSummary>,
    /// Pages and scripts that were not read whole, in the order they were given. Facts stored by older versions have none.
    #[serde(default)]
    pub cut_pages: Vec<CutPage>,
}

impl SiteFacts {
    /// The owner, when one was found.
    pub fn owner(&self) -> Option<&FoundPerson> {
        self.people.iter().find(|person| person.is_owner)
    }

    /// The best email for outreach.
    pub fn primary_email(&self) -> Option<&FoundEmail> {
        self.emails.iter().find(|email| email.is_primary)
    }
}
