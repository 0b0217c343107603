//! The budget of steps of one page. Every finder draws from it, so that no page costs more than its length allows,
//! whatever stands on it; a finder whose share is spent keeps what it has and stops.

use std::cell::Cell;

/// Steps that every page has, however short. A step is about a nanosecond: the cost of looking at one byte.
const BASE_STEPS: u64 = 1_000_000;
/// Further steps for each byte of the page.
const STEPS_PER_BYTE: u64 = 8;
/// Parts of the reading that take turns: the walk, structured data, socials, technology, emails, phones, people.
const TURNS: u64 = 7;

/// The most steps that are spent on a page of so many bytes.
///
/// ```
/// assert!(page_facts::steps_max(200_000) < 15 * 200_000);
/// ```
pub fn steps_max(bytes: usize) -> u64 {
    BASE_STEPS + STEPS_PER_BYTE * bytes as u64
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
        Budget::of(0)
    }
}

impl Budget {
    /// The budget of a page of so many bytes.
    pub(crate) fn of(bytes: usize) -> Budget {
        let total = steps_max(bytes);
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
        let budget = Budget::of(0);
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
        let budget = Budget::of(100);
        while budget.spend(1_000) {}
        assert!(budget.is_cut() && budget.spent() <= steps_max(100));
        assert!(!budget.spend(usize::MAX / 2));
    }
}
