//! Reads one site: finds the way in, reads the first page, chooses further pages by its links and
//! fetches them one after the other. What has been read by the deadline is kept.

use tokio::time::{Instant, sleep, timeout, timeout_at};
use url::Url;

use crate::decode::Decoded;
use crate::exchange::Want;
use crate::failure::Failure;
use crate::kept::{KeptPage, KeptReport};
use crate::limits::{LINE_DEADLINE, LOCAL_FAULT_REREADS_MAX, RETRY_PAUSE};
use crate::links::{resolve, scan, script_target};
use crate::marks::{Mark, mark};
use crate::page_choice::{Choice, choose};
use crate::reader::{Freshness, Inner};
use crate::report::{FetchedPage, PageKind, SiteReport, SiteStatus, shortened};
use crate::site_address::{site_of, www_sibling};
use crate::tag_manager::{add_container_ids, fetch_container};
use crate::visit::{Fetched, Visit};

/// Bytes and links a page may have and still count as one that only sends on.
const REFRESH_BYTES_MAX: usize = 16 * 1024;
const REFRESH_LINKS_MAX: usize = 5;

/// When pages are handed out.
pub(crate) enum Delivery<'s> {
    /// All together in the report.
    Together,
    /// Each as it comes in, and the report has none.
    PageByPage(&'s mut (dyn FnMut(FetchedPage) + Send)),
}

/// What has been gathered so far; it outlives the deadline.
struct Gathering<'s> {
    delivery: Delivery<'s>,
    freshness: Freshness,
    /// Containers that pages handed out before load.
    containers: Vec<String>,
    status: SiteStatus,
    url: String,
    pages: Vec<KeptPage>,
    complete: bool,
    /// Whether something failed that may succeed another time.
    transient: bool,
    /// Whether something failed through the fault of this machine.
    local_fault: bool,
    detail: Option<String>,
}

/// The first page, which is opened at once for its links.
struct Home {
    fetched: Fetched,
    plain: Decoded,
}

/// What one read of a site brought: the report to hand out, and the one to keep.
pub(crate) struct SiteRead {
    pub(crate) report: SiteReport,
    pub(crate) kept: KeptReport,
    /// Whether the site should be read again because this machine was at fault.
    local_fault: bool,
}

/// Reads a site by the ways its listing gives. A read that failed because this machine stood still, or had no socket to
/// spare, says nothing about the site, and is done again.
pub(crate) async fn read_site(
    inner: &Inner,
    ways: &[Url],
    freshness: Freshness,
    mut delivery: Delivery<'_>,
) -> SiteRead {
    let started = Instant::now();
    let mut rereads = 0;
    let mut read = loop {
        let stall = inner.stalls.watch();
        let mut read = read_once(inner, ways, freshness, delivery.reborrow()).await;
        read.local_fault |= stall.has_stalled() && read.may_have_suffered();
        // Pages that were handed out one by one cannot be taken back.
        let is_final = !read.local_fault || matches!(delivery, Delivery::PageByPage(_));
        if is_final || rereads == LOCAL_FAULT_REREADS_MAX {
            break read;
        }
        tracing::debug!(site.url = read.report.url, "reading a site again: this process stood still meanwhile");
        drop(read);
        sleep(RETRY_PAUSE * rereads).await;
        rereads += 1;
    };
    if read.local_fault {
        read.blame_this_machine();
    }
    for detail in [&mut read.report.detail, &mut read.kept.outline.detail] {
        *detail = detail.take().map(shortened);
    }
    read.report.took = started.elapsed();
    read.kept.outline.took = read.report.took;
    read
}

impl SiteRead {
    /// Whether a stall may be why the report is as it is.
    fn may_have_suffered(&self) -> bool {
        match self.report.status {
            SiteStatus::Ok | SiteStatus::Parked => !self.report.complete,
            SiteStatus::Timeout | SiteStatus::Error | SiteStatus::Dead => true,
            SiteStatus::Robots | SiteStatus::Blocked => self.kept.transient,
            SiteStatus::None | SiteStatus::SocialOnly => false,
        }
    }

    fn blame_this_machine(&mut self) {
        self.kept.transient = true;
        self.report.interrupted = true;
        if self.report.pages.is_empty() {
            self.report.status = SiteStatus::Error;
        }
        let why = self.report.detail.take().unwrap_or_default();
        self.report.detail =
            Some(format!("this machine was suspended or out of resources while it read the site: {why}"));
    }
}

impl Delivery<'_> {
    /// The same for a shorter time.
    fn reborrow(&mut self) -> Delivery<'_> {
        match self {
            Delivery::Together => Delivery::Together,
            Delivery::PageByPage(sink) => Delivery::PageByPage(&mut **sink),
        }
    }
}

async fn read_once(inner: &Inner, ways: &[Url], freshness: Freshness, delivery: Delivery<'_>) -> SiteRead {
    let Some((first, others)) = ways.split_first() else {
        return nothing(SiteStatus::None, "", None);
    };
    let mut gathering = Gathering::new(first, freshness, delivery);
    // First in line at the host, then a place among all, then room, and last the turn. So who waits for
    // a busy host takes no place from others, and who has a host's turn never waits for a place.
    let Ok(_in_line) = timeout(LINE_DEADLINE, inner.pacing.line_up(site_of(first))).await else {
        return not_read(first, "too many pages of this host were wanted at once");
    };
    let place = inner.sites.acquire().await;
    let (Ok(_place), Some(hold)) = (place, inner.memory.reserve().await) else {
        return not_read(first, "the reader is closing");
    };
    let turn = inner.pacing.turn(site_of(first)).await;
    let mut visit = Visit::new(inner, hold, Some(turn));
    let deadline = visit.deadline();
    let in_time = timeout_at(deadline, gathering.gather(&mut visit, first, others)).await.is_ok();
    visit.leave();
    if !in_time {
        gathering.transient = true;
        gathering.complete = false;
        if !gathering.pages.is_empty() {
            gathering.detail = Some(format!("time ran out after {} pages", gathering.pages.len()));
        }
    }
    let hold = visit.into_hold();
    let local_fault = gathering.local_fault;
    let (report, kept) = gathering.finish(inner).await;
    drop(hold);
    SiteRead { report, kept, local_fault }
}

fn nothing(status: SiteStatus, url: &str, detail: Option<String>) -> SiteRead {
    let report = SiteReport::without_pages(status, url, detail);
    SiteRead { kept: KeptReport::without_pages(report.clone()), report, local_fault: false }
}

/// A site that was not even asked.
fn not_read(url: &Url, detail: &str) -> SiteRead {
    let mut read = nothing(SiteStatus::Error, url.as_str(), Some(detail.to_owned()));
    read.report.interrupted = true;
    read
}

impl<'s> Gathering<'s> {
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

    /// Takes note of a failure that makes the report incomplete.
    fn miss(&mut self, failure: &Failure, what: &str) {
        self.complete = false;
        self.transient |= failure.is_transient();
        self.local_fault |= failure.is_local();
        self.detail = Some(format!("{what}: {failure}"));
    }

    async fn gather(&mut self, visit: &mut Visit<'_>, first: &Url, others: &[Url]) {
        let home = match find_home(visit, first, others).await {
            Ok(home) => home,
            Err((url, failure)) => {
                self.status = failure.site_status();
                self.transient = failure.is_transient();
                self.local_fault = failure.is_local();
                self.detail = Some(failure.to_string());
                self.url = match failure {
                    Failure::RedirectToSocial(_, target) => target.into(),
                    _ => url.into(),
                };
                return;
            }
        };
        let Home { fetched, plain } = home;
        self.url = fetched.url.to_string();
        self.detail = None;
        self.status = match mark(&fetched.url, &plain.body) {
            Some(Mark::Parked) => SiteStatus::Parked,
            Some(Mark::Challenge) => SiteStatus::Blocked,
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
            let count = visit.pages_max() - 1;
            match visit.with_room_for_links(|room| choose(&scan(&plain.body), &fetched.url, count, room)) {
                Some(chosen) => choices = chosen,
                None => self.miss(&Failure::NoRoomForLinks, "further pages"),
            }
        }
        let opened = Some(plain).filter(|plain| visit.affords(plain.body.len()));
        self.keep(visit, KeptPage { opened, ..fetched.keep(PageKind::Home) });
        self.read_choices(visit, choices).await;
    }

    /// Reads the chosen pages. Those to which no connection came about are tried once more, after all others.
    async fn read_choices(&mut self, visit: &mut Visit<'_>, choices: Vec<Choice>) {
        let mut unconnected = Vec::new();
        for choice in choices {
            match self.read_choice(visit, &choice).await {
                Err(failure) if failure.is_connection_trouble() => unconnected.push((choice, failure)),
                Err(failure) => self.miss(&failure, choice.url.path()),
                Ok(()) => {}
            }
        }
        let again = !unconnected.is_empty() && visit.pause_before_retry().await;
        for (choice, failure) in unconnected {
            let outcome = if again { self.read_choice(visit, &choice).await } else { Err(failure) };
            if let Err(failure) = outcome {
                self.miss(&failure, choice.url.path());
            }
        }
    }

    async fn read_choice(&mut self, visit: &mut Visit<'_>, choice: &Choice) -> Result<(), Failure> {
        if let Some(known) = self.known_page(visit, choice) {
            self.keep(visit, known);
            return Ok(());
        }
        match visit.fetch(&choice.url, Want::Page).await {
            Ok(fetched) => {
                let page = fetched.keep(choice.kind);
                if page.body.is_whole() {
                    visit.inner.pages.put(choice.url.as_str(), page.clone(), page.weight_bytes());
                }
                self.keep(visit, page);
                Ok(())
            }
            // What does not exist or may not be read is not missing from the site.
            Err(
                Failure::Status(404 | 410)
                | Failure::Disallowed(_)
                | Failure::NotHtml(_)
                | Failure::RedirectToSocial(..),
            ) => Ok(()),
            Err(failure) => Err(failure),
        }
    }

    /// A page that another read of this host has brought home.
    fn known_page(&self, visit: &Visit<'_>, choice: &Choice) -> Option<KeptPage> {
        let known = visit.inner.pages.get(choice.url.as_str()).filter(|_| self.freshness == Freshness::Cached);
        known.map(|page| KeptPage { kind: choice.kind, ..page })
    }

    /// Takes a page in, unless two links led to the same.
    fn keep(&mut self, visit: &mut Visit<'_>, page: KeptPage) {
        let known = self.pages.iter().any(|other| other.url == page.url);
        if known || page.body.len() == 0 {
            return;
        }
        self.transient |= !page.body.is_repeatable();
        let Delivery::PageByPage(sink) = &mut self.delivery else { return self.pages.push(page) };
        match page.open() {
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
        visit.let_go(page.weight_bytes());
        self.pages.push(page.emptied());
    }

    /// Opens the pages, or what is left of them, and fetches the containers that they load.
    async fn finish(mut self, inner: &Inner) -> (SiteReport, KeptReport) {
        let Self { status, url, complete, detail, .. } = &self;
        let outline = SiteReport { complete: *complete, ..SiteReport::without_pages(*status, url, detail.clone()) };
        let mut kept = KeptReport { transient: self.transient, ..KeptReport::without_pages(outline) };
        if matches!(self.delivery, Delivery::Together) {
            kept.pages = std::mem::take(&mut self.pages);
        }
        let mut report = kept.lend(inner).await;
        for page in report.pages.iter().filter(|_| inner.tag_manager.is_some()) {
            add_container_ids(&mut self.containers, &page.body);
        }
        if report.status == SiteStatus::Ok {
            self.add_containers(inner, &mut report, &mut kept).await;
        }
        (report, kept)
    }

    async fn add_containers(&mut self, inner: &Inner, report: &mut SiteReport, kept: &mut KeptReport) {
        for id in &self.containers {
            let script = match fetch_container(inner, id).await {
                Ok(Some(script)) => script,
                Ok(None) => continue,
                Err(reason) => {
                    kept.transient = true;
                    kept.outline.complete = false;
                    kept.outline.detail = Some(format!("container {id}: {reason}"));
                    report.complete = false;
                    report.detail.clone_from(&kept.outline.detail);
                    continue;
                }
            };
            kept.scripts.push(script);
        }
        match &mut self.delivery {
            Delivery::Together => report.add_lent(&kept.scripts, &inner.lent_scripts).await,
            Delivery::PageByPage(sink) => kept.scripts.iter().for_each(|script| match script.open() {
                Ok(open) => sink(open),
                failed => report.add(failed, &script.url),
            }),
        }
    }
}

/// Tries the ways to a site until one leads to a page, and goes through a page that only sends on. Where no
/// connection came about, all ways are tried once more: servers refuse now and then.
async fn find_home(visit: &mut Visit<'_>, first: &Url, others: &[Url]) -> Result<Home, (Url, Failure)> {
    match try_ways(visit, first, others).await {
        Err((_, failure)) if failure.is_connection_trouble() && visit.pause_before_retry().await => {
            try_ways(visit, first, others).await
        }
        outcome => outcome,
    }
}

async fn try_ways(visit: &mut Visit<'_>, first: &Url, others: &[Url]) -> Result<Home, (Url, Failure)> {
    let mut trouble = match try_way(visit, first).await {
        Err(failure) if failure.leaves_other_ways() => failure,
        outcome => return outcome.map_err(|failure| (first.clone(), failure)),
    };
    let other_host_helps =
        matches!(trouble, Failure::NoSuchName(_) | Failure::Unreachable | Failure::Tls(_) | Failure::TlsBrokeOff);
    let siblings = std::iter::once(first).chain(others).filter_map(www_sibling).filter(|_| other_host_helps);
    for way in others.iter().cloned().chain(siblings) {
        match try_way(visit, &way).await {
            Ok(home) => return Ok(home),
            // A server that answered says more than one that did not.
            Err(failure) if !failure.leaves_other_ways() => return Err((way, failure)),
            // A certificate problem says more than a closed port.
            Err(failure @ Failure::Tls(_)) => trouble = failure,
            Err(_) => {}
        }
    }
    Err((first.clone(), trouble))
}

async fn try_way(visit: &mut Visit<'_>, way: &Url) -> Result<Home, Failure> {
    let home = Home::open(visit.fetch(way, Want::Page).await?)?;
    let Some(target) = home.sends_on_to() else { return Ok(home) };
    match visit.fetch(&target, Want::Page).await.and_then(Home::open) {
        Ok(next) => Ok(next),
        Err(_) => Ok(home),
    }
}

impl Home {
    fn open(fetched: Fetched) -> Result<Self, Failure> {
        let plain = fetched.answer.body.open()?;
        if plain.body.trim_ascii().is_empty() { Err(Failure::Empty) } else { Ok(Self { fetched, plain }) }
    }

    /// Where the page leads when it is nothing but a quick refresh to another.
    fn sends_on_to(&self) -> Option<Url> {
        if self.plain.body.len() > REFRESH_BYTES_MAX {
            return None;
        }
        let found = scan(&self.plain.body);
        if found.links.len() >= REFRESH_LINKS_MAX {
            return None;
        }
        let target = resolve(&self.fetched.url, found.refresh.or_else(|| script_target(&self.plain.body))?)?;
        (target != self.fetched.url).then_some(target)
    }
}
