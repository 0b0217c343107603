//! The pages of a column: each is a header and as many bytes as it says.

use std::io::{self, Cursor, Read};

use bytes::Bytes;
use parquet::errors::Result;
use parquet::file::reader::{ChunkReader, Length};

use super::structures::PAGE_HEADER;
use super::thrift::Walk;

/// Bytes in which most headers end; those with long texts as statistics are longer.
const HEADER_BYTES: u64 = 1024;
/// Bytes in which a header must end.
const HEADER_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Whether bytes are whole pages with sound headers.
pub(crate) fn are_pages(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while !rest.is_empty() {
        let mut walk = Walk::new(rest);
        let page = walk.structure(PAGE_HEADER).and(walk.size);
        match page.and_then(|size| walk.bytes.get(usize::try_from(size).ok()?..)) {
            Some(next) => rest = next,
            None => return false,
        }
    }
    true
}

/// A file of which every page's header is checked before it is decoded.
pub(crate) struct CheckedPages<F>(pub(crate) F);

impl<F: Length> Length for CheckedPages<F> {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl<F: ChunkReader> ChunkReader for CheckedPages<F> {
    type T = CheckedHeader<F::T>;

    /// The decoder reads a page's header in this way, and nothing else.
    fn get_read(&self, start: u64) -> Result<CheckedHeader<F::T>> {
        Ok(CheckedHeader { checked: None, rest: self.0.get_read(start)? })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        self.0.get_bytes(start, length)
    }
}

/// Begins with a page's header, which is checked when it is read first: the decoder may open a page that it then reads otherwise.
pub(crate) struct CheckedHeader<R> {
    checked: Option<Cursor<Vec<u8>>>,
    rest: R,
}

impl<R: Read> Read for CheckedHeader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let checked = match &mut self.checked {
            Some(checked) => checked,
            None => self.checked.insert(Cursor::new(read_header(&mut self.rest)?)),
        };
        match checked.read(into)? {
            0 => self.rest.read(into),
            count => Ok(count),
        }
    }
}

/// Reads at least a header.
fn read_header(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut wanted = HEADER_BYTES;
    while wanted <= HEADER_BYTES_MAX {
        let count = from.by_ref().take(wanted - bytes.len() as u64).read_to_end(&mut bytes)?;
        if Walk::new(&bytes).structure(PAGE_HEADER).is_some() {
            return Ok(bytes);
        }
        if count == 0 {
            break;
        }
        wanted *= 16;
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, "the header of a page is not sound"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fields of a header whose page has four bytes.
    const HEADER: [u8; 6] = [0x15, 0x00, 0x15, 0x08, 0x15, 0x08];
    /// A field that nobody knows, with two billion booleans.
    const BOOLEANS: [u8; 7] = [0xF9, 0xF2, 0xFF, 0xFF, 0xFF, 0xFF, 0x07];

    fn first_bytes(file: Vec<u8>) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        CheckedPages(Bytes::from(file)).get_read(2)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    #[test]
    fn pages_follow_each_other() {
        let page = [HEADER.as_slice(), &[0], b"data"].concat();
        assert!(are_pages(&[]) && are_pages(&page) && are_pages(&page.repeat(3)));
        assert!(!are_pages(&page[..page.len() - 1]));
        assert!(!are_pages(&[HEADER.as_slice(), &BOOLEANS, &[0], b"data"].concat()));
        assert!(!are_pages(&[0x15, 0x00, 0x15, 0x08, 0x15, 0x07, 0x00]), "minus four bytes");
        assert!(!are_pages(&[0x15, 0x00, 0x00]), "no size");
    }

    #[test]
    fn a_header_is_checked_when_it_is_read() {
        let page = [HEADER.as_slice(), &[0], b"data"].concat();
        let file = [b"..", page.as_slice()].concat();
        assert_eq!(first_bytes(file).expect("a sound header"), page);
        let text = [&[0x68, 0xC0, 0xB8, 0x02], [b'a'; 40_000].as_slice(), &[0]].concat();
        let long = [HEADER.as_slice(), &text, b"data"].concat();
        assert_eq!(first_bytes([b"..", long.as_slice()].concat()).expect("a long header"), long);
        let file = [b"..", HEADER.as_slice(), &BOOLEANS, &[0], b"data"].concat();
        assert!(first_bytes(file).is_err());
        let opened = CheckedPages(Bytes::from_static(b"no header")).get_read(3);
        assert!(opened.is_ok(), "the decoder opens pages that it does not read");
    }
}
