//! Cuts the map into tiles of about as many records, each with a margin that no two records of one place can lie across.

use super::blocks::REACH_DEGREES;
use super::grid::width;

/// Records of one tile, without its margin.
pub(super) const TILE_RECORDS: usize = 16_384;
/// Degrees below which a tile is not cut any more: its margins would hold most of what is read.
const TILE_DEGREES_MIN: f32 = 0.12;

/// Longitude and latitude.
pub(super) type At = [f32; 2];

/// Records that are compared at once.
#[derive(Debug, PartialEq)]
pub(super) struct Tile {
    /// The records within, and those of the margin; sorted.
    pub(super) records: Vec<u32>,
    /// For each of them whether it lies within.
    pub(super) within: Vec<bool>,
}

/// A box around records.
#[derive(Clone, Copy, Debug)]
struct Extent {
    least: At,
    greatest: At,
}

impl Extent {
    fn of(records: &[u32], points: &[At]) -> Extent {
        let mut extent = Extent { least: [f32::INFINITY; 2], greatest: [f32::NEG_INFINITY; 2] };
        for [east, north] in records.iter().map(|record| points[*record as usize]) {
            extent.least = [extent.least[0].min(east), extent.least[1].min(north)];
            extent.greatest = [extent.greatest[0].max(east), extent.greatest[1].max(north)];
        }
        extent
    }

    /// The same with a margin.
    fn wider(self) -> Extent {
        let reach = REACH_DEGREES as f32;
        let polar = self.least[1].abs().max(self.greatest[1].abs()) + reach;
        let sideways = (REACH_DEGREES / width(f64::from(polar))) as f32;
        Extent {
            least: [self.least[0] - sideways, self.least[1] - reach],
            greatest: [self.greatest[0] + sideways, self.greatest[1] + reach],
        }
    }

    fn meets(&self, other: &Extent) -> bool {
        (0..2).all(|axis| self.least[axis] <= other.greatest[axis] && other.least[axis] <= self.greatest[axis])
    }

    fn contains(&self, point: At) -> bool {
        (0..2).all(|axis| (self.least[axis]..=self.greatest[axis]).contains(&point[axis]))
    }
}

/// The tiles of a map.
#[derive(Debug)]
pub(super) struct Tiling {
    order: Vec<u32>,
    /// Where each tile ends among them, and its box.
    tiles: Vec<(usize, Extent)>,
}

impl Tiling {
    /// Cuts a map with records at these points into tiles of at most so many, unless they are very close to each other.
    pub(super) fn new(points: &[At], most: usize) -> Tiling {
        let mut order: Vec<u32> = (0..points.len()).filter_map(|at| u32::try_from(at).ok()).collect();
        let mut tiles = Vec::new();
        let mut open = vec![(0, order.len())];
        while let Some((start, end)) = open.pop() {
            let records = &mut order[start..end];
            let extent = Extent::of(records, points);
            let size = [0, 1].map(|axis| extent.greatest[axis] - extent.least[axis]);
            let axis = usize::from(size[1] > size[0]);
            if records.len() <= most || size[axis] <= TILE_DEGREES_MIN {
                tiles.push((end, extent));
                continue;
            }
            let middle = records.len() / 2;
            let along = |record: &u32| points[*record as usize][axis];
            records.select_nth_unstable_by(middle, |one, other| along(one).total_cmp(&along(other)));
            // The front part last, so that it is taken next and tiles come in the order of their ends.
            open.push((start + middle, end));
            open.push((start, start + middle));
        }
        Tiling { order, tiles }
    }

    pub(super) fn count(&self) -> usize {
        self.tiles.len()
    }

    fn records(&self, tile: usize) -> &[u32] {
        let start = tile.checked_sub(1).map_or(0, |before| self.tiles[before].0);
        &self.order[start..self.tiles[tile].0]
    }

    /// A tile with its margin.
    pub(super) fn tile(&self, number: usize, points: &[At]) -> Tile {
        let wider = self.tiles[number].1.wider();
        let mut records: Vec<(u32, bool)> = Vec::new();
        for (other, _) in self.tiles.iter().enumerate().filter(|(_, (_, extent))| extent.meets(&wider)) {
            let own = other == number;
            let near = self.records(other).iter().filter(|record| own || wider.contains(points[**record as usize]));
            records.extend(near.map(|record| (*record, own)));
        }
        records.sort_unstable();
        let (records, within) = records.into_iter().unzip();
        Tile { records, within }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points along a line and in a heap.
    fn points() -> Vec<At> {
        let line = (0..500_u16).map(|at| [f32::from(at) * 0.01, 50.0]);
        let heap = (0..300_u16).map(|at| [2.0 + f32::from(at % 20) * 0.001, 50.2 + f32::from(at / 20) * 0.001]);
        line.chain(heap).collect()
    }

    #[test]
    fn every_record_lies_within_one_tile_and_sees_what_is_near() {
        let points = points();
        let tiling = Tiling::new(&points, 50);
        assert!(tiling.count() > 5, "{}", tiling.count());
        let mut seen = vec![0; points.len()];
        for number in 0..tiling.count() {
            let tile = tiling.tile(number, &points);
            assert!(tile.records.is_sorted());
            for (record, _) in tile.records.iter().zip(&tile.within).filter(|(_, within)| **within) {
                seen[*record as usize] += 1;
                let at = points[*record as usize];
                let near = |other: &At| (other[0] - at[0]).abs() < 0.05 && (other[1] - at[1]).abs() < 0.05;
                for (other, _) in points.iter().enumerate().filter(|(_, other)| near(other)) {
                    assert!(tile.records.contains(&u32::try_from(other).unwrap()), "{record} does not see {other}");
                }
            }
        }
        assert!(seen.iter().all(|times| *times == 1));
    }

    #[test]
    fn a_heap_of_records_at_one_point_is_one_tile() {
        let tiling = Tiling::new(&[[1.0, 1.0]; 1_000], 10);
        assert_eq!(tiling.count(), 1);
    }
}
