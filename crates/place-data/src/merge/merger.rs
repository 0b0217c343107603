//! Merges the places that several sources have of one area.

use super::cluster::{ClusterRecord, cluster};
use super::links::links;
use super::parallel::in_parallel;
use super::{Merged, SourceTag, merge};
use crate::Place;
use crate::matching::{Common, ContactKeys, Profile};

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
    let by_position = north_a.total_cmp(&north_b).then(east_a.total_cmp(&east_b));
    by_position.then_with(|| a.name.cmp(&b.name)).then_with(|| a.phones.cmp(&b.phones))
}

fn groups(records: &[(usize, Place)]) -> Vec<Vec<u32>> {
    let mut profiles = in_parallel(records, |(_, place)| Profile::new(place));
    let sources: Vec<usize> = records.iter().map(|(source, _)| *source).collect();
    let common = common(&profiles, &sources);
    profiles.iter_mut().for_each(|profile| profile.mark_common(&common));
    let links = links(&profiles, &sources, |_| true);
    let known = sources.iter().zip(&profiles).map(|(source, profile)| ClusterRecord { source: *source, profile });
    cluster(&known.collect::<Vec<_>>(), links)
}

/// What many records of one source have in common. The records are sorted by source.
fn common(profiles: &[Profile], sources: &[usize]) -> Common {
    let mut common = Common::default();
    let mut rest = profiles;
    for source in sources.chunk_by(|one, other| one == other) {
        let (own, others) = rest.split_at(source.len());
        let mut contacts = ContactKeys::default();
        own.iter().for_each(|profile| contacts.add(profile.contact_keys()));
        common.add(contacts);
        rest = others;
    }
    common
}
