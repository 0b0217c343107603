//! How a folder is laid out: releases of Overture in one of the ways they are published and copied, or just files of places.

use futures::future::BoxFuture;
use object_store::path::Path;
use serde::Deserialize;

use super::name::{is_release, release_in};
use crate::Error;
use crate::disk_cache::fingerprint;
use crate::location::Folder;
use crate::read::{ListedFile, Objects, list};
use crate::theme::Theme;

/// What describes a folder that Canvass wrote.
const MANIFEST: &str = "manifest.json";
const MANIFEST_BYTES_MAX: usize = 16 * 1024 * 1024;

/// What a folder holds.
#[derive(Clone, Debug)]
pub(super) enum Layout {
    /// Releases, in a folder each.
    Releases { names: Vec<String>, folder: Folder },
    /// One release, or files that are no release.
    Files { name: Option<String>, folder: Folder },
}

/// Looks how a folder is laid out.
pub(super) fn look<'a>(objects: &'a Objects, folder: &'a Folder) -> BoxFuture<'a, Result<Layout, Error>> {
    Box::pin(async move {
        let address = folder.address();
        let last = address.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let files = Layout::Files { name: release_in(&address).map(str::to_owned), folder: folder.clone() };
        if is_release(last) || address.contains("theme=") || last.ends_with(".parquet") {
            return Ok(files);
        }
        let inside = match objects.store().list_with_delimiter(Some(&folder.path)).await {
            Ok(inside) => inside,
            // A plain web server has no lists: the files must be named by a manifest or by the catalog.
            Err(_) if folder.prefix.starts_with("http") => return Ok(files),
            Err(error) => return Err(objects.unreadable(&folder.path, &error)),
        };
        let folders: Vec<&str> = inside.common_prefixes.iter().filter_map(Path::filename).collect();
        let names: Vec<String> =
            folders.iter().filter(|name| is_release(name)).map(|name| (*name).to_owned()).collect();
        if !names.is_empty() {
            return Ok(Layout::Releases { names, folder: folder.clone() });
        }
        if folders.contains(&"release") {
            return look(objects, &folder.below("release")).await;
        }
        Ok(files)
    })
}

/// Files, and the version of the data that they are.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FilesOfVersion {
    pub(super) version: String,
    pub(super) files: Vec<ListedFile>,
    /// The version before, whose files stay for searches that are running.
    pub(super) previous: Option<Box<FilesOfVersion>>,
}

impl FilesOfVersion {
    /// The files of this version, or of the one before.
    pub(super) fn of(self, version: &str) -> Result<Vec<ListedFile>, FilesOfVersion> {
        match self {
            FilesOfVersion { version: known, files, .. } if known == version => Ok(files),
            FilesOfVersion { previous: Some(before), .. } if before.version == version => Ok(before.files),
            other => Err(other),
        }
    }
}

/// The files of a theme in the folder of a release or in any other folder.
pub(super) async fn files(
    objects: &Objects,
    folder: &Folder,
    name: Option<&str>,
    theme: Theme,
) -> Result<FilesOfVersion, Error> {
    let named = |files: Vec<ListedFile>| {
        let version = name.map_or_else(|| version_of(&files), str::to_owned);
        FilesOfVersion { version, files, previous: None }
    };
    if folder.path.extension() == Some("parquet") {
        return Ok(named(vec![single(objects, &folder.path).await?]));
    }
    // The usual folder of a release may be missing, and a plain web server has no lists.
    let usual = list(objects, &folder.below(theme.folder()).path).await.unwrap_or_default();
    if !usual.is_empty() {
        return Ok(named(usual));
    }
    if let Some(described) = manifest(objects, folder).await? {
        return Ok(described);
    }
    let mut files = list(objects, &folder.path).await?;
    files.retain(|file| !is_of_another_theme(file, theme));
    if files.is_empty() {
        return Err(Error::malformed(folder.address(), "there are no .parquet files in this folder"));
    }
    Ok(named(files))
}

fn is_of_another_theme(file: &ListedFile, theme: Theme) -> bool {
    let other = |part: &str, key: &str, wanted: &str| part.strip_prefix(key).is_some_and(|value| value != wanted);
    let (records, kind) = (theme.records(), theme.kind());
    file.path.split('/').any(|part| other(part, "theme=", records) || other(part, "type=", kind))
}

async fn single(objects: &Objects, path: &Path) -> Result<ListedFile, Error> {
    use object_store::ObjectStoreExt;
    let found = objects.store().head(path).await.map_err(|error| objects.unreadable(path, &error))?;
    let tag = found.e_tag.unwrap_or_else(|| found.last_modified.to_rfc3339());
    Ok(ListedFile { size: Some(found.size), tag: Some(tag), ..ListedFile::at(path.as_ref()) })
}

/// The version of files that have no other: it changes when one of them does.
fn version_of(files: &[ListedFile]) -> String {
    let all: Vec<String> = files.iter().map(|file| format!("{} {:?} {:?}\n", file.path, file.size, file.tag)).collect();
    format!("files-{}", fingerprint(&all.concat()))
}

#[derive(Debug, Deserialize)]
struct Manifest {
    version: String,
    files: Vec<ManifestFile>,
    previous: Option<Box<Manifest>>,
}

#[derive(Debug, Deserialize)]
struct ManifestFile {
    #[serde(alias = "path", alias = "file")]
    name: String,
    #[serde(alias = "bytes")]
    size: Option<u64>,
}

/// What a folder's manifest says; `None` without one.
async fn manifest(objects: &Objects, folder: &Folder) -> Result<Option<FilesOfVersion>, Error> {
    let path = folder.path.clone().join(MANIFEST);
    let text = match objects.whole(&path, MANIFEST_BYTES_MAX).await {
        Ok(text) => text,
        Err(Error::Missing { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    // Files of this name that something else wrote describe nothing here.
    let Ok(manifest) = serde_json::from_slice::<Manifest>(&text) else { return Ok(None) };
    Ok(described(folder, manifest))
}

/// The files that a manifest names; `None` when these are none of places.
fn described(folder: &Folder, manifest: Manifest) -> Option<FilesOfVersion> {
    let plain = |name: &str| name.ends_with(".parquet") && !name.split('/').any(|part| part.is_empty() || part == "..");
    let files: Vec<ListedFile> = (manifest.files.into_iter())
        .filter(|file| plain(&file.name))
        .map(|file| ListedFile { size: file.size, ..ListedFile::at(folder.below(&file.name).path.as_ref()) })
        .collect();
    let previous = manifest.previous.and_then(|before| described(folder, *before)).map(Box::new);
    (!files.is_empty()).then_some(FilesOfVersion { version: manifest.version, files, previous })
}
