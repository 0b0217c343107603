//! Areas: where a search looks.

use std::sync::Arc;

use crate::gazetteer::{TOWN_RADIUS_MAX_MILES, Town, gazetteer};
use crate::point::{Bounds, Point};
use crate::scope::Scope;
use crate::shapes::{self, MapName, Outline, Shape};

/// How far from a town a point may be and still belong to the town's region, where regions have no outline.
const REGION_REACH_MILES: f64 = 60.0;

/// Radius up to which a circle counts as a city.
pub const CITY_RADIUS_MAX_MILES: f64 = 15.0;
/// Radius up to which a circle counts as a county; a wider one counts as a state.
pub const COUNTY_RADIUS_MAX_MILES: f64 = 50.0;
/// A drawing of an area shows details of this fraction of its height.
const DRAWING_STEPS: f64 = 600.0;

/// The area of a search. Containment is exact, by outline or circle, never by tile. Cheap to clone.
#[derive(Clone)]
pub struct Area {
    inner: Arc<Inner>,
}

struct Inner {
    name: String,
    country: &'static str,
    width: Scope,
    centre: Point,
    bounds: Bounds,
    form: AreaForm,
}

pub(crate) enum AreaForm {
    Circle {
        radius_miles: f64,
    },
    Outline(Outline),
    Region(Region),
    /// Several areas as one, at least two.
    Several(Vec<Area>),
}

/// A region without an outline: the points whose nearest town of the country belongs to it, within a maximum distance, and
/// within the country's outline where that is known.
pub(crate) struct Region {
    pub(crate) country: usize,
    pub(crate) part: RegionPart,
    pub(crate) fence: Option<Shape>,
}

/// Which towns of a country make up a region.
#[derive(Clone, Copy)]
pub(crate) enum RegionPart {
    Admin1(usize),
    Admin2(usize),
    Whole,
}

/// Name and width of an area.
pub(crate) struct AreaLabel {
    pub(crate) name: String,
    pub(crate) country: &'static str,
    pub(crate) width: Scope,
}

impl Area {
    /// A circle, whose width follows from its radius. A negative or NaN radius contains only the centre.
    #[must_use]
    pub fn circle(name: impl Into<String>, country: &'static str, centre: Point, radius_miles: f64) -> Area {
        let radius_miles = radius_miles.max(0.0);
        let label = AreaLabel { name: name.into(), country, width: width_of(radius_miles) };
        Area::new(label, centre, AreaForm::Circle { radius_miles })
    }

    pub(crate) fn outline(label: AreaLabel, outline: Outline) -> Area {
        let centre = outline.shape.centre();
        Area::new(label, centre, AreaForm::Outline(outline))
    }

    pub(crate) fn region(label: AreaLabel, region: Region, centre: Point) -> Area {
        Area::new(label, centre, AreaForm::Region(region))
    }

    /// Several areas as one: what lies in any of them. They may be far apart, and may overlap. `None` without any.
    #[must_use]
    pub fn several(mut areas: Vec<Area>) -> Option<Area> {
        let mut names: Vec<String> = Vec::new();
        areas.retain(|area| {
            !names.iter().any(|name| name == area.name()) && {
                names.push(area.name().to_owned());
                true
            }
        });
        let first = areas.first()?.clone();
        if areas.len() == 1 {
            return Some(first);
        }
        let width = areas.iter().map(Area::width).max().unwrap_or(first.width());
        let label = AreaLabel { name: names.join("; "), country: first.country(), width };
        Some(Area::new(label, first.centre(), AreaForm::Several(areas)))
    }

    fn new(label: AreaLabel, centre: Point, form: AreaForm) -> Area {
        let bounds = match &form {
            AreaForm::Circle { radius_miles } => Bounds::around(centre, *radius_miles),
            AreaForm::Outline(outline) => outline.shape.bounds(),
            AreaForm::Region(region) => region.bounds(centre),
            AreaForm::Several(areas) => around_all(areas),
        };
        let AreaLabel { name, country, width } = label;
        Area { inner: Arc::new(Inner { name, country, width, centre, bounds, form }) }
    }

    /// Whether the point lies in the area.
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        match &self.inner.form {
            AreaForm::Circle { radius_miles } => self.inner.centre.miles_to(point) <= *radius_miles,
            AreaForm::Outline(outline) => outline.shape.contains(point),
            AreaForm::Region(region) => self.inner.bounds.contains(point) && region.contains(point),
            AreaForm::Several(areas) => areas.iter().any(|area| area.contains(point)),
        }
    }

    /// Plain boxes, none across the antimeridian, that together hold the area: one for each part of it, so that they stay small when
    /// the parts are far apart.
    #[must_use]
    pub fn boxes(&self) -> Vec<Bounds> {
        match &self.inner.form {
            AreaForm::Several(areas) => areas.iter().flat_map(Area::boxes).collect(),
            _ => self.inner.bounds.parts(),
        }
    }

    /// A bounding box; see [`Bounds`] for the antimeridian and the poles.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.inner.bounds
    }

    /// Display name, such as "Travis County, TX".
    #[must_use]
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// ISO 3166-1 alpha-2.
    #[must_use]
    pub fn country(&self) -> &'static str {
        self.inner.country
    }

    /// A circle counts as a city up to [`CITY_RADIUS_MAX_MILES`], as a county up to [`COUNTY_RADIUS_MAX_MILES`], and as a state
    /// beyond.
    #[must_use]
    pub fn width(&self) -> Scope {
        self.inner.width
    }

    /// The centre of a circle, or the centroid of the largest part.
    #[must_use]
    pub fn centre(&self) -> Point {
        self.inner.centre
    }

    /// The radius; `None` unless the area is a circle.
    #[must_use]
    pub fn radius_miles(&self) -> Option<f64> {
        match self.inner.form {
            AreaForm::Circle { radius_miles } => Some(radius_miles),
            _ => None,
        }
    }

    /// The edges of an outline, as pairs of (longitude, latitude): a point is inside when a line from it eastwards crosses an odd
    /// number of them. Outlines across the antimeridian continue beyond 180 and occur twice. `None` for circles and regions.
    #[must_use]
    pub fn edges(&self) -> Option<&[[[f64; 2]; 2]]> {
        match &self.inner.form {
            AreaForm::Outline(outline) => Some(outline.shape.edges()),
            _ => None,
        }
    }

    /// The outline as polygons of rings of (longitude, latitude), to be drawn: details too small to see at the size of the area are
    /// left out. `None` for circles and regions.
    #[must_use]
    pub fn drawing(&self) -> Option<Vec<Vec<Vec<[f64; 2]>>>> {
        let outline = match &self.inner.form {
            AreaForm::Outline(outline) => outline,
            AreaForm::Several(areas) => {
                let drawn: Vec<_> = areas.iter().filter_map(Area::drawing).flatten().collect();
                return (!drawn.is_empty()).then_some(drawn);
            }
            _ => return None,
        };
        let (from, to) = (self.inner.bounds.south, self.inner.bounds.north);
        let step = (to - from) / DRAWING_STEPS;
        let polygons = outline.polygons().into_iter().map(|rings| {
            rings.iter().map(|ring| simplified(ring, step)).filter(|ring| ring.len() > 3).collect::<Vec<_>>()
        });
        Some(polygons.filter(|rings| !rings.is_empty()).collect())
    }

    pub(crate) fn form(&self) -> &AreaForm {
        &self.inner.form
    }

    /// Towns whose businesses may lie in this area because their circle touches it. Most populous first, then by id.
    #[must_use]
    pub fn towns(&self) -> Vec<Town> {
        if let AreaForm::Several(areas) = &self.inner.form {
            return towns_of_all(areas);
        }
        let gazetteer = gazetteer();
        let reach = match self.inner.form {
            // The nearest town of a point decides, which may be twice as far away as the point.
            AreaForm::Region(_) => 2.0 * TOWN_RADIUS_MAX_MILES,
            _ => TOWN_RADIUS_MAX_MILES,
        };
        let rows = gazetteer.within(&self.inner.bounds.grown(reach));
        let mut towns: Vec<Town> =
            rows.into_iter().filter(|row| self.touches(*row)).map(|row| gazetteer.town(row)).collect();
        towns.sort_by_key(|town| (std::cmp::Reverse(town.population), town.id));
        towns
    }

    fn touches(&self, row: usize) -> bool {
        let gazetteer = gazetteer();
        let (point, radius) = (gazetteer.point(row), crate::gazetteer::radius_miles(gazetteer.population(row)));
        match &self.inner.form {
            AreaForm::Circle { radius_miles } => self.inner.centre.miles_to(point) <= radius_miles + radius,
            AreaForm::Outline(outline) => outline.shape.touches(point, radius),
            AreaForm::Region(region) => region.touches(row, point, radius),
            AreaForm::Several(areas) => areas.iter().any(|area| area.touches(row)),
        }
    }
}

/// The towns of several areas, each once, in the order of one.
fn towns_of_all(areas: &[Area]) -> Vec<Town> {
    let mut towns: Vec<Town> = areas.iter().flat_map(Area::towns).collect();
    towns.sort_by_key(|town| (std::cmp::Reverse(town.population), town.id));
    towns.dedup_by_key(|town| town.id);
    towns
}

/// A box around several areas. One of them across the antimeridian makes it go around the globe.
fn around_all(areas: &[Area]) -> Bounds {
    let boxes: Vec<Bounds> = areas.iter().flat_map(Area::boxes).collect();
    let least = |side: fn(&Bounds) -> f64| boxes.iter().map(side).fold(f64::INFINITY, f64::min);
    let greatest = |side: fn(&Bounds) -> f64| boxes.iter().map(side).fold(f64::NEG_INFINITY, f64::max);
    Bounds {
        south: least(|one| one.south),
        west: least(|one| one.west),
        north: greatest(|one| one.north),
        east: greatest(|one| one.east),
    }
}

fn width_of(radius_miles: f64) -> Scope {
    if radius_miles <= CITY_RADIUS_MAX_MILES {
        Scope::City
    } else if radius_miles <= COUNTY_RADIUS_MAX_MILES {
        Scope::County
    } else {
        Scope::State
    }
}

impl std::fmt::Debug for Area {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Area").field("name", &self.inner.name).field("width", &self.inner.width).finish_non_exhaustive()
    }
}

/// A ring without the points that are closer than a step to the one before.
fn simplified(ring: &[[f64; 2]], step: f64) -> Vec<[f64; 2]> {
    let mut kept: Vec<[f64; 2]> = Vec::new();
    for point in ring {
        let is_far = |last: &[f64; 2]| (point[0] - last[0]).abs() >= step || (point[1] - last[1]).abs() >= step;
        if kept.last().is_none_or(is_far) {
            kept.push(*point);
        }
    }
    kept.extend(kept.first().copied().filter(|first| kept.last() != Some(first)));
    kept
}

/// The outline of a country; that of the US is taken from its more detailed map.
pub(crate) fn country_outline(country: usize) -> Option<Outline> {
    let country = &gazetteer().countries[country];
    match country.code {
        "US" => shapes::outline(MapName::Us, "US"),
        // Kosovo has no number in ISO 3166-1.
        "XK" => shapes::outline(MapName::World, "XK"),
        _ => shapes::outline(MapName::World, country.number),
    }
}

impl Region {
    /// A part of a country, within the country's outline.
    pub(crate) fn new(country: usize, part: RegionPart) -> Region {
        Region { country, part, fence: country_outline(country).map(|outline| outline.shape) }
    }

    fn has(&self, row: usize) -> bool {
        let gazetteer = gazetteer();
        match self.part {
            RegionPart::Admin1(first) => gazetteer.admin1_of(row) == first,
            RegionPart::Admin2(second) => gazetteer.admin2_of(row) == Some(second),
            RegionPart::Whole => gazetteer.country_of(row) == self.country,
        }
    }

    fn contains(&self, point: Point) -> bool {
        self.fence.as_ref().is_none_or(|fence| fence.contains(point))
            && gazetteer().nearest(self.country, point, REGION_REACH_MILES).is_some_and(|row| self.has(row))
    }

    /// A point in the town's circle is nearest to a town of the region only if that town is within twice the radius.
    fn touches(&self, row: usize, point: Point, radius_miles: f64) -> bool {
        let gazetteer = gazetteer();
        self.has(row)
            || gazetteer
                .within(&Bounds::around(point, 2.0 * radius_miles))
                .into_iter()
                .any(|other| self.has(other) && gazetteer.point(other).miles_to(point) <= 2.0 * radius_miles)
    }

    fn bounds(&self, centre: Point) -> Bounds {
        let gazetteer = gazetteer();
        let towns: Vec<Point> =
            (0..gazetteer.len()).filter(|row| self.has(*row)).map(|row| gazetteer.point(row)).collect();
        let rings: Vec<Vec<[f64; 2]>> = towns.iter().map(|town| vec![[town.longitude, town.latitude]]).collect();
        if rings.is_empty() {
            return Bounds::around(centre, REGION_REACH_MILES);
        }
        shapes::bounds(&rings).grown(REGION_REACH_MILES)
    }
}
