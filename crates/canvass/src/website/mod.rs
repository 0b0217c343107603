//! A business's website: read politely, and what stands there, with evidence.

mod read;
mod version;

pub use read::read;
pub use version::READING_VERSION;

use std::net::SocketAddr;

use page_facts::SiteFacts;
use polite_reader::{Reader, ReaderSettings, SettingsError, SiteStatus};

use crate::config::Settings;
use crate::fair_line::Sharer;

/// What is known of a business before its website is read, and who asks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints<'a> {
    /// Two-letter country for phone numbers written without one, such as `US`.
    pub region: Option<&'a str>,
    /// Its name.
    pub name: Option<&'a str>,
    /// On whose behalf it is read.
    pub sharer: Sharer,
}

/// A website that was read, or could not be.
#[derive(Clone, Debug)]
pub struct Website {
    /// How reading it ended.
    pub status: SiteStatus,
    /// Where it ended up, after redirects.
    pub url: String,
    /// Whether every page that was chosen was read, whole.
    pub complete: bool,
    /// Whether this machine failed to read it, so that nothing is known of it.
    pub interrupted: bool,
    /// What went wrong, in plain words.
    pub detail: Option<String>,
    /// Pages that were not read whole: what was found there is right, but something may be missing.
    pub cut_pages: Vec<CutPage>,
    /// Addresses of the pages and scripts that were read whole.
    pub whole_pages: Vec<String>,
    /// What the finders found.
    pub facts: SiteFacts,
}

/// A page that was not read whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutPage {
    /// Where it was read from.
    pub url: String,
    /// Why the rest of it is not known.
    pub reason: CutReason,
}

/// Why part of a page was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutReason {
    /// The reader stopped at its limit of bytes, or the page broke off.
    Reading,
    /// It is longer than the finders take.
    Size,
    /// It would have cost the finders more work than a page may.
    Steps,
    /// The finders took longer than a site may.
    Time,
}

impl CutReason {
    /// The name used in leads.
    pub fn as_str(self) -> &'static str {
        match self {
            CutReason::Reading => "reading",
            CutReason::Size => "size",
            CutReason::Steps => "steps",
            CutReason::Time => "time",
        }
    }

    /// The same in a few words.
    pub fn in_words(self) -> &'static str {
        match self {
            CutReason::Reading => "The page is longer than is read, or it broke off; the rest of it is not known.",
            CutReason::Size => "The page is longer than is searched; the rest of it is not known.",
            CutReason::Steps => "The page takes too much work to search; the rest of it is not known.",
            CutReason::Time => "Searching the pages took too long; what they say is not known.",
        }
    }
}

/// There is nothing to read websites with.
#[derive(Debug, thiserror::Error)]
pub enum ReaderError {
    /// A setting is wrong.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The sandbox's websites cannot be served.
    #[error("the sandbox's websites cannot be served on this machine")]
    Sites(#[from] std::io::Error),
}

/// The sandbox's websites, as a reader reaches them.
#[derive(Clone, Debug)]
pub struct LocalSites {
    /// Where they are served, whatever port their addresses name.
    pub address: SocketAddr,
    /// How politely they are read.
    pub politeness: Politeness,
    /// The certificate authority that vouches for them, in DER form, when they are served over HTTPS.
    pub authority: Option<Vec<u8>>,
}

/// How politely the sandbox's websites are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Politeness {
    /// Without a gap between requests: they are our own.
    NoGap,
    /// As websites on the web.
    AsOnTheWeb,
}

/// The reader these settings ask for, with the limits in `base`. Names under `.localhost` are those of `sites`.
pub fn reader(settings: &Settings, sites: Option<&LocalSites>, base: &ReaderSettings) -> Result<Reader, SettingsError> {
    let contact = settings.contact_url.as_ref().or(settings.base_url.as_ref());
    Reader::new(ReaderSettings {
        contact_url: contact.map_or_else(|| format!("http://{}", settings.listen), ToString::to_string),
        allowed_addresses: settings.allow_addresses.clone(),
        localhost_at: sites.map(|sites| sites.address),
        localhost_gap: match sites.map(|sites| sites.politeness) {
            Some(Politeness::AsOnTheWeb) => base.host_gap,
            Some(Politeness::NoGap) | None => base.localhost_gap,
        },
        extra_roots: sites.and_then(|sites| sites.authority.clone()).into_iter().collect(),
        ..base.clone()
    })
}
