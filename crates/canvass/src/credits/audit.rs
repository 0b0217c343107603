//! Checks that every balance is the sum of its lines.

use super::{Discrepancy, store};
use crate::db::{Db, DbError};

/// Accounts whose balance and ledger disagree. Expected to be empty.
pub async fn audit(db: &Db) -> Result<Vec<Discrepancy>, DbError> {
    store::discrepancies(db).await
}
