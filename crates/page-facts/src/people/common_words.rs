//! Words that a page uses in lower case. What it writes so elsewhere is a word, not a name: `Quality Work` in a heading,
//! and `the quality of our work` below it.

use memchr::memmem;

use crate::document::Document;

/// Shortest word that counts, in bytes: shorter ones are parts of names too.
const WORD_BYTES_MIN: usize = 4;
/// Bytes of text that are searched for one step.
const BYTES_PER_STEP: usize = 8;

/// The words that the text of a page has in lower case.
pub(super) struct CommonWords<'d, 'p> {
    document: &'d Document<'p>,
}

impl<'d, 'p> CommonWords<'d, 'p> {
    pub(super) fn of(document: &'d Document<'p>) -> CommonWords<'d, 'p> {
        CommonWords { document }
    }

    /// Whether a name on no list is made of words that the page uses elsewhere.
    pub(super) fn make_up(&self, name: &str) -> bool {
        name.split([' ', '-']).any(|word| self.contain(&word.to_lowercase()))
    }

    fn contain(&self, word: &str) -> bool {
        let text = &self.document.text;
        word.len() >= WORD_BYTES_MIN
            && word.chars().all(char::is_lowercase)
            && self.document.budget.spend(text.len() / BYTES_PER_STEP)
            && memmem::find_iter(text.as_bytes(), word).any(|at| is_word(text, at, at + word.len()))
    }
}

/// Whether a piece of text is a word and no part of an address.
fn is_word(text: &str, from: usize, to: usize) -> bool {
    let is_sign = |c: char| !c.is_alphanumeric() && !matches!(c, '@' | '/');
    text[..from].chars().rev().take_while(|c| !c.is_whitespace()).all(is_sign)
        && text[to..].chars().take_while(|c| !c.is_whitespace()).all(is_sign)
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
