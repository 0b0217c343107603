//! What of a read is believed: everything that was found, and what is gone once two reads say so.

use serde::{Deserialize, Serialize};

use super::snapshot::{Field, Snapshot, Values};
use crate::clock::Moment;

/// Something that one read did not find any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Doubt {
    /// Which field.
    pub(super) field: Field,
    /// What it showed.
    pub(super) value: String,
    /// When it was missed first.
    pub(super) since: Moment,
}

/// How long a doubt must stand before a read confirms it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// When the read was.
    pub(super) now: Moment,
    /// Doubts from then or before are old enough.
    pub(super) doubted_by: Moment,
}

/// What is known after a read, and what is in doubt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Settled {
    /// What is known now.
    pub(super) baseline: Snapshot,
    /// What a further read must confirm.
    pub(super) doubts: Vec<Doubt>,
}

/// Takes over what a complete read saw, as far as it is believed.
pub(super) fn settle(known: &Snapshot, seen: &Snapshot, doubts: &[Doubt], patience: Patience) -> Settled {
    let mut settled = Settled { baseline: known.clone(), doubts: Vec::new() };
    for field in Field::READ {
        let Some(shown) = seen.values(field) else { continue };
        let gone = known.values(field).into_iter().flat_map(|known| known.difference(shown));
        let doubted: Vec<Doubt> = gone.filter_map(|value| doubt(field, value, doubts, patience)).collect();
        let kept = doubted.iter().map(|doubt| doubt.value.clone());
        let values: Values = match () {
            // One thing in the place of another is the end of the first, and waits for the same second read.
            () if !field.is_list() && !doubted.is_empty() => kept.collect(),
            () => shown.iter().cloned().chain(kept).collect(),
        };
        settled.baseline.set(field, values);
        settled.doubts.extend(doubted);
    }
    settled
}

/// The doubt in which something stays that was not found. `None` when it is confirmed: it is gone.
fn doubt(field: Field, value: &str, doubts: &[Doubt], patience: Patience) -> Option<Doubt> {
    let since = doubts.iter().find(|doubt| doubt.field == field && doubt.value == value).map(|doubt| doubt.since);
    let is_confirmed = since.is_some_and(|since| since <= patience.doubted_by);
    (!is_confirmed).then(|| Doubt { field, value: value.to_owned(), since: since.unwrap_or(patience.now) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shows(field: Field, values: &[&str]) -> Snapshot {
        let mut snapshot = Snapshot::default();
        snapshot.set(field, values.iter().map(|value| (*value).to_owned()).collect());
        snapshot
    }

    /// Reads at these minutes with a patience of thirty, and gives what is known in the end.
    fn reads(field: Field, known: &[&str], reads: &[(i64, &[&str])]) -> (Vec<String>, usize) {
        let mut settled = Settled { baseline: shows(field, known), doubts: Vec::new() };
        for (minute, values) in reads {
            let now = Moment::from_micros(0).plus_seconds(minute * 60);
            let patience = Patience { now, doubted_by: now.plus_seconds(-30 * 60) };
            settled = settle(&settled.baseline, &shows(field, values), &settled.doubts, patience);
        }
        let values = settled.baseline.values(field).unwrap().iter().cloned().collect();
        (values, settled.doubts.len())
    }

    fn check(field: Field, known: &[&str], seen: &[(i64, &[&str])], (expected, doubts): (&[&str], usize)) {
        let expected: Vec<String> = expected.iter().map(|value| (*value).to_owned()).collect();
        assert_eq!(reads(field, known, seen), (expected, doubts), "{field:?} {known:?} {seen:?}");
    }

    #[test]
    fn what_is_found_is_believed_at_once() {
        check(Field::AdNetworks, &[], &[(0, &["meta"])], (&["meta"], 0));
        check(Field::Platform, &[], &[(0, &["wordpress"])], (&["wordpress"], 0));
    }

    #[test]
    fn what_is_missing_once_is_kept_in_doubt() {
        check(Field::AdNetworks, &["google", "meta"], &[(0, &["google"])], (&["google", "meta"], 1));
        check(Field::Booking, &["calendly"], &[(0, &[])], (&["calendly"], 1));
        check(Field::Booking, &["calendly"], &[(0, &[]), (40, &["calendly"])], (&["calendly"], 0));
    }

    #[test]
    fn what_two_reads_miss_is_gone() {
        check(Field::AdNetworks, &["google", "meta"], &[(0, &["google"]), (30, &["google"])], (&["google"], 0));
        check(Field::Booking, &["calendly"], &[(0, &[]), (31, &[])], (&[], 0));
    }

    #[test]
    fn one_thing_in_the_place_of_another_takes_two_reads() {
        check(Field::Platform, &["wix"], &[(0, &["wordpress"])], (&["wix"], 1));
        check(Field::Platform, &["wix"], &[(0, &["wordpress"]), (30, &["wix"])], (&["wix"], 0));
        check(Field::Platform, &["wix"], &[(0, &["wordpress"]), (30, &["wordpress"])], (&["wordpress"], 0));
        check(Field::Platform, &["wix"], &[(0, &[]), (30, &["joomla"])], (&["joomla"], 0));
    }

    #[test]
    fn a_second_read_that_comes_too_soon_confirms_nothing() {
        check(Field::Booking, &["calendly"], &[(0, &[]), (10, &[])], (&["calendly"], 1));
        check(Field::Booking, &["calendly"], &[(0, &[]), (10, &[]), (30, &[])], (&[], 0));
        check(Field::Booking, &["calendly"], &[(0, &[]), (10, &["calendly"]), (40, &[])], (&["calendly"], 1));
    }

    #[test]
    fn what_was_unknown_is_taken_over() {
        let patience = Patience { now: Moment::from_micros(0), doubted_by: Moment::from_micros(0) };
        let settled = settle(&Snapshot::default(), &shows(Field::Chat, &["tawk"]), &[], patience);
        assert_eq!(settled, Settled { baseline: shows(Field::Chat, &["tawk"]), doubts: vec![] });
        let kept = settle(&settled.baseline, &Snapshot::default(), &[], patience);
        assert_eq!(kept, settled, "what a read does not say is not gone");
    }
}
