//! A Parquet file of places: its metadata, and its rows as they are wanted.

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
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;

use super::list::ListedFile;
use super::object::Objects;
use super::prune::{BoxColumns, RowGroupRows};
use super::tail::Tail;
use crate::Error;
use crate::disk_cache::{DiskCache, fingerprint};
use crate::schema::viewed;

/// Bytes at the end of a file that are fetched first when its size is not known.
const TAIL_BYTES: u64 = 512 * 1024;
/// The same as a share of the size, within limits; most footers with their page indexes are smaller.
const TAIL_SHARE: u64 = 200;
const TAIL_BYTES_MIN: u64 = 128 * 1024;
const TAIL_BYTES_MAX: u64 = 1024 * 1024;
/// Bytes of a footer and its indexes beyond which a file is refused.
const METADATA_BYTES_MAX: u64 = 128 * 1024 * 1024;
/// Rows that are decoded at once.
const BATCH_ROWS: usize = 65_536;
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
    /// Reads the metadata of a file, out of the cache where it is there.
    pub(crate) async fn open(objects: &Objects, listed: &ListedFile, footers: &DiskCache) -> Result<PlaceFile, Error> {
        let path = Path::from(listed.path.as_str());
        let entry = format!("{}.footer", fingerprint(&format!("{path} {}", listed.tag.as_deref().unwrap_or_default())));
        let kept = footers.read(&entry).and_then(|kept| Tail::parse(&kept.value));
        let kept = kept.filter(|tail| listed.size.is_none_or(|size| size == tail.size));
        let (mut tail, mut fresh) = match kept {
            Some(tail) => (tail, false),
            None => {
                let count = listed.size.map(|size| (size / TAIL_SHARE).clamp(TAIL_BYTES_MIN, TAIL_BYTES_MAX));
                let (bytes, size) = objects.tail(&path, count.unwrap_or(TAIL_BYTES), listed.size).await?;
                let start = size.saturating_sub(bytes.len() as u64);
                (Tail { size, parts: vec![(start, bytes)] }, true)
            }
        };
        let name = objects.address(&path);
        let mut decoder = guarded(&name, || tail.decoder())?;
        loop {
            match guarded(&name, || decoder.try_decode())? {
                DecodeResult::Data(metadata) => {
                    if fresh {
                        footers.write(&entry, &tail.to_bytes());
                    }
                    return PlaceFile::of(path, (name, tail.size), metadata);
                }
                DecodeResult::NeedsData(ranges) => {
                    let sound = ranges.iter().all(|range| range.start <= range.end && range.end <= tail.size);
                    if !sound || ranges.iter().map(|range| range.end - range.start).sum::<u64>() > METADATA_BYTES_MAX {
                        return Err(Error::malformed(name, "its footer says that it is larger than the file can have"));
                    }
                    let found = objects.ranges(&path, &ranges).await?;
                    tail.parts.extend(ranges.iter().map(|range| range.start).zip(found.iter().cloned()));
                    fresh = true;
                    guarded(&name, || decoder.push_ranges(ranges, found))?;
                }
                DecodeResult::Finished => return Err(Error::malformed(name, "it has no Parquet metadata")),
            }
        }
    }

    fn of(path: Path, (name, size): (String, u64), metadata: ParquetMetaData) -> Result<PlaceFile, Error> {
        let boxes = BoxColumns::of(&metadata);
        let metadata = Arc::new(metadata);
        let plain = guarded(&name, || ArrowReaderMetadata::try_new(metadata.clone(), ArrowReaderOptions::new()))?;
        for column in ["id", "geometry", "names"] {
            if plain.schema().index_of(column).is_err() {
                return Err(Error::malformed(name, format!("it has no column {column:?}, so it holds no places")));
            }
        }
        let hinted = ArrowReaderOptions::new().with_schema(Arc::new(shared_values(plain.schema())));
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
        guarded(&self.name, || {
            ParquetPushDecoderBuilder::new_with_metadata(self.metadata.clone())
                .with_batch_size(BATCH_ROWS)
                .with_projection(columns)
                .with_row_group_selections(vec![selection])
                .build()
        })
    }

    /// A footer may name any positions; only those in the file, and not more than can be held, are read.
    fn checked(&self, ranges: Vec<Range<u64>>, group: usize) -> Result<Vec<Range<u64>>, Error> {
        let refused =
            |problem: &str| Err(Error::malformed_at(self.name.clone(), format!("row group {group}"), problem));
        if ranges.iter().any(|range| range.start > range.end || range.end > self.size) {
            return refused("the footer names a position behind the end of the file");
        }
        if ranges.iter().map(|range| range.end - range.start).sum::<u64>() > GROUP_BYTES_MAX {
            return refused("it is too large to be read; write the file with smaller row groups");
        }
        Ok(ranges)
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
        let done = tokio::task::spawn_blocking(move || guarded_in(&name, group, work)).await;
        done.unwrap_or(Err(Error::Cancelled))
    }
}

/// The same schema with values that rows share: categories and the operating status as dictionaries, of which each name is looked
/// at once, and all other texts as views.
fn shared_values(schema: &Schema) -> Schema {
    let dictionary = |field: &Field, name: &str| {
        let fits = field.name() == name && *field.data_type() == DataType::Utf8;
        let kind = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        if fits { field.clone().with_data_type(kind) } else { viewed(field) }
    };
    let fields = schema.fields().iter().map(|field| match field.data_type() {
        DataType::Struct(members) if ["taxonomy", "categories"].contains(&field.name().as_str()) => {
            let members: Fields = members.iter().map(|member| dictionary(member, "primary")).collect();
            field.as_ref().clone().with_data_type(DataType::Struct(members))
        }
        _ => dictionary(field, "operating_status"),
    });
    Schema::new_with_metadata(fields.collect::<Fields>(), schema.metadata().clone())
}

/// Runs a step of the decoder. A file made to break it may make it panic, which is an error of that file.
fn guarded<T>(name: &str, step: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, Error> {
    match catch_unwind(AssertUnwindSafe(step)) {
        Ok(result) => {
            result.map_err(|error| Error::malformed(name, format!("it is not a sound Parquet file ({error})")))
        }
        Err(_) => Err(Error::malformed(name, "it is not a sound Parquet file")),
    }
}

/// The same for a row group.
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
