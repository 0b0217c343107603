//! A per-page budget of work, counted in steps. Every finder draws from it, so the cost of a page is bounded by its
//! length whatever its content. A finder that has used up its share keeps its findings and stops.

use std::cell::Cell;

/// Steps per byte of a page. A step is about a nanosecond: the cost of examining one byte.
const STEPS_PER_BYTE: u64 = 8;
/// Steps every page gets on top, however short it is.
const PAGE_STEPS: u64 = 20_000;
/// Extra steps shared by all pages of a site: any one page may be dense with contacts, but not all of them are.
const RESERVE_STEPS: u64 = 800_000;
/// Phases of reading a page: tokenizing, structured data, socials, technology, addresses, hours, emails, collecting phone
/// numbers, people, deciding on phone numbers.
const PHASES: u64 = 10;

/// Upper bound on the steps spent on a page of `bytes` bytes. Later pages of a site may get fewer, because they share
/// one reserve.
///
/// ```
/// assert!(page_facts::steps_max(200_000) < 15 * 200_000);
/// ```
pub fn steps_max(bytes: usize) -> u64 {
    RESERVE_STEPS + own_steps(bytes)
}

/// Steps a page gets without touching the shared reserve.
fn own_steps(bytes: usize) -> u64 {
    PAGE_STEPS + STEPS_PER_BYTE * bytes as u64
}

/// Steps left in the reserve that the pages of a site share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepReserve(u64);

impl Default for StepReserve {
    fn default() -> Self {
        StepReserve(RESERVE_STEPS)
    }
}

impl StepReserve {
    /// Deducts what a page of `bytes` bytes spent beyond its own steps, and had not settled before.
    pub(crate) fn settle(&mut self, bytes: usize, budget: &StepBudget) {
        let beyond = budget.spent().saturating_sub(own_steps(bytes));
        self.0 = self.0.saturating_sub(beyond.saturating_sub(budget.settled.get()));
        budget.settled.set(beyond);
    }

    /// Starts a phase of a page that other pages may have been read after: they share what is left of the reserve.
    pub(crate) fn resume(self, bytes: usize, budget: &StepBudget) {
        let own_left = own_steps(bytes).saturating_sub(budget.spent());
        budget.left.set(budget.left.get().min(own_left + self.0));
        budget.next_phase();
    }
}

/// Steps left for one page. Each phase may use an equal part of what is left; what it does not use goes to later phases.
#[derive(Debug)]
pub(crate) struct StepBudget {
    spent: Cell<u64>,
    /// Steps already deducted from the reserve.
    settled: Cell<u64>,
    left: Cell<u64>,
    /// Steps the current phase must leave for later ones.
    reserved: Cell<u64>,
    phases_left: Cell<u64>,
    is_cut: Cell<bool>,
}

impl Default for StepBudget {
    fn default() -> Self {
        StepBudget::of(0, StepReserve::default())
    }
}

impl StepBudget {
    /// The budget of a page of `bytes` bytes.
    pub(crate) fn of(bytes: usize, reserve: StepReserve) -> StepBudget {
        let total = own_steps(bytes) + reserve.0;
        StepBudget {
            spent: Cell::new(0),
            settled: Cell::new(0),
            left: Cell::new(total),
            reserved: Cell::new(0),
            phases_left: Cell::new(PHASES),
            is_cut: Cell::new(false),
        }
    }

    pub(crate) fn next_phase(&self) {
        let phases = self.phases_left.get().max(1);
        let left = self.left.get();
        self.reserved.set(left - left / phases);
        self.phases_left.set(phases - 1);
    }

    /// Draws steps. Returns `false` when this phase's share does not cover them: the caller stops, and the page is
    /// reported as cut.
    pub(crate) fn spend(&self, steps: usize) -> bool {
        let left = self.left.get();
        let steps = steps as u64;
        if left < self.reserved.get() + steps {
            self.is_cut.set(true);
            return false;
        }
        self.left.set(left - steps);
        self.spent.set(self.spent.get() + steps);
        true
    }

    /// Records that something was left out because a fixed limit was reached.
    pub(crate) fn note_cut(&self) {
        self.is_cut.set(true);
    }

    /// Whether anything was left out, for lack of steps or because of a fixed limit.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut.get()
    }

    pub(crate) fn spent(&self) -> u64 {
        self.spent.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_phase_gets_its_share_plus_what_earlier_phases_left() {
        let budget = StepBudget::default();
        budget.next_phase();
        let share = usize::try_from(steps_max(0) / PHASES).unwrap();
        assert!(budget.spend(share) && !budget.is_cut());
        assert!(!budget.spend(PHASES as usize), "the rest is reserved for later phases");
        assert!(budget.is_cut());
        budget.next_phase();
        budget.next_phase();
        assert!(budget.spend(share + share / 10), "unused steps go to later phases");
        for _ in 0..20 {
            budget.next_phase();
        }
        assert!(budget.spend(4 * share), "the last phase may use everything that is left");
        assert!(budget.spent() <= steps_max(0));
    }

    #[test]
    fn a_spent_budget_refuses_and_stays_within_its_total() {
        let budget = StepBudget::of(100, StepReserve::default());
        while budget.spend(1_000) {}
        assert!(budget.is_cut() && budget.spent() <= steps_max(100));
        assert!(!budget.spend(usize::MAX / 2));
    }

    #[test]
    fn pages_of_a_site_share_one_reserve() {
        let mut reserve = StepReserve::default();
        let first = StepBudget::of(0, reserve);
        assert!(first.spend(usize::try_from(steps_max(0)).unwrap()));
        reserve.settle(0, &first);
        let second = StepBudget::of(0, reserve);
        assert!(second.spend(PAGE_STEPS as usize) && !second.spend(1), "the second page has only its own steps");
        let modest = StepBudget::default();
        let mut reserve = StepReserve::default();
        assert!(modest.spend(PAGE_STEPS as usize));
        reserve.settle(0, &modest);
        assert!(
            StepBudget::of(0, reserve).spend(usize::try_from(steps_max(0)).unwrap()),
            "a cheap page uses no reserve"
        );
    }
}
