//! Objects that others refer to: their ids are collected in one pass over a file, and what is known of them in another.

/// Ids that are looked for, and what was found of them.
pub(super) struct Wanted<T> {
    ids: Vec<i64>,
    found: Vec<Option<T>>,
}

impl<T> Wanted<T> {
    pub(super) fn new(mut ids: Vec<i64>) -> Wanted<T> {
        ids.sort_unstable();
        ids.dedup();
        let found = ids.iter().map(|_| None).collect();
        Wanted { ids, found }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The ids, which threads share while they search, and the places for what they find.
    pub(super) fn split(&mut self) -> (WantedIds<'_>, &mut [Option<T>]) {
        (WantedIds(&self.ids), &mut self.found)
    }

    /// What was found of an id.
    pub(super) fn get(&self, id: i64) -> Option<&T> {
        self.ids.binary_search(&id).ok().and_then(|index| self.found[index].as_ref())
    }

    /// Everything that was found.
    pub(super) fn found(&self) -> impl Iterator<Item = &T> {
        self.found.iter().flatten()
    }
}

/// The ids that are looked for, in ascending order.
#[derive(Clone, Copy)]
pub(super) struct WantedIds<'w>(&'w [i64]);

impl<'w> WantedIds<'w> {
    /// Starts a search.
    pub(super) fn matcher(self) -> Matcher<'w> {
        Matcher { ids: self.0, next: 0 }
    }

    /// Whether any id lies in this range, ends included.
    pub(super) fn meets(self, first: i64, last: i64) -> bool {
        let at = self.0.partition_point(|id| *id < first);
        self.0.get(at).is_some_and(|id| *id <= last)
    }
}

/// Finds ids among those that are wanted, in constant time each when they come in ascending order, as in nearly all files.
pub(super) struct Matcher<'w> {
    ids: &'w [i64],
    next: usize,
}

impl Matcher<'_> {
    /// Steps that are walked before a search takes over.
    const WALK_MAX: usize = 16;

    /// The index of this id among those that are wanted.
    pub(super) fn find(&mut self, id: i64) -> Option<usize> {
        let is_behind = self.next > 0 && self.ids[self.next - 1] >= id;
        let ahead = &self.ids[self.next.min(self.ids.len())..];
        let walked = ahead.iter().take(Self::WALK_MAX).take_while(|wanted| **wanted < id).count();
        if is_behind || walked == Self::WALK_MAX {
            self.next = self.ids.partition_point(|wanted| *wanted < id);
        } else {
            self.next += walked;
        }
        (self.ids.get(self.next) == Some(&id)).then_some(self.next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_in_any_order() {
        let mut wanted: Wanted<()> = Wanted::new((0..100).map(|number| number * 3).collect());
        let (wanted, _) = wanted.split();
        let mut matcher = wanted.matcher();
        for id in (0..300).chain((0..300).rev()).chain([150, 3, 299, 0, 297]) {
            let expected = (id % 3 == 0).then_some(id as usize / 3);
            assert_eq!(matcher.find(id), expected, "{id}");
        }
        assert_eq!((matcher.find(-1), matcher.find(1000)), (None, None));
        assert!(wanted.meets(4, 6) && !wanted.meets(4, 5) && !wanted.meets(298, 1000));
    }
}
