//! The state that all clones of a reader share: limits, caches, budgets and reads in progress.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use futures::future::{BoxFuture, Shared, WeakShared};
use tokio::sync::Semaphore;
use url::Url;

use crate::address_guard::AddressGuard;
use crate::cache::Cache;
use crate::compressed::{CompressedPage, CompressedReport};
use crate::connect::Connector;
use crate::connection::Connection;
use crate::domain::site_of;
use crate::limits::{
    BODIES_AT_ONCE_MIN, CONTAINER_FETCH_BYTES, CONTAINERS_CACHED_BYTES_MAX, MAIL_DOMAINS_MAX, PAGES_CACHED_BYTES_MAX,
    REPORT_PAGES_DIVISOR, REPORT_SCRIPTS_DIVISOR, ROBOTS_CACHED_BYTES_MAX, SITE_BYTES_MAX, SITES_PER_BODY,
    TAG_MANAGER_GAP,
};
use crate::memory::MemoryBudget;
use crate::pacing::Pacing;
use crate::report::SiteReport;
use crate::report_budget::ReportBudget;
use crate::resolve::Resolver;
use crate::robots::RobotsRules;
use crate::settings::{Identity, ReaderSettings, SettingsError};
use crate::stall::StallDetector;

/// A read in progress that several callers await. It is cancelled when the last of them goes away.
pub(crate) type SharedRead = Shared<BoxFuture<'static, Arc<SiteReport>>>;

/// The state all clones share.
pub(crate) struct ReaderState {
    pub(crate) settings: ReaderSettings,
    pub(crate) identity: Identity,
    pub(crate) connector: Connector,
    /// Keeps visits on the public internet.
    pub(crate) guard: AddressGuard,
    pub(crate) pacing: Pacing,
    pub(crate) sites: Semaphore,
    pub(crate) stalls: StallDetector,
    pub(crate) memory: MemoryBudget,
    pub(crate) container_memory: MemoryBudget,
    pub(crate) page_budget: ReportBudget,
    pub(crate) script_budget: ReportBudget,
    /// Limits how many bodies are received at once.
    pub(crate) bodies: Semaphore,
    pub(crate) robots: Cache<Arc<RobotsRules>>,
    pub(crate) containers: Cache<CompressedPage>,
    pub(crate) pages: Cache<CompressedPage>,
    pub(crate) tag_manager: Option<Url>,
    /// The tag manager's connection, kept open between sites. Only the holder of its host slot may take it.
    pub(crate) tag_connection: Mutex<Option<Connection>>,
    pub(crate) resolver: Arc<dyn Resolver>,
    pub(crate) reports: Cache<Arc<CompressedReport>>,
    pub(crate) mail: Cache<bool>,
    /// Reads in progress, by cache key.
    pub(crate) in_flight: Mutex<HashMap<String, WeakShared<BoxFuture<'static, Arc<SiteReport>>>>>,
}

impl ReaderState {
    pub(crate) fn new(settings: ReaderSettings, resolver: Arc<dyn Resolver>) -> Result<Self, SettingsError> {
        settings.check()?;
        let tag_manager = settings.tag_manager()?;
        Ok(Self {
            identity: settings.identity()?,
            guard: AddressGuard::new(Vec::new())
                .with_trusted(settings.trusted_addresses.clone())
                .with_localhost_at(settings.localhost_at),
            connector: Connector::new(&settings, Arc::clone(&resolver))?,
            pacing: pacing(&settings, tag_manager.as_ref()),
            tag_manager,
            tag_connection: Mutex::default(),
            sites: Semaphore::new(settings.global_concurrency.min(Semaphore::MAX_PERMITS)),
            stalls: StallDetector::new(settings.stall_min),
            memory: MemoryBudget::new(settings.memory_bytes_max - report_bytes(&settings)),
            container_memory: MemoryBudget::new(CONTAINER_FETCH_BYTES),
            page_budget: ReportBudget::new((settings.memory_bytes_max / REPORT_PAGES_DIVISOR).max(SITE_BYTES_MAX)),
            script_budget: ReportBudget::new(settings.memory_bytes_max / REPORT_SCRIPTS_DIVISOR),
            bodies: Semaphore::new(bodies_at_once(&settings)),
            robots: Cache::new(settings.cache_ttl, ROBOTS_CACHED_BYTES_MAX),
            containers: Cache::new(settings.cache_ttl, CONTAINERS_CACHED_BYTES_MAX),
            pages: Cache::new(settings.cache_ttl, PAGES_CACHED_BYTES_MAX),
            resolver,
            reports: Cache::new(settings.cache_ttl, settings.cache_bytes_max),
            mail: Cache::new(settings.cache_ttl, MAIL_DOMAINS_MAX),
            in_flight: Mutex::default(),
            settings,
        })
    }
}

/// The pacing these settings ask for.
fn pacing(settings: &ReaderSettings, tag_manager: Option<&Url>) -> Pacing {
    let mut pacing = Pacing::new(settings.host_gap);
    if let Some(url) = tag_manager {
        pacing = pacing.with_exception(site_of(url), TAG_MANAGER_GAP);
    }
    if settings.localhost_at.is_some() { pacing.with_localhost_gap(settings.localhost_gap) } else { pacing }
}

/// The part of the memory reserved for reports held by callers.
fn report_bytes(settings: &ReaderSettings) -> usize {
    settings.memory_bytes_max / REPORT_PAGES_DIVISOR + settings.memory_bytes_max / REPORT_SCRIPTS_DIVISOR
}

/// Bodies received at the same time.
fn bodies_at_once(settings: &ReaderSettings) -> usize {
    (settings.global_concurrency / SITES_PER_BODY).clamp(BODIES_AT_ONCE_MIN, Semaphore::MAX_PERMITS)
}
