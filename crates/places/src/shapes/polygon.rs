//! A polygon with holes and islands, and whether it contains a point.

use crate::point::{Bounds, DEGREE_MILES, Point, wrapped};

/// Approximate number of edges per band, and the largest number of bands.
const EDGES_PER_BAND: usize = 6;
const BANDS_MAX: usize = 4_096;

/// Rings of edges, grouped in bands by latitude so that few edges are examined per point. A point inside an odd number of rings
/// is inside the shape, which covers holes, islands and lakes on islands without knowing which ring is which.
///
/// Rings may cross the antimeridian. They are unrolled, so that longitudes continue beyond 180 instead of jumping, and stored a
/// second time shifted by 360 degrees, so that one of the two copies is right for every point.
pub(crate) struct Shape {
    edges: Vec<[[f64; 2]; 2]>,
    /// Where the edges of each band start in `banded`, and where the last one ends.
    starts: Vec<u32>,
    banded: Vec<u32>,
    bounds: Bounds,
    centre: Point,
}

impl Shape {
    /// Builds a shape from rings of (longitude, latitude).
    pub(crate) fn new(rings: &[Vec<[f64; 2]>]) -> Shape {
        let rings: Vec<_> = rings.iter().map(|ring| unrolled(ring)).collect();
        let laid_out = rings.iter().flat_map(|ring| turns(ring));
        let edges =
            laid_out.flat_map(|ring| ring_edges(&ring).collect::<Vec<_>>()).filter(|[one, two]| one != two).collect();
        let (bounds, centre) = (bounds(&rings), centre(&rings));
        let mut shape = Shape { edges, starts: Vec::new(), banded: Vec::new(), bounds, centre };
        shape.fill_bands();
        shape
    }

    fn fill_bands(&mut self) {
        let bands = (self.edges.len() / EDGES_PER_BAND).clamp(1, BANDS_MAX);
        self.starts = vec![0; bands + 1];
        let spans: Vec<_> = self.edges.iter().map(|[one, two]| self.bands_between(one[1], two[1])).collect();
        for (first, last) in &spans {
            (*first..=*last).for_each(|band| self.starts[band + 1] += 1);
        }
        for band in 1..=bands {
            self.starts[band] += self.starts[band - 1];
        }
        let mut next = self.starts.clone();
        self.banded = vec![0; self.starts[bands] as usize];
        for (edge, (first, last)) in spans.iter().enumerate() {
            for slot in &mut next[*first..=*last] {
                self.banded[*slot as usize] = edge as u32;
                *slot += 1;
            }
        }
    }

    fn bands_between(&self, one: f64, two: f64) -> (usize, usize) {
        (self.band(one.min(two)), self.band(one.max(two)))
    }

    fn band(&self, latitude: f64) -> usize {
        let bands = self.starts.len() - 1;
        let height = (self.bounds.north - self.bounds.south).max(f64::MIN_POSITIVE);
        let share = (latitude - self.bounds.south) / height * bands as f64;
        (share.max(0.0) as usize).min(bands - 1)
    }

    /// Edges that touch a range of latitudes; an edge may occur more than once when the range spans several bands.
    fn edges_between(&self, one: f64, two: f64) -> impl Iterator<Item = &[[f64; 2]; 2]> {
        let (first, last) = self.bands_between(one, two);
        let banded = &self.banded[self.starts[first] as usize..self.starts[last + 1] as usize];
        banded.iter().map(|edge| &self.edges[*edge as usize])
    }

    pub(crate) fn contains(&self, point: Point) -> bool {
        if !self.bounds.contains(point) {
            return false;
        }
        let (x, y) = (point.longitude, point.latitude);
        let crossed = self.edges_between(y, y).filter(|[[ax, ay], [bx, by]]| {
            // Half-open, so that a corner counts once.
            (*ay > y) != (*by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax
        });
        crossed.count() % 2 == 1
    }

    /// Whether a circle and the shape intersect. Distances are planar, which is accurate for circles of some miles.
    pub(crate) fn touches(&self, centre: Point, radius_miles: f64) -> bool {
        if self.contains(centre) {
            return true;
        }
        let reach = radius_miles / DEGREE_MILES;
        let narrowing = centre.latitude.to_radians().cos();
        let placed = |point: &[f64; 2]| [wrapped(point[0] - centre.longitude) * narrowing, point[1] - centre.latitude];
        self.edges_between(centre.latitude - reach, centre.latitude + reach)
            .any(|[one, two]| from_origin(placed(one), placed(two)) <= reach)
    }

    pub(crate) fn edges(&self) -> &[[[f64; 2]; 2]] {
        &self.edges
    }

    pub(crate) fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// The centroid of the largest ring.
    pub(crate) fn centre(&self) -> Point {
        self.centre
    }
}

/// A ring without jumps in longitude. One that circles the globe is closed over the pole it encloses.
fn unrolled(ring: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut turn = 0.0;
    let mut last = None;
    let mut points = Vec::with_capacity(ring.len());
    for [x, y] in ring {
        if let Some(before) = last {
            turn += if x - before > 180.0 {
                -360.0
            } else if x - before < -180.0 {
                360.0
            } else {
                0.0
            };
        }
        last = Some(*x);
        points.push([x + turn, *y]);
    }
    if let (Some([first, y]), Some([end, _])) = (points.first().copied(), points.last().copied())
        && (end - first).abs() > 180.0
    {
        let pole = 90.0f64.copysign(y);
        points.extend([[end, pole], [first, pole]]);
    }
    points
}

/// An unrolled ring, and a copy shifted by 360 degrees when it leaves the range of longitudes.
fn turns(ring: &[[f64; 2]]) -> Vec<Vec<[f64; 2]>> {
    let moved = |turn: f64| ring.iter().map(|[x, y]| [x + turn, *y]).collect::<Vec<_>>();
    let mut turns = vec![ring.to_vec()];
    if ring.iter().any(|[x, _]| *x > 180.0) {
        turns.push(moved(-360.0));
    }
    if ring.iter().any(|[x, _]| *x < -180.0) {
        turns.push(moved(360.0));
    }
    turns
}

/// The edges of a ring; an open ring is closed.
fn ring_edges(ring: &[[f64; 2]]) -> impl Iterator<Item = [[f64; 2]; 2]> {
    let closing = ring.last().zip(ring.first()).map(|(last, first)| [*last, *first]);
    ring.windows(2).map(|pair| [pair[0], pair[1]]).chain(closing)
}

/// Distance of an edge from the origin.
fn from_origin(one: [f64; 2], two: [f64; 2]) -> f64 {
    let along = [two[0] - one[0], two[1] - one[1]];
    let length = along[0] * along[0] + along[1] * along[1];
    let share = if length > 0.0 { -(one[0] * along[0] + one[1] * along[1]) / length } else { 0.0 };
    let share = share.clamp(0.0, 1.0);
    (one[0] + share * along[0]).hypot(one[1] + share * along[1])
}

/// The smallest bounding box of all unrolled rings: the globe without the widest gap between them.
pub(crate) fn bounds(rings: &[Vec<[f64; 2]>]) -> Bounds {
    let (mut south, mut north) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut spans = Vec::new();
    for ring in rings.iter().filter(|ring| !ring.is_empty()) {
        let (mut west, mut east) = (f64::INFINITY, f64::NEG_INFINITY);
        for [x, y] in ring {
            (west, east) = (west.min(*x), east.max(*x));
            (south, north) = (south.min(*y), north.max(*y));
        }
        spans.extend([(west, east.min(180.0)), (west.max(-180.0), east)]);
        // What lies beyond the antimeridian comes back on the other side.
        spans.extend((east > 180.0).then_some((-180.0, east - 360.0)));
        spans.extend((west < -180.0).then_some((west + 360.0, 180.0)));
    }
    spans.retain(|(west, east)| *west >= -180.0 && *east <= 180.0);
    let (west, east) = width(spans);
    Bounds { south, west, north, east }
}

/// The range covered by spans, going east; west is greater than east when it crosses the antimeridian.
fn width(mut spans: Vec<(f64, f64)>) -> (f64, f64) {
    spans.sort_by(|one, two| one.partial_cmp(two).expect("coordinates are numbers"));
    let Some(&(first, mut reach)) = spans.first() else {
        return (0.0, 0.0);
    };
    let mut widest = (0.0, first, first);
    for (west, east) in &spans {
        if west - reach > widest.0 {
            widest = (west - reach, *west, reach);
        }
        reach = reach.max(*east);
    }
    // Usually the widest gap is across the antimeridian, and the box does not cross it.
    if first + 360.0 - reach >= widest.0 { (first, reach) } else { (widest.1, widest.2) }
}

fn centre(rings: &[Vec<[f64; 2]>]) -> Point {
    let weighed = rings.iter().map(|ring| gravity(ring));
    let largest = weighed.max_by(|one, two| one.0.total_cmp(&two.0));
    let (_, longitude, latitude) = largest.unwrap_or_default();
    Point { latitude, longitude: wrapped(longitude) }
}

/// Planar area of a ring, and its centroid.
fn gravity(ring: &[[f64; 2]]) -> (f64, f64, f64) {
    let Some([x0, y0]) = ring.first().copied() else {
        return (0.0, 0.0, 0.0);
    };
    let (mut area, mut east, mut north) = (0.0, 0.0, 0.0);
    for [[ax, ay], [bx, by]] in ring_edges(ring) {
        let cross = (ax - x0) * (by - y0) - (bx - x0) * (ay - y0);
        area += cross;
        east += cross * (ax + bx - 2.0 * x0);
        north += cross * (ay + by - 2.0 * y0);
    }
    if area == 0.0 { (0.0, x0, y0) } else { (area.abs(), x0 + east / (3.0 * area), y0 + north / (3.0 * area)) }
}
