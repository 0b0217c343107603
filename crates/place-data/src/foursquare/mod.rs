//! Foursquare OS Places: Parquet files in the schema that Foursquare publishes.

mod files;
mod label;
mod open;
mod place;

use std::path::Path;

use open::FoursquareFile;
use place::RowReader;

use crate::{Error, Import};

/// Reads a Parquet file, or all Parquet files in a folder and the folders within. Places are passed on as they are read: on an
/// error, what the sink took is not the whole data set and must be dropped. Memory does not grow with the files, apart from
/// eight bytes for the id of each place.
///
/// # Errors
/// [`Error::Malformed`] names a file that is damaged or has another schema, and where; [`Error::Cancelled`] comes from the sink.
pub fn read(path: &Path, import: &mut Import<'_>) -> Result<(), Error> {
    let mut rows = RowReader::default();
    let mut bytes_before = 0;
    for path in files::parquet_files(path)? {
        let file = FoursquareFile::open(&path)?;
        let (total, size) = (file.rows.max(1), file.bytes);
        let mut done = 0;
        for batch in file.batches()? {
            let batch = batch?;
            rows.take(&batch, (&path, done), import)?;
            done += batch.num_rows() as u64;
            let share = (done as f64 / total as f64).min(1.0);
            import.progress(bytes_before + (size as f64 * share) as u64)?;
        }
        bytes_before += size;
    }
    import.progress(bytes_before)
}
