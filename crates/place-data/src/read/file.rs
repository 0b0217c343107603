//! A Parquet file of places or addresses: its metadata, and its rows as they are wanted.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Fields, Schema};
use object_store::path::Path;
use parquet::DecodeResult;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::arrow::push_decoder::{ParquetPushDecoder, ParquetPushDecoderBuilder, RowGroupSelection};

use super::compute::compute;
use super::footer::{Footer, guarded};
use super::object::Objects;
use super::prune::{BoxColumns, RowGroupRows};
use crate::Error;
use crate::schema::viewed;
use crate::soundness::are_pages;
use crate::theme::Theme;

/// Rows that are decoded at once, with those between them that are not wanted.
const BATCH_ROWS: usize = 8_192;
/// Wanted rows that are decoded at once, at least.
const BATCH_ROWS_MIN: usize = 256;
/// Bytes of the wanted columns of a row group beyond which a file is refused.
const GROUP_BYTES_MAX: u64 = 512 * 1024 * 1024;

/// An opened file.
#[derive(Clone, Debug)]
pub(crate) struct PlaceFile {
    pub(super) path: Path,
    /// Its whole address, for messages.
    pub(super) name: String,
    pub(super) metadata: ArrowReaderMetadata,
    pub(super) boxes: Option<BoxColumns>,
    /// In bytes.
    size: u64,
}

/// What to read of a row group.
#[derive(Debug)]
pub(super) struct Wanted<'a> {
    pub(super) rows: &'a RowGroupRows,
    pub(super) columns: ProjectionMask,
}

impl PlaceFile {
    /// A file whose footer and indexes are known.
    pub(super) fn of(footer: Footer, theme: Theme) -> Result<PlaceFile, Error> {
        let size = footer.size();
        let Footer { path, name, metadata, boxes, .. } = footer;
        let metadata = Arc::new(metadata);
        let plain = guarded(&name, || ArrowReaderMetadata::try_new(metadata.clone(), ArrowReaderOptions::new()))?;
        for column in theme.columns() {
            if plain.schema().index_of(column).is_err() {
                let records = theme.records();
                return Err(Error::malformed(name, format!("it has no column {column:?}, so it holds no {records}")));
            }
        }
        let fields: Fields = plain.schema().fields().iter().map(|field| quick(field)).collect();
        let hint = Schema::new_with_metadata(fields, plain.schema().metadata().clone());
        let hinted = ArrowReaderOptions::new().with_schema(Arc::new(hint));
        let metadata = ArrowReaderMetadata::try_new(metadata, hinted).unwrap_or(plain);
        Ok(PlaceFile { path, name, metadata, boxes, size })
    }

    pub(super) fn rows(&self) -> u64 {
        u64::try_from(self.metadata.metadata().file_metadata().num_rows()).unwrap_or(0)
    }

    /// A mask of the leaf columns below these paths.
    pub(super) fn columns(&self, paths: &[&str]) -> ProjectionMask {
        ProjectionMask::columns(self.metadata.parquet_schema(), paths.iter().copied())
    }

    /// The ranges of the file that are needed for some rows of a row group.
    pub(super) fn ranges(&self, wanted: Wanted<'_>) -> Result<Vec<Range<u64>>, Error> {
        let group = wanted.rows.group;
        let mut decoder = self.decoder(wanted)?;
        match guarded(&self.name, || decoder.try_next_reader())? {
            DecodeResult::NeedsData(ranges) => self.checked(ranges, group),
            _ => Ok(Vec::new()),
        }
    }

    /// Decodes some rows of one row group, batch by batch.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        objects: &Objects,
        wanted: Wanted<'_>,
        each: impl FnMut(RecordBatch) -> T + Send + 'static,
    ) -> Result<Vec<T>, Error> {
        let group = wanted.rows.group;
        let mut decoder = self.decoder(wanted)?;
        loop {
            match guarded(&self.name, || decoder.try_next_reader())? {
                DecodeResult::NeedsData(ranges) => {
                    let ranges = self.checked(ranges, group)?;
                    let found = objects.ranges(&self.path, &ranges).await?;
                    if !found.iter().all(|pages| are_pages(pages)) {
                        return Err(self.malformed(group, "its pages are damaged or claim more than there is"));
                    }
                    guarded(&self.name, || decoder.push_ranges(ranges, found))?;
                }
                DecodeResult::Data(reader) => return self.decode(reader, each, group).await,
                DecodeResult::Finished => return Ok(Vec::new()),
            }
        }
    }

    fn decoder(&self, wanted: Wanted<'_>) -> Result<ParquetPushDecoder, Error> {
        let Wanted { rows, columns } = wanted;
        let total = usize::try_from(self.metadata.metadata().row_group(rows.group).num_rows()).unwrap_or(0);
        let selection = RowGroupSelection::new(rows.group, Some(rows.selection(total)));
        let batch_rows = rows.among(BATCH_ROWS).max(BATCH_ROWS_MIN);
        guarded(&self.name, || {
            ParquetPushDecoderBuilder::new_with_metadata(self.metadata.clone())
                .with_batch_size(batch_rows)
                .with_projection(columns)
                .with_row_group_selections(vec![selection])
                .build()
        })
    }

    /// A footer may name any positions; only those in the file, and not more than can be held, are read.
    fn checked(&self, ranges: Vec<Range<u64>>, group: usize) -> Result<Vec<Range<u64>>, Error> {
        let refused = |problem| Err(self.malformed(group, problem));
        if ranges.iter().any(|range| range.start > range.end || range.end > self.size) {
            return refused("the footer names a position behind the end of the file");
        }
        if ranges.iter().map(|range| range.end - range.start).sum::<u64>() > GROUP_BYTES_MAX {
            return refused("it is too large to be read; write the file with smaller row groups");
        }
        Ok(ranges)
    }

    fn malformed(&self, group: usize, problem: &str) -> Error {
        Error::malformed_at(self.name.clone(), format!("row group {group}"), problem)
    }

    async fn decode<T: Send + 'static>(
        &self,
        reader: parquet::arrow::arrow_reader::ParquetRecordBatchReader,
        mut each: impl FnMut(RecordBatch) -> T + Send + 'static,
        group: usize,
    ) -> Result<Vec<T>, Error> {
        let name = self.name.clone();
        let work = move || {
            let mut all = Vec::new();
            for batch in reader {
                all.push(each(batch?));
            }
            Ok(all)
        };
        compute(move || guarded_in(&name, group, work)).await?
    }
}

/// A field as it is quickest to decode. Few categories or streets, many rows: as a dictionary each is looked at once. Other texts are views
/// into the pages, so that only those of the wanted rows are copied.
fn quick(field: &Field) -> Field {
    let repeating = |field: &Field, name: &str| {
        let repeats = field.name() == name && *field.data_type() == DataType::Utf8;
        let kind = || DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        if repeats { field.clone().with_data_type(kind()) } else { viewed(field) }
    };
    match field.data_type() {
        DataType::Struct(members) if ["taxonomy", "categories"].contains(&field.name().as_str()) => {
            let members = members.iter().map(|member| repeating(member, "primary"));
            field.clone().with_data_type(DataType::Struct(members.collect()))
        }
        _ if field.name() == "street" => repeating(field, "street"),
        _ => repeating(field, "operating_status"),
    }
}

/// Runs the decoding of a row group, as [`guarded`] does with smaller steps.
fn guarded_in<T>(
    name: &str,
    group: usize,
    step: impl FnOnce() -> Result<T, arrow_schema::ArrowError>,
) -> Result<T, Error> {
    let at = || format!("row group {group}");
    match catch_unwind(AssertUnwindSafe(step)) {
        Ok(result) => {
            result.map_err(|error| Error::malformed_at(name, at(), format!("it cannot be decoded ({error})")))
        }
        Err(_) => Err(Error::malformed_at(name, at(), "it cannot be decoded")),
    }
}
