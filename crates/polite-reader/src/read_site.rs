//! Reads one site: finds the home page, chooses further pages by its links, and fetches them one after the other. What has
//! been read by the deadline is kept.

use tokio::time::{Instant, sleep, timeout, timeout_at};
use url::Url;

use crate::compressed::{CompressedPage, CompressedReport};
use crate::domain::site_of;
use crate::fetch::ResourceKind;
use crate::fetch_error::FetchError;
use crate::home_page::{HomePage, find_home_page};
use crate::limits::{LOCAL_FAULT_REREADS_MAX, QUEUE_DEADLINE, RETRY_PAUSE};
use crate::memory::SiteShare;
use crate::page_choice::PageChoice;
use crate::parked::{Placeholder, placeholder};
use crate::reader_state::ReaderState;
use crate::report::{FetchedPage, Freshness, PageKind, SiteReport, SiteStatus, shortened};
use crate::tag_manager::{add_container_ids, fetch_container};
use crate::visit::Visit;

/// When pages are delivered to the caller.
pub(crate) enum Delivery<'s> {
    /// All together in the report.
    Together,
    /// Each as it arrives; the report has none.
    PageByPage(&'s mut (dyn FnMut(FetchedPage) + Send)),
}

/// Everything read so far; survives the deadline.
struct SiteReadState<'s> {
    delivery: Delivery<'s>,
    freshness: Freshness,
    /// Containers loaded by pages that were already delivered.
    containers: Vec<String>,
    status: SiteStatus,
    url: String,
    pages: Vec<CompressedPage>,
    complete: bool,
    /// Whether an error occurred that may not occur another time.
    transient: bool,
    /// Whether an error was caused by this machine.
    local_fault: bool,
    detail: Option<String>,
}

/// The result of reading a site: the report for the caller, and the one for the cache.
pub(crate) struct SiteRead {
    pub(crate) report: SiteReport,
    pub(crate) cacheable: CompressedReport,
    /// Whether the site should be read again because this machine was at fault.
    local_fault: bool,
    /// Whether it should be read again with more memory, because what was reserved did not suffice and no more was free.
    fell_short: bool,
}

/// What is read, and how.
#[derive(Clone, Copy)]
struct Assignment<'u> {
    start_urls: &'u [Url],
    freshness: Freshness,
    share: SiteShare,
}

/// Reads a site from its start URLs. A read that failed because this process was suspended or out of sockets or memory says
/// nothing about the site, and is repeated.
pub(crate) async fn read_site(
    inner: &ReaderState,
    start_urls: &[Url],
    freshness: Freshness,
    mut delivery: Delivery<'_>,
) -> SiteRead {
    let started = Instant::now();
    let mut rereads = 0;
    let mut assignment = Assignment { start_urls, freshness, share: SiteShare::Usual };
    let mut read = loop {
        let stall = inner.stalls.watch();
        let mut read = read_once(inner, assignment, delivery.reborrow()).await;
        read.local_fault |= stall.has_stalled() && read.may_be_affected();
        // Pages already delivered one by one cannot be taken back.
        let is_final = !(read.local_fault || read.fell_short) || matches!(delivery, Delivery::PageByPage(_));
        if is_final || rereads == LOCAL_FAULT_REREADS_MAX {
            break read;
        }
        if read.fell_short {
            assignment.share = assignment.share.larger();
        }
        tracing::debug!(
            site.url = read.report.url,
            "reading a site again: this process was stalled or short of memory"
        );
        drop(read);
        sleep(RETRY_PAUSE * rereads).await;
        rereads += 1;
    };
    if read.local_fault {
        read.mark_interrupted();
    }
    for detail in [&mut read.report.detail, &mut read.cacheable.outline.detail] {
        *detail = detail.take().map(shortened);
    }
    read.report.took = started.elapsed();
    read.cacheable.outline.took = read.report.took;
    read
}

impl SiteRead {
    /// Whether a stall may be the cause of the result.
    fn may_be_affected(&self) -> bool {
        match self.report.status {
            SiteStatus::Ok | SiteStatus::Parked => !self.report.complete,
            SiteStatus::Timeout | SiteStatus::Error | SiteStatus::Dead => true,
            SiteStatus::Robots | SiteStatus::Blocked => self.cacheable.transient,
            SiteStatus::None | SiteStatus::SocialOnly => false,
        }
    }

    fn mark_interrupted(&mut self) {
        self.cacheable.transient = true;
        self.report.interrupted = true;
        if self.report.pages.is_empty() {
            self.report.status = SiteStatus::Error;
        }
        let why = self.report.detail.take().unwrap_or_default();
        self.report.detail =
            Some(format!("this machine was suspended or out of resources while reading the site: {why}"));
    }
}

impl Delivery<'_> {
    fn reborrow(&mut self) -> Delivery<'_> {
        match self {
            Delivery::Together => Delivery::Together,
            Delivery::PageByPage(sink) => Delivery::PageByPage(&mut **sink),
        }
    }
}

async fn read_once(inner: &ReaderState, assignment: Assignment<'_>, delivery: Delivery<'_>) -> SiteRead {
    let Assignment { start_urls, freshness, share } = assignment;
    let Some((first, others)) = start_urls.split_first() else {
        return nothing(SiteStatus::None, "", None);
    };
    let mut state = SiteReadState::new(first, freshness, delivery);
    // The order is: queue at the host, a global slot, memory, the host's slot. A site that waits for a busy host takes no
    // global slot from others, and one that holds a host's slot never waits for a global one.
    let Ok(_in_line) = timeout(QUEUE_DEADLINE, inner.pacing.queue(site_of(first))).await else {
        return not_read(first, "too many pages of this host were requested at once");
    };
    let place = inner.sites.acquire().await;
    let (Ok(_place), Some(reservation)) = (place, inner.memory.reserve(share).await) else {
        return not_read(first, "the reader is closing");
    };
    let slot = inner.pacing.slot(site_of(first)).await;
    let mut visit = Visit::new(inner, reservation, Some(slot)).starting_at(start_urls);
    let deadline = visit.deadline();
    let in_time = timeout_at(deadline, state.read_pages(&mut visit, first, others)).await.is_ok();
    visit.leave();
    if !in_time {
        state.transient = true;
        state.complete = false;
        if !state.pages.is_empty() {
            state.detail = Some(format!("time ran out after {} pages", state.pages.len()));
        }
    }
    let reservation = visit.into_reservation();
    let local_fault = state.local_fault;
    let (report, cacheable) = state.finish(inner).await;
    let fell_short = reservation.fell_short();
    drop(reservation);
    SiteRead { report, cacheable, local_fault, fell_short }
}

fn nothing(status: SiteStatus, url: &str, detail: Option<String>) -> SiteRead {
    let report = SiteReport::without_pages(status, url, detail);
    SiteRead {
        cacheable: CompressedReport::without_pages(report.clone()),
        report,
        local_fault: false,
        fell_short: false,
    }
}

/// The result for a site that was not contacted.
fn not_read(url: &Url, detail: &str) -> SiteRead {
    let mut read = nothing(SiteStatus::Error, url.as_str(), Some(detail.to_owned()));
    read.report.interrupted = true;
    read
}

impl<'s> SiteReadState<'s> {
    fn new(first: &Url, freshness: Freshness, delivery: Delivery<'s>) -> Self {
        Self {
            delivery,
            freshness,
            containers: Vec::new(),
            status: SiteStatus::Timeout,
            url: first.to_string(),
            pages: Vec::new(),
            complete: false,
            transient: false,
            local_fault: false,
            detail: Some("the site did not answer in time".to_owned()),
        }
    }

    /// Records an error that makes the report incomplete.
    fn record_error(&mut self, failure: &FetchError, what: &str) {
        self.complete = false;
        self.transient |= failure.is_transient();
        self.local_fault |= failure.is_local();
        self.detail = Some(format!("{what}: {failure}"));
    }

    async fn read_pages(&mut self, visit: &mut Visit<'_>, first: &Url, others: &[Url]) {
        let home = match find_home_page(visit, first, others).await {
            Ok(home) => home,
            Err((url, failure)) => {
                self.status = failure.site_status();
                self.transient = failure.is_transient();
                self.local_fault = failure.is_local();
                self.detail = Some(failure.to_string());
                self.url = match failure {
                    FetchError::RedirectToSocial(_, target) => target.into(),
                    _ => url.into(),
                };
                return;
            }
        };
        let HomePage { fetched, plain } = home;
        self.url = fetched.url.to_string();
        self.detail = None;
        self.status = match placeholder(&fetched.url, &plain.body) {
            Some(Placeholder::Parked) => SiteStatus::Parked,
            Some(Placeholder::Challenge) => SiteStatus::Blocked,
            None => SiteStatus::Ok,
        };
        if self.status == SiteStatus::Blocked {
            self.detail = Some("the site shows a test for humans".to_owned());
            return;
        }
        if self.status == SiteStatus::Parked {
            self.detail = Some("a placeholder stands where the website should be".to_owned());
        }
        self.complete = true;
        let mut choices = Vec::new();
        if self.status == SiteStatus::Ok {
            let chosen = visit.choose(&plain.body, &fetched.url);
            if chosen.is_cut {
                self.record_error(&FetchError::NoRoomForLinks, "further pages");
            }
            choices = chosen.pages;
        }
        let plain = Some(plain).filter(|plain| visit.try_take_spare(plain.body.len()));
        self.keep(visit, CompressedPage { plain, ..fetched.keep(PageKind::Home) });
        self.read_choices(visit, choices).await;
    }

    /// Reads the chosen pages. Those that could not be connected to are retried once, after all others.
    async fn read_choices(&mut self, visit: &mut Visit<'_>, choices: Vec<PageChoice>) {
        let mut unconnected = Vec::new();
        for choice in choices {
            match self.read_choice(visit, &choice).await {
                Err(failure) if failure.is_connection_error() => unconnected.push((choice, failure)),
                Err(failure) => self.record_error(&failure, choice.url.path()),
                Ok(()) => {}
            }
        }
        let again = !unconnected.is_empty() && visit.pause_before_retry().await;
        for (choice, failure) in unconnected {
            let outcome = if again { self.read_choice(visit, &choice).await } else { Err(failure) };
            if let Err(failure) = outcome {
                self.record_error(&failure, choice.url.path());
            }
        }
    }

    async fn read_choice(&mut self, visit: &mut Visit<'_>, choice: &PageChoice) -> Result<(), FetchError> {
        if let Some(known) = self.known_page(visit, choice) {
            self.keep(visit, known);
            return Ok(());
        }
        match visit.fetch(&choice.url, ResourceKind::Page).await {
            Ok(fetched) => {
                let page = fetched.keep(choice.kind);
                if page.body.is_whole() {
                    visit.inner.pages.put(choice.url.as_str(), page.clone(), page.weight_bytes());
                }
                self.keep(visit, page);
                Ok(())
            }
            // A page that does not exist or is disallowed is not missing from the site.
            Err(
                FetchError::Status(404 | 410)
                | FetchError::Disallowed(_)
                | FetchError::NotHtml(_)
                | FetchError::RedirectToSocial(..),
            ) => Ok(()),
            Err(failure) => Err(failure),
        }
    }

    /// A page that another read of this host has cached.
    fn known_page(&self, visit: &Visit<'_>, choice: &PageChoice) -> Option<CompressedPage> {
        let known = visit.inner.pages.get(choice.url.as_str()).filter(|_| self.freshness == Freshness::Cached);
        known.map(|page| CompressedPage { kind: choice.kind, ..page })
    }

    /// Adds a page, unless two links led to the same one.
    fn keep(&mut self, visit: &mut Visit<'_>, page: CompressedPage) {
        let known = self.pages.iter().any(|other| other.url == page.url);
        if known || page.body.len() == 0 {
            return;
        }
        self.transient |= !page.body.is_repeatable();
        let Delivery::PageByPage(sink) = &mut self.delivery else { return self.pages.push(page) };
        match page.decompress() {
            Ok(open) => {
                self.complete &= !open.cut;
                if visit.inner.tag_manager.is_some() {
                    add_container_ids(&mut self.containers, &open.body);
                }
                sink(open);
            }
            Err(failure) => {
                self.complete = false;
                self.detail = Some(format!("{}: {failure}", page.url));
            }
        }
        visit.release(page.weight_bytes());
        self.pages.push(page.without_body());
    }

    /// Decompresses the pages and fetches the containers they load.
    async fn finish(mut self, inner: &ReaderState) -> (SiteReport, CompressedReport) {
        let Self { status, url, complete, detail, .. } = &self;
        let outline = SiteReport { complete: *complete, ..SiteReport::without_pages(*status, url, detail.clone()) };
        let mut cacheable = CompressedReport { transient: self.transient, ..CompressedReport::without_pages(outline) };
        if matches!(self.delivery, Delivery::Together) {
            cacheable.pages = std::mem::take(&mut self.pages);
        }
        let mut report = cacheable.decompress(&inner.page_budget, &inner.script_budget).await;
        for page in report.pages.iter().filter(|_| inner.tag_manager.is_some()) {
            add_container_ids(&mut self.containers, &page.body);
        }
        if report.status == SiteStatus::Ok {
            self.add_containers(inner, &mut report, &mut cacheable).await;
        }
        (report, cacheable)
    }

    async fn add_containers(&mut self, inner: &ReaderState, report: &mut SiteReport, cacheable: &mut CompressedReport) {
        for id in &self.containers {
            let script = match fetch_container(inner, id).await {
                Ok(Some(script)) => script,
                Ok(None) => continue,
                Err(reason) => {
                    cacheable.transient = true;
                    cacheable.outline.complete = false;
                    cacheable.outline.detail = Some(format!("container {id}: {reason}"));
                    report.complete = false;
                    report.detail.clone_from(&cacheable.outline.detail);
                    continue;
                }
            };
            cacheable.scripts.push(script);
        }
        match &mut self.delivery {
            Delivery::Together => report.add_decompressed(&cacheable.scripts, &inner.script_budget).await,
            Delivery::PageByPage(sink) => cacheable.scripts.iter().for_each(|script| match script.decompress() {
                Ok(open) => sink(open),
                failed => report.add(failed, &script.url),
            }),
        }
    }
}
