//! The order of places in a file: along a Hilbert curve, on which neighbours on the map stay close.

use places::Point;

/// The curve visits 2^20 by 2^20 cells, at the equator about 40 metres wide.
const ORDER: u8 = 20;
const CELLS: f64 = (1_u32 << ORDER) as f64;

/// How far along the curve a place lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position(pub(super) u64);

/// Where a point lies on the curve. Points beyond the globe, and numbers that are none, count as its edge.
pub(crate) fn position(point: Point) -> Position {
    let cell = |degrees: f64, whole: f64| ((degrees / whole + 0.5) * CELLS).clamp(0.0, CELLS - 1.0) as u32;
    Position(fast_hilbert::xy2h(cell(point.longitude, 360.0), cell(point.latitude, 180.0), ORDER))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(latitude: f64, longitude: f64) -> Position {
        position(Point { latitude, longitude })
    }

    #[test]
    fn neighbours_on_the_map_are_close_on_the_curve() {
        let austin = at(30.267, -97.743);
        let distance = |other: Position| austin.0.abs_diff(other.0);
        assert!(distance(at(30.268, -97.744)) < distance(at(32.776, -96.797)), "next door, and Dallas");
        assert!(distance(at(32.776, -96.797)) < distance(at(48.137, 11.575)), "Dallas, and Munich");
    }

    #[test]
    fn every_point_has_a_position() {
        for (latitude, longitude) in [(90.0, 180.0), (-90.0, -180.0), (f64::NAN, f64::INFINITY), (1e300, -1e300)] {
            assert!(at(latitude, longitude).0 < 1 << (2 * ORDER));
        }
    }
}
