//! Whether a request that writes would succeed now.
//!
//! Load balancers ask often, so the database is asked at most once a second.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::time::timeout;

use super::room::try_room;
use super::{Db, DbError, sql};

/// How long a result is reused.
const ANSWER_AGE_MAX: Duration = Duration::from_secs(1);
/// How long the database may take; a load balancer gets its answer within three seconds.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(2);
/// Bytes written, and rolled back, on SQLite: enough that the file would have to grow.
const FILLER_BYTES: usize = 64 * 1024;

/// Finds out whether the database takes writes.
#[derive(Debug)]
pub struct Readiness {
    db: Db,
    last: Arc<Mutex<Option<Tried>>>,
}

#[derive(Clone, Debug)]
struct Tried {
    at: Instant,
    result: Result<(), Arc<DbError>>,
}

impl Readiness {
    /// Asks nothing of the database yet.
    pub fn new(db: Db) -> Readiness {
        Readiness { db, last: Arc::default() }
    }

    /// Tries a write that leaves nothing behind, or reuses a result less than a second old.
    pub async fn check(&self) -> Result<(), Arc<DbError>> {
        let last = self.last.clone().lock_owned().await;
        if let Some(tried) = last.as_ref().filter(|tried| tried.at.elapsed() < ANSWER_AGE_MAX) {
            return tried.result.clone();
        }
        // A task of its own, so that clients that hang up cannot have it tried more often.
        let trying = tokio::spawn(try_now(self.db.clone(), last));
        trying.await.unwrap_or_else(|_| Err(Arc::new(sqlx::Error::PoolClosed.into())))
    }
}

async fn try_now(db: Db, mut last: OwnedMutexGuard<Option<Tried>>) -> Result<(), Arc<DbError>> {
    let tried = timeout(ANSWER_TIME_MAX, try_write(&db)).await;
    let result = tried.unwrap_or_else(|_| Err(DbError::Unavailable(sqlx::Error::PoolTimedOut))).map_err(Arc::new);
    let was_ready = last.as_ref().is_none_or(|before| before.result.is_ok());
    match &result {
        Err(error) if was_ready => {
            tracing::error!(
                error = error.as_ref() as &dyn std::error::Error,
                "not ready: the database takes no writes"
            );
        }
        Ok(()) if !was_ready => tracing::info!("ready again: the database takes writes"),
        _ => {}
    }
    *last = Some(Tried { at: Instant::now(), result: result.clone() });
    result
}

async fn try_write(db: &Db) -> Result<(), DbError> {
    if let Db::Sqlite { writer, .. } = db {
        try_disk(writer.connect_options().get_filename()).await?;
    }
    let mut tx = db.begin().await?;
    match db {
        // Pages that are rolled back are not written to the disk: this tries the file's permissions and its page limit.
        Db::Sqlite { .. } => {
            sql("create table readiness (filler text)").run(&mut tx).await?;
            let filler = "x".repeat(FILLER_BYTES);
            sql("insert into readiness (filler) values ($1)").bind(filler).run(&mut tx).await?;
        }
        Db::Pg { .. } => {
            sql("update sandbox set age = age where id = 1").run(&mut tx).await?;
        }
    }
    // Dropped without a commit.
    Ok(())
}

/// Whether the disk below the file has room.
async fn try_disk(file: &Path) -> Result<(), DbError> {
    let folder: PathBuf = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.into(),
        _ => ".".into(),
    };
    let tried = tokio::task::spawn_blocking(move || try_room(&folder)).await;
    match tried.map_err(|_| sqlx::Error::WorkerCrashed)? {
        Err(error) if matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => {
            Err(DbError::StorageFull(error.into()))
        }
        Err(error) if error.kind() == ErrorKind::ReadOnlyFilesystem => Err(DbError::ReadOnly(error.into())),
        // Whether the folder takes other files is its own affair: the write that follows decides.
        _ => Ok(()),
    }
}
