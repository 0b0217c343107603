//! What `info` and `verify` are about: an import, or a folder of place files.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use place_data::library::{Manifest, open_folder};
use place_data::{Dataset, Library};

#[derive(Debug, Args)]
pub(in crate::command) struct SubjectArguments {
    /// Name of an import, or a folder; the import if there is only one
    #[arg(value_name = "NAME|FOLDER")]
    subject: Option<String>,
}

/// Files of places.
#[derive(Debug)]
pub(super) struct Subject {
    /// What the user calls it.
    pub(super) name: String,
    pub(super) folder: PathBuf,
    /// What is known of it, if it is an import.
    pub(super) manifest: Option<Manifest>,
}

impl SubjectArguments {
    /// The import or folder that is meant. A name that is both means the import.
    pub(super) fn resolve(&self, library: &Library) -> anyhow::Result<Subject> {
        let Some(subject) = &self.subject else { return only_import(library) };
        if let Some(manifest) = library.find(subject)? {
            return Ok(of_import(library, manifest));
        }
        let folder = Path::new(subject);
        if !folder.is_dir() {
            let missing = library.require(subject).map(|manifest| of_import(library, manifest));
            return missing.with_context(|| format!("there is no folder {subject:?}"));
        }
        Ok(Subject { name: subject.clone(), folder: folder.into(), manifest: Manifest::in_folder(folder)? })
    }
}

impl Subject {
    /// Its files, opened.
    pub(super) async fn dataset(&self) -> anyhow::Result<Dataset> {
        Ok(open_folder(&self.folder, self.manifest.as_ref()).await?)
    }
}

fn only_import(library: &Library) -> anyhow::Result<Subject> {
    let mut imports = library.list()?;
    let names: Vec<&str> = imports.iter().map(|manifest| manifest.name.as_str()).collect();
    match imports.len() {
        0 => anyhow::bail!("nothing is imported; name a folder, or import a file with canvass places import"),
        1 => Ok(of_import(library, imports.remove(0))),
        _ => anyhow::bail!("several files are imported; name one of {}", names.join(", ")),
    }
}

fn of_import(library: &Library, manifest: Manifest) -> Subject {
    let folder = library.folder().join(&manifest.name);
    Subject { name: manifest.name.clone(), folder, manifest: Some(manifest) }
}
