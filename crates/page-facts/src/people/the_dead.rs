//! Recognises people who no longer run anything: the dead, and those whose years have ended.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use crate::document::Document;
use crate::page::around;

/// Lines above a name in which a heading speaks of the dead.
const LINES_ABOVE: usize = 4;
/// Bytes of a line that are read.
const LINE_BYTES_MAX: usize = 400;
/// First years of spans that have ended: who began before them no longer works.
const BEGAN_MAX: u16 = 1970;
const BEGAN_MIN: u16 = 1700;

static WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let words = [
        "in loving memory",
        "in memoriam",
        "in memory of",
        "obituar",
        "passed away",
        "rest in peace",
        "the late ",
        "our late ",
        "his late ",
        "her late ",
        "deceased",
        "survived by",
        "verstorben",
        "décédé",
    ];
    AhoCorasick::builder().ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA)).build(words).ok()
});

/// Whether a sentence or a heading speaks of someone dead.
pub(super) fn is_named_in(text: &str) -> bool {
    WORDS.as_ref().is_some_and(|words| words.is_match(text)) || has_ended(text)
}

/// Whether the lines around a name, or the heading above it, speak of someone dead.
pub(super) fn is_around(document: &Document<'_>, first: usize, last: usize) -> bool {
    let from = first.saturating_sub(LINES_ABOVE);
    let says = |at: usize| is_named_in(around(document.line(at).0, 0, 0, LINE_BYTES_MAX));
    (from..first).any(|at| document.line(at).1.heading && says(at)) || (first..=last + 1).any(says)
}

/// `1931 - 2014`: a span of years that began long ago and has an end.
fn has_ended(text: &str) -> bool {
    let bytes = text.as_bytes();
    let year = |at: usize| {
        let digits = bytes.get(at..at + 4).filter(|digits| digits.iter().all(u8::is_ascii_digit))?;
        Some(digits.iter().fold(0_u16, |sum, digit| sum * 10 + u16::from(digit - b'0')))
    };
    let spans = text.match_indices(['-', '–']);
    spans.map(|(at, sign)| (text[..at].trim_end().len(), text[at + sign.len()..].trim_start())).any(|(end, after)| {
        let first: Option<u16> = end.checked_sub(4).and_then(year);
        let second = after.len() >= 4 && after.bytes().take(4).all(|b| b.is_ascii_digit());
        first.is_some_and(|first| (BEGAN_MIN..BEGAN_MAX).contains(&first)) && second
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dead_are_recognised() {
        for text in ["In loving memory of Ann Lee", "Ann Lee, founder, 1931 - 2014", "Our founder, the late Ann Lee,"] {
            assert!(is_named_in(text), "{text}");
        }
        for text in ["Ann Lee, owner since 1931", "Open 1990-2024", "512-555-0100", "–1931–", "é-é 12-3456"] {
            assert!(!is_named_in(text), "{text}");
        }
    }
}
