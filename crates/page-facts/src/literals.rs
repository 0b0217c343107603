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

/// Buckets into which the SIMD search distributes many literals, in turn.
const BUCKETS: usize = 16;
/// Bytes of a literal that the SIMD search compares before it checks the whole.
const COMPARED_BYTES: usize = 4;

/// The order of literals in which the SIMD search examines the fewest places in vain. It compares the upper and the lower
/// halves of bytes with those of all literals in a bucket, so a bucket should hold similar ones. No literal may begin with
/// another: the search prefers the first in order.
pub(crate) fn search_order(literals: &[&str]) -> Vec<usize> {
    let halves = |at: &usize| {
        let bytes = literals[*at].bytes().take(COMPARED_BYTES);
        (bytes.clone().map(|byte| byte >> 4).collect::<Vec<_>>(), bytes.map(|byte| byte & 15).collect::<Vec<_>>())
    };
    let mut similar: Vec<usize> = (0..literals.len()).collect();
    similar.sort_by_cached_key(halves);
    let (rows, rest) = (literals.len() / BUCKETS, literals.len() % BUCKETS);
    let place = |row: usize, bucket: usize| bucket * rows + bucket.min(rest) + row;
    let full = (0..rows).flat_map(|row| (0..BUCKETS).map(move |bucket| (row, bucket)));
    let last = (0..rest).map(|bucket| (rows, bucket));
    full.chain(last).map(|(row, bucket)| similar[place(row, bucket)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_literal_is_searched_for_and_similar_ones_share_a_bucket() {
        let literals: Vec<String> = (0..37).map(|n| format!("{n:04}")).collect();
        let literals: Vec<&str> = literals.iter().map(String::as_str).collect();
        let mut order = search_order(&literals);
        assert_eq!(order[..3], [0, 3, 6]);
        assert_eq!(order[BUCKETS..BUCKETS + 3], [1, 4, 7]);
        order.sort_unstable();
        assert!(order.into_iter().eq(0..37));
    }
}
