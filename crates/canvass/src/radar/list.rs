//! The businesses an account watches, newest first.

use super::{Watch, store};
use crate::db::{Db, DbError};
use crate::ids::AccountId;

/// Watches listed at most; caps are set far below.
const WATCHES_MAX: i64 = 10_000;

/// Lists them.
pub async fn list(db: &Db, account: AccountId) -> Result<Vec<Watch>, DbError> {
    store::list(db, account, WATCHES_MAX).await
}
