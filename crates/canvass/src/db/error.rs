//! What a failed statement means: who can do something about it, and whether anything was stored.

use std::io::ErrorKind;

use sqlx::postgres::PgDatabaseError;
use sqlx::sqlite::SqliteError;

/// The database could not do what it was asked.
///
/// Every variant but [`DbError::CommitUnknown`] means that nothing was stored: the transaction never committed.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// Unreachable, restarting or overloaded: the same request may succeed in a while.
    #[error("the database does not answer")]
    Unavailable(#[source] sqlx::Error),
    /// No space left for a write. Reads still work.
    #[error("the disk of the database is full")]
    StorageFull(#[source] sqlx::Error),
    /// The database can be read but not written: its file, its disk or its server is read-only.
    #[error("the database is read-only")]
    ReadOnly(#[source] sqlx::Error),
    /// The file or the disk below it is damaged.
    #[error("the database cannot be read or written; its file or disk may be damaged")]
    Damaged(#[source] sqlx::Error),
    /// The answer to a COMMIT was lost: the transaction may have been stored, or not. Look before repeating it.
    #[error("the connection to the database was lost during a commit; what it stored is unknown")]
    CommitUnknown(#[source] sqlx::Error),
    /// It refused the statement: a bug of ours.
    #[error("the database refused a statement")]
    Refused(#[source] sqlx::Error),
}

impl DbError {
    /// Whether this process cannot tell if the transaction was stored. Only a failed commit can leave that open.
    pub fn is_outcome_unknown(&self) -> bool {
        matches!(self, DbError::CommitUnknown(_))
    }

    /// The error of a failed COMMIT. Only an explicit refusal by the database proves that nothing was stored.
    pub(super) fn of_commit(error: sqlx::Error) -> DbError {
        if is_refusal(&error) { error.into() } else { DbError::CommitUnknown(error) }
    }
}

impl From<sqlx::Error> for DbError {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::Database(said) => match (said.try_downcast_ref(), said.try_downcast_ref()) {
                (Some(sqlite), _) => of_sqlite(sqlite)(error),
                (_, Some(postgres)) => of_postgres(postgres)(error),
                (None, None) => DbError::Refused(error),
            },
            sqlx::Error::PoolClosed | sqlx::Error::PoolTimedOut | sqlx::Error::Io(_) => DbError::Unavailable(error),
            _ if is_connection_lost(&error) => DbError::Unavailable(error),
            _ => DbError::Refused(error),
        }
    }
}

/// SQLite's result codes, without what the extended ones add (<https://sqlite.org/rescode.html>).
mod sqlite_code {
    pub(super) const PERM: i32 = 3;
    pub(super) const BUSY: i32 = 5;
    pub(super) const LOCKED: i32 = 6;
    pub(super) const READONLY: i32 = 8;
    pub(super) const IOERR: i32 = 10;
    pub(super) const CORRUPT: i32 = 11;
    pub(super) const FULL: i32 = 13;
    pub(super) const CANTOPEN: i32 = 14;
    pub(super) const NOTADB: i32 = 26;
    /// Extended: the shared memory file beside the database could not grow, which means that the disk is full.
    pub(super) const IOERR_SHMSIZE: i32 = IOERR | (19 << 8);
}

fn of_sqlite(error: &SqliteError) -> fn(sqlx::Error) -> DbError {
    let code = code(error);
    match code & 0xff {
        _ if code == sqlite_code::IOERR_SHMSIZE => DbError::StorageFull,
        sqlite_code::FULL => DbError::StorageFull,
        sqlite_code::READONLY | sqlite_code::PERM => DbError::ReadOnly,
        sqlite_code::BUSY | sqlite_code::LOCKED => DbError::Unavailable,
        sqlite_code::IOERR | sqlite_code::CORRUPT | sqlite_code::CANTOPEN | sqlite_code::NOTADB => DbError::Damaged,
        _ => DbError::Refused,
    }
}

/// By SQLSTATE (<https://www.postgresql.org/docs/current/errcodes-appendix.html>).
fn of_postgres(error: &PgDatabaseError) -> fn(sqlx::Error) -> DbError {
    match error.code() {
        // disk_full
        "53100" => DbError::StorageFull,
        // read_only_sql_transaction
        "25006" => DbError::ReadOnly,
        // io_error, data_corrupted, index_corrupted
        "58030" | "XX001" | "XX002" => DbError::Damaged,
        // serialization_failure, deadlock_detected, lock_not_available, query_canceled
        "40001" | "40P01" | "55P03" | "57014" => DbError::Unavailable,
        // insufficient_resources, and logins that a running server loses when its operator changes them
        code if code.starts_with("53") || code.starts_with("28") || code == "3D000" => DbError::Unavailable,
        code if ends_session(code) => DbError::Unavailable,
        _ => DbError::Refused,
    }
}

/// Whether PostgreSQL ends the connection together with this error: connection exceptions, shutdown, time limits.
fn ends_session(sqlstate: &str) -> bool {
    sqlstate.starts_with("08") || sqlstate.starts_with("57P") || sqlstate == "25P03"
}

/// Whether the connection broke, so that a new one may do better.
pub(super) fn is_connection_lost(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(error) => error.kind() != ErrorKind::TimedOut,
        sqlx::Error::Tls(_) | sqlx::Error::WorkerCrashed | sqlx::Error::Protocol(_) => true,
        sqlx::Error::Database(said) => {
            said.try_downcast_ref::<PgDatabaseError>().is_some_and(|error| ends_session(error.code()))
        }
        _ => false,
    }
}

/// Whether SQLite says that nothing can be written.
pub(super) fn is_read_only(error: &sqlx::Error) -> bool {
    let sqlx::Error::Database(said) = error else { return false };
    said.try_downcast_ref::<SqliteError>().is_some_and(|error| code(error) & 0xff == sqlite_code::READONLY)
}

/// Whether the database answered a COMMIT with an error that excludes its having taken place.
fn is_refusal(error: &sqlx::Error) -> bool {
    let sqlx::Error::Database(said) = error else { return false };
    match said.try_downcast_ref::<SqliteError>() {
        // After an I/O error the log may hold the whole transaction, which the next start would then recover.
        Some(error) => code(error) & 0xff != sqlite_code::IOERR,
        None => !is_connection_lost(error),
    }
}

fn code(error: &SqliteError) -> i32 {
    use sqlx::error::DatabaseError;
    error.code().and_then(|code| code.parse().ok()).unwrap_or_default()
}
