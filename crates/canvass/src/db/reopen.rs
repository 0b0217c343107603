//! Replaces the connections to a SQLite file that could not be written.
//!
//! A connection that was opened while the disk was read-only stays read-only for good, and so does the shared memory of
//! the log, which all connections of a process have in common: it is opened anew only once all of them are closed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures::future::join_all;
use sqlx::pool::PoolConnection;
use sqlx::{Sqlite, SqlitePool};
use tokio::time::timeout;

/// How long to wait for the readers in use. When one takes longer, the next failed write tries again.
const READERS_WAIT_MAX: Duration = Duration::from_secs(2);

/// How often connections were replaced in this process.
static REOPENED: AtomicU64 = AtomicU64::new(0);

/// How often connections were replaced in this process. One that is no part of a pool is closed by its owner when this
/// has changed.
pub(super) fn reopened() -> u64 {
    REOPENED.load(Ordering::Relaxed)
}

/// Closes the writer and, as far as they are free in time, all readers; the pools open new ones when they are needed.
pub(super) async fn reopen(writer: PoolConnection<Sqlite>, readers: SqlitePool) {
    REOPENED.fetch_add(1, Ordering::Relaxed);
    let mut open = vec![writer];
    let gather = async {
        for _ in 0..readers.options().get_max_connections() {
            match readers.acquire().await {
                Ok(reader) => open.push(reader),
                Err(_) => return,
            }
        }
    };
    // What was gathered in time is closed all the same.
    let _ = timeout(READERS_WAIT_MAX, gather).await;
    for closed in join_all(open.into_iter().map(PoolConnection::close)).await {
        if let Err(error) = closed {
            tracing::debug!(error = &error as &dyn std::error::Error, "a connection was not closed properly");
        }
    }
}
