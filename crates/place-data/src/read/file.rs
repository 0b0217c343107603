//! A Parquet file of places: its metadata, and its rows as they are wanted.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Fields, Schema};
use object_store::path::Path;
use parquet::DecodeResult;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::arrow::push_decoder::{ParquetPushDecoderBuilder, RowGroupSelection};
use parquet::errors::ParquetError;
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData, ParquetMetaDataPushDecoder};

use super::object::Objects;
use super::prune::{BoxColumns, RowGroupRows};
use crate::Error;

/// Bytes at the end of a file that are fetched first; most footers with their page indexes are smaller.
const TAIL_BYTES: u64 = 512 * 1024;
/// Rows that are decoded at once.
const BATCH_ROWS: usize = 16_384;

/// An opened file.
#[derive(Clone, Debug)]
pub(crate) struct PlaceFile {
    pub(super) path: Path,
    pub(super) metadata: ArrowReaderMetadata,
    pub(super) boxes: Option<BoxColumns>,
}

/// What to read of a row group.
#[derive(Debug)]
pub(super) struct Wanted<'a> {
    pub(super) rows: &'a RowGroupRows,
    pub(super) columns: ProjectionMask,
}

impl PlaceFile {
    /// Reads the metadata of a file.
    pub(crate) async fn open(objects: &Objects, path: &Path) -> Result<PlaceFile, Error> {
        let (tail, size) = objects.tail(path, TAIL_BYTES).await?;
        let start = size - tail.len() as u64;
        let mut decoder = guarded(path, || {
            let decoder = ParquetMetaDataPushDecoder::try_new(size)?.with_page_index_policy(PageIndexPolicy::Optional);
            Ok(decoder)
        })?;
        guarded(path, || decoder.push_range(start..size, tail))?;
        loop {
            match guarded(path, || decoder.try_decode())? {
                DecodeResult::Data(metadata) => return PlaceFile::of(path.clone(), metadata),
                DecodeResult::NeedsData(ranges) => {
                    let found = objects.ranges(path, &ranges).await?;
                    guarded(path, || decoder.push_ranges(ranges, found))?;
                }
                DecodeResult::Finished => return Err(Error::malformed(path.as_ref(), "it has no Parquet metadata")),
            }
        }
    }

    fn of(path: Path, metadata: ParquetMetaData) -> Result<PlaceFile, Error> {
        let boxes = BoxColumns::of(&metadata);
        let metadata = Arc::new(metadata);
        let plain = guarded(&path, || ArrowReaderMetadata::try_new(metadata.clone(), ArrowReaderOptions::new()))?;
        for column in ["id", "geometry", "names"] {
            if plain.schema().index_of(column).is_err() {
                return Err(Error::malformed(
                    path.as_ref(),
                    format!("it has no column {column:?}, so it holds no places"),
                ));
            }
        }
        // Few categories, many rows: as a dictionary each is looked at once.
        let hinted = ArrowReaderOptions::new().with_schema(Arc::new(with_dictionaries(plain.schema())));
        let metadata = ArrowReaderMetadata::try_new(metadata, hinted).unwrap_or(plain);
        Ok(PlaceFile { path, metadata, boxes })
    }

    pub(super) fn rows(&self) -> u64 {
        u64::try_from(self.metadata.metadata().file_metadata().num_rows()).unwrap_or(0)
    }

    /// A mask of the leaf columns below these paths.
    pub(super) fn columns(&self, paths: &[&str]) -> ProjectionMask {
        ProjectionMask::columns(self.metadata.parquet_schema(), paths.iter().copied())
    }

    /// Decodes some rows of one row group, batch by batch.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        objects: &Objects,
        wanted: Wanted<'_>,
        each: impl FnMut(RecordBatch) -> T + Send + 'static,
    ) -> Result<Vec<T>, Error> {
        let Wanted { rows, columns } = wanted;
        let total = usize::try_from(self.metadata.metadata().row_group(rows.group).num_rows()).unwrap_or(0);
        let selection = RowGroupSelection::new(rows.group, Some(rows.selection(total)));
        let mut decoder = guarded(&self.path, || {
            ParquetPushDecoderBuilder::new_with_metadata(self.metadata.clone())
                .with_batch_size(BATCH_ROWS)
                .with_projection(columns)
                .with_row_group_selections(vec![selection])
                .build()
        })?;
        loop {
            match guarded(&self.path, || decoder.try_next_reader())? {
                DecodeResult::NeedsData(ranges) => {
                    let found = objects.ranges(&self.path, &ranges).await?;
                    guarded(&self.path, || decoder.push_ranges(ranges, found))?;
                }
                DecodeResult::Data(reader) => return self.decode(reader, each, rows.group).await,
                DecodeResult::Finished => return Ok(Vec::new()),
            }
        }
    }

    async fn decode<T: Send + 'static>(
        &self,
        reader: parquet::arrow::arrow_reader::ParquetRecordBatchReader,
        mut each: impl FnMut(RecordBatch) -> T + Send + 'static,
        group: usize,
    ) -> Result<Vec<T>, Error> {
        let path = self.path.clone();
        let work = move || {
            let mut all = Vec::new();
            for batch in reader {
                all.push(each(batch?));
            }
            Ok(all)
        };
        let done = tokio::task::spawn_blocking(move || guarded_in(&path, group, work)).await;
        done.unwrap_or(Err(Error::Cancelled))
    }
}

/// The same schema with the names of categories as dictionaries.
fn with_dictionaries(schema: &Schema) -> Schema {
    let dictionary = |field: &Field| {
        let fits = field.name() == "primary" && *field.data_type() == DataType::Utf8;
        let kind = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        if fits { field.clone().with_data_type(kind) } else { field.clone() }
    };
    let fields = schema.fields().iter().map(|field| match field.data_type() {
        DataType::Struct(members) if ["taxonomy", "categories"].contains(&field.name().as_str()) => {
            let members: Fields = members.iter().map(|member| dictionary(member)).collect();
            field.as_ref().clone().with_data_type(DataType::Struct(members))
        }
        _ => field.as_ref().clone(),
    });
    Schema::new_with_metadata(fields.collect::<Fields>(), schema.metadata().clone())
}

/// Runs a step of the decoder. A file made to break it may make it panic, which is an error of that file.
fn guarded<T>(path: &Path, step: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, Error> {
    match catch_unwind(AssertUnwindSafe(step)) {
        Ok(result) => {
            result.map_err(|error| Error::malformed(path.as_ref(), format!("it is not a sound Parquet file ({error})")))
        }
        Err(_) => Err(Error::malformed(path.as_ref(), "it is not a sound Parquet file")),
    }
}

/// The same for a row group.
fn guarded_in<T>(
    path: &Path,
    group: usize,
    step: impl FnOnce() -> Result<T, arrow_schema::ArrowError>,
) -> Result<T, Error> {
    let at = || format!("row group {group}");
    match catch_unwind(AssertUnwindSafe(step)) {
        Ok(result) => {
            result.map_err(|error| Error::malformed_at(path.as_ref(), at(), format!("it cannot be decoded ({error})")))
        }
        Err(_) => Err(Error::malformed_at(path.as_ref(), at(), "it cannot be decoded")),
    }
}
