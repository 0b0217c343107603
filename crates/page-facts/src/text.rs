//! Builds the visible text of a page: character references decoded, white space collapsed, one line per block.

use std::borrow::Cow;

use crate::blocks::{is_plain, white_start};

/// Bytes of text kept per page; contacts beyond that are not found.
pub(crate) const TEXT_BYTES_MAX: usize = 2 * 1024 * 1024;
/// Bytes of readable text kept per page for the AI features.
pub(crate) const READABLE_BYTES_MAX: usize = 32 * 1024;

/// Decodes the character references of `raw`; borrows when there are none.
pub(crate) fn unescape(raw: &str) -> Cow<'_, str> {
    if memchr::memchr(b'&', raw.as_bytes()).is_none() { Cow::Borrowed(raw) } else { htmlize::unescape(raw) }
}

/// Decodes an attribute value, where a bare `&copy=` in a query string is left alone.
pub(crate) fn unescape_attribute(raw: &str) -> Cow<'_, str> {
    if memchr::memchr(b'&', raw.as_bytes()).is_none() { Cow::Borrowed(raw) } else { htmlize::unescape_attribute(raw) }
}

/// How two runs of text are separated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Gap {
    /// Not at all.
    #[default]
    None,
    /// The boundary of an inline element: nothing, unless two words would run together.
    Joint,
    /// White space, or an inline element that is set apart.
    Space,
    /// A new block.
    Line,
}

/// Accumulates the text of a page.
#[derive(Debug, Default)]
pub(crate) struct TextBuilder {
    text: String,
    gap: Gap,
}

impl TextBuilder {
    /// Allocates for a page of `bytes` bytes; about a tenth of a page is text.
    pub(crate) fn for_page(bytes: usize) -> Self {
        TextBuilder { text: String::with_capacity(bytes / 8), gap: Gap::None }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Length so far in bytes.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }

    /// Joins the line that starts at `start` to the one before it.
    pub(crate) fn join_line(&mut self, start: usize) {
        if let Some(before) = start.checked_sub(1).filter(|at| self.text.get(*at..start) == Some("\n")) {
            self.text.replace_range(before..start, " ");
        }
    }

    /// Records a separator; the widest one since the last word applies.
    pub(crate) fn mark(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Whether the next word starts a new line.
    pub(crate) fn at_line_start(&self) -> bool {
        self.gap == Gap::Line || self.text.is_empty() || self.text.ends_with('\n')
    }

    /// Appends the characters between two tags.
    pub(crate) fn push(&mut self, raw: &str) {
        let bytes = raw.as_bytes();
        let start = white_start(bytes);
        if start > 0 {
            self.mark(Gap::Space);
        }
        if self.text.len() > TEXT_BYTES_MAX || start == bytes.len() {
            return;
        }
        let words = raw[start..].trim_ascii_end();
        if is_plain(words.as_bytes()) {
            self.push_word(words);
            self.gap = Gap::None;
        } else {
            let decoded = unescape(raw);
            if decoded.is_ascii() {
                self.push_words(&decoded);
            } else {
                self.push_words(&fold(&decoded));
            }
        }
        if start + words.len() < bytes.len() {
            self.mark(Gap::Space);
        }
    }

    fn push_words(&mut self, text: &str) {
        if text.starts_with(' ') {
            self.mark(Gap::Space);
        }
        let words = text.trim_ascii();
        if is_folded(words) {
            self.push_word(words);
        } else {
            words.split_ascii_whitespace().for_each(|word| self.push_word(word));
        }
        // The words end without a separator; the caller adds what follows.
        if !text.ends_with(|c: char| c.is_ascii_whitespace()) {
            self.gap = Gap::None;
        }
    }

    fn push_word(&mut self, word: &str) {
        if word.is_empty() {
            return;
        }
        self.fill_gap(word);
        self.text.push_str(word);
        self.gap = Gap::Space;
    }

    fn fill_gap(&mut self, word: &str) {
        if self.text.is_empty() {
            return;
        }
        match self.gap {
            Gap::None => {}
            Gap::Joint if self.runs_into(word) => self.text.push(' '),
            Gap::Joint => {}
            Gap::Space => self.text.push(' '),
            Gap::Line => self.text.push('\n'),
        }
    }

    /// `Smith` + `Owner` and `Call` + `555` are two words separated by style; `W` + `elcome` is one.
    fn runs_into(&self, word: &str) -> bool {
        // Nearly always both are ASCII.
        if let (Some(last), Some(next)) = (self.text.as_bytes().last(), word.as_bytes().first())
            && (last | next).is_ascii()
        {
            return (last.is_ascii_lowercase() & (next.is_ascii_uppercase() | next.is_ascii_digit()))
                | (last.is_ascii_digit() & next.is_ascii_alphabetic());
        }
        let (Some(last), Some(next)) = (self.text.chars().next_back(), word.chars().next()) else { return false };
        (last.is_lowercase() && (next.is_uppercase() || next.is_ascii_digit()))
            || (last.is_ascii_digit() && next.is_alphabetic())
    }
}

/// Whether words are already separated by single spaces, so the text can be copied as one piece. The folds have no early
/// exit so that the compiler vectorises them.
fn is_folded(words: &str) -> bool {
    !words.bytes().fold(false, |found, byte| found | (byte < b' ')) && !has_wide_spaces(words)
}

fn has_wide_spaces(words: &str) -> bool {
    let bytes = words.as_bytes();
    let pairs = bytes.iter().zip(bytes.get(1..).unwrap_or(&[]));
    pairs.fold(false, |found, (one, next)| found | ((*one == b' ') & (*next == b' ')))
}

/// Turns all kinds of white space into a space, drops invisible characters, and maps full-width forms to ASCII.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}' | '\u{00AD}' => {}
            '\u{FF01}'..='\u{FF5E}' => folded.push(char::from_u32(c as u32 - 0xFEE0).unwrap_or(c)),
            c if c.is_whitespace() => folded.push(' '),
            c => folded.push(c),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pieces: &[(&str, Gap)], expect: &str) {
        let mut text = TextBuilder::default();
        for (piece, gap) in pieces {
            text.push(piece);
            text.mark(*gap);
        }
        assert_eq!(text.finish(), expect);
    }

    #[test]
    fn words_are_separated_as_a_reader_sees_them() {
        check(&[("  a \n b", Gap::Line), ("c", Gap::None)], "a b\nc");
        check(&[("Smith", Gap::Joint), ("Owner", Gap::Joint), (": x", Gap::None)], "Smith Owner: x");
        check(&[("W", Gap::Joint), ("elcome", Gap::None)], "Welcome");
        check(&[("info", Gap::Joint), ("@", Gap::Joint), ("a.com", Gap::None)], "info@a.com");
        check(&[("a&nbsp;&amp;&#8203;b", Gap::None)], "a &b");
        check(&[("a", Gap::None), (" ", Gap::Line), (" b", Gap::None)], "a\nb");
        check(&[("ｉｎｆｏ＠ａ", Gap::None)], "info@a");
        check(&[("Call", Gap::Joint), ("555", Gap::None)], "Call 555");
    }
}
