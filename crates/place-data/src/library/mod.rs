//! The library of imported place data: one folder per import, whose manifest says which files belong to it.
//!
//! ```text
//! places/osm.lock                    held while an import of this name runs
//! places/osm/manifest.json           what is imported; written last, in one step
//! places/osm/<version>-0-….parquet   the places; those of the version before stay until the next import
//! places/osm/import/                 an import that runs, or was killed
//! ```

mod commit;
mod download;
mod durable;
mod format;
mod import;
mod lock;
mod manifest;
mod name;
mod open;
mod remove;
mod tally;
mod verify;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use moka::sync::Cache;

pub use download::{Download, DownloadPart, DownloadRequest};
pub use format::Format;
pub use import::{ImportRequest, Importer};
pub use manifest::{Manifest, SkippedRecords, Version};
pub use name::ImportName;
pub use open::open_folder;
pub use tally::Tally;
pub use verify::{Verified, verify_import};

use crate::write::DataFile;
use crate::{Dataset, Error};

/// Versions that are kept open, so that searches share what was read of them.
const OPEN_DATASETS: u64 = 16;

/// The imports of one data folder. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Library {
    folder: PathBuf,
    open: Cache<(String, Vec<DataFile>), Arc<Dataset>>,
}

impl Library {
    /// The library in this folder, which need not be there yet.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Library {
        Library { folder: folder.into(), open: Cache::new(OPEN_DATASETS) }
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// All imports, by name.
    ///
    /// # Errors
    /// [`Error::Io`] when the folder cannot be read, [`Error::Malformed`] when a manifest is damaged.
    pub fn list(&self) -> Result<Vec<Manifest>, Error> {
        self.names()?.iter().filter_map(|name| self.find(name).transpose()).collect()
    }

    /// The import with this name, if there is one.
    ///
    /// # Errors
    /// The same as for [`Library::list`].
    pub fn find(&self, name: &str) -> Result<Option<Manifest>, Error> {
        match ImportName::parse(name) {
            Ok(name) => Manifest::in_folder(&self.folder_of(&name)),
            Err(_) => Ok(None),
        }
    }

    /// The import with this name.
    ///
    /// # Errors
    /// [`Error::NotImported`] names those that there are.
    pub fn require(&self, name: &str) -> Result<Manifest, Error> {
        match self.find(name)? {
            Some(manifest) => Ok(manifest),
            None => Err(Error::NotImported { name: name.to_owned(), imported: self.names()? }),
        }
    }

    /// The present version of an import: its name, and its places.
    ///
    /// # Errors
    /// [`Error::NotImported`] when there is no such import.
    pub async fn latest(&self, name: &str) -> Result<(String, Arc<Dataset>), Error> {
        let manifest = self.manifest(name).await?;
        let dataset = self.dataset(&manifest.name, &manifest.current.files)?;
        Ok((manifest.current.version, dataset))
    }

    /// The places of a version of an import: the present one, or the one before.
    ///
    /// # Errors
    /// [`Error::NotImported`] when there is no such import, [`Error::Replaced`] when the version is gone.
    pub async fn version(&self, name: &str, version: &str) -> Result<Arc<Dataset>, Error> {
        let manifest = self.manifest(name).await?;
        match manifest.versions().find(|one| one.version == version) {
            Some(found) => self.dataset(&manifest.name, &found.files),
            None => Err(Error::Replaced { name: name.to_owned(), version: version.to_owned() }),
        }
    }

    async fn manifest(&self, name: &str) -> Result<Manifest, Error> {
        let (library, name) = (self.clone(), name.to_owned());
        tokio::task::spawn_blocking(move || library.require(&name)).await.unwrap_or(Err(Error::Cancelled))
    }

    fn dataset(&self, name: &str, files: &[DataFile]) -> Result<Arc<Dataset>, Error> {
        let key = (name.to_owned(), files.to_vec());
        if let Some(dataset) = self.open.get(&key) {
            return Ok(dataset);
        }
        let dataset = Arc::new(open::of_files(&self.folder, Some(name), files)?);
        self.open.insert(key, dataset.clone());
        Ok(dataset)
    }

    fn folder_of(&self, name: &ImportName) -> PathBuf {
        self.folder.join(name.as_str())
    }

    /// The names of finished imports.
    fn names(&self) -> Result<Vec<String>, Error> {
        let entries = match std::fs::read_dir(&self.folder) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(Error::io(&self.folder))?,
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(Error::io(&self.folder))?;
            let name = entry.file_name().into_string().unwrap_or_default();
            if ImportName::parse(&name).is_ok() && manifest::path(&entry.path()).is_file() {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }
}
