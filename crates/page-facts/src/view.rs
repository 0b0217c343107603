//! The shape in which the command line shows facts: one JSON object a page or a site.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::facts::{CutPage, FoundEmail, FoundPerson, FoundPhone, FoundTechnology, SchemaOrg, SiteFacts};

/// Facts as `canvass facts` prints them.
#[derive(Debug, Clone, Serialize)]
pub struct FactsView<'f> {
    /// Emails, the primary one first.
    pub emails: &'f [FoundEmail],
    /// Phones, the best first.
    pub phones: &'f [FoundPhone],
    /// People, the owner first.
    pub people: &'f [FoundPerson],
    /// Network to profile address.
    pub socials: BTreeMap<&'f str, &'f str>,
    /// Technology in short.
    pub signals: SignalsView<'f>,
    /// Structured data.
    pub schema_org: &'f SchemaOrg,
    /// Characters of readable text.
    pub text_length: usize,
    /// Pages that were not read whole, and why; findings may be missing there.
    pub cut_pages: &'f [CutPage],
}

/// Technology in short, as slugs, with the evidence beside.
#[derive(Debug, Clone, Serialize)]
pub struct SignalsView<'f> {
    /// What the site is built with; `custom` when nothing known shows.
    pub platform: &'f str,
    /// Its version.
    pub platform_version: Option<&'f str>,
    /// Whether something can be bought.
    pub ecommerce: bool,
    /// The shop system.
    pub ecommerce_platform: Option<&'f str>,
    /// The booking tool.
    pub booking: Option<&'f str>,
    /// The ordering tool.
    pub online_ordering: Option<&'f str>,
    /// The chat tool.
    pub chat: Option<&'f str>,
    /// Whether any advertising pixel is there.
    pub has_ad_pixel: bool,
    /// Advertising networks.
    pub ad_networks: Vec<&'f str>,
    /// Analytics.
    pub analytics: Vec<&'f str>,
    /// Whether any analytics is there.
    pub has_analytics: bool,
    /// Whether the pages came over TLS.
    pub https: bool,
    /// Whether the pages are made for phones.
    pub mobile_friendly: bool,
    /// The newest year of a copyright line.
    pub copyright_year: Option<u16>,
    /// The generator meta tag.
    pub generator: Option<&'f str>,
    /// Bytes of the heaviest page.
    pub page_bytes: usize,
    /// Everything that was found, with evidence.
    pub technologies: &'f [FoundTechnology],
}

impl SiteFacts {
    /// The shape that the command line prints.
    pub fn view(&self) -> FactsView<'_> {
        FactsView {
            emails: &self.emails,
            phones: &self.phones,
            people: &self.people,
            socials: self.socials.iter().map(|s| (s.network.as_str(), s.profile_url.as_str())).collect(),
            signals: self.signals(),
            schema_org: &self.schema_org,
            text_length: self.pages.iter().map(|page| page.text_length).sum(),
            cut_pages: &self.cut_pages,
        }
    }

    fn signals(&self) -> SignalsView<'_> {
        let technology = &self.technology;
        SignalsView {
            platform: technology.platform.as_ref().map_or("custom", |t| t.slug.as_str()),
            platform_version: technology.platform.as_ref().and_then(|t| t.version.as_deref()),
            ecommerce: technology.ecommerce.is_some(),
            ecommerce_platform: technology.ecommerce.as_ref().map(|t| t.slug.as_str()),
            booking: technology.booking.as_ref().map(|t| t.slug.as_str()),
            online_ordering: technology.online_ordering.as_ref().map(|t| t.slug.as_str()),
            chat: technology.chat.as_ref().map(|t| t.slug.as_str()),
            has_ad_pixel: !technology.ad_networks.is_empty(),
            ad_networks: slugs(&technology.ad_networks),
            analytics: slugs(&technology.analytics),
            has_analytics: !technology.analytics.is_empty(),
            https: !self.pages.is_empty() && self.pages.iter().all(|page| page.https),
            mobile_friendly: self.pages.iter().any(|page| page.has_viewport),
            copyright_year: self.pages.iter().filter_map(|page| page.copyright_year).max(),
            generator: self.pages.iter().find_map(|page| page.generator.as_deref()),
            page_bytes: self.pages.iter().map(|page| page.bytes).max().unwrap_or(0),
            technologies: &technology.all,
        }
    }
}

fn slugs(list: &[FoundTechnology]) -> Vec<&str> {
    list.iter().map(|technology| technology.slug.as_str()).collect()
}
