//! The checks of a watch, to plot its history.

use super::{Change, Watch, from_json, store};
use crate::clock::Moment;
use crate::db::{Db, DbError};
use crate::owned::Owned;

/// Checks kept of each watch: more than a year of daily ones.
pub const KEPT_CHECKS_MAX: i64 = 400;

/// One check.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct Check {
    /// Sequence number within the watch, from 1.
    pub number: i64,
    /// The time of the last read.
    pub checked_at: Moment,
    /// How that read ended.
    pub site_status: String,
    /// Whether every chosen page was read whole; otherwise pages were compared one by one.
    pub complete: bool,
    /// The opportunity score after the check.
    pub score: i64,
    /// The changes it reported; usually none.
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
