//! Finds out how the text of a file is encoded, and refuses files that are no text.

use std::io::Read;
use std::path::Path;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::Error;
use crate::import::open_input;

/// Bytes at the start of a file that tell whether it is text at all.
const START_BYTES: usize = 64 * 1024;
/// Bytes that are checked for being valid UTF-8.
const CHECKED_BYTES: u64 = 64 << 20;
/// Bytes with characters beyond ASCII that the guess of an older encoding is made from.
const GUESSED_FROM_BYTES: usize = 1 << 20;
/// Characters beyond ASCII for each invalid sequence from which on a file is taken for damaged UTF-8, not for another encoding.
const VALID_PER_INVALID: u64 = 8;

const EXPECTED: &str = "expected a CSV file: lines of cells with a header";

/// The encoding of a file.
///
/// # Errors
/// [`Error::Malformed`] for a file that is empty or no text, saying what it is.
pub(super) fn encoding(path: &Path) -> Result<&'static Encoding, Error> {
    let start = start(path)?;
    if let Some(problem) = other_format(&start) {
        return Err(Error::malformed(path.display().to_string(), format!("{problem}; {EXPECTED}")));
    }
    if let Some((encoding, _)) = Encoding::for_bom(&start) {
        return Ok(encoding);
    }
    if let Some(encoding) = utf_16_without_mark(&start) {
        return Ok(encoding);
    }
    if start.contains(&0) {
        return Err(Error::malformed(
            path.display().to_string(),
            format!("contains NUL characters, so it is no text; {EXPECTED}"),
        ));
    }
    by_content(path)
}

fn start(path: &Path) -> Result<Vec<u8>, Error> {
    let mut start = Vec::new();
    let file = open_input(path)?;
    file.take(START_BYTES as u64).read_to_end(&mut start).map_err(Error::io(path))?;
    Ok(start)
}

/// What a file is that begins like this, if it is something else.
fn other_format(start: &[u8]) -> Option<&'static str> {
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    match start {
        [b'P', b'K', 3 | 5, ..] => Some("is a ZIP archive or an Excel workbook: unpack it, or save it as CSV"),
        [0xd0, 0xcf, 0x11, 0xe0, ..] => Some("is an Excel workbook of the old kind: save it as CSV"),
        [0x1f, 0x8b, ..] => Some("is compressed with gzip: unpack it first"),
        [b'B', b'Z', b'h', ..] => Some("is compressed with bzip2: unpack it first"),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Some("is compressed with Zstandard: unpack it first"),
        [b'P', b'A', b'R', b'1', ..] => Some("is a Parquet file"),
        [b'%', b'P', b'D', b'F', ..] => Some("is a PDF document"),
        _ if start.starts_with(b"SQLite format 3") => Some("is an SQLite database: export a table as CSV"),
        _ if text.is_empty() => Some("is empty"),
        _ if text.starts_with(b"<") => Some("is HTML or XML"),
        _ if text.starts_with(b"{") => Some("is JSON: if it is GeoJSON, import it as such"),
        _ => None,
    }
}

/// UTF-16 by its zeros: text of western languages has one in most pairs of bytes, always on the same side.
fn utf_16_without_mark(start: &[u8]) -> Option<&'static Encoding> {
    let zeros = |side: usize| start.chunks_exact(2).filter(|pair| pair[side] == 0).count();
    let (first, second, pairs) = (zeros(0), zeros(1), start.len() / 2);
    match pairs {
        0 => None,
        _ if second * 2 > pairs && first * 20 < pairs => Some(UTF_16LE),
        _ if first * 2 > pairs && second * 20 < pairs => Some(UTF_16BE),
        _ => None,
    }
}

/// What the bytes of a file say about its encoding.
#[derive(Default)]
struct Utf8Check {
    /// Characters beyond ASCII.
    valid: u64,
    /// Sequences that are no characters.
    invalid: u64,
    /// The start of a character at the end of what was seen.
    rest: Vec<u8>,
}

impl Utf8Check {
    fn see(&mut self, bytes: &[u8]) {
        let joined = [std::mem::take(&mut self.rest).as_slice(), bytes].concat();
        let mut seen = 0;
        for chunk in joined.utf8_chunks() {
            self.valid += chunk.valid().bytes().filter(|byte| *byte >= 0xc0).count() as u64;
            seen += chunk.valid().len() + chunk.invalid().len();
            if seen == joined.len() && !chunk.invalid().is_empty() {
                self.rest = chunk.invalid().to_vec();
            } else {
                self.invalid += u64::from(!chunk.invalid().is_empty());
            }
        }
    }

    fn is_utf_8(&self) -> bool {
        self.invalid == 0 || self.valid > self.invalid * VALID_PER_INVALID
    }
}

/// UTF-8 if it is valid, or nearly so; otherwise the older encoding whose letters make the most sense.
fn by_content(path: &Path) -> Result<&'static Encoding, Error> {
    let mut file = open_input(path)?.take(CHECKED_BYTES);
    let mut buffer = vec![0; START_BYTES];
    let mut check = Utf8Check::default();
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let mut fed = 0;
    loop {
        let read = file.read(&mut buffer).map_err(Error::io(path))?;
        let bytes = &buffer[..read];
        if read == 0 {
            break;
        }
        if !bytes.is_ascii() && fed < GUESSED_FROM_BYTES {
            detector.feed(bytes, false);
            fed += read;
        }
        check.see(bytes);
    }
    if check.is_utf_8() {
        return Ok(UTF_8);
    }
    detector.feed(&[], true);
    Ok(detector.guess(None, Utf8Detection::Deny))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_cut_by_the_end_of_a_buffer_are_valid() {
        let text = "naïve café — 東京".as_bytes();
        for cut in 0..text.len() {
            let mut check = Utf8Check::default();
            check.see(&text[..cut]);
            check.see(&text[cut..]);
            assert_eq!((check.valid, check.invalid), (5, 0), "{cut}");
        }
    }

    #[test]
    fn a_single_damaged_byte_does_not_change_the_encoding() {
        let mut check = Utf8Check::default();
        check.see("é".repeat(100).as_bytes());
        check.see(b"\xff x");
        assert!(check.is_utf_8() && check.invalid == 1);
        let mut check = Utf8Check::default();
        check.see(b"Caf\xe9 M\xfcller, x");
        assert!(!check.is_utf_8());
    }
}
