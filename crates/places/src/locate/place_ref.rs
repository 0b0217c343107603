//! References into the data: where a place was found, and the attributes that follow from that.

use super::region_names::County;
use crate::area::country_outline;
use crate::gazetteer::{Admin1, gazetteer};
use crate::point::Point;
use crate::postal;
use crate::scope::Scope;
use crate::shapes;

/// Where in the data a place was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PlaceRef {
    Town(usize),
    PostalCode(usize),
    /// A town known only to the postal service, by its first ZIP code.
    PostTown(usize),
    County(County),
    Admin1(usize),
    Country(usize),
}

impl PlaceRef {
    pub(super) fn width(self) -> Scope {
        match self {
            PlaceRef::Town(_) | PlaceRef::PostalCode(_) | PlaceRef::PostTown(_) => Scope::City,
            PlaceRef::County(_) => Scope::County,
            PlaceRef::Admin1(_) => Scope::State,
            // Puerto Rico and the like are countries in ISO 3166-1, but states to US businesses.
            PlaceRef::Country(country) if gazetteer().countries[country].is_us_territory() => Scope::State,
            PlaceRef::Country(_) => Scope::Country,
        }
    }

    pub(super) fn country(self) -> usize {
        let gazetteer = gazetteer();
        match self {
            PlaceRef::Town(row) => gazetteer.country_of(row),
            PlaceRef::PostalCode(_) | PlaceRef::PostTown(_) => us_country(postal_state(self)),
            PlaceRef::County(County::OnMap(at)) => us_country(shapes::us().features()[at].state),
            PlaceRef::County(County::Admin2(second)) => gazetteer.admin1s[gazetteer.admin2s[second].first].country,
            PlaceRef::Admin1(first) => gazetteer.admin1s[first].country,
            PlaceRef::Country(country) => country,
        }
    }

    /// The index of the first-order region, if there is one.
    pub(super) fn first(self) -> Option<usize> {
        let gazetteer = gazetteer();
        match self {
            PlaceRef::Town(row) => Some(gazetteer.admin1_of(row)),
            PlaceRef::PostalCode(_) | PlaceRef::PostTown(_) => us_admin1(postal_state(self)),
            PlaceRef::County(County::OnMap(at)) => us_admin1(shapes::us().features()[at].state),
            PlaceRef::County(County::Admin2(second)) => Some(gazetteer.admin2s[second].first),
            PlaceRef::Admin1(first) => Some(first),
            PlaceRef::Country(_) => None,
        }
    }

    /// Postal abbreviation of the US state or territory.
    pub(super) fn us_letters(self) -> Option<&'static str> {
        match self {
            PlaceRef::County(County::OnMap(at)) => Some(shapes::us().features()[at].state),
            PlaceRef::Country(country) => Some(&gazetteer().countries[country])
                .filter(|country| country.is_us_territory())
                .map(|country| country.code),
            _ => self.first().and_then(|first| gazetteer().admin1s[first].us_letters()),
        }
    }

    /// The outline of the US county.
    pub(super) fn us_county(self) -> Option<&'static shapes::Feature> {
        match self {
            PlaceRef::Town(row) => {
                let second = gazetteer().admin2_of(row)?;
                shapes::us().find(gazetteer().admin2s[second].fips?)
            }
            PlaceRef::PostalCode(code) | PlaceRef::PostTown(code) => shapes::us().find(&postal::codes().county(code)?),
            PlaceRef::County(County::OnMap(at)) => shapes::us().features().get(at),
            _ => None,
        }
    }

    pub(super) fn second(self) -> Option<usize> {
        match self {
            PlaceRef::Town(row) => gazetteer().admin2_of(row),
            PlaceRef::County(County::Admin2(second)) => Some(second),
            _ => None,
        }
    }

    pub(super) fn county_name(self) -> Option<&'static str> {
        let on_map = self.us_county().map(|county| county.name);
        on_map.or_else(|| self.second().map(|second| gazetteer().admin2s[second].name))
    }
}

fn postal_state(site: PlaceRef) -> &'static str {
    match site {
        PlaceRef::PostalCode(code) | PlaceRef::PostTown(code) => postal::codes().state(code),
        _ => "",
    }
}

/// The US state with this postal abbreviation.
pub(super) fn us_admin1(letters: &str) -> Option<usize> {
    gazetteer().admin1s.iter().position(|first| first.is_us_state() && first.code == letters)
}

/// The country a postal abbreviation belongs to: the US, or the territory itself.
fn us_country(letters: &str) -> usize {
    let countries = &gazetteer().countries;
    let territory = countries.iter().position(|country| country.is_us_territory() && country.code == letters);
    territory.or_else(|| countries.iter().position(|country| country.code == "US")).unwrap_or(0)
}

/// The point of a region: the centre of its largest town, where its businesses are.
pub(super) fn point_of(site: PlaceRef) -> Point {
    match site {
        PlaceRef::Town(row) => gazetteer().point(row),
        PlaceRef::PostalCode(code) | PlaceRef::PostTown(code) => postal::codes().point(code),
        PlaceRef::County(County::OnMap(at)) => shapes::us().shape(&shapes::us().features()[at]).centre(),
        PlaceRef::County(County::Admin2(second)) => largest(|row| gazetteer().admin2_of(row) == Some(second)),
        PlaceRef::Admin1(first) => state_centre(&gazetteer().admin1s[first])
            .unwrap_or_else(|| largest(|row| gazetteer().admin1_of(row) == first)),
        PlaceRef::Country(country) => country_outline(country)
            .map_or_else(|| largest(|row| gazetteer().country_of(row) == country), |outline| outline.shape.centre()),
    }
}

fn state_centre(first: &Admin1) -> Option<Point> {
    if !first.is_us_state() {
        return None;
    }
    shapes::us().find(first.code).map(|state| shapes::us().shape(state).centre())
}

/// The centre of the largest town that matches.
fn largest(wanted: impl Fn(usize) -> bool) -> Point {
    let rows = (0..gazetteer().len()).filter(|row| wanted(*row));
    let row = rows.max_by_key(|row| gazetteer().population(*row));
    row.map_or(Point { latitude: 0.0, longitude: 0.0 }, |row| gazetteer().point(row))
}
