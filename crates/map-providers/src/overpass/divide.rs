//! How large an area is asked about at once: not too large to begin with, and smaller where that is too much for the server.

use places::Bounds;

use super::extent::Extent;
use crate::{Cell, Question};

/// The longest side of a cell that is asked about in one query, in miles. Even the restaurants of a great city within such a cell
/// fit into one answer; the shops of a whole state do not.
const SIDE_MILES_MAX: f64 = 70.0;
/// Rows and columns of one division; a larger cell is divided again.
const PARTS_MAX: u32 = 16;
/// A cell with sides no longer than this, about two kilometres, is not divided further.
const SIDE_DEGREES_MIN: f64 = 0.02;
const DEGREE_MILES: f64 = 69.1;
/// Queries that an estimate counts to: nobody runs more against a public server.
const QUERIES_COUNTED_MAX: u32 = 20_000;

/// The parts of a cell that is too large to be asked about; `None` when it is not.
pub(super) fn at_first(cell: &Cell) -> Option<Vec<Cell>> {
    let Bounds { south, west, north, east } = cell.bounds();
    let is_across_equator = south <= 0.0 && north >= 0.0;
    let widest = if is_across_equator { 0.0 } else { south.abs().min(north.abs()) };
    let height = (north - south) * DEGREE_MILES;
    let width = (east - west) * DEGREE_MILES * widest.to_radians().cos();
    // Large sides have many parts, so the cast is of a small number.
    let parts = |miles: f64| ((miles / SIDE_MILES_MAX).ceil() as u32).clamp(1, PARTS_MAX);
    let (rows, columns) = (parts(height), parts(width));
    (rows * columns > 1).then(|| cell.divide(rows, columns)).filter(|parts| parts.len() > 1)
}

/// The quarters of a cell that was too much for the server; `None` when it is too small to be divided.
pub(super) fn smaller(cell: &Cell) -> Option<Vec<Cell>> {
    let Bounds { south, west, north, east } = cell.bounds();
    let is_small = north - south <= SIDE_DEGREES_MIN && east - west <= SIDE_DEGREES_MIN;
    (!is_small).then(|| cell.divide(2, 2)).filter(|parts| parts.len() > 1)
}

/// About how many queries a question takes.
pub(super) fn queries(question: &Question) -> u32 {
    let mut cells = vec![question.cell];
    let mut count = 0;
    while let Some(cell) = cells.pop() {
        if Extent::of(&question.area, &cell).is_none() {
            continue;
        }
        match at_first(&cell) {
            Some(parts) => cells.extend(parts),
            None => count += 1,
        }
        if count >= QUERIES_COUNTED_MAX {
            break;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use places::Scope;

    use super::*;

    fn question(text: &str, scope: Scope) -> Question {
        let area = places::locate(text).unwrap().place.area(scope);
        let cell = Cell::around(&area.boxes()[0]);
        let category = places::category("plumber").unwrap();
        Question { category, words: "plumber".to_owned(), area, cell }
    }

    #[test]
    fn large_areas_are_not_asked_about_in_one_go() {
        let cases = [
            ("Austin, TX", Scope::City, 1..=1),
            ("Travis County, TX", Scope::County, 1..=1),
            ("Rhode Island", Scope::State, 1..=2),
            ("Texas", Scope::State, 80..=140),
        ];
        for (text, scope, expected) in cases {
            let count = queries(&question(text, scope));
            assert!(expected.contains(&count), "{text}: {count}");
        }
    }

    #[test]
    fn division_ends() {
        let mut cell = Cell::around(&Bounds { south: 30.0, west: -98.0, north: 31.0, east: -97.0 });
        assert!(at_first(&cell).is_none());
        let mut steps = 0;
        while let Some(parts) = smaller(&cell) {
            assert_eq!(parts.len(), 4);
            cell = parts[0];
            steps += 1;
        }
        assert_eq!(steps, 6);
        let world = Cell::around(&Bounds { south: -90.0, west: -180.0, north: 90.0, east: 180.0 });
        assert_eq!(at_first(&world).unwrap().len(), 256);
    }
}
