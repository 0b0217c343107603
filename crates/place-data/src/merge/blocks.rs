//! Finds the pairs of records worth comparing: neighbours with similar names, and records that share a phone, a website, a
//! profile or a house.

use std::hash::{Hash, Hasher};

use places::Point;
use rustc_hash::{FxHashMap, FxHasher};

use crate::matching::{Profile, is_alike};

/// Side of a grid cell in degrees of latitude, about 150 m; neighbours are looked for in the cells around as well.
const CELL_DEGREES: f64 = 0.001_35;
/// Records that may share a phone, a website or a house; what more of them share says nothing, and neighbours are found anyway.
const SHARED_MAX: usize = 40;

/// Pairs of records, each with the lower index first, sorted and without repetitions.
pub(super) fn candidates(profiles: &[Profile], sources: &[usize]) -> Vec<(u32, u32)> {
    let mut pairs = neighbours(profiles, sources);
    sharing(profiles, &mut pairs);
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

struct GridEntry {
    record: u32,
    signature: u128,
}

/// Pairs of neighbours whose names have enough pairs of letters in common.
fn neighbours(profiles: &[Profile], sources: &[usize]) -> Vec<(u32, u32)> {
    let mut cells: FxHashMap<(i32, i32), Vec<GridEntry>> = FxHashMap::default();
    let mut pairs = Vec::new();
    for (record, profile) in (0_u32..).zip(profiles) {
        let row = row_of(profile.point());
        for signature in profile.signatures() {
            for near in row - 1..=row + 1 {
                let column = column_of(profile.point(), near);
                for cell in (column - 1..=column + 1).filter_map(|column| cells.get(&(near, column))) {
                    let alike =
                        cell.iter().filter(|other| is_alike(signature, other.signature) && other.record != record);
                    // A source repeats itself only under the same name.
                    let likely = alike.filter(|other| {
                        sources[other.record as usize] != sources[record as usize] || other.signature == signature
                    });
                    pairs.extend(likely.map(|other| (other.record, record)));
                }
            }
            let own = (row, column_of(profile.point(), row));
            cells.entry(own).or_default().push(GridEntry { record, signature });
        }
    }
    pairs
}

#[expect(clippy::cast_possible_truncation, reason = "a coordinate has at most 300,000 cells")]
fn row_of(point: Point) -> i32 {
    (point.latitude / CELL_DEGREES).floor() as i32
}

/// The column within a row; cells are wider in degrees towards the poles.
#[expect(clippy::cast_possible_truncation, reason = "a coordinate has at most 300,000 cells")]
fn column_of(point: Point, row: i32) -> i32 {
    let width = (f64::from(row) * CELL_DEGREES).to_radians().cos().max(0.01);
    (point.longitude * width / CELL_DEGREES).floor() as i32
}

/// Adds pairs that share a phone, a website, a profile or a house.
fn sharing(profiles: &[Profile], pairs: &mut Vec<(u32, u32)>) {
    let mut keys: Vec<(u64, u32)> = Vec::with_capacity(profiles.len() * 3);
    for (record, profile) in (0_u32..).zip(profiles) {
        profile.blocks(|kind, key| keys.push((hash(kind, key), record)));
    }
    keys.sort_unstable();
    keys.dedup();
    for group in keys.chunk_by(|a, b| a.0 == b.0).filter(|group| (2..=SHARED_MAX).contains(&group.len())) {
        for (at, (_, a)) in group.iter().enumerate() {
            pairs.extend(group[at + 1..].iter().map(|(_, b)| (*a, *b)));
        }
    }
}

fn hash(kind: u8, key: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    (kind, key).hash(&mut hasher);
    hasher.finish()
}
