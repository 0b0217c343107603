//! The frame of a PBF file: a row of blobs, each with a header and compressed on its own.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::wire::{Corrupt, Fields};
use crate::Error;
use crate::import::open_input;

/// Limits of the format itself, for the header of a blob and for a blob, compressed or not.
const HEADER_BYTES_MAX: u32 = 64 * 1024;
const BLOB_BYTES_MAX: i64 = 32 * 1024 * 1024;
/// Features of a file that a reader has to understand, and that this one does.
const KNOWN_FEATURES: &[&str] = &["OsmSchema-V0.6", "DenseNodes"];

/// Where a blob lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlobSpan {
    /// Its position in the file's row of blobs, from 1.
    pub(super) number: u64,
    /// Of its first byte.
    pub(super) offset: u64,
    /// Of the byte after its last.
    pub(super) end: u64,
}

/// A blob as it lies in the file.
pub(super) struct Blob {
    pub(super) span: BlobSpan,
    kind: BlobKind,
    bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlobKind {
    Header,
    Data,
    /// Readers pass over kinds that they do not know.
    Other,
}

/// Reads the blobs of a file, all or some of them.
pub(super) struct BlobReader {
    path: PathBuf,
    file: BufReader<File>,
    next: BlobSpan,
    /// What is read; everything when it is `None`.
    chosen: Option<std::vec::IntoIter<BlobSpan>>,
}

impl BlobReader {
    /// Reads all blobs, or those that were chosen, which must be in the file's order.
    pub(super) fn open(path: &Path, chosen: Option<Vec<BlobSpan>>) -> Result<BlobReader, Error> {
        let file = open_input(path)?;
        let next = BlobSpan { number: 1, offset: 0, end: 0 };
        Ok(BlobReader { path: path.into(), file: BufReader::new(file), next, chosen: chosen.map(Vec::into_iter) })
    }

    /// The number of the blob that comes next, unless blobs were chosen.
    pub(super) fn next_number(&self) -> u64 {
        self.next.number
    }

    /// The next blob; `None` at the end.
    pub(super) fn next_blob(&mut self) -> Result<Option<Blob>, Error> {
        if let Some(chosen) = &mut self.chosen {
            let Some(span) = chosen.next() else { return Ok(None) };
            let skip = span.offset as i64 - self.next.offset as i64;
            self.file.seek_relative(skip).map_err(Error::io(&self.path))?;
            self.next = span;
        }
        let mut length = [0; 4];
        match self.file.read(&mut length[..1]).map_err(Error::io(&self.path))? {
            0 => return Ok(None),
            _ => self.fill(&mut length[1..])?,
        }
        let length = u32::from_be_bytes(length);
        if length > HEADER_BYTES_MAX {
            return Err(self.malformed(format!(
                "the header of a block claims {length} bytes; at most {HEADER_BYTES_MAX} are allowed"
            )));
        }
        let mut header = vec![0; length as usize];
        self.fill(&mut header)?;
        let (kind, size) = blob_header(&header).map_err(|corrupt| self.malformed(corrupt.0))?;
        let mut bytes = vec![0; size];
        self.fill(&mut bytes)?;
        let span = BlobSpan { end: self.next.offset + 4 + u64::from(length) + size as u64, ..self.next };
        self.next = BlobSpan { number: span.number + 1, offset: span.end, end: span.end };
        Ok(Some(Blob { span, kind, bytes }))
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        self.file.read_exact(bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => {
                self.malformed("the file ends in the middle of a block: it is cut off".to_owned())
            }
            _ => Error::io(&self.path)(error),
        })
    }

    fn malformed(&self, problem: String) -> Error {
        malformed(&self.path, self.next, problem)
    }
}

/// An error in this blob.
pub(super) fn malformed(path: &Path, span: BlobSpan, problem: String) -> Error {
    let at = format!("block {} (byte {})", span.number, span.offset);
    Error::malformed_at(path.display().to_string(), at, problem)
}

/// Kind and size in bytes of the blob that follows its header.
fn blob_header(header: &[u8]) -> Result<(BlobKind, usize), Corrupt> {
    let (mut kind, mut size) = (None, None);
    for field in Fields::of(header) {
        match field? {
            (1, value) => kind = Some(value.bytes()?),
            (3, value) => size = Some(value.int()?),
            _ => {}
        }
    }
    let kind = match kind.ok_or("the header of a block has no type")? {
        b"OSMHeader" => BlobKind::Header,
        b"OSMData" => BlobKind::Data,
        _ => BlobKind::Other,
    };
    let size = size.ok_or("the header of a block has no size")?;
    if !(0..=BLOB_BYTES_MAX).contains(&size) {
        return Err(Corrupt(format!("a block claims {size} bytes; at most {BLOB_BYTES_MAX} are allowed")));
    }
    Ok((kind, size as usize))
}

impl Blob {
    /// The decompressed data. Of the file's header nothing is left once it is checked.
    pub(super) fn unpack(&self) -> Result<Vec<u8>, Corrupt> {
        match self.kind {
            BlobKind::Other => Ok(Vec::new()),
            BlobKind::Data => decompress(&self.bytes),
            BlobKind::Header => {
                check_features(&decompress(&self.bytes)?)?;
                Ok(Vec::new())
            }
        }
    }
}

fn decompress(blob: &[u8]) -> Result<Vec<u8>, Corrupt> {
    let (mut size, mut data) = (None, None);
    for field in Fields::of(blob) {
        match field? {
            (2, value) => size = Some(value.int()?),
            (number @ (1 | 3..=7), value) => data = Some((number, value.bytes()?)),
            _ => {}
        }
    }
    let (method, data) = data.ok_or("a block has no data")?;
    let size = if method == 1 { data.len() as i64 } else { size.ok_or("a compressed block has no size")? };
    if !(0..=BLOB_BYTES_MAX).contains(&size) {
        return Err(Corrupt(format!("a block claims {size} bytes; at most {BLOB_BYTES_MAX} are allowed")));
    }
    let mut unpacked = vec![0; size as usize];
    let written = match method {
        1 => return Ok(data.to_vec()),
        3 => libdeflater::Decompressor::new().zlib_decompress(data, &mut unpacked).ok(),
        6 => lz4_flex::block::decompress_into(data, &mut unpacked).ok(),
        7 => zstd::bulk::decompress_to_buffer(data, &mut unpacked).ok(),
        4 => return Err("a block is compressed with LZMA: convert the file with `osmium cat`".into()),
        _ => return Err("a block is compressed with bzip2: convert the file with `osmium cat`".into()),
    };
    if written != Some(unpacked.len()) {
        return Err("the compressed data of a block is damaged".into());
    }
    Ok(unpacked)
}

fn check_features(header: &[u8]) -> Result<(), Corrupt> {
    for field in Fields::of(header) {
        let (4, value) = field? else { continue };
        let feature = String::from_utf8_lossy(value.bytes()?);
        if feature == "HistoricalInformation" {
            return Err(
                "the file holds the history of the map, not its present state: import an extract without history"
                    .into(),
            );
        }
        if !KNOWN_FEATURES.contains(&&*feature) {
            let shown: String = feature.chars().take(40).collect();
            return Err(Corrupt(format!("the file needs the feature {shown:?}, which is not supported")));
        }
    }
    Ok(())
}
