//! Reads the website of one candidate and puts its lead together.

use polite_reader::{Freshness, Reader, SiteStatus};

use super::coverage::LeftOut;
use super::halt::Halt;
use crate::app::App;
use crate::fair_line::Sharer;
use crate::ids::SearchId;
use crate::lead::{self, Found, ListingWithSite};
use crate::listing::{About, DedupKey, Listing, Query};
use crate::website::{self, Hints, Website};

/// A listing that is wanted, as far as the listing tells.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) rank: i64,
    pub(super) listing: Listing,
    pub(super) dedup_keys: Vec<DedupKey>,
}

/// A candidate whose website was read.
#[derive(Debug)]
pub(super) enum ReadCandidate {
    Lead(Box<ReadyLead>),
    Rejected(LeftOut, SiteSeen),
}

/// A lead that can be delivered.
#[derive(Debug)]
pub(super) struct ReadyLead {
    pub(super) found: Found,
    pub(super) dedup_keys: Vec<DedupKey>,
    pub(super) site: SiteSeen,
}

/// What became of the website.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SiteSeen {
    None,
    Read,
    Unreachable,
}

/// What reading takes.
#[derive(Debug)]
pub(super) struct ReadContext {
    pub(super) app: App,
    pub(super) search: SearchId,
    pub(super) reader: Reader,
    pub(super) query: Query,
    pub(super) about: About,
    pub(super) wants_email: bool,
}

impl ReadContext {
    /// Reads a candidate's website and puts its lead together. A site that this machine failed to read is not settled: the
    /// search reads it again later, so that no one pays for a lead that our own fault spoiled.
    pub(super) async fn read(&self, candidate: Candidate) -> Result<ReadCandidate, Halt> {
        let Candidate { listing, dedup_keys, .. } = candidate;
        let app = &self.app;
        // It may have been suppressed since it was listed.
        if app.suppressions.current().await.map_err(Halt::Db)?.covers_listing(&listing) {
            return Ok(ReadCandidate::Rejected(LeftOut::Suppressed, SiteSeen::None));
        }
        let website = self.read_website(&listing).await;
        if let Some(website) = website.as_ref().filter(|website| website.interrupted) {
            return Err(Halt::Interrupted(website.detail.clone().unwrap_or_default()));
        }
        let site = SiteSeen::of(website.as_ref().map(|website| website.status));
        let suppressed = app.suppressions.current().await.map_err(Halt::Db)?;
        let country = listing.address.country.as_deref();
        if website.as_ref().is_some_and(|website| suppressed.covers_site(website, country)) {
            return Ok(ReadCandidate::Rejected(LeftOut::Suppressed, site));
        }
        let seen = ListingWithSite { listing, website, seen_at: app.clock.now() };
        let found = lead::assemble(seen, self.query.category, &self.about, &app.settings.score);
        if self.wants_email && found.lead.emails.is_empty() {
            return Ok(ReadCandidate::Rejected(LeftOut::Email, site));
        }
        Ok(ReadCandidate::Lead(Box::new(ReadyLead { found, dedup_keys, site })))
    }

    /// Reads the listed website, if there is one and websites are read.
    async fn read_website(&self, listing: &Listing) -> Option<Website> {
        let url = listing.website.as_ref().filter(|_| self.app.settings.read_websites)?;
        if let Some(sandbox) = &self.app.sandbox {
            // So that its sites show the age it has now.
            sandbox.age(&self.app.db).await;
        }
        let sharer = Sharer::of(self.search);
        let _place = self.app.websites.wait(sharer, 1).await;
        let hints = Hints { region: listing.address.country.as_deref(), name: Some(&listing.name), sharer };
        Some(website::read(&self.reader, url, hints, Freshness::Cached).await)
    }
}

impl SiteSeen {
    fn of(status: Option<SiteStatus>) -> SiteSeen {
        match status {
            None | Some(SiteStatus::None | SiteStatus::SocialOnly) => SiteSeen::None,
            Some(SiteStatus::Ok | SiteStatus::Parked) => SiteSeen::Read,
            Some(_) => SiteSeen::Unreachable,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            SiteSeen::None => "none",
            SiteSeen::Read => "read",
            SiteSeen::Unreachable => "unreachable",
        }
    }

    pub(super) fn named(name: &str) -> Option<SiteSeen> {
        [SiteSeen::None, SiteSeen::Read, SiteSeen::Unreachable].into_iter().find(|site| site.name() == name)
    }
}
