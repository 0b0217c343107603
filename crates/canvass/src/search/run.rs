//! Works on one search until it ends, its lease is lost, or the process stops.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::{FutureExt, StreamExt};
use tokio::sync::watch;

use super::deliver::{Delivered, deliver};
use super::finish::{End, finish};
use super::parse::understand;
use super::read::{Halt, Settled, line};
use super::{Lease, Search, StoppedBecause, lease, store};
use crate::app::App;
use crate::db::DbError;
use crate::listing::SourceError;
use crate::steps::Step;

/// Leads stored and charged in one transaction.
const BATCH_LISTINGS_MAX: usize = 64;
/// Tries in a row that may meet passing trouble.
const TRIES_MAX: i64 = 5;

/// How work on a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The search has ended.
    Ended,
    /// It was given back, to be gone on with later.
    HandedBack,
    /// Somebody else ended it or took it over.
    Lost,
}

/// Why work stopped before the search ended.
enum Stopped {
    Lost,
    Asked,
    SourceError(SourceError),
    Db(DbError),
}

/// Works on a search that was taken.
pub async fn run(app: &App, lease: Lease, search: Search, stop: watch::Receiver<bool>) -> Outcome {
    app.steps.reach(Step::Taken);
    let ended = tokio::select! {
        ended = AssertUnwindSafe(work(app, &lease, search)).catch_unwind() => ended.unwrap_or_else(|_| Err(fault())),
        stopped = lose(app, &lease) => Err(stopped),
        () = asked(stop) => Err(Stopped::Asked),
    };
    let settled = match ended {
        Ok(end) => finish(app, &lease, &end).await.map(|ended| if ended { Outcome::Ended } else { Outcome::Lost }),
        Err(stopped) => step_back(app, &lease, stopped).await,
    };
    settled.unwrap_or_else(|error| {
        tracing::warn!(error = &error as &dyn std::error::Error, search.id = %lease.search, "a search is left to others");
        Outcome::Lost
    })
}

/// Done when the process is asked to stop.
async fn asked(mut stop: watch::Receiver<bool>) {
    if stop.wait_for(|asked| *asked).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// A fault of ours, which the panic hook has logged. It may be in one website; trying again a few times harms nobody.
fn fault() -> Stopped {
    Stopped::SourceError(SourceError::Transient("a fault in the service".into()))
}

/// Renews the lease until it is lost. Whoever stops the search rings, so that no site is read in vain.
async fn lose(app: &App, lease: &Lease) -> Stopped {
    let third = u64::try_from(app.settings.lease_seconds).unwrap_or(1) * 1_000 / 3;
    let mut bell = app.bell.listen(lease.search);
    loop {
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(third)) => {}
            () = bell.rung() => match store::read(&app.db, lease.search).await {
                Ok(Some(search)) if !search.is_running() => return Stopped::Lost,
                _ => continue,
            },
        }
        match lease::renew(app, lease).await {
            Ok(true) => {}
            Ok(false) => return Stopped::Lost,
            // Not reaching the database is no loss yet; whether it is, the guard of the next delivery knows.
            Err(error) => tracing::warn!(error = &error as &dyn std::error::Error, "a lease could not be renewed"),
        }
    }
}

async fn work(app: &App, lease: &Lease, search: Search) -> Result<End, Stopped> {
    let done = |because| End::done(because, app.clock.now());
    if search.leads_found >= search.requested {
        return Ok(done(StoppedBecause::RequestedCount));
    }
    let understood = understand(search.request.clone(), &*app.listings);
    // It was understood when it started; only a change of the data since can have made it strange.
    let spec = understood.map_err(|error| Stopped::SourceError(SourceError::Permanent(error.to_string())))?;
    let reader = app.reader().await.map_err(|error| Stopped::SourceError(SourceError::Permanent(error.to_string())))?;
    let mut batches = line(app, reader, &search, &spec).ready_chunks(BATCH_LISTINGS_MAX);
    while let Some(batch) = batches.next().await {
        let (settled, halt) = split(batch);
        if !settled.is_empty() {
            match deliver(app, &search, lease, settled).await.map_err(Stopped::Db)? {
                Delivered::More => {}
                Delivered::Full => return Ok(done(StoppedBecause::RequestedCount)),
                Delivered::OutOfCredits => return Ok(done(StoppedBecause::Credits)),
                Delivered::Lost => return Err(Stopped::Lost),
            }
        }
        match halt {
            None => {}
            Some(Halt::Source(trouble)) => return Err(Stopped::SourceError(trouble)),
            Some(Halt::Db(error)) => return Err(Stopped::Db(error)),
        }
    }
    Ok(done(StoppedBecause::AreaExhausted))
}

/// What was settled before the first fault, and the fault.
fn split(batch: Vec<Result<Settled, Halt>>) -> (Vec<Settled>, Option<Halt>) {
    let mut settled = Vec::with_capacity(batch.len());
    for item in batch {
        match item {
            Ok(item) => settled.push(item),
            Err(halt) => return (settled, Some(halt)),
        }
    }
    (settled, None)
}

/// Leaves a search in a state from which it goes on or has ended.
async fn step_back(app: &App, lease: &Lease, stopped: Stopped) -> Result<Outcome, DbError> {
    // Counted in the row, where a delivery sets it back: what stands there are tries in a row without one.
    let troubles = store::read(&app.db, lease.search).await?.map_or(0, |search| search.troubles);
    match stopped {
        Stopped::Lost => Ok(Outcome::Lost),
        Stopped::Asked => hand_back(app, lease, 0, troubles).await,
        Stopped::Db(error) => {
            tracing::warn!(error = &error as &dyn std::error::Error, search.id = %lease.search, "a search is interrupted");
            hand_back(app, lease, 1, troubles).await
        }
        Stopped::SourceError(SourceError::Transient(why)) if troubles + 1 < TRIES_MAX => {
            tracing::info!(search.id = %lease.search, "the source has passing trouble: {why}");
            // 1, 2, 4, 8 seconds: passing trouble passes, or does not.
            hand_back(app, lease, 1 << troubles, troubles + 1).await
        }
        Stopped::SourceError(trouble) => {
            let ended = finish(app, lease, &End::failed(failure_reason(&trouble), app.clock.now())).await?;
            Ok(if ended { Outcome::Ended } else { Outcome::Lost })
        }
    }
}

async fn hand_back(app: &App, lease: &Lease, seconds: i64, troubles: i64) -> Result<Outcome, DbError> {
    lease::hand_back(app, lease, seconds, troubles).await?;
    Ok(Outcome::HandedBack)
}

/// What happened, and whether trying again helps.
fn failure_reason(trouble: &SourceError) -> String {
    let kept = "Leads found before are kept; no others were charged.";
    match trouble {
        SourceError::Transient(why) => {
            format!(
                "Temporary provider problem, tried {TRIES_MAX} times: {why}. Trying again later is worthwhile. {kept}"
            )
        }
        SourceError::Permanent(why) => format!("The search cannot be done: {why}. Trying again will not help. {kept}"),
    }
}
