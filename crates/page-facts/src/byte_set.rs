//! Which bytes occur in a text. Tells in one pass that most of many separators do not.

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
        if self.may_contain(separator) { text.split_once(separator) } else { None }
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
