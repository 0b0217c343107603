//! The point that stands for a way or a relation: inside of its area, or in the middle of its line.

use super::element::{Coordinate, STEPS_PER_DEGREE};

/// Lines drawn through an area in search of its widest part.
const SCAN_LINES: i64 = 15;
/// Half of the way around the globe: what is wider crosses the antimeridian.
const HALF_TURN_STEPS: i64 = 180 * STEPS_PER_DEGREE;

/// East and north, in steps of OpenStreetMap's grid. Wider than a [`Coordinate`], so that shapes may cross the antimeridian.
type Position = (i64, i64);

/// A point inside the area that closed lines bound: their centroid when it is inside, otherwise the middle of the area's widest
/// part. Inside is what an odd number of lines surrounds, so holes are left out and rings made of several lines need not be
/// joined. Lines that bound nothing give the middle of the longest. `None` when there are no coordinates at all.
pub(crate) fn point_inside(lines: &[Vec<Coordinate>]) -> Option<Coordinate> {
    let unwrapped = unwrap(lines);
    let inside = match unwrapped.as_slice() {
        [ring] => centroid(ring).filter(|at| is_inside(&unwrapped, *at)).or_else(|| widest_part(&unwrapped)),
        rings => widest_part(rings),
    };
    inside.and_then(wrap).or_else(|| middle(lines.iter().max_by_key(|line| line.len())?))
}

/// The middle one of a line's vertices.
pub(crate) fn middle(line: &[Coordinate]) -> Option<Coordinate> {
    line.get(line.len() / 2).copied()
}

/// The lines as positions; those of a shape across the antimeridian continue beyond 180 degrees east.
fn unwrap(lines: &[Vec<Coordinate>]) -> Vec<Vec<Position>> {
    let longitudes = || lines.iter().flatten().map(|at| i64::from(at.longitude));
    let width = longitudes().max().unwrap_or(0) - longitudes().min().unwrap_or(0);
    let east = |at: &Coordinate| {
        let longitude = i64::from(at.longitude);
        if width > HALF_TURN_STEPS && longitude < 0 { longitude + 2 * HALF_TURN_STEPS } else { longitude }
    };
    lines.iter().map(|line| line.iter().map(|at| (east(at), i64::from(at.latitude))).collect()).collect()
}

fn wrap((east, north): (f64, f64)) -> Option<Coordinate> {
    let (mut longitude, latitude) = (east.round() as i64, north.round() as i64);
    if longitude > HALF_TURN_STEPS {
        longitude -= 2 * HALF_TURN_STEPS;
    }
    Coordinate::from_steps(latitude, longitude)
}

fn sides(line: &[Position]) -> impl Iterator<Item = (Position, Position)> {
    line.windows(2).map(|side| (side[0], side[1]))
}

fn centroid(ring: &[Position]) -> Option<(f64, f64)> {
    let origin = *ring.first()?;
    let local = |at: Position| ((at.0 - origin.0) as f64, (at.1 - origin.1) as f64);
    let (mut area, mut east, mut north) = (0.0, 0.0, 0.0);
    for (from, to) in sides(ring) {
        let (from, to) = (local(from), local(to));
        let cross = from.0 * to.1 - to.0 * from.1;
        area += cross;
        east += (from.0 + to.0) * cross;
        north += (from.1 + to.1) * cross;
    }
    let at = (origin.0 as f64 + east / (3.0 * area), origin.1 as f64 + north / (3.0 * area));
    (area != 0.0).then_some(at)
}

fn is_inside(lines: &[Vec<Position>], (east, north): (f64, f64)) -> bool {
    let crossings = crossings(lines, between_rows(north));
    crossings.iter().filter(|crossing| **crossing < east).count() % 2 == 1
}

/// The middle of the widest stretch of the area along some lines from west to east.
fn widest_part(lines: &[Vec<Position>]) -> Option<(f64, f64)> {
    let latitudes = || lines.iter().flatten().map(|at| at.1);
    let (south, north) = (latitudes().min()?, latitudes().max()?);
    let mut widest: Option<(f64, (f64, f64))> = None;
    for line in 1..=SCAN_LINES {
        let row = between_rows((south + (north - south) * line / (SCAN_LINES + 1)) as f64);
        let crossings = crossings(lines, row);
        if crossings.len() % 2 == 1 {
            continue;
        }
        for stretch in crossings.chunks_exact(2) {
            let width = stretch[1] - stretch[0];
            if width > 0.0 && widest.is_none_or(|(most, _)| width > most) {
                widest = Some((width, ((stretch[0] + stretch[1]) / 2.0, row)));
            }
        }
    }
    widest.map(|(_, at)| at)
}

/// The nearest latitude on which no vertex can lie: vertices have whole numbers.
fn between_rows(north: f64) -> f64 {
    north.floor() + 0.5
}

/// Where sides of the lines cross this latitude, from west to east.
fn crossings(lines: &[Vec<Position>], row: f64) -> Vec<f64> {
    let mut found = Vec::new();
    for (from, to) in lines.iter().flat_map(|line| sides(line)) {
        let (low, high) = (from.1 as f64, to.1 as f64);
        if (low < row) != (high < row) {
            found.push(from.0 as f64 + (row - low) / (high - low) * (to.0 - from.0) as f64);
        }
    }
    found.sort_by(f64::total_cmp);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(points: &[(i32, i32)]) -> Vec<Coordinate> {
        points.iter().map(|(longitude, latitude)| Coordinate { latitude: *latitude, longitude: *longitude }).collect()
    }

    fn at(lines: &[Vec<Coordinate>]) -> (i32, i32) {
        let at = point_inside(lines).unwrap();
        (at.longitude, at.latitude)
    }

    #[test]
    fn a_square_is_represented_by_its_centre() {
        let square = line(&[(0, 0), (100, 0), (100, 100), (0, 100), (0, 0)]);
        assert_eq!(at(&[square]), (50, 50));
    }

    #[test]
    fn a_horseshoe_is_represented_by_a_point_inside_of_it() {
        let horseshoe =
            line(&[(0, 0), (100, 0), (100, 100), (80, 100), (80, 20), (20, 20), (20, 100), (0, 100), (0, 0)]);
        let (east, north) = at(&[horseshoe]);
        assert!(north < 20 || !(20..=80).contains(&east), "{east} {north} is between the legs");
    }

    #[test]
    fn the_point_of_a_ring_with_a_hole_is_not_in_the_hole() {
        let outer = [line(&[(0, 0), (900, 0), (900, 900)]), line(&[(900, 900), (0, 900), (0, 0)])];
        let hole = line(&[(300, 300), (600, 300), (600, 600), (300, 600), (300, 300)]);
        let (east, north) = at(&[outer[0].clone(), outer[1].clone(), hole]);
        assert!(!(300..=600).contains(&east) || !(300..=600).contains(&north), "{east} {north}");
        assert!((0..=900).contains(&east) && (0..=900).contains(&north), "{east} {north}");
    }

    #[test]
    fn a_shape_across_the_antimeridian_keeps_its_point_inside() {
        let (east, west) = (1_799_000_000, -1_799_000_000);
        let fiji = line(&[(east, 0), (west, 0), (west, 1000), (east, 1000), (east, 0)]);
        let (longitude, _) = at(&[fiji]);
        assert!(longitude.abs() >= 1_799_999_000, "{longitude}");
    }

    #[test]
    fn lines_without_an_area_give_one_of_their_own_points() {
        assert_eq!(at(&[line(&[(5, 5), (7, 5), (5, 5)])]), (7, 5));
        assert_eq!(at(&[line(&[(5, 5)])]), (5, 5));
        assert_eq!(point_inside(&[]), None);
        assert_eq!(point_inside(&[vec![]]), None);
    }
}
