//! Sets of words, written as text to stay readable and looked up by hash.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

/// Longest word that is put into lower case without allocating, in bytes.
pub(crate) const WORD_BYTES_MAX: usize = 24;
/// Bits per word for what words look like.
const LOOKS_PER_WORD: usize = 16;

/// A set of words, separated by white space.
#[derive(Debug)]
pub(crate) struct WordSet {
    text: &'static str,
    words: OnceLock<Words>,
}

/// The words, and a bit for what each looks like, by which nearly all other words are rejected before hashing.
#[derive(Debug, Default)]
pub(crate) struct Words {
    set: FxHashSet<&'static [u8]>,
    looks: Vec<u64>,
}

impl WordSet {
    /// Parsed on first use.
    pub(crate) const fn new(text: &'static str) -> WordSet {
        WordSet { text, words: OnceLock::new() }
    }

    /// Whether the set contains exactly this word.
    pub(crate) fn contains(&self, word: &str) -> bool {
        self.words().contains(word)
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
        let set: FxHashSet<&'static [u8]> = list.into_iter().map(str::as_bytes).collect();
        let slots = (set.len() * LOOKS_PER_WORD).div_ceil(64).next_power_of_two();
        let mut looks = vec![0; slots];
        for word in &set {
            let look = look(word, |byte| byte);
            looks[slot(look, slots)] |= bit(look);
        }
        Words { set, looks }
    }
}

impl Words {
    /// Whether the set, which must be in lower case, contains this word in any case.
    pub(crate) fn contains_any_case(&self, word: &str) -> bool {
        let mut buffer = [0; WORD_BYTES_MAX];
        match buffer.get_mut(..word.len()).filter(|_| word.is_ascii()) {
            Some(lower) if self.may_contain(look(word.as_bytes(), |byte| byte.to_ascii_lowercase())) => {
                lower.copy_from_slice(word.as_bytes());
                lower.make_ascii_lowercase();
                self.set.contains(&*lower)
            }
            Some(_) => false,
            None => self.contains(word.to_lowercase().as_str()),
        }
    }

    /// Whether the set contains exactly this word.
    pub(crate) fn contains(&self, word: impl AsRef<[u8]>) -> bool {
        let word = word.as_ref();
        self.may_contain(look(word, |byte| byte)) && self.set.contains(word)
    }

    fn may_contain(&self, look: u32) -> bool {
        self.looks.get(slot(look, self.looks.len())).is_some_and(|bits| bits & bit(look) != 0)
    }
}

/// What a word looks like at a glance: its length, its first two bytes and its last one, mixed.
fn look(word: &[u8], case: impl Fn(u8) -> u8) -> u32 {
    let [first, .., last] = word else { return word.first().map_or(0, |only| u32::from(case(*only))) };
    let shape = u32::from_le_bytes([case(*first), case(word[1]), case(*last), word.len() as u8]);
    shape.wrapping_mul(0x9E37_79B1)
}

/// Which of the words of bits holds that of a look, by its upper bits, which depend on all of the word's.
fn slot(look: u32, slots: usize) -> usize {
    (look >> 12) as usize & slots.wrapping_sub(1)
}

fn bit(look: u32) -> u64 {
    1 << (look >> 26)
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
