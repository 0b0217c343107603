//! The JSON shape in which the command line prints facts.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::facts::{
    CutPage, FoundAddress, FoundEmail, FoundHours, FoundPerson, FoundPhone, FoundTechnology, SchemaOrg, SiteFacts,
};

/// The output of `canvass facts` for a page or a site.
#[derive(Debug, Clone, Serialize)]
pub struct FactsView<'f> {
    /// Email addresses, the primary one first.
    pub emails: &'f [FoundEmail],
    /// Phone numbers, best first.
    pub phones: &'f [FoundPhone],
    /// People, the owner first.
    pub people: &'f [FoundPerson],
    /// Postal addresses, the business's own first.
    pub addresses: &'f [FoundAddress],
    /// Opening hours.
    pub hours: Option<&'f FoundHours>,
    /// Profile URL by network.
    pub socials: BTreeMap<&'f str, &'f str>,
    /// Technology and page properties in short.
    pub signals: SignalsView<'f>,
    /// Structured data, merged over all pages.
    pub schema_org: &'f SchemaOrg,
    /// Characters of readable text on all pages.
    pub text_length: usize,
    /// Pages that were not read completely, where findings may be missing.
    pub cut_pages: &'f [CutPage],
}

/// Technology as slugs, with the evidence in `technologies`.
#[derive(Debug, Clone, Serialize)]
pub struct SignalsView<'f> {
    /// What the site is built with; `custom` when no known platform was recognised.
    pub platform: &'f str,
    /// The platform's version, when the page states it.
    pub platform_version: Option<&'f str>,
    /// Whether something can be bought.
    pub ecommerce: bool,
    /// The shop system; `null` without one.
    pub ecommerce_platform: Option<&'f str>,
    /// The appointment or table booking tool.
    pub booking: Option<&'f str>,
    /// The food ordering tool.
    pub online_ordering: Option<&'f str>,
    /// The live chat tool.
    pub chat: Option<&'f str>,
    /// Whether any advertising pixel was found.
    pub has_ad_pixel: bool,
    /// Advertising networks whose pixels were found.
    pub ad_networks: Vec<&'f str>,
    /// Analytics tools found.
    pub analytics: Vec<&'f str>,
    /// Whether any analytics tool was found.
    pub has_analytics: bool,
    /// Whether every page was loaded over TLS.
    pub https: bool,
    /// Whether any page declares a viewport.
    pub mobile_friendly: bool,
    /// The latest year next to a copyright sign.
    pub copyright_year: Option<u16>,
    /// The first `generator` meta tag.
    pub generator: Option<&'f str>,
    /// Size of the largest page in bytes.
    pub page_bytes: usize,
    /// Everything found, with evidence.
    pub technologies: &'f [FoundTechnology],
}

impl SiteFacts {
    /// The shape that the command line prints.
    pub fn view(&self) -> FactsView<'_> {
        FactsView {
            emails: &self.emails,
            phones: &self.phones,
            people: &self.people,
            addresses: &self.addresses,
            hours: self.hours.as_ref(),
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
