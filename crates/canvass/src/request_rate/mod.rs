//! How much of its rate limit each caller has used up, on all servers of a database together.

mod store;

use crate::clock::Moment;
use crate::db::{Db, DbError};

/// A caller cannot owe more seconds than this: a time further ahead was written while a clock was wrong.
const OWED_SECONDS_MAX: i64 = 10 * 60;
/// Callers in one statement.
const CALLERS_MAX: usize = 1_000;

/// A caller, and how many microseconds of its quota it has used up since it was last reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Used {
    /// The caller's name.
    pub caller: String,
    /// Microseconds until this part of the quota is available again.
    pub micros: i64,
}

/// Adds what callers used on this server. Returns when the quota of each is whole again, counting every server.
pub async fn add(db: &Db, mut used: Vec<Used>, now: Moment) -> Result<Vec<(String, Moment)>, DbError> {
    // Servers that lock the same rows lock them in the same order.
    used.sort_by(|a, b| a.caller.cmp(&b.caller));
    let wrong = now.plus_seconds(OWED_SECONDS_MAX);
    let mut totals = Vec::with_capacity(used.len());
    let mut tx = db.begin().await?;
    for part in used.chunks(CALLERS_MAX) {
        totals.extend(store::add(&mut tx, part, (now, wrong)).await?);
    }
    tx.commit().await?;
    Ok(totals)
}

/// Deletes the rows of callers whose quota is whole.
pub async fn forget_old(db: &Db, now: Moment) -> Result<(), DbError> {
    store::delete_whole(db, now).await
}
