//! Checks that what was used of an allowance is what the uses add up to.

use super::{Discrepancy, store};
use crate::db::{Db, DbError};

/// Every month of enrichment whose meter is wrong; there must be none. Intros are not checked, as their uses are deleted after a while.
pub async fn audit(db: &Db) -> Result<Vec<Discrepancy>, DbError> {
    store::discrepancies(db).await
}
