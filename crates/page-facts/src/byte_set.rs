//! Which bytes occur in a text. Tells in one pass that most of many separators do not.

use memchr::memchr_iter;

/// The bytes of a text: a bit for each ASCII character; other bytes share the bits of control characters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ByteSet(u128);

/// What separates two parts of a line: ` – `, `, `. Not made of spaces only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Separator {
    text: &'static str,
    bytes: ByteSet,
    /// Where the first byte is that is no space: it is rare, and searched for.
    sign: usize,
}

impl Separator {
    pub(crate) const fn new(text: &'static str) -> Separator {
        let mut sign = 0;
        while text.as_bytes()[sign] == b' ' {
            sign += 1;
        }
        Separator { text, bytes: ByteSet::of_bytes(text.as_bytes()), sign }
    }

    pub(crate) const fn all<const COUNT: usize>(texts: [&'static str; COUNT]) -> [Separator; COUNT] {
        let mut all = [Separator::new(texts[0]); COUNT];
        let mut at = 1;
        while at < COUNT {
            all[at] = Separator::new(texts[at]);
            at += 1;
        }
        all
    }
}

impl ByteSet {
    pub(crate) fn of(text: &str) -> ByteSet {
        ByteSet(text.bytes().fold(0, |set, byte| set | bit(byte)))
    }

    const fn of_bytes(bytes: &[u8]) -> ByteSet {
        let (mut set, mut at) = (0, 0);
        while at < bytes.len() {
            set |= bit(bytes[at]);
            at += 1;
        }
        ByteSet(set)
    }

    /// Whether the text may contain a separator. `false` is certain.
    pub(crate) fn may_contain(self, separator: &Separator) -> bool {
        self.0 & separator.bytes.0 == separator.bytes.0
    }

    /// Splits the text that this is the set of at the first separator.
    pub(crate) fn split_once<'t>(self, text: &'t str, separator: &Separator) -> Option<(&'t str, &'t str)> {
        if !self.may_contain(separator) {
            return None;
        }
        let Separator { text: wanted, sign, .. } = *separator;
        let mut signs = memchr_iter(wanted.as_bytes()[sign], text.as_bytes()).filter_map(|at| at.checked_sub(sign));
        let at = signs.find(|at| text.as_bytes()[*at..].starts_with(wanted.as_bytes()))?;
        Some((&text[..at], &text[at + wanted.len()..]))
    }

    /// Splits the text that this is the set of at the first of several separators, in their order, that it contains.
    pub(crate) fn split_once_at<'t>(self, text: &'t str, separators: &[Separator]) -> Option<(&'t str, &'t str)> {
        separators.iter().find_map(|separator| self.split_once(text, separator))
    }
}

/// The bit of a byte.
const fn bit(byte: u8) -> u128 {
    1 << if byte.is_ascii() { byte } else { byte & 0x1F }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_texts_that_cannot_be_contained_are_refused() {
        let line = "Ann Lee – Owner";
        let bytes = ByteSet::of(line);
        assert_eq!(bytes.split_once(line, &Separator::new(" – ")), Some(("Ann Lee", "Owner")));
        assert_eq!(bytes.split_once(line, &Separator::new(" - ")), None);
        let may_contain = |text| bytes.may_contain(&Separator::new(text));
        assert!(!may_contain(" — ") && !may_contain(", ") && may_contain("nee"));
        let both = Separator::all([", ", " – "]);
        assert_eq!(bytes.split_once_at(line, &both), Some(("Ann Lee", "Owner")));
        assert_eq!(ByteSet::of("–x – –").split_once("–x – –", &both[1]), Some(("–x", "–")));
    }
}
