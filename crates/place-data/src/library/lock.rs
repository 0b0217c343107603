//! One import of a name at a time, whichever process runs it.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use crate::Error;

/// Held as long as it lives; the system lets go of it when the process dies.
#[derive(Debug)]
pub(super) struct ImportLock {
    _file: File,
}

impl ImportLock {
    /// Takes the lock of a name in the library's folder. Its file stays: were it removed, two could hold one lock.
    pub(super) fn take(folder: &Path, name: &str) -> Result<ImportLock, Error> {
        let path = folder.join(format!("{name}.lock"));
        let mut options = OpenOptions::new();
        let file = options.create(true).truncate(false).write(true).open(&path).map_err(Error::io(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(ImportLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(Error::Busy { name: name.to_owned() }),
            Err(TryLockError::Error(error)) => Err(Error::io(path)(error)),
        }
    }
}
