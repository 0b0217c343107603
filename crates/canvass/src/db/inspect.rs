//! Looks at an SQLite file before it is opened.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::advice::OpenError;

/// What every SQLite file begins with.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// What was found at a path.
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

/// The file SQLite keeps beside a database.
pub(super) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

pub(super) fn bytes(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}
