//! Checks that what was used of an allowance is what the uses add up to.

use super::store;
use crate::db::{Db, DbError};
use crate::ids::AccountId;

/// A month of an account whose meter and uses disagree. There must never be one.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Discrepancy {
    /// Whose.
    #[sqlx(try_from = "String")]
    pub account: AccountId,
    /// Such as `2026-11`.
    pub month: String,
    /// What the meter says.
    pub used: i64,
    /// Uses that are held or spent.
    pub uses: i64,
}

/// Every month of enrichment whose books are wrong; none, always. Intros are not looked at: their uses are forgotten.
pub async fn audit(db: &Db) -> Result<Vec<Discrepancy>, DbError> {
    store::discrepancies(db).await
}
