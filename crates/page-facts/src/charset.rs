//! Decodes bytes to text: byte-order mark first, then the header's charset, the page's `<meta>`, and detection.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use memchr::memmem;

/// Bytes at the start of a page searched for a `<meta charset>`: twice what the HTML standard requires.
const META_BYTES_MAX: usize = 2048;
/// Bytes passed to the charset detector, which processes less than 10 MB/s.
const GUESS_BYTES_MAX: usize = 8 * 1024;
/// Bytes passed to the detector around each non-ASCII byte.
const GUESS_WINDOW_BYTES: usize = 128;

/// Decodes `body`. A wrong or missing charset label is not an error; at worst a few characters are garbled.
pub(crate) fn decode<'a>(body: &'a [u8], content_type: Option<&str>) -> Cow<'a, str> {
    if let Some((encoding, bom)) = Encoding::for_bom(body) {
        return encoding.decode_without_bom_handling(&body[bom..]).0;
    }
    // Most of the web is UTF-8 whatever its labels say, and other encodings are rarely valid UTF-8 by accident.
    if let Some(text) = UTF_8.decode_without_bom_handling_and_without_replacement(body) {
        if !looks_like_escapes_or_utf16(body) {
            return text;
        }
    } else if cut_inside_a_character(body) {
        return UTF_8.decode_without_bom_handling(body).0;
    }
    let encoding = from_header(content_type).or_else(|| from_meta(body)).unwrap_or_else(|| guess(body));
    let (text, malformed) = encoding.decode_without_bom_handling(body);
    if malformed && encoding == UTF_8 {
        return mixed_or(body, text);
    }
    text
}

/// Handles a page labelled UTF-8 that contains invalid bytes: keeps UTF-8 when most non-ASCII text is valid, otherwise
/// detects the encoding.
fn mixed_or<'a>(body: &'a [u8], as_utf8: Cow<'a, str>) -> Cow<'a, str> {
    let broken = as_utf8.matches('\u{FFFD}').count();
    let sound = as_utf8.chars().filter(|c| !c.is_ascii() && *c != '\u{FFFD}').count();
    if broken <= sound { as_utf8 } else { guess(body).decode_without_bom_handling(body).0 }
}

/// UTF-16 without a byte-order mark is full of zero bytes; ISO-2022-JP is ASCII with escapes. Both pass as valid UTF-8.
fn looks_like_escapes_or_utf16(body: &[u8]) -> bool {
    let head = &body[..body.len().min(256)];
    let zeros = head.iter().filter(|b| **b == 0).count();
    zeros * 4 > head.len() || memmem::find(head, b"\x1b$B").is_some()
}

/// Whether the only error is a multi-byte character truncated at the very end, after other valid ones.
fn cut_inside_a_character(body: &[u8]) -> bool {
    std::str::from_utf8(body).is_err_and(|e| e.error_len().is_none() && !body[..e.valid_up_to()].is_ascii())
}

fn from_header(content_type: Option<&str>) -> Option<&'static Encoding> {
    let value = content_type?.to_ascii_lowercase();
    let label = value.split("charset=").nth(1)?;
    Encoding::for_label(label.split(';').next()?.trim_matches(['"', '\'', ' ']).as_bytes())
}

fn from_meta(body: &[u8]) -> Option<&'static Encoding> {
    let head = body[..body.len().min(META_BYTES_MAX)].to_ascii_lowercase();
    let at = memmem::find(&head, b"charset=")? + b"charset=".len();
    let rest = head[at..].strip_prefix(b"\"").or_else(|| head[at..].strip_prefix(b"'")).unwrap_or(&head[at..]);
    let end = rest.iter().position(|b| matches!(b, b'"' | b'\'' | b'>' | b' ' | b'/' | b';')).unwrap_or(rest.len());
    // A page whose label could be read as ASCII cannot be UTF-16.
    Encoding::for_label(&rest[..end]).filter(|encoding| encoding.is_ascii_compatible())
}

fn guess(body: &[u8]) -> &'static Encoding {
    let head = &body[..body.len().min(256)];
    let odd_zeros = head.iter().skip(1).step_by(2).filter(|b| **b == 0).count();
    let even_zeros = head.iter().step_by(2).filter(|b| **b == 0).count();
    if odd_zeros * 4 > head.len() {
        return encoding_rs::UTF_16LE;
    }
    if even_zeros * 4 > head.len() {
        return encoding_rs::UTF_16BE;
    }
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Allow);
    detector.feed(&detector_sample(body), true);
    let guessed = detector.guess(None, chardetng::Utf8Detection::Allow);
    if guessed.is_ascii_compatible() || guessed == encoding_rs::ISO_2022_JP { guessed } else { WINDOWS_1252 }
}

/// A sample for the detector: the surroundings of the non-ASCII bytes. Most of a page is ASCII markup, and the start of
/// a page may contain nothing else.
fn detector_sample(body: &[u8]) -> Vec<u8> {
    let mut sample = Vec::with_capacity(GUESS_BYTES_MAX);
    let mut at = 0;
    while sample.len() < GUESS_BYTES_MAX
        && let Some(found) = body[at..].iter().position(|byte| !byte.is_ascii() || *byte == 0x1B)
    {
        let from = (at + found).saturating_sub(GUESS_WINDOW_BYTES / 2).max(at);
        let to = (at + found + GUESS_WINDOW_BYTES / 2).min(body.len());
        sample.extend_from_slice(&body[from..to]);
        at = to;
    }
    sample
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &[u8], content_type: Option<&str>, expect: &str) {
        assert!(decode(body, content_type).contains(expect), "{:?}", decode(body, content_type));
    }

    #[test]
    fn the_charset_is_found_wherever_it_is_declared() {
        check(b"caf\xe9", Some("text/html; charset=ISO-8859-1"), "café");
        check(b"<meta charset=windows-1252>caf\xe9", None, "café");
        check(b"<meta http-equiv=x content='text/html; charset=iso-8859-15'>\xa4", None, "€");
        check("\u{FEFF}café".as_bytes(), Some("text/html; charset=latin1"), "café");
        check(b"\xff\xfec\0a\0f\0\xe9\0", None, "café");
        check(b"<\0p\0>\0c\0a\0f\0e\0", None, "<p>cafe");
        check(b"\0<\0p\0>\0c\0a\0f\0e", None, "<p>cafe");
        check("<meta charset=latin1>café".as_bytes(), None, "café");
        check("Кафе и ресторан".as_bytes(), None, "Кафе");
    }

    #[test]
    fn one_bad_byte_does_not_break_a_utf8_page() {
        check("<meta charset=utf-8>café über naïve \u{e9}".as_bytes(), None, "café über");
        check(b"<meta charset=utf-8>caf\xc3\xa9 \xc3\xbcber \xff", None, "café über");
        check(b"<meta charset=utf-8>caf\xe9 na\xefve", None, "café naïve");
        check(b"caf\xc3\xa9 cut at the en\xc3", None, "café");
        check(b"", Some("text/html; charset=nonsense"), "");
    }
}
