//! Which files a folder has.

use futures::TryStreamExt;
use object_store::path::Path;
use places::Bounds;
use serde::{Deserialize, Serialize};

use super::object::Objects;
use crate::Error;
use crate::disk_cache::fingerprint;

/// Files of one folder up to which it is taken for place data; a whole bucket of something else has more.
const FILES_MAX: usize = 20_000;

/// A Parquet file, and what is known of it before it is opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ListedFile {
    /// Its path in the store.
    pub(crate) path: String,
    /// In bytes.
    pub(crate) size: Option<u64>,
    /// A box around all of its places.
    pub(crate) bounds: Option<Bounds>,
    /// Changes with its content: a tag of the store, or the time of the last change.
    pub(crate) tag: Option<String>,
}

impl ListedFile {
    /// A file of which only the path is known.
    pub(crate) fn at(path: impl Into<String>) -> ListedFile {
        ListedFile { path: path.into(), size: None, bounds: None, tag: None }
    }

    /// A short name that changes with the file.
    pub(super) fn fingerprint(&self) -> String {
        fingerprint(&format!("{} {}", self.path, self.tag.as_deref().unwrap_or_default()))
    }
}

/// The Parquet files in a folder and below it, sorted by name.
pub(crate) async fn list(objects: &Objects, folder: &Path) -> Result<Vec<ListedFile>, Error> {
    let mut listed = objects.store().list(Some(folder));
    let mut files = Vec::new();
    let mut seen = 0;
    while let Some(object) = listed.try_next().await.map_err(|error| objects.unreadable(folder, &error))? {
        seen += 1;
        if seen > FILES_MAX {
            let problem =
                format!("there are more than {FILES_MAX} files below this folder; name the one with the places");
            return Err(Error::malformed(objects.address(folder), problem));
        }
        let hidden = object.location.parts().any(|part| part.as_ref().starts_with(['.', '_']));
        if object.location.extension() == Some("parquet") && !hidden {
            let tag = object.e_tag.unwrap_or_else(|| object.last_modified.to_rfc3339());
            let path = object.location.to_string();
            files.push(ListedFile { path, size: Some(object.size), bounds: None, tag: Some(tag) });
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}
