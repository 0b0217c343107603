//! What a cell has in common with the area that is searched: calls for the rest would be paid for nothing.

use places::{Area, Point};

use crate::Cell;

/// Slices in which the ends of a cell are checked.
const SLICES: u32 = 16;
/// How much farther than its radius a circle is taken to reach.
const MARGIN_SHARE: f64 = 1.001;
const MARGIN_MILES: f64 = 0.01;

/// Whether the cell may hold a part of the area. Only a clear no is one.
pub(super) fn touches(area: &Area, cell: &Cell) -> bool {
    if let Some(radius_miles) = area.radius_miles() {
        return nearest_miles(area.centre(), cell) <= radius_miles * MARGIN_SHARE + MARGIN_MILES;
    }
    let Some(edges) = area.edges() else { return true };
    let bounds = cell.bounds();
    let corners = [(bounds.south, bounds.west), (bounds.south, bounds.east), (bounds.north, bounds.west)];
    let corners = corners.into_iter().chain([(bounds.north, bounds.east)]);
    let holds = |(latitude, longitude)| area.contains(Point { latitude, longitude });
    let is_near = |[[west, south], [east, north]]: &[[f64; 2]; 2]| {
        west.min(*east) <= bounds.east
            && west.max(*east) >= bounds.west
            && south.min(*north) <= bounds.north
            && south.max(*north) >= bounds.south
    };
    edges.iter().any(is_near) || corners.into_iter().any(holds)
}

/// The cell without ends that hold nothing of the area; `None` when nothing is left.
pub(super) fn trimmed(area: &Area, cell: &Cell) -> Option<Cell> {
    let bounds = cell.bounds();
    let half = cell.centre();
    let is_wide = (bounds.east - bounds.west) * half.latitude.to_radians().cos() >= bounds.north - bounds.south;
    let slices = if is_wide { cell.divide(1, SLICES) } else { cell.divide(SLICES, 1) };
    let first = slices.iter().position(|slice| touches(area, slice))?;
    let last = slices.iter().rposition(|slice| touches(area, slice))?;
    let (from, to) = (slices[first].bounds(), slices[last].bounds());
    let parts = match is_wide {
        true => cell.cut(&[], &[from.west, to.east]),
        false => cell.cut(&[from.south, to.north], &[]),
    };
    parts.get(usize::from(first > 0)).copied()
}

/// The distance from a point to the nearest point of a cell.
fn nearest_miles(point: Point, cell: &Cell) -> f64 {
    let bounds = cell.bounds();
    // The way around the globe may be the shorter one.
    let turns = [-360.0, 0.0, 360.0].map(|turn| point.longitude + turn);
    let mut nearest = f64::INFINITY;
    for longitude in turns {
        let away = (longitude - longitude.clamp(bounds.west, bounds.east)).abs().to_radians();
        let (sine, cosine) = point.latitude.to_radians().sin_cos();
        // On the meridian of the cell's edge, the nearest point lies closer to the pole than this one.
        let latitude =
            sine.atan2(cosine * away.cos()).to_degrees().clamp(-90.0, 90.0).clamp(bounds.south, bounds.north);
        let edge = Point { latitude, longitude: longitude.clamp(bounds.west, bounds.east) };
        nearest = nearest.min(Point { longitude, ..point }.miles_to(edge));
    }
    nearest
}

#[cfg(test)]
mod tests {
    use places::Bounds;

    use super::*;

    #[test]
    fn cells_outside_of_a_circle_are_told_apart_from_those_that_touch_it() {
        let at = |latitude, longitude| Point { latitude, longitude };
        for centre in [at(30.0, -97.0), at(-40.0, -30.0), at(0.0, 179.95), at(70.0, -179.9), at(89.5, 20.0)] {
            let area = Area::circle("here", "US", centre, 12.0);
            for bounds in area.boxes() {
                let whole = Cell::around(&bounds);
                let (mut kept, mut dropped) = (0, 0);
                for part in whole.divide(13, 11) {
                    let holds = part.divide(9, 9).iter().any(|spot| area.contains(spot.centre()));
                    match touches(&area, &part) {
                        true => kept += 1,
                        false => {
                            dropped += 1;
                            assert!(!holds, "{centre:?} {part:?}");
                        }
                    }
                }
                assert!(kept > 0, "{centre:?} {dropped}");
            }
        }
    }

    #[test]
    fn ends_outside_of_the_area_are_cut_off_and_nothing_of_the_area_is() {
        let area = Area::circle("here", "US", Point { latitude: 30.0, longitude: -97.0 }, 5.0);
        let whole = Cell::around(&area.bounds());
        let strips = whole.divide(8, 1);
        let kept: Vec<Cell> = strips.iter().filter_map(|strip| trimmed(&area, strip)).collect();
        let bounds = |cell: &Cell| -> Bounds { cell.bounds() };
        assert!(bounds(&kept[0]).east - bounds(&kept[0]).west < bounds(&strips[0]).east - bounds(&strips[0]).west);
        for spot in whole.divide(60, 60).iter().map(Cell::centre).filter(|spot| area.contains(*spot)) {
            assert!(kept.iter().any(|cell| cell.contains(spot)), "{spot:?}");
        }
        let far = Cell::around(&Bounds { south: 10.0, west: 10.0, north: 11.0, east: 11.0 });
        assert_eq!(trimmed(&area, &far), None);
    }
}
