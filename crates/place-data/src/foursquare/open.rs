//! Opens a Parquet file of the data set, and reads it batch by batch.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{FieldRef, Fields, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};

use super::place::COLUMNS;
use crate::Error;
use crate::import::open_input;
use crate::schema::viewed;
use crate::soundness::{self, CheckedPages, FOOTER_END_BYTES};

/// Rows decoded at a time.
const BATCH_ROWS: usize = 1024;
/// Columns without which there are no places.
const REQUIRED: [&str; 4] = ["fsq_place_id", "name", "latitude", "longitude"];

/// An opened file.
pub(super) struct FoursquareFile {
    path: PathBuf,
    file: File,
    metadata: ArrowReaderMetadata,
    pub(super) rows: u64,
    pub(super) bytes: u64,
}

impl FoursquareFile {
    /// Reads and checks the metadata of a file.
    pub(super) fn open(path: &Path) -> Result<FoursquareFile, Error> {
        let file = open_input(path)?;
        let bytes = file.metadata().map_err(Error::io(path))?.len();
        let start = check_footer(path, &file, bytes)?;
        let plain = guarded(path, None, || ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()))?;
        check(path, plain.metadata(), start)?;
        if let Some(missing) = REQUIRED.iter().find(|column| plain.schema().index_of(column).is_err()) {
            let problem = format!("has no column {missing:?}: expected the schema of Foursquare OS Places");
            return Err(Error::malformed(path.display().to_string(), problem));
        }
        // Views share the text of repeated values; copies of one long value would fill the memory.
        let views = ArrowReaderOptions::new().with_schema(Arc::new(with_views(plain.schema())));
        let metadata = guarded(path, None, || ArrowReaderMetadata::try_new(plain.metadata().clone(), views))?;
        let rows = u64::try_from(plain.metadata().file_metadata().num_rows()).unwrap_or(0);
        Ok(FoursquareFile { path: path.to_owned(), file, metadata, rows, bytes })
    }

    /// The rows, batch by batch.
    pub(super) fn batches(self) -> Result<impl Iterator<Item = Result<RecordBatch, Error>>, Error> {
        let FoursquareFile { path, file, metadata, .. } = self;
        let columns = ProjectionMask::columns(metadata.parquet_schema(), COLUMNS);
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(CheckedPages(file), metadata);
        let builder = builder.with_projection(columns).with_batch_size(BATCH_ROWS);
        let mut reader = guarded(&path, None, || builder.build())?;
        let mut row = 0;
        let mut is_over = false;
        Ok(std::iter::from_fn(move || {
            if is_over {
                return None;
            }
            let batch = guarded(&path, Some(row), || reader.next().transpose()).transpose();
            row += batch.as_ref().and_then(|batch| batch.as_ref().ok()).map_or(0, RecordBatch::num_rows);
            is_over = !matches!(batch, Some(Ok(_)));
            batch
        }))
    }
}

/// Where the footer begins. One that would keep the decoder busy for hours is refused.
fn check_footer(path: &Path, mut file: &File, size: u64) -> Result<u64, Error> {
    let refused = || Error::malformed(path.display().to_string(), "is not a sound Parquet file");
    let end = size.checked_sub(FOOTER_END_BYTES).ok_or_else(refused)?;
    let mut read = |from: u64, to: u64| {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(from))?;
        file.take(to - from).read_to_end(&mut bytes)?;
        io::Result::Ok(bytes)
    };
    let ending = read(end, size).map_err(Error::io(path))?.try_into().map_err(|_| refused())?;
    let start = soundness::footer_start(size, ending);
    let footer = read(start, end).map_err(Error::io(path))?;
    soundness::is_footer(&footer).then_some(start).ok_or_else(refused)
}

/// Refuses a footer that speaks of more data than there is before it.
fn check(path: &Path, metadata: &ParquetMetaData, bytes: u64) -> Result<(), Error> {
    if !soundness::can_have_rows(metadata, bytes) {
        return Err(Error::malformed(
            path.display().to_string(),
            "the footer speaks of more rows than the file can have",
        ));
    }
    for (number, group) in metadata.row_groups().iter().enumerate() {
        let end = |column: &ColumnChunkMetaData| {
            let (start, length) = column.byte_range();
            start.saturating_add(length)
        };
        let last = guarded(path, None, || Ok::<_, ParquetError>(group.columns().iter().map(end).max()))?;
        if last.unwrap_or(0) > bytes {
            let problem = "the footer speaks of more data than the file has: it is damaged or cut off";
            return Err(Error::malformed_at(path.display().to_string(), format!("row group {number}"), problem));
        }
    }
    Ok(())
}

/// The same schema with texts as views.
fn with_views(schema: &Schema) -> Schema {
    let fields = schema.fields().iter().map(|field| Arc::new(viewed(field)) as FieldRef);
    Schema::new_with_metadata(fields.collect::<Fields>(), schema.metadata().clone())
}

/// Runs a step of the decoder. A file made to break it may make it panic, which is an error of that file.
fn guarded<T, E: std::fmt::Display>(
    path: &Path,
    row: Option<usize>,
    step: impl FnOnce() -> Result<T, E>,
) -> Result<T, Error> {
    let refused = |why: String| {
        let (file, problem) = (path.display().to_string(), format!("is not a sound Parquet file{why}"));
        match row {
            Some(row) => Error::malformed_at(file, format!("after row {row}"), problem),
            None => Error::malformed(file, problem),
        }
    };
    match catch_unwind(AssertUnwindSafe(step)) {
        Ok(result) => result.map_err(|error| refused(format!(" ({error})"))),
        Err(_) => Err(refused(String::new())),
    }
}
