//! Which listings of a running search are settled, which are being read, and which leads may be delivered: the rules, without
//! I/O.
//!
//! A listing's rank is its place in the order of its source. Leads are delivered as their websites are read, in any order, but
//! only when they are certain to be among the first of their search by rank: the same search always ends with the same leads.
//! What was left out is counted up to the rank of the last lead, so the counts are the same every time, too.

use std::collections::BTreeMap;

use super::coverage::LeftOut;
use super::read::SiteSeen;

/// Websites of one search that are read or wait for their turn: more than a process reads at a time, so that it never waits
/// for the next.
const READING_MAX: usize = 512;

/// The listings of a search beyond those that are settled without a gap. `L` is a lead that is ready.
#[derive(Debug)]
pub(super) struct Frontier<L> {
    /// Leads the search may deliver in all.
    requested: usize,
    /// Whether a lead may turn out not to fit once its website is read.
    may_reject: bool,
    /// Every listing up to this rank is settled and counted.
    settled_to: i64,
    /// Leads delivered up to there.
    delivered_before: usize,
    /// What became of each listing beyond, by rank, without gaps.
    beyond: BTreeMap<i64, ListingState<L>>,
}

/// What became of a listing.
#[derive(Debug)]
pub(super) enum ListingState<L> {
    /// Left out before anything was read.
    LeftOut(LeftOut),
    /// Its website is being read.
    Reading,
    /// A lead that is ready, and may turn out to be one too many.
    Ready(L),
    /// Left out after its website was read.
    Rejected(LeftOut, SiteSeen),
    /// A lead that is delivered.
    Delivered,
}

/// What a stretch of settled listings adds to the counts of a search. Delivered leads are counted where they are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) left_out: Vec<LeftOut>,
    pub(super) sites: Vec<SiteSeen>,
}

impl<L> Frontier<L> {
    /// The frontier of a search of which all listings up to `settled_to` are settled, `delivered_before` of them delivered.
    pub(super) fn new(requested: usize, may_reject: bool, settled_to: i64, delivered_before: usize) -> Frontier<L> {
        Frontier { requested, may_reject, settled_to, delivered_before, beyond: BTreeMap::new() }
    }

    /// Every listing up to this rank is settled and counted.
    pub(super) fn settled_to(&self) -> i64 {
        self.settled_to
    }

    /// Sets what became of a listing.
    pub(super) fn set(&mut self, rank: i64, standing: ListingState<L>) {
        self.beyond.insert(rank, standing);
    }

    /// How many more listings are worth reading now: neither more than the search can use, nor more than are read at once.
    pub(super) fn room(&self) -> usize {
        let delivered = self.delivered_before + self.count(|standing| matches!(standing, ListingState::Delivered));
        let open = self.count(|standing| matches!(standing, ListingState::Reading | ListingState::Ready(_)));
        let missing = self.requested.saturating_sub(delivered);
        // Reading more sites than are needed would be a burden to their owners for nothing.
        let useful = if self.may_reject { missing * 2 + 8 } else { missing };
        if missing == 0 { 0 } else { useful.min(READING_MAX).saturating_sub(open) }
    }

    fn count(&self, wanted: impl Fn(&ListingState<L>) -> bool) -> usize {
        self.beyond.values().filter(|standing| wanted(standing)).count()
    }

    /// Rejects leads that are ready and not delivered, for the reason that `why` gives; says which, and what became of
    /// their websites.
    pub(super) fn reject_ready(&mut self, why: impl Fn(&L) -> Option<(LeftOut, SiteSeen)>) -> Vec<(i64, SiteSeen)> {
        let mut rejected = Vec::new();
        for (rank, standing) in &mut self.beyond {
            if let ListingState::Ready(lead) = standing
                && let Some((reason, site)) = why(lead)
            {
                *standing = ListingState::Rejected(reason, site);
                rejected.push((*rank, site));
            }
        }
        rejected
    }

    /// Takes the leads that can be delivered, by rank. They count as delivered from now on.
    pub(super) fn take_deliverable(&mut self) -> Vec<(i64, L)> {
        let mut ready = Vec::new();
        let mut before = self.delivered_before;
        for (rank, standing) in &mut self.beyond {
            before += usize::from(matches!(
                standing,
                ListingState::Reading | ListingState::Ready(_) | ListingState::Delivered
            ));
            // Those of lower rank may still be rejected, and then there is room for it.
            if before > self.requested {
                break;
            }
            if matches!(standing, ListingState::Ready(_))
                && let ListingState::Ready(lead) = std::mem::replace(standing, ListingState::Delivered)
            {
                ready.push((*rank, lead));
            }
        }
        ready
    }

    /// Moves past the listings that are settled without a gap, up to the last lead, and says what they add to the counts.
    pub(super) fn advance(&mut self) -> Counts {
        let mut counts = Counts::default();
        while self.delivered_before < self.requested
            && let Some(entry) = self.beyond.first_entry()
            && !matches!(entry.get(), ListingState::Reading | ListingState::Ready(_))
        {
            self.settled_to = *entry.key();
            match entry.remove() {
                ListingState::LeftOut(reason) => counts.left_out.push(reason),
                ListingState::Rejected(reason, site) => {
                    counts.left_out.push(reason);
                    counts.sites.push(site);
                }
                _ => self.delivered_before += 1,
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frontier(requested: usize, may_reject: bool, listings: i64) -> Frontier<&'static str> {
        let mut frontier = Frontier::new(requested, may_reject, 0, 0);
        (1..=listings).for_each(|rank| frontier.set(rank, ListingState::Reading));
        frontier
    }

    fn ranks(delivered: Vec<(i64, &str)>) -> Vec<i64> {
        delivered.into_iter().map(|(rank, _)| rank).collect()
    }

    #[test]
    fn no_lead_waits_for_another_when_none_can_be_rejected() {
        let mut frontier = frontier(3, false, 3);
        frontier.set(3, ListingState::Ready("c"));
        assert_eq!(ranks(frontier.take_deliverable()), [3]);
        assert_eq!((frontier.advance(), frontier.settled_to()), (Counts::default(), 0));
        frontier.set(1, ListingState::Ready("a"));
        frontier.set(2, ListingState::Ready("b"));
        assert_eq!(ranks(frontier.take_deliverable()), [1, 2]);
        frontier.advance();
        assert_eq!((frontier.settled_to(), frontier.room()), (3, 0));
    }

    #[test]
    fn a_lead_waits_while_an_earlier_one_may_take_its_place() {
        let mut frontier = frontier(2, true, 4);
        frontier.set(4, ListingState::Ready("d"));
        frontier.set(2, ListingState::Ready("b"));
        assert_eq!(ranks(frontier.take_deliverable()), [2], "whatever becomes of 1 and 3, 2 is among the first two");
        frontier.set(1, ListingState::Rejected(LeftOut::Email, SiteSeen::Read));
        assert_eq!(ranks(frontier.take_deliverable()), [0; 0], "3 may still fit");
        frontier.set(3, ListingState::Rejected(LeftOut::Email, SiteSeen::Unreachable));
        assert_eq!(ranks(frontier.take_deliverable()), [4]);
        let counts = frontier.advance();
        assert_eq!(counts.sites, [SiteSeen::Read, SiteSeen::Unreachable]);
        assert_eq!(frontier.settled_to(), 4);
    }

    #[test]
    fn nothing_behind_the_last_lead_is_counted() {
        let mut frontier = frontier(1, true, 3);
        frontier.set(2, ListingState::LeftOut(LeftOut::Rating));
        frontier.set(3, ListingState::Rejected(LeftOut::Email, SiteSeen::Read));
        frontier.set(1, ListingState::Ready("a"));
        assert_eq!(ranks(frontier.take_deliverable()), [1]);
        assert_eq!((frontier.advance(), frontier.settled_to()), (Counts::default(), 1));
    }

    #[test]
    fn a_rejection_that_nobody_foresaw_makes_room_for_the_next_listing() {
        let mut frontier = frontier(2, false, 2);
        frontier.set(2, ListingState::Ready("b"));
        assert_eq!(ranks(frontier.take_deliverable()), [2]);
        frontier.set(1, ListingState::Rejected(LeftOut::Suppressed, SiteSeen::Read));
        let counts = frontier.advance();
        assert_eq!((counts.left_out, counts.sites), (vec![LeftOut::Suppressed], vec![SiteSeen::Read]));
        assert_eq!((frontier.settled_to(), frontier.room()), (2, 1), "one lead is still missing");
        frontier.set(3, ListingState::Ready("c"));
        assert_eq!(ranks(frontier.take_deliverable()), [3]);
        frontier.advance();
        assert_eq!((frontier.settled_to(), frontier.room()), (3, 0));
    }

    #[test]
    fn a_lead_that_waits_can_still_be_rejected() {
        let mut frontier = frontier(1, true, 2);
        frontier.set(2, ListingState::Ready("b"));
        assert_eq!(ranks(frontier.take_deliverable()), [0; 0]);
        let rejected = frontier.reject_ready(|lead| (*lead == "b").then_some((LeftOut::Suppressed, SiteSeen::Read)));
        assert_eq!(rejected, [(2, SiteSeen::Read)]);
        assert_eq!(frontier.reject_ready(|_| Some((LeftOut::Suppressed, SiteSeen::Read))), [], "1 is being read");
        frontier.set(1, ListingState::Rejected(LeftOut::Email, SiteSeen::Read));
        assert_eq!(frontier.advance().left_out, [LeftOut::Email, LeftOut::Suppressed]);
    }

    #[test]
    fn reading_stays_within_what_is_useful() {
        assert_eq!(frontier(25, false, 0).room(), 25);
        assert_eq!(frontier(25, false, 20).room(), 5);
        assert_eq!(frontier(2_500, false, 20).room(), READING_MAX - 20);
        assert_eq!(frontier(2, true, 0).room(), 12);
        assert_eq!(frontier(2_500, true, READING_MAX as i64).room(), 0);
    }
}
