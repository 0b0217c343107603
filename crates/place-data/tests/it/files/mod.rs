//! Imports of CSV, GeoJSON and Foursquare files: in all their dialects, and hostile ones.

#![expect(clippy::unwrap_used, reason = "a test fails with what it did not expect")]

mod csv;
mod csv_hostile;
mod foursquare;
mod geojson;

use std::path::Path;

use place_data::{Error, Import, Place, Skipped};

use super::collected::Collected;

/// What an import did.
#[derive(Debug, Default)]
pub(crate) struct Imported {
    pub(crate) places: Vec<Place>,
    pub(crate) progress: Vec<u64>,
    pub(crate) skipped: Skipped,
    pub(crate) notes: Skipped,
}

impl Imported {
    /// Reasons and the first positions of what was skipped.
    pub(crate) fn reasons(&self) -> Vec<(&str, Vec<&str>)> {
        reasons(&self.skipped)
    }
}

/// Reasons, and the first positions of each.
pub(crate) fn reasons(skipped: &Skipped) -> Vec<(&str, Vec<&str>)> {
    skipped.0.iter().map(|(reason, kind)| (*reason, kind.examples.iter().map(String::as_str).collect())).collect()
}

/// Runs a reader.
pub(crate) fn import(read: impl FnOnce(&mut Import<'_>) -> Result<(), Error>) -> Result<Imported, Error> {
    let mut sink = Collected::default();
    let mut import = Import::into(&mut sink);
    read(&mut import)?;
    let notes = import.notes().clone();
    let (taken, skipped) = import.finish();
    assert_eq!(taken, sink.places.len() as u64);
    Ok(Imported { places: sink.places, progress: sink.progress, skipped, notes })
}

/// A file with these bytes.
pub(crate) fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    file
}

/// The message of an error that is the file's fault.
pub(crate) fn message(result: Result<Imported, Error>, path: &Path) -> String {
    match result {
        Err(error @ Error::Malformed { .. }) => {
            let message = error.to_string();
            assert!(message.starts_with(&path.display().to_string()), "{message}");
            message
        }
        other => panic!("{other:?}"),
    }
}

/// What cannot be read twice, or never ends, is refused before anything waits for it.
#[test]
fn folders_and_devices_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (path, expected) in [(folder.path(), "is a folder"), (Path::new("/dev/zero"), "is a pipe or a device")] {
        let results = [
            import(|import| place_data::csv::read(path, &place_data::csv::Options::default(), import)),
            import(|import| place_data::geojson::read(path, import)),
            import(|import| place_data::osm::read(path, import)),
        ];
        for result in results {
            let message = message(result, path);
            assert!(message.contains(expected), "{message}");
        }
    }
    let device = Path::new("/dev/zero");
    let message = message(import(|import| place_data::foursquare::read(device, import)), device);
    assert!(message.contains("is a pipe or a device"), "{message}");
}
