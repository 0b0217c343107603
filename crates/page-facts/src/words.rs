//! Lists of words, written as text so that they stay readable, looked up by hash.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

/// A list of words, separated by blanks.
#[derive(Debug)]
pub(crate) struct Words {
    text: &'static str,
    set: OnceLock<FxHashSet<&'static str>>,
}

impl Words {
    /// A list that is read when it is first asked.
    pub(crate) const fn new(text: &'static str) -> Words {
        Words { text, set: OnceLock::new() }
    }

    /// Whether the list has this very word.
    pub(crate) fn contains(&self, word: &str) -> bool {
        self.set.get_or_init(|| self.text.split_ascii_whitespace().collect()).contains(word)
    }

    /// The words in the order they are written.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.text.split_ascii_whitespace()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole() {
        static LIST: Words = Words::new("one two\n three");
        assert!(LIST.contains("three") && !LIST.contains("thr"));
        assert_eq!(LIST.iter().count(), 3);
    }
}
