//! A place that a typed location turned out to be, and the areas around it.

use super::pin::Pin;
use super::wide::County;
use crate::area::{Area, Label, Part, Region, country_outline};
use crate::gazetteer::{First, gazetteer, radius_miles};
use crate::point::Point;
use crate::postal;
use crate::scope::Scope;
use crate::shapes::{self, MapName};

/// Radius of the circle that stands for a ZIP code.
const POSTAL_CODE_RADIUS_MILES: f64 = 3.0;
/// Radius of the circle that stands for a county where neither outline nor name of one is known.
const UNKNOWN_COUNTY_RADIUS_MILES: f64 = 25.0;

/// What a typed location turned out to be.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// "Austin, TX", "Berlin, Germany", "Travis County, TX", "Texas", "78701 Austin, TX", "30.2672, -97.7431": typed again,
    /// it finds this.
    pub name: String,
    /// How wide the place itself is; ZIP codes and street addresses are as wide as a city.
    pub width: Scope,
    /// ISO 3166-1 alpha-2.
    pub country: &'static str,
    /// "TX"; outside the US the name of the first-order region.
    pub state: Option<String>,
    /// "Travis County".
    pub county: Option<String>,
    /// "Austin".
    pub city: Option<String>,
    /// "78701".
    pub postal_code: Option<String>,
    /// "1100 Congress Ave", as it was typed.
    pub street: Option<String>,
    /// The coordinates that were typed, else the town's or the ZIP code's centre, else the middle of the area.
    pub point: Point,
    /// People; 0 when unknown.
    pub population: u64,
    pub(super) site: Site,
    /// For coordinates: what the point lies in.
    pub(super) pin: Option<Box<Pin>>,
}

/// Where in the data a place was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Site {
    Town(usize),
    PostalCode(usize),
    /// A town that only the post knows, by the first of its codes.
    PostTown(usize),
    County(County),
    First(usize),
    Country(usize),
}

impl Site {
    pub(super) fn width(self) -> Scope {
        match self {
            Site::Town(_) | Site::PostalCode(_) | Site::PostTown(_) => Scope::City,
            Site::County(_) => Scope::County,
            Site::First(_) => Scope::State,
            // Puerto Rico and its like are countries to ISO, but states to those who sell there.
            Site::Country(country) if gazetteer().countries[country].is_us_territory() => Scope::State,
            Site::Country(_) => Scope::Country,
        }
    }

    pub(super) fn country(self) -> usize {
        let gazetteer = gazetteer();
        match self {
            Site::Town(row) => gazetteer.country_of(row),
            Site::PostalCode(_) | Site::PostTown(_) => us_country(postal_state(self)),
            Site::County(County::OnMap(at)) => us_country(shapes::us().features()[at].state),
            Site::County(County::Second(second)) => gazetteer.firsts[gazetteer.seconds[second].first].country,
            Site::First(first) => gazetteer.firsts[first].country,
            Site::Country(country) => country,
        }
    }

    /// The number of the first-order region, where there is one.
    pub(super) fn first(self) -> Option<usize> {
        let gazetteer = gazetteer();
        match self {
            Site::Town(row) => Some(gazetteer.first_of(row)),
            Site::PostalCode(_) | Site::PostTown(_) => us_first(postal_state(self)),
            Site::County(County::OnMap(at)) => us_first(shapes::us().features()[at].state),
            Site::County(County::Second(second)) => Some(gazetteer.seconds[second].first),
            Site::First(first) => Some(first),
            Site::Country(_) => None,
        }
    }

    /// Letters of the US state or territory.
    pub(super) fn us_letters(self) -> Option<&'static str> {
        match self {
            Site::County(County::OnMap(at)) => Some(shapes::us().features()[at].state),
            Site::Country(country) => Some(&gazetteer().countries[country])
                .filter(|country| country.is_us_territory())
                .map(|country| country.code),
            _ => self.first().and_then(|first| gazetteer().firsts[first].us_letters()),
        }
    }

    /// The county on the map of the US.
    pub(super) fn us_county(self) -> Option<&'static shapes::Feature> {
        match self {
            Site::Town(row) => {
                let second = gazetteer().second_of(row)?;
                shapes::us().find(gazetteer().seconds[second].fips?)
            }
            Site::PostalCode(code) | Site::PostTown(code) => shapes::us().find(&postal::codes().county(code)?),
            Site::County(County::OnMap(at)) => shapes::us().features().get(at),
            _ => None,
        }
    }

    fn second(self) -> Option<usize> {
        match self {
            Site::Town(row) => gazetteer().second_of(row),
            Site::County(County::Second(second)) => Some(second),
            _ => None,
        }
    }

    pub(super) fn county_name(self) -> Option<&'static str> {
        let on_map = self.us_county().map(|county| county.name);
        on_map.or_else(|| self.second().map(|second| gazetteer().seconds[second].name))
    }
}

fn postal_state(site: Site) -> &'static str {
    match site {
        Site::PostalCode(code) | Site::PostTown(code) => postal::codes().state(code),
        _ => "",
    }
}

/// The US state with these letters.
pub(super) fn us_first(letters: &str) -> Option<usize> {
    gazetteer().firsts.iter().position(|first| first.is_us_state() && first.code == letters)
}

/// The country that a state's letters belong to: the US, or the territory itself.
fn us_country(letters: &str) -> usize {
    let countries = &gazetteer().countries;
    let territory = countries.iter().position(|country| country.is_us_territory() && country.code == letters);
    territory.or_else(|| countries.iter().position(|country| country.code == "US")).unwrap_or(0)
}

impl Place {
    /// The area of this width around the place. City: a circle sized by population, a small one for a ZIP code.
    /// County and state: the outline in the US; elsewhere the points whose nearest town belongs to the region. Country:
    /// the outline. A scope narrower than the place itself gives the place's own area. Coordinates: the town (or the
    /// nearest one), county, state or country that holds the point.
    #[must_use]
    pub fn area(&self, scope: Scope) -> Area {
        if let Some(pin) = &self.pin {
            return pin.area(self, scope);
        }
        match scope.max(self.width) {
            Scope::City => self.circle(self.own_radius_miles()),
            Scope::County => self.county_area(),
            Scope::State => self.state_area(),
            Scope::Country => self.country_area(),
        }
    }

    /// A circle around the place.
    #[must_use]
    pub fn circle(&self, radius_miles: f64) -> Area {
        Area::circle(self.name.clone(), self.country, self.point, radius_miles)
    }

    fn own_radius_miles(&self) -> f64 {
        match self.site {
            Site::PostalCode(_) | Site::PostTown(_) => POSTAL_CODE_RADIUS_MILES,
            _ => radius_miles(self.population),
        }
    }

    fn label(&self, name: String, width: Scope) -> Label {
        Label { name, country: self.country, width }
    }

    fn county_area(&self) -> Area {
        if let Some(county) = self.site.us_county()
            && let Some(outline) = shapes::outline(MapName::Us, county.key)
        {
            let label = self.label(format!("{}, {}", county.name, county.state), Scope::County);
            return Area::outline(label, outline);
        }
        let Some(second) = self.site.second() else {
            return self.circle(UNKNOWN_COUNTY_RADIUS_MILES);
        };
        let label = self.label(super::naming::name(Site::County(County::Second(second))), Scope::County);
        Area::region(label, self.region(Part::Second(second)), self.point)
    }

    fn state_area(&self) -> Area {
        let on_map = self.site.us_letters().and_then(|letters| shapes::us().find(letters));
        if let Some(state) = on_map
            && let Some(outline) = shapes::outline(MapName::Us, state.key)
        {
            return Area::outline(self.label(state.name.to_owned(), Scope::State), outline);
        }
        let Some(first) = self.site.first() else {
            return self.country_area();
        };
        let label = self.label(super::naming::name(Site::First(first)), Scope::State);
        Area::region(label, self.region(Part::First(first)), self.point)
    }

    fn country_area(&self) -> Area {
        let country = self.site.country();
        let label = self.label(gazetteer().countries[country].name.to_owned(), Scope::Country);
        match country_outline(country) {
            Some(outline) => Area::outline(label, outline),
            None => Area::region(label, self.region(Part::Whole), self.point),
        }
    }

    fn region(&self, part: Part) -> Region {
        let country = self.site.country();
        Region::new(country, part)
    }
}

/// The middle of what has no town's or ZIP code's centre: its largest town's, which is where its businesses are.
pub(super) fn point_of(site: Site) -> Point {
    match site {
        Site::Town(row) => gazetteer().point(row),
        Site::PostalCode(code) | Site::PostTown(code) => postal::codes().point(code),
        Site::County(County::OnMap(at)) => shapes::us().shape(&shapes::us().features()[at]).centre(),
        Site::County(County::Second(second)) => largest(|row| gazetteer().second_of(row) == Some(second)),
        Site::First(first) => state_centre(&gazetteer().firsts[first])
            .unwrap_or_else(|| largest(|row| gazetteer().first_of(row) == first)),
        Site::Country(country) => country_outline(country)
            .map_or_else(|| largest(|row| gazetteer().country_of(row) == country), |outline| outline.shape.centre()),
    }
}

fn state_centre(first: &First) -> Option<Point> {
    if !first.is_us_state() {
        return None;
    }
    shapes::us().find(first.code).map(|state| shapes::us().shape(state).centre())
}

/// The centre of the largest town of a kind.
fn largest(wanted: impl Fn(usize) -> bool) -> Point {
    let rows = (0..gazetteer().len()).filter(|row| wanted(*row));
    let row = rows.max_by_key(|row| gazetteer().population(*row));
    row.map_or(Point { latitude: 0.0, longitude: 0.0 }, |row| gazetteer().point(row))
}
