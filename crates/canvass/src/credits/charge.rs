//! Takes one credit for each thing delivered, inside the transaction that stores it.

use super::{Bill, store};
use crate::db::{DbError, Tx};
use crate::ids::AccountId;

/// What a charge did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charge {
    /// How many of the subjects, counted from the first, are paid for.
    pub paid: usize,
    /// What is left.
    pub balance: i64,
}

/// Pays for as many of the subjects as the balance allows, in their order, one ledger line each.
///
/// The caller stores exactly those that are paid, in this same transaction. A subject that was charged before is an
/// error of the whole transaction: nothing can be paid for twice.
pub async fn charge(tx: &mut Tx, account: AccountId, bill: Bill<'_>) -> Result<Charge, DbError> {
    let mut affordable = bill.subjects.len();
    loop {
        if affordable == 0 {
            return Ok(Charge { paid: 0, balance: store::balance(tx, account).await? });
        }
        let part = Bill { subjects: &bill.subjects[..affordable], ..bill };
        if let Some(balance) = store::take_each(tx, account, part).await? {
            return Ok(Charge { paid: affordable, balance });
        }
        // On PostgreSQL another charge may commit between these two statements; then this one is retried with less.
        let balance = usize::try_from(store::balance(tx, account).await?).unwrap_or(0);
        affordable = balance.min(affordable.saturating_sub(1));
    }
}
