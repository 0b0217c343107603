//! Which bytes occur in a text. Tells in one pass that most of many separators do not.

use memchr::memchr_iter;

/// The bytes of a text: a bit for each ASCII character; other bytes share the bits of control characters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ByteSet(u128);

impl ByteSet {
    pub(crate) fn of(text: &str) -> ByteSet {
        ByteSet(text.bytes().fold(0, |set, byte| set | 1 << if byte.is_ascii() { byte } else { byte & 0x1F }))
    }

    /// Whether the text may contain another. `false` is certain.
    pub(crate) fn may_contain(self, other: &str) -> bool {
        let other = ByteSet::of(other);
        self.0 & other.0 == other.0
    }

    /// Splits the text that this is the set of at the first separator.
    pub(crate) fn split_once<'t>(self, text: &'t str, separator: &str) -> Option<(&'t str, &'t str)> {
        if !self.may_contain(separator) {
            return None;
        }
        // Spaces are everywhere; the first other byte of a separator is rare.
        let sign = separator.bytes().position(|byte| byte != b' ')?;
        let is_here = |at: &usize| text.as_bytes()[*at..].starts_with(separator.as_bytes());
        let signs = memchr_iter(separator.as_bytes()[sign], text.as_bytes());
        let at = signs.filter_map(|at| at.checked_sub(sign)).find(is_here)?;
        Some((&text[..at], &text[at + separator.len()..]))
    }

    /// Splits the text that this is the set of at the first of several separators, in their order, that it contains.
    pub(crate) fn split_once_at<'t>(self, text: &'t str, separators: &[&str]) -> Option<(&'t str, &'t str)> {
        separators.iter().find_map(|separator| self.split_once(text, separator))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_texts_that_cannot_be_contained_are_refused() {
        let line = "Ann Lee – Owner";
        let bytes = ByteSet::of(line);
        assert_eq!(bytes.split_once(line, " – "), Some(("Ann Lee", "Owner")));
        assert_eq!(bytes.split_once(line, " - "), None);
        assert!(!bytes.may_contain(" — ") && !bytes.may_contain(", ") && bytes.may_contain("nee"));
    }
}
