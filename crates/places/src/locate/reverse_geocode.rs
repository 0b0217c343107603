//! Reverse geocoding: the town, county, state and country at a pair of coordinates.

use std::sync::OnceLock;

use super::naming;
use super::place_ref::{PlaceRef, us_admin1};
use super::region_names::County;
use crate::area::country_outline;
use crate::gazetteer::{TOWN_RADIUS_MAX_MILES, gazetteer, radius_miles};
use crate::point::{Bounds, Point};
use crate::scope::Scope;
use crate::shapes::{self, Shape};

/// Distances in which towns are searched, step by step; a point further from every town is at sea or on the ice.
const REACHES_MILES: [f64; 3] = [30.0, 120.0, 500.0];
/// Share of a town's radius within which its own districts and suburbs are ignored.
const CORE_SHARE: f64 = 0.25;

/// What a point lies in.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PointContext {
    pub(super) town: usize,
    /// Miles to the centre of the town.
    pub(super) miles: f64,
    pub(super) is_in_town: bool,
    pub(super) county: Option<PlaceRef>,
    pub(super) state: Option<PlaceRef>,
    pub(super) country: usize,
    /// Whether an outline contains the point; otherwise the nearest town decides.
    pub(super) is_in_outline: bool,
}

impl PointContext {
    /// The town's name with its state or country.
    pub(super) fn town_name(&self) -> String {
        naming::name(PlaceRef::Town(self.town))
    }

    /// The region of this width that contains the point; `None` for a county where none is known.
    pub(super) fn region(&self, scope: Scope) -> Option<PlaceRef> {
        match scope {
            Scope::City => Some(PlaceRef::Town(self.town)),
            Scope::County => self.county,
            Scope::State => Some(self.state.unwrap_or(PlaceRef::Country(self.country))),
            Scope::Country => Some(PlaceRef::Country(self.country)),
        }
    }
}

/// The context of a point; `None` when no town is within 500 miles.
pub(super) fn reverse_geocode(point: Point) -> Option<PointContext> {
    let near = REACHES_MILES.into_iter().map(|reach| towns_near(point, reach)).find(|towns| !towns.is_empty())?;
    let outlined = outlined_country(point);
    let country = outlined.unwrap_or_else(|| gazetteer().country_of(near[0]));
    let of_country = |towns: Vec<usize>| -> Vec<usize> {
        towns.into_iter().filter(|row| gazetteer().country_of(*row) == country).collect()
    };
    let towns = REACHES_MILES.into_iter().map(|reach| of_country(towns_near(point, reach)));
    let near = towns.into_iter().find(|towns| !towns.is_empty())?;
    let (town, is_in_town) = town_at(point, &near);
    let state = us_state(point, &near);
    let county = match &state {
        Some(state) => us_county(point, *state, &near),
        None => gazetteer().admin2_of(near[0]).map(|second| PlaceRef::County(County::Admin2(second))),
    };
    Some(PointContext {
        town,
        miles: miles(town, point),
        is_in_town,
        county,
        state: state.or_else(|| region_of(near[0])),
        country,
        is_in_outline: outlined.is_some(),
    })
}

/// The country at a point as ISO 3166-1 alpha-2, as [`locate`](super::locate) would say of its coordinates, but quick enough for a
/// million points; `None` when no town is within 500 miles.
#[must_use]
pub fn country_at(point: Point) -> Option<&'static str> {
    let nearest = || REACHES_MILES.into_iter().find_map(|reach| towns_near(point, reach).first().copied());
    let country = outlined_country(point).or_else(|| Some(gazetteer().country_of(nearest()?)))?;
    Some(gazetteer().countries[country].code)
}

fn miles(row: usize, point: Point) -> f64 {
    gazetteer().point(row).miles_to(point)
}

/// Towns within a distance, nearest first.
fn towns_near(point: Point, reach_miles: f64) -> Vec<usize> {
    let rows = gazetteer().within(&Bounds::around(point, reach_miles)).into_iter();
    let mut measured: Vec<(f64, u32, usize)> = rows.map(|row| (miles(row, point), gazetteer().id(row), row)).collect();
    measured.retain(|(miles, ..)| *miles <= reach_miles);
    measured.sort_by(|one, two| one.0.total_cmp(&two.0).then(one.1.cmp(&two.1)));
    measured.into_iter().map(|(.., row)| row).collect()
}

/// The country whose outline contains the point, among those of the towns around.
fn outlined_country(point: Point) -> Option<usize> {
    REACHES_MILES.into_iter().find_map(|reach| {
        let countries = towns_near(point, reach).into_iter().map(|row| gazetteer().country_of(row));
        let holds = |country: &usize| country_shape(*country).is_some_and(|shape| shape.contains(point));
        distinct(countries).into_iter().find(holds)
    })
}

/// The outline of a country, prepared once.
fn country_shape(country: usize) -> Option<&'static Shape> {
    static SHAPES: OnceLock<Vec<OnceLock<Option<Shape>>>> = OnceLock::new();
    let shapes = SHAPES.get_or_init(|| gazetteer().countries.iter().map(|_| OnceLock::new()).collect());
    shapes[country].get_or_init(|| country_outline(country).map(|outline| outline.shape)).as_ref()
}

fn distinct<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for item in items {
        if !found.contains(&item) {
            found.push(item);
        }
    }
    found
}

/// The town whose circle contains the point, and whether there is one; otherwise the nearest. Where circles overlap, the point
/// belongs to the largest town whose core contains it, otherwise to the one whose centre is nearest relative to its radius.
/// Places without inhabitants rank below towns.
fn town_at(point: Point, near: &[usize]) -> (usize, bool) {
    let people = |row: &usize| gazetteer().population(*row);
    let share = |row: &usize| miles(*row, point) / radius_miles(people(row));
    let close = near.iter().copied().take_while(|row| miles(*row, point) <= TOWN_RADIUS_MAX_MILES);
    let mut holding: Vec<usize> = close.filter(|row| share(row) <= 1.0).collect();
    if holding.iter().any(|row| people(row) > 0) {
        holding.retain(|row| people(row) > 0);
    }
    let core = holding.iter().copied().filter(|row| share(row) <= CORE_SHARE).max_by_key(people);
    let nearest = || holding.iter().copied().min_by(|one, two| share(one).total_cmp(&share(two)));
    core.or_else(nearest).map_or((near[0], false), |row| (row, true))
}

/// The US state or territory that contains the point, or that of the nearest town; `None` outside the US.
fn us_state(point: Point, near: &[usize]) -> Option<PlaceRef> {
    let letters_of = |row: &usize| gazetteer().admin1s[gazetteer().admin1_of(*row)].us_letters();
    let around = distinct(near.iter().filter_map(letters_of));
    let holds =
        |letters: &&&str| shapes::us().find(letters).is_some_and(|state| shapes::us().shape(state).contains(point));
    let letters = around.iter().find(holds).or(around.first())?;
    us_admin1(letters).map(PlaceRef::Admin1).or_else(|| {
        let territory = |country: &crate::gazetteer::Country| country.is_us_territory() && country.code == *letters;
        gazetteer().countries.iter().position(territory).map(PlaceRef::Country)
    })
}

/// The county of a US state that contains the point, or that of the nearest town.
fn us_county(point: Point, state: PlaceRef, near: &[usize]) -> Option<PlaceRef> {
    let letters = state.us_letters()?;
    let features = shapes::us().features();
    let in_state = (0..features.len()).filter(|at| features[*at].state == letters);
    let mut holding = in_state.filter(|at| shapes::us().shape(&features[*at]).contains(point));
    let nearest = || {
        let county = near.iter().find_map(|row| PlaceRef::Town(*row).us_county())?;
        features.iter().position(|feature| feature.key == county.key)
    };
    holding.next().or_else(nearest).map(|at| PlaceRef::County(County::OnMap(at)))
}

/// The first-order region of a town, if it has a name.
fn region_of(row: usize) -> Option<PlaceRef> {
    let first = gazetteer().admin1_of(row);
    Some(PlaceRef::Admin1(first)).filter(|_| !gazetteer().admin1s[first].name.is_empty())
}
