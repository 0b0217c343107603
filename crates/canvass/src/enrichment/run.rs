//! Works on one enrichment until every lead is settled, its lease is lost, or the process stops.

use std::time::Duration;

use futures::StreamExt;
use futures::stream;
use tokio::sync::watch;

use super::enrich::{Asker, Task, enrich_for};
use super::{ALLOWANCE, EnrichError, Enriched, Enrichment, Lease, Skip, Verdict, lease, store};
use crate::account::{self, Account};
use crate::ai::{self, Feature, RULES};
use crate::app::App;
use crate::db::DbError;
use crate::ids::LeadId;
use crate::steps::Step;

/// Leads of one enrichment that are looked at at the same time.
const AT_ONCE_LEADS: usize = 8;
/// Leads read from the database in one go.
const CHUNK_LEADS: i64 = 32;
/// Leads in a row for which the provider failed, after which the rest is not tried.
const FAILURES_MAX: usize = 16;
/// How long to wait when every lead that is left is held by somebody else.
const BUSY_WAIT: Duration = Duration::from_secs(1);
/// How often in a row, before those leads are left out: longer than a hold whose holder died.
const BUSY_WAITS_MAX: usize = 60;
/// Why an enrichment ends when the provider fails again and again.
const PROVIDER: &str = "provider_failed";

/// How work on an enrichment ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It has ended.
    Ended,
    /// It was given back, to be gone on with.
    HandedBack,
    /// Somebody else has it.
    Lost,
}

/// Why no more leads are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    Allowance,
    Provider,
}

/// Works on an enrichment that was taken.
pub async fn run(app: &App, lease: Lease, enrichment: Enrichment, stop: watch::Receiver<bool>) -> Outcome {
    let worked = tokio::select! {
        worked = work(app, &lease, &enrichment) => worked,
        () = lose(app, &lease) => Ok(Outcome::Lost),
        () = asked(stop) => lease::hand_back(app, &lease).await.map(|()| Outcome::HandedBack),
    };
    app.bell.ring(enrichment.search);
    worked.unwrap_or_else(|error| {
        tracing::warn!(error = &error as &dyn std::error::Error, enrichment.id = %lease.enrichment, "an enrichment is left to others");
        Outcome::Lost
    })
}

/// Done when the process is asked to stop.
async fn asked(mut stop: watch::Receiver<bool>) {
    if stop.wait_for(|asked| *asked).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Renews the lease until it is lost.
async fn lose(app: &App, lease: &Lease) {
    let third = u64::try_from(app.settings.lease_seconds).unwrap_or(1) * 1_000 / 3;
    loop {
        tokio::time::sleep(Duration::from_millis(third)).await;
        match lease::renew(app, lease).await {
            Ok(true) => {}
            Ok(false) => return,
            // Not reaching the database is no loss yet; whether it is, the guard of the next save knows.
            Err(error) => tracing::warn!(error = &error as &dyn std::error::Error, "a lease could not be renewed"),
        }
    }
}

async fn work(app: &App, lease: &Lease, enrichment: &Enrichment) -> Result<Outcome, DbError> {
    app.steps.reach(Step::EnrichTaken);
    let Some(account) = account::find(&app.db, enrichment.account).await? else { return Ok(Outcome::Lost) };
    let mut stop = None;
    let mut tally = Tally::default();
    loop {
        let waiting = store::waiting(&app.db, lease.enrichment, CHUNK_LEADS).await?;
        if waiting.is_empty() || stop.is_some() {
            // Leads that were added in this very moment make this fail: then they are looked at, too.
            if finish(app, lease, stop).await? {
                return Ok(Outcome::Ended);
            }
            if !lease::renew(app, lease).await? {
                return Ok(Outcome::Lost);
            }
            continue;
        }
        stop = settle_some(app, lease, (&account, &waiting), &mut tally).await?;
        if tally.busy == waiting.len() {
            wait_for_others(app, lease, &waiting, &mut tally).await?;
        }
    }
}

/// What came of the leads so far, as far as it decides how to go on.
#[derive(Debug, Default)]
struct Tally {
    /// Leads in a row for which the provider failed.
    failures: usize,
    /// Leads of the last chunk that somebody else is at.
    busy: usize,
    /// How often in a row that was all of them.
    waits: usize,
}

/// Settles a chunk of leads, some at a time, and says whether to go on.
async fn settle_some(
    app: &App,
    lease: &Lease,
    (account, leads): (&Account, &[LeadId]),
    tally: &mut Tally,
) -> Result<Option<Stop>, DbError> {
    let mut settled = stream::iter(leads.to_vec())
        .map(|lead| async move { settle(app, lease, account, lead).await })
        .buffer_unordered(at_once(app, account).await?);
    let mut stop = None;
    tally.busy = 0;
    // To the end of the chunk, whatever happens: what is begun would only be held for nothing.
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

/// How many leads to look at at the same time. The rules give back what they find nothing for: near the end of the
/// allowance they look at one after the other, so that no use is missing only because it is still held.
async fn at_once(app: &App, account: &Account) -> Result<usize, DbError> {
    if app.ai.engine() != RULES {
        return Ok(AT_ONCE_LEADS);
    }
    let left = ai::remaining(app, account, Feature::Enrich).await?.left();
    Ok(if left < CHUNK_LEADS { 1 } else { AT_ONCE_LEADS })
}

/// Waits for those who are at the leads that are left; leaves these out when that takes too long.
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

/// Settles one lead. `None` when it is gone.
async fn settle(app: &App, lease: &Lease, account: &Account, lead: LeadId) -> Result<Option<Enriched>, DbError> {
    let task = Task { lease, lead };
    match enrich_for(app, account, lead, Asker::Job(task)).await {
        Ok(done) => Ok(Some(done)),
        Err(EnrichError::Db(error)) => Err(error),
        Err(EnrichError::NotFound | EnrichError::TakenOver(_)) => fail(app, task).await.map(|_| None),
        Err(EnrichError::Model(error)) => {
            tracing::warn!(enrichment.id = %lease.enrichment, "a lead could not be enriched: {error}");
            fail(app, task).await.map(Some)
        }
    }
}

async fn fail(app: &App, task: Task<'_>) -> Result<Enriched, DbError> {
    let failed = Enriched { verdict: Verdict::Failed, rejected: 0, engine: app.ai.engine().to_owned() };
    settle_as(app, task, &failed).await?;
    Ok(failed)
}

/// Settles a lead without having changed it.
async fn settle_as(app: &App, task: Task<'_>, done: &Enriched) -> Result<(), DbError> {
    let mut tx = app.db.begin().await?;
    store::settle(&mut tx, task, done).await?;
    tx.commit().await
}

async fn finish(app: &App, lease: &Lease, stop: Option<Stop>) -> Result<bool, DbError> {
    let mut tx = app.db.begin().await?;
    let because = stop.map(|stop| match stop {
        Stop::Allowance => ALLOWANCE,
        Stop::Provider => PROVIDER,
    });
    if let Some(because) = because {
        store::leave_out_rest(&mut tx, lease.enrichment, because).await?;
    }
    let ended = store::end(&mut tx, lease, because, app.clock.now()).await?;
    if ended {
        app.steps.reach(Step::EnrichEnding);
        tx.commit().await?;
        app.steps.reach(Step::EnrichEnded);
    }
    Ok(ended)
}
