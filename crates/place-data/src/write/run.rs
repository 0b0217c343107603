//! Runs: sorted places in a temporary file, compressed, each as the length of its record and the record.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use super::curve::Position;
use crate::{Error, Place};

/// Compresses fast: a run is read once.
const LEVEL: i32 = 1;
/// Bytes that compression looks back, as a power of two. A reader holds as many, and many runs are read at once.
const WINDOW_LOG: u32 = 17;
/// Bytes of compressed data that are read or written at once.
const BUFFER_BYTES: usize = 64 * 1024;
/// Bytes of one place as a record. Readers limit texts to far less; what is larger was made to exhaust memory.
pub(super) const RECORD_BYTES_MAX: usize = 4 * 1024 * 1024;

/// A place as it is sorted: its position on the curve, and its fields, of which the id is the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) position: Position,
    pub(super) bytes: Vec<u8>,
}

impl Record {
    /// The place.
    pub(super) fn place(&self, path: &Path) -> Result<Place, Error> {
        postcard::from_bytes(&self.bytes).map_err(|error| damaged(path, &error.to_string()))
    }
}

impl Ord for Record {
    fn cmp(&self, other: &Record) -> Ordering {
        compare((self.position, &self.bytes), (other.position, &other.bytes))
    }
}

impl PartialOrd for Record {
    fn partial_cmp(&self, other: &Record) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The order of two records: along the curve, then by id, then by everything else, so that it never depends on the input's.
pub(super) fn compare(one: (Position, &[u8]), other: (Position, &[u8])) -> Ordering {
    let id = |bytes| postcard::take_from_bytes::<&str>(bytes).map_or("", |(id, _)| id);
    one.0.cmp(&other.0).then_with(|| id(one.1).cmp(id(other.1))).then_with(|| one.1.cmp(other.1))
}

/// A run that is being written.
pub(super) struct RunWriter {
    path: PathBuf,
    output: zstd::Encoder<'static, BufWriter<File>>,
}

impl RunWriter {
    pub(super) fn create(path: PathBuf) -> Result<RunWriter, Error> {
        let open = || {
            let file = BufWriter::with_capacity(BUFFER_BYTES, File::create(&path)?);
            let mut output = zstd::Encoder::new(file, LEVEL)?;
            output.window_log(WINDOW_LOG)?;
            Ok(output)
        };
        let output = open().map_err(Error::io(&path))?;
        Ok(RunWriter { path, output })
    }

    pub(super) fn add(&mut self, position: Position, bytes: &[u8]) -> Result<(), Error> {
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let mut write = || {
            self.output.write_all(&length.to_le_bytes())?;
            self.output.write_all(&position.0.to_le_bytes())?;
            self.output.write_all(bytes)
        };
        write().map_err(Error::io(&self.path))
    }

    /// Writes the end of the run and waits until the disk has all of it.
    pub(super) fn finish(self) -> Result<PathBuf, Error> {
        let RunWriter { path, output } = self;
        let close = || output.finish()?.into_inner().map_err(|error| error.into_error())?.sync_all();
        close().map_err(Error::io(&path))?;
        Ok(path)
    }
}

/// A run that is being read.
pub(super) struct RunReader {
    path: PathBuf,
    input: zstd::Decoder<'static, BufReader<File>>,
}

impl RunReader {
    pub(super) fn open(path: PathBuf) -> Result<RunReader, Error> {
        let open = || zstd::Decoder::with_buffer(BufReader::with_capacity(BUFFER_BYTES, File::open(&path)?));
        let input = open().map_err(Error::io(&path))?;
        Ok(RunReader { path, input })
    }

    /// The next record, in the place of an earlier one. `false` at the end.
    pub(super) fn next(&mut self, record: &mut Record) -> Result<bool, Error> {
        let mut head = [0; 12];
        let got = fill(&mut self.input, &mut head).map_err(Error::io(&self.path))?;
        if got == 0 {
            return Ok(false);
        }
        let [a, b, c, d, position @ ..] = head;
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        if got < head.len() || length > RECORD_BYTES_MAX {
            return Err(damaged(&self.path, "it ends within a record"));
        }
        record.position = Position(u64::from_le_bytes(position));
        record.bytes.resize(length, 0);
        self.input.read_exact(&mut record.bytes).map_err(Error::io(&self.path))?;
        Ok(true)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// Reads as much as there is, up to the whole buffer.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..])? {
            0 => break,
            count => filled += count,
        }
    }
    Ok(filled)
}

fn damaged(path: &Path, problem: &str) -> Error {
    Error::malformed(path.display().to_string(), format!("this temporary file is damaged: {problem}"))
}
