//! Outlines of counties, states and countries, as drawn by their sources.

mod polygon;

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

pub(crate) use polygon::{Shape, bounds};

use crate::data_file::DataFile;

static US: &[u8] = include_bytes!("../../data/us.bin");
static WORLD: &[u8] = include_bytes!("../../data/world.bin");

/// Counties (by FIPS code), states (by postal abbreviation) and the nation ("US").
pub(crate) fn us() -> &'static TopoMap {
    static MAP: OnceLock<TopoMap> = OnceLock::new();
    MAP.get_or_init(|| TopoMap::unpack(US))
}

/// Countries by their ISO 3166-1 number.
pub(crate) fn world() -> &'static TopoMap {
    static MAP: OnceLock<TopoMap> = OnceLock::new();
    MAP.get_or_init(|| TopoMap::unpack(WORLD))
}

/// Identifies a map in stored areas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MapName {
    Us,
    World,
}

/// Points as (longitude, latitude); the last is the first again.
pub(crate) type Ring = Vec<[f64; 2]>;

/// The outline of a feature, with its map and key.
pub(crate) struct Outline {
    pub(crate) map: MapName,
    pub(crate) key: &'static str,
    pub(crate) shape: Shape,
}

impl MapName {
    fn map(self) -> &'static TopoMap {
        match self {
            MapName::Us => us(),
            MapName::World => world(),
        }
    }
}

impl Outline {
    /// The polygons it was drawn as.
    pub(crate) fn polygons(&self) -> Vec<Vec<Ring>> {
        let map = self.map.map();
        map.find(self.key).map(|feature| map.polygons(feature)).unwrap_or_default()
    }
}

/// The outline with this key; `None` when the map has no such feature.
pub(crate) fn outline(map: MapName, key: &str) -> Option<Outline> {
    let from = map.map();
    from.find(key).map(|feature| Outline { map, key: feature.key, shape: from.shape(feature) })
}

/// A map in the style of TopoJSON: lines shared by neighbours are stored once, as steps on a fine grid.
pub(crate) struct TopoMap {
    scale: [f64; 2],
    origin: [f64; 2],
    /// Points on the grid, line after line.
    points: Vec<[i32; 2]>,
    /// Where each line starts, and where the last one ends.
    lines: Vec<u32>,
    features: Vec<Feature>,
    /// Per feature its polygons, per polygon its rings, per ring its lines; a negative number means reversed.
    numbers: Vec<i32>,
}

/// A feature of a map.
pub(crate) struct Feature {
    pub(crate) key: &'static str,
    /// "Travis County", "Texas", "Germany".
    pub(crate) name: &'static str,
    /// The postal abbreviation of a county's state.
    pub(crate) state: &'static str,
    start: usize,
}

impl TopoMap {
    fn unpack(packed: &'static [u8]) -> TopoMap {
        let mut blob = DataFile::unpack(packed);
        let transform: Vec<f64> = blob.text().split(' ').filter_map(|number| number.parse().ok()).collect();
        let (points, lines) = lines(&blob.varints(), &blob.varints());
        let labels = blob.lines();
        let numbers = blob.varints();
        let features = features(&labels, &numbers);
        let (scale, origin) = ([transform[0], transform[1]], [transform[2], transform[3]]);
        TopoMap { scale, origin, points, lines, features, numbers }
    }

    /// All features, sorted by key.
    pub(crate) fn features(&self) -> &[Feature] {
        &self.features
    }

    pub(crate) fn find(&self, key: &str) -> Option<&Feature> {
        self.features.binary_search_by(|feature| feature.key.cmp(key)).ok().map(|at| &self.features[at])
    }

    /// The outline of a feature, prepared for point queries.
    pub(crate) fn shape(&self, feature: &Feature) -> Shape {
        let rings: Vec<Ring> = self.polygons(feature).into_iter().flatten().collect();
        Shape::new(&rings)
    }

    /// The polygons of a feature: for each, its outer ring and then its holes.
    pub(crate) fn polygons(&self, feature: &Feature) -> Vec<Vec<Ring>> {
        let mut numbers = self.numbers[feature.start..].iter().copied();
        let mut next = || numbers.next().unwrap_or(0);
        let mut polygons = Vec::new();
        for _ in 0..next() {
            let mut rings = Vec::new();
            for _ in 0..next() {
                let mut ring = Vec::new();
                for _ in 0..next() {
                    self.walk(next(), &mut ring);
                }
                rings.push(ring);
            }
            polygons.push(rings);
        }
        polygons
    }

    /// Appends the points of a line in degrees; `!line` means reversed.
    fn walk(&self, line: i32, ring: &mut Vec<[f64; 2]>) {
        let number = if line < 0 { !line } else { line } as usize;
        let points = &self.points[self.lines[number] as usize..self.lines[number + 1] as usize];
        let placed =
            |point: &[i32; 2]| [0, 1].map(|axis| f64::from(point[axis]) * self.scale[axis] + self.origin[axis]);
        if line < 0 {
            ring.extend(points.iter().rev().map(placed));
        } else {
            ring.extend(points.iter().map(placed));
        }
    }
}

/// Decodes lines from their lengths and steps.
fn lines(lengths: &[i32], steps: &[i32]) -> (Vec<[i32; 2]>, Vec<u32>) {
    let mut points = Vec::with_capacity(steps.len() / 2);
    let mut starts = vec![0];
    let mut steps = steps.chunks_exact(2);
    for length in lengths {
        let mut at = [0, 0];
        for step in steps.by_ref().take(*length as usize) {
            at = [at[0] + step[0], at[1] + step[1]];
            points.push(at);
        }
        starts.push(points.len() as u32);
    }
    (points, starts)
}

/// Parses labels of: key, name, state; each with the index in `numbers` of its polygons.
fn features(labels: &[&'static str], numbers: &[i32]) -> Vec<Feature> {
    let mut at = 0;
    labels
        .iter()
        .map(|label| {
            let mut fields = label.split('\t');
            let mut field = || fields.next().unwrap_or_default();
            let start = at;
            at = after(numbers, at);
            Feature { key: field(), name: field(), state: field(), start }
        })
        .collect()
}

/// Where the polygons that start here end.
fn after(numbers: &[i32], mut at: usize) -> usize {
    let polygons = numbers[at];
    at += 1;
    for _ in 0..polygons {
        let rings = numbers[at];
        at += 1;
        for _ in 0..rings {
            at += 1 + numbers[at] as usize;
        }
    }
    at
}
