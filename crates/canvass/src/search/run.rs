//! Works on one search until it ends, its lease is lost, or the process stops.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::FutureExt;
use tokio::sync::watch;

use super::deliver::{Delivered, deliver};
use super::finish::{End, finish};
use super::halt::Halt;
use super::lease::HandBack;
use super::parse::understand;
use super::pipeline::Pipeline;
use super::read::ReadContext;
use super::resolved::{Resolved, resolve};
use super::resume::resume;
use super::{Lease, Search, StoppedBecause, lease, store};
use crate::app::App;
use crate::db::DbError;
use crate::listing::{Cursor, SourceError};
use crate::steps::Step;

/// Attempts in a row that may meet a transient error.
const ATTEMPTS_MAX: i64 = 5;

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
    Halted(Halt),
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

/// Resolves when the process is asked to stop.
async fn asked(mut stop: watch::Receiver<bool>) {
    if stop.wait_for(|asked| *asked).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// A fault of ours, which the panic hook has logged. It may be in one website; trying again a few times harms nobody.
fn fault() -> Stopped {
    Stopped::Halted(Halt::Source(SourceError::transient("a fault in the service")))
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
    let halted = |error: DbError| Stopped::Halted(Halt::Db(error));
    let mut pipeline = open(app, &search).await.map_err(Stopped::Halted)?;
    while let Some(batch) = pipeline.next().await.map_err(halted)? {
        match deliver(app, &search, lease, batch).await.map_err(halted)? {
            Delivered::More => {}
            Delivered::Full => return Ok(done(StoppedBecause::RequestedCount)),
            Delivered::OutOfCredits => return Ok(done(StoppedBecause::Credits)),
            Delivered::Lost => return Err(Stopped::Lost),
        }
    }
    match pipeline.halt() {
        None => Ok(done(StoppedBecause::AreaExhausted)),
        Some(halt) => Err(Stopped::Halted(halt)),
    }
}

/// Opens the source where the search left it, and picks up what earlier workers began.
async fn open(app: &App, search: &Search) -> Result<Pipeline, Halt> {
    let reader = app.reader().await.map_err(|error| Halt::Source(SourceError::permanent(error.to_string())))?;
    let (resolved, cursor) = resolved(app, search).await.map_err(Halt::Source)?;
    let source = app.sources.named(&resolved.source).map_err(Halt::Source)?;
    let query = resolved.query().map_err(Halt::Source)?;
    let listings = source.open(&query, &resolved.data_version, &cursor);
    let context = ReadContext {
        app: app.clone(),
        reader: reader.clone(),
        query,
        about: source.about().clone(),
        wants_email: search.request.filters.wants_email(),
    };
    Ok(Pipeline::new(context, search, resume(&app.db, search).await?, listings))
}

/// What the search looks for, and where its source goes on. A search that an earlier version started is resolved now.
async fn resolved(app: &App, search: &Search) -> Result<(Resolved, Cursor), SourceError> {
    let unreadable = |error: String| SourceError::permanent(error);
    match (&search.resolved, &search.cursor) {
        (Some(resolved), Some(cursor)) if search.settled_without_cursor().is_none() => {
            let resolved = Resolved::try_from(resolved.as_str()).map_err(|error| unreadable(error.to_string()))?;
            Ok((resolved, Cursor(cursor.clone())))
        }
        _ => {
            let spec = understand(app, search.request.clone()).map_err(|error| unreadable(error.to_string()))?;
            let (resolved, resolution) = resolve(app.sources.current(), &spec).await?;
            Ok((resolved, resolution.start))
        }
    }
}

/// Leaves a search in a state from which it goes on or has ended.
async fn step_back(app: &App, lease: &Lease, stopped: Stopped) -> Result<Outcome, DbError> {
    // Counted in the row, where a delivery resets it: attempts in a row that brought nothing.
    let failures = store::read(&app.db, lease.search).await?.map_or(0, |search| search.troubles);
    match stopped {
        Stopped::Lost => Ok(Outcome::Lost),
        Stopped::Asked => hand_back(app, lease, HandBack { seconds: 0, failures, resume_at: None }).await,
        Stopped::Halted(Halt::Db(error)) => {
            tracing::warn!(error = &error as &dyn std::error::Error, search.id = %lease.search, "a search is interrupted");
            hand_back(app, lease, HandBack { seconds: 1, failures, resume_at: None }).await
        }
        Stopped::Halted(Halt::Interrupted(detail)) => {
            let error = SourceError::transient(format!("websites cannot be read: {detail}"));
            try_again(app, lease, failures, error).await
        }
        Stopped::Halted(Halt::Source(error)) => try_again(app, lease, failures, error).await,
    }
}

/// Has a search go on later after a transient error, and ends it after a permanent one or too many.
async fn try_again(app: &App, lease: &Lease, failures: i64, error: SourceError) -> Result<Outcome, DbError> {
    match error {
        SourceError::Transient { reason, resume_at } if failures + 1 < ATTEMPTS_MAX => {
            tracing::info!(search.id = %lease.search, "the source has a transient error: {reason}");
            // Exponential backoff: 1, 2, 4, 8 seconds.
            hand_back(app, lease, HandBack { seconds: 1 << failures, failures: failures + 1, resume_at }).await
        }
        error => {
            let ended = finish(app, lease, &End::failed(failure_reason(&error), app.clock.now())).await?;
            Ok(if ended { Outcome::Ended } else { Outcome::Lost })
        }
    }
}

async fn hand_back(app: &App, lease: &Lease, how: HandBack) -> Result<Outcome, DbError> {
    lease::hand_back(app, lease, how).await?;
    Ok(Outcome::HandedBack)
}

/// What happened, and whether trying again helps.
fn failure_reason(error: &SourceError) -> String {
    let kept = "Leads found before are kept; no others were charged.";
    match error {
        SourceError::Transient { reason, .. } => format!(
            "Temporary provider problem, tried {ATTEMPTS_MAX} times: {reason}. Trying again later is worthwhile. {kept}"
        ),
        SourceError::Permanent { reason } => {
            format!("The search cannot be done: {reason}. Trying again will not help. {kept}")
        }
    }
}
