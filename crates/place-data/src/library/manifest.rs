//! What is known of an import: stored beside its files.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use places::SavedArea;
use serde::{Deserialize, Serialize};

use super::format::Format;
use super::tally::Tally;
use crate::import::open_input;
use crate::write::DataFile;
use crate::{Error, Skipped, SkippedKind};

/// Its file in the folder of an import.
const FILE: &str = "manifest.json";
/// Its size; it names a file for every two million places.
const BYTES_MAX: u64 = 16 * 1024 * 1024;

/// What is known of an import.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The import's name.
    pub name: String,
    /// The format of the file that was imported.
    pub format: Format,
    /// The name of that file.
    pub original: String,
    /// When it was imported.
    pub imported_at: jiff::Timestamp,
    /// The area that was downloaded; `None` for a file, whose area nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<SavedArea>,
    /// Whom to name wherever the data is shown.
    pub attribution: Option<String>,
    /// Its licence as an SPDX identifier.
    pub licence: Option<String>,
    /// The files of the present version.
    #[serde(flatten)]
    pub current: Version,
    /// What the places have.
    #[serde(flatten)]
    pub tally: Tally,
    /// What was left out, by reason.
    pub skipped: BTreeMap<String, SkippedRecords>,
    /// The version before, whose files stay so that running searches can finish.
    pub previous: Option<Version>,
}

/// One version of an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// Depends on the places only: the same file imported again is the same version.
    pub version: String,
    /// Places in all files.
    pub rows: u64,
    /// The files, in order.
    pub files: Vec<DataFile>,
}

impl Version {
    /// The size of all files.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

/// The records that were left out for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedRecords {
    /// How many.
    pub count: u64,
    /// Where the first of them are.
    pub examples: Vec<String>,
}

impl From<&SkippedKind> for SkippedRecords {
    fn from(kind: &SkippedKind) -> SkippedRecords {
        SkippedRecords { count: kind.count, examples: kind.examples.clone() }
    }
}

impl Manifest {
    /// The manifest in the folder of an import or a download; `None` when there is none.
    ///
    /// # Errors
    /// [`Error::Malformed`] when it is damaged.
    pub fn in_folder(folder: &Path) -> Result<Option<Manifest>, Error> {
        let path = path(folder);
        let absent = [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory];
        let file = match open_input(&path) {
            Err(Error::Io { source, .. }) if absent.contains(&source.kind()) => return Ok(None),
            file => file?,
        };
        let mut bytes = Vec::new();
        file.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(Error::io(&path))?;
        let damaged = |problem: String| {
            let advice = "remove the import and import the file again";
            Error::malformed(path.display().to_string(), format!("this manifest is damaged ({problem}); {advice}"))
        };
        if bytes.len() as u64 > BYTES_MAX {
            return Err(damaged("it has more than 16 MiB".to_owned()));
        }
        let manifest: Manifest = serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
        let outside = |file: &DataFile| Path::new(&file.name).file_name() != Some(file.name.as_ref());
        if let Some(file) = manifest.versions().flat_map(|version| &version.files).find(|file| outside(file)) {
            return Err(damaged(format!("{:?} is not a file of this folder", file.name)));
        }
        Ok(Some(manifest))
    }

    /// The present version and the one before.
    pub fn versions(&self) -> impl Iterator<Item = &Version> {
        [&self.current].into_iter().chain(&self.previous)
    }
}

/// The manifest of a folder.
pub(super) fn path(folder: &Path) -> PathBuf {
    folder.join(FILE)
}

/// What was left out, as it is stored.
pub(super) fn stored(skipped: &Skipped) -> BTreeMap<String, SkippedRecords> {
    let kinds = skipped.0.iter();
    kinds.map(|(reason, kind)| ((*reason).to_owned(), SkippedRecords::from(kind))).collect()
}
