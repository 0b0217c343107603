//! Searches a text for a few literals in one SIMD pass, or by automaton on machines without the instructions.

use aho_corasick::{AhoCorasick, Match, packed};

/// A search for some literals.
#[derive(Debug)]
pub(crate) enum Literals {
    /// By SIMD.
    Packed(packed::Searcher),
    /// By automaton.
    Plain(AhoCorasick),
}

impl Literals {
    /// A search for these; `None` only when there are more than any machine could hold.
    pub(crate) fn new<'a>(literals: impl Iterator<Item = &'a str> + Clone) -> Option<Literals> {
        let packed = packed::Config::new().builder().extend(literals.clone()).build().map(Literals::Packed);
        packed.or_else(|| AhoCorasick::new(literals).ok().map(Literals::Plain))
    }

    /// Shows `look` where the literals stand, at most `most` of them.
    pub(crate) fn each(&self, text: &str, most: usize, look: impl FnMut(Match)) {
        match self {
            Literals::Packed(search) => search.find_iter(text.as_bytes()).take(most).for_each(look),
            Literals::Plain(search) => search.find_iter(text).take(most).for_each(look),
        }
    }
}
