//! Works on one search until it ends or its lease is lost.

use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use tracing::Instrument;

use super::deliver::{Delivered, deliver};
use super::end::End;
use super::finish::finish;
use super::halt::Halt;
use super::parse::understand;
use super::pipeline::Pipeline;
use super::read::ReadContext;
use super::resolved::{Resolved, resolve};
use super::resume::resume;
use super::{Lease, Search, StoppedBecause, store};
use crate::app::App;
use crate::db::DbError;
use crate::jobs::{self, Taken};
use crate::listing::{Cursor, SourceError};
use crate::measure;
use crate::steps::Step;

/// Attempts in a row that may meet a transient error.
const ATTEMPTS_MAX: i64 = 5;

/// How work on a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunOutcome {
    Ended,
    /// It was handed back, to be resumed later.
    HandedBack,
    /// It was stopped, or another worker took it over.
    Lost,
}

impl RunOutcome {
    fn name(self) -> &'static str {
        match self {
            RunOutcome::Ended => "ended",
            RunOutcome::HandedBack => "handed back",
            RunOutcome::Lost => "lost",
        }
    }
}

/// Why work stopped before the search ended.
enum Stopped {
    Lost,
    Halted(Halt),
}

/// Works on a search that was taken.
pub async fn run(app: App, taken: Taken<Search>) {
    let (id, outcome) = (taken.lease.id, tracing::field::Empty);
    let span =
        tracing::info_span!("search", search.id = %id, search.epoch = taken.lease.epoch, search.outcome = outcome);
    work_and_settle(app, taken).instrument(span).await;
}

async fn work_and_settle(app: App, Taken { lease, job }: Taken<Search>) {
    app.steps.reach(Step::Taken);
    let working = AssertUnwindSafe(work(&app, &lease, job)).catch_unwind();
    let ended = tokio::select! {
        ended = jobs::under_lease(&app, &lease, working) => match ended {
            Some(ended) => ended.unwrap_or_else(|_| Err(fault())),
            None => Err(Stopped::Lost),
        },
        () = ended_elsewhere(&app, &lease) => Err(Stopped::Lost),
    };
    let settled = match ended {
        Ok(end) => end_with(&app, &lease, &end).await,
        Err(stopped) => step_back(&app, &lease, stopped).await,
    };
    match settled {
        Ok(outcome) => {
            tracing::Span::current().record("search.outcome", outcome.name());
            // One that has ended is reported with its figures.
            if outcome != RunOutcome::Ended {
                tracing::info!(search.id = %lease.id, "work on a search stopped: {}", outcome.name());
            }
        }
        Err(error) => {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, search.id = %lease.id, "a search was interrupted; its lease runs out");
        }
    }
}

async fn end_with(app: &App, lease: &Lease, end: &End) -> Result<RunOutcome, DbError> {
    Ok(if finish(app, lease, end).await? { RunOutcome::Ended } else { RunOutcome::Lost })
}

/// Resolves when the search was ended from outside: stopping it rings the bell, so that no further website is read.
async fn ended_elsewhere(app: &App, lease: &Lease) {
    let mut bell = app.bell.listen(lease.id);
    loop {
        bell.rung().await;
        if let Ok(Some(search)) = store::read(&app.db, lease.id).await
            && !search.is_running()
        {
            return;
        }
    }
}

/// A fault of ours, which the panic hook has logged. It may be in one website; a few retries do no harm.
fn fault() -> Stopped {
    Stopped::Halted(Halt::Source(SourceError::transient("a fault in the service")))
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
        search: search.id,
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
            let spec = understand(app, search.request.clone()).await.map_err(|error| unreadable(error.to_string()))?;
            let (resolved, resolution) = resolve(app.sources.current(), &spec).await?;
            Ok((resolved, resolution.start))
        }
    }
}

/// How a search is handed back.
struct HandBack {
    /// Until it may be taken again; at most [`super::RETRY_SECONDS_MAX`].
    seconds: i64,
    /// Attempts in a row that brought nothing.
    failures: i64,
    /// Where its source goes on, when that is not where the search has stored it.
    resume_at: Option<Cursor>,
}

/// Leaves a search in a state from which it is resumed or has ended.
async fn step_back(app: &App, lease: &Lease, stopped: Stopped) -> Result<RunOutcome, DbError> {
    // Counted in the row, where a delivery resets it: attempts in a row that brought nothing.
    let failures = store::read(&app.db, lease.id).await?.map_or(0, |search| search.failures);
    match stopped {
        Stopped::Lost => Ok(RunOutcome::Lost),
        Stopped::Halted(Halt::Db(error)) => {
            tracing::warn!(error = &error as &dyn std::error::Error, search.id = %lease.id, "a search is interrupted");
            hand_back(app, lease, HandBack { seconds: 1, failures, resume_at: None }).await
        }
        Stopped::Halted(Halt::Interrupted(detail)) => {
            let error = SourceError::transient(format!("websites cannot be read: {detail}"));
            try_again(app, lease, failures, error).await
        }
        Stopped::Halted(Halt::Source(error)) => try_again(app, lease, failures, error).await,
    }
}

/// Has a search resumed later after a transient error, and ends it after a permanent one or too many.
async fn try_again(app: &App, lease: &Lease, failures: i64, error: SourceError) -> Result<RunOutcome, DbError> {
    match error {
        SourceError::Transient { reason, resume_at } if failures + 1 < ATTEMPTS_MAX => {
            tracing::info!(search.id = %lease.id, "the source has a transient error: {reason}");
            measure::search_retried();
            // Exponential backoff: 1, 2, 4, 8 seconds.
            hand_back(app, lease, HandBack { seconds: 1 << failures, failures: failures + 1, resume_at }).await
        }
        error => end_with(app, lease, &End::failed(failure_reason(&error), app.clock.now())).await,
    }
}

async fn hand_back(app: &App, lease: &Lease, how: HandBack) -> Result<RunOutcome, DbError> {
    let mut tx = app.db.begin().await?;
    store::note_failures(&mut tx, lease, how.failures, how.resume_at.as_ref()).await?;
    jobs::hand_back_in(&mut tx, lease, app.clock.now().plus_seconds(how.seconds.min(super::RETRY_SECONDS_MAX))).await?;
    tx.commit().await?;
    app.bell.ring_work_in::<Search>(how.seconds);
    Ok(RunOutcome::HandedBack)
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
