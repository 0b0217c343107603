//! Merges the places that several sources have of one area.

use super::blocks::candidates;
use super::cluster::{ClusterRecord, Link, cluster, is_link};
use super::{Merged, SourceTag, merge};
use crate::Place;
use crate::matching::{Profile, compare, mark_common};

/// Merges the places that several sources have of one area. Sources are added in the operator's order; within a source the
/// order of places does not matter.
#[derive(Debug, Default)]
pub struct Merger {
    sources: Vec<SourceTag>,
    records: Vec<(usize, Place)>,
}

/// Merges copies of these places; see [`Merger`].
#[must_use]
pub fn merge_all(sources: &[(SourceTag, Vec<Place>)]) -> Vec<Merged> {
    let mut merger = Merger::default();
    for (source, places) in sources {
        merger.add(source.clone(), places.clone());
    }
    merger.finish()
}

impl Merger {
    /// Adds the places of a source, or further places of a source that was added before.
    pub fn add(&mut self, source: SourceTag, places: Vec<Place>) {
        let known = self.sources.iter().position(|known| *known == source);
        let source = known.unwrap_or_else(|| {
            self.sources.push(source);
            self.sources.len() - 1
        });
        self.records.extend(places.into_iter().map(|place| (source, place)));
    }

    /// The merged places, in the order of their sources and ids.
    #[must_use]
    pub fn finish(mut self) -> Vec<Merged> {
        self.records.sort_by(|(one, a), (other, b)| {
            one.cmp(other).then_with(|| a.id.cmp(&b.id)).then_with(|| order_of_equals(a, b))
        });
        let groups = groups(&self.records);
        let mut records: Vec<Option<(usize, Place)>> = self.records.into_iter().map(Some).collect();
        let mut merged = Vec::with_capacity(groups.len());
        for group in groups {
            let parts = group.into_iter().filter_map(|record| records[record as usize].take());
            merged.extend(merge(parts.map(|(source, place)| (self.sources[source].clone(), place)).collect()));
        }
        merged
    }
}

/// A fixed order of two records with the same id, so that the result does not depend on how they were added.
fn order_of_equals(a: &Place, b: &Place) -> std::cmp::Ordering {
    let point = |place: &Place| (place.point.latitude, place.point.longitude);
    let ((north_a, east_a), (north_b, east_b)) = (point(a), point(b));
    a.name
        .cmp(&b.name)
        .then(north_a.total_cmp(&north_b))
        .then(east_a.total_cmp(&east_b))
        .then_with(|| a.phones.cmp(&b.phones))
}

fn groups(records: &[(usize, Place)]) -> Vec<Vec<u32>> {
    let mut profiles = in_parallel(records, |(_, place)| Profile::new(place));
    let sources: Vec<usize> = records.iter().map(|(source, _)| *source).collect();
    mark_common(&mut profiles, &sources);
    let pairs = candidates(&profiles, &sources);
    let links = in_parallel(&pairs, |(a, b)| {
        let same_source = sources[*a as usize] == sources[*b as usize];
        let score = compare(&profiles[*a as usize], &profiles[*b as usize]);
        is_link(same_source, &score).then(|| Link { a: *a, b: *b, points: score.total() })
    });
    let known = sources.iter().zip(&profiles).map(|(source, profile)| ClusterRecord { source: *source, profile });
    cluster(&known.collect::<Vec<_>>(), links.into_iter().flatten().collect())
}

/// Applies a function to all items, in order, on all processors when there are enough items.
fn in_parallel<T: Sync, R: Send>(items: &[T], apply: impl Fn(&T) -> R + Sync) -> Vec<R> {
    /// Items below which a thread costs more than it saves.
    const ITEMS_MIN: usize = 2_000;
    /// Threads at most.
    const THREADS_MAX: usize = 8;
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX);
    if items.len() < ITEMS_MIN || threads == 1 {
        return items.iter().map(apply).collect();
    }
    let apply = &apply;
    std::thread::scope(|scope| {
        let chunks = items.chunks(items.len().div_ceil(threads));
        let workers: Vec<_> =
            chunks.map(|chunk| scope.spawn(move || chunk.iter().map(apply).collect::<Vec<R>>())).collect();
        let mut results = Vec::with_capacity(items.len());
        for worker in workers {
            results.extend(worker.join().expect("comparing places does not panic"));
        }
        results
    })
}
