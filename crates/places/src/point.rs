//! Points, distances and bounding boxes on the globe.

use serde::{Deserialize, Serialize};

/// Mean radius of the earth.
const EARTH_RADIUS_MILES: f64 = 3_958.761_3;
/// Miles per degree of latitude on that sphere.
pub(crate) const DEGREE_MILES: f64 = EARTH_RADIUS_MILES * std::f64::consts::PI / 180.0;

/// A position in degrees, WGS 84.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// North is positive, -90 to 90.
    pub latitude: f64,
    /// East is positive, -180 to 180.
    pub longitude: f64,
}

impl Point {
    /// Great-circle distance.
    #[must_use]
    pub fn miles_to(self, other: Point) -> f64 {
        let (north_a, north_b) = (self.latitude.to_radians(), other.latitude.to_radians());
        let half_north = ((north_b - north_a) / 2.0).sin();
        let half_east = ((other.longitude - self.longitude).to_radians() / 2.0).sin();
        let chord = half_north * half_north + north_a.cos() * north_b.cos() * half_east * half_east;
        2.0 * EARTH_RADIUS_MILES * chord.clamp(0.0, 1.0).sqrt().asin()
    }
}

/// A circle in which something is looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchCircle {
    pub(crate) centre: Point,
    pub(crate) radius_miles: f64,
}

/// A bounding box. `west` is greater than `east` when the box crosses the antimeridian (as in RFC 7946); a box that contains a
/// pole extends from -180 to 180 and to that pole. [`Bounds::parts`] splits it into plain boxes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// Smallest latitude.
    pub south: f64,
    /// Western edge; greater than `east` across the antimeridian.
    pub west: f64,
    /// Largest latitude.
    pub north: f64,
    /// Eastern edge.
    pub east: f64,
}

impl Bounds {
    /// Whether the point lies in the box or on its edge.
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        let longitude = point.longitude;
        let across = self.west > self.east;
        let in_width = if across {
            longitude >= self.west || longitude <= self.east
        } else {
            longitude >= self.west && longitude <= self.east
        };
        in_width && point.latitude >= self.south && point.latitude <= self.north
    }

    /// The box as one or two boxes whose `west` is not greater than their `east`.
    #[must_use]
    pub fn parts(&self) -> Vec<Bounds> {
        if self.west <= self.east {
            return vec![*self];
        }
        vec![Bounds { east: 180.0, ..*self }, Bounds { west: -180.0, ..*self }]
    }

    /// The bounding box of a circle.
    pub(crate) fn around(centre: Point, radius_miles: f64) -> Bounds {
        let reach = radius_miles / DEGREE_MILES;
        let (south, north) = (centre.latitude - reach, centre.latitude + reach);
        if south <= -90.0 || north >= 90.0 {
            return Bounds { south: south.max(-90.0), west: -180.0, north: north.min(90.0), east: 180.0 };
        }
        // The meridians that touch the circle do so closer to the pole than its centre.
        let ratio = reach.to_radians().sin() / centre.latitude.to_radians().cos();
        let width = ratio.clamp(0.0, 1.0).asin().to_degrees();
        if width >= 90.0 {
            return Bounds { south, west: -180.0, north, east: 180.0 };
        }
        Bounds { south, west: wrapped(centre.longitude - width), north, east: wrapped(centre.longitude + width) }
    }

    /// The box enlarged on every side.
    pub(crate) fn grown(&self, miles: f64) -> Bounds {
        let reach = miles / DEGREE_MILES;
        let (south, north) = ((self.south - reach).max(-90.0), (self.north + reach).min(90.0));
        let steepest = south.abs().max(north.abs()).to_radians().cos();
        let wider = if steepest <= f64::EPSILON { 360.0 } else { reach / steepest };
        let span = if self.west > self.east { self.east - self.west + 360.0 } else { self.east - self.west };
        if span + 2.0 * wider >= 360.0 {
            return Bounds { south, west: -180.0, north, east: 180.0 };
        }
        Bounds { south, west: wrapped(self.west - wider), north, east: wrapped(self.east + wider) }
    }
}

/// A longitude normalised to -180..=180.
pub(crate) fn wrapped(longitude: f64) -> f64 {
    if longitude < -180.0 {
        longitude + 360.0
    } else if longitude > 180.0 {
        longitude - 360.0
    } else {
        longitude
    }
}
