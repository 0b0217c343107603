//! Turns what was found on a website into signals.

use page_facts::{Finder, FoundTechnology, SiteFacts};
use polite_reader::SiteStatus;
use serde::{Deserialize, Serialize};

use super::Basic;
use crate::website::READING_VERSION;

/// What the score needs to know about a site beside its signals; stored with the lead so that it can be scored again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// A `site_status`.
    pub status: String,
    /// Whether the pages were served over TLS; `None` for the sandbox's own.
    pub https: Option<bool>,
    /// Whether any page has a viewport for phones.
    pub mobile_friendly: Option<bool>,
    /// The newest year of a copyright line.
    pub copyright_year: Option<u16>,
    /// The platform's version, when the page says it.
    pub platform_version: Option<String>,
    /// Bytes of the heaviest page.
    pub page_bytes: Option<usize>,
    /// Whether every chosen page was read whole: only then does a missing finding mean absence.
    #[serde(default)]
    pub complete: bool,
    /// The [`reading_version`] of the build that read it.
    #[serde(default)]
    pub read_by: u32,
}

/// Grows whenever this build reads anything from the same website differently than the one before: with each finder's
/// version, and with the version of reading itself.
pub fn reading_version() -> u32 {
    Finder::ALL.into_iter().map(Finder::version).sum::<u32>() + READING_VERSION
}

/// The signals of a website that ended with this status.
pub fn detect(status: SiteStatus, facts: &SiteFacts, url: Option<&str>) -> (Basic, Site) {
    let has_website = !matches!(status, SiteStatus::None | SiteStatus::SocialOnly);
    let mut site = Site { status: status.as_str().to_owned(), ..Site::default() };
    if status != SiteStatus::Ok {
        return (Basic { has_website, ..Basic::default() }, site);
    }
    let view = facts.view().signals;
    // The sandbox serves its made-up sites without TLS; that says nothing of them.
    site.https = url.filter(|url| !url.contains(".localhost")).map(|_| view.https);
    site.mobile_friendly = Some(view.mobile_friendly);
    site.copyright_year = view.copyright_year;
    site.platform_version = view.platform_version.map(str::to_owned);
    site.page_bytes = Some(view.page_bytes);
    let technology = &facts.technology;
    let slug = |found: &Option<FoundTechnology>| found.as_ref().map(|found| found.slug.clone());
    let basic = Basic {
        detected: true,
        has_website,
        platform: Some(view.platform.to_owned()),
        ecommerce: Some(view.ecommerce),
        booking: slug(&technology.booking),
        online_ordering: slug(&technology.online_ordering),
        chat: slug(&technology.chat),
        has_ad_pixel: Some(view.has_ad_pixel),
        ad_networks: Some(slugs(&technology.ad_networks)),
        has_analytics: Some(view.has_analytics),
        analytics: Some(slugs(&technology.analytics)),
    };
    (basic, site)
}

fn slugs(found: &[FoundTechnology]) -> Vec<String> {
    found.iter().map(|technology| technology.slug.clone()).collect()
}
