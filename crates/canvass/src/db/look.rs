//! Opens a database that may be in use, or broken, to read from it and nothing else.

use std::path::Path;

use sqlx::sqlite::{SqliteConnectOptions, SqlitePool, SqlitePoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions};

use super::advice::{DatabaseAddress, OpenError};
use super::inspect::{beside, bytes, inspect};
use super::open::{SQLITE_BACKGROUND_MAX, file_of, open_server};
use super::uri::uri;
use super::{Db, DbError};
use crate::fair_line::FairLine;

/// Size of a database up to which every page is read: some seconds.
const WHOLE_BYTES_MAX: i64 = 1 << 30;
/// What is not read in a larger one. A lead on a damaged page is an error of its own when it is asked for.
const LARGE_TABLES: [&str; 3] = ["lead", "lead_word", "owned_business"];

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
    check_pages(&pool, WHOLE_BYTES_MAX).await.map_err(failed)?;
    let background = FairLine::new(SQLITE_BACKGROUND_MAX);
    Ok(Db::Sqlite { readers: pool.clone(), writer: pool, background })
}

/// Reads every page, or in a large database those of all tables but the few that make it large; a damaged one is an error.
async fn check_pages(pool: &SqlitePool, whole_bytes_max: i64) -> Result<(), DbError> {
    let size = "select page_count * page_size from pragma_page_count(), pragma_page_size()";
    let (bytes,): (i64,) = sqlx::query_as(size).fetch_one(pool).await?;
    if bytes <= whole_bytes_max {
        return check("pragma quick_check(1)".to_owned(), pool).await;
    }
    let names = "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'";
    let tables: Vec<(String,)> = sqlx::query_as(names).fetch_all(pool).await?;
    for (table,) in tables.iter().filter(|(table,)| !LARGE_TABLES.contains(&table.as_str())) {
        check(format!("pragma quick_check('{table}')"), pool).await?;
    }
    Ok(())
}

async fn check(pragma: String, pool: &SqlitePool) -> Result<(), DbError> {
    let (said,): (String,) = sqlx::query_as(AssertSqlSafe(pragma)).fetch_one(pool).await?;
    if said == "ok" { Ok(()) } else { Err(DbError::Damaged(sqlx::Error::Protocol(said))) }
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, SeekFrom, Write};

    use super::*;

    /// Checks a database of which the first page of a table is overwritten.
    async fn check_damaged(table: &str, whole_bytes_max: i64) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("damaged.db");
        let options = SqliteConnectOptions::new().filename(&path).create_if_missing(true);
        let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options.clone()).await.unwrap();
        sqlx::raw_sql("create table account (id text); create table lead (id text); insert into account values ('a'); insert into lead values ('b')")
            .execute(&pool).await.unwrap();
        let root = sqlx::query_as("select rootpage, page_size from sqlite_master, pragma_page_size() where name = $1");
        let (root, size): (i64, i64) = root.bind(table).fetch_one(&pool).await.unwrap();
        pool.close().await;
        let mut file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
        file.seek(SeekFrom::Start(u64::try_from((root - 1) * size).unwrap())).unwrap();
        file.write_all(&[0xff; 512]).unwrap();
        let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await.unwrap();
        check_pages(&pool, whole_bytes_max).await.is_err()
    }

    #[tokio::test]
    async fn a_damaged_page_is_found_but_for_the_leads_of_a_large_database() {
        for (table, whole_bytes_max, is_found) in
            [("account", i64::MAX, true), ("lead", i64::MAX, true), ("account", 0, true), ("lead", 0, false)]
        {
            assert_eq!(check_damaged(table, whole_bytes_max).await, is_found, "{table}, {whole_bytes_max}");
        }
    }
}
