//! Changes of folders that outlive a power failure.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use crate::Error;

/// Waits until the disk has the names in a folder.
pub(super) fn sync_folder(folder: &Path) -> Result<(), Error> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::io(folder))
}

/// Writes a file that the disk has when this returns.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let write = || {
        let mut file = File::create(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(Error::io(path))
}

/// Gives a file another name, in the place of what has it.
pub(super) fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    std::fs::rename(from, to).map_err(Error::io(to))
}
