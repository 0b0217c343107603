//! Monthly refill: the balance is raised to the plan's monthly credits.
//!
//! It is filled up, not added to: bought credits stay, unused monthly ones do not accumulate.

use super::{Account, store};
use crate::app::App;
use crate::credits::{self, LedgerEntry, Reason};
use crate::db::DbError;

/// Accounts read in one statement.
const BATCH_ACCOUNTS_MAX: i64 = 500;
const DAY_SECONDS: i64 = 24 * 60 * 60;
/// Refill dates closer than this belong to the same month; the day may differ where months are short.
const SAME_REFILL_SECONDS: i64 = 14 * DAY_SECONDS;

/// Refills every account that is due and returns how many were. Safe to run in several processes at once.
pub async fn refill_due(app: &App) -> Result<usize, DbError> {
    let mut refilled = 0;
    loop {
        let due = store::due_for_refill(&app.db, app.clock.now(), BATCH_ACCOUNTS_MAX).await?;
        if due.is_empty() {
            break;
        }
        for account in due {
            refilled += usize::from(refill(app, &account).await?);
        }
    }
    bring_back(app).await?;
    Ok(refilled)
}

/// The next refill is a month away at most. A date beyond that was written by a server whose clock was ahead: it goes back
/// to the next of its days, by whole months. What was granted for a day is not granted for it again.
async fn bring_back(app: &App) -> Result<(), DbError> {
    let latest = app.clock.now().plus_month().plus_seconds(DAY_SECONDS);
    for account in store::refilled_beyond(&app.db, latest, BATCH_ACCOUNTS_MAX).await? {
        let mut next = account.refill_at;
        while next > latest {
            next = next.minus_month();
        }
        let mut tx = app.db.begin().await?;
        store::move_refill(&mut tx, &account, next).await?;
        tx.commit().await?;
        tracing::warn!(account.id = %account.id, "a refill date of a clock that was ahead is brought back to {next}");
    }
    Ok(())
}

/// Refills one account. `false` when another process was faster.
async fn refill(app: &App, account: &Account) -> Result<bool, DbError> {
    let now = app.clock.now();
    let mut next = account.refill_at.plus_month();
    // A server that was off for months fills up once, not once for each month.
    while next <= now && next > account.refill_at {
        next = next.plus_month();
    }
    let mut tx = app.db.begin().await?;
    if !store::move_refill(&mut tx, account, next).await? {
        return Ok(false);
    }
    // Read again under the lock that the move took: a search may have spent since.
    let balance = store::find(&mut tx, account.id).await?.map_or(0, |account| account.credits);
    let missing = app.settings.plans.of(account.tier).monthly_credits - balance;
    let around = [-SAME_REFILL_SECONDS, SAME_REFILL_SECONDS].map(|seconds| account.refill_at.plus_seconds(seconds));
    if missing > 0 && !credits::store::was_refilled(&mut tx, account.id, around).await? {
        let subject = Some(account.refill_at.to_string());
        let entry = LedgerEntry { amount: missing, reason: Reason::Refill, subject, note: None };
        credits::store::add(&mut tx, account.id, entry, now).await?;
    }
    tx.commit().await?;
    Ok(true)
}
