//! Parts of an area that are asked about one by one.

use places::{Bounds, Point};
use serde::{Deserialize, Serialize};

/// Steps in a degree: cells have corners on this grid, about a metre wide, so that they can be written down exactly.
const STEPS: f64 = 100_000.0;

/// A box that holds its south and west edges but not the others, so that cells beside each other share no point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Cell {
    south: i32,
    west: i32,
    north: i32,
    east: i32,
}

impl Cell {
    /// The smallest cell that holds a plain box, its edges included.
    #[must_use]
    pub fn around(bounds: &Bounds) -> Cell {
        let down = |degrees: f64| (degrees * STEPS).floor() as i32;
        Cell {
            south: down(bounds.south),
            west: down(bounds.west),
            north: down(bounds.north) + 1,
            east: down(bounds.east) + 1,
        }
    }

    /// Whether the point lies in it.
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        let at = |degrees: f64| (degrees * STEPS).floor() as i32;
        let (latitude, longitude) = (at(point.latitude), at(point.longitude));
        (self.south..self.north).contains(&latitude) && (self.west..self.east).contains(&longitude)
    }

    /// Its box in degrees.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        let degrees = |steps: i32| f64::from(steps) / STEPS;
        Bounds {
            south: degrees(self.south),
            west: degrees(self.west),
            north: degrees(self.north),
            east: degrees(self.east),
        }
    }

    /// Its middle.
    #[must_use]
    pub fn centre(&self) -> Point {
        let Bounds { south, west, north, east } = self.bounds();
        Point { latitude: f64::midpoint(south, north), longitude: f64::midpoint(west, east) }
    }

    /// Divided into rows and columns, from the south-west on, row by row; together exactly this cell. Fewer than asked for when it
    /// is too small; at least one.
    #[must_use]
    pub fn divide(&self, rows: u32, columns: u32) -> Vec<Cell> {
        let latitudes = cuts(self.south, self.north, rows);
        let longitudes = cuts(self.west, self.east, columns);
        let rows = latitudes.windows(2);
        rows.flat_map(|row| {
            longitudes.windows(2).map(|column| Cell { south: row[0], north: row[1], west: column[0], east: column[1] })
        })
        .collect()
    }

    /// Cut at these latitudes and longitudes, in any order, from the south-west on, row by row; together exactly this cell. Cuts
    /// are moved to the grid; those that do not lie inside of the cell do not count.
    #[must_use]
    pub fn cut(&self, latitudes: &[f64], longitudes: &[f64]) -> Vec<Cell> {
        let latitudes = edges(self.south, self.north, latitudes);
        let longitudes = edges(self.west, self.east, longitudes);
        let rows = latitudes.windows(2);
        rows.flat_map(|row| {
            longitudes.windows(2).map(|column| Cell { south: row[0], north: row[1], west: column[0], east: column[1] })
        })
        .collect()
    }
}

/// Two ends and the cuts between them, in order.
fn edges(from: i32, to: i32, cuts: &[f64]) -> Vec<i32> {
    let inside = cuts.iter().map(|degrees| (degrees * STEPS).round() as i32).filter(|cut| (from + 1..to).contains(cut));
    let mut edges: Vec<i32> = inside.chain([from, to]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// The edges of equal parts between two ends.
fn cuts(from: i32, to: i32, parts: u32) -> Vec<i32> {
    let width = i64::from(to) - i64::from(from);
    let parts = i64::from(parts).clamp(1, width.max(1));
    (0..=parts).map(|part| i32::try_from(i64::from(from) + width * part / parts).unwrap_or(to)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_cell_are_the_whole_and_share_nothing() {
        let whole = Cell::around(&Bounds { south: 30.1, west: -97.9, north: 30.5, east: -97.5 });
        for (rows, columns) in [(1, 1), (2, 2), (3, 5), (7, 1)] {
            let parts = whole.divide(rows, columns);
            assert_eq!(parts.len(), (rows * columns) as usize);
            for step in 0..2_000 {
                let share = f64::from(step) / 1_999.0;
                let point = Point { latitude: 30.1 + 0.4 * share, longitude: -97.9 + 0.4 * (share * 7.0).fract() };
                assert_eq!(parts.iter().filter(|part| part.contains(point)).count(), 1, "{point:?}");
            }
        }
        for (latitudes, longitudes, count) in [
            (&[30.2, 30.15][..], &[-97.7][..], 6),
            (&[], &[-97.7, -97.7, 10.0], 2),
            (&[f64::NAN, f64::INFINITY, 30.1], &[], 1),
        ] {
            let parts = whole.cut(latitudes, longitudes);
            assert_eq!(parts.len(), count, "{latitudes:?} {longitudes:?}");
            for step in 0..500 {
                let share = f64::from(step) / 499.0;
                let point = Point { latitude: 30.1 + 0.4 * share, longitude: -97.9 + 0.4 * (share * 7.0).fract() };
                assert_eq!(parts.iter().filter(|part| part.contains(point)).count(), 1, "{point:?}");
            }
        }
        let tiny = Cell::around(&Bounds { south: 1.0, west: 1.0, north: 1.0, east: 1.0 });
        assert_eq!(tiny.divide(4, 4), [tiny]);
    }
}
