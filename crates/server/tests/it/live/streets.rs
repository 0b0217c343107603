//! Street addresses as people type them, located through the server: how far the circle's centre is from the door.

use std::collections::HashMap;

use canvass::config::{GeocoderNames, Settings};
use http::StatusCode;
use places::{Point, Scope};
use rehearsal::nominatim::{Options, Rehearsal};
use rstest::rstest;
use sandbox::Business;

use super::{serve, world};
use crate::support::{More, On, TestApp};

const TOWNS: [&str; 6] = ["Georgetown, TX", "Kyle, TX", "Lockhart, TX", "Marfa, TX", "Ithaca, NY", "Bend, OR"];
/// Addresses of each town: those of its businesses, and those on streets with directions and numbers for names.
const OWN: usize = 35;
const NUMBERED: usize = 15;
const STREETS: [&str; 15] = [
    "N Lamar Blvd",
    "W 6th St",
    "South 1st Street",
    "E Fifth Ave",
    "NW 23rd Ave",
    "3rd St",
    "SE Cedar Rd",
    "North Loop Blvd",
    "42nd St",
    "S Congress Avenue",
    "West 12th Street",
    "E Third St",
    "SW Tenth Ave",
    "N 101st Dr",
    "East Riverside Drive",
];
/// Farthest that a located address may be from its door, in metres, and the share of addresses that must be nearer.
const NEAR_METRES: f64 = 50.0;
const NEAR_SHARE: f64 = 0.95;
const MILE_METRES: f64 = 1_609.344;

/// Pairs of spellings, the short one first.
const SPELLINGS: [(&str, &str); 14] = [
    ("N", "North"),
    ("S", "South"),
    ("E", "East"),
    ("W", "West"),
    ("NW", "Northwest"),
    ("SE", "Southeast"),
    ("SW", "Southwest"),
    ("St", "Street"),
    ("Ave", "Avenue"),
    ("Rd", "Road"),
    ("Blvd", "Boulevard"),
    ("Dr", "Drive"),
    ("Ln", "Lane"),
    ("Pkwy", "Parkway"),
];
const ORDINALS: [(&str, &str); 6] =
    [("1st", "First"), ("3rd", "Third"), ("5th", "Fifth"), ("6th", "Sixth"), ("10th", "Tenth"), ("12th", "Twelfth")];

/// A door, and how somebody types its address.
struct Typed {
    text: String,
    street: String,
    /// Typed with it.
    postal_code: Option<String>,
    town: &'static str,
}

/// Each word as the other column of these tables writes it.
fn respelt(street: &str, tables: &[&[(&str, &str)]], is_long: bool) -> String {
    let word = |word: &str| {
        let pairs = tables.iter().flat_map(|table| table.iter());
        let pairs = pairs.map(|(short, long)| if is_long { (short, long) } else { (long, short) });
        pairs.into_iter().find(|(from, _)| **from == word).map_or(word.to_owned(), |(_, to)| (*to).to_owned())
    };
    street.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// The address in one of seven spellings.
fn typed(business: &Business, town: &'static str, spelling: usize) -> Typed {
    let street = business.street.clone();
    let spelt = match spelling {
        0..=2 => street.clone(),
        3 => respelt(&street, &[&SPELLINGS], true),
        4 => respelt(&street, &[&SPELLINGS, &ORDINALS], false),
        5 => respelt(&street, &[&ORDINALS], true),
        _ => respelt(&street, &[&SPELLINGS, &ORDINALS], true),
    };
    let postal_code = business.postal_code.clone().filter(|_| ![2, 5, 6].contains(&spelling));
    let code = postal_code.as_ref().map(|code| format!(" {code}")).unwrap_or_default();
    let text = format!("{spelt}, {town}{code}");
    let text = match spelling {
        1 => text.to_uppercase(),
        6 => text.to_lowercase(),
        _ => text,
    };
    Typed { text, street, postal_code, town }
}

/// Businesses by town and street with number, as the sandbox writes them.
type Doors = HashMap<(&'static str, String), Vec<Business>>;

/// Businesses on streets that the world does not have, addresses to be found, and the points of every address of their towns.
fn addresses() -> (Vec<Business>, Vec<Typed>, Doors) {
    let (mut extra, mut all, mut doors) = (Vec::new(), Vec::new(), Doors::new());
    for town in TOWNS {
        let area = places::locate(town).unwrap().place.area(Scope::City);
        let businesses: Vec<Business> =
            places::categories().iter().flat_map(|category| world().businesses(&area, category)).collect();
        let numbered = STREETS.iter().zip(&businesses).enumerate().map(|(number, (street, like))| {
            let point = Point { latitude: area.centre().latitude + 0.001 * number as f64, ..area.centre() };
            let street = format!("{} {street}", 100 + 37 * number);
            Business { id: format!("numbered-{town}-{number}"), street, point, ..like.clone() }
        });
        let numbered: Vec<Business> = numbered.take(NUMBERED).collect();
        let every = businesses.len() / OWN;
        let chosen = businesses.iter().step_by(every.max(1)).take(OWN).chain(&numbered);
        let turn = all.len();
        all.extend(chosen.enumerate().map(|(number, business)| typed(business, town, (turn + number) % 7)));
        for business in businesses.iter().chain(&numbered) {
            doors.entry((town, business.street.clone())).or_default().push(business.clone());
        }
        extra.extend(numbered);
    }
    (extra, all, doors)
}

/// Metres from the circle's centre to the door. A few addresses of the made-up towns are those of two houses: then to the nearer one.
async fn metres_off(test: &TestApp, key: &str, (address, doors): (&Typed, &[Business])) -> f64 {
    let query = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs([("location", address.text.as_str()), ("radius_miles", "5")])
        .finish();
    let answer = test.get(&format!("/area?{query}"), key).await;
    if answer.status != StatusCode::OK {
        return f64::INFINITY;
    }
    let centre = &answer.json()["centre"];
    let found =
        Point { latitude: centre["latitude"].as_f64().unwrap(), longitude: centre["longitude"].as_f64().unwrap() };
    let is_meant = |door: &&Business| address.postal_code.is_none() || door.postal_code == address.postal_code;
    let metres = doors.iter().filter(is_meant).map(|door| door.point.miles_to(found) * MILE_METRES);
    metres.fold(f64::INFINITY, f64::min)
}

#[rstest]
#[case::nominatim("nominatim")]
#[case::photon("photon")]
#[case::census("census")]
#[tokio::test]
async fn nearly_all_street_addresses_are_found_within_50_metres_however_they_are_spelt(#[case] geocoder: &str) {
    let (extra, all, doors) = addresses();
    assert_eq!(all.len(), 300);
    let rehearsal = Rehearsal::new(world(), Options { extra, ..Options::default() });
    let base = serve(rehearsal.router()).await;
    let change = |settings: &mut Settings| {
        settings.maps.geocoders = GeocoderNames::parse(geocoder).unwrap();
        settings.maps.nominatim_url = Some(base.clone());
        settings.maps.photon_url = Some(base.clone());
        settings.maps.census_url = base.clone();
    };
    let test = TestApp::with(On::Sqlite, change, More::default()).await;
    let (_, key) = test.whole_account(100).await;
    let mut off = Vec::new();
    for address in &all {
        // The provider's pace is kept on the test's clock.
        test.clock.advance_seconds(2);
        let metres = metres_off(&test, &key, (address, &doors[&(address.town, address.street.clone())])).await;
        if metres > NEAR_METRES {
            println!("{metres:>9.0} m off: {:?}, which is {:?}", address.text, address.street);
        }
        off.push(metres);
    }
    let near = off.iter().filter(|metres| **metres <= NEAR_METRES).count() as f64 / off.len() as f64;
    off.sort_by(f64::total_cmp);
    println!("{geocoder}: {:.1} % within {NEAR_METRES} m, median {:.1} m", near * 100.0, off[off.len() / 2]);
    assert!(near >= NEAR_SHARE, "{:.1} % within {NEAR_METRES} m", near * 100.0);
}
