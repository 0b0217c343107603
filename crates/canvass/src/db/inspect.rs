//! Looks at an SQLite file before it is opened, and opens it so that looking changes nothing on the disk.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sqlx::ConnectOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool, SqlitePoolOptions};

use super::advice::{OpenError, Place};
use super::open::open_server;
use super::{Db, DbError, file_of};

/// What every SQLite file begins with.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// What a URI begins with.
const URI: &str = "file:";

/// What is there under a file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// No file.
    Nothing,
    /// A file of no bytes, which counts as a database without tables.
    Empty,
    /// Something that begins as a database does.
    Database,
}

/// Looks at the beginning of a file, and at its log.
pub fn inspect(path: &Path) -> Result<Found, OpenError> {
    let unusable = |source| OpenError::Path { path: path.into(), source };
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) => return Err(unusable(error)),
    };
    let mut begin = Vec::with_capacity(MAGIC.len());
    file.by_ref().take(MAGIC.len() as u64).read_to_end(&mut begin).map_err(unusable)?;
    match begin.as_slice() {
        [] if bytes(&beside(path, "-wal")) > 0 => Err(OpenError::Lost(path.into())),
        [] => Ok(Found::Empty),
        begin if begin == MAGIC => Ok(Found::Database),
        _ => Err(OpenError::NotADatabase(path.into())),
    }
}

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
    let failed = |error| OpenError::failed(Place::File(path.into()), error);
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

/// The file SQLite keeps beside a database.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

fn bytes(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}

/// A path with options for SQLite, which takes them in a URI only.
fn uri(path: &Path, options: &str) -> String {
    let path = path.display().to_string().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    format!("{URI}{path}?{options}")
}

/// The path of a database that was opened with [`uri`] or by its name.
pub(super) fn path_of(options: &SqliteConnectOptions) -> PathBuf {
    let name = options.get_filename().display().to_string();
    let Some((path, _)) = name.strip_prefix(URI).and_then(|rest| rest.split_once('?')) else { return name.into() };
    path.replace("%23", "#").replace("%3f", "?").replace("%25", "%").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_survives_being_a_uri() {
        for path in ["data/canvass.db", "/srv/100% sure?/a#b.db", "plain"] {
            let options = SqliteConnectOptions::new().filename(uri(Path::new(path), "mode=ro"));
            assert_eq!(path_of(&options), Path::new(path));
        }
    }
}
