//! Opens a database that may be in use, or broken, to read from it and nothing else.

use std::path::Path;

use sqlx::ConnectOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool, SqlitePoolOptions};

use super::advice::{DatabaseAddress, OpenError};
use super::inspect::{beside, bytes, inspect};
use super::open::{file_of, open_server};
use super::uri::uri;
use super::{Db, DbError};

/// Opens a database only to read from it. Nothing on the disk changes, not even the files SQLite keeps beside its own.
pub async fn open_to_look(url: Option<&str>, data: &Path) -> Result<Db, OpenError> {
    match file_of(url, data)? {
        Some(file) => look_into(&file).await,
        None => open_server(url.unwrap_or_default()).await,
    }
}

async fn look_into(path: &Path) -> Result<Db, OpenError> {
    inspect(path)?;
    let (log, shared) = (beside(path, "-wal"), beside(path, "-shm"));
    let options = match (bytes(&log), shared.exists()) {
        // The log's index is read where a server keeps it, or built in memory; it is never written.
        (_, true) => SqliteConnectOptions::new().filename(uri(path, "mode=ro&readonly_shm=1")).read_only(true),
        (0, false) => SqliteConnectOptions::new().filename(path).read_only(true).immutable(true),
        (_, false) => return Err(OpenError::Unmerged(path.into())),
    };
    let failed = |error| OpenError::failed(DatabaseAddress::File(path.into()), error);
    let opening = SqlitePoolOptions::new().max_connections(1).connect_with(options.disable_statement_logging());
    let pool = opening.await.map_err(|error| failed(error.into()))?;
    check_pages(&pool).await.map_err(failed)?;
    Ok(Db::Sqlite { readers: pool.clone(), writer: pool })
}

/// Reads every page; a damaged one is an error.
async fn check_pages(pool: &SqlitePool) -> Result<(), DbError> {
    let (said,): (String,) = sqlx::query_as("pragma quick_check(1)").fetch_one(pool).await?;
    if said == "ok" { Ok(()) } else { Err(DbError::Damaged(sqlx::Error::Protocol(said))) }
}
