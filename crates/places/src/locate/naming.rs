//! The display name of a place, which finds the same place when typed; and its population.

use super::place_ref::{PlaceRef, us_admin1};
use super::region_names::{County, names};
use crate::fold;
use crate::gazetteer::gazetteer;
use crate::postal;
use crate::shapes;

/// A bare name means the town, not the state of the same name around it, when it has this fraction of its population.
pub(super) const NAMESAKE_DIVISOR: u64 = 40;

/// "Austin, TX", "Berlin, Germany", "Texas".
pub(super) fn name(site: PlaceRef) -> String {
    let gazetteer = gazetteer();
    match site {
        PlaceRef::Town(row) => town_name(row),
        PlaceRef::PostalCode(code) => {
            let codes = postal::codes();
            format!("{} {}, {}", codes.digits(code), codes.place(code), codes.state(code))
        }
        PlaceRef::PostTown(code) => format!("{}, {}", postal::codes().place(code), postal::codes().state(code)),
        PlaceRef::County(County::OnMap(at)) => {
            let county = &shapes::us().features()[at];
            format!("{}, {}", county.name, county.state)
        }
        PlaceRef::County(County::Admin2(second)) => {
            let second = &gazetteer.admin2s[second];
            format!("{}, {}", second.name, gazetteer.countries[gazetteer.admin1s[second.first].country].name)
        }
        PlaceRef::Admin1(first) => {
            let region = &gazetteer.admin1s[first];
            let country = gazetteer.countries[region.country].name;
            match (region.is_us_state(), has_namesake(first)) {
                (true, false) => region.name.to_owned(),
                (true, true) => format!("{} State", region.name),
                (false, false) => format!("{}, {country}", region.name),
                (false, true) => format!("{} state, {country}", region.name),
            }
        }
        PlaceRef::Country(country) => {
            let name = gazetteer.countries[country].name;
            let is_state =
                names().admin1s(&fold::key(name)).iter().any(|first| gazetteer.admin1s[*first].is_us_state());
            if is_state { format!("{name} (country)") } else { name.to_owned() }
        }
    }
}

/// Whether the bare name of a region would be interpreted as a town in it.
fn has_namesake(first: usize) -> bool {
    let gazetteer = gazetteer();
    let region = &gazetteer.admin1s[first];
    let towns = gazetteer.find(&fold::key(region.name)).filter(|named| named.own_name).map(|named| named.row);
    let mut within = towns.filter(|row| gazetteer.admin1_of(*row) == first);
    within.any(|row| gazetteer.population(row) * NAMESAKE_DIVISOR >= region.population)
}

/// A town's name with its state or country, and with a level in between when a larger town would be found otherwise.
fn town_name(row: usize) -> String {
    let gazetteer = gazetteer();
    let first = &gazetteer.admin1s[gazetteer.admin1_of(row)];
    let name = gazetteer.name(row);
    if let Some(letters) = first.us_letters() {
        let county = gazetteer.admin2_of(row).map(|second| gazetteer.admin2s[second].name);
        return match county {
            Some(county) if !is_largest(row, |other| gazetteer.admin1_of(other) == gazetteer.admin1_of(row)) => {
                format!("{name}, {county}, {letters}")
            }
            _ => format!("{name}, {letters}"),
        };
    }
    let country = gazetteer.countries[first.country].name;
    if first.name.is_empty() || is_largest(row, |other| gazetteer.country_of(other) == first.country) {
        format!("{name}, {country}")
    } else {
        format!("{name}, {}, {country}", first.name)
    }
}

/// Whether a town is the largest of its name among some.
fn is_largest(row: usize, among: impl Fn(usize) -> bool) -> bool {
    let gazetteer = gazetteer();
    let rank = |row: usize| (gazetteer.population(row), std::cmp::Reverse(gazetteer.id(row)));
    let same = gazetteer.find(&fold::key(gazetteer.name(row))).collect::<Vec<_>>();
    same.iter().filter(|other| other.own_name && among(other.row)).all(|other| rank(other.row) <= rank(row))
}

pub(super) fn city(site: PlaceRef) -> Option<String> {
    match site {
        PlaceRef::Town(row) => Some(gazetteer().name(row).to_owned()),
        PlaceRef::PostalCode(code) | PlaceRef::PostTown(code) => Some(postal::codes().place(code).to_owned()),
        _ => None,
    }
}

pub(super) fn population(site: PlaceRef) -> u64 {
    let gazetteer = gazetteer();
    match site {
        PlaceRef::Town(row) => gazetteer.population(row),
        PlaceRef::PostalCode(code) | PlaceRef::PostTown(code) => {
            postal_town(code).map_or(0, |row| gazetteer.population(row))
        }
        PlaceRef::County(county) => names().people(county),
        PlaceRef::Admin1(first) => gazetteer.admin1s[first].population,
        PlaceRef::Country(country) => gazetteer.countries[country].population,
    }
}

/// The town that a ZIP code names.
fn postal_town(code: usize) -> Option<usize> {
    let gazetteer = gazetteer();
    let state = us_admin1(postal::codes().state(code))?;
    let named = gazetteer.find(&fold::key(postal::codes().place(code)));
    let towns = named.map(|found| found.row).filter(|row| gazetteer.admin1_of(*row) == state);
    towns.max_by_key(|row| gazetteer.population(*row))
}
