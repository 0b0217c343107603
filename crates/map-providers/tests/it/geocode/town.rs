//! Addresses of the sandbox's towns, typed in many ways.

use std::collections::HashMap;

use map_providers::geocode::AddressQuery;
use places::{Point, Scope, StreetText, locate};
use sandbox::{Business, World};

pub(crate) const SEED: u64 = 7;

/// Towns whose addresses are typed: one of the sandbox's own and three of the map.
pub(crate) const TOWNS: [&str; 4] = ["Plainville, Sandbox", "Georgetown, TX", "Freising, Germany", "Annecy, France"];

/// An address as it was typed, and where it lies.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    pub(crate) text: String,
    pub(crate) query: AddressQuery,
    pub(crate) point: Point,
}

/// The businesses of a town that say that they are in it.
pub(crate) fn businesses(world: &World, town: &str) -> Vec<Business> {
    let (area, name) = match sandbox::test_place(town) {
        Some(place) => (place.area(Scope::City), place.city().to_owned()),
        None => {
            let place = locate(town).expect(town).place;
            (place.area(Scope::City), place.city.expect(town))
        }
    };
    let all = places::categories().iter().flat_map(|category| world.businesses(&area, category));
    all.filter(|business| business.city == name).collect()
}

/// Some of the addresses of a town, evenly spread over its businesses, each in another spelling.
pub(crate) fn typed(world: &World, town: &str, count: usize) -> Vec<Typed> {
    let mut all = businesses(world, town);
    // Several businesses may claim one address, and then there is no telling which of their points it is.
    let address = |business: &Business| {
        let StreetText { number, street, .. } = StreetText::parse(&business.street, business.country)?;
        Some((number?, street))
    };
    let mut claims: HashMap<Option<(String, String)>, usize> = HashMap::new();
    all.iter().for_each(|business| *claims.entry(address(business)).or_default() += 1);
    all.retain(|business| claims[&address(business)] == 1);
    let step = (all.len() / count).max(1);
    let some = all.iter().step_by(step).take(count).enumerate();
    some.map(|(turn, business)| {
        let street = spelled(business, turn);
        let text = format!("{street}, {town}");
        let query = match sandbox::test_place(town) {
            Some(place) => {
                let StreetText { number, street, .. } = StreetText::parse(&street, "US").expect("a street");
                AddressQuery {
                    typed: text.clone(),
                    number,
                    street,
                    city: Some(place.city().to_owned()),
                    state: Some(place.state().to_owned()),
                    postal_code: None,
                    country: place.country(),
                    within: place.circle(20.0).bounds(),
                }
            }
            None => AddressQuery::of(&locate(&text).expect(&text)).expect(&text),
        };
        Typed { text, query, point: business.point }
    })
    .collect()
}

/// The street of a business as people may type it.
fn spelled(business: &Business, turn: usize) -> String {
    let StreetText { number, street, .. } = StreetText::parse(&business.street, business.country).expect("a street");
    let number = number.expect("a number");
    let in_order = |street: &str| match business.country {
        "DE" => format!("{street} {number}"),
        _ => format!("{number} {street}"),
    };
    match (business.country, turn % 6) {
        ("DE", 1) => in_order(&street.replace("straße", "str.")),
        ("DE", 2) => in_order(&street.replace("straße", "strasse").replace('ü', "ue")),
        ("FR", 1) => in_order(&street.replace("rue ", "r. ").replace("avenue ", "av. ")),
        ("FR", 2) => in_order(&street.replace('é', "e").replace("boulevard", "bd")),
        ("US", 1) => in_order(&in_full(&street)),
        ("US", 2) => in_order(&street.replace(' ', ". ")),
        (_, 3) => in_order(&street.to_lowercase()),
        (_, 4) => in_order(&street.to_uppercase()),
        ("US", 5) => format!("{} Suite 210", in_order(&street)),
        _ => business.street.clone(),
    }
}

fn in_full(street: &str) -> String {
    let pairs = [
        ("N", "North"),
        ("S", "South"),
        ("E", "East"),
        ("W", "West"),
        ("St", "Street"),
        ("Ave", "Avenue"),
        ("Rd", "Road"),
        ("Blvd", "Boulevard"),
        ("Dr", "Drive"),
        ("Ln", "Lane"),
        ("Pkwy", "Parkway"),
        ("5th", "Fifth"),
        ("9th", "Ninth"),
    ];
    let word = |word: &str| {
        pairs.iter().find(|(short, _)| *short == word).map_or(word.to_owned(), |(_, full)| (*full).to_owned())
    };
    street.split(' ').map(word).collect::<Vec<String>>().join(" ")
}
