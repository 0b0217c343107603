//! Where the server is to look for the businesses of a cell: a box, and a shape that cuts away what a box has too much.
//!
//! Everything here is generous. Which businesses lie in the cell and in the area is decided afterwards, exactly, by their points;
//! what the server sends beyond that costs some bytes, while what it leaves out would be lost.

use std::f64::consts::TAU;

use places::{Area, Bounds, Point};

use crate::Cell;

/// How much further than the cell is looked, in metres. The server finds ways and relations by the lines they are drawn with, and
/// we place them by their centre: of a building around a court no line may lie in the cell that its centre lies in. It also covers
/// that the server measures on another globe, and draws the edges of polygons as other curves than we do.
const REACH_METRES: f64 = 1_500.0;
/// A share of the radius on top of it, for the other globe.
const RADIUS_SLACK: f64 = 1.002;
const METRES_PER_MILE: f64 = 1_609.344;
const METRES_PER_DEGREE: f64 = 111_195.0;
/// Sides of the polygon that is drawn around an outline. Outlines have thousands of points, and the server takes longer for each
/// of them than it saves by the exact shape; concave ones get smaller with every division of their cell.
const POLYGON_SIDES: u32 = 16;
/// A polygon is worth the server's time when it is at most this share of the box.
const POLYGON_SHARE_MAX: f64 = 0.75;

/// Where to look.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Extent {
    /// The box; always given.
    pub(super) bounds: Bounds,
    /// What is cut out of it.
    pub(super) shape: ExtentShape,
}

/// What is cut out of a box.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ExtentShape {
    /// All of it.
    Box,
    /// What lies in a circle.
    Circle { centre: Point, metres: f64 },
    /// What lies in a polygon, which does not repeat its first point.
    Polygon(Vec<Point>),
}

impl Extent {
    /// Where to look for what lies in the area and in the cell; `None` when nothing can.
    pub(super) fn of(area: &Area, cell: &Cell) -> Option<Extent> {
        let bounds = common_box(area, &cell.bounds())?;
        let shape = match (area.radius_miles(), area.edges()) {
            (Some(miles), _) => circle(area.centre(), miles, &bounds)?,
            (None, Some(edges)) => polygon(&corners_and_crossings(area, edges, &bounds), &bounds)?,
            (None, None) => ExtentShape::Box,
        };
        Some(Extent { bounds: grown(&bounds), shape })
    }
}

/// The box around all that a cell and the boxes of an area have in common.
fn common_box(area: &Area, cell: &Bounds) -> Option<Bounds> {
    let parts = area.boxes().into_iter().map(|part| Bounds {
        south: part.south.max(cell.south),
        west: part.west.max(cell.west),
        north: part.north.min(cell.north),
        east: part.east.min(cell.east),
    });
    parts.filter(|part| part.south <= part.north && part.west <= part.east).reduce(|one, two| Bounds {
        south: one.south.min(two.south),
        west: one.west.min(two.west),
        north: one.north.max(two.north),
        east: one.east.max(two.east),
    })
}

fn grown(bounds: &Bounds) -> Bounds {
    let up = REACH_METRES / METRES_PER_DEGREE;
    let (south, north) = ((bounds.south - up).max(-90.0), (bounds.north + up).min(90.0));
    // Close to a pole a degree of longitude is a step, and the box goes all the way around.
    let sideways = (up / least_cosine(south, north)).min(360.0);
    Bounds { south, west: (bounds.west - sideways).max(-180.0), north, east: (bounds.east + sideways).min(180.0) }
}

/// The cosine of the latitude at which degrees of longitude are shortest; never zero.
fn least_cosine(south: f64, north: f64) -> f64 {
    south.abs().max(north.abs()).to_radians().cos().max(1e-6)
}

/// `None` when the circle does not reach the box.
fn circle(centre: Point, radius_miles: f64, bounds: &Bounds) -> Option<ExtentShape> {
    if nearest_miles(centre, bounds) * METRES_PER_MILE > radius_miles * METRES_PER_MILE * RADIUS_SLACK {
        return None;
    }
    if corners(bounds).iter().all(|corner| centre.miles_to(*corner) <= radius_miles) {
        return Some(ExtentShape::Box);
    }
    let metres = radius_miles * METRES_PER_MILE * RADIUS_SLACK + REACH_METRES;
    Some(ExtentShape::Circle { centre, metres })
}

/// The distance from a point to the nearest of a box.
fn nearest_miles(from: Point, bounds: &Bounds) -> f64 {
    let latitude = |degrees: f64| degrees.clamp(bounds.south, bounds.north);
    let beside = Point { latitude: latitude(from.latitude), longitude: from.longitude.clamp(bounds.west, bounds.east) };
    // The nearest point of a meridian lies closer to the pole than where one starts from.
    let on_meridian = |longitude: f64| {
        let turn = (longitude - from.longitude).to_radians().cos();
        let tangent = from.latitude.to_radians().tan() / turn;
        let nearest = if turn > 0.0 { tangent.atan().to_degrees() } else { 90.0_f64.copysign(from.latitude) };
        Point { latitude: latitude(nearest), longitude }
    };
    let candidates = [beside, on_meridian(bounds.west), on_meridian(bounds.east)];
    candidates.into_iter().map(|point| from.miles_to(point)).fold(f64::INFINITY, f64::min)
}

fn corners(bounds: &Bounds) -> [Point; 4] {
    [(bounds.south, bounds.west), (bounds.south, bounds.east), (bounds.north, bounds.east), (bounds.north, bounds.west)]
        .map(|(latitude, longitude)| Point { latitude, longitude })
}

/// The points that span what an outline and a box have in common: the corners of the box that lie in the outline, and the ends of
/// the outline's edges within the box.
fn corners_and_crossings(area: &Area, edges: &[[[f64; 2]; 2]], bounds: &Bounds) -> Vec<[f64; 2]> {
    let inside = corners(bounds).into_iter().filter(|corner| area.contains(*corner));
    let mut points: Vec<[f64; 2]> = inside.map(|corner| [corner.longitude, corner.latitude]).collect();
    points.extend(edges.iter().filter_map(|edge| clipped(*edge, bounds)).flatten());
    points
}

/// The part of a line that lies in a box.
fn clipped([from, to]: [[f64; 2]; 2], bounds: &Bounds) -> Option<[[f64; 2]; 2]> {
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    for (axis, low, high) in [(0, bounds.west, bounds.east), (1, bounds.south, bounds.north)] {
        let step = to[axis] - from[axis];
        if step == 0.0 {
            if from[axis] < low || from[axis] > high {
                return None;
            }
            continue;
        }
        let (one, two) = ((low - from[axis]) / step, (high - from[axis]) / step);
        first = first.max(one.min(two));
        last = last.min(one.max(two));
    }
    let at = |share: f64| [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * share);
    (first <= last).then(|| [at(first), at(last)])
}

/// A convex polygon of few sides around points, with room to spare; the box when that is hardly larger. `None` without points.
fn polygon(points: &[[f64; 2]], bounds: &Bounds) -> Option<ExtentShape> {
    if points.is_empty() {
        return None;
    }
    let middle = [f64::midpoint(bounds.west, bounds.east), f64::midpoint(bounds.south, bounds.north)];
    let scale = middle[1].to_radians().cos().max(1e-6);
    let room = REACH_METRES / METRES_PER_DEGREE * (scale / least_cosine(bounds.south, bounds.north));
    let flat: Vec<[f64; 2]> =
        points.iter().map(|[east, north]| [(east - middle[0]) * scale, north - middle[1]]).collect();
    let sides = tangents(&flat, room);
    let vertices: Vec<[f64; 2]> = (0..sides.len()).map(|at| meet(sides[at], sides[(at + 1) % sides.len()])).collect();
    let wide = grown(bounds);
    let box_size = (wide.east - wide.west) * scale * (wide.north - wide.south);
    let vertices_on_globe: Vec<Point> = vertices
        .iter()
        .map(|[east, north]| Point { latitude: north + middle[1], longitude: east / scale + middle[0] })
        .collect();
    let is_on_globe = |point: &Point| point.latitude.abs() <= 90.0 && point.longitude.abs() <= 180.0;
    let is_worth_it = size(&vertices) <= POLYGON_SHARE_MAX * box_size && vertices_on_globe.iter().all(is_on_globe);
    Some(if is_worth_it { ExtentShape::Polygon(vertices_on_globe) } else { ExtentShape::Box })
}

/// A straight line: the direction that points away from what lies behind it, and its distance from the origin.
#[derive(Clone, Copy)]
struct Side {
    normal: [f64; 2],
    distance: f64,
}

/// Lines in all directions, with all points behind each of them and one of them right behind it but for some room.
fn tangents(points: &[[f64; 2]], room: f64) -> Vec<Side> {
    let sides = (0..POLYGON_SIDES).map(|turn| {
        let angle = TAU * f64::from(turn) / f64::from(POLYGON_SIDES);
        let normal = [angle.cos(), angle.sin()];
        let reach = points.iter().map(|point| point[0] * normal[0] + point[1] * normal[1]);
        Side { normal, distance: reach.fold(f64::NEG_INFINITY, f64::max) + room }
    });
    sides.collect()
}

/// Where two lines meet. They never run alongside each other: their directions differ by a sixteenth of a turn.
fn meet(one: Side, two: Side) -> [f64; 2] {
    let turn = one.normal[0] * two.normal[1] - one.normal[1] * two.normal[0];
    let across = |axis: usize| {
        let other = 1 - axis;
        (one.distance * two.normal[other] - two.distance * one.normal[other]) / turn
    };
    [across(0), -across(1)]
}

/// The area of a polygon.
fn size(vertices: &[[f64; 2]]) -> f64 {
    let pairs = vertices.iter().zip(vertices.iter().cycle().skip(1));
    pairs.map(|(one, two)| one[0] * two[1] - two[0] * one[1]).sum::<f64>().abs() / 2.0
}

#[cfg(test)]
mod tests {
    use places::Scope;

    use super::*;

    fn area(text: &str, scope: Scope) -> Area {
        places::locate(text).unwrap().place.area(scope)
    }

    fn has(extent: &Extent, point: Point) -> bool {
        let in_shape = match &extent.shape {
            ExtentShape::Box => true,
            ExtentShape::Circle { centre, metres } => centre.miles_to(point) * METRES_PER_MILE <= *metres,
            ExtentShape::Polygon(vertices) => {
                let sides = vertices.iter().zip(vertices.iter().cycle().skip(1));
                let crossings = sides.filter(|(one, two)| {
                    let is_between = (one.latitude > point.latitude) != (two.latitude > point.latitude);
                    let share = (point.latitude - one.latitude) / (two.latitude - one.latitude);
                    is_between && point.longitude < one.longitude + share * (two.longitude - one.longitude)
                });
                crossings.count() % 2 == 1
            }
        };
        in_shape && extent.bounds.contains(point)
    }

    #[test]
    fn no_point_of_the_area_is_outside_of_where_is_looked() {
        let areas = [
            area("Travis County, TX", Scope::County),
            area("Delaware", Scope::State),
            area("Florida", Scope::State),
            area("Fiji", Scope::Country),
            area("Paris, France", Scope::City),
            Area::circle("c", "US", Point { latitude: 64.8, longitude: -147.7 }, 300.0),
            Area::circle("c", "NZ", Point { latitude: -40.0, longitude: 179.9 }, 40.0),
        ];
        for area in areas {
            for cell in area.boxes().iter().flat_map(|part| Cell::around(part).divide(5, 5)) {
                let Bounds { south, west, north, east } = cell.bounds();
                let extent = Extent::of(&area, &cell);
                for step in 0..1_600 {
                    let (row, column) = (f64::from(step / 40) / 39.0, f64::from(step % 40) / 39.0);
                    let point =
                        Point { latitude: south + (north - south) * row, longitude: west + (east - west) * column };
                    if cell.contains(point) && area.contains(point) {
                        assert!(
                            extent.as_ref().is_some_and(|extent| has(extent, point)),
                            "{area:?} {point:?} {extent:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn cells_beside_the_area_are_not_asked_about_and_shapes_are_small() {
        let florida = area("Florida", Scope::State);
        let cells: Vec<Cell> = florida.boxes().iter().flat_map(|part| Cell::around(part).divide(8, 8)).collect();
        let asked: Vec<Extent> = cells.iter().filter_map(|cell| Extent::of(&florida, cell)).collect();
        assert!(asked.len() * 2 <= cells.len(), "{} of {}", asked.len(), cells.len());
        assert!(asked.iter().any(|extent| matches!(extent.shape, ExtentShape::Polygon(_))));
        assert!(asked.iter().any(|extent| extent.shape == ExtentShape::Box));
        let is_small = |extent: &Extent| match &extent.shape {
            ExtentShape::Polygon(vertices) => vertices.len() == POLYGON_SIDES as usize,
            _ => true,
        };
        assert!(asked.iter().all(is_small));
    }

    #[test]
    fn a_circle_is_asked_for_where_it_is_smaller_than_the_box() {
        let centre = Point { latitude: 30.0, longitude: -97.0 };
        let area = Area::circle("c", "US", centre, 10.0);
        let whole = Cell::around(&area.bounds());
        let extent = Extent::of(&area, &whole).unwrap();
        let ExtentShape::Circle { metres, .. } = extent.shape else { panic!("{extent:?}") };
        assert!((17_500.0..18_000.0).contains(&metres), "{metres}");
        let inner = whole.divide(5, 5)[12];
        assert_eq!(Extent::of(&area, &inner).unwrap().shape, ExtentShape::Box);
        let corner = whole.divide(8, 8)[0];
        assert_eq!(Extent::of(&area, &corner), None);
    }
}
