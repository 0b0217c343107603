//! Words that a page uses in lower case. What it writes so elsewhere is a word, not a name: `Quality Work` in a heading,
//! and `the quality of our work` below it.

use std::cell::OnceCell;
use std::collections::HashSet;

use crate::document::Document;

/// Shortest word that is kept, in bytes: shorter ones are parts of names too.
const WORD_BYTES_MIN: usize = 4;

/// The words that the text of a page has in lower case, read once, when the first name is asked for.
pub(super) struct CommonWords<'d, 'p> {
    document: &'d Document<'p>,
    words: OnceCell<HashSet<&'d str>>,
}

impl<'d, 'p> CommonWords<'d, 'p> {
    pub(super) fn of(document: &'d Document<'p>) -> CommonWords<'d, 'p> {
        CommonWords { document, words: OnceCell::new() }
    }

    /// Whether a name on no list is made of words that the page uses elsewhere.
    pub(super) fn make_up(&self, name: &str) -> bool {
        let words = self.words.get_or_init(|| read(self.document));
        name.split([' ', '-']).any(|word| words.contains(word.to_lowercase().as_str()))
    }
}

fn read<'d>(document: &'d Document<'_>) -> HashSet<&'d str> {
    if !document.budget.spend(document.text.len()) {
        return HashSet::new();
    }
    document.text.split_whitespace().filter_map(lower_word).collect()
}

/// A piece of text without the signs around it, if it is a word in lower case and no part of an address.
fn lower_word(piece: &str) -> Option<&str> {
    let word = piece.trim_matches(|c: char| !c.is_alphanumeric());
    let is_word = word.len() >= WORD_BYTES_MIN && word.chars().all(char::is_lowercase);
    (is_word && !piece.contains(['@', '/'])).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_not_made_of_words_that_the_page_uses() {
        let document = Document::parse("<h2>Quality Work</h2><p>We stand by the quality, always. zorvek@acme.com</p>");
        let words = CommonWords::of(&document);
        assert!(words.make_up("Quality Work") && words.make_up("Qwamble-Quality Lee"));
        assert!(!words.make_up("Zorvek Qwamble") && !words.make_up("Ann Lee") && !words.make_up("The We"));
    }
}
