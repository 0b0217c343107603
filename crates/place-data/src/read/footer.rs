//! The footer of a Parquet file, and its page indexes: decoded only as far as they are needed.

use std::panic::{AssertUnwindSafe, catch_unwind};

use object_store::path::Path;
use parquet::DecodeResult;
use parquet::arrow::ProjectionMask;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMask, PageIndexPolicy, ParquetMetaData, ParquetMetaDataPushDecoder};

use super::compute::compute;
use super::list::ListedFile;
use super::object::Objects;
use super::prune::BoxColumns;
use super::tail::Tail;
use crate::disk_cache::DiskCache;
use crate::{Error, schema, thrift};

/// Bytes at the end of a file that are fetched first when its size is not known.
const TAIL_BYTES: u64 = 192 * 1024;
/// The same as a share of the size, within limits; most footers with their page indexes are smaller.
const TAIL_SHARE: u64 = 200;
const TAIL_BYTES_MIN: u64 = 128 * 1024;
const TAIL_BYTES_MAX: u64 = 1024 * 1024;
/// Bytes of a footer and its indexes beyond which a file is refused.
const METADATA_BYTES_MAX: u64 = 128 * 1024 * 1024;

/// Where a footer is read from.
#[derive(Clone, Copy, Debug)]
pub(super) struct FooterSource<'a> {
    pub(super) objects: &'a Objects,
    pub(super) listed: &'a ListedFile,
    pub(super) kept: &'a DiskCache,
}

/// A decoded footer.
#[derive(Debug)]
pub(super) struct Footer {
    pub(super) path: Path,
    /// The whole address of the file, for messages.
    pub(super) name: String,
    pub(super) metadata: ParquetMetaData,
    pub(super) boxes: Option<BoxColumns>,
    /// Kept until the indexes are decoded, which lie beside it.
    tail: Tail,
}

impl Footer {
    /// Reads a footer without the indexes, out of the cache where it is there.
    pub(super) async fn read(source: FooterSource<'_>) -> Result<Footer, Error> {
        let path = Path::from(source.listed.path.as_str());
        let name = source.objects.address(&path);
        let mut tail = source.tail(&path).await?;
        let decoder = guarded(&name, || Ok(tail.decoder()?.with_page_index_policy(PageIndexPolicy::Skip)))?;
        let metadata = source.decode(decoder, &mut tail).await?;
        let boxes = BoxColumns::of(&metadata);
        Ok(Footer { path, name, metadata, boxes, tail })
    }

    /// The size of the file, in bytes.
    pub(super) fn size(&self) -> u64 {
        self.tail.size
    }

    /// The same with its indexes: where the pages of columns of places or addresses lie, and which boxes they cover. Other indexes,
    /// most of all those of texts, take longer to decode than everything else and are left out.
    pub(super) async fn with_indexes(self, source: FooterSource<'_>) -> Result<Footer, Error> {
        let Footer { path, name, metadata, boxes, mut tail } = self;
        let sides = boxes.map(|boxes| [boxes.west, boxes.east, boxes.south, boxes.north]).into_iter().flatten();
        let columns = metadata.file_metadata().schema_descr();
        let named = schema::COLUMNS.iter().chain(&schema::ADDRESS_COLUMNS).copied().chain(["bbox"]);
        let wanted = ProjectionMask::columns(columns, named);
        let pages = ColumnChunkMask::from_projection(&wanted, columns);
        let decoder = guarded(&name, || {
            let decoder = ParquetMetaDataPushDecoder::try_new_with_metadata(tail.size, metadata)?;
            tail.push_into(
                decoder.with_column_index_mask(ColumnChunkMask::columns(sides)).with_offset_index_mask(pages),
            )
        })?;
        let metadata = source.decode(decoder, &mut tail).await?;
        Ok(Footer { path, name, metadata, boxes, tail })
    }
}

impl FooterSource<'_> {
    /// The end of the file.
    async fn tail(&self, path: &Path) -> Result<Tail, Error> {
        let FooterSource { objects, listed, kept } = self;
        // On this machine, the file itself is as quick to read.
        let known = if objects.is_near() { None } else { kept.read(&self.entry()) };
        let known = known.and_then(|known| Tail::parse(&known.value));
        if let Some(tail) = known.filter(|tail| listed.size.is_none_or(|size| size == tail.size)) {
            return Ok(tail);
        }
        let count = listed.size.map(|size| (size / TAIL_SHARE).clamp(TAIL_BYTES_MIN, TAIL_BYTES_MAX));
        let (bytes, size) = objects.tail(path, count.unwrap_or(TAIL_BYTES), listed.size).await?;
        let tail = Tail { size, parts: vec![(size.saturating_sub(bytes.len() as u64), bytes)] };
        self.keep(&tail);
        Ok(tail)
    }

    fn entry(&self) -> String {
        format!("{}.footer", self.listed.fingerprint())
    }

    fn keep(&self, tail: &Tail) {
        if !self.objects.is_near() {
            self.kept.write(&self.entry(), &tail.to_bytes());
        }
    }

    /// Decodes metadata off the threads that answer requests, and fetches what it lacks.
    async fn decode(&self, decoder: ParquetMetaDataPushDecoder, tail: &mut Tail) -> Result<ParquetMetaData, Error> {
        let path = Path::from(self.listed.path.as_str());
        let name = self.objects.address(&path);
        let mut decoder = decoder;
        loop {
            let (file, footer) = (name.clone(), tail.footer());
            let step = move || {
                // What decodes it would not notice that it claims billions of elements.
                let is_sound = footer.is_none_or(|footer| thrift::is_sound(&footer));
                let refused = || ParquetError::General("its footer claims more than it has".into());
                (guarded(&file, || if is_sound { decoder.try_decode() } else { Err(refused()) }), decoder)
            };
            let (result, rest) = compute(step).await?;
            decoder = rest;
            let ranges = match result? {
                DecodeResult::Data(metadata) => return Ok(metadata),
                DecodeResult::NeedsData(ranges) => ranges,
                DecodeResult::Finished => return Err(Error::malformed(name, "it has no Parquet metadata")),
            };
            let sound = ranges.iter().all(|range| range.start <= range.end && range.end <= tail.size);
            if !sound || ranges.iter().map(|range| range.end - range.start).sum::<u64>() > METADATA_BYTES_MAX {
                return Err(Error::malformed(name, "its footer says that it is larger than the file can have"));
            }
            let found = self.objects.ranges(&path, &ranges).await?;
            tail.parts.extend(ranges.iter().map(|range| range.start).zip(found.iter().cloned()));
            self.keep(tail);
            guarded(&name, || decoder.push_ranges(ranges, found))?;
        }
    }
}

/// Runs a step of the decoder. A file made to break it may make it panic, which is an error of that file.
pub(super) fn guarded<T>(name: &str, step: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, Error> {
    match catch_unwind(AssertUnwindSafe(step)) {
        Ok(result) => {
            result.map_err(|error| Error::malformed(name, format!("it is not a sound Parquet file ({error})")))
        }
        Err(_) => Err(Error::malformed(name, "it is not a sound Parquet file")),
    }
}
