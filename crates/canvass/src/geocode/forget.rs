//! Deletes what is too old to be believed.

use super::store;
use crate::clock::Moment;
use crate::db::{Db, DbError};

/// Deletes addresses that were located too long ago.
pub async fn forget_old(db: &Db, now: Moment) -> Result<(), DbError> {
    store::delete_expired(db, now).await
}
