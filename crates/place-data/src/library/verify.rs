//! Checks that an import is what its manifest says: every byte, every row.

use std::path::Path;

use serde::Serialize;

use super::Library;
use super::manifest::Manifest;
use super::open::open_folder;
use crate::Error;
use crate::read::RowsExpected;
use crate::write::{DataFile, checksum};

/// What was checked and found good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// Files.
    pub files: u64,
    /// Size of all files.
    pub bytes: u64,
    /// Places, all of which were decoded.
    pub rows: u64,
}

impl Library {
    /// Checks the present version of an import.
    ///
    /// # Errors
    /// [`Error::Malformed`] names the first file that is not as it was written, and the place in it.
    pub async fn verify(&self, name: &str) -> Result<Verified, Error> {
        let manifest = self.manifest(name).await?;
        verify_import(&self.folder.join(&manifest.name), &manifest).await
    }
}

/// Checks the files that a manifest names: size, checksum, number of places, their order, and every place.
///
/// # Errors
/// The same as for [`Library::verify`].
pub async fn verify_import(folder: &Path, manifest: &Manifest) -> Result<Verified, Error> {
    let mut verified = Verified::default();
    for file in &manifest.current.files {
        let (path, expected) = (folder.join(&file.name), file.clone());
        let summed = tokio::task::spawn_blocking(move || verify_bytes(&path, &expected)).await;
        summed.unwrap_or(Err(Error::Cancelled))?;
        verified.files += 1;
        verified.bytes += file.bytes;
    }
    let dataset = open_folder(folder, Some(manifest)).await?;
    verified.rows = dataset.verify(RowsExpected::Sorted).await?;
    if verified.rows != manifest.current.rows {
        let (found, said) = (verified.rows, manifest.current.rows);
        return Err(Error::malformed(folder.display().to_string(), format!("{found} places instead of {said}")));
    }
    Ok(verified)
}

fn verify_bytes(path: &Path, expected: &DataFile) -> Result<(), Error> {
    let (sha256, bytes) = checksum(path)?;
    let problem = match (bytes == expected.bytes, sha256 == expected.sha256) {
        (true, true) => return Ok(()),
        (false, _) => format!("it has {bytes} bytes instead of {}", expected.bytes),
        (true, false) => "its checksum is not that of the file that was written".to_owned(),
    };
    Err(Error::malformed(path.display().to_string(), format!("{problem}; import the original again")))
}
