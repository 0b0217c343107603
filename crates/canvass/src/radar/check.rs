//! Checks one watch: reads its website, compares that with what is known, stores and reports what changed.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::FutureExt;
use polite_reader::{Freshness, Reader, SiteStatus};

use super::alert::Raised;
use super::baseline::{Build, Reach};
use super::check_result::CheckResult;
use super::diff::{Proof, diff, score_change};
use super::forget::forget_watch;
use super::history::KEPT_CHECKS_MAX;
use super::settle::{Judge, Settled, settle};
use super::snapshot::{Field, PagesRead, Snapshot};
use super::{Change, Doubts, Watch, alert, store};
use crate::app::App;
use crate::clock::Moment;
use crate::config::Settings;
use crate::db::DbError;
use crate::fair_line::Sharer;
use crate::jobs::Taken;
use crate::lead::{self, Evidence, Found, ListingWithSite};
use crate::signals::Weights;
use crate::steps::Step;
use crate::suppression::SuppressedSet;
use crate::website::{self, Hints};

/// How long one read may take, waiting for the host's turn included; shorter than half a lease.
const READ_TIME_MAX: Duration = Duration::from_secs(140);
/// Old checks are deleted each time so many were stored.
const FORGET_EVERY_CHECKS: i64 = 50;
/// The time between two checks varies by one part in so many, either way.
const SPREAD_PART: i64 = 10;
/// Where the version begins in a [`scoring_mark`].
const VERSION_SHIFT: u32 = 32;
/// Seconds in an hour, and in a minute.
const HOUR_SECONDS: i64 = 60 * 60;
const MINUTE_SECONDS: i64 = 60;

/// When what one read missed is read again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Confirm {
    /// After `radar_confirm_minutes`, by the worker that takes the watch then.
    Later,
    /// At once: a caller waits for the result.
    AtOnce,
}

/// What became of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CheckOutcome {
    /// It raised an alert.
    Alerted,
    /// Something is in doubt, and there is nothing else to report.
    InDoubt,
    /// Nothing changed.
    Same,
    /// The website could not be read, or too little of it to compare anything.
    Unreadable,
    /// Another worker has the watch, or it is gone: nothing was stored.
    Lost,
}

impl CheckOutcome {
    /// Its name in metrics and traces.
    pub(super) fn name(self) -> &'static str {
        match self {
            CheckOutcome::Alerted => "alerted",
            CheckOutcome::InDoubt => "in_doubt",
            CheckOutcome::Same => "same",
            CheckOutcome::Unreadable => "unreadable",
            CheckOutcome::Lost => "lost",
        }
    }
}

/// One read of a website.
struct SiteRead {
    status: SiteStatus,
    url: String,
    at: Moment,
    /// What it shows; `None` when nothing of it could be read.
    found: Option<Box<FoundOnSite>>,
}

/// What a website shows on the pages that were read.
struct FoundOnSite {
    found: Found,
    snapshot: Snapshot,
}

/// Checks a watch that was taken.
pub(super) async fn check(
    app: &App,
    reader: &Reader,
    taken: &Taken<Watch>,
    confirm: Confirm,
) -> Result<CheckOutcome, DbError> {
    app.steps.reach(Step::CheckTaken);
    if taken.job.is_covered_by(&*app.suppressions.current().await?) {
        return forget(app, &taken.job).await;
    }
    let first = read(app, reader, &taken.job).await?;
    if first.is_covered_by(&*app.suppressions.current().await?) {
        return forget(app, &taken.job).await;
    }
    let mut settled: Vec<Settled> = judge(app, &taken.job, &first, Confirm::Later).into_iter().collect();
    let mut reads = vec![first];
    if let (Confirm::AtOnce, Some(before)) = (confirm, settled.first().filter(|settled| settled.is_in_doubt)) {
        let second = read(app, reader, &taken.job).await?;
        let doubts = Doubts(before.doubts.clone());
        let between = Watch { doubts, baseline: before.baseline.clone(), ..taken.job.clone() };
        if let Some(again) = judge(app, &between, &second, Confirm::AtOnce) {
            settled.push(again);
            reads.push(second);
        }
    }
    app.steps.reach(Step::CheckRead);
    let result = conclude(app, &taken.job, settled, &reads);
    store_result(app, taken, &result).await
}

/// Ends a watch whose business is suppressed.
async fn forget(app: &App, watch: &Watch) -> Result<CheckOutcome, DbError> {
    forget_watch(app, watch).await?;
    Ok(CheckOutcome::Lost)
}

/// Reads the website anew. A bug that one website triggers must not stop the checks of others.
async fn read(app: &App, reader: &Reader, watch: &Watch) -> Result<SiteRead, DbError> {
    let nothing = |status| SiteRead { status, url: String::new(), at: app.clock.now(), found: None };
    let Some(url) = &watch.business.website else { return Ok(nothing(SiteStatus::None)) };
    if let Some(sandbox) = &app.sandbox {
        // So that its sites show the age the world has now, and never an earlier one.
        sandbox.look_up_age(&app.db).await?;
    }
    let hints =
        Hints { region: watch.business.country.as_deref(), name: Some(&watch.business.name), sharer: Sharer::CHORES };
    let reading = AssertUnwindSafe(website::read(reader, url, hints, Freshness::Fresh)).catch_unwind();
    let website = match tokio::time::timeout(READ_TIME_MAX, reading).await {
        Ok(Ok(website)) => website,
        Ok(Err(_)) => return Ok(nothing(SiteStatus::Error)),
        // Waiting for its host's turn counts too, so this is not known to be the site's fault.
        Err(_) => return Ok(nothing(SiteStatus::Error)),
    };
    let (status, url, at) = (website.status, website.url.clone(), app.clock.now());
    if status != SiteStatus::Ok || website.interrupted || website.whole_pages.is_empty() {
        return Ok(SiteRead { status, url, at, found: None });
    }
    let pages = PagesRead { urls: website.whole_pages.iter().cloned().collect(), complete: website.complete };
    let seen =
        ListingWithSite { listing: watch.business.listing(&watch.business_id), website: Some(website), seen_at: at };
    let source = watch.business.source(&watch.business_id);
    let found = lead::assemble(seen, watch.business.category(), source, &app.settings.score);
    let snapshot = Snapshot::of(&found.lead, pages);
    Ok(SiteRead { status, url, at, found: Some(Box::new(FoundOnSite { found, snapshot })) })
}

/// What is known after a read. `None` when nothing could be read.
fn judge(app: &App, watch: &Watch, read: &SiteRead, confirm: Confirm) -> Option<Settled> {
    let found = read.found.as_ref()?;
    let wait_seconds = match confirm {
        Confirm::Later => app.settings.radar_confirm_minutes * MINUTE_SECONDS,
        Confirm::AtOnce => 0,
    };
    let build = Build { version: Field::version, now: read.at };
    let judge = Judge { build, doubts: &watch.doubts.0, doubted_by: read.at.plus_seconds(-wait_seconds) };
    Some(settle(&watch.baseline, &found.snapshot, judge))
}

/// Puts together what is stored, from reads and what each settled, in their order.
fn conclude(app: &App, watch: &Watch, mut settled: Vec<Settled>, reads: &[SiteRead]) -> CheckResult {
    let evidence: Vec<Evidence> = reads.iter().rev().flat_map(SiteRead::evidence).cloned().collect();
    let last = reads.last().expect("a check reads at least once");
    let proof = Proof { url: &last.url, evidence: &evidence, seen_at: last.at };
    let mut changes: Vec<Change> =
        settled.iter().flat_map(|settled| diff(&settled.before, &settled.baseline, proof)).collect();
    let settled = settled.pop();
    let scored = score(app, watch, last, settled.as_ref());
    let step = app.settings.radar_score_step;
    let moved = scored.reported.and_then(|reported| score_change(reported, scored.score, step, proof));
    let score_told = if moved.is_some() { Some(scored.score) } else { scored.score_told };
    changes.extend(moved);
    let is_in_doubt = settled.as_ref().is_some_and(|settled| settled.is_in_doubt);
    let judged = settled.as_ref().is_some_and(|settled| settled.reach != Reach::Nothing);
    let (baseline, doubts) = match settled {
        Some(settled) => (settled.baseline, Doubts(settled.doubts)),
        None => (watch.baseline.clone(), watch.doubts.clone()),
    };
    CheckResult {
        next_check_at: next_check(app, last.at, is_in_doubt),
        score: scored.score,
        score_told,
        scored_with: scored.scored_with,
        baseline,
        doubts,
        site_status: last.status.as_str().to_owned(),
        complete: last.found.as_ref().is_some_and(|found| found.snapshot.pages.complete),
        judged,
        at: last.at,
        changes,
    }
}

impl SiteRead {
    /// Whether what was read shows that the business is suppressed.
    fn is_covered_by(&self, list: &SuppressedSet) -> bool {
        list.covers_website(&self.url) || self.found.as_ref().is_some_and(|found| list.covers_lead(&found.found.lead))
    }

    fn evidence(&self) -> &[Evidence] {
        self.found.as_ref().map_or(&[], |found| &found.found.lead.evidence)
    }
}

/// A score, and what it is compared with.
struct Scored {
    score: i64,
    /// The score that was reported last, when this one can be compared with it.
    reported: Option<i64>,
    score_told: Option<i64>,
    scored_with: i64,
}

/// Scores what is settled: what is in doubt still counts as it was. A score of other weights, of other finders or of other
/// pages is no move of the business: it replaces the one before without an alert.
fn score(app: &App, watch: &Watch, read: &SiteRead, settled: Option<&Settled>) -> Scored {
    let kept =
        Scored { score: watch.score, reported: None, score_told: watch.score_told, scored_with: watch.scored_with };
    let (Some(found), Some(settled)) = (&read.found, settled) else { return kept };
    let (is_same, is_new) = match settled.reach {
        Reach::Whole | Reach::SamePages => (true, false),
        Reach::First => (false, true),
        Reach::MorePages => (false, !watch.baseline.is_complete()),
        Reach::FewerPages | Reach::Nothing => (false, false),
    };
    let own = scoring_mark(&app.settings.score);
    if !(is_same || is_new) || is_newer(watch.scored_with, own) {
        return kept;
    }
    let score = if settled.reach == Reach::Whole && settled.doubts.is_empty() {
        found.found.score.points
    } else {
        let mut lead = found.found.lead.clone();
        settled.baseline.restore(&mut lead);
        lead::score(&lead, &found.found.site, watch.business.category(), &app.settings.score).points
    };
    let reported = watch.score_told.filter(|_| is_same && watch.scored_with == own);
    Scored { score, reported, score_told: Some(reported.unwrap_or(score)), scored_with: own }
}

/// A doubt is looked into soon; anything else waits for the next turn.
fn next_check(app: &App, now: Moment, is_in_doubt: bool) -> Moment {
    if is_in_doubt { now.plus_seconds(app.settings.radar_confirm_minutes * MINUTE_SECONDS) } else { spread(app, now) }
}

/// Stores a check, in one transaction with its alert.
async fn store_result(app: &App, taken: &Taken<Watch>, result: &CheckResult) -> Result<CheckOutcome, DbError> {
    let mut tx = app.db.begin_in_background(Sharer::CHORES, 1).await?;
    let Some(number) = store::conclude(&mut tx, &taken.lease, result).await? else { return Ok(CheckOutcome::Lost) };
    store::insert_check(&mut tx, taken.job.id, number, result).await?;
    if number % FORGET_EVERY_CHECKS == 0 {
        store::forget_checks(&mut tx, taken.job.id, number - KEPT_CHECKS_MAX).await?;
    }
    app.steps.reach(Step::CheckStored);
    if !result.changes.is_empty() {
        alert::raise(app, &mut tx, &taken.job, Raised { changes: &result.changes, score: result.score }).await?;
        app.steps.reach(Step::CheckTold);
    }
    tx.commit().await?;
    app.steps.reach(Step::CheckDone);
    Ok(if !result.judged {
        CheckOutcome::Unreadable
    } else if !result.changes.is_empty() {
        CheckOutcome::Alerted
    } else if !result.doubts.0.is_empty() {
        CheckOutcome::InDoubt
    } else {
        CheckOutcome::Same
    })
}

/// The longest time from a check to the next one, whatever the reason for it.
pub(super) fn wait_seconds_max(settings: &Settings) -> i64 {
    let every = settings.radar_every_hours * HOUR_SECONDS;
    (every + every / SPREAD_PART).max(settings.radar_confirm_minutes * MINUTE_SECONDS)
}

/// When to check next: about `radar_every_hours` from now, varied so that watches made together drift apart.
pub(super) fn spread(app: &App, now: Moment) -> Moment {
    let every = app.settings.radar_every_hours * HOUR_SECONDS;
    let mut random = [0; 2];
    app.ids.fill(&mut random);
    let part = every / SPREAD_PART;
    now.plus_seconds(every - part + 2 * part * i64::from(u16::from_le_bytes(random)) / i64::from(u16::MAX))
}

/// What a score is made with: the weights in the lower 32 bits, above them a version that grows with every finder.
pub(super) fn scoring_mark(weights: &Weights) -> i64 {
    let mut hash = crc32fast::Hasher::new();
    for (rule, points) in weights.iter() {
        hash.update(rule.key.as_bytes());
        hash.update(&points.to_le_bytes());
    }
    (i64::from(Field::Score.version()) << VERSION_SHIFT) | i64::from(hash.finalize())
}

/// Whether a score was made by a newer build than the one with the mark `own`.
fn is_newer(mark: i64, own: i64) -> bool {
    mark >> VERSION_SHIFT > own >> VERSION_SHIFT
}
