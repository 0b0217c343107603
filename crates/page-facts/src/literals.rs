//! Searches text for a fixed set of literals: by SIMD where the machine supports it, otherwise by automaton.

use aho_corasick::{AhoCorasick, Match, packed};

/// A compiled literal search.
#[derive(Debug)]
pub(crate) enum Literals {
    /// SIMD search.
    Packed(packed::Searcher),
    /// Aho-Corasick automaton.
    Plain(AhoCorasick),
}

impl Literals {
    /// Compiles the literals. `None` only when there are too many for an automaton.
    pub(crate) fn new<'a>(literals: impl Iterator<Item = &'a str> + Clone) -> Option<Literals> {
        let packed = packed::Config::new().builder().extend(literals.clone()).build().map(Literals::Packed);
        packed.or_else(|| AhoCorasick::new(literals).ok().map(Literals::Plain))
    }

    /// Calls `look` for each match, at most `most` times.
    pub(crate) fn each(&self, text: &str, most: usize, look: impl FnMut(Match)) {
        match self {
            Literals::Packed(search) => search.find_iter(text.as_bytes()).take(most).for_each(look),
            Literals::Plain(search) => search.find_iter(text).take(most).for_each(look),
        }
    }
}
