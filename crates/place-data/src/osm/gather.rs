//! Picks the businesses out of the objects of a file, within a budget of memory.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use super::business::{self, BusinessState};
use super::element::{Candidate, Coordinate, ElementId, Geometry, Tags, WayNodes};
use super::place::is_read;
use crate::{Import, Skipped};

/// Bytes of one value. OpenStreetMap itself allows 255 characters.
pub(super) const VALUE_BYTES_MAX: usize = 4096;
/// Bytes of all tags of one object that are read.
pub(super) const TAG_BYTES_MAX: usize = 32 * 1024;
/// Tags of one object. OpenStreetMap itself allows a few hundred.
pub(super) const TAGS_MAX: usize = 4096;
/// Nodes of one way, and members of one relation. OpenStreetMap itself allows 2,000 and 32,000.
pub(super) const MEMBERS_MAX: usize = 100_000;
/// Bytes of candidates and their shapes held at a time. The businesses of Germany, about 4 GB of file, need half of it.
const HELD_BYTES_MAX: u64 = 1 << 30;

const NO_NAME: &str = "no name, brand or operator";
pub(super) const CLOSED: &str = "closed: tagged as disused, abandoned, demolished, vacant or the like";
pub(super) const PLANNED: &str = "not open yet: tagged as proposed, planned or under construction";
const LONG_VALUE: &str = "a tag longer than 4,096 bytes, or tags of more than 32 KiB";
pub(super) const MANY_TAGS: &str = "more than 4,096 tags";
const MANY_MEMBERS: &str = "more than 100,000 nodes or members";
pub(super) const OFF_THE_GLOBE: &str = "coordinates missing or out of range";

/// How much memory an import may still hold. Shared by the threads that decode a file.
pub(super) struct HeldBudget {
    used: AtomicU64,
    limit: u64,
}

/// The budget is used up: the file holds more businesses than the import can keep in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OverBudget;

impl HeldBudget {
    pub(super) const PROBLEM: &'static str =
        "has more businesses than fit into 1 GiB of memory: import smaller extracts, each under a name of its own";

    pub(super) fn new() -> HeldBudget {
        HeldBudget { used: AtomicU64::new(0), limit: HELD_BYTES_MAX }
    }

    pub(super) fn hold(&self, bytes: usize) -> Result<(), OverBudget> {
        let before = self.used.fetch_add(bytes as u64, Ordering::Relaxed);
        if before.saturating_add(bytes as u64) > self.limit { Err(OverBudget) } else { Ok(()) }
    }
}

/// An object as a format gives it, before anybody has looked at its tags.
pub(super) struct RawElement<'t> {
    pub(super) id: ElementId,
    pub(super) tags: &'t [(&'t str, &'t str)],
    /// Seconds since 1970; `None` when the file does not say.
    pub(super) edited: Option<i64>,
    pub(super) geometry: RawGeometry,
}

/// The geometry of an object as a format gives it.
pub(super) enum RawGeometry {
    /// `None` when the coordinates are missing or out of range.
    Node(Option<Coordinate>),
    Way(WayNodes),
    Members {
        ways: Vec<i64>,
        nodes: Vec<i64>,
    },
}

/// What was found in a file or a part of it.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) candidates: Vec<Candidate>,
    pub(super) skipped: SkippedElements,
}

impl Gathered {
    /// Keeps an object if it is a business; counts it as skipped if it nearly is one.
    pub(super) fn look_at(&mut self, element: RawElement<'_>, budget: &HeldBudget) -> Result<(), OverBudget> {
        let id = element.id;
        let outcome = match business::state(element.tags) {
            BusinessState::None => return Ok(()),
            BusinessState::Closed => Err(CLOSED),
            BusinessState::Planned => Err(PLANNED),
            BusinessState::Running => candidate(element),
        };
        match outcome {
            Ok(candidate) => {
                budget.hold(size_of::<Candidate>() + candidate.tags.bytes() + candidate.geometry.bytes())?;
                self.candidates.push(candidate);
            }
            Err(reason) => self.skipped.add(reason, id),
        }
        Ok(())
    }

    /// Adds what was found in another part of the file.
    pub(super) fn merge(&mut self, other: Gathered) {
        self.candidates.extend(other.candidates);
        self.skipped.merge(other.skipped);
    }

    /// Puts candidates into the order in which they are imported: by kind, then by id. Of an object that a file has twice, as
    /// files joined from overlapping extracts do, the last edited version stays.
    pub(super) fn sort(&mut self) {
        let key = |candidate: &Candidate| (candidate.id, std::cmp::Reverse(candidate.edited));
        self.candidates.sort_by(|one, two| key(one).cmp(&key(two)).then_with(|| one.tags.cmp(&two.tags)));
        let before = std::mem::take(&mut self.candidates);
        self.candidates = Vec::with_capacity(before.len());
        for candidate in before {
            if self.candidates.last().is_some_and(|last| last.id == candidate.id) {
                self.skipped.add("the same object a second time", candidate.id);
            } else {
                self.candidates.push(candidate);
            }
        }
    }
}

/// The candidate that a business becomes, or why it does not.
pub(super) fn candidate(element: RawElement<'_>) -> Result<Candidate, &'static str> {
    let read = || element.tags.iter().copied().filter(|(key, _)| is_read(key));
    let is_named = read().any(|(key, value)| matches!(key, "name" | "brand" | "operator") && !value.trim().is_empty());
    let bytes: usize = read().map(|(key, value)| key.len() + value.len() + 2).sum();
    if !is_named {
        return Err(NO_NAME);
    }
    if bytes > TAG_BYTES_MAX || read().any(|(_, value)| value.len() > VALUE_BYTES_MAX) {
        return Err(LONG_VALUE);
    }
    let geometry = match element.geometry {
        RawGeometry::Node(at) => Geometry::Point(at.ok_or(OFF_THE_GLOBE)?),
        RawGeometry::Way(way) if way.refs.len() > MEMBERS_MAX => return Err(MANY_MEMBERS),
        RawGeometry::Way(way) => Geometry::Way(way),
        RawGeometry::Members { ways, nodes } if ways.len() + nodes.len() > MEMBERS_MAX => return Err(MANY_MEMBERS),
        RawGeometry::Members { ways, nodes } => Geometry::Members { ways: ways.into(), nodes: nodes.into() },
    };
    Ok(Candidate { id: element.id, geometry, tags: Tags::pack(read()), edited: element.edited })
}

/// Objects left out, by reason: how many, and the first of them by id. The same however the work was divided among threads.
#[derive(Default)]
pub(super) struct SkippedElements(BTreeMap<&'static str, (u64, Vec<ElementId>)>);

impl SkippedElements {
    pub(super) fn add(&mut self, reason: &'static str, id: ElementId) {
        self.merge(SkippedElements(BTreeMap::from([(reason, (1, vec![id]))])));
    }

    fn merge(&mut self, other: SkippedElements) {
        for (reason, (count, ids)) in other.0 {
            let (total, first) = self.0.entry(reason).or_default();
            *total += count;
            first.extend(ids);
            first.sort_unstable();
            first.truncate(Skipped::EXAMPLES);
        }
    }

    /// Counts them all in the import.
    pub(super) fn report(&self, import: &mut Import<'_>) {
        for (reason, (count, first)) in &self.0 {
            first.iter().for_each(|id| import.skip(reason, id));
            (first.len() as u64..*count).for_each(|_| import.skip(reason, ""));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::element::ElementKind;
    use super::*;

    fn node(number: i64, tags: &'static [(&'static str, &'static str)]) -> RawElement<'static> {
        let id = ElementId { kind: ElementKind::Node, number };
        RawElement { id, tags, edited: Some(number), geometry: RawGeometry::Node(Coordinate::from_steps(1, 1)) }
    }

    #[test]
    fn a_file_with_more_businesses_than_the_budget_allows_is_refused() {
        let budget = HeldBudget { used: AtomicU64::new(0), limit: 1000 };
        let mut gathered = Gathered::default();
        let mut results = (0..20).map(|n| gathered.look_at(node(n, &[("shop", "books"), ("name", "Alma")]), &budget));
        assert!(results.any(|result| result == Err(OverBudget)));
    }

    #[test]
    fn of_an_object_that_a_file_has_twice_the_last_edited_stays() {
        let mut gathered = Gathered::default();
        for (edited, name) in [(5, &[("shop", "books"), ("name", "Old")]), (9, &[("shop", "books"), ("name", "New")])] {
            let element = RawElement { edited: Some(edited), ..node(1, name) };
            gathered.look_at(element, &HeldBudget::new()).unwrap();
        }
        gathered.sort();
        assert_eq!(gathered.candidates.len(), 1);
        assert_eq!(gathered.candidates[0].tags.get("name"), Some("New"));
    }
}
