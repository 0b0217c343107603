//! Imports of OpenStreetMap extracts: generated files in every format, hostile files, and real ones where they are at hand.

#![expect(clippy::unwrap_used, reason = "a test fails with what it did not expect")]

pub(crate) mod encode;
mod hostile;
pub(crate) mod map;
mod read;
mod real;

use std::path::Path;

use place_data::{Error, Import, Place, Sink, Skipped};

/// Keeps everything that an import passes on.
#[derive(Default)]
pub(crate) struct Collected {
    pub(crate) places: Vec<Place>,
    pub(crate) progress: Vec<u64>,
    /// Cancels the import at this many reports of progress.
    pub(crate) cancel_at: Option<usize>,
}

impl Sink for Collected {
    fn place(&mut self, place: Place) -> Result<(), Error> {
        self.places.push(place);
        Ok(())
    }

    fn progress(&mut self, bytes: u64) -> Result<(), Error> {
        self.progress.push(bytes);
        if self.cancel_at == Some(self.progress.len()) { Err(Error::Cancelled) } else { Ok(()) }
    }
}

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
