//! Puts prepared files in place. The manifest comes last, in one step; a process that is killed before changes nothing.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use super::durable::{rename, sync_folder, write_file};
use super::manifest::{self, Manifest, Version};
use super::tally::Tally;
use crate::Error;
use crate::write::SortedWriter;

/// Within the folder of an import, where its files are prepared.
const WORK: &str = "import";
/// Places between two calls that may cancel the work.
const CANCEL_ROWS: u64 = 1_000;

/// Called with the part of the work that is done, 0 to 1. [`Error::Cancelled`] ends it.
pub(super) type Progress<'a> = &'a mut dyn FnMut(f64) -> Result<(), Error>;

/// A folder of place files that is about to be changed.
pub(super) struct Change {
    folder: PathBuf,
    previous: Option<Manifest>,
    /// A folder in it that stays until the change is made.
    kept: Option<&'static str>,
}

impl Change {
    /// Prepares a change, and removes what others that were killed have left, but for the folder to be kept.
    pub(super) fn begin(folder: PathBuf, kept: Option<&'static str>) -> Result<Change, Error> {
        std::fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        let previous = Manifest::in_folder(&folder)?;
        let change = Change { folder, previous, kept };
        remove_leftovers(&change.folder, change.previous.as_ref(), kept)?;
        let work = change.work();
        std::fs::create_dir(&work).map_err(Error::io(work))?;
        Ok(change)
    }

    /// Where files are prepared.
    pub(super) fn work(&self) -> PathBuf {
        self.folder.join(WORK)
    }

    /// Writes the places, and counts what they have.
    pub(super) fn write(&self, writer: SortedWriter, progress: Progress<'_>) -> Result<(Version, Tally), Error> {
        let (mut tally, mut rows, added) = (Tally::default(), 0, writer.added());
        let written = writer.finish(|place| {
            tally.add(place);
            rows += 1;
            if rows % CANCEL_ROWS == 0 { progress(rows as f64 / added.max(1) as f64) } else { Ok(()) }
        })?;
        let rows = written.files.iter().map(|file| file.rows).sum();
        Ok((Version { version: written.version, rows, files: written.files }, tally))
    }

    /// The version that the next one replaces. The same places again have the same version before them: searches of it may
    /// still run.
    pub(super) fn before(&self, current: &Version) -> Option<Version> {
        let manifest = self.previous.as_ref()?;
        if manifest.current == *current { manifest.previous.clone() } else { Some(manifest.current.clone()) }
    }

    /// Puts the written files in place of the version before. What the manifest does not name is removed then.
    pub(super) fn commit(mut self, manifest: Manifest) -> Result<Manifest, Error> {
        let work = self.work();
        for file in &manifest.current.files {
            rename(&work.join(&file.name), &self.folder.join(&file.name))?;
        }
        sync_folder(&self.folder)?;
        let json = serde_json::to_vec_pretty(&manifest).map_err(io::Error::from).map_err(Error::io(&work))?;
        let prepared = manifest::path(&work);
        write_file(&prepared, &json)?;
        rename(&prepared, &manifest::path(&self.folder))?;
        sync_folder(&self.folder)?;
        self.kept = None;
        Ok(manifest)
    }
}

impl Drop for Change {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next change. The manifest on disk says what belongs here: it may or
        // may not have been replaced when an error came.
        let Ok(manifest) = Manifest::in_folder(&self.folder) else { return };
        let _ = remove_leftovers(&self.folder, manifest.as_ref(), self.kept);
        if manifest.is_none() && self.kept.is_none() {
            let _ = std::fs::remove_dir(&self.folder);
        }
    }
}

/// Removes everything from a folder that its manifest does not name.
pub(super) fn remove_leftovers(folder: &Path, manifest: Option<&Manifest>, kept: Option<&str>) -> Result<(), Error> {
    let files = manifest.into_iter().flat_map(Manifest::versions).flat_map(|version| &version.files);
    let kept: HashSet<&str> = files.map(|file| file.name.as_str()).chain(kept).collect();
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
