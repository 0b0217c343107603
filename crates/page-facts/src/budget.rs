//! The budget of steps of one page. Every finder draws from it, so that no page costs more than its length allows,
//! whatever stands on it; a finder whose share is spent keeps what it has and stops.

use std::cell::Cell;

/// Steps for each byte of a page. A step is about a nanosecond: the cost of looking at one byte.
const STEPS_PER_BYTE: u64 = 8;
/// Steps that every page has besides, however short.
const PAGE_STEPS: u64 = 20_000;
/// Steps that the pages of a site share besides: a short page may be full of contacts, but not all of them are.
const SPARE_STEPS: u64 = 800_000;
/// Parts of the reading that take turns: the walk, structured data, socials, technology, emails, phones, people.
const TURNS: u64 = 7;

/// The most steps that are spent on a page of so many bytes; on later pages of a site, those that its spare steps last for.
///
/// ```
/// assert!(page_facts::steps_max(200_000) < 15 * 200_000);
/// ```
pub fn steps_max(bytes: usize) -> u64 {
    SPARE_STEPS + own_steps(bytes)
}

/// Steps that a page has of its own.
fn own_steps(bytes: usize) -> u64 {
    PAGE_STEPS + STEPS_PER_BYTE * bytes as u64
}

/// What is left of the steps that the pages of a site share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spare(u64);

impl Default for Spare {
    fn default() -> Self {
        Spare(SPARE_STEPS)
    }
}

impl Spare {
    /// Takes off what a page of so many bytes spent beyond its own steps.
    pub(crate) fn settle(&mut self, bytes: usize, budget: &Budget) {
        self.0 = self.0.saturating_sub(budget.spent().saturating_sub(own_steps(bytes)));
    }
}

/// Steps left for one page, in shares: each turn may use an even part of what is left, and leaves the rest to the others.
#[derive(Debug)]
pub(crate) struct Budget {
    total: u64,
    left: Cell<u64>,
    /// What the present turn must leave to those after it.
    reserved: Cell<u64>,
    turns_left: Cell<u64>,
    is_cut: Cell<bool>,
}

impl Default for Budget {
    fn default() -> Self {
        Budget::of(0, Spare::default())
    }
}

impl Budget {
    /// The budget of a page of so many bytes.
    pub(crate) fn of(bytes: usize, spare: Spare) -> Budget {
        let total = own_steps(bytes) + spare.0;
        Budget {
            total,
            left: Cell::new(total),
            reserved: Cell::new(0),
            turns_left: Cell::new(TURNS),
            is_cut: Cell::new(false),
        }
    }

    /// Begins the next turn.
    pub(crate) fn next_turn(&self) {
        let turns = self.turns_left.get().max(1);
        let left = self.left.get();
        self.reserved.set(left - left / turns);
        self.turns_left.set(turns - 1);
    }

    /// Draws steps. `false` when this turn's share does not have them: the caller stops, and the page counts as cut.
    pub(crate) fn spend(&self, steps: usize) -> bool {
        let left = self.left.get();
        let steps = steps as u64;
        if left < self.reserved.get() + steps {
            self.is_cut.set(true);
            return false;
        }
        self.left.set(left - steps);
        true
    }

    /// Notes that something was left out because a fixed limit was reached.
    pub(crate) fn note_cut(&self) {
        self.is_cut.set(true);
    }

    /// Whether something was left out.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut.get()
    }

    /// Steps spent so far.
    pub(crate) fn spent(&self) -> u64 {
        self.total - self.left.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_turn_has_its_share_and_what_was_left_over() {
        let budget = Budget::default();
        budget.next_turn();
        let share = usize::try_from(steps_max(0) / TURNS).unwrap();
        assert!(budget.spend(share) && !budget.is_cut());
        assert!(!budget.spend(TURNS as usize), "the rest is for the others");
        assert!(budget.is_cut());
        budget.next_turn();
        budget.next_turn();
        assert!(budget.spend(share + share / 10), "what one turn does not use goes to those after it");
        for _ in 0..20 {
            budget.next_turn();
        }
        assert!(budget.spend(4 * share), "the last turn may use all that is left");
        assert!(budget.spent() <= steps_max(0));
    }

    #[test]
    fn a_spent_budget_refuses_and_stays_within_its_total() {
        let budget = Budget::of(100, Spare::default());
        while budget.spend(1_000) {}
        assert!(budget.is_cut() && budget.spent() <= steps_max(100));
        assert!(!budget.spend(usize::MAX / 2));
    }

    #[test]
    fn the_pages_of_a_site_share_what_they_spend_beyond_their_own() {
        let mut spare = Spare::default();
        let first = Budget::of(0, spare);
        assert!(first.spend(usize::try_from(steps_max(0)).unwrap()));
        spare.settle(0, &first);
        let second = Budget::of(0, spare);
        assert!(second.spend(PAGE_STEPS as usize) && !second.spend(1), "only its own steps are left to the second");
        let modest = Budget::default();
        let mut spare = Spare::default();
        assert!(modest.spend(PAGE_STEPS as usize));
        spare.settle(0, &modest);
        assert!(Budget::of(0, spare).spend(usize::try_from(steps_max(0)).unwrap()), "a modest page takes none");
    }
}
