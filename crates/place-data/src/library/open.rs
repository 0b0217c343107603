//! Opens place files on this machine.

use std::path::Path;
use std::sync::Arc;

use object_store::local::LocalFileSystem;

use super::manifest::Manifest;
use crate::{DataFile, Dataset, Error};

/// The places in a folder: the files that its manifest names, or all Parquet files below it if it has none.
///
/// # Errors
/// [`Error::Malformed`] when there are no such files.
pub async fn open_folder(folder: &Path, manifest: Option<&Manifest>) -> Result<Dataset, Error> {
    match manifest {
        Some(manifest) => of_files(folder, None, &manifest.current.files),
        None => Dataset::in_folder(store(folder)?, &object_store::path::Path::default()).await,
    }
}

/// These files of a folder, or of a folder in it.
pub(super) fn of_files(folder: &Path, within: Option<&str>, files: &[DataFile]) -> Result<Dataset, Error> {
    let path = |file: &DataFile| object_store::path::Path::from_iter(within.into_iter().chain([file.name.as_str()]));
    let dataset = Dataset::of_files(store(folder)?, files.iter().map(path).collect());
    dataset.ok_or_else(|| Error::malformed(folder.display().to_string(), "its manifest names no files"))
}

fn store(folder: &Path) -> Result<Arc<LocalFileSystem>, Error> {
    let store = LocalFileSystem::new_with_prefix(folder);
    let unreachable = |error: object_store::Error| Error::Unreachable {
        file: folder.display().to_string(),
        reason: error.to_string(),
    };
    store.map(Arc::new).map_err(unreachable)
}
