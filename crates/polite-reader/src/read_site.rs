//! Reads one site: finds the way in, reads the first page, chooses further pages by its links and
//! fetches them one after the other. What has been read by the deadline is kept.

use tokio::time::{Instant, timeout_at};
use url::Url;

use crate::exchange::Want;
use crate::failure::Failure;
use crate::links::{resolve, scan};
use crate::marks::{Mark, mark};
use crate::page_choice::{Choice, choose};
use crate::reader::Inner;
use crate::report::{FetchedPage, PageKind, SiteReport, SiteStatus};
use crate::site_address::{site_of, www_sibling};
use crate::tag_manager::{container_ids, fetch_container};
use crate::visit::{Fetched, Visit};

/// What has been gathered so far; it outlives the deadline.
struct Gathering {
    status: SiteStatus,
    url: String,
    pages: Vec<FetchedPage>,
    complete: bool,
    detail: Option<String>,
}

/// Reads a site by the ways its listing gives.
pub(crate) async fn read_site(inner: &Inner, ways: &[Url]) -> SiteReport {
    let started = Instant::now();
    let Some((first, others)) = ways.split_first() else {
        return SiteReport::without_pages(SiteStatus::None, "", None);
    };
    let mut gathering = Gathering {
        status: SiteStatus::Timeout,
        url: first.to_string(),
        pages: Vec::new(),
        complete: false,
        detail: Some("the site did not answer in time".to_owned()),
    };
    // First in line at the host, then a place among all, then room, and last the turn. So who waits for
    // a busy host takes no place from others, and who has a host's turn never waits for a place.
    let _in_line = inner.pacing.line_up(site_of(first)).await;
    let place = inner.sites.acquire().await;
    let (Ok(_place), Some(hold)) = (place, inner.memory.reserve().await) else {
        return SiteReport::without_pages(SiteStatus::Error, first.as_str(), Some("the reader is closing".to_owned()));
    };
    let turn = inner.pacing.turn(site_of(first)).await;
    let mut visit = Visit::new(inner, hold, Some(turn));
    let deadline = visit.deadline();
    let in_time = timeout_at(deadline, gathering.gather(&mut visit, first, others)).await.is_ok();
    visit.leave();
    if !in_time && !gathering.pages.is_empty() {
        gathering.complete = false;
        gathering.detail = Some(format!("time ran out after {} pages", gathering.pages.len()));
    }
    drop(visit);
    let mut report = gathering.into_report();
    add_scripts(inner, &mut report).await;
    report.took = started.elapsed();
    report
}

impl Gathering {
    async fn gather(&mut self, visit: &mut Visit<'_>, first: &Url, others: &[Url]) {
        let home = match find_home(visit, first, others).await {
            Ok(home) => home,
            Err((url, failure)) => {
                self.status = failure.site_status();
                self.detail = Some(failure.to_string());
                self.url = match failure {
                    Failure::RedirectToSocial(_, target) => target.into(),
                    _ => url.into(),
                };
                return;
            }
        };
        self.url = home.url.to_string();
        self.detail = None;
        self.status = match mark(&home.url, &home.answer.body) {
            Some(Mark::Parked) => SiteStatus::Parked,
            Some(Mark::Challenge) => SiteStatus::Blocked,
            None => SiteStatus::Ok,
        };
        if self.status == SiteStatus::Blocked {
            self.detail = Some("the site shows a test for humans".to_owned());
            return;
        }
        let choices = match self.status {
            SiteStatus::Ok => choose(&scan(&home.answer.body), &home.url, visit.pages_max() - 1),
            _ => Vec::new(),
        };
        self.complete = !home.answer.cut;
        self.pages.push(page(home, PageKind::Home));
        self.read_choices(visit, choices).await;
    }

    async fn read_choices(&mut self, visit: &mut Visit<'_>, choices: Vec<Choice>) {
        for choice in choices {
            match visit.fetch(&choice.url, Want::Page).await {
                Ok(fetched) => self.add(fetched, choice.kind),
                // What does not exist or may not be read is not missing from the site.
                Err(
                    Failure::Status(404 | 410)
                    | Failure::Disallowed(_)
                    | Failure::NotHtml(_)
                    | Failure::RedirectToSocial(..),
                ) => {}
                Err(failure) => {
                    self.complete = false;
                    self.detail = Some(format!("{}: {failure}", choice.url.path()));
                }
            }
        }
    }

    fn add(&mut self, fetched: Fetched, kind: PageKind) {
        let known = self.pages.iter().any(|page| page.url == fetched.url.as_str());
        if known || fetched.answer.body.is_empty() {
            return;
        }
        self.complete &= !fetched.answer.cut;
        self.pages.push(page(fetched, kind));
    }

    fn into_report(self) -> SiteReport {
        let Self { status, url, pages, complete, detail } = self;
        SiteReport { pages, complete, ..SiteReport::without_pages(status, &url, detail) }
    }
}

fn page(fetched: Fetched, kind: PageKind) -> FetchedPage {
    let answer = fetched.answer;
    FetchedPage { url: fetched.url.into(), content_type: answer.content_type, body: answer.body, cut: answer.cut, kind }
}

/// Tries the ways to a site until one leads to a page, and goes through a page that only sends on.
async fn find_home(visit: &mut Visit<'_>, first: &Url, others: &[Url]) -> Result<Fetched, (Url, Failure)> {
    let mut trouble = match try_way(visit, first).await {
        Err(failure) if failure.leaves_other_ways() => failure,
        outcome => return outcome.map_err(|failure| (first.clone(), failure)),
    };
    let other_host_helps = matches!(trouble, Failure::NoSuchName(_) | Failure::Unreachable | Failure::Tls(_));
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

async fn try_way(visit: &mut Visit<'_>, way: &Url) -> Result<Fetched, Failure> {
    let fetched = visit.fetch(way, Want::Page).await?;
    if fetched.answer.body.trim_ascii().is_empty() {
        return Err(Failure::Empty);
    }
    Ok(go_through(visit, fetched).await)
}

/// Follows a page that is nothing but a quick refresh to another.
async fn go_through(visit: &mut Visit<'_>, fetched: Fetched) -> Fetched {
    let found = scan(&fetched.answer.body);
    let target = found.refresh.filter(|_| found.links.len() < 5).and_then(|href| resolve(&fetched.url, href));
    match target.filter(|target| *target != fetched.url) {
        Some(target) => visit.fetch(&target, Want::Page).await.unwrap_or(fetched),
        None => fetched,
    }
}

async fn add_scripts(inner: &Inner, report: &mut SiteReport) {
    if inner.tag_manager.is_none() || report.status != SiteStatus::Ok {
        return;
    }
    for id in container_ids(report.pages.iter().map(|page| &page.body)) {
        match fetch_container(inner, &id).await {
            Ok(script) => report.scripts.push(script),
            Err(reason) => {
                report.complete = false;
                report.detail = Some(format!("container {id}: {reason}"));
            }
        }
    }
}
