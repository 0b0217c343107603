//! Works on one enrichment until every lead is settled or its lease is lost.

use std::time::Duration;

use futures::StreamExt;
use futures::stream;

use super::enrich::{Asker, enrich_for};
use super::{ALLOWANCE, EnrichError, Enriched, Enrichment, Lease, Skip, Task, Verdict, store};
use crate::account::{self, Account};
use crate::ai::{self, Feature, RULES};
use crate::app::App;
use crate::db::DbError;
use crate::ids::LeadId;
use crate::jobs::{self, Taken};
use crate::steps::Step;

/// Leads of one enrichment that are looked at concurrently.
const AT_ONCE_LEADS: usize = 8;
/// Leads read from the database in one go.
const CHUNK_LEADS: i64 = 32;
/// Consecutive provider failures after which the remaining leads are not tried.
const FAILURES_MAX: usize = 16;
/// How long to wait when every remaining lead is held by another request.
const BUSY_WAIT: Duration = Duration::from_secs(1);
/// Consecutive waits after which those leads are skipped: longer than a hold whose holder died.
const BUSY_WAITS_MAX: usize = 60;
/// Why an enrichment ends when the provider fails again and again.
const PROVIDER: &str = "provider_failed";

/// How work on an enrichment ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunOutcome {
    Ended,
    /// Another worker has it, or its account is gone.
    Lost,
}

/// Why no more leads are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    Allowance,
    Provider,
}

/// Works on an enrichment that was taken.
pub async fn run(app: App, Taken { lease, job }: Taken<Enrichment>) {
    let worked = jobs::under_lease(&app, &lease, work(&app, &lease, &job)).await;
    app.bell.ring(job.search);
    match worked.unwrap_or(Ok(RunOutcome::Lost)) {
        Ok(outcome) => tracing::info!(enrichment.id = %lease.id, "work on an enrichment ended: {outcome:?}"),
        Err(error) => {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, enrichment.id = %lease.id, "an enrichment was interrupted; its lease runs out");
        }
    }
}

async fn work(app: &App, lease: &Lease, enrichment: &Enrichment) -> Result<RunOutcome, DbError> {
    app.steps.reach(Step::EnrichTaken);
    let Some(account) = account::find(&app.db, enrichment.account).await? else { return Ok(RunOutcome::Lost) };
    let mut stop = None;
    let mut tally = Tally::default();
    loop {
        let waiting = store::waiting(&app.db, lease.id, CHUNK_LEADS).await?;
        if waiting.is_empty() || stop.is_some() {
            if finish(app, lease, stop).await? {
                return Ok(RunOutcome::Ended);
            }
            // Leads were added in this very moment, unless the lease is lost.
            if !jobs::renew(app, lease).await? {
                return Ok(RunOutcome::Lost);
            }
            continue;
        }
        stop = settle_chunk(app, lease, Chunk { account: &account, leads: &waiting }, &mut tally).await?;
        if tally.busy == waiting.len() {
            wait_for_others(app, lease, &waiting, &mut tally).await?;
        }
    }
}

/// Leads settled together, and the account that pays for them.
#[derive(Clone, Copy, Debug)]
struct Chunk<'a> {
    account: &'a Account,
    leads: &'a [LeadId],
}

/// What the leads settled so far say about how to go on.
#[derive(Debug, Default)]
struct Tally {
    /// Consecutive provider failures.
    failures: usize,
    /// Leads of the last chunk that another request holds.
    busy: usize,
    /// Consecutive chunks of which that was every lead.
    waits: usize,
}

/// Settles a chunk of leads, several at a time, and says whether to stop.
async fn settle_chunk(app: &App, lease: &Lease, chunk: Chunk<'_>, tally: &mut Tally) -> Result<Option<Stop>, DbError> {
    let mut settled = stream::iter(chunk.leads.to_vec())
        .map(|lead| async move { settle(app, lease, chunk.account, lead).await })
        .buffer_unordered(at_once(app, chunk.account).await?);
    let mut stop = None;
    tally.busy = 0;
    // Always to the end of the chunk: what has begun would otherwise stay held for nothing.
    while let Some(done) = settled.next().await {
        match done?.map(|done| done.verdict) {
            Some(Verdict::Skipped(Skip::InProgress)) => tally.busy += 1,
            Some(Verdict::Skipped(Skip::Allowance)) => stop = Some(Stop::Allowance),
            Some(Verdict::Failed) => tally.failures += 1,
            _ => tally.failures = 0,
        }
    }
    Ok(stop.or((tally.failures >= FAILURES_MAX).then_some(Stop::Provider)))
}

/// How many leads to look at concurrently. The built-in rules refund what they find nothing for: near the end of the
/// allowance they look at one lead after the other, so that no use is missing only because it is still held.
async fn at_once(app: &App, account: &Account) -> Result<usize, DbError> {
    if app.ai.engine() != RULES {
        return Ok(AT_ONCE_LEADS);
    }
    let left = ai::remaining(app, account, Feature::Enrich).await?.left();
    Ok(if left < CHUNK_LEADS { 1 } else { AT_ONCE_LEADS })
}

/// Waits for the requests that hold the remaining leads; skips these leads when that takes too long.
async fn wait_for_others(app: &App, lease: &Lease, leads: &[LeadId], tally: &mut Tally) -> Result<(), DbError> {
    tally.waits += 1;
    if tally.waits < BUSY_WAITS_MAX {
        tokio::time::sleep(BUSY_WAIT).await;
        return Ok(());
    }
    let busy = Verdict::Skipped(Skip::InProgress);
    let skipped = Enriched { verdict: busy, rejected: 0, engine: app.ai.engine().to_owned() };
    for lead in leads {
        settle_as(app, Task { lease, lead: *lead }, &skipped).await?;
    }
    Ok(())
}

/// Enriches one lead and settles its row. `None` when the lead is gone.
async fn settle(app: &App, lease: &Lease, account: &Account, lead: LeadId) -> Result<Option<Enriched>, DbError> {
    let task = Task { lease, lead };
    match enrich_for(app, account, lead, Asker::Job(task)).await {
        Ok(done) => Ok(Some(done)),
        Err(EnrichError::Db(error)) => Err(error),
        Err(EnrichError::NotFound | EnrichError::TakenOver(_)) => fail(app, task).await.map(|_| None),
        Err(EnrichError::Model(error)) => {
            tracing::warn!(enrichment.id = %lease.id, "a lead could not be enriched: {error}");
            fail(app, task).await.map(Some)
        }
    }
}

async fn fail(app: &App, task: Task<'_>) -> Result<Enriched, DbError> {
    let failed = Enriched { verdict: Verdict::Failed, rejected: 0, engine: app.ai.engine().to_owned() };
    settle_as(app, task, &failed).await?;
    Ok(failed)
}

/// Settles a lead's row without changing the lead.
async fn settle_as(app: &App, task: Task<'_>, done: &Enriched) -> Result<(), DbError> {
    let mut tx = app.db.begin().await?;
    store::settle(&mut tx, task, done).await?;
    tx.commit().await
}

/// Ends the enrichment. `false` when leads were added meanwhile, or the lease is lost.
async fn finish(app: &App, lease: &Lease, stop: Option<Stop>) -> Result<bool, DbError> {
    let mut tx = app.db.begin().await?;
    let because = stop.map(|stop| match stop {
        Stop::Allowance => ALLOWANCE,
        Stop::Provider => PROVIDER,
    });
    if let Some(because) = because {
        store::skip_rest(&mut tx, lease.id, because).await?;
    }
    let ended = store::end(&mut tx, lease, because, app.clock.now()).await?;
    if ended {
        app.steps.reach(Step::EnrichEnding);
        tx.commit().await?;
        app.steps.reach(Step::EnrichEnded);
    }
    Ok(ended)
}
