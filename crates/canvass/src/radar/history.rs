//! The checks of a watch: what a person would plot.

use super::{Change, Watch, from_json, store};
use crate::clock::Moment;
use crate::db::{Db, DbError};
use crate::owned::Owned;

/// Checks kept of each watch: more than a year of daily ones.
pub const KEPT_CHECKS_MAX: i64 = 400;

/// One check.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct Check {
    /// Its number within the watch, from 1.
    pub number: i64,
    /// When.
    pub checked_at: Moment,
    /// How reading the website ended.
    pub site_status: String,
    /// Whether every page that was chosen was read: only then was it compared.
    pub complete: bool,
    /// The score after it.
    pub score: i64,
    /// What it told.
    #[sqlx(try_from = "String")]
    pub changes: Changes,
}

/// Changes as they are stored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes(pub Vec<Change>);

impl From<String> for Changes {
    fn from(text: String) -> Changes {
        Changes(from_json(&text))
    }
}

/// The last checks of a watch of the caller's account, newest first.
pub async fn history(db: &Db, watch: &Owned<Watch>, limit: i64) -> Result<Vec<Check>, DbError> {
    store::checks(db, watch.id, limit.min(KEPT_CHECKS_MAX)).await
}
