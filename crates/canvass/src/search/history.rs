//! The searches an account has made, newest first.

use super::{Search, Status, store};
use crate::clock::Moment;
use crate::db::{Db, DbError};
use crate::ids::AccountId;

/// Which searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// Only those that stand like this.
    pub status: Option<Status>,
    /// Only those begun after this.
    pub since: Option<Moment>,
    /// At most so many.
    pub limit: Option<i64>,
}

impl History {
    /// The most searches that are listed.
    pub const SEARCHES_MAX: i64 = 100;
}

/// Lists them.
pub async fn history(db: &Db, account: AccountId, wanted: History) -> Result<Vec<Search>, DbError> {
    store::history(db, account, wanted).await
}
