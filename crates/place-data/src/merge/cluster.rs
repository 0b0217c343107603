//! Joins records into places, the surest pairs first, and never two different places of one source.

use crate::matching::{DUPLICATE_MIN, MatchScore, Profile, compare};

/// Records of one place; more are a sign that something common was taken for evidence.
const RECORDS_MAX: usize = 12;
/// Points below which two records of different sources are not joined through a third one.
const LINKED_MIN: f64 = 1.0;

/// Two records that are the same place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) points: f64,
}

/// A record as far as clustering needs it.
pub(super) struct ClusterRecord<'a> {
    pub(super) source: usize,
    pub(super) profile: &'a Profile,
}

/// Whether two records of the same or of different sources may be joined directly.
pub(super) fn is_link(same_source: bool, score: &MatchScore) -> bool {
    if same_source { is_duplicate(score) } else { score.is_same() }
}

/// A source that lists a business twice: the same name in the same place, and nothing that tells the records apart.
fn is_duplicate(score: &MatchScore) -> bool {
    let contradicted = [score.phone, score.website, score.address, score.category].iter().any(|points| *points < 0.0);
    score.total() >= DUPLICATE_MIN && !contradicted
}

/// Groups the records. Each group is sorted, and the groups are sorted by their first record.
pub(super) fn cluster(records: &[ClusterRecord<'_>], mut links: Vec<Link>) -> Vec<Vec<u32>> {
    links.sort_by(|x, y| y.points.total_cmp(&x.points).then((x.a, x.b).cmp(&(y.a, y.b))));
    let mut group_of: Vec<u32> = (0..records.len()).filter_map(|at| u32::try_from(at).ok()).collect();
    let mut groups: Vec<Vec<u32>> = group_of.iter().map(|at| vec![*at]).collect();
    for link in links {
        let (one, other) = (group_of[link.a as usize], group_of[link.b as usize]);
        if one == other || !may_join(records, &groups[one as usize], &groups[other as usize]) {
            continue;
        }
        let (into, from) = (one.min(other), one.max(other));
        let moved = std::mem::take(&mut groups[from as usize]);
        moved.iter().for_each(|record| group_of[*record as usize] = into);
        groups[into as usize].extend(moved);
    }
    groups.retain(|group| !group.is_empty());
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups
}

/// Whether no record of one group speaks against a record of the other.
fn may_join(records: &[ClusterRecord<'_>], one: &[u32], other: &[u32]) -> bool {
    if one.len() == 1 && other.len() == 1 {
        return true;
    }
    let fits = |a: u32, b: u32| {
        let (a, b) = (&records[a.min(b) as usize], &records[a.max(b) as usize]);
        let score = compare(a.profile, b.profile);
        if a.source == b.source { is_duplicate(&score) } else { score.total() >= LINKED_MIN }
    };
    one.len() + other.len() <= RECORDS_MAX && one.iter().all(|a| other.iter().all(|b| fits(*a, *b)))
}
