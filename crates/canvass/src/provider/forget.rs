//! Deletes answers that may not be used any more.

use super::store;
use crate::clock::Moment;
use crate::db::{Db, DbError};

/// Deletes answers that have expired.
pub async fn forget_old(db: &Db, now: Moment) -> Result<(), DbError> {
    store::delete_expired(db, now).await
}
