//! Pairs written by hand, one for each rule. All businesses are invented.

use place_data::matching::{RuledOut, same, score};
use place_data::{Address, Brand, Place};
use places::Point;

use super::world::categories;

/// A record: name, metres north, category, phone, website, street. Empty means not known.
struct Record(&'static str, f64, &'static str, &'static str, &'static str, &'static str);

fn place(record: &Record) -> Place {
    let Record(name, metres, category, phone, website, street) = *record;
    let texts = |text: &str| if text.is_empty() { Vec::new() } else { vec![text.to_owned()] };
    let mut place = Place::new("id", name, Point { latitude: 38.6 + metres / 111_195.0, longitude: -90.2 });
    if !category.is_empty() {
        place.categories = categories(category);
    }
    (place.phones, place.websites) = (texts(phone), texts(website));
    let freeform = texts(street).pop();
    place.addresses = vec![Address { freeform, country: Some("US".to_owned()), ..Default::default() }];
    place
}

const SAME: &[(Record, Record)] = &[
    // A trade's name in two spellings, 40 m apart.
    (
        Record("Hargrove's Plumbing", 0.0, "plumbing", "", "", ""),
        Record("Hargroves Plumming LLC", 40.0, "craft=plumber", "", "", ""),
    ),
    // The same name and domain, 25 m apart.
    (
        Record("Copper Kettle", 0.0, "coffee_shop", "", "https://copperkettle.com/", ""),
        Record("Copper Kettle", 25.0, "amenity=cafe", "", "http://www.copperkettle.com", ""),
    ),
    // Moved: the same name, phone and trade, another address.
    (
        Record("Okafor Dental", 0.0, "dentist", "+13145550142", "", "12 Main St"),
        Record("Okafor Dental", 2_000.0, "dentist", "314-555-0142", "", "700 Elm Ave"),
    ),
    // Badly geocoded: the same address.
    (
        Record("Vance Bakery", 0.0, "bakery", "", "", "12 Main St"),
        Record("Vance Bakery", 400.0, "shop=bakery", "", "", "12 Main Street"),
    ),
    // Another script, the same phone.
    (
        Record("Кафе Встреча", 0.0, "cafe", "+13145550142", "", ""),
        Record("Meeting Point", 20.0, "amenity=cafe", "(314) 555-0142", "", ""),
    ),
    // Initials.
    (
        Record("Brandt Tillman Vance Attorneys", 0.0, "lawyer", "+13145550142", "", ""),
        Record("BTVA", 20.0, "lawyer", "+13145550142", "", ""),
    ),
    // A practitioner and the practice that has his name, with one phone.
    (
        Record("Dr. John Castellano, DDS", 0.0, "dentist", "+13145550142", "", ""),
        Record("Castellano Family Dentistry", 10.0, "dentist", "+13145550142", "", ""),
    ),
    // The town in one name, word order, abbreviations.
    (
        Record("Riverbend Animal Hospital", 0.0, "veterinarian", "", "", "5 Oak Rd"),
        Record("Animal Hosp. Riverbend", 60.0, "amenity=veterinary", "", "", "5 Oak Road"),
    ),
    // Trades in two languages.
    (
        Record("Bäckerei Grünwald", 0.0, "bakery", "", "", ""),
        Record("Gruenwald Bakery", 30.0, "shop=bakery", "", "", ""),
    ),
    // The page in a network, with other spellings of its address.
    (
        Record("Lucky Horseshoe", 0.0, "bar", "", "https://www.facebook.com/luckyhorseshoe/", ""),
        Record("The Lucky Horseshoe Saloon", 150.0, "bar", "", "http://m.facebook.com/LuckyHorseshoe?ref=x", ""),
    ),
];

const DIFFERENT: &[(Record, Record)] = &[
    // Two dentists in one house, with one reception and one website.
    (
        Record("Dr. Anna Sorensen, DDS", 0.0, "dentist", "+13145550142", "https://mainstreetdental.com", "12 Main St"),
        Record("Dr. Paul Abernathy, DDS", 0.0, "dentist", "+13145550142", "https://mainstreetdental.com", "12 Main St"),
    ),
    (
        Record("Sorensen Dental", 0.0, "dentist", "+13145550142", "", "12 Main St"),
        Record("Abernathy Dental", 0.0, "dentist", "+13145550142", "", "12 Main St"),
    ),
    // Two people of one name.
    (
        Record("Dr. Anna Sorensen", 0.0, "dentist", "+13145550142", "", "12 Main St"),
        Record("Dr. Peter Sorensen", 0.0, "dentist", "+13145550142", "", "12 Main St"),
    ),
    // Branches: the same name and domain, 300 m apart.
    (
        Record("Copper Kettle", 0.0, "coffee_shop", "", "https://copperkettle.com/", ""),
        Record("Copper Kettle", 300.0, "amenity=cafe", "", "http://www.copperkettle.com", ""),
    ),
    // Pages of two stores.
    (
        Record("Copper Kettle", 0.0, "coffee_shop", "+13145550142", "https://copperkettle.com/stores/12", "12 Main St"),
        Record(
            "Copper Kettle",
            90.0,
            "coffee_shop",
            "+13145550177",
            "https://copperkettle.com/stores/15",
            "80 Main St",
        ),
    ),
    // A hotel and its restaurant, a supermarket and its pharmacy.
    (
        Record("Hotel Blue Heron", 0.0, "hotel", "+13145550142", "https://blueheron.com", "12 Main St"),
        Record("Restaurant Blue Heron", 5.0, "restaurant", "+13145550142", "https://blueheron.com", "12 Main St"),
    ),
    (
        Record("Delmont Market", 0.0, "supermarket", "+13145550142", "https://delmont.com", "12 Main St"),
        Record("Delmont Market Pharmacy", 5.0, "pharmacy", "+13145550142", "https://delmont.com", "12 Main St"),
    ),
    // A bank and its cash machine.
    (
        Record("Pruitt Bank", 0.0, "bank_credit_union", "", "", "12 Main St"),
        Record("Pruitt Bank", 5.0, "amenity=atm", "", "", "12 Main St"),
    ),
    // Numbered branches.
    (
        Record("Fire Station 12", 0.0, "fire_department", "", "", ""),
        Record("Fire Station 14", 60.0, "amenity=fire_station", "", "", ""),
    ),
    (
        Record("Harlow High School", 0.0, "school", "", "", ""),
        Record("Harlow Middle School", 60.0, "amenity=school", "", "", ""),
    ),
    // Names that begin with another letter, each with its own domain.
    (
        Record("Mozza", 0.0, "restaurant", "", "https://mozza.example.com", ""),
        Record("Cozza", 11.0, "restaurant", "", "https://cozza.net", ""),
    ),
    // Nothing but a trade.
    (
        Record("Pizzeria", 0.0, "pizza_restaurant", "", "", ""),
        Record("Pizzeria", 140.0, "amenity=restaurant", "", "", ""),
    ),
    // Two practices on one directory.
    (
        Record("Whitfield Dental", 0.0, "dentist", "", "https://www.yelp.com/biz/whitfield", ""),
        Record("Tillman Dental", 20.0, "dentist", "", "https://www.yelp.com/biz/tillman", ""),
    ),
];

#[test]
fn one_business_is_recognised() {
    for (a, b) in SAME {
        let (a, b) = (place(a), place(b));
        assert!(same(&a, &b) && same(&b, &a), "{} and {}: {:?}", a.name, b.name, score(&a, &b));
    }
}

#[test]
fn two_businesses_are_told_apart() {
    for (a, b) in DIFFERENT {
        let (a, b) = (place(a), place(b));
        assert!(!same(&a, &b) && !same(&b, &a), "{} and {}: {:?}", a.name, b.name, score(&a, &b));
    }
}

#[test]
fn branches_of_a_brand_are_told_apart_at_a_shorter_distance() {
    let store = |metres, phone: &'static str| {
        let mut place = place(&Record("Delmont", metres, "supermarket", phone, "https://delmont.com", ""));
        place.brand = Some(Brand { name: Some("Delmont".to_owned()), wikidata: None });
        place
    };
    assert!(same(&store(0.0, ""), &store(50.0, "")));
    assert!(!same(&store(0.0, "+13145550142"), &store(130.0, "+13145550177")));
}

#[test]
fn a_score_says_what_ruled_it_out() {
    let rule = |at: usize| score(&place(&DIFFERENT[at].0), &place(&DIFFERENT[at].1)).ruled_out;
    assert_eq!(rule(0), Some(RuledOut::Name));
    assert_eq!(rule(5), Some(RuledOut::Department));
    assert_eq!(rule(7), Some(RuledOut::Facility));
    assert_eq!(rule(9), Some(RuledOut::Branch));
}
