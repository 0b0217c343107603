//! Objects of OpenStreetMap as an import holds them: ids, coordinates, and candidates for a place with the tags it needs.

use std::fmt;

use places::Point;

/// Steps per degree: OpenStreetMap stores coordinates as multiples of a ten-millionth of a degree.
pub(super) const STEPS_PER_DEGREE: i64 = 10_000_000;

/// The three kinds of objects, in the order in which files list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ElementKind {
    /// A point; its ids are shown as `n1`.
    Node,
    /// A line or an outline; its ids are shown as `w1`.
    Way,
    /// A group of other objects; its ids are shown as `r1`.
    Relation,
}

/// Identifies an object: numbers are unique only within a kind. Shown as `n1`, `w1`, `r1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ElementId {
    /// Which of the three kinds.
    pub kind: ElementKind,
    /// Its number within the kind.
    pub number: i64,
}

impl fmt::Display for ElementId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.kind {
            ElementKind::Node => 'n',
            ElementKind::Way => 'w',
            ElementKind::Relation => 'r',
        };
        write!(f, "{letter}{}", self.number)
    }
}

/// A position on OpenStreetMap's grid; always a valid latitude and longitude.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Coordinate {
    pub(super) latitude: i32,
    pub(super) longitude: i32,
}

impl Coordinate {
    /// From steps of the grid; `None` when they are off the globe.
    pub(super) fn from_steps(latitude: i64, longitude: i64) -> Option<Coordinate> {
        let is_valid =
            latitude.checked_abs()? <= 90 * STEPS_PER_DEGREE && longitude.checked_abs()? <= 180 * STEPS_PER_DEGREE;
        is_valid.then_some(Coordinate { latitude: latitude as i32, longitude: longitude as i32 })
    }

    /// From degrees; `None` when they are off the globe or not numbers.
    pub(crate) fn from_degrees(latitude: f64, longitude: f64) -> Option<Coordinate> {
        let steps = |degrees: f64| (degrees * STEPS_PER_DEGREE as f64).round();
        let (latitude, longitude) = (steps(latitude), steps(longitude));
        // The cast saturates, so infinities are off the globe; it would turn NaN into zero.
        let is_number = !latitude.is_nan() && !longitude.is_nan();
        is_number.then(|| Coordinate::from_steps(latitude as i64, longitude as i64)).flatten()
    }

    pub(crate) fn point(self) -> Point {
        let degrees = |steps: i32| f64::from(steps) / STEPS_PER_DEGREE as f64;
        Point { latitude: degrees(self.latitude), longitude: degrees(self.longitude) }
    }
}

/// The nodes of a way, in order.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct WayNodes {
    pub(super) refs: Box<[i64]>,
    /// The coordinates of all nodes, in files that store them with the way; otherwise empty.
    pub(super) located: Box<[Option<Coordinate>]>,
}

impl WayNodes {
    /// Whether the way ends where it begins, and so bounds an area.
    pub(super) fn is_closed(&self) -> bool {
        self.refs.len() > 3 && self.refs.first() == self.refs.last()
    }

    /// Bytes of memory that the way occupies.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.refs) + size_of_val(&*self.located)
    }
}

/// Where a candidate lies, as far as its own record tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Geometry {
    /// At this point.
    Point(Coordinate),
    /// Along or inside this way.
    Way(WayNodes),
    /// Among the members of a relation.
    Members { ways: Box<[i64]>, nodes: Box<[i64]> },
}

impl Geometry {
    /// Bytes of memory beyond the size of the type.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Geometry::Point(_) => 0,
            Geometry::Way(way) => way.bytes(),
            Geometry::Members { ways, nodes } => size_of_val(&**ways) + size_of_val(&**nodes),
        }
    }
}

/// An object that becomes a place once its point is known.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) id: ElementId,
    pub(super) geometry: Geometry,
    pub(super) tags: Tags,
    /// When it was last edited, in seconds since 1970; `None` in files without metadata.
    pub(super) edited: Option<i64>,
}

/// The tags of a candidate that an import reads, in one allocation: millions of candidates are held at a time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Tags(Box<str>);

/// Ends every key and every value. No format allows it inside of them, and tags that contain it are dropped.
const END: char = '\0';

impl Tags {
    /// Packs these tags. Tags whose key or value contains the separator are dropped.
    pub(crate) fn pack<'t>(tags: impl IntoIterator<Item = (&'t str, &'t str)>) -> Tags {
        let mut packed = String::new();
        for (key, value) in tags {
            if !key.contains(END) && !value.contains(END) {
                packed.extend([key, "\0", value, "\0"]);
            }
        }
        Tags(packed.into_boxed_str())
    }

    /// All tags, as key and value.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut parts = self.0.split_terminator(END);
        std::iter::from_fn(move || Some((parts.next()?, parts.next()?)))
    }

    /// The value of a key, trimmed; `None` when it is absent or empty.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        let (_, value) = self.iter().find(|(name, _)| *name == key)?;
        Some(value.trim()).filter(|value| !value.is_empty())
    }

    /// The values of a key: several are separated by semicolons.
    pub(super) fn values(&self, key: &str) -> impl Iterator<Item = &str> {
        self.get(key).into_iter().flat_map(split)
    }

    /// Bytes of memory that the tags occupy.
    pub(super) fn bytes(&self) -> usize {
        self.0.len()
    }
}

/// The values in one tag.
pub(super) fn split(values: &str) -> impl Iterator<Item = &str> {
    values.split(';').map(str::trim).filter(|value| !value.is_empty())
}
