//! One Parquet file: small pages, so that a search for a town reads little; GeoParquet metadata, so that other programs draw it.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use places::{Bounds, Point};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::schema::{encode, schema};
use crate::{Error, Place};

/// Rows of a row group: what one request reads of a place file that lies far away.
const GROUP_ROWS: usize = 50_000;
/// Bytes of a row group, for files with uncommonly long texts.
const GROUP_BYTES_MAX: usize = 32 * 1024 * 1024;
/// Rows of a page: what a search for one town reads at least.
const PAGE_ROWS: usize = 2_000;
/// Bytes that are read at once to compute a checksum.
const CHUNK_BYTES: usize = 256 * 1024;

/// Columns with nearly as many values as rows: a dictionary of them would be read with every page.
const DISTINCT: [&str; 11] = [
    "id",
    "geometry",
    "names.primary",
    "names.common.entries.value",
    "websites.list.element",
    "socials.list.element",
    "emails.list.element",
    "phones.list.element",
    "addresses.list.element.freeform",
    "sources.list.element.record_id",
    "opening_hours",
];
/// The sides of the boxes: neighbouring numbers differ in their last bytes only.
const BOXES: [&str; 4] = ["bbox.xmin", "bbox.xmax", "bbox.ymin", "bbox.ymax"];
/// Further columns whose least and greatest values a reader may use.
const COUNTED: [&str; 3] = ["confidence", "rating", "review_count"];

/// A written file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DataFile {
    /// Name within its folder.
    pub name: String,
    /// Size.
    pub bytes: u64,
    /// Places in it.
    pub rows: u64,
    /// Checksum in hexadecimal.
    pub sha256: String,
}

/// A file that is being written.
pub(super) struct FileWriter {
    path: PathBuf,
    writer: ArrowWriter<Checksummed>,
    page: Vec<Place>,
    rows: u64,
    bounds: Option<Bounds>,
}

impl FileWriter {
    /// Creates a file, or empties the one that is there.
    pub(super) fn create(path: &Path) -> Result<FileWriter, Error> {
        let file = File::create(path).map_err(Error::io(path))?;
        let output = Checksummed { file, digest: Sha256::new(), bytes: 0 };
        let writer = ArrowWriter::try_new(output, schema(), Some(properties())).map_err(unwritable(path))?;
        Ok(FileWriter { path: path.into(), writer, page: Vec::new(), rows: 0, bounds: None })
    }

    /// Adds a place.
    pub(super) fn add(&mut self, place: Place) -> Result<(), Error> {
        self.rows += 1;
        self.bounds = Some(widened(self.bounds, place.point));
        self.page.push(place);
        if self.page.len() < PAGE_ROWS { Ok(()) } else { self.flush() }
    }

    /// How many places were added.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// Writes the end of the file and waits until the disk has all of it.
    pub(super) fn finish(mut self) -> Result<DataFile, Error> {
        self.flush()?;
        self.writer.append_key_value_metadata(KeyValue::new("geo".to_owned(), geo(self.bounds)));
        let output = self.writer.into_inner().map_err(unwritable(&self.path))?;
        output.file.sync_all().map_err(Error::io(&self.path))?;
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(DataFile { name, bytes: output.bytes, rows: self.rows, sha256: hex::encode(output.digest.finalize()) })
    }

    fn flush(&mut self) -> Result<(), Error> {
        if self.page.is_empty() {
            return Ok(());
        }
        let batch = encode(&self.page).map_err(|error| unwritable(&self.path)(error.into()))?;
        self.page.clear();
        self.writer.write(&batch).map_err(unwritable(&self.path))
    }
}

/// Reads a file and gives its checksum in hexadecimal, and its size.
pub(crate) fn checksum(path: &Path) -> Result<(String, u64), Error> {
    let mut file = File::open(path).map_err(Error::io(path))?;
    let (mut digest, mut bytes, mut chunk) = (Sha256::new(), 0, vec![0; CHUNK_BYTES]);
    loop {
        match file.read(&mut chunk).map_err(Error::io(path))? {
            0 => return Ok((hex::encode(digest.finalize()), bytes)),
            count => {
                digest.update(&chunk[..count]);
                bytes += count as u64;
            }
        }
    }
}

/// A file whose checksum is computed while it is written.
struct Checksummed {
    file: File,
    digest: Sha256,
    bytes: u64,
}

impl Write for Checksummed {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let count = self.file.write(buffer)?;
        self.digest.update(&buffer[..count]);
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn unwritable(path: &Path) -> impl Fn(ParquetError) -> Error {
    // A full disk is what the reader of the message can do something about; Parquet wraps it.
    move |error| match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(source) => Error::io(path)(*source),
            Err(source) => Error::malformed(path.display().to_string(), format!("cannot be written: {source}")),
        },
        other => Error::malformed(path.display().to_string(), format!("cannot be written: {other}")),
    }
}

fn properties() -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .set_max_row_group_bytes(Some(GROUP_BYTES_MAX))
        .set_data_page_row_count_limit(PAGE_ROWS)
        .set_write_batch_size(PAGE_ROWS)
        .set_statistics_enabled(EnabledStatistics::None);
    for column in DISTINCT.map(column) {
        properties = properties
            .set_column_dictionary_enabled(column.clone(), false)
            .set_column_encoding(column, Encoding::DELTA_LENGTH_BYTE_ARRAY);
    }
    for column in BOXES.map(column) {
        properties = properties
            .set_column_dictionary_enabled(column.clone(), false)
            .set_column_encoding(column, Encoding::BYTE_STREAM_SPLIT);
    }
    for column in BOXES.into_iter().chain(COUNTED).map(column) {
        properties = properties.set_column_statistics_enabled(column, EnabledStatistics::Page);
    }
    properties.build()
}

fn column(path: &str) -> ColumnPath {
    ColumnPath::new(path.split('.').map(str::to_owned).collect())
}

/// A box that also holds this point.
pub(crate) fn widened(bounds: Option<Bounds>, Point { latitude, longitude }: Point) -> Bounds {
    let Some(Bounds { south, west, north, east }) = bounds else {
        return Bounds { south: latitude, west: longitude, north: latitude, east: longitude };
    };
    Bounds {
        south: south.min(latitude),
        west: west.min(longitude),
        north: north.max(latitude),
        east: east.max(longitude),
    }
}

/// GeoParquet metadata, version 1.1: where the points are, and which columns are the boxes around them.
fn geo(bounds: Option<Bounds>) -> String {
    let side = |name: &str| serde_json::json!(["bbox", name]);
    let mut geometry = serde_json::json!({
        "encoding": "WKB",
        "geometry_types": ["Point"],
        "covering": { "bbox": { "xmin": side("xmin"), "ymin": side("ymin"), "xmax": side("xmax"), "ymax": side("ymax") } },
    });
    if let Some(Bounds { south, west, north, east }) = bounds {
        geometry["bbox"] = serde_json::json!([west, south, east, north]);
    }
    let columns = serde_json::json!({ "geometry": geometry });
    serde_json::json!({ "version": "1.1.0", "primary_column": "geometry", "columns": columns }).to_string()
}
