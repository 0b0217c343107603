//! Checks the parts of a Parquet file before they are decoded. The decoder takes the fields that it knows for what they should be,
//! skips others element by element, and makes room for as many elements as a list claims: two kilobytes can keep a processor busy
//! for hours, as booleans in a list that is skipped take no bytes.

mod pages;
mod structures;
mod thrift;

pub(crate) use pages::{CheckedPages, are_pages};

use parquet::file::metadata::ParquetMetaData;

use structures::{COLUMN_INDEX, FILE_METADATA, OFFSET_INDEX};
use thrift::Walk;

/// Bytes at the end of a file: the length of the footer, and `PAR1`.
pub(crate) const FOOTER_END_BYTES: u64 = 8;

/// Where the footer of a file of so many bytes begins, by the eight bytes it ends with.
pub(crate) fn footer_start(size: u64, end: [u8; 8]) -> u64 {
    let [a, b, c, d, ..] = end;
    size.saturating_sub(FOOTER_END_BYTES).saturating_sub(u32::from_le_bytes([a, b, c, d]).into())
}

/// Whether a whole file ends with a sound footer.
pub(crate) fn has_footer(file: &[u8]) -> bool {
    let Some((rest, end)) = file.split_last_chunk() else { return false };
    let start = usize::try_from(footer_start(file.len() as u64, *end)).unwrap_or(0);
    is_footer(&rest[start..])
}

pub(crate) fn is_footer(bytes: &[u8]) -> bool {
    Walk::new(bytes).structure(FILE_METADATA).is_some()
}

pub(crate) fn is_column_index(bytes: &[u8]) -> bool {
    Walk::new(bytes).structure(COLUMN_INDEX).is_some()
}

pub(crate) fn is_offset_index(bytes: &[u8]) -> bool {
    Walk::new(bytes).structure(OFFSET_INDEX).is_some()
}

/// Whether a file of so many bytes can have as many rows as its metadata says. Equal rows take next to nothing, so that a small
/// file could have billions; places, addresses and files of a release are never equal, if only because each has an id.
pub(crate) fn can_have_rows(metadata: &ParquetMetaData, bytes: u64) -> bool {
    let mut groups = metadata.row_groups().iter();
    let left = groups.try_fold(bytes, |left, group| left.checked_sub(u64::try_from(group.num_rows()).ok()?));
    left.is_some()
}

#[cfg(test)]
mod tests {
    use std::ops::Range;
    use std::sync::Arc;

    use arrow_array::{
        ArrayRef, BooleanArray, Float64Array, Int32Array, RecordBatch, StringArray, TimestampMicrosecondArray,
    };
    use parquet::arrow::ArrowWriter;
    use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
    use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData};
    use parquet::file::properties::{EnabledStatistics, WriterProperties};

    use super::*;

    /// A file with pages of ten rows, of columns of several kinds.
    fn file() -> Vec<u8> {
        let columns: [(&str, ArrayRef); 5] = [
            ("text", Arc::new(StringArray::from_iter_values((0..100).map(|row| format!("row {row}"))))),
            ("number", Arc::new(Int32Array::from_iter_values(0..100))),
            ("share", Arc::new(Float64Array::from_iter_values((0..100).map(f64::from)))),
            ("flag", Arc::new(BooleanArray::from_iter((0..100).map(|row| (row % 7 > 0).then_some(row % 2 == 0))))),
            ("time", Arc::new(TimestampMicrosecondArray::from_iter_values(0..100).with_timezone("UTC"))),
        ];
        let batch = RecordBatch::try_from_iter(columns).expect("columns of one length");
        let properties = WriterProperties::builder()
            .set_data_page_row_count_limit(10)
            .set_write_batch_size(10)
            .set_statistics_enabled(EnabledStatistics::Page)
            .build();
        let mut bytes = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).expect("a known schema");
        writer.write(&batch).expect("memory can be written");
        writer.close().expect("memory can be written");
        bytes
    }

    fn metadata(file: &[u8]) -> Arc<ParquetMetaData> {
        let options = ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Required);
        let file = bytes::Bytes::copy_from_slice(file);
        ArrowReaderMetadata::load(&file, options).expect("a sound file").metadata().clone()
    }

    #[test]
    fn all_parts_of_a_written_file_are_sound() {
        let file = file();
        assert!(has_footer(&file));
        let part =
            |range: Range<u64>| &file[usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap()];
        let metadata = metadata(&file);
        for column in metadata.row_group(0).columns() {
            assert!(is_column_index(part(column.column_index_range().expect("an index"))));
            assert!(is_offset_index(part(column.offset_index_range().expect("an index"))));
            let (start, length) = column.byte_range();
            assert!(are_pages(part(start..start + length)));
            assert!(!are_pages(part(start + 1..start + length)), "that is no header");
            assert!(!are_pages(part(start..start + length - 1)), "the last page is cut off");
        }
    }

    #[test]
    fn the_footer_begins_before_its_end() {
        assert!(has_footer(b"PAR1\x15\x02\0\x03\0\0\0PAR1"));
        assert!(!has_footer(b"PAR1") && !has_footer(b"\xFF\0\0\0PAR1"));
        assert_eq!(footer_start(100, *b"\x0A\0\0\0PAR1"), 82);
        assert_eq!(footer_start(10, *b"\xFF\xFF\xFF\xFFPAR1"), 0);
    }
}
