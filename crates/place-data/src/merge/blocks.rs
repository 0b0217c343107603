//! Finds the pairs of records worth comparing: neighbours with similar names, and records that share a phone, a website, a
//! profile or a house.
//!
//! Whether two records are such a pair depends only on what lies within [`REACH_DEGREES`] of them, so that a map can be cut into
//! tiles with a margin.

use rustc_hash::FxHashMap;

use super::grid::{Cell, Grid};
use crate::matching::{Profile, is_alike};

/// Neighbours are looked for in cells of about 150 m and those around.
const NEAR: Grid = Grid { degrees: 0.001_35 };
/// Records that share something are looked for in cells of about 2.8 km and those around.
const SHARING: Grid = Grid { degrees: 0.025 };
/// Degrees of latitude, or as much to the east and the west, beyond which no two records are compared.
pub(super) const REACH_DEGREES: f64 = 2.0 * SHARING.degrees + 0.001;
/// Records of one cell that are compared as neighbours; more at one place are a sign of positions that were made up.
const NEAR_MAX: usize = 1_000;
/// Records of one cell that may share a phone, a website or a house; what more of them share says nothing, and neighbours are
/// found anyway.
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
    let mut cells: FxHashMap<Cell, Vec<GridEntry>> = FxHashMap::default();
    let mut pairs = Vec::new();
    for (record, profile) in (0_u32..).zip(profiles) {
        let around = NEAR.rows_around(profile.point());
        for signature in profile.signatures() {
            for Cell { row, column } in around {
                let near = (column - 1..=column + 1).filter_map(|column| cells.get(&Cell { row, column }));
                for cell in near {
                    let alike =
                        cell.iter().filter(|other| is_alike(signature, other.signature) && other.record != record);
                    // A source repeats itself only under the same name.
                    let likely = alike.filter(|other| {
                        sources[other.record as usize] != sources[record as usize] || other.signature == signature
                    });
                    pairs.extend(likely.map(|other| (other.record, record)));
                }
            }
            let own = cells.entry(around[1]).or_default();
            if own.len() < NEAR_MAX {
                own.push(GridEntry { record, signature });
            }
        }
    }
    pairs
}

/// Adds pairs that share a phone, a website, a profile or a house.
fn sharing(profiles: &[Profile], pairs: &mut Vec<(u32, u32)>) {
    let mut keys: Vec<(u64, Cell, u32)> = Vec::with_capacity(profiles.len() * 3);
    for (record, profile) in (0_u32..).zip(profiles) {
        let cell = SHARING.cell(profile.point());
        profile.blocks(|key| keys.push((key, cell, record)));
    }
    keys.sort_unstable();
    keys.dedup();
    for group in keys.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
        let cells = group.chunk_by(|a, b| a.1 == b.1).filter(|cell| cell.len() <= SHARED_MAX);
        let sharing: Vec<(Cell, u32)> = cells.flatten().map(|(_, cell, record)| (*cell, *record)).collect();
        for (_, record) in &sharing {
            for Cell { row, column } in SHARING.rows_around(profiles[*record as usize].point()) {
                let from = sharing.partition_point(|(cell, _)| *cell < Cell { row, column: column - 1 });
                let near = sharing[from..].iter().take_while(|(cell, _)| cell.row == row && cell.column <= column + 1);
                // Each pair once, from its later record.
                pairs.extend(near.filter(|(_, other)| other < record).map(|(_, other)| (*other, *record)));
            }
        }
    }
}
