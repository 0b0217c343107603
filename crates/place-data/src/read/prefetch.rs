//! Fetches what a step of a query will need in few requests, when it lies far away and is not too much.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt, stream};
use object_store::path::Path;

use super::dataset::GroupRows;
use super::file::Wanted;
use super::object::Objects;
use crate::Error;

/// Bytes between two wanted ranges up to which one request fetches both, even if another request could be made.
const GAP_BYTES: u64 = 64 * 1024;
/// The same when there are too many requests.
const GAP_BYTES_MAX: u64 = 2 * 1024 * 1024;
/// Bytes up to which a step is fetched at once; more is fetched row group by row group.
const BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Requests made at once.
const AT_ONCE: usize = 8;

/// What a step of a query needs.
#[derive(Debug)]
pub(super) struct Step<'a> {
    pub(super) groups: Vec<&'a GroupRows>,
    pub(super) columns: &'a [&'a str],
    /// What the next step will need: kept where it is fetched anyway, because it lies between what this one needs.
    pub(super) next: &'a [&'a str],
    /// How many requests it should take. Ranges that lie far apart take more.
    pub(super) requests: usize,
}

/// A request: what is fetched, and the wanted ranges in it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Request {
    whole: Range<u64>,
    wanted: Vec<Range<u64>>,
}

impl Request {
    fn covers(&self, range: &Range<u64>) -> bool {
        self.whole.start <= range.start && range.end <= self.whole.end
    }
}

/// The store with the pages that a step needs; as it was when they are too many.
pub(super) async fn fetch(objects: &Objects, step: Step<'_>) -> Result<Objects, Error> {
    if objects.is_near() {
        return Ok(objects.clone());
    }
    let mut plan = planned(missing(objects, &step, step.columns)?, step.requests);
    if plan.iter().map(|(_, request)| request.whole.end - request.whole.start).sum::<u64>() > BYTES_MAX {
        return Ok(objects.clone());
    }
    let next = missing(objects, &step, step.next)?;
    for (path, request) in &mut plan {
        let between = next.get(path).into_iter().flatten();
        let between = between.filter(|range| request.covers(range) && !request.wanted.contains(range));
        let between: Vec<Range<u64>> = between.cloned().collect();
        request.wanted.extend(between);
    }
    let fetch = |(path, request): (Path, Request)| async move {
        let bytes = objects.range(&path, request.whole.clone()).await?;
        Ok::<_, Error>(cut(&request, &bytes).map(|(range, bytes)| ((path.clone(), range), bytes)).collect::<Vec<_>>())
    };
    let found: Vec<_> = stream::iter(plan).map(fetch).buffer_unordered(AT_ONCE).try_collect().await?;
    Ok(objects.holding(found.into_iter().flatten().collect::<HashMap<_, _>>()))
}

/// The ranges of each file with these columns, as far as they are not known.
fn missing(objects: &Objects, step: &Step<'_>, columns: &[&str]) -> Result<BTreeMap<Path, Vec<Range<u64>>>, Error> {
    let mut missing: BTreeMap<Path, Vec<Range<u64>>> = BTreeMap::new();
    for group in &step.groups {
        let wanted = Wanted { rows: &group.rows, columns: group.file.columns(columns) };
        let mut ranges = group.file.ranges(wanted)?;
        ranges.retain(|range| objects.known(&group.file.path, range).is_none());
        missing.entry(group.file.path.clone()).or_default().extend(ranges);
    }
    Ok(missing)
}

/// The requests for these ranges: those that lie close together are fetched with what is between them. As long as there are
/// too many requests, the closest are joined.
fn planned(needed: BTreeMap<Path, Vec<Range<u64>>>, requests: usize) -> Vec<(Path, Request)> {
    let mut all: Vec<(Path, Request)> = Vec::new();
    for (path, mut ranges) in needed {
        ranges.sort_unstable_by_key(|range| (range.start, range.end));
        ranges.dedup();
        all.extend(
            ranges.into_iter().map(|range| (path.clone(), Request { whole: range.clone(), wanted: vec![range] })),
        );
    }
    let gap = |one: &(Path, Request), other: &(Path, Request)| {
        (one.0 == other.0).then(|| other.1.whole.start.saturating_sub(one.1.whole.end))
    };
    let mut gaps: Vec<u64> = all.windows(2).filter_map(|pair| gap(&pair[0], &pair[1])).collect();
    gaps.sort_unstable();
    let too_many = all.len().saturating_sub(requests);
    let joined_up_to = too_many.checked_sub(1).and_then(|last| gaps.get(last.min(gaps.len().saturating_sub(1))));
    let most = joined_up_to.copied().unwrap_or(0).clamp(GAP_BYTES, GAP_BYTES_MAX);
    let mut plan: Vec<(Path, Request)> = Vec::new();
    for next in all {
        match plan.last_mut() {
            Some(last) if gap(last, &next).is_some_and(|gap| gap <= most) => {
                last.1.whole.end = last.1.whole.end.max(next.1.whole.end);
                last.1.wanted.extend(next.1.wanted);
            }
            _ => plan.push(next),
        }
    }
    plan
}

/// The wanted ranges out of what was fetched. Copied: a slice would keep all that was fetched with it.
fn cut<'a>(request: &'a Request, bytes: &'a Bytes) -> impl Iterator<Item = (Range<u64>, Bytes)> + 'a {
    request.wanted.iter().filter_map(|range| {
        let start = usize::try_from(range.start - request.whole.start).ok()?;
        let end = usize::try_from(range.end - request.whole.start).ok()?;
        Some((range.clone(), Bytes::copy_from_slice(bytes.get(start..end)?)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan_of(ranges: &[Range<u64>], requests: usize) -> Vec<Range<u64>> {
        let needed = BTreeMap::from([
            (Path::from("a"), ranges.to_vec()),
            (Path::from("b"), Vec::from([Range { start: 0, end: 10 }])),
        ]);
        planned(needed, requests).into_iter().map(|(_, request)| request.whole).collect()
    }

    #[test]
    fn the_closest_ranges_are_joined_until_there_are_few_requests() {
        let kib = 1024;
        let ranges = [0..kib, 2 * kib..3 * kib, 103 * kib..104 * kib, 304 * kib..305 * kib, 9000 * kib..9001 * kib];
        assert_eq!(plan_of(&ranges, 9), [0..3 * kib, ranges[2].clone(), ranges[3].clone(), ranges[4].clone(), 0..10]);
        assert_eq!(plan_of(&ranges, 4), [0..104 * kib, ranges[3].clone(), ranges[4].clone(), 0..10]);
        // What lies further apart is not joined, however few requests are wished for.
        assert_eq!(plan_of(&ranges, 1), [0..305 * kib, ranges[4].clone(), 0..10]);
    }

    #[test]
    fn ranges_come_out_of_what_was_fetched_with_them() {
        let request = Request { whole: 10..20, wanted: vec![10..12, 18..20] };
        let found: Vec<_> = cut(&request, &Bytes::from_static(b"0123456789")).collect();
        assert_eq!(found, [(10..12, Bytes::from_static(b"01")), (18..20, Bytes::from_static(b"89"))]);
    }
}
