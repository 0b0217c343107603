//! Replaces the connections to a SQLite file that could not be written.
//!
//! A connection that was opened while the disk was read-only stays read-only for good, and so does the shared memory of
//! the log, which all connections of a process have in common: it is opened anew only once all of them are closed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures::future::join_all;
use sqlx::pool::PoolConnection;
use sqlx::{Sqlite, SqlitePool};
use tokio::sync::{RwLock, RwLockReadGuard};
use tokio::time::timeout;

/// How long to wait for the readers in use, and for connections outside of the pools. When one takes longer, the next failed write
/// tries again.
const READERS_WAIT_MAX: Duration = Duration::from_secs(2);
const OTHERS_WAIT_MAX: Duration = Duration::from_secs(2);

/// How often connections were replaced in this process.
static REOPENED: AtomicU64 = AtomicU64::new(0);

/// Locked by those who have a connection outside of the pools, so that it is closed together with the others: as long as one is
/// open, new ones are as read-only as the old.
static OUTSIDE: RwLock<()> = RwLock::const_new(());

/// Held by whoever has a connection outside of the pools.
#[derive(Debug)]
pub(super) struct OutsidePools(#[expect(dead_code, reason = "held, not read")] RwLockReadGuard<'static, ()>);

impl OutsidePools {
    /// Waits while connections are replaced.
    pub(super) async fn enter() -> OutsidePools {
        OutsidePools(OUTSIDE.read().await)
    }
}

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
    let _others = timeout(OTHERS_WAIT_MAX, OUTSIDE.write()).await;
    for closed in join_all(open.into_iter().map(PoolConnection::close)).await {
        if let Err(error) = closed {
            tracing::debug!(error = &error as &dyn std::error::Error, "a connection was not closed properly");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::{CommitCounter, Db, open, sql};

    #[tokio::test]
    async fn connections_outside_of_the_pools_are_closed_together_with_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let db = open(None, folder.path()).await.unwrap();
        let mut counter = CommitCounter::open(&db).await.unwrap().expect("an embedded database");
        counter.read().await.unwrap();
        // SQLite removes the shared memory with its last connection.
        let shared_memory = || folder.path().join("canvass.db-shm").exists();
        assert!(shared_memory());
        let listening = tokio::spawn(async move {
            while counter.read().await.is_ok() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });

        let Db::Sqlite { readers, writer, .. } = &db else { unreachable!("it is embedded") };
        reopen(writer.acquire().await.unwrap(), readers.clone()).await;
        listening.await.unwrap();
        assert!(!shared_memory(), "all were closed at once");
        sql("select 1").one::<(i64,)>(&db).await.unwrap();
        assert!(shared_memory());
    }
}
