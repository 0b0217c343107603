//! Writes places as Parquet files of the schema that [`crate::Dataset`] reads: in a given order, or sorted along a curve so
//! that neighbours on the map are neighbours in the file.

mod curve;
mod file;
mod merge;
mod run;
mod sort;
mod sorted;

use std::path::Path;

pub(crate) use curve::{Position, position};
pub use file::DataFile;
pub(crate) use file::{checksum, widened};
pub(crate) use sorted::{PartWriter, SortedWriter};

use crate::{Error, Place};

/// Writes places to one file in the order given.
///
/// # Errors
/// [`Error::Io`] when the file cannot be written.
pub fn write(path: &Path, places: impl IntoIterator<Item = Place>) -> Result<u64, Error> {
    let mut file = file::FileWriter::create(path)?;
    for place in places {
        file.add(place)?;
    }
    Ok(file.finish()?.rows)
}
