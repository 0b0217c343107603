//! Compares the records of an area: which of them are the same place.

use super::blocks::candidates;
use super::cluster::{Link, is_link};
use super::parallel::in_parallel;
use crate::matching::{Profile, compare};

/// Links between records by their indexes, the lower one first. Records come in the order of their sources and ids.
pub(super) fn links(profiles: &[Profile], sources: &[usize], wanted: impl Fn(u32) -> bool) -> Vec<Link> {
    let mut pairs = candidates(profiles, sources);
    pairs.retain(|(first, _)| wanted(*first));
    let links = in_parallel(&pairs, |(a, b)| {
        let same_source = sources[*a as usize] == sources[*b as usize];
        let score = compare(&profiles[*a as usize], &profiles[*b as usize]);
        is_link(same_source, &score).then(|| Link { a: *a, b: *b, points: score.total() })
    });
    links.into_iter().flatten().collect()
}
