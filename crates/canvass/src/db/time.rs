//! What time the database has: the server's own clock, and the time it has seen pass.

use std::time::{Duration, Instant};

use super::query::in_time;
use super::{Db, DbError, sql};
use crate::clock::Moment;

/// How far one look may move the time the database has seen.
const SEEN_STEP_SECONDS_MAX: i64 = 10 * 60;

/// One look at the database server's clock.
#[derive(Clone, Copy, Debug)]
pub struct ServerTime {
    /// What it showed.
    pub moment: Moment,
    /// When that was, on this process's steady clock.
    pub at: Instant,
    /// How long the question was on its way: the moment is right to half of it.
    pub took: Duration,
}

/// Looks at the clock of the database server. `None` on SQLite, whose clock is this machine's.
pub async fn server_time(db: &Db) -> Result<Option<ServerTime>, DbError> {
    let Db::Pg(pool) = db else { return Ok(None) };
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

/// Tells the database what time it is, and gets the time it has seen pass: `now`, unless that is more than a small step
/// beyond what was seen before. Called every minute by every server it keeps up with them, and after a long pause catches
/// up; a clock that is hours ahead moves it by minutes, and the next sound server moves it back. What is forgotten for
/// good goes by this time.
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
