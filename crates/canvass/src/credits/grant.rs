//! Gives credits, or takes them back.

use super::{BALANCE_MAX, Entry, Reason, store};
use crate::app::App;
use crate::db::DbError;
use crate::ids::AccountId;

/// The credits cannot be granted.
#[derive(Debug, thiserror::Error)]
pub enum GrantError {
    /// Nothing to do.
    #[error("a grant of 0 credits changes nothing; say how many to give, or to take with a minus sign")]
    Nothing,
    /// A balance stays between zero and what can be counted.
    #[error("a grant of {amount} would take the balance of {balance} out of its range, which is 0 to {BALANCE_MAX}")]
    OutOfRange {
        /// What was asked.
        amount: i64,
        /// What there is.
        balance: i64,
    },
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Gives credits (takes them when below zero) and says what the balance then is.
pub async fn grant(app: &App, account: AccountId, amount: i64, note: Option<String>) -> Result<i64, GrantError> {
    if amount == 0 {
        return Err(GrantError::Nothing);
    }
    let mut tx = app.db.begin().await?;
    let entry = Entry { amount, reason: Reason::Grant, subject: None, note };
    let Some(balance) = store::add(&mut tx, account, entry, app.clock.now()).await? else {
        return Err(GrantError::OutOfRange { amount, balance: store::balance(&mut tx, account).await? });
    };
    tx.commit().await?;
    Ok(balance)
}
