//! Places in any order and number, written as files that are sorted along the curve.

use std::path::PathBuf;

use sha2::{Digest, Sha256};

use super::file::{DataFile, FileWriter};
use super::run::{Record, RunReader};
use super::sort::{HELD_BYTES, Sorter};
use crate::{Error, Place};

/// Places of one file; more go on in the next.
const FILE_ROWS: u64 = 2_000_000;
/// Letters of the name of a version: enough that two never meet.
const VERSION_LETTERS: usize = 16;

/// Writes places, which may come in any order, to sorted files. Memory does not grow with their number.
pub(crate) struct SortedWriter {
    folder: PathBuf,
    sorter: Sorter,
    added: u64,
}

/// The written files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SortedFiles {
    /// Named by what is in them, along the curve.
    pub(crate) files: Vec<DataFile>,
    /// Depends on the places only: not on their order in the input, nor on how they are compressed.
    pub(crate) version: String,
}

impl SortedWriter {
    /// Writes to this folder, which is there and of which nobody else makes use.
    pub(crate) fn in_folder(folder: PathBuf) -> SortedWriter {
        SortedWriter::holding(folder, HELD_BYTES)
    }

    /// Writes the places of these parts to this folder. The parts stay.
    pub(crate) fn of_parts(folder: PathBuf, parts: Vec<PathBuf>) -> Result<SortedWriter, Error> {
        let mut writer = SortedWriter::in_folder(folder);
        for part in parts {
            writer.added += count(part.clone())?;
            writer.sorter.add_run(part)?;
        }
        Ok(writer)
    }

    fn holding(folder: PathBuf, held_bytes: usize) -> SortedWriter {
        SortedWriter { sorter: Sorter::new(folder.clone(), held_bytes), folder, added: 0 }
    }

    /// Adds a place.
    pub(crate) fn add(&mut self, place: &Place) -> Result<(), Error> {
        self.added += 1;
        self.sorter.add(place)
    }

    /// How many places were added.
    pub(crate) fn added(&self) -> u64 {
        self.added
    }

    /// Writes the files. `each` sees every place as it is written, and can end the work with an error.
    pub(crate) fn finish(self, mut each: impl FnMut(&Place) -> Result<(), Error>) -> Result<SortedFiles, Error> {
        let SortedWriter { folder, sorter, .. } = self;
        let mut content = Sha256::new();
        let (mut files, mut open): (Vec<DataFile>, Option<FileWriter>) = (Vec::new(), None);
        sorter.finish()?.places(|place, record| {
            content.update(record);
            each(&place)?;
            if open.as_ref().is_some_and(|file| file.rows() >= FILE_ROWS) {
                files.extend(open.take().map(FileWriter::finish).transpose()?);
            }
            let file = match &mut open {
                Some(file) => file,
                none => none.insert(FileWriter::create(&folder.join(format!("{}.parquet", files.len())))?),
            };
            file.add(place)
        })?;
        files.extend(open.map(FileWriter::finish).transpose()?);
        let version: String = hex::encode(content.finalize()).chars().take(VERSION_LETTERS).collect();
        for (number, file) in files.iter_mut().enumerate() {
            named(&folder, file, &format!("{version}-{number}"))?;
        }
        Ok(SortedFiles { files, version })
    }
}

/// Writes places, which may come in any order, as one part of more.
pub(crate) struct PartWriter {
    folder: PathBuf,
    sorter: Sorter,
}

impl PartWriter {
    /// Writes to this folder, which is there and of which nobody else makes use.
    pub(crate) fn in_folder(folder: PathBuf) -> PartWriter {
        PartWriter { sorter: Sorter::new(folder.clone(), HELD_BYTES), folder }
    }

    /// Adds a place.
    pub(crate) fn add(&mut self, place: &Place) -> Result<(), Error> {
        self.sorter.add(place)
    }

    /// Writes the part.
    pub(crate) fn finish(self) -> Result<PathBuf, Error> {
        self.sorter.finish()?.into_run(self.folder.join("whole.run"))
    }
}

/// How many places a part has.
fn count(part: PathBuf) -> Result<u64, Error> {
    let (mut run, mut record, mut count) = (RunReader::open(part)?, Record::default(), 0);
    while run.next(&mut record)? {
        count += 1;
    }
    Ok(count)
}

/// Gives a file a name that no file with other bytes has: other versions of this program may write the same places otherwise.
fn named(folder: &std::path::Path, file: &mut DataFile, name: &str) -> Result<(), Error> {
    let checksum: String = file.sha256.chars().take(8).collect();
    let named = format!("{name}-{checksum}.parquet");
    std::fs::rename(folder.join(&file.name), folder.join(&named)).map_err(Error::io(folder.join(&named)))?;
    file.name = named;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::position;
    use places::Point;

    /// Places in a scattered order.
    fn places(count: u64) -> Vec<Place> {
        let scattered = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let degrees = |number: u64, whole: f64| (scattered(number) as f64 / f64::from(u32::MAX) - 0.5) * whole;
        (0..count)
            .map(|number| {
                let point = Point { latitude: degrees(number, 180.0), longitude: degrees(number + count, 360.0) };
                Place::new(format!("id-{number}"), format!("Name {}", number % 7), point)
            })
            .collect()
    }

    fn written(places: &[Place], held_bytes: usize) -> (SortedFiles, Vec<Place>) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut writer = SortedWriter::holding(folder.path().into(), held_bytes);
        places.iter().for_each(|place| writer.add(place).expect("it is added"));
        let mut seen = Vec::new();
        let each = |place: &Place| {
            seen.push(place.clone());
            Ok(())
        };
        (writer.finish(each).expect("files"), seen)
    }

    #[test]
    fn the_order_is_that_of_the_curve_however_little_memory_there_is() {
        let mut places = places(5_000);
        let (whole, seen) = written(&places, HELD_BYTES);
        places.sort_by_key(|place| (position(place.point), place.id.clone()));
        assert_eq!(seen, places);
        places.reverse();
        // A run of about forty places each: they are merged twice.
        for held_bytes in [1_000, 20_000] {
            assert_eq!(written(&places, held_bytes), (whole.clone(), seen.clone()));
        }
        assert_ne!(written(&places[1..], HELD_BYTES).0.version, whole.version);
    }

    #[test]
    fn a_place_that_is_too_long_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = SortedWriter::in_folder(folder.path().into());
        let point = Point { latitude: 0.0, longitude: 0.0 };
        let error = writer.add(&Place::new("n7", "x".repeat(5_000_000), point)).unwrap_err();
        assert!(error.to_string().contains("place n7: cannot be kept"), "{error}");
    }
}
