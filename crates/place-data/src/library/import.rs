//! Puts places into the library. Until the last step the import before is untouched: a process that is killed changes nothing.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use super::Library;
use super::durable::{rename, sync_folder, write_file};
use super::format::Format;
use super::lock::ImportLock;
use super::manifest::{self, Manifest, Version};
use super::name::ImportName;
use super::tally::Tally;
use crate::write::{SortedFiles, SortedWriter};
use crate::{Error, Place, Sink, Skipped};

/// The folder, within that of an import, in which it is prepared.
const WORK: &str = "import";
/// Places between two calls that may cancel the work.
const CANCEL_ROWS: u64 = 1_000;

/// What is imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportRequest {
    /// The name under which searches find it. An import of the same name is replaced.
    pub name: ImportName,
    /// The format of the file.
    pub format: Format,
    /// The name of the file.
    pub original: String,
    /// Whom to name wherever the data is shown, instead of whom the format asks for.
    pub attribution: Option<String>,
    /// The time now.
    pub imported_at: jiff::Timestamp,
}

/// An import that is being prepared. Dropping it leaves everything as it was; [`Importer::finish`] puts it in place.
pub struct Importer {
    request: ImportRequest,
    folder: PathBuf,
    previous: Option<Manifest>,
    writer: Option<SortedWriter>,
    _lock: ImportLock,
}

impl Library {
    /// Begins an import, and removes what imports that were killed have left.
    ///
    /// # Errors
    /// [`Error::Busy`] while another import of this name runs.
    pub fn importer(&self, request: ImportRequest) -> Result<Importer, Error> {
        let folder = self.folder_of(&request.name);
        std::fs::create_dir_all(&self.folder).map_err(Error::io(&self.folder))?;
        let lock = ImportLock::take(&self.folder, &request.name)?;
        std::fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        sync_folder(&self.folder)?;
        let previous = Manifest::in_folder(&folder)?;
        remove_leftovers(&folder, previous.as_ref())?;
        let work = folder.join(WORK);
        std::fs::create_dir(&work).map_err(Error::io(&work))?;
        Ok(Importer { request, folder, previous, writer: Some(SortedWriter::in_folder(work)), _lock: lock })
    }
}

impl Sink for Importer {
    fn place(&mut self, place: Place) -> Result<(), Error> {
        self.writer.as_mut().map_or(Err(Error::Cancelled), |writer| writer.add(&place))
    }

    fn progress(&mut self, _bytes: u64) -> Result<(), Error> {
        Ok(())
    }
}

impl Importer {
    /// Sorts and writes the places, and puts them in place of an earlier import. `progress` is called with the part that is
    /// done, 0 to 1; its [`Error::Cancelled`] ends the work, and nothing has changed.
    ///
    /// # Errors
    /// [`Error::Malformed`] when there are no places: an empty file does not replace anything.
    pub fn finish(
        mut self,
        skipped: &Skipped,
        progress: &mut dyn FnMut(f64) -> Result<(), Error>,
    ) -> Result<Manifest, Error> {
        let writer = self.writer.take().filter(|writer| writer.added() > 0);
        let writer = writer.ok_or_else(|| Error::malformed(&self.request.original, nothing_found(skipped)))?;
        let (mut tally, mut rows, added) = (Tally::default(), 0, writer.added());
        let files = writer.finish(|place| {
            tally.add(place);
            rows += 1;
            if rows % CANCEL_ROWS == 0 { progress(rows as f64 / added as f64) } else { Ok(()) }
        })?;
        let manifest = self.manifest(files, tally, skipped);
        self.commit(&manifest)?;
        Ok(manifest)
    }

    fn manifest(&self, SortedFiles { files, version }: SortedFiles, tally: Tally, skipped: &Skipped) -> Manifest {
        let ImportRequest { name, format, original, attribution, imported_at } = self.request.clone();
        let current = Version { version, rows: files.iter().map(|file| file.rows).sum(), files };
        // The same files again have the same version before them: searches of it may still run.
        let previous = self.previous.as_ref().and_then(|manifest| {
            if manifest.current == current { manifest.previous.clone() } else { Some(manifest.current.clone()) }
        });
        Manifest {
            name: name.to_string(),
            format,
            original,
            imported_at,
            licence: format.licence().map(str::to_owned),
            attribution: attribution.or_else(|| format.attribution().map(str::to_owned)),
            current,
            tally,
            skipped: manifest::stored(skipped),
            previous,
        }
    }

    /// The manifest comes last, in one step. What it does not name is removed now, or by the next import.
    fn commit(&self, manifest: &Manifest) -> Result<(), Error> {
        let work = self.folder.join(WORK);
        for file in &manifest.current.files {
            rename(&work.join(&file.name), &self.folder.join(&file.name))?;
        }
        sync_folder(&self.folder)?;
        let json = serde_json::to_vec_pretty(manifest).map_err(io::Error::from).map_err(Error::io(&work))?;
        let prepared = manifest::path(&work);
        write_file(&prepared, &json)?;
        rename(&prepared, &manifest::path(&self.folder))?;
        sync_folder(&self.folder)?;
        remove_leftovers(&self.folder, Some(manifest))
    }
}

impl Drop for Importer {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next import.
        let _ = std::fs::remove_dir_all(self.folder.join(WORK));
        if self.previous.is_none() {
            // Fails when the import was put in place: the folder is not empty then.
            let _ = std::fs::remove_dir(&self.folder);
        }
    }
}

/// Removes everything from an import's folder that its manifest does not name.
pub(super) fn remove_leftovers(folder: &Path, manifest: Option<&Manifest>) -> Result<(), Error> {
    let versions = manifest.into_iter().flat_map(Manifest::versions);
    let kept: HashSet<&str> = versions.flat_map(|version| &version.files).map(|file| file.name.as_str()).collect();
    for entry in std::fs::read_dir(folder).map_err(Error::io(folder))? {
        let path = entry.map_err(Error::io(folder))?.path();
        let is_kept = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| kept.contains(name));
        if is_kept || (manifest.is_some() && path == manifest::path(folder)) {
            continue;
        }
        let removed = if path.is_dir() { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
        removed.map_err(Error::io(&path))?;
    }
    Ok(())
}

fn nothing_found(skipped: &Skipped) -> String {
    let reasons: Vec<String> =
        skipped.0.iter().map(|(reason, kind)| format!("{} left out: {reason}", kind.count)).collect();
    let reasons = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join("; ")) };
    format!("there are no businesses in it{reasons}, so nothing was imported")
}
