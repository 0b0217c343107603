//! Writes places as one Parquet file of the schema that [`crate::Dataset`] reads.

use std::fs::File;
use std::path::Path;

use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};

use crate::schema::{encode, schema};
use crate::{Error, Place};

/// Rows of a row group: what one request reads of a place file that lies far away.
const GROUP_ROWS: usize = 50_000;
/// Rows of a page: what a search for one town reads at least.
const PAGE_ROWS: usize = 2_000;

/// Writes places in the order given.
pub fn write(path: &Path, places: impl IntoIterator<Item = Place>) -> Result<u64, Error> {
    let file = File::create(path).map_err(Error::io(path))?;
    let unwritable =
        |error: parquet::errors::ParquetError| Error::malformed(path.display().to_string(), error.to_string());
    let mut writer = ArrowWriter::try_new(file, schema(), Some(properties())).map_err(unwritable)?;
    let mut places = places.into_iter().peekable();
    let mut count = 0;
    while places.peek().is_some() {
        let some: Vec<Place> = places.by_ref().take(PAGE_ROWS).collect();
        count += some.len() as u64;
        let batch = encode(&some).map_err(|error| Error::malformed(path.display().to_string(), error.to_string()))?;
        writer.write(&batch).map_err(unwritable)?;
    }
    writer.close().map_err(unwritable)?;
    Ok(count)
}

fn properties() -> WriterProperties {
    WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .set_data_page_row_count_limit(PAGE_ROWS)
        .set_write_batch_size(PAGE_ROWS)
        .set_statistics_enabled(EnabledStatistics::Page)
        .build()
}
