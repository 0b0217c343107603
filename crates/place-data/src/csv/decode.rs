//! The text of a file as UTF-8, decoded while it is read.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use encoding_rs::{CoderResult, Decoder, Encoding};

use crate::Error;
use crate::import::open_input;

/// Bytes read from the file at a time.
const BUFFER_BYTES: usize = 64 * 1024;
/// The least room in which a decoder is sure to get on.
const ROOM_BYTES_MIN: usize = 16;

/// The text of a file. Sequences that are no characters become U+FFFD.
pub(super) struct DecodedFile {
    file: File,
    decoder: Decoder,
    buffer: Box<[u8]>,
    unread: std::ops::Range<usize>,
    is_at_end: bool,
    is_finished: bool,
    /// Bytes of the file that were read.
    pub(super) bytes: u64,
}

impl DecodedFile {
    pub(super) fn open(path: &Path, encoding: &'static Encoding) -> Result<DecodedFile, Error> {
        Ok(DecodedFile {
            file: open_input(path)?,
            decoder: encoding.new_decoder_with_bom_removal(),
            buffer: vec![0; BUFFER_BYTES].into(),
            unread: 0..0,
            is_at_end: false,
            is_finished: false,
            bytes: 0,
        })
    }
}

impl Read for DecodedFile {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.len() < ROOM_BYTES_MIN {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a buffer too small for a character"));
        }
        loop {
            if self.is_finished {
                return Ok(0);
            }
            if self.unread.is_empty() && !self.is_at_end {
                let read = self.file.read(&mut self.buffer)?;
                self.unread = 0..read;
                self.bytes += read as u64;
                self.is_at_end = read == 0;
            }
            let unread = &self.buffer[self.unread.clone()];
            let (result, read, written, _) = self.decoder.decode_to_utf8(unread, out, self.is_at_end);
            self.unread.start += read;
            self.is_finished = self.is_at_end && result == CoderResult::InputEmpty;
            if written > 0 {
                return Ok(written);
            }
        }
    }
}
