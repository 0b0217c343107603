//! The checks of a watch, to plot its history.

use super::report::Check;
use super::{Watch, store};
use crate::db::{Db, DbError};
use crate::owned::Owned;

/// Checks kept of each watch: more than a year of daily ones.
pub const KEPT_CHECKS_MAX: i64 = 400;

/// The last checks of a watch of the caller's account, newest first.
pub async fn history(db: &Db, watch: &Owned<Watch>, limit: i64) -> Result<Vec<Check>, DbError> {
    store::checks(db, watch.id, limit.min(KEPT_CHECKS_MAX)).await
}
