//! Opens the database, tuned for durable commits and long waits instead of errors under contention.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};

use super::advice::{DatabaseAddress, OpenError};
use super::inspect::{Found, inspect};
use super::{Db, DbError};
use crate::fair_line::FairLine;
use crate::private_files;

/// After this long PostgreSQL ends a session that is idle inside a transaction.
const IDLE_MAX: &str = "5s";
/// How long to wait for a connection of the pool before the database counts as overloaded.
const TURN_WAIT_MAX: Duration = Duration::from_secs(30);
/// Waits longer than this are logged.
const TURN_WAIT_LONG: Duration = Duration::from_secs(10);
/// Time limit of the first connection at startup.
const GREETING_WAIT_MAX: Duration = Duration::from_secs(10);
/// Time limit of the check that a pooled connection still works.
const CHECK_TIME_MAX: Duration = Duration::from_secs(2);
/// How long SQLite waits for another process to finish writing.
const BUSY_WAIT_MAX: Duration = Duration::from_secs(60);
/// Connections that read the embedded database at once.
const SQLITE_READERS_MAX: u32 = 4;
/// Connections to PostgreSQL of one process.
const POSTGRES_CONNECTIONS_MAX: u32 = 16;
/// Those of them that background work may use at once.
const POSTGRES_BACKGROUND_MAX: usize = 12;
/// Transactions of background work that may use or queue for the writer of the embedded database.
pub(super) const SQLITE_BACKGROUND_MAX: usize = 1;
/// The embedded database's file inside the data folder.
const SQLITE_FILE: &str = "canvass.db";
/// Advice on an empty file, which an interrupted first start also leaves behind.
pub const EMPTY_ADVICE: &str = "If it should hold data, stop Canvass and restore the last backup in its place";

/// Opens the database at `url`, or the embedded one in `data` when there is none.
pub async fn open(url: Option<&str>, data: &Path) -> Result<Db, OpenError> {
    match file_of(url, data)? {
        Some(file) => open_file(&file).await,
        None => open_server(url.unwrap_or_default()).await,
    }
}

/// Path of the embedded database; `None` when `url` names a server.
pub fn file_of(url: Option<&str>, data: &Path) -> Result<Option<PathBuf>, OpenError> {
    match url {
        None => Ok(Some(data.join(SQLITE_FILE))),
        Some(url) if url.starts_with("postgres://") || url.starts_with("postgresql://") => Ok(None),
        Some(url) => match url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:")) {
            Some(path) if !path.is_empty() => Ok(Some(path.into())),
            _ => Err(OpenError::Address),
        },
    }
}

pub(super) async fn open_server(url: &str) -> Result<Db, OpenError> {
    let options = PgConnectOptions::from_str(url).map_err(OpenError::Url)?;
    let place = DatabaseAddress::server(&options);
    open_with(options).await.map_err(|error| OpenError::failed(place, error))
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
        // Instead of sqlx's ping: the same round trip also tells whether the connection is inside a transaction.
        .test_before_acquire(false)
        .before_acquire(|connection, _| Box::pin(async move { Ok(is_clean(connection).await) }))
        .connect_with(options)
        .await?;
    Ok(Db::Pg { pool, background: FairLine::new(POSTGRES_BACKGROUND_MAX) })
}

/// Whether a connection from the pool answers, and is not inside a transaction. sqlx 0.9.0 hands a connection whose
/// `begin` was cancelled back to the pool with the transaction open; what is written on it later would be lost (the
/// server's tests/it/db.rs shows it).
async fn is_clean(connection: &mut PgConnection) -> bool {
    // An empty statement begins nothing, and sqlx then compares what the server says of the connection: inside a
    // transaction is success, outside of one is this error.
    let asked = tokio::time::timeout(CHECK_TIME_MAX, connection.begin_with("")).await;
    matches!(asked, Ok(Err(sqlx::Error::BeginFailed)))
}

async fn open_file(path: &Path) -> Result<Db, OpenError> {
    prepare(path)?;
    let options = SqliteConnectOptions::new()
        .filename(path)
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
    let failed = |error| OpenError::failed(DatabaseAddress::File(path.into()), error);
    // The writer first: it switches the file to WAL, which readers may not do at the same time.
    let writer = pool(1).connect_with(options.clone()).await.map_err(failed)?;
    let readers = pool(SQLITE_READERS_MAX).connect_with(options).await.map_err(failed)?;
    Ok(Db::Sqlite { readers, writer, background: FairLine::new(SQLITE_BACKGROUND_MAX) })
}

/// Creates the file, readable by this user only, unless it exists. SQLite gives the files beside it the same mode.
fn prepare(path: &Path) -> Result<(), OpenError> {
    let unusable = |path: &Path, source| OpenError::Path { path: path.into(), source };
    match inspect(path)? {
        Found::Database => return Ok(()),
        Found::Empty => {
            tracing::warn!("{} is empty; it is set up anew. {EMPTY_ADVICE}", path.display());
            return Ok(());
        }
        Found::Nothing => {}
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        private_files::create_folder(folder).map_err(|error| unusable(folder, error))?;
    }
    match private_files::create_new(path) {
        // Another process was faster.
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(unusable(path, error)),
        _ => Ok(()),
    }
}
