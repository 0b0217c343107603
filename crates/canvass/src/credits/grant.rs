//! Gives credits, or takes them back.

use super::{BALANCE_MAX, LedgerEntry, Reason, store};
use crate::app::App;
use crate::db::DbError;
use crate::ids::AccountId;

/// The credits cannot be granted.
#[derive(Debug, thiserror::Error)]
pub enum GrantError {
    /// The amount is zero.
    #[error("a grant of 0 credits changes nothing; say how many to give, or to take with a minus sign")]
    Nothing,
    /// The balance would become negative or exceed the maximum.
    #[error("a grant of {amount} would take the balance of {balance} out of its range, which is 0 to {BALANCE_MAX}")]
    OutOfRange {
        /// The requested change.
        amount: i64,
        /// The balance before it.
        balance: i64,
    },
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Adds credits, or takes them when negative, and returns the new balance.
pub async fn grant(app: &App, account: AccountId, amount: i64, note: Option<String>) -> Result<i64, GrantError> {
    if amount == 0 {
        return Err(GrantError::Nothing);
    }
    let mut tx = app.db.begin().await?;
    let entry = LedgerEntry { amount, reason: Reason::Grant, subject: None, note };
    let Some(balance) = store::add(&mut tx, account, entry, app.clock.now()).await? else {
        return Err(GrantError::OutOfRange { amount, balance: store::balance(&mut tx, account).await? });
    };
    tx.commit().await?;
    Ok(balance)
}
