//! The public entry point: built once, cloned cheaply. Caches reports for a day and coalesces concurrent reads of the same
//! site.

use std::fmt;
use std::sync::{Arc, PoisonError};

use bytes::Bytes;
use futures::FutureExt;
use futures::future::WeakShared;
use tokio::time::timeout;
use url::Url;

use crate::compressed::CompressedReport;
use crate::figures;
use crate::limits::{DNS_DEADLINE, MAIL_TRIES_MAX};
use crate::memory::SiteShare;
use crate::read_site::{Delivery, SiteRead, read_site};
use crate::reader_state::{ReaderState, SharedRead};
use crate::report::{FetchedPage, Freshness, SiteReport, SiteStatus};
use crate::resolve::{Resolver, SystemResolver};
use crate::settings::{ReaderSettings, SettingsError};
use crate::site_address::SiteAddress;
use crate::stall::StallWatch;
use crate::visit::{FetchedResource, Visit};

/// A `robots.txt` as served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsFile {
    /// The URL after redirects.
    pub url: String,
    /// The HTTP status of the response.
    pub status: u16,
    /// The file; empty unless the status is a success.
    pub body: Bytes,
}

/// Reads websites. Clones share caches, limits and connections.
#[derive(Clone)]
pub struct Reader {
    inner: Arc<ReaderState>,
}

impl fmt::Debug for Reader {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Reader").field("settings", &self.inner.settings).finish_non_exhaustive()
    }
}

impl Reader {
    /// A reader that uses the machine's own name servers.
    ///
    /// # Errors
    ///
    /// When a setting is invalid, such as a user agent without a product token or a contact URL that is not one.
    pub fn new(settings: ReaderSettings) -> Result<Self, SettingsError> {
        Self::with_resolver(settings, Arc::new(SystemResolver::new()))
    }

    /// A reader with a custom resolver.
    ///
    /// # Errors
    ///
    /// Same as [`Reader::new`].
    pub fn with_resolver(settings: ReaderSettings, resolver: Arc<dyn Resolver>) -> Result<Self, SettingsError> {
        Ok(Self { inner: Arc::new(ReaderState::new(settings, resolver)?) })
    }

    /// Reads the pages of one website that are worth reading. Accepts whatever listings contain, and never fails: the status
    /// says what went wrong.
    pub async fn read_site(&self, url: &str, freshness: Freshness) -> Arc<SiteReport> {
        match SiteAddress::parse(url) {
            SiteAddress::Site { start_urls, name } => self.read_start_urls(start_urls, name, freshness).await,
            other => Arc::new(other.without_a_read(url)),
        }
    }

    /// Reads one website like [`Reader::read_site`], but delivers each page and container as it arrives and keeps none: for
    /// callers who read thousands of sites at once and need each page only once. The report has no pages, nothing is cached,
    /// and the read is not shared.
    pub async fn stream_site(&self, url: &str, on_page: &mut (dyn FnMut(FetchedPage) + Send)) -> SiteReport {
        match SiteAddress::parse(url) {
            SiteAddress::Site { start_urls, .. } => {
                let delivery = Delivery::PageByPage(on_page);
                read_site(&self.inner, &start_urls, Freshness::Fresh, delivery).await.report
            }
            other => other.without_a_read(url),
        }
    }

    /// The `robots.txt` of a website, fetched as politely as its pages. `None` when its redirects lead nowhere, which counts
    /// as a missing file.
    ///
    /// # Errors
    ///
    /// A message for the user that says why it cannot be fetched.
    pub async fn robots_file(&self, url: &str) -> Result<Option<RobotsFile>, String> {
        let SiteAddress::Site { start_urls, .. } = SiteAddress::parse(url) else {
            return Err(format!("{url} is not the URL of a website"));
        };
        let reservation = self.inner.memory.reserve(SiteShare::Usual).await.ok_or("the reader is closing")?;
        let mut visit = Visit::new(&self.inner, reservation, None).starting_at(&start_urls);
        let mut outcome = Err("the website cannot be reached".to_owned());
        for start_url in &start_urls {
            outcome = match visit.fetch_robots(start_url).await {
                Err(failure) if failure.may_try_other_urls() => Err(failure.to_string()),
                other => return other.map_err(|failure| failure.to_string())?.map(RobotsFile::of).transpose(),
            };
        }
        outcome
    }

    /// Starts watching whether this process is stalled. Needs a runtime.
    #[must_use]
    pub fn watch_stalls(&self) -> StallWatch {
        self.inner.stalls.watch()
    }

    /// Whether a domain accepts mail. `None` when DNS cannot tell.
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

    async fn read_start_urls(&self, start_urls: Vec<Url>, name: String, freshness: Freshness) -> Arc<SiteReport> {
        if freshness == Freshness::Cached
            && let Some(report) = self.inner.reports.get(&name)
        {
            return Arc::new(report.decompress(&self.inner.page_budget, &self.inner.script_budget).await);
        }
        self.shared_read(start_urls, name, freshness).await
    }

    /// Joins a read in progress, or starts one.
    fn shared_read(&self, start_urls: Vec<Url>, name: String, freshness: Freshness) -> SharedRead {
        let mut in_flight = self.inner.in_flight.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(read) = in_flight.get(&name).and_then(WeakShared::upgrade) {
            return read;
        }
        let entry = InFlightGuard { inner: Arc::clone(&self.inner), name: name.clone() };
        let read = async move {
            let SiteRead { report, cacheable, .. } =
                read_site(&entry.inner, &start_urls, freshness, Delivery::Together).await;
            tracing::debug!(
                site.url = report.url,
                site.status = report.status.as_str(),
                site.pages = report.pages.len(),
                site.took_ms = report.took.as_millis(),
                "read a site"
            );
            figures::count_site(&report);
            if is_worth_keeping(&report, &cacheable) {
                let cacheable = cacheable.without_plain();
                let weight = cacheable.weight_bytes();
                entry.inner.reports.put(&entry.name, Arc::new(cacheable), weight);
            }
            Arc::new(report)
        };
        let read = read.boxed().shared();
        if let Some(weak) = read.downgrade() {
            in_flight.insert(name, weak);
        }
        read
    }
}

impl RobotsFile {
    fn of(fetched: FetchedResource) -> Result<Self, String> {
        let FetchedResource { url, answer } = fetched;
        let body = answer.body.decompress().map_err(|failure| failure.to_string())?.body;
        Ok(Self { url: url.into(), status: answer.status.as_u16(), body })
    }
}

/// Removes a read from the list when it ends or is cancelled.
struct InFlightGuard {
    inner: Arc<ReaderState>,
    name: String,
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        self.inner.in_flight.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.name);
    }
}

/// Only complete reads are cached, and failures that the next read would reach too.
fn is_worth_keeping(report: &SiteReport, cacheable: &CompressedReport) -> bool {
    let is_settled = match report.status {
        SiteStatus::Ok | SiteStatus::Parked => report.complete,
        SiteStatus::Timeout | SiteStatus::Error => false,
        _ => true,
    };
    is_settled && !cacheable.transient
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_can_be_built_outside_a_runtime() {
        assert!(Reader::new(ReaderSettings::default()).is_ok());
        assert!(Reader::new(ReaderSettings { pages_per_site_max: 0, ..ReaderSettings::default() }).is_err());
    }
}
