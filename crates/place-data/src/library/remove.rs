//! Removes an import.

use super::Library;
use super::commit::remove_leftovers;
use super::durable::sync_folder;
use super::lock::ImportLock;
use super::manifest;
use super::name::ImportName;
use crate::Error;

impl Library {
    /// Removes an import with all its files. Searches that read it fail.
    ///
    /// # Errors
    /// [`Error::NotImported`] when there is none, [`Error::Busy`] while one of this name runs.
    pub fn remove(&self, name: &str) -> Result<(), Error> {
        let missing = || Ok(Error::NotImported { name: name.to_owned(), imported: self.names()? });
        let Ok(name) = ImportName::parse(name) else { return Err(missing()?) };
        let folder = self.folder_of(&name);
        let path = manifest::path(&folder);
        if !path.is_file() {
            return Err(missing()?);
        }
        let _lock = ImportLock::take(&self.folder, name.as_str())?;
        // Without its manifest it is no import; a process that is killed now leaves files to the next import.
        std::fs::remove_file(&path).map_err(Error::io(&path))?;
        sync_folder(&folder)?;
        remove_leftovers(&folder, None, None)?;
        std::fs::remove_dir(&folder).map_err(Error::io(&folder))
    }
}
