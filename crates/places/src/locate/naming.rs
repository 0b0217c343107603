//! What a place is called, so that typing the name finds it again; and its other particulars.

use super::place::{Place, Site, point_of, us_first};
use super::read::NAMESAKE_DIVISOR;
use super::wide::{County, names};
use crate::fold;
use crate::gazetteer::gazetteer;
use crate::postal;
use crate::shapes;

/// "Austin, TX", "Berlin, Germany", "Texas".
pub(super) fn name(site: Site) -> String {
    let gazetteer = gazetteer();
    match site {
        Site::Town(row) => town_name(row),
        Site::PostalCode(code) => {
            let codes = postal::codes();
            format!("{} {}, {}", codes.digits(code), codes.place(code), codes.state(code))
        }
        Site::PostTown(code) => format!("{}, {}", postal::codes().place(code), postal::codes().state(code)),
        Site::County(County::OnMap(at)) => {
            let county = &shapes::us().features()[at];
            format!("{}, {}", county.name, county.state)
        }
        Site::County(County::Second(second)) => {
            let second = &gazetteer.seconds[second];
            format!("{}, {}", second.name, gazetteer.countries[gazetteer.firsts[second.first].country].name)
        }
        Site::First(first) => {
            let region = &gazetteer.firsts[first];
            let country = gazetteer.countries[region.country].name;
            match (region.is_us_state(), has_namesake(first)) {
                (true, false) => region.name.to_owned(),
                (true, true) => format!("{} State", region.name),
                (false, false) => format!("{}, {country}", region.name),
                (false, true) => format!("{} state, {country}", region.name),
            }
        }
        Site::Country(country) => {
            let name = gazetteer.countries[country].name;
            let is_state = names().firsts(&fold::key(name)).iter().any(|first| gazetteer.firsts[*first].is_us_state());
            if is_state { format!("{name} (country)") } else { name.to_owned() }
        }
    }
}

/// Whether the bare name of a region would be read as a town in it.
fn has_namesake(first: usize) -> bool {
    let gazetteer = gazetteer();
    let region = &gazetteer.firsts[first];
    let towns = gazetteer.find(&fold::key(region.name)).filter(|named| named.own_name).map(|named| named.row);
    let mut within = towns.filter(|row| gazetteer.first_of(*row) == first);
    within.any(|row| gazetteer.population(row) * NAMESAKE_DIVISOR >= region.population)
}

/// A town's name with its state or country, and with what lies between when a larger town would be found otherwise.
fn town_name(row: usize) -> String {
    let gazetteer = gazetteer();
    let first = &gazetteer.firsts[gazetteer.first_of(row)];
    let name = gazetteer.name(row);
    if let Some(letters) = first.us_letters() {
        let county = gazetteer.second_of(row).map(|second| gazetteer.seconds[second].name);
        return match county {
            Some(county) if !is_largest(row, |other| gazetteer.first_of(other) == gazetteer.first_of(row)) => {
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

/// Everything known about a site.
pub(super) fn place(site: Site) -> Place {
    let gazetteer = gazetteer();
    let country = &gazetteer.countries[site.country()];
    let territory = country.is_us_territory().then(|| country.code.to_owned());
    let state = site.first().map(|first| gazetteer.firsts[first].short().to_owned());
    Place {
        name: name(site),
        width: site.width(),
        country: country.code,
        state: territory.or(state).filter(|state| !state.is_empty()),
        county: site.county_name().map(str::to_owned),
        city: city(site),
        postal_code: match site {
            Site::PostalCode(code) => Some(postal::codes().digits(code).to_owned()),
            _ => None,
        },
        street: None,
        point: point_of(site),
        population: population(site),
        site,
        pin: None,
    }
}

fn city(site: Site) -> Option<String> {
    match site {
        Site::Town(row) => Some(gazetteer().name(row).to_owned()),
        Site::PostalCode(code) | Site::PostTown(code) => Some(postal::codes().place(code).to_owned()),
        _ => None,
    }
}

pub(super) fn population(site: Site) -> u64 {
    let gazetteer = gazetteer();
    match site {
        Site::Town(row) => gazetteer.population(row),
        Site::PostalCode(code) | Site::PostTown(code) => postal_town(code).map_or(0, |row| gazetteer.population(row)),
        Site::County(county) => names().people(county),
        Site::First(first) => gazetteer.firsts[first].population,
        Site::Country(country) => gazetteer.countries[country].population,
    }
}

/// The town that a ZIP code names.
fn postal_town(code: usize) -> Option<usize> {
    let gazetteer = gazetteer();
    let state = us_first(postal::codes().state(code))?;
    let named = gazetteer.find(&fold::key(postal::codes().place(code)));
    let towns = named.map(|found| found.row).filter(|row| gazetteer.first_of(*row) == state);
    towns.max_by_key(|row| gazetteer.population(*row))
}
