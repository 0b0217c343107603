//! Finds the files of a data set.

use std::path::{Path, PathBuf};

use crate::Error;

/// Folders within folders that are searched.
const DEPTH_MAX: usize = 8;
/// Files of one data set. A release has a hundred.
const FILES_MAX: usize = 100_000;

/// The Parquet files at a path, in the order of their names. Links to folders are not followed, so that none is read twice.
pub(super) fn parquet_files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    if !path.metadata().map_err(Error::io(path))?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    collect(path, DEPTH_MAX, &mut found)?;
    if found.is_empty() {
        let problem =
            "has no Parquet files: expected a download of Foursquare OS Places, with names that end in .parquet";
        return Err(Error::malformed(path.display().to_string(), problem));
    }
    found.sort();
    Ok(found)
}

fn collect(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), Error> {
    for entry in folder.read_dir().map_err(Error::io(folder))? {
        let entry = entry.map_err(Error::io(folder))?;
        let (path, kind) = (entry.path(), entry.file_type().map_err(Error::io(folder))?);
        let is_parquet = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("parquet"));
        if kind.is_dir() && depth > 1 {
            collect(&path, depth - 1, found)?;
        } else if is_parquet && !kind.is_dir() {
            found.push(path);
        }
        if found.len() > FILES_MAX {
            return Err(Error::malformed(folder.display().to_string(), format!("has more than {FILES_MAX} files")));
        }
    }
    Ok(())
}
