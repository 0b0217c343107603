//! Opens the database a setting names, tuned so that money is durable and waiting is patient.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, Executor};

use super::{Db, DbError};

/// How long PostgreSQL waits for a process that does nothing inside a transaction.
const IDLE_MAX: &str = "5s";
/// How long a request waits for its turn before the database counts as overloaded.
const TURN_WAIT_MAX: Duration = Duration::from_secs(30);
/// How long a wait is worth a line in the log.
const TURN_WAIT_LONG: Duration = Duration::from_secs(10);
/// How long a database server may take to greet us at the start.
const GREETING_WAIT_MAX: Duration = Duration::from_secs(10);
/// How long SQLite waits for another process to finish writing.
const BUSY_WAIT_MAX: Duration = Duration::from_secs(60);
/// Connections that read the embedded database at once.
const SQLITE_READERS_MAX: u32 = 4;
/// Connections to PostgreSQL of one process.
const POSTGRES_CONNECTIONS_MAX: u32 = 16;
/// The embedded database's file inside the data folder.
const SQLITE_FILE: &str = "canvass.db";

/// The database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The address is not one we know.
    #[error("database_url must start with postgres:// or sqlite://, or be empty for the database in the data folder")]
    Address,
    /// The data folder cannot be made.
    #[error("the data folder {path} cannot be created")]
    Folder {
        /// The folder.
        path: String,
        /// Why not.
        source: std::io::Error,
    },
    /// It is there but cannot be used.
    #[error("the database cannot be opened")]
    Database(#[from] DbError),
}

/// Opens the database at `url`, or the embedded one in `data` when there is none.
pub async fn open(url: Option<&str>, data: &Path) -> Result<Db, OpenError> {
    match url {
        None => open_file(&file_in(data)).await,
        Some(url) if url.starts_with("postgres://") || url.starts_with("postgresql://") => {
            let options = PgConnectOptions::from_str(url).map_err(DbError::from)?;
            Ok(open_with(options).await?)
        }
        Some(url) => match url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:")) {
            Some(path) if !path.is_empty() => open_file(Path::new(path)).await,
            _ => Err(OpenError::Address),
        },
    }
}

/// Where the embedded database lies.
pub fn file_in(data: &Path) -> PathBuf {
    data.join(SQLITE_FILE)
}

/// Opens a PostgreSQL database.
pub async fn open_with(options: PgConnectOptions) -> Result<Db, DbError> {
    // A process that hangs inside a transaction holds its locks; the server lets go of it, so that others can go on.
    let options = options.disable_statement_logging().options([("idle_in_transaction_session_timeout", IDLE_MAX)]);
    // A pool keeps trying until its patience ends; asked once directly, a wrong address or password shows at once.
    let greeting = tokio::time::timeout(GREETING_WAIT_MAX, options.connect()).await;
    greeting.map_err(|_| sqlx::Error::PoolTimedOut)??.close().await?;
    let pool = PgPoolOptions::new()
        .max_connections(POSTGRES_CONNECTIONS_MAX)
        .acquire_timeout(TURN_WAIT_MAX)
        .acquire_slow_threshold(TURN_WAIT_LONG)
        // sqlx 0.9.0 hands a connection whose `begin` was cancelled back to the pool inside an open transaction;
        // what is written on it later is lost. Ending any transaction on the way back closes that hole
        // (the server's tests/it/db.rs shows it open and closed).
        .after_release(|connection, _| {
            Box::pin(async move {
                connection.execute("ROLLBACK").await?;
                Ok(true)
            })
        })
        .connect_with(options)
        .await?;
    Ok(Db::Pg(pool))
}

async fn open_file(path: &Path) -> Result<Db, OpenError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .map_err(|source| OpenError::Folder { path: folder.display().to_string(), source })?;
    }
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        // FULL syncs the log at every commit: a charge that was answered survives a power cut.
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(BUSY_WAIT_MAX)
        .foreign_keys(true)
        .disable_statement_logging();
    let pool = |connections| {
        let options = SqlitePoolOptions::new().max_connections(connections).acquire_timeout(TURN_WAIT_MAX);
        options.acquire_slow_threshold(TURN_WAIT_LONG)
    };
    // The writer first: it creates the file and switches it to WAL, which readers may not do at the same time.
    let writer = pool(1).connect_with(options.clone()).await.map_err(DbError::from)?;
    let readers = pool(SQLITE_READERS_MAX).connect_with(options).await.map_err(DbError::from)?;
    Ok(Db::Sqlite { readers, writer })
}
