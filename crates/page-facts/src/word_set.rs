//! Sets of words, written as text to stay readable and looked up by hash.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

/// Longest word that is put into lower case without allocating, in bytes.
pub(crate) const WORD_BYTES_MAX: usize = 24;

/// A set of words, separated by white space.
#[derive(Debug)]
pub(crate) struct WordSet {
    text: &'static str,
    words: OnceLock<Words>,
}

/// The words, and bits for their lengths and first bytes, by which most other words are rejected before hashing.
#[derive(Debug, Default)]
pub(crate) struct Words {
    set: FxHashSet<&'static [u8]>,
    lengths: u64,
    starts: u64,
}

impl WordSet {
    /// Parsed on first use.
    pub(crate) const fn new(text: &'static str) -> WordSet {
        WordSet { text, words: OnceLock::new() }
    }

    /// Whether the set contains exactly this word.
    pub(crate) fn contains(&self, word: &str) -> bool {
        self.words().contains(word.as_bytes())
    }

    /// Whether the set, which must be in lower case, contains this word in any case.
    pub(crate) fn contains_any_case(&self, word: &str) -> bool {
        self.words().contains_any_case(word)
    }

    fn words(&self) -> &Words {
        self.words.get_or_init(|| self.iter().collect())
    }

    /// The words in the order written.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.text.split_ascii_whitespace()
    }
}

impl FromIterator<&'static str> for Words {
    fn from_iter<I: IntoIterator<Item = &'static str>>(list: I) -> Words {
        let mut words = Words::default();
        for word in list.into_iter().map(str::as_bytes) {
            words.lengths |= bit(word.len());
            words.starts |= word.first().map_or(0, |start| bit((*start).into()));
            words.set.insert(word);
        }
        words
    }
}

impl Words {
    /// Whether the set, which must be in lower case, contains this word in any case.
    pub(crate) fn contains_any_case(&self, word: &str) -> bool {
        let mut buffer = [0; WORD_BYTES_MAX];
        match buffer.get_mut(..word.len()).filter(|_| word.is_ascii()) {
            Some(lower) if self.may_contain(word.len(), word.as_bytes().first().map(u8::to_ascii_lowercase)) => {
                lower.copy_from_slice(word.as_bytes());
                lower.make_ascii_lowercase();
                self.set.contains(&*lower)
            }
            Some(_) => false,
            None => self.contains(word.to_lowercase().as_bytes()),
        }
    }

    fn contains(&self, word: &[u8]) -> bool {
        self.may_contain(word.len(), word.first().copied()) && self.set.contains(word)
    }

    fn may_contain(&self, length: usize, start: Option<u8>) -> bool {
        self.lengths & bit(length) != 0 && start.is_some_and(|start| self.starts & bit(start.into()) != 0)
    }
}

fn bit(number: usize) -> u64 {
    1 << (number % 64)
}

/// A word in lower case, without allocating. `None` for the few words that are not ASCII or longer than the buffer.
pub(crate) fn lower_ascii<'b>(word: &str, buffer: &'b mut [u8; WORD_BYTES_MAX]) -> Option<&'b str> {
    let space = buffer.get_mut(..word.len()).filter(|_| word.is_ascii())?;
    space.copy_from_slice(word.as_bytes());
    space.make_ascii_lowercase();
    std::str::from_utf8(space).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole() {
        static LIST: WordSet = WordSet::new("one two\n three");
        assert!(LIST.contains("three") && !LIST.contains("thr"));
        assert_eq!(LIST.iter().count(), 3);
        assert!(LIST.contains_any_case("ThRee") && !LIST.contains_any_case("") && !LIST.contains_any_case("önè"));
    }
}
