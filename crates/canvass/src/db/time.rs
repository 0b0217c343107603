//! The database's time: the server's own clock, and the highest time that its clients have agreed on.

use std::time::{Duration, Instant};

use super::deadline::in_time;
use super::{Db, DbError, sql};
use crate::clock::Moment;

/// How far one call may advance the stored time.
const SEEN_STEP_SECONDS_MAX: i64 = 10 * 60;

/// One reading of the database server's clock.
#[derive(Clone, Copy, Debug)]
pub struct ServerTime {
    /// The server's time.
    pub moment: Moment,
    /// When it was read, on this process's monotonic clock.
    pub at: Instant,
    /// Round trip of the reading; its error is at most half of this.
    pub took: Duration,
}

/// Reads the clock of the database server. `None` on SQLite, whose clock is this machine's.
pub async fn server_time(db: &Db) -> Result<Option<ServerTime>, DbError> {
    let Db::Pg { pool, .. } = db else { return Ok(None) };
    // The connection first: waiting for one says nothing about the time.
    let mut connection = pool.acquire().await?;
    let asked = Instant::now();
    let asking = sqlx::query_as("select cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)");
    let answer = in_time(asking.fetch_one(&mut *connection)).await;
    if answer.is_err() {
        connection.close_on_drop();
    }
    let (micros,): (i64,) = answer?;
    let took = asked.elapsed();
    Ok(Some(ServerTime { moment: Moment::from_micros(micros), at: asked + took / 2, took }))
}

/// Advances the time stored in the database to `now`, but by a small step at most, and returns it. Every server calls it
/// every minute, so it keeps up with them and catches up after a long pause; a clock that is hours ahead moves it by
/// minutes, and the next correct server moves it back. Deletions that cannot be undone go by this time.
pub async fn see_time(db: &Db, now: Moment) -> Result<Moment, DbError> {
    let mut tx = db.begin().await?;
    let (seen,) = sql("update time_seen set seen_at = case
            when seen_at = 0 or $1 < seen_at + $2 then $1 else seen_at + $2 end
         where id = 1 returning seen_at")
    .bind(now)
    .bind(SEEN_STEP_SECONDS_MAX * 1_000_000)
    .one(&mut tx)
    .await?;
    tx.commit().await?;
    Ok(seen)
}
