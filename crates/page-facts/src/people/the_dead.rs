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
/// Last years of an office that is over.
const LEFT_MAX: u16 = 2020;

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
    // `In the late 1990s`.
    let is_year = |end: usize| text[end..].starts_with(|c: char| c.is_ascii_digit());
    WORDS.as_ref().is_some_and(|words| words.find_iter(text).any(|found| !is_year(found.end()))) || has_ended(text)
}

/// Whether the lines around a name, or the heading above it, speak of someone dead.
pub(super) fn is_around(document: &Document<'_>, first: usize, last: usize) -> bool {
    let from = first.saturating_sub(LINES_ABOVE);
    let says = |at: usize| is_named_in(around(document.line(at).0, 0, 0, LINE_BYTES_MAX));
    let was = |at: usize| has_left(document.line(at).0);
    (from..first).any(|at| document.line(at).1.heading && says(at))
        || (first.saturating_sub(1)..=first).any(|at| begins_long_ago(document.line(at).0))
        || (first..=last + 1).any(says)
        || (first..=last).any(was)
}

/// Whether a sentence tells of a year long ago: `President Ann Lee spoke here in 1952`.
pub(super) fn is_long_ago(sentence: &str) -> bool {
    sentence.match_indices(" in 1").any(|(at, _)| {
        let year = sentence.get(at + 4..at + 8).and_then(|year| year.parse::<u16>().ok());
        year.is_some_and(|year| (BEGAN_MIN..BEGAN_MAX).contains(&year))
    })
}

/// `1923`, `1923: Ann Lee, founder`: an entry of a history.
fn begins_long_ago(line: &str) -> bool {
    let is_year = line.as_bytes().get(..4).and_then(year).is_some_and(|year| (BEGAN_MIN..BEGAN_MAX).contains(&year));
    is_year && (line.len() == 4 || [":", " –", " -", "–"].iter().any(|sign| line[4..].starts_with(sign)))
}

/// Whether what follows a name says that its bearer has gone: ` retired in 2015`.
pub(super) fn retires(after: &str) -> bool {
    [" retired in ", " retired last ", " has retired", " left us ", " sold the "]
        .iter()
        .any(|way| after.starts_with(way))
}

/// `President 1988-1990`, `Chair (2004–2008)`: years of office that have ended.
fn has_left(line: &str) -> bool {
    line.len() <= LINE_BYTES_MAX
        && spans(line).any(|(first, second)| first <= second && (BEGAN_MIN..LEFT_MAX).contains(&second))
}

/// `1931 - 2014`: a span of years that began long ago and has an end.
fn has_ended(text: &str) -> bool {
    spans(text).any(|(first, _)| (BEGAN_MIN..BEGAN_MAX).contains(&first))
}

/// The years on both sides of each dash.
fn spans(text: &str) -> impl Iterator<Item = (u16, u16)> + '_ {
    text.match_indices(['-', '–']).filter_map(|(at, sign)| {
        let end = text[..at].trim_end().len();
        let after = text[at + sign.len()..].trim_start().as_bytes();
        Some((year(text.as_bytes().get(end.checked_sub(4)?..end)?)?, year(after.get(..4)?)?))
    })
}

/// The year that four digits make.
fn year(digits: &[u8]) -> Option<u16> {
    let is_number = digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| digits.iter().fold(0, |sum, digit| sum * 10 + u16::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_office_that_has_ended_is_recognised() {
        assert!(has_left("Ann Lee, President 1988-1990") && has_left("Chair (2004 – 2008)"));
        for line in ["Ann Lee, Owner 512-555-0100", "Manager since 2004", "Open 1990-2024", "1990-", "–", "2004-1990"]
        {
            assert!(!has_left(line), "{line}");
        }
    }

    #[test]
    fn a_history_and_those_who_have_gone_are_recognised() {
        for line in ["1923", "1923: Ann Lee, founder", "1956 – Ann Lee, owner"] {
            assert!(begins_long_ago(line), "{line}");
        }
        for line in ["1923 Oak Lane, Ann Lee", "2014", "1985: Ann Lee", "19é3: Ann Lee", "192", "1923-555"] {
            assert!(!begins_long_ago(line), "{line}");
        }
        assert!(retires(" retired in 2015.") && !retires(" joined us in 2015.") && !retires(" retired from the navy"));
    }

    #[test]
    fn the_dead_are_recognised() {
        for text in ["In loving memory of Ann Lee", "Ann Lee, founder, 1931 - 2014", "Our founder, the late Ann Lee,"] {
            assert!(is_named_in(text), "{text}");
        }
        for text in [
            "Ann Lee, owner since 1931",
            "Open 1990-2024",
            "in the late 1990s",
            "512-555-0100",
            "–1931–",
            "é-é 12-3456",
        ] {
            assert!(!is_named_in(text), "{text}");
        }
    }
}
