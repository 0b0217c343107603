//! The results of extraction: what was found on a website, and where.

use serde::{Deserialize, Serialize};

use crate::technology::rules::Category;

/// How something was found on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// A `mailto:` link.
    Mailto,
    /// A `tel:` link.
    TelLink,
    /// A JSON-LD script.
    JsonLd,
    /// Microdata attributes.
    Microdata,
    /// h-card or vCard classes.
    HCard,
    /// An address obfuscated by Cloudflare.
    Cloudflare,
    /// Visible text.
    Text,
    /// Written out, such as `name [at] domain (dot) com`.
    Spelled,
    /// Written backwards and reversed by CSS.
    Reversed,
    /// Concatenated from pieces in a script.
    Joined,
    /// Obfuscated with ROT13.
    Rot13,
    /// An attribute of an HTML tag.
    Attribute,
    /// A string in an inline script.
    Script,
    /// A link that is neither `mailto:` nor `tel:`.
    Link,
    /// A meta tag other than Open Graph.
    Meta,
    /// Open Graph meta tags.
    OpenGraph,
    /// The URL of a resource the page loads.
    Address,
    /// A characteristic string in the page source.
    Markup,
    /// A tag-manager container the page loads.
    Container,
    /// A link to a map, or a map shown on the page.
    MapsLink,
    /// The text of an `<address>` element.
    AddressElement,
}

/// Where and how something was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The page it was found on.
    pub url: String,
    /// The technique that found it.
    pub method: Method,
    /// The surrounding text, shortened.
    pub snippet: String,
}

/// Who reads a mailbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EmailType {
    /// A named person.
    Personal,
    /// A function, such as `info@` or `sales@`.
    Role,
    /// A free-mail address used by the business.
    Generic,
    /// The address does not tell.
    Unknown,
}

/// An email address found on the site.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FoundEmail {
    /// In lower case.
    pub email: String,
    /// Who reads it.
    #[serde(rename = "type")]
    pub kind: EmailType,
    /// 0 to 1, see [`crate::confidence`]; computed before the domain's mail servers are checked.
    pub confidence: f64,
    /// The best one for outreach; set on one address, unless all of them belong to others.
    pub is_primary: bool,
    /// Number of distinct pages and methods that found it.
    pub times_seen: u32,
    /// The person it belongs to, when the page makes that clear.
    pub person: Option<String>,
    /// The most reliable place it was found.
    #[serde(flatten)]
    pub evidence: Evidence,
}

/// What answers at a phone number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PhoneKind {
    /// A person or a voice menu.
    Voice,
    /// A fax machine.
    Fax,
}

/// A phone number found on the site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundPhone {
    /// In E.164 form, such as `+15125550100`.
    pub phone: String,
    /// In the national format of its country.
    pub national: String,
    /// Voice or fax.
    pub kind: PhoneKind,
    /// The extension, when the page gives one.
    pub extension: Option<String>,
    /// Number of distinct pages and methods that found it.
    pub times_seen: u32,
    /// The most reliable place it was found.
    #[serde(flatten)]
    pub evidence: Evidence,
}

/// A postal address found on the site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundAddress {
    /// Street and house number with suite and floor, or the post-office box.
    pub street: Option<String>,
    /// Town or city.
    pub city: Option<String>,
    /// The short code in the US, Canada and Australia, such as `TX`; elsewhere as written.
    pub state: Option<String>,
    /// Postal or ZIP code.
    pub postal_code: Option<String>,
    /// Two-letter code, when the format, a name or the state makes it certain.
    pub country: Option<String>,
    /// Number of distinct pages and methods that found it.
    pub times_seen: u32,
    /// The most reliable place it was found.
    #[serde(flatten)]
    pub evidence: Evidence,
}

/// The opening hours of the business.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundHours {
    /// In OpenStreetMap's notation, such as `Mo-Fr 08:30-17:30; Sa 09:00-13:00; Su off`. A day that is not named is unknown.
    pub hours: String,
    /// Where they were found.
    #[serde(flatten)]
    pub evidence: Evidence,
}

/// A person named on the site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundPerson {
    /// The name without titles and degrees such as `Dr.` or `DDS`.
    pub name: String,
    /// The job title in the page's own words.
    pub title: Option<String>,
    /// Set on at most one person.
    pub is_owner: bool,
    /// An email address shown next to the person.
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
    /// The profile's URL, normalised.
    #[serde(rename = "profile")]
    pub profile_url: String,
    /// Where the link was found.
    #[serde(flatten)]
    pub evidence: Evidence,
}

/// A technology the site uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundTechnology {
    /// Identifies it across versions, such as `wordpress`.
    pub slug: String,
    /// The product's own spelling of its name.
    pub name: String,
    /// What it is used for.
    pub category: Category,
    /// The version, when the page states it.
    pub version: Option<String>,
    /// Where it was found.
    #[serde(flatten)]
    pub evidence: Evidence,
}

/// All technology found, and the pick of each category.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Technology {
    /// What the site is built with; the best supported one when several match.
    pub platform: Option<FoundTechnology>,
    /// The shop system; `None` unless something can be bought.
    pub ecommerce: Option<FoundTechnology>,
    /// The appointment or table booking tool.
    pub booking: Option<FoundTechnology>,
    /// The food ordering tool.
    pub online_ordering: Option<FoundTechnology>,
    /// The live chat tool.
    pub chat: Option<FoundTechnology>,
    /// Advertising pixels, such as Meta's.
    pub ad_networks: Vec<FoundTechnology>,
    /// Analytics tools, such as Google Analytics.
    pub analytics: Vec<FoundTechnology>,
    /// Everything found, including the fields above.
    pub all: Vec<FoundTechnology>,
}

/// A postal address in parts, each as written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    /// Street and house number.
    pub street: Option<String>,
    /// Town or city.
    pub city: Option<String>,
    /// State, province or region.
    pub state: Option<String>,
    /// Postal or ZIP code.
    pub postal_code: Option<String>,
    /// Country name or code.
    pub country: Option<String>,
}

/// What the site's structured data says about the business.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SchemaOrg {
    /// The schema.org type, such as `Dentist`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// The business's name.
    pub name: Option<String>,
    /// The site's own description of the business.
    pub description: Option<String>,
    /// The postal address.
    pub address: Option<Address>,
    /// Degrees north.
    pub latitude: Option<f64>,
    /// Degrees east.
    pub longitude: Option<f64>,
    /// Opening hours, one entry per rule, such as `Mo-Fr 09:00-17:00`.
    pub opening_hours: Vec<String>,
    /// Average rating, scaled to 5.
    pub rating: Option<f64>,
    /// Number of reviews behind the rating.
    pub review_count: Option<u64>,
    /// Price range as written, such as `$$`.
    pub price_range: Option<String>,
    /// Where most of it was found.
    pub evidence: Option<Evidence>,
}

/// Properties of one page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSummary {
    /// The URL it was finally read from.
    pub url: String,
    /// The `<title>`, at most 300 characters.
    pub title: Option<String>,
    /// The declared `lang`.
    pub language: Option<String>,
    /// Readable text without menus, truncated to a limit.
    pub text: String,
    /// Characters of readable text before truncation.
    pub text_length: usize,
    /// Whether it was loaded over TLS.
    pub https: bool,
    /// Whether it declares a viewport, as pages made for phones do.
    pub has_viewport: bool,
    /// The latest year next to a copyright sign.
    pub copyright_year: Option<u16>,
    /// The `generator` meta tag.
    pub generator: Option<String>,
    /// Size of the body in bytes.
    pub bytes: usize,
    /// Whether part of the page was not read; [`SiteFacts::cut_pages`] says why.
    pub cut: bool,
    /// Work spent on the page, at most [`crate::steps_max`] of its size.
    #[serde(default)]
    pub steps: u64,
}

/// Why part of a page was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CutReason {
    /// It is longer than [`crate::PAGE_BYTES_MAX`]; the end was dropped.
    Size,
    /// The step budget ran out: a finder stopped before the end of the page and kept what it had.
    Steps,
}

/// A page or script that was not read completely: its findings are correct, but some may be missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutPage {
    /// The URL it was finally read from.
    pub url: String,
    /// Why the rest was not read.
    pub reason: CutReason,
}

/// Everything found on a website.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SiteFacts {
    /// Email addresses, the primary one first.
    pub emails: Vec<FoundEmail>,
    /// Phone numbers, best first.
    pub phones: Vec<FoundPhone>,
    /// People, the owner first.
    pub people: Vec<FoundPerson>,
    /// Social profiles, at most one per network.
    pub socials: Vec<FoundSocial>,
    /// Postal addresses, the business's own first. Empty in facts stored by older versions.
    #[serde(default)]
    pub addresses: Vec<FoundAddress>,
    /// Opening hours. `None` in facts stored by older versions.
    #[serde(default)]
    pub hours: Option<FoundHours>,
    /// Technology of all pages and scripts.
    pub technology: Technology,
    /// Structured data, merged over all pages.
    pub schema_org: SchemaOrg,
    /// The pages in input order.
    pub pages: Vec<PageSummary>,
    /// Pages and scripts that were not read completely, in input order. Empty in facts stored by older versions.
    #[serde(default)]
    pub cut_pages: Vec<CutPage>,
}

impl SiteFacts {
    /// The person marked as owner.
    pub fn owner(&self) -> Option<&FoundPerson> {
        self.people.iter().find(|person| person.is_owner)
    }

    /// The best email for outreach.
    pub fn primary_email(&self) -> Option<&FoundEmail> {
        self.emails.iter().find(|email| email.is_primary)
    }
}
