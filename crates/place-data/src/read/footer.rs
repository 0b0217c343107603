//! The footer of a Parquet file, and its page indexes: decoded only as far as they are needed.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use object_store::path::Path;
use parquet::DecodeResult;
use parquet::arrow::ProjectionMask;
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    ColumnChunkMask, ColumnChunkMetaData, PageIndexPolicy, ParquetMetaData, ParquetMetaDataPushDecoder,
    RowGroupMetaData,
};

use super::compute::compute;
use super::list::ListedFile;
use super::object::Objects;
use super::prune::BoxColumns;
use super::tail::Tail;
use crate::disk_cache::DiskCache;
use crate::{Error, schema, soundness};

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
        let is_sound = |tail: &Tail| tail.footer().is_none_or(|footer| soundness::is_footer(&footer));
        let metadata = source.decode(decoder, &mut tail, is_sound).await?;
        if !soundness::can_have_rows(&metadata, tail.size) {
            return Err(Error::malformed(name, "its footer speaks of more rows than the file can have"));
        }
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
        let indexes = Indexes {
            values: ColumnChunkMask::columns(sides),
            pages: ColumnChunkMask::from_projection(&wanted, columns),
        };
        let ranges = indexes.ranges(&metadata);
        let decoder = guarded(&name, || {
            let decoder = ParquetMetaDataPushDecoder::try_new_with_metadata(tail.size, metadata)?;
            tail.push_into(decoder.with_column_index_mask(indexes.values).with_offset_index_mask(indexes.pages))
        })?;
        let metadata = source.decode(decoder, &mut tail, move |tail| ranges.are_sound(tail)).await?;
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

    /// Decodes metadata off the threads that answer requests, and fetches what it lacks. What is there must be sound.
    async fn decode(
        &self,
        decoder: ParquetMetaDataPushDecoder,
        tail: &mut Tail,
        is_sound: impl Fn(&Tail) -> bool + Send + 'static,
    ) -> Result<ParquetMetaData, Error> {
        let path = Path::from(self.listed.path.as_str());
        let name = self.objects.address(&path);
        let (mut decoder, mut is_sound) = (decoder, is_sound);
        loop {
            let (file, known) = (name.clone(), tail.clone());
            let step = move || {
                let refused = || ParquetError::General("its metadata is damaged or claims more than there is".into());
                let result = guarded(&file, || if is_sound(&known) { decoder.try_decode() } else { Err(refused()) });
                (result, decoder, is_sound)
            };
            let result;
            (result, decoder, is_sound) = compute(step).await?;
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

/// Which indexes are decoded.
struct Indexes {
    /// Of what the pages hold.
    values: ColumnChunkMask,
    /// Of where the pages lie.
    pages: ColumnChunkMask,
}

/// Where those indexes lie.
struct IndexRanges {
    values: Vec<Range<u64>>,
    pages: Vec<Range<u64>>,
}

impl Indexes {
    fn ranges(&self, metadata: &ParquetMetaData) -> IndexRanges {
        let chunks = |mask: &ColumnChunkMask, range: fn(&ColumnChunkMetaData) -> Option<Range<u64>>| {
            let groups = metadata.row_groups().iter();
            let wanted = |group: &RowGroupMetaData| {
                let columns = group.columns().iter().enumerate();
                let wanted = columns.filter(|(column, _)| mask.includes_column(*column, group.num_columns()));
                wanted.filter_map(|(_, column)| range(column)).collect::<Vec<_>>()
            };
            groups.flat_map(wanted).collect()
        };
        IndexRanges {
            values: chunks(&self.values, ColumnChunkMetaData::column_index_range),
            pages: chunks(&self.pages, ColumnChunkMetaData::offset_index_range),
        }
    }
}

impl IndexRanges {
    /// Whether all indexes that are known so far are sound.
    fn are_sound(&self, tail: &Tail) -> bool {
        let all = |ranges: &[Range<u64>], is_sound: fn(&[u8]) -> bool| {
            let mut known = ranges.iter().filter_map(|range| tail.range(range.start, range.end));
            known.all(|index| is_sound(&index))
        };
        all(&self.values, soundness::is_column_index) && all(&self.pages, soundness::is_offset_index)
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
