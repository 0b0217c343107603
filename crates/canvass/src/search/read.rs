//! The line from listings to leads: sieved, read, assembled, in the order of the listings.
//!
//! Websites are read many at a time, each in a task of its own; the order in which they come out is the order in which
//! the listings went in, so that the same search gives the same leads in the same order.

use std::future::ready;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures::StreamExt;
use futures::stream::{self, BoxStream};
use polite_reader::{Freshness, Reader, SiteStatus};
use tokio::task::JoinHandle;

use super::coverage::LeftOut;
use super::sieve::Sieve;
use super::{Search, SearchSpec};
use crate::app::App;
use crate::db::DbError;
use crate::lead::{self, Found, Sighting};
use crate::listing::{Listing, Mark, Query, Trouble};
use crate::steps::Step;
use crate::website::{self, Hints};

/// Websites of one search that are read at the same time.
const AHEAD_SITES_MAX: usize = 128;
/// Listings asked about at once when those already owned are skipped.
const OWNED_CHUNK_LISTINGS: usize = 64;

/// A listing that is done with.
#[derive(Debug)]
pub(super) struct Settled {
    pub(super) outcome: Outcome,
    pub(super) site: SiteSeen,
}

#[derive(Debug)]
pub(super) enum Outcome {
    LeftOut(LeftOut),
    Found(Box<Found>, Vec<Mark>),
}

/// What became of the website.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SiteSeen {
    None,
    Read,
    Unreachable,
}

/// Why the line cannot go on.
#[derive(Debug)]
pub(super) enum Halt {
    Source(Trouble),
    Db(DbError),
}

/// A listing on its way.
enum Judged {
    Left(LeftOut),
    Passed(Box<Listing>, Vec<Mark>),
}

/// What settling a listing takes.
struct Desk {
    app: App,
    reader: Reader,
    query: Query,
    wants_email: bool,
}

type Line<T> = BoxStream<'static, Result<T, Halt>>;

/// The settled listings of a search, from where it left off.
pub(super) fn line(app: &App, reader: &Reader, search: &Search, spec: &SearchSpec) -> Line<Settled> {
    let mut judged = sieved(app, search, &spec.query);
    if search.request.filters.skips_owned() {
        judged = not_owned(app, search, judged);
    }
    let wants_email = search.request.filters.wants_email();
    let missing = usize::try_from(search.requested - search.leads_found).unwrap_or(0);
    // Reading more sites than are wanted would be a burden to their owners for nothing.
    let (judged, ahead) = match wants_email {
        true => (judged, missing * 2 + 8),
        false => (first_passing(judged, missing), missing.max(1)),
    };
    let desk = Arc::new(Desk { app: app.clone(), reader: reader.clone(), query: spec.query.clone(), wants_email });
    judged.map(move |item| settle(&desk, item)).buffered(ahead.min(AHEAD_SITES_MAX)).boxed()
}

fn sieved(app: &App, search: &Search, query: &Query) -> Line<Judged> {
    let mut sieve = Sieve::new(search.request.filters);
    let (steps, mut position, settled) = (app.steps.clone(), 0, search.position);
    let tries = u32::try_from(search.troubles).unwrap_or(u32::MAX);
    let listings = app.listings.open(query, tries);
    let judged = listings.filter_map(move |listing| {
        let judged = listing.map_err(Halt::Source).map(|listing| {
            position += 1;
            if position == 1 {
                steps.reach(Step::Listed);
            }
            let verdict = sieve.judge(&listing);
            // What an earlier worker settled only fills the sieve again.
            (position > settled).then_some(match verdict {
                Ok(marks) => Judged::Passed(Box::new(listing), marks),
                Err(why) => Judged::Left(why),
            })
        });
        ready(judged.transpose())
    });
    judged.boxed()
}

/// Leaves out what the account has from other searches.
fn not_owned(app: &App, search: &Search, judged: Line<Judged>) -> Line<Judged> {
    let (app, by) = (app.clone(), lead::store::Belongs { account: search.account, search: search.id });
    let checked = judged.ready_chunks(OWNED_CHUNK_LISTINGS).then(move |chunk| {
        let app = app.clone();
        async move {
            let marks = chunk.iter().flatten().flat_map(|item| match item {
                Judged::Passed(_, marks) => marks.clone(),
                Judged::Left(_) => Vec::new(),
            });
            let marks: Vec<Mark> = marks.collect();
            match lead::store::owned(&app.db, by, &marks).await {
                Ok(owned) => chunk.into_iter().map(|item| item.map(|item| unless_owned(item, &owned))).collect(),
                Err(error) => vec![Err(Halt::Db(error))],
            }
        }
    });
    checked.flat_map(stream::iter).boxed()
}

fn unless_owned(item: Judged, owned: &[Mark]) -> Judged {
    match item {
        Judged::Passed(_, marks) if marks.iter().any(|mark| owned.contains(mark)) => Judged::Left(LeftOut::Owned),
        item => item,
    }
}

/// Ends the line behind the last listing that is needed.
fn first_passing(judged: Line<Judged>, count: usize) -> Line<Judged> {
    let counted = judged.scan(count, |missing, item| {
        if *missing == 0 {
            return ready(None);
        }
        *missing -= usize::from(matches!(item, Ok(Judged::Passed(..))));
        ready(Some(item))
    });
    counted.boxed()
}

/// Settles one listing, in a task of its own when there is something to read.
fn settle(desk: &Arc<Desk>, item: Result<Judged, Halt>) -> Settling {
    Settling(match item {
        Err(halt) => Work::Known(Some(Err(halt))),
        Ok(Judged::Left(why)) => {
            Work::Known(Some(Ok(Settled { outcome: Outcome::LeftOut(why), site: SiteSeen::None })))
        }
        Ok(Judged::Passed(listing, marks)) => Work::Task(tokio::spawn(read(desk.clone(), listing, marks))),
    })
}

/// Reads a listing's website and puts the lead together. A site that this machine failed to read is not settled: the
/// search stops before it and goes on from there later, so that nobody pays for what our own fault made of a lead.
async fn read(desk: Arc<Desk>, listing: Box<Listing>, marks: Vec<Mark>) -> Result<Settled, Halt> {
    let app = &desk.app;
    let website = match &listing.website {
        Some(url) if app.settings.read_websites => {
            if let Some(sandbox) = &app.sandbox {
                // So that its sites show the age it has now.
                sandbox.age(&app.db).await;
            }
            let hints = Hints { region: listing.address.country.as_deref(), name: Some(&listing.name) };
            Some(website::read(&desk.reader, url, hints, Freshness::Cached).await)
        }
        _ => None,
    };
    if let Some(website) = website.as_ref().filter(|website| website.interrupted) {
        let why = website.detail.clone().unwrap_or_default();
        return Err(Halt::Source(Trouble::Passing(format!("websites cannot be read: {why}"))));
    }
    let site = match website.as_ref().map(|website| website.status) {
        None | Some(SiteStatus::None | SiteStatus::SocialOnly) => SiteSeen::None,
        Some(SiteStatus::Ok | SiteStatus::Parked) => SiteSeen::Read,
        Some(_) => SiteSeen::Unreachable,
    };
    let sighting = Sighting { listing: *listing, website, seen_at: app.clock.now() };
    let found = lead::assemble(sighting, desk.query.category, app.listings.about(), &app.settings.score);
    let outcome = match found {
        found if desk.wants_email && found.lead.emails.is_empty() => Outcome::LeftOut(LeftOut::Email),
        found => Outcome::Found(Box::new(found), marks),
    };
    Ok(Settled { outcome, site })
}

/// A listing that is being settled. Dropped, its task ends too.
struct Settling(Work);

enum Work {
    Known(Option<Result<Settled, Halt>>),
    Task(JoinHandle<Result<Settled, Halt>>),
}

impl Future for Settling {
    type Output = Result<Settled, Halt>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut self.0 {
            Work::Known(settled) => Poll::Ready(settled.take().expect("a future is not asked again once it is done")),
            Work::Task(task) => Pin::new(task).poll(context).map(|done| match done {
                Ok(settled) => settled,
                Err(error) => match error.try_into_panic() {
                    Ok(panic) => std::panic::resume_unwind(panic),
                    Err(_) => Err(Halt::Source(Trouble::Passing("the process is stopping".into()))),
                },
            }),
        }
    }
}

impl Drop for Settling {
    fn drop(&mut self) {
        if let Work::Task(task) = &self.0 {
            task.abort();
        }
    }
}
