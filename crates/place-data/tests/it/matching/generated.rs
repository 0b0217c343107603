//! Pairs generated from made-up businesses: the same business in another source, and businesses that are easily confused.

use place_data::{Brand, Place};

use super::evaluate::{Pair, check};
use super::perturb::{changed_digits, moved, other_record};
use super::random::Random;
use super::world::{COUNTRIES, Country, Trade, categories};

/// Pairs per kind and country.
const PAIRS_EACH: usize = 60;

#[test]
fn generated_pairs_are_matched_with_the_precision_and_recall_we_promise() {
    let mut random = Random(1);
    let mut pairs = Vec::new();
    for country in COUNTRIES {
        for number in 0..PAIRS_EACH {
            let place = country.business(number, &mut random);
            pairs.extend(pairs_of(country, &place, &mut random));
        }
    }
    check("generated", &pairs);
}

fn pairs_of(country: &Country, place: &Place, random: &mut Random) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for _ in 0..4 {
        let mut other = other_record(place, random);
        if random.percent(50) {
            let tag = country.trades.iter().find(|trade| Some(trade.1) == place.categories.primary.as_deref());
            other.categories = categories(tag.map_or("shop=yes", |trade| trade.2));
        }
        pairs.push(Pair { kind: "same, other source", a: place.clone(), b: other, same: true });
    }
    let different: [(&'static str, Place); 5] = [
        ("neighbour of the same trade", neighbour(country, place, random)),
        ("branch", branch(country, place, random)),
        ("practitioner of the same practice", practitioner(country, place, random)),
        ("department", department(place, random)),
        ("same surname, other trade", other_trade(country, place, random)),
    ];
    for (kind, other) in different {
        let a =
            if kind == "practitioner of the same practice" { doctor(country, place, random) } else { place.clone() };
        if a.name != other.name || kind == "branch" {
            pairs.push(Pair { kind, a, b: other, same: false });
        }
    }
    pairs
}

/// Another business of the same trade in the same house, perhaps with the same reception.
fn neighbour(country: &Country, place: &Place, random: &mut Random) -> Place {
    let mut other = place.clone();
    let trade = country.trades.iter().find(|trade| Some(trade.1) == place.categories.primary.as_deref()).unwrap();
    let mut names = std::iter::repeat_with(|| country.surname(random));
    let surname = names.find(|name| !place.name.contains(name)).unwrap();
    other.id = format!("n{}", place.id);
    other.name = country.name(surname, trade, random);
    other.websites = vec![country.website(&other.name, 3)];
    if random.percent(60) {
        other.phones = vec![country.phone(random)];
    }
    other.point = moved(place.point, random.fraction() * 30.0, random);
    other
}

/// A branch of the same chain, with the same website.
fn branch(country: &Country, place: &Place, random: &mut Random) -> Place {
    let mut other = place.clone();
    other.id = format!("b{}", place.id);
    other.phones = place.phones.iter().map(|phone| changed_digits(phone, random)).collect();
    other.addresses = if random.percent(70) { vec![country.address(random)] } else { Vec::new() };
    other.brand = random.percent(50).then(|| Brand { name: Some(place.name.clone()), wikidata: None });
    other.point = moved(place.point, 300.0 + random.fraction() * 3_000.0, random);
    other
}

fn doctor(country: &Country, place: &Place, random: &mut Random) -> Place {
    let mut doctor = place.clone();
    let given = random.pick(&["John", "Maria", "Peter", "Anna", "Lukas"]);
    doctor.name = format!("Dr. {given} {}", country.surname(random));
    doctor
}

/// A colleague with the same phone, website and address.
fn practitioner(country: &Country, place: &Place, random: &mut Random) -> Place {
    let mut other = place.clone();
    other.id = format!("p{}", place.id);
    let given = random.pick(&["Robert", "Claire", "Thomas", "Ingrid", "Hugo"]);
    other.name = format!("Dr. {given} {}", country.surname(random));
    other
}

/// A restaurant or a pharmacy with the name, phone and website of the house it is in.
fn department(place: &Place, random: &mut Random) -> Place {
    let mut other = place.clone();
    let food = ["restaurant", "pizza_restaurant", "coffee_shop", "bakery", "cafe", "french_restaurant"];
    let is_food = place.categories.primary.as_deref().is_some_and(|primary| food.contains(&primary));
    let (word, category) = if is_food { ("Hotel", "hotel") } else { ("Restaurant", "restaurant") };
    other.id = format!("d{}", place.id);
    other.name = format!("{word} {}", place.name);
    other.categories = categories(category);
    other.point = moved(place.point, random.fraction() * 20.0, random);
    other
}

/// A relative with a business of his own next door.
fn other_trade(country: &Country, place: &Place, random: &mut Random) -> Place {
    let mut other = place.clone();
    let trades: Vec<&Trade> =
        country.trades.iter().filter(|trade| Some(trade.1) != place.categories.primary.as_deref()).collect();
    let trade = random.pick(&trades);
    let own = country.trades.iter().find(|trade| Some(trade.1) == place.categories.primary.as_deref()).unwrap();
    other.id = format!("o{}", place.id);
    other.name = place.name.replace(own.0, trade.0);
    other.categories = categories(trade.1);
    other.phones = vec![country.phone(random)];
    other.websites = vec![country.website(&other.name, 5)];
    other.addresses = vec![country.address(random)];
    other.point = moved(place.point, 40.0 + random.fraction() * 30.0, random);
    other
}
