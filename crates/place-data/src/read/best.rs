//! The best of what was found, in order, without holding all of it.

use crate::Rank;

/// The best so far behind a position, at most so many.
pub(super) struct Best<T> {
    after: Option<Rank>,
    most: usize,
    total: u64,
    found: Vec<(Rank, T)>,
}

impl<T> Best<T> {
    pub(super) fn new(after: Option<&Rank>, most: usize) -> Best<T> {
        Best { after: after.cloned(), most, total: 0, found: Vec::new() }
    }

    /// Takes what was found; everything counts, also what lies before the position.
    pub(super) fn add(&mut self, found: impl IntoIterator<Item = (Rank, T)>) {
        for (rank, item) in found {
            self.total += 1;
            if self.after.as_ref().is_none_or(|after| rank > *after) {
                self.found.push((rank, item));
            }
        }
        if self.found.len() > 2 * self.most {
            self.found.select_nth_unstable_by(self.most, |(one, _), (other, _)| one.cmp(other));
            self.found.truncate(self.most);
        }
    }

    /// How many were found in all, and the best of them in order.
    pub(super) fn finish(mut self) -> (u64, Vec<T>) {
        self.found.sort_by(|(one, _), (other, _)| one.cmp(other));
        self.found.truncate(self.most);
        (self.total, self.found.into_iter().map(|(_, item)| item).collect())
    }
}
