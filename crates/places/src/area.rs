//! Areas: where a search looks.

use std::sync::Arc;

use crate::gazetteer::{TOWN_RADIUS_MAX_MILES, Town, gazetteer};
use crate::point::{Bounds, Point};
use crate::scope::Scope;
use crate::shapes::{self, MapName, Outline, Shape};

/// How far from a town a point may lie and still belong to the town's region, where regions have no outline.
const REGION_REACH_MILES: f64 = 60.0;

/// Up to these radii a circle counts as a city, or as a county.
const CITY_RADIUS_MAX_MILES: f64 = 15.0;
const COUNTY_RADIUS_MAX_MILES: f64 = 50.0;

/// Where a search looks. Whether a point lies in it is exact: by outline or circle, never by tile. Cheap to clone.
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
    form: Form,
}

pub(crate) enum Form {
    Circle { radius_miles: f64 },
    Outline(Outline),
    Region(Region),
}

/// A region without an outline: the points whose nearest town of the country belongs to it, within a reach, and
/// within the country's outline where that is known.
pub(crate) struct Region {
    pub(crate) country: usize,
    pub(crate) part: Part,
    pub(crate) fence: Option<Shape>,
}

/// Which towns of a country make up a region.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    First(usize),
    Second(usize),
    Whole,
}

/// What an area is called and how wide it is.
pub(crate) struct Label {
    pub(crate) name: String,
    pub(crate) country: &'static str,
    pub(crate) width: Scope,
}

impl Area {
    /// A circle; how wide it counts follows from its radius. One below zero, or no number, holds only the centre.
    #[must_use]
    pub fn circle(name: impl Into<String>, country: &'static str, centre: Point, radius_miles: f64) -> Area {
        let radius_miles = radius_miles.max(0.0);
        let label = Label { name: name.into(), country, width: width_of(radius_miles) };
        Area::new(label, centre, Form::Circle { radius_miles })
    }

    pub(crate) fn outline(label: Label, outline: Outline) -> Area {
        let centre = outline.shape.centre();
        Area::new(label, centre, Form::Outline(outline))
    }

    pub(crate) fn region(label: Label, region: Region, centre: Point) -> Area {
        Area::new(label, centre, Form::Region(region))
    }

    fn new(label: Label, centre: Point, form: Form) -> Area {
        let bounds = match &form {
            Form::Circle { radius_miles } => Bounds::around(centre, *radius_miles),
            Form::Outline(outline) => outline.shape.bounds(),
            Form::Region(region) => region.bounds(centre),
        };
        let Label { name, country, width } = label;
        Area { inner: Arc::new(Inner { name, country, width, centre, bounds, form }) }
    }

    /// Whether the point lies in the area.
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        match &self.inner.form {
            Form::Circle { radius_miles } => self.inner.centre.miles_to(point) <= *radius_miles,
            Form::Outline(outline) => outline.shape.contains(point),
            Form::Region(region) => self.inner.bounds.contains(point) && region.contains(point),
        }
    }

    /// A box around the area; see [`Bounds`] for the antimeridian and the poles.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.inner.bounds
    }

    /// "Travis County, TX".
    #[must_use]
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// ISO 3166-1 alpha-2.
    #[must_use]
    pub fn country(&self) -> &'static str {
        self.inner.country
    }

    /// How wide the area is; a circle counts as a city up to 15 miles, as a county up to 50, then as a state.
    #[must_use]
    pub fn width(&self) -> Scope {
        self.inner.width
    }

    /// The middle: of a circle its centre, else the centre of gravity of the largest part.
    #[must_use]
    pub fn centre(&self) -> Point {
        self.inner.centre
    }

    /// The radius, when the area is a circle.
    #[must_use]
    pub fn radius_miles(&self) -> Option<f64> {
        match self.inner.form {
            Form::Circle { radius_miles } => Some(radius_miles),
            _ => None,
        }
    }

    pub(crate) fn form(&self) -> &Form {
        &self.inner.form
    }

    /// Towns whose businesses may lie in this area, because their circle touches it. Most populous first, then by id.
    #[must_use]
    pub fn towns(&self) -> Vec<Town> {
        let gazetteer = gazetteer();
        let reach = match self.inner.form {
            // The nearest town of a point decides, and that may be twice as far away as the point.
            Form::Region(_) => 2.0 * TOWN_RADIUS_MAX_MILES,
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
            Form::Circle { radius_miles } => self.inner.centre.miles_to(point) <= radius_miles + radius,
            Form::Outline(outline) => outline.shape.touches(point, radius),
            Form::Region(region) => region.touches(row, point, radius),
        }
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

/// The outline of a country: of the US from its finer map.
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
    pub(crate) fn new(country: usize, part: Part) -> Region {
        Region { country, part, fence: country_outline(country).map(|outline| outline.shape) }
    }

    fn has(&self, row: usize) -> bool {
        let gazetteer = gazetteer();
        match self.part {
            Part::First(first) => gazetteer.first_of(row) == first,
            Part::Second(second) => gazetteer.second_of(row) == Some(second),
            Part::Whole => gazetteer.country_of(row) == self.country,
        }
    }

    fn contains(&self, point: Point) -> bool {
        self.fence.as_ref().is_none_or(|fence| fence.contains(point))
            && gazetteer().nearest(self.country, point, REGION_REACH_MILES).is_some_and(|row| self.has(row))
    }

    /// A point in the town's circle is nearest to a town of the region only if that is within twice the radius.
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
