//! The best of what was found, in order, without holding all of it.

use crate::{Place, Rank};

/// The best places so far behind a position, at most so many.
#[derive(Debug)]
pub(super) struct Best {
    most: usize,
    total: u64,
    found: Vec<(Rank, Place)>,
    limits: Limits,
}

/// The ranks of places that can still be among the best.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    after: Option<Rank>,
    /// There are enough up to this one.
    last: Option<Rank>,
}

impl Limits {
    pub(super) fn contain(&self, rank: &Rank) -> bool {
        self.after.as_ref().is_none_or(|after| rank > after) && self.last.as_ref().is_none_or(|last| rank <= last)
    }
}

impl Best {
    pub(super) fn new(after: Option<&Rank>, most: usize) -> Best {
        Best { most, total: 0, found: Vec::new(), limits: Limits { after: after.cloned(), last: None } }
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits.clone()
    }

    /// Takes those places of some that lie within the limits; `total` is how many there were.
    pub(super) fn add(&mut self, (total, found): (u64, Vec<(Rank, Place)>)) {
        self.total += total;
        self.found.extend(found);
        if self.found.len() > self.most + self.most / 2 {
            self.found.select_nth_unstable_by(self.most - 1, |(one, _), (other, _)| one.cmp(other));
            self.found.truncate(self.most);
            self.limits.last = self.found.last().map(|(rank, _)| rank.clone());
        }
    }

    /// How many were found in all, and the best of them in order.
    pub(super) fn finish(&mut self) -> (u64, Vec<Place>) {
        let mut found = std::mem::take(&mut self.found);
        found.sort_by(|(one, _), (other, _)| one.cmp(other));
        found.truncate(self.most);
        (self.total, found.into_iter().map(|(_, place)| place).collect())
    }
}

#[cfg(test)]
mod tests {
    use places::Point;

    use super::*;

    fn ranked(number: usize) -> (Rank, Place) {
        let mut place = Place::new(format!("{number:04}"), "Ada", Point { latitude: 0.0, longitude: 0.0 });
        place.confidence = Some(0.5);
        (Rank::of(&place), place)
    }

    #[test]
    fn the_best_stay_whatever_the_order_in_which_they_come() {
        let mut best = Best::new(Some(&ranked(9).0), 10);
        for start in [60, 20, 0, 40] {
            let limits = best.limits();
            let places = (start..start + 20).rev().map(ranked).filter(|(rank, _)| limits.contain(rank));
            best.add((20, places.collect()));
        }
        let (total, places) = best.finish();
        let ids: Vec<&str> = places.iter().map(|place| place.id.as_str()).collect();
        let expected: Vec<String> = (10..20).map(|number| format!("{number:04}")).collect();
        assert_eq!((total, ids), (80, expected.iter().map(String::as_str).collect()));
    }
}
