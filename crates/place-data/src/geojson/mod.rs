//! GeoJSON: collections, single features, and features one per line, with properties as Overture, OpenStreetMap or anybody else
//! names them.

mod feature;
mod locate;
mod nested;
mod walk;

use std::path::Path;

use feature::FeatureReader;

use crate::{Error, Import};

/// Reads a GeoJSON file: a `FeatureCollection`, a `Feature`, or a sequence of features separated by line breaks or by the
/// record separators of RFC 8142. A point stands for a line or an area; of an area it lies inside. Features are passed on as
/// they are read: on an error, what the sink took is not the whole file and must be dropped. Memory does not grow with the
/// file, apart from eight bytes for the id of each feature.
///
/// # Errors
/// [`Error::Malformed`] with line and column for a file that is no GeoJSON, is cut off, or has a feature of more than 16 MiB;
/// [`Error::Cancelled`] comes from the sink.
pub fn read(path: &Path, import: &mut Import<'_>) -> Result<(), Error> {
    let dataset = path.file_name().unwrap_or_default().to_string_lossy();
    walk::features(path, FeatureReader::new(&dataset), import)
}
