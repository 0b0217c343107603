//! What of a read is believed: everything that was found, and what is gone once two reads say so.

use serde::{Deserialize, Serialize};

use super::baseline::{Baseline, BaselineState, Build, Reach};
use super::snapshot::{Field, Snapshot, Values};
use crate::clock::Moment;

/// Something that one read did not find any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Doubt {
    pub(super) field: Field,
    pub(super) value: String,
    /// The time of the first read that missed it.
    pub(super) since: Moment,
}

/// Who judges a read, and how old a doubt must be for that read to confirm it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judge<'a> {
    pub(super) build: Build,
    /// What earlier reads missed.
    pub(super) doubts: &'a [Doubt],
    /// Doubts from this time or earlier are old enough.
    pub(super) doubted_by: Moment,
}

/// What is known after a read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Settled {
    /// What was known before it, with what it added without an alert. The difference to `baseline` is what changed.
    pub(super) before: Baseline,
    pub(super) baseline: Baseline,
    pub(super) doubts: Vec<Doubt>,
    /// Whether this read raised a doubt, so that another one should follow soon.
    pub(super) is_in_doubt: bool,
    pub(super) reach: Reach,
}

/// Takes over what a read saw, as far as it is believed.
pub(super) fn settle(known: &Baseline, seen: &Snapshot, judge: Judge<'_>) -> Settled {
    let reach = known.reach_of(&seen.pages, judge.build);
    let (before, baseline) = (known.clone(), known.clone());
    let mut settled = Settled { before, baseline, doubts: Vec::new(), is_in_doubt: false, reach };
    if reach == Reach::Nothing {
        settled.doubts = judge.doubts.to_vec();
        return settled;
    }
    let mut skipped = false;
    for field in Field::READ {
        let earlier = judge.doubts.iter().filter(|doubt| doubt.field == field).cloned();
        match (known.standing(field, judge.build), seen.values(field)) {
            (BaselineState::Unknown, None) => {}
            (BaselineState::Unknown, Some(shown)) if learns(known, seen, reach) => {
                settled.before.set(field, shown.clone(), judge.build);
                settled.baseline.set(field, shown.clone(), judge.build);
            }
            (BaselineState::Comparable, Some(shown)) => settled.compare(FieldRead { field, shown, seen }, judge),
            (BaselineState::Unknown | BaselineState::Newer, _) | (BaselineState::Comparable, None) => {
                settled.doubts.extend(earlier);
                skipped = true;
            }
        }
    }
    // Values on a page that is added now must all be known, or the next read would report them as new.
    if !skipped {
        settled.baseline.add_pages(&seen.pages, reach);
    }
    settled
}

/// Whether a field that is not known can be learnt from this read: only from one that saw all that the rest stands on.
fn learns(known: &Baseline, seen: &Snapshot, reach: Reach) -> bool {
    let covers = matches!(reach, Reach::SamePages | Reach::MorePages);
    reach == Reach::First || seen.pages.complete || (covers && !known.is_complete())
}

/// One field of a read.
#[derive(Clone, Copy)]
struct FieldRead<'a> {
    field: Field,
    shown: &'a Values,
    seen: &'a Snapshot,
}

impl Settled {
    /// Compares one field that was learnt with the same version.
    fn compare(&mut self, read: FieldRead<'_>, judge: Judge<'_>) {
        let FieldRead { field, shown, .. } = read;
        let known = self.before.values(field).cloned().unwrap_or_default();
        let mut before = known.clone();
        let mut after = Values::new();
        for (value, page) in shown {
            if known.contains_key(value) || self.is_news(page.as_ref()) {
                after.insert(value.clone(), page.clone());
            } else if !self.before.is_complete() && (field.is_list() || known.is_empty()) {
                // It stands on a page that was not read before: it may have been there all the time.
                before.insert(value.clone(), page.clone());
                after.insert(value.clone(), page.clone());
            }
        }
        let missing: Values = known.into_iter().filter(|(value, _)| !shown.contains_key(value)).collect();
        let kept = self.keep(read, missing, judge);
        // One value in the place of another is the end of the first, and waits for the same second read.
        let values = if !field.is_list() && !kept.is_empty() { kept } else { after.into_iter().chain(kept).collect() };
        self.before.set(field, before, judge.build);
        self.baseline.set(field, values, judge.build);
    }

    /// Whether a value on this page would have been found before, had it been there.
    fn is_news(&self, page: Option<&String>) -> bool {
        self.reach == Reach::Whole || self.before.has_page(page)
    }

    /// Those of the missing values that are not gone yet: another read must confirm it, or this one could not tell.
    fn keep(&mut self, read: FieldRead<'_>, missing: Values, judge: Judge<'_>) -> Values {
        let mut kept = Values::new();
        for (value, page) in missing {
            let earlier = judge.doubts.iter().find(|doubt| doubt.field == read.field && doubt.value == value);
            if !self.can_miss(read.seen, page.as_ref()) {
                self.doubts.extend(earlier.cloned());
            } else if earlier.is_some_and(|doubt| doubt.since <= judge.doubted_by) {
                continue;
            } else {
                let since = earlier.map_or(judge.build.now, |doubt| doubt.since);
                self.doubts.push(Doubt { field: read.field, value: value.clone(), since });
                self.is_in_doubt = true;
            }
            kept.insert(value, page);
        }
        kept
    }

    /// Whether a read that does not find a value counts: it read the page where the value was, and every page of the baseline.
    fn can_miss(&self, seen: &Snapshot, page: Option<&String>) -> bool {
        let covers = matches!(self.reach, Reach::Whole | Reach::SamePages | Reach::MorePages);
        covers && (seen.pages.complete || page.is_some_and(|page| seen.pages.urls.contains(page)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::snapshot::PagesRead;
    use super::*;

    const HOME: &str = "http://a.example/";
    const TEAM: &str = "http://a.example/team";

    /// A read at some minute: the values with the page each was found on, and the pages that were read.
    struct Read<'a> {
        minute: i64,
        values: &'a [(&'a str, &'a str)],
        pages: PagesRead,
        version: fn(Field) -> u32,
    }

    fn pages(urls: &[&str], complete: bool) -> PagesRead {
        PagesRead { urls: urls.iter().map(|url| (*url).to_owned()).collect::<BTreeSet<_>>(), complete }
    }

    fn at(minute: i64) -> Moment {
        Moment::from_micros(0).plus_seconds(minute * 60)
    }

    /// The values before and after a read.
    type Change = (Vec<String>, Vec<String>);

    /// Settles reads one after the other with a patience of thirty minutes; gives what each changed.
    fn settled(field: Field, reads: &[Read<'_>]) -> (Settled, Vec<Change>) {
        let mut known = (Baseline::default(), Vec::new());
        let mut last = None;
        let mut changes = Vec::new();
        for read in reads {
            let mut seen = Snapshot::default();
            seen.pages = read.pages.clone();
            let page = |(value, page): &(&str, &str)| ((*value).to_owned(), Some((*page).to_owned()));
            seen.set(field, read.values.iter().map(page).collect());
            let build = Build { version: read.version, now: at(read.minute) };
            let settled = settle(&known.0, &seen, Judge { build, doubts: &known.1, doubted_by: at(read.minute - 30) });
            let keys = |baseline: &Baseline| -> Vec<String> {
                baseline.values(field).into_iter().flat_map(|values| values.keys().cloned()).collect()
            };
            changes.push((keys(&settled.before), keys(&settled.baseline)));
            known = (settled.baseline.clone(), settled.doubts.clone());
            last = Some(settled);
        }
        (last.unwrap(), changes)
    }

    /// Complete reads of one page: the first is the baseline.
    fn check(field: Field, known: &[&str], seen: &[(i64, &[&str])], (expected, doubts): (&[&str], usize)) {
        let values = |values: &[&'static str]| values.iter().map(|value| (*value, HOME)).collect::<Vec<_>>();
        let known: Vec<&'static str> = known.iter().map(|value| leak(value)).collect();
        let mut all = vec![(-100, values(&known))];
        all.extend(
            seen.iter()
                .map(|(minute, seen)| (*minute, values(&seen.iter().map(|value| leak(value)).collect::<Vec<_>>()))),
        );
        let reads: Vec<Read<'_>> = all
            .iter()
            .map(|(minute, values)| Read { minute: *minute, values, pages: pages(&[HOME], true), version: |_| 1 })
            .collect();
        let (last, changes) = settled(field, &reads);
        assert_eq!(changes.last().unwrap().1, expected, "{field:?} {known:?} {seen:?}");
        assert_eq!(last.doubts.len(), doubts, "{field:?} {known:?} {seen:?}");
    }

    fn leak(text: &str) -> &'static str {
        Box::leak(text.to_owned().into_boxed_str())
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

    /// The values before and after the last of these reads.
    fn last_change(field: Field, reads: &[Read<'_>]) -> Change {
        settled(field, reads).1.pop().unwrap()
    }

    fn read<'a>(minute: i64, values: &'a [(&'a str, &'a str)], read: PagesRead) -> Read<'a> {
        Read { minute, values, pages: read, version: |_| 1 }
    }

    #[test]
    fn a_site_of_which_one_page_always_fails_is_judged_by_the_others() {
        let home = || pages(&[HOME], false);
        let appeared = [read(0, &[], home()), read(60, &[("calendly", HOME)], home())];
        assert_eq!(last_change(Field::Booking, &appeared), (vec![], vec!["calendly".to_owned()]));
        let gone = [read(0, &[("calendly", HOME)], home()), read(60, &[], home()), read(120, &[], home())];
        assert_eq!(last_change(Field::Booking, &gone), (vec!["calendly".to_owned()], vec![]));
    }

    #[test]
    fn what_stood_on_a_page_that_cannot_be_read_now_is_not_gone() {
        let both = || pages(&[HOME, TEAM], true);
        let home = || pages(&[HOME], false);
        let reads = [read(0, &[("ann@a.example", TEAM)], both()), read(60, &[], home()), read(120, &[], home())];
        let (last, _) = settled(Field::Emails, &reads);
        assert_eq!((last.doubts, last.is_in_doubt), (vec![], false));
        assert_eq!(last.baseline.values(Field::Emails).unwrap().len(), 1);
        // Nor is what stood on the page that was read: a page of the baseline is missing.
        let reads = [read(0, &[("ann@a.example", HOME)], both()), read(60, &[], home()), read(120, &[], home())];
        assert_eq!(settled(Field::Emails, &reads).0.baseline.values(Field::Emails).unwrap().len(), 1);
    }

    #[test]
    fn what_stands_on_a_page_that_can_be_read_for_the_first_time_is_learnt_without_an_alert() {
        let ann = [("ann@a.example", TEAM)];
        for complete in [true, false] {
            let reads = [read(0, &[], pages(&[HOME], false)), read(60, &ann, pages(&[HOME, TEAM], complete))];
            let known = vec!["ann@a.example".to_owned()];
            assert_eq!(last_change(Field::Emails, &reads), (known.clone(), known));
        }
        // Once every page was read, a new page is news, but only to a read that again sees every page.
        let whole = || read(0, &[], pages(&[HOME], true));
        let partly = [whole(), read(60, &ann, pages(&[HOME, TEAM], false))];
        assert_eq!(last_change(Field::Emails, &partly), (vec![], vec![]));
        let wholly = [whole(), read(60, &ann, pages(&[HOME, TEAM], true))];
        assert_eq!(last_change(Field::Emails, &wholly), (vec![], vec!["ann@a.example".to_owned()]));
    }

    #[test]
    fn two_builds_in_turns_reset_a_field_once_and_raise_no_alert() {
        let both = [("ann@a.example", HOME), ("bob@a.example", HOME)];
        let old = |minute| Read { minute, values: &both[..1], pages: pages(&[HOME], true), version: |_| 1 };
        let new = |minute| Read { minute, values: &both, pages: pages(&[HOME], true), version: |_| 2 };
        let reads = [old(0), new(60), old(120), old(180), new(240), old(300), new(360)];
        let (last, changes) = settled(Field::Emails, &reads);
        for (before, after) in &changes {
            assert_eq!(before, after, "{changes:?}");
        }
        assert_eq!(
            last.baseline.standing(Field::Emails, Build { version: |_| 2, now: at(360) }),
            BaselineState::Comparable
        );
        // What the newer build knows is compared by the newer build.
        let gone = Read { values: &both[1..], ..new(480) };
        let again = Read { values: &both[1..], ..new(540) };
        let reads = [new(0), old(60), gone, old(500), again];
        let (_, changes) = settled(Field::Emails, &reads);
        assert_eq!(changes[4].1, ["bob@a.example"], "a doubt outlasts the older build's turn");
    }
}
