//! Checks one watch: reads its website, holds it against what is known, writes down and tells what changed.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::FutureExt;
use polite_reader::{Freshness, Reader, SiteStatus};

use super::diff::{Proof, diff, score_change};
use super::history::KEPT_CHECKS_MAX;
use super::settle::{Patience, Settled, settle};
use super::snapshot::Snapshot;
use super::{Change, Doubts, Watch, alert, store};
use crate::app::App;
use crate::clock::Moment;
use crate::config::Settings;
use crate::db::DbError;
use crate::jobs::Taken;
use crate::lead::{self, Evidence, Found, ListingWithSite};
use crate::signals::Weights;
use crate::steps::Step;
use crate::website::{self, Hints, READERS};

/// How long one read may take, waiting for the host's turn included; shorter than half a lease.
const READ_TIME_MAX: Duration = Duration::from_secs(140);
/// Checks between two times that old ones are forgotten.
const FORGET_EVERY_CHECKS: i64 = 50;
/// The part of the time between two checks by which it varies, either way: one in so many.
const SPREAD_PART: i64 = 10;
/// Seconds in an hour, and in a minute.
const HOUR_SECONDS: i64 = 60 * 60;
const MINUTE_SECONDS: i64 = 60;

/// When what one read did not find is read again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Confirm {
    /// In a while, by whoever takes the watch then.
    Later,
    /// At once, as somebody waits for the answer.
    AtOnce,
}

/// What became of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CheckOutcome {
    /// There was something to tell.
    Alerted,
    /// Something is in doubt, and nothing else to tell.
    InDoubt,
    /// All is as it was.
    Same,
    /// The website could not be read, or not completely.
    Unreadable,
    /// Somebody else has the watch, or it is gone: nothing was written.
    Lost,
}

/// What a check writes down.
#[derive(Clone, Debug)]
pub(super) struct Verdict {
    pub(super) baseline: Snapshot,
    pub(super) doubts: Doubts,
    pub(super) score: i64,
    pub(super) score_told: Option<i64>,
    pub(super) scored_with: i64,
    pub(super) site_status: String,
    pub(super) complete: bool,
    pub(super) changes: Vec<Change>,
    pub(super) at: Moment,
    pub(super) next_check_at: Moment,
}

/// One read of a website.
struct Seen {
    status: SiteStatus,
    url: String,
    at: Moment,
    /// What stands there; only when it was read completely.
    found: Option<Box<Found>>,
}

/// Checks a watch that was taken.
pub(super) async fn check(
    app: &App,
    reader: &Reader,
    taken: &Taken<Watch>,
    confirm: Confirm,
) -> Result<CheckOutcome, DbError> {
    app.steps.reach(Step::CheckTaken);
    let first = read(app, reader, &taken.job).await;
    let settled = judge(app, &taken.job, &first, Confirm::Later);
    let second = match confirm {
        Confirm::AtOnce if !settled.doubts.is_empty() && first.found.is_some() => {
            Some(read(app, reader, &taken.job).await)
        }
        _ => None,
    };
    app.steps.reach(Step::CheckRead);
    let verdict = match second {
        Some(second) if second.found.is_some() => {
            let between = Watch { doubts: Doubts(settled.doubts), baseline: settled.baseline, ..taken.job.clone() };
            let settled = judge(app, &between, &second, Confirm::AtOnce);
            conclude(app, &taken.job, settled, vec![second, first])
        }
        _ => conclude(app, &taken.job, settled, vec![first]),
    };
    write(app, taken, &verdict).await
}

/// Reads the website anew. A fault of ours in one website is that website's trouble, not everyone's.
async fn read(app: &App, reader: &Reader, watch: &Watch) -> Seen {
    let nothing = |status| Seen { status, url: String::new(), at: app.clock.now(), found: None };
    let Some(url) = &watch.business.website else { return nothing(SiteStatus::None) };
    if let Some(sandbox) = &app.sandbox {
        // So that its sites show the age it has now.
        sandbox.age(&app.db).await;
    }
    let hints = Hints { region: watch.business.country.as_deref(), name: Some(&watch.business.name) };
    let reading = AssertUnwindSafe(website::read(reader, url, hints, Freshness::Fresh)).catch_unwind();
    let website = match tokio::time::timeout(READ_TIME_MAX, reading).await {
        Ok(Ok(website)) => website,
        Ok(Err(_)) => return nothing(SiteStatus::Error),
        // Waiting for its host's turn counts too, so this is not known to be the site's fault.
        Err(_) => return nothing(SiteStatus::Error),
    };
    let (status, url, at) = (website.status, website.url.clone(), app.clock.now());
    if status != SiteStatus::Ok || !website.complete {
        return Seen { status, url, at, found: None };
    }
    let seen =
        ListingWithSite { listing: watch.business.listing(&watch.business_id), website: Some(website), seen_at: at };
    let found = lead::assemble(seen, watch.business.category(), app.listings.about(), &app.settings.score);
    Seen { status, url, at, found: Some(Box::new(found)) }
}

/// What is known after a read. One that is not complete changes nothing.
fn judge(app: &App, watch: &Watch, seen: &Seen, confirm: Confirm) -> Settled {
    let Some(found) = &seen.found else {
        return Settled { baseline: watch.baseline.clone(), doubts: watch.doubts.0.clone() };
    };
    let wait_seconds = match confirm {
        Confirm::Later => app.settings.radar_confirm_minutes * MINUTE_SECONDS,
        Confirm::AtOnce => 0,
    };
    let patience = Patience { now: seen.at, doubted_by: seen.at.plus_seconds(-wait_seconds) };
    settle(&watch.baseline, &Snapshot::of(&found.lead), &watch.doubts.0, patience)
}

/// Puts together what is written down. `reads` has the last read first.
fn conclude(app: &App, watch: &Watch, settled: Settled, mut reads: Vec<Seen>) -> Verdict {
    let evidence: Vec<Evidence> = reads.iter().flat_map(Seen::evidence).cloned().collect();
    let last = reads.swap_remove(0);
    let proof = Proof { url: &last.url, evidence: &evidence, seen_at: last.at };
    let mut changes = diff(&watch.baseline, &settled.baseline, proof);
    let scored_with = scoring_mark(&app.settings.score);
    let score = last.found.as_ref().map(|found| score(app, watch, found, &settled));
    // A score under other weights, or by other readers, is no move of the business.
    let told = watch.score_told.filter(|_| scored_with == watch.scored_with);
    let moved = score.zip(told).and_then(|(now, told)| score_change(told, now, app.settings.radar_score_step, proof));
    let is_told = moved.is_some() || told.is_none();
    changes.extend(moved);
    Verdict {
        next_check_at: next_check(app, &last, &settled),
        score: score.unwrap_or(watch.score),
        score_told: if is_told { score.or(told) } else { told },
        scored_with: if score.is_some() { scored_with } else { watch.scored_with },
        baseline: settled.baseline,
        doubts: Doubts(settled.doubts),
        site_status: last.status.as_str().to_owned(),
        complete: last.found.is_some(),
        at: last.at,
        changes,
    }
}

impl Seen {
    fn evidence(&self) -> &[Evidence] {
        self.found.as_ref().map_or(&[], |found| &found.lead.evidence)
    }
}

/// The score of what is settled: what is in doubt still counts as it was.
fn score(app: &App, watch: &Watch, found: &Found, settled: &Settled) -> i64 {
    if settled.doubts.is_empty() {
        return found.score.points;
    }
    let mut lead = found.lead.clone();
    settled.baseline.restore(&mut lead);
    lead::score(&lead, &found.site, watch.business.category(), &app.settings.score).points
}

/// A doubt is looked into soon; a website that cannot be read is left in peace until its next turn.
fn next_check(app: &App, last: &Seen, settled: &Settled) -> Moment {
    match last.found {
        Some(_) if !settled.doubts.is_empty() => {
            last.at.plus_seconds(app.settings.radar_confirm_minutes * MINUTE_SECONDS)
        }
        _ => spread(app, last.at),
    }
}

/// Writes a check down, in one transaction with what it tells.
async fn write(app: &App, taken: &Taken<Watch>, verdict: &Verdict) -> Result<CheckOutcome, DbError> {
    let mut tx = app.db.begin().await?;
    let Some(number) = store::conclude(&mut tx, &taken.lease, verdict).await? else { return Ok(CheckOutcome::Lost) };
    store::insert_check(&mut tx, taken.job.id, number, verdict).await?;
    if number % FORGET_EVERY_CHECKS == 0 {
        store::forget_checks(&mut tx, taken.job.id, number - KEPT_CHECKS_MAX).await?;
    }
    app.steps.reach(Step::CheckStored);
    if !verdict.changes.is_empty() {
        alert::tell(app, &mut tx, &taken.job, (&verdict.changes, verdict.score)).await?;
        app.steps.reach(Step::CheckTold);
    }
    tx.commit().await?;
    app.steps.reach(Step::CheckDone);
    Ok(match verdict {
        Verdict { complete: false, .. } => CheckOutcome::Unreadable,
        Verdict { changes, .. } if !changes.is_empty() => CheckOutcome::Alerted,
        Verdict { doubts, .. } if !doubts.0.is_empty() => CheckOutcome::InDoubt,
        _ => CheckOutcome::Same,
    })
}

/// The longest time from a check to the next one, whatever the reason for it.
pub(super) fn wait_seconds_max(settings: &Settings) -> i64 {
    let every = settings.radar_every_hours * HOUR_SECONDS;
    (every + every / SPREAD_PART).max(settings.radar_confirm_minutes * MINUTE_SECONDS)
}

/// When to check next: about so many hours on, so that what began together does not stay together.
pub(super) fn spread(app: &App, now: Moment) -> Moment {
    let every = app.settings.radar_every_hours * HOUR_SECONDS;
    let mut chance = [0; 2];
    app.ids.fill(&mut chance);
    let part = every / SPREAD_PART;
    now.plus_seconds(every - part + 2 * part * i64::from(u16::from_le_bytes(chance)) / i64::from(u16::MAX))
}

/// Tells apart what scores are made with: weights, and the readers that find what is weighed.
pub(super) fn scoring_mark(weights: &Weights) -> i64 {
    let mut hash = crc32fast::Hasher::new();
    hash.update(&READERS.to_le_bytes());
    for (rule, points) in weights.iter() {
        hash.update(rule.key.as_bytes());
        hash.update(&points.to_le_bytes());
    }
    i64::from(hash.finalize())
}
