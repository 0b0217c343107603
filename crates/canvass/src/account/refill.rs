//! Each month an account's balance is filled up to what its plan includes.
//!
//! Filled up, not added to: what was bought stays, what was not used is not saved for ever.

use super::{Account, store};
use crate::app::App;
use crate::credits::{self, Entry, Reason};
use crate::db::DbError;

/// Accounts looked at in one go.
const BATCH_ACCOUNTS_MAX: i64 = 500;

/// Refills every account that is due, and says how many were. Any number of processes may do this at once.
pub async fn refill_due(app: &App) -> Result<usize, DbError> {
    let mut refilled = 0;
    loop {
        let due = store::due_for_refill(&app.db, app.clock.now(), BATCH_ACCOUNTS_MAX).await?;
        if due.is_empty() {
            return Ok(refilled);
        }
        for account in due {
            refilled += usize::from(refill(app, &account).await?);
        }
    }
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
    if missing > 0 {
        let subject = Some(account.refill_at.to_string());
        let entry = Entry { amount: missing, reason: Reason::Refill, subject, note: None };
        credits::store::add(&mut tx, account.id, entry, now).await?;
    }
    tx.commit().await?;
    Ok(true)
}
