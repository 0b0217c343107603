//! Finds the places of a page where a time may stand, so that few lines are split.

use crate::digits::next_digit;

/// A cheap test before a line is split: where one or two digits stand with a sign or letter after them that times have.
pub(super) fn next_time(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(start) = next_digit(bytes, at) {
        at = start + 1;
        let mut length = 1;
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
            length += 1;
        }
        // `0800 - 1700`
        let is_packed = length == 4
            && bytes[start] < b'2'
            && bytes.get(at).is_some_and(|b| matches!(b, b' ' | b'-' | b'h') || *b >= 0x80);
        if length > 2 && !is_packed {
            continue;
        }
        let blank = usize::from(bytes.get(at) == Some(&b' '));
        if goes_on_as_time(&bytes[at + blank..]) || (blank == 1 && bytes[start..at] == *b"24") {
            return Some(start);
        }
    }
    None
}

/// Whether a text after one or two digits goes on as after a time: `:30`, `am`, ` - 5`, ` Uhr`, `h`, ` to`.
fn goes_on_as_time(rest: &[u8]) -> bool {
    let is = |at: usize, letters: &[u8]| rest.get(at).is_some_and(|b| letters.contains(b));
    let is_word = |at: usize| rest.get(at).is_some_and(|b| b.is_ascii_alphabetic());
    match rest.first() {
        Some(b':') => rest.get(1).is_some_and(u8::is_ascii_digit),
        Some(b'.' | b'/') => rest.get(1).is_some_and(u8::is_ascii_digit) && !is(3, b"./"),
        Some(b'a' | b'A' | b'p' | b'P') => is(1, b"mM.") || !is_word(1),
        Some(b'h' | b'H') => !is_word(1) || is(1, b"r"),
        Some(b'u' | b'U') => is(1, b"hHn") || !is_word(1),
        Some(b't') => is(1, b"oih"),
        Some(b'b') => is(1, b"i"),
        // `7 in the morning`, `8 de la tarde`
        Some(b'i') => rest.starts_with(b"in the "),
        Some(b'n') => rest.starts_with(b"noon"),
        Some(b'm') => rest.starts_with(b"midnight"),
        Some(b'd') => rest.starts_with(b"de l") || rest.starts_with(b"du ") || rest.starts_with(b"di "),
        Some(next) => *next == b'-' || *next >= 0x80,
        None => false,
    }
}
