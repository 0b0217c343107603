//! Imports of OpenStreetMap extracts: generated files in every format, hostile files, and real ones where they are at hand.

#![expect(clippy::unwrap_used, reason = "a test fails with what it did not expect")]

pub(crate) mod encode;
mod hostile;
pub(crate) mod map;
mod read;
mod real;

use std::path::Path;

use place_data::{Error, Import, Place, Skipped};

use super::collected::Collected;

/// Imports a file.
pub(crate) fn import_file(path: &Path) -> (Result<(), Error>, Collected, Skipped) {
    let mut sink = Collected::default();
    let mut import = Import::into(&mut sink);
    let result = place_data::osm::read(path, &mut import);
    let (_, skipped) = import.finish();
    (result, sink, skipped)
}

/// Imports bytes as a file.
pub(crate) fn import_bytes(bytes: &[u8]) -> (Result<(), Error>, Collected, Skipped) {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    import_file(file.path())
}

/// The places in bytes that are a good file.
pub(crate) fn places(bytes: &[u8]) -> Vec<Place> {
    let (result, collected, _) = import_bytes(bytes);
    result.unwrap();
    collected.places
}
