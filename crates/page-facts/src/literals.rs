//! Searches text for a fixed set of literals: by SIMD where the machine supports it, otherwise by automaton.

use aho_corasick::{AhoCorasick, Match, packed};

/// The most literals that a SIMD search takes.
const SIMD_LITERALS_MAX: usize = 64;

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

    /// Compiles more literals than one SIMD search takes into several: an automaton is slower than two of those.
    pub(crate) fn in_parts(literals: &[&str]) -> Vec<Literals> {
        let parts = literals.len().div_ceil(SIMD_LITERALS_MAX).max(1);
        let parts = literals.chunks(literals.len().div_ceil(parts).max(1));
        parts.filter_map(|part| Literals::new(part.iter().copied())).collect()
    }

    /// Whether any of the literals occurs in a text.
    pub(crate) fn occur_in(&self, text: &str) -> bool {
        match self {
            Literals::Packed(search) => search.find(text.as_bytes()).is_some(),
            Literals::Plain(search) => search.is_match(text),
        }
    }

    /// Calls `look` for each match, at most `most` times.
    pub(crate) fn each(&self, text: &str, most: usize, look: impl FnMut(Match)) {
        match self {
            Literals::Packed(search) => search.find_iter(text.as_bytes()).take(most).for_each(look),
            Literals::Plain(search) => search.find_iter(text).take(most).for_each(look),
        }
    }
}
