//! The searches an account has made, newest first.

use super::{Search, Status, store};
use crate::clock::Moment;
use crate::db::{Db, DbError};
use crate::ids::AccountId;

/// Which searches to list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// Only those with this status.
    pub status: Option<Status>,
    /// Only those created after this.
    pub since: Option<Moment>,
    /// At most this many; all up to the maximum when not set.
    pub limit: Option<i64>,
}

impl History {
    /// Searches listed at most.
    pub const SEARCHES_MAX: i64 = 100;
}

/// Lists searches of an account, newest first.
pub async fn history(db: &Db, account: AccountId, wanted: History) -> Result<Vec<Search>, DbError> {
    store::history(db, account, wanted).await
}
