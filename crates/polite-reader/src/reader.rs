//! The reader: built once, cloned cheaply. Keeps reports for a day and lets concurrent readers of
//! one site share one read.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use futures::FutureExt;
use futures::future::{BoxFuture, Shared, WeakShared};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use url::Url;

use crate::connect::{Connection, Connector};
use crate::kept::{KeptPage, KeptReport};
use crate::lending::Lending;
use crate::limits::{
    BODIES_AT_ONCE_MIN, CONTAINER_FETCH_BYTES, CONTAINERS_KEPT_BYTES_MAX, DNS_DEADLINE, LENT_PAGES_PART,
    LENT_SCRIPTS_PART, MAIL_DOMAINS_MAX, MAIL_TRIES_MAX, PAGES_KEPT_BYTES_MAX, ROBOTS_KEPT_BYTES_MAX, SITE_BYTES_MAX,
    SITES_PER_BODY, TAG_MANAGER_GAP,
};
use crate::memory::Budget;
use crate::pacing::Pacing;
use crate::read_site::{Delivery, SiteRead, read_site};
use crate::report::{FetchedPage, SiteReport, SiteStatus};
use crate::resolve::{Resolver, SystemResolver};
use crate::robots::Rules;
use crate::settings::{Identity, ReaderSettings, SettingsError};
use crate::shelf::Shelf;
use crate::site_address::{SiteAddress, site_of};
use crate::stall::{StallDetector, StallWatch};

/// Whether a kept report will do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// A report kept from an earlier read is good enough.
    Cached,
    /// The site is read anew; what was kept is replaced.
    Fresh,
}

/// Reads websites. Clones share everything.
#[derive(Clone)]
pub struct Reader {
    inner: Arc<Inner>,
}

/// A read under way that several callers wait for. When the last of them goes away, it ends.
type SharedRead = Shared<BoxFuture<'static, Arc<SiteReport>>>;

/// What all clones share.
pub(crate) struct Inner {
    pub(crate) settings: ReaderSettings,
    pub(crate) identity: Identity,
    pub(crate) connector: Connector,
    pub(crate) pacing: Pacing,
    pub(crate) sites: Semaphore,
    pub(crate) stalls: StallDetector,
    pub(crate) memory: Budget,
    pub(crate) container_memory: Budget,
    pub(crate) lent_pages: Lending,
    pub(crate) lent_scripts: Lending,
    /// Who may take in a body now.
    pub(crate) bodies: Semaphore,
    pub(crate) robots: Shelf<Arc<Rules>>,
    pub(crate) containers: Shelf<KeptPage>,
    pub(crate) pages: Shelf<KeptPage>,
    pub(crate) tag_manager: Option<Url>,
    /// The tag manager's connection, kept open between sites. Only who has its turn may take it.
    pub(crate) tag_connection: Mutex<Option<Connection>>,
    resolver: Arc<dyn Resolver>,
    reports: Shelf<Arc<KeptReport>>,
    mail: Shelf<bool>,
    under_way: Mutex<HashMap<String, WeakShared<BoxFuture<'static, Arc<SiteReport>>>>>,
}

impl fmt::Debug for Reader {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Reader").field("settings", &self.inner.settings).finish_non_exhaustive()
    }
}

impl Reader {
    /// A reader that asks the machine's own name servers.
    ///
    /// # Errors
    ///
    /// When a setting cannot work: a user agent that is no name, a contact address that is none.
    pub fn new(settings: ReaderSettings) -> Result<Self, SettingsError> {
        Self::with_resolver(settings, Arc::new(SystemResolver::new()))
    }

    /// A reader with its own way to resolve names.
    ///
    /// # Errors
    ///
    /// As [`Reader::new`].
    pub fn with_resolver(settings: ReaderSettings, resolver: Arc<dyn Resolver>) -> Result<Self, SettingsError> {
        settings.check()?;
        let tag_manager = settings.tag_manager()?;
        let inner = Inner {
            identity: settings.identity()?,
            connector: Connector::new(&settings, Arc::clone(&resolver))?,
            pacing: pacing(&settings, tag_manager.as_ref()),
            tag_manager,
            tag_connection: Mutex::default(),
            sites: Semaphore::new(settings.global_concurrency.min(Semaphore::MAX_PERMITS)),
            stalls: StallDetector::new(settings.stall_min),
            memory: Budget::new(settings.memory_bytes_max - lent_bytes(&settings)),
            container_memory: Budget::new(CONTAINER_FETCH_BYTES),
            lent_pages: Lending::new((settings.memory_bytes_max / LENT_PAGES_PART).max(SITE_BYTES_MAX)),
            lent_scripts: Lending::new(settings.memory_bytes_max / LENT_SCRIPTS_PART),
            bodies: Semaphore::new(bodies_at_once(&settings)),
            robots: Shelf::new(settings.cache_ttl, ROBOTS_KEPT_BYTES_MAX),
            containers: Shelf::new(settings.cache_ttl, CONTAINERS_KEPT_BYTES_MAX),
            pages: Shelf::new(settings.cache_ttl, PAGES_KEPT_BYTES_MAX),
            resolver,
            reports: Shelf::new(settings.cache_ttl, settings.cache_bytes_max),
            mail: Shelf::new(settings.cache_ttl, MAIL_DOMAINS_MAX),
            under_way: Mutex::default(),
            settings,
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Reads the pages worth reading of one website. Takes what listings really contain, and
    /// never fails: what went wrong is in the status.
    pub async fn read_site(&self, url: &str, freshness: Freshness) -> Arc<SiteReport> {
        match SiteAddress::parse(url) {
            SiteAddress::Site { ways, name } => self.read_ways(ways, name, freshness).await,
            other => Arc::new(other.without_a_read(url)),
        }
    }

    /// Reads one website like [`Reader::read_site`], but hands out each page and container as it comes
    /// in and keeps none: for those who read thousands of sites at once and look at each page only
    /// once. The report has no pages, nothing is cached, and the read is not shared.
    pub async fn stream_site(&self, url: &str, on_page: &mut (dyn FnMut(FetchedPage) + Send)) -> SiteReport {
        match SiteAddress::parse(url) {
            SiteAddress::Site { ways, .. } => {
                let delivery = Delivery::PageByPage(on_page);
                read_site(&self.inner, &ways, Freshness::Fresh, delivery).await.report
            }
            other => other.without_a_read(url),
        }
    }

    /// Watches whether this process stands still. Needs a runtime.
    #[must_use]
    pub fn watch_stalls(&self) -> StallWatch {
        self.inner.stalls.watch()
    }

    /// Whether a domain takes mail. `None` when DNS cannot tell.
    pub async fn has_mx(&self, domain: &str) -> Option<bool> {
        let domain = domain.trim().trim_end_matches('.').to_ascii_lowercase();
        if domain.is_empty() || domain.len() > 253 || !domain.contains('.') {
            return Some(false);
        }
        if let Some(known) = self.inner.mail.get(&domain) {
            return Some(known);
        }
        let mut answer = None;
        for _ in 0..MAIL_TRIES_MAX {
            answer = timeout(DNS_DEADLINE, self.inner.resolver.has_mx(&domain)).await.ok().flatten();
            if answer.is_some() {
                break;
            }
        }
        self.inner.mail.put(&domain, answer?, 1);
        answer
    }

    async fn read_ways(&self, ways: Vec<Url>, name: String, freshness: Freshness) -> Arc<SiteReport> {
        if freshness == Freshness::Cached
            && let Some(report) = self.inner.reports.get(&name)
        {
            return Arc::new(report.lend(&self.inner).await);
        }
        self.shared_read(ways, name, freshness).await
    }

    /// Joins a read under way, or starts one.
    fn shared_read(&self, ways: Vec<Url>, name: String, freshness: Freshness) -> SharedRead {
        let mut under_way = self.inner.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(read) = under_way.get(&name).and_then(WeakShared::upgrade) {
            return read;
        }
        let entry = UnderWay { inner: Arc::clone(&self.inner), name: name.clone() };
        let read = async move {
            let SiteRead { report, kept, .. } = read_site(&entry.inner, &ways, freshness, Delivery::Together).await;
            tracing::debug!(
                site.url = report.url,
                site.status = report.status.as_str(),
                site.pages = report.pages.len(),
                site.took_ms = report.took.as_millis(),
                "read a site"
            );
            if is_worth_keeping(&report, &kept) {
                let kept = kept.shut();
                let weight = kept.weight_bytes();
                entry.inner.reports.put(&entry.name, Arc::new(kept), weight);
            }
            Arc::new(report)
        };
        let read = read.boxed().shared();
        if let Some(weak) = read.downgrade() {
            under_way.insert(name, weak);
        }
        read
    }
}

/// The gaps these settings ask for.
fn pacing(settings: &ReaderSettings, tag_manager: Option<&Url>) -> Pacing {
    let mut pacing = Pacing::new(settings.host_gap);
    if let Some(url) = tag_manager {
        pacing = pacing.with_exception(site_of(url), TAG_MANAGER_GAP);
    }
    if settings.localhost_at.is_some() { pacing.with_own_localhost() } else { pacing }
}

/// The part of the memory that is for reports handed out.
fn lent_bytes(settings: &ReaderSettings) -> usize {
    settings.memory_bytes_max / LENT_PAGES_PART + settings.memory_bytes_max / LENT_SCRIPTS_PART
}

/// Bodies that are taken in at the same time.
fn bodies_at_once(settings: &ReaderSettings) -> usize {
    (settings.global_concurrency / SITES_PER_BODY).clamp(BODIES_AT_ONCE_MIN, Semaphore::MAX_PERMITS)
}

/// Takes a read off the list when it ends, or when nobody waits for it any more.
struct UnderWay {
    inner: Arc<Inner>,
    name: String,
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.inner.under_way.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.name);
    }
}

/// Only complete reads are kept, and verdicts that the next read would reach too.
fn is_worth_keeping(report: &SiteReport, kept: &KeptReport) -> bool {
    let is_settled = match report.status {
        SiteStatus::Ok | SiteStatus::Parked => report.complete,
        SiteStatus::Timeout | SiteStatus::Error => false,
        _ => true,
    };
    is_settled && !kept.transient
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_can_be_built_outside_of_a_runtime() {
        assert!(Reader::new(ReaderSettings::default()).is_ok());
        assert!(Reader::new(ReaderSettings { pages_per_site_max: 0, ..ReaderSettings::default() }).is_err());
    }
}
