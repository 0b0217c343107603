//! Starts watching the business of a lead.

use super::baseline::Baseline;
use super::check::{scoring_mark, spread};
use super::snapshot::{Field, PagesRead, Snapshot};
use super::{Business, Doubts, Watch, from_json, store};
use crate::account::Account;
use crate::app::App;
use crate::clock::Moment;
use crate::db::DbError;
use crate::idempotency::{self, Claim, TakenOver};
use crate::ids::{LeadId, WatchId};
use crate::lead::{self, Lead};
use crate::signals::Site;

/// A watch, and how much of its account's cap is used.
#[derive(Clone, Debug, PartialEq)]
pub struct Watched {
    /// A new watch, or the one that already existed.
    pub watch: Watch,
    /// Businesses the account watches.
    pub used: i64,
    /// Businesses it may watch.
    pub cap: i64,
}

/// Why a business is not watched.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// The account has no such lead.
    #[error("there is no such lead on this account")]
    NoLead,
    /// The plan's cap is reached.
    #[error(
        "{used} businesses are watched already, and the plan allows {cap}; stop watching one, or move to a larger plan"
    )]
    CapReached {
        /// Businesses the account watches.
        used: i64,
        /// Businesses the plan allows.
        cap: i64,
    },
    /// It was watched under this Idempotency-Key, and is not watched any more.
    #[error(
        "the watch that this Idempotency-Key made has been removed since; use a new key to watch the business again"
    )]
    Removed,
    /// Another request with the same Idempotency-Key is in progress.
    #[error(transparent)]
    TakenOver(#[from] TakenOver),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Watches the business of a lead, once for each claim. A business that is watched already stays watched as it is,
/// whichever lead names it.
pub async fn watch(app: &App, account: &Account, lead: LeadId, claim: Option<&Claim>) -> Result<Watched, WatchError> {
    let cap = app.settings.plans.of(account.tier).radar_cap;
    if let Some(made) = claim.and_then(Claim::made).and_then(WatchId::parse) {
        let watch = store::find(&app.db, account.id, made).await?.ok_or(WatchError::Removed)?.into_inner();
        return Ok(Watched { watch, used: store::count(&app.db, account.id).await?, cap });
    }
    let kept = lead::store::whole(&app.db, account.id, lead).await?.ok_or(WatchError::NoLead)?;
    let (Ok(lead), site) = (kept.lead.parse(), from_json(&kept.site.facts)) else { return Err(WatchError::NoLead) };
    if app.suppressions.current().await?.covers_lead(&lead) {
        // It was suppressed a moment ago, and is blanked in the next.
        return Err(WatchError::NoLead);
    }
    let mut watch = new_watch(app, account, &Scored { lead: &lead, site: &site, score: kept.score });
    if let Some(claim) = claim {
        watch.id = WatchId::from_uuid(claim.subject);
    }
    let mut tx = app.db.begin().await?;
    store::lock_account(&mut tx, account.id).await?;
    let used = store::count(&mut tx, account.id).await?;
    if let Some(watch) = store::of_business(&mut tx, account.id, &lead.business_id).await? {
        return Ok(Watched { watch, used, cap });
    }
    if used >= cap {
        return Err(WatchError::CapReached { used, cap });
    }
    store::insert(&mut tx, &watch).await?;
    if !idempotency::settle(&mut tx, claim, &watch.id.to_string()).await? {
        return Err(TakenOver.into());
    }
    tx.commit().await?;
    Ok(Watched { watch, used: used + 1, cap })
}

/// A lead with what its score was made from.
struct Scored<'a> {
    lead: &'a Lead,
    site: &'a Site,
    score: i64,
}

/// A watch whose baseline is what the lead's own read saw, when that was complete and by the finders of this build.
fn new_watch(app: &App, account: &Account, scored_lead: &Scored<'_>) -> Watch {
    let Scored { lead, site, score } = *scored_lead;
    let now = app.clock.now();
    let business = Business::of(lead);
    let is_known = site.complete && site.read_by == Field::Score.version() && lead.signals.basic.detected;
    // Scored anew: the weights may have changed since the lead was delivered.
    let scored = is_known.then(|| lead::score(lead, site, business.category(), &app.settings.score).points);
    Watch {
        id: app.ids.next(now),
        account: account.id,
        lead: lead.lead_id,
        business_id: lead.business_id.clone(),
        business,
        baseline: if is_known { learnt(lead, now) } else { Baseline::default() },
        doubts: Doubts::default(),
        score: scored.unwrap_or(score),
        score_told: scored,
        scored_with: scoring_mark(&app.settings.score),
        site_status: lead.site_status.clone(),
        created_at: now,
        last_checked_at: None,
        // A watch without a baseline is checked at once, if there is a website to read.
        next_check_at: if is_known || lead.website.is_none() { spread(app, now) } else { now },
        checks: 0,
    }
}

/// What the lead's own read saw. Its pages were not kept.
fn learnt(lead: &Lead, now: Moment) -> Baseline {
    Baseline::of_complete(&Snapshot::of(lead, PagesRead::default()), now)
}
