//! Sets of words, written as text to stay readable and looked up by hash.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

/// A set of words, separated by white space.
#[derive(Debug)]
pub(crate) struct WordSet {
    text: &'static str,
    set: OnceLock<FxHashSet<&'static str>>,
}

impl WordSet {
    /// Parsed on first use.
    pub(crate) const fn new(text: &'static str) -> WordSet {
        WordSet { text, set: OnceLock::new() }
    }

    /// Whether the set contains exactly this word.
    pub(crate) fn contains(&self, word: &str) -> bool {
        self.set.get_or_init(|| self.text.split_ascii_whitespace().collect()).contains(word)
    }

    /// The words in the order written.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.text.split_ascii_whitespace()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole() {
        static LIST: WordSet = WordSet::new("one two\n three");
        assert!(LIST.contains("three") && !LIST.contains("thr"));
        assert_eq!(LIST.iter().count(), 3);
    }
}
