//! The line from listings to leads: filtered, read, assembled, in the order of the listings.
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
use super::listing_filter::ListingFilter;
use super::{Search, SearchSpec};
use crate::app::App;
use crate::db::DbError;
use crate::lead::{self, Found, ListingWithSite};
use crate::listing::{DedupKey, Listing, Query, SourceError};
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
    Found(Box<Found>, Vec<DedupKey>),
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
    Source(SourceError),
    Db(DbError),
}

/// A listing on its way.
enum Judged {
    Left(LeftOut),
    Passed(Box<Listing>, Vec<DedupKey>),
}

/// What settling a listing takes.
struct ReadContext {
    app: App,
    reader: Reader,
    query: Query,
    wants_email: bool,
}

type Line<T> = BoxStream<'static, Result<T, Halt>>;

/// The settled listings of a search, from where it left off.
pub(super) fn line(app: &App, reader: &Reader, search: &Search, spec: &SearchSpec) -> Line<Settled> {
    let mut judged = filtered(app, search, &spec.query);
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
    let context =
        Arc::new(ReadContext { app: app.clone(), reader: reader.clone(), query: spec.query.clone(), wants_email });
    judged.map(move |item| settle(&context, item)).buffered(ahead.min(AHEAD_SITES_MAX)).boxed()
}

fn filtered(app: &App, search: &Search, query: &Query) -> Line<Judged> {
    let mut listing_filter = ListingFilter::new(search.request.filters);
    let (steps, mut position, settled) = (app.steps.clone(), 0, search.position);
    let tries = u32::try_from(search.troubles).unwrap_or(u32::MAX);
    let listings = app.listings.open(query, tries);
    let judged = listings.filter_map(move |listing| {
        let judged = listing.map_err(Halt::Source).map(|listing| {
            position += 1;
            if position == 1 {
                steps.reach(Step::Listed);
            }
            let verdict = listing_filter.judge(&listing);
            // What an earlier worker settled only fills the listing_filter again.
            (position > settled).then_some(match verdict {
                Ok(dedup_keys) => Judged::Passed(Box::new(listing), dedup_keys),
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
            let dedup_keys = chunk.iter().flatten().flat_map(|item| match item {
                Judged::Passed(_, dedup_keys) => dedup_keys.clone(),
                Judged::Left(_) => Vec::new(),
            });
            let dedup_keys: Vec<DedupKey> = dedup_keys.collect();
            match lead::store::owned(&app.db, by, &dedup_keys).await {
                Ok(owned) => chunk.into_iter().map(|item| item.map(|item| unless_owned(item, &owned))).collect(),
                Err(error) => vec![Err(Halt::Db(error))],
            }
        }
    });
    checked.flat_map(stream::iter).boxed()
}

fn unless_owned(item: Judged, owned: &[DedupKey]) -> Judged {
    match item {
        Judged::Passed(_, dedup_keys) if dedup_keys.iter().any(|dedup_key| owned.contains(dedup_key)) => {
            Judged::Left(LeftOut::Owned)
        }
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
fn settle(context: &Arc<ReadContext>, item: Result<Judged, Halt>) -> Settling {
    Settling(match item {
        Err(halt) => Work::Known(Some(Err(halt))),
        Ok(Judged::Left(why)) => {
            Work::Known(Some(Ok(Settled { outcome: Outcome::LeftOut(why), site: SiteSeen::None })))
        }
        Ok(Judged::Passed(listing, dedup_keys)) => Work::Task(tokio::spawn(read(context.clone(), listing, dedup_keys))),
    })
}

/// Reads a listing's website and puts the lead together. A site that this machine failed to read is not settled: the
/// search stops before it and goes on from there later, so that nobody pays for what our own fault made of a lead.
async fn read(context: Arc<ReadContext>, listing: Box<Listing>, dedup_keys: Vec<DedupKey>) -> Result<Settled, Halt> {
    let app = &context.app;
    let website = match &listing.website {
        Some(url) if app.settings.read_websites => {
            if let Some(sandbox) = &app.sandbox {
                // So that its sites show the age it has now.
                sandbox.age(&app.db).await;
            }
            let hints = Hints { region: listing.address.country.as_deref(), name: Some(&listing.name) };
            Some(website::read(&context.reader, url, hints, Freshness::Cached).await)
        }
        _ => None,
    };
    if let Some(website) = website.as_ref().filter(|website| website.interrupted) {
        let why = website.detail.clone().unwrap_or_default();
        return Err(Halt::Source(SourceError::Transient(format!("websites cannot be read: {why}"))));
    }
    let site = match website.as_ref().map(|website| website.status) {
        None | Some(SiteStatus::None | SiteStatus::SocialOnly) => SiteSeen::None,
        Some(SiteStatus::Ok | SiteStatus::Parked) => SiteSeen::Read,
        Some(_) => SiteSeen::Unreachable,
    };
    let seen = ListingWithSite { listing: *listing, website, seen_at: app.clock.now() };
    let found = lead::assemble(seen, context.query.category, app.listings.about(), &app.settings.score);
    let outcome = match found {
        found if context.wants_email && found.lead.emails.is_empty() => Outcome::LeftOut(LeftOut::Email),
        found => Outcome::Found(Box::new(found), dedup_keys),
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
                    Err(_) => Err(Halt::Source(SourceError::Transient("the process is stopping".into()))),
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
