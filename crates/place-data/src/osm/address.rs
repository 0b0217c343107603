//! Postal addresses from `addr:*` tags, written as in their country.

use std::collections::HashMap;

use places::Point;

use super::element::Tags;
use crate::Address;

pub(super) const KEYS: &[&str] = &[
    "addr:housenumber",
    "addr:housename",
    "addr:street",
    "addr:place",
    "addr:unit",
    "addr:flats",
    "addr:suite",
    "addr:city",
    "addr:town",
    "addr:village",
    "addr:suburb",
    "addr:postcode",
    "addr:state",
    "addr:province",
    "addr:country",
    "addr:full",
];

/// Countries that write the house number before the street. All others write it behind.
const NUMBER_FIRST: &[&str] = &[
    "AE", "AG", "AI", "AS", "AU", "BB", "BD", "BH", "BL", "BM", "BS", "BW", "BZ", "CA", "CI", "CK", "CM", "DM", "DZ",
    "EG", "FJ", "FK", "FR", "GB", "GD", "GF", "GG", "GH", "GI", "GM", "GP", "GU", "GY", "HK", "IE", "IL", "IM", "IN",
    "JE", "JM", "KE", "KN", "KY", "LB", "LC", "LK", "LU", "MA", "MC", "MF", "MG", "MM", "MP", "MQ", "MS", "MT", "MU",
    "MV", "MY", "NC", "NG", "NP", "NZ", "OM", "PF", "PG", "PH", "PK", "PM", "PR", "QA", "RE", "SA", "SC", "SG", "SL",
    "SN", "TC", "TH", "TN", "TT", "UG", "US", "VC", "VG", "VI", "VN", "WS", "YT", "ZA", "ZM", "ZW",
];
/// Countries that mark a bare unit with `#`.
const UNIT_MARK: &[&str] = &["US", "CA", "PR"];

/// Cells per degree within which points are taken to lie in one country.
const CELLS_PER_DEGREE: f64 = 100.0;
/// Cells remembered at a time.
const CELLS_MAX: usize = 1 << 20;

/// Tells the country of a point. Looking it up takes a while, so the answer serves for about a kilometre around.
#[derive(Default)]
pub(crate) struct Countries(HashMap<(i32, i32), Option<&'static str>>);

impl Countries {
    /// ISO 3166-1 alpha-2; `None` at sea.
    pub(crate) fn at(&mut self, point: Point) -> Option<&'static str> {
        let cell = |degrees: f64| (degrees * CELLS_PER_DEGREE).floor() as i32;
        if self.0.len() >= CELLS_MAX {
            self.0.clear();
        }
        *self.0.entry((cell(point.latitude), cell(point.longitude))).or_insert_with(|| places::country_at(point))
    }
}

/// The address in these tags; `None` when they have none.
pub(crate) fn address(tags: &Tags, point: Point, countries: &mut Countries) -> Option<Address> {
    let first = |keys: &[&str]| keys.iter().find_map(|key| tags.get(key)).map(str::to_owned);
    let country =
        tags.get("addr:country").filter(|code| code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let country = country.map(str::to_ascii_uppercase);
    let freeform = freeform(tags, || match &country {
        Some(country) => country.clone(),
        None if has_number_and_street(tags) => countries.at(point).unwrap_or_default().to_owned(),
        None => String::new(),
    });
    let address = Address {
        freeform,
        locality: first(&["addr:city", "addr:town", "addr:village"]),
        postcode: first(&["addr:postcode"]),
        region: first(&["addr:state", "addr:province"]).map(|region| without_country(&region)),
        country,
    };
    (address != Address::default()).then_some(address)
}

fn has_number_and_street(tags: &Tags) -> bool {
    (number(tags).is_some() || unit(tags).is_some()) && street(tags).is_some()
}

/// The street, or the hamlet that numbers its houses without streets.
fn street(tags: &Tags) -> Option<&str> {
    tags.get("addr:street").or_else(|| tags.get("addr:place"))
}

/// The house number, or the name of a house without one.
fn number(tags: &Tags) -> Option<&str> {
    tags.get("addr:housenumber").or_else(|| tags.get("addr:housename"))
}

fn unit(tags: &Tags) -> Option<&str> {
    ["addr:unit", "addr:suite", "addr:flats"].iter().find_map(|key| tags.get(key))
}

/// Street, house number and unit in one line, in the manner of the country.
fn freeform(tags: &Tags, country: impl FnOnce() -> String) -> Option<String> {
    let number = number(tags);
    let Some(street) = street(tags) else { return tags.get("addr:full").or(number).map(str::to_owned) };
    let country = country();
    let line = match number {
        None => street.to_owned(),
        Some(number) if NUMBER_FIRST.contains(&country.as_str()) => format!("{number} {street}"),
        Some(number) => format!("{street} {number}"),
    };
    let Some(unit) = unit(tags) else { return Some(line) };
    let is_bare = unit.len() <= 4 && !unit.starts_with('#');
    Some(match (is_bare, UNIT_MARK.contains(&country.as_str())) {
        (true, true) => format!("{line} #{unit}"),
        (true, false) => format!("{line} {unit}"),
        (false, _) => format!("{line}, {unit}"),
    })
}

/// `TX` of `US-TX`.
fn without_country(region: &str) -> String {
    match region.split_once('-') {
        Some((country, code)) if country.len() == 2 && code.len() <= 3 => code.to_owned(),
        _ => region.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(tags: &[(&str, &str)], latitude: f64, longitude: f64) -> Option<String> {
        let tags = Tags::pack(tags.iter().copied());
        address(&tags, Point { latitude, longitude }, &mut Countries::default())?.freeform
    }

    #[test]
    fn the_house_number_stands_where_the_country_puts_it() {
        let main = [("addr:housenumber", "12"), ("addr:street", "Main St")];
        let with = |country| [main[0], main[1], ("addr:country", country)];
        assert_eq!(written(&with("US"), 0.0, 0.0).unwrap(), "12 Main St");
        assert_eq!(written(&with("de"), 0.0, 0.0).unwrap(), "Main St 12");
        // Without a country in the address the point tells: Baltimore, Helsinki, Monaco, London, Mexico City.
        for (latitude, longitude, expected) in [
            (39.29, -76.61, "12 Main St"),
            (60.17, 24.94, "Main St 12"),
            (43.7384, 7.4246, "12 Main St"),
            (51.5, -0.12, "12 Main St"),
            (19.43, -99.13, "Main St 12"),
        ] {
            assert_eq!(written(&main, latitude, longitude).unwrap(), expected, "{latitude}, {longitude}");
        }
    }

    #[test]
    fn units_hamlets_and_whole_addresses_are_read() {
        let us = ("addr:country", "US");
        let main = [("addr:housenumber", "12"), ("addr:street", "Main St"), us];
        let with = |unit| [main[0], main[1], main[2], ("addr:unit", unit)];
        assert_eq!(written(&with("4B"), 0.0, 0.0).unwrap(), "12 Main St #4B");
        assert_eq!(written(&with("Suite 100"), 0.0, 0.0).unwrap(), "12 Main St, Suite 100");
        let named = [("addr:housename", "The Mill"), main[1]];
        assert_eq!(written(&named, 39.29, -76.61).unwrap(), "The Mill Main St", "in Baltimore");
        let hamlet = [("addr:housenumber", "7"), ("addr:place", "Oberdorf"), ("addr:country", "AT")];
        assert_eq!(written(&hamlet, 0.0, 0.0).unwrap(), "Oberdorf 7");
        assert_eq!(written(&[("addr:full", "Piazza 1, Roma")], 0.0, 0.0).unwrap(), "Piazza 1, Roma");
        assert_eq!(written(&[("name", "No address")], 0.0, 0.0), None);
    }

    #[test]
    fn a_region_loses_its_country() {
        let tags = Tags::pack([("addr:state", "US-TX"), ("addr:city", "Austin")]);
        let address = address(&tags, Point { latitude: 30.0, longitude: -97.0 }, &mut Countries::default()).unwrap();
        assert_eq!((address.region.as_deref(), address.country), (Some("TX"), None));
    }
}
