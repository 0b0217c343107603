//! What an account has used: by day, and of its allowances.

mod store;

pub use store::DayOfUse;

use std::sync::Arc;

use store::SoFar;

use crate::account::Account;
use crate::ai::Feature;
use crate::app::App;
use crate::clock::Moment;
use crate::db::{Coalesce, Db, DbError};
use crate::ids::AccountId;

/// Days that can be asked for at once.
pub const DAYS_MAX: i64 = 366;
const DAY_MICROS: i64 = 24 * 60 * 60 * 1_000_000;

/// What was used of something that a plan limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Used {
    /// Used so far: this month, or at present.
    pub used: i64,
    /// Included in the plan.
    pub included: i64,
}

/// What an account has left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowances {
    /// The balance is filled up to this each month.
    pub monthly_credits: i64,
    /// When that happens next.
    pub refills_at: Moment,
    /// AI enrichments this month.
    pub enrichments: Used,
    /// AI email openings this month.
    pub intros: Used,
    /// AI uses left of granted packs, for both.
    pub packs: i64,
    /// Whether what goes beyond is paid by a key of the account's own.
    pub has_own_key: bool,
    /// Businesses watched now. Without the Radar add-on none may be.
    pub watches: Used,
}

/// Reads of what accounts have used, shared by all who ask at once: programs verify their key by asking for the account.
#[derive(Debug)]
pub struct UsageReads(Coalesce<(AccountId, String), Result<SoFar, Arc<DbError>>>);

impl UsageReads {
    /// Reads from `db`.
    pub fn new(db: Db) -> UsageReads {
        let reader = db.clone();
        UsageReads(Coalesce::keeping(&db, move |(account, month): (AccountId, String)| {
            let db = reader.clone();
            async move { store::so_far(&db, account, &month).await.map_err(Arc::new) }
        }))
    }

    async fn so_far(&self, account: AccountId, month: String) -> Result<SoFar, Arc<DbError>> {
        let found = self.0.ask((account, month)).await;
        found.unwrap_or_else(|| Err(Arc::new(sqlx::Error::PoolClosed.into())))
    }
}

/// What an account has left of its allowances.
pub async fn allowances(app: &App, account: &Account) -> Result<Allowances, Arc<DbError>> {
    let plan = app.settings.plans.of(account.tier);
    let so_far = app.usage_reads.so_far(account.id, app.clock.now().month()).await?;
    Ok(Allowances {
        monthly_credits: plan.monthly_credits,
        refills_at: account.refill_at,
        enrichments: Used { used: so_far.enrichments, included: Feature::Enrich.included(plan) },
        intros: Used { used: so_far.intros, included: Feature::Intro.included(plan) },
        packs: so_far.packs,
        has_own_key: so_far.has_own_key,
        watches: Used { used: so_far.watches, included: if account.radar { plan.radar_cap } else { 0 } },
    })
}

/// The last days in UTC, today last, also those on which nothing was used.
pub async fn by_day(app: &App, account: &Account, days: i64) -> Result<Vec<DayOfUse>, DbError> {
    let today = app.clock.now().micros().div_euclid(DAY_MICROS);
    let first = today - days.clamp(1, DAYS_MAX) + 1;
    let mut found =
        store::by_day(&app.db, account.id, Moment::from_micros(first * DAY_MICROS)).await?.into_iter().peekable();
    let whole = (first..=today).map(|day| match found.next_if(|used| used.day == day) {
        Some(used) => used,
        None => DayOfUse { day, ..DayOfUse::default() },
    });
    Ok(whole.collect())
}

impl DayOfUse {
    /// The date: `2026-11-15`.
    pub fn date(&self) -> String {
        Moment::from_micros(self.day * DAY_MICROS).date()
    }
}
