//! The searches an account has made, newest first.

use super::{History, Search, store};
use crate::db::{Db, DbError};
use crate::ids::AccountId;

/// Lists searches of an account, newest first.
pub async fn history(db: &Db, account: AccountId, wanted: History) -> Result<Vec<Search>, DbError> {
    store::history(db, account, wanted).await
}
