//! A grid over the map, in which neighbours are looked for.

use places::Point;

/// A grid of cells that are about as wide as high, by their height in degrees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub(super) degrees: f64,
}

/// A cell: its row and its column within the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Cell {
    pub(super) row: i32,
    pub(super) column: i32,
}

impl Grid {
    /// The cell that a point lies in.
    pub(super) fn cell(self, point: Point) -> Cell {
        let row = self.row(point);
        Cell { row, column: self.column(point, row) }
    }

    /// The middle ones of the cells around a point, one for each row; their neighbours to both sides belong to them.
    pub(super) fn rows_around(self, point: Point) -> [Cell; 3] {
        let row = self.row(point);
        [row - 1, row, row + 1].map(|row| Cell { row, column: self.column(point, row) })
    }

    #[expect(clippy::cast_possible_truncation, reason = "a coordinate has at most 300,000 cells")]
    fn row(self, point: Point) -> i32 {
        (point.latitude / self.degrees).floor() as i32
    }

    /// The column within a row; cells are wider in degrees towards the poles.
    #[expect(clippy::cast_possible_truncation, reason = "a coordinate has at most 300,000 cells")]
    fn column(self, point: Point, row: i32) -> i32 {
        (point.longitude * width(f64::from(row) * self.degrees) / self.degrees).floor() as i32
    }
}

/// How wide a degree of longitude is at this latitude, as a share of its width at the equator; never quite nothing.
pub(super) fn width(latitude: f64) -> f64 {
    latitude.to_radians().cos().max(0.01)
}
