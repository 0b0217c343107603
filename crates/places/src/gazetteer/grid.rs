//! The spatial index: towns in cells of one degree.

use super::Gazetteer;
use crate::point::{Bounds, SearchCircle};

const COLUMNS: usize = 360;
const ROWS: usize = 180;

/// Rows of the gazetteer by cell.
pub(super) struct Grid {
    starts: Vec<u32>,
    rows: Vec<u32>,
}

fn cell_row(latitude: f64) -> usize {
    ((latitude + 90.0).floor().clamp(0.0, ROWS as f64 - 1.0)) as usize
}

fn cell_column(longitude: f64) -> usize {
    ((longitude + 180.0).floor().clamp(0.0, COLUMNS as f64 - 1.0)) as usize
}

impl Grid {
    pub(super) fn build(gazetteer: &Gazetteer) -> Grid {
        let cell = |row: usize| {
            let point = gazetteer.point(row);
            cell_row(point.latitude) * COLUMNS + cell_column(point.longitude)
        };
        let mut starts = vec![0u32; ROWS * COLUMNS + 1];
        (0..gazetteer.len()).for_each(|row| starts[cell(row) + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut rows = vec![0u32; gazetteer.len()];
        for row in 0..gazetteer.len() {
            let slot = &mut next[cell(row)];
            rows[*slot as usize] = row as u32;
            *slot += 1;
        }
        Grid { starts, rows }
    }

    fn cell(&self, row: usize, column: usize) -> &[u32] {
        let cell = row * COLUMNS + column;
        &self.rows[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    pub(super) fn within(&self, gazetteer: &Gazetteer, bounds: &Bounds) -> Vec<usize> {
        let mut found = Vec::new();
        for part in bounds.parts() {
            for row in cell_row(part.south)..=cell_row(part.north) {
                for column in cell_column(part.west)..=cell_column(part.east) {
                    let towns = self.cell(row, column).iter().map(|town| *town as usize);
                    found.extend(towns.filter(|town| part.contains(gazetteer.point(*town))));
                }
            }
        }
        found
    }

    /// The nearest town of a country within a circle; of two equally near ones the one with the lower id.
    pub(super) fn nearest(&self, gazetteer: &Gazetteer, country: usize, circle: SearchCircle) -> Option<usize> {
        let SearchCircle { centre: point, radius_miles: reach_miles } = circle;
        // Most points have a town close by, so a small circle is tried first.
        [reach_miles / 8.0, reach_miles].into_iter().find_map(|reach| {
            let near = self.within(gazetteer, &Bounds::around(point, reach)).into_iter();
            near.filter(|town| gazetteer.country_of(*town) == country)
                .map(|town| (gazetteer.point(town).miles_to(point), gazetteer.id(town), town))
                .filter(|(miles, ..)| *miles <= reach)
                .min_by(|one, two| one.0.total_cmp(&two.0).then(one.1.cmp(&two.1)))
                .map(|(.., town)| town)
        })
    }
}
