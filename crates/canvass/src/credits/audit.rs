//! Checks that every balance is the sum of its lines.

use super::store;
use crate::db::{Db, DbError};
use crate::ids::AccountId;

/// An account whose balance and ledger disagree. There must never be one.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Discrepancy {
    /// Whose.
    #[sqlx(try_from = "String")]
    pub account: AccountId,
    /// What the account says.
    pub balance: i64,
    /// What its lines add up to.
    pub ledger: i64,
}

/// Every account whose books are wrong; none, always.
pub async fn audit(db: &Db) -> Result<Vec<Discrepancy>, DbError> {
    store::discrepancies(db).await
}
