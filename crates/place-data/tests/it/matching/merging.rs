//! Several sources as one: fields from the better source, ids that stay, and no chain of two different places.

use place_data::merge::{Field, Merged, SourceTag, merge, merge_all};
use place_data::{Address, OperatingStatus, Origin, Place};
use places::Point;

use super::perturb::other_record;
use super::random::Random;
use super::world::{COUNTRIES, categories};

fn tag(name: &str) -> SourceTag {
    SourceTag::from(name)
}

fn place(id: &str, name: &str, metres_north: f64) -> Place {
    let point = Point { latitude: 50.0 + metres_north / 111_320.0, longitude: 8.0 };
    Place { categories: categories("plumbing"), ..Place::new(id, name, point) }
}

fn updated(day: &str) -> Vec<Origin> {
    vec![Origin { dataset: "made up".to_owned(), record_id: None, updated: Some(day.to_owned()) }]
}

fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

fn ids(merged: &[Merged]) -> Vec<String> {
    let line = |merged: &Merged| {
        let aliases = merged.aliases.iter().map(|(source, id)| format!("={source}:{id}"));
        format!("{}:{}{}", merged.source, merged.place.id, aliases.collect::<String>())
    };
    merged.iter().map(line).collect()
}

#[test]
fn each_field_comes_from_the_better_source_and_says_so() {
    let mut old = place("a1", "HARGROVE PLUMBING", 0.0);
    old.websites = strings(&["https://www.facebook.com/hargroveplumbing"]);
    old.phones = strings(&["(314) 555-0142", "not a number"]);
    old.origins = updated("2019-03-01");
    old.rating = Some(4.5);
    old.addresses = vec![Address {
        locality: Some("Cedarville".into()),
        postcode: Some("63101".into()),
        country: Some("US".into()),
        ..Default::default()
    }];
    let mut new = place("n7", "Hargrove Plumbing", 20.0);
    new.websites = strings(&["https://hargroveplumbing.com/"]);
    new.phones = strings(&["+1 314 555 0142", "+1 314 555 0199"]);
    new.emails = strings(&["office@hargroveplumbing.com"]);
    new.opening_hours = Some("Mo-Fr 08:00-17:00".into());
    new.status = OperatingStatus::TemporarilyClosed;
    new.origins = updated("2026-05-01T00:00:00Z");
    new.addresses =
        vec![Address { freeform: Some("12 Main St".into()), country: Some("US".into()), ..Default::default() }];
    let merged = merge(vec![(tag("overture"), old), (tag("osm"), new.clone())]).unwrap();

    assert_eq!((merged.place.id.as_str(), merged.source.as_str()), ("a1", "overture"));
    assert_eq!(merged.aliases, [(tag("osm"), "n7".to_owned())]);
    assert_eq!(merged.place.name, "Hargrove Plumbing");
    assert_eq!(merged.place.websites, ["https://hargroveplumbing.com/", "https://www.facebook.com/hargroveplumbing"]);
    assert_eq!(merged.place.phones, ["+1 314 555 0142", "+1 314 555 0199", "not a number"]);
    assert_eq!(merged.place.status, OperatingStatus::TemporarilyClosed);
    assert_eq!(merged.place.rating, Some(4.5));
    assert_eq!(merged.place.point, new.point);
    let address = &merged.place.addresses[0];
    assert_eq!((address.freeform.as_deref(), address.postcode.as_deref()), (Some("12 Main St"), Some("63101")));
    for (field, source) in [
        (Field::Name, "osm"),
        (Field::Website, "osm"),
        (Field::Street, "osm"),
        (Field::Postcode, "overture"),
        (Field::Rating, "overture"),
        (Field::OpeningHours, "osm"),
        (Field::Category, "overture"),
    ] {
        assert_eq!(merged.source_of(field).as_str(), source, "{}", field.as_str());
    }
}

#[test]
fn every_value_of_a_list_says_where_it_comes_from() {
    let mut one = place("a1", "Hargrove Plumbing", 0.0);
    one.phones = strings(&["(800) 555-0100", "314 555 0142"]);
    one.emails = strings(&["Info@hargrove.com"]);
    one.addresses = vec![Address { country: Some("US".into()), ..Default::default() }];
    let mut other = place("n7", "Hargrove Plumbing", 20.0);
    other.phones = strings(&["+1 314 555 0142", "+1 314 555 0199"]);
    other.emails = strings(&["info@hargrove.com", "office@hargrove.com"]);
    let merged = merge(vec![(tag("overture"), one), (tag("osm"), other)]).unwrap();
    // The place's own numbers before that of the whole company; a number that both have is that of the first.
    assert_eq!(merged.place.phones, ["314 555 0142", "+1 314 555 0199", "(800) 555-0100"]);
    let sources = |field, count| (0..count).map(|at| merged.source_of_value(field, at).as_str()).collect::<Vec<_>>();
    assert_eq!(sources(Field::Phone, 3), ["overture", "osm", "overture"]);
    assert_eq!(merged.place.emails, ["Info@hargrove.com", "office@hargrove.com"]);
    assert_eq!(sources(Field::Email, 2), ["overture", "osm"]);
    assert_eq!((merged.id_in(&tag("osm")), merged.id_in(&tag("overture"))), ("n7", "a1"));
}

#[test]
fn a_field_comes_from_the_newer_of_equally_good_records() {
    let mut old = place("a1", "Hargrove Plumbing", 0.0);
    old.opening_hours = Some("Mo-Fr 08:00-17:00".into());
    old.status = OperatingStatus::TemporarilyClosed;
    (old.rating, old.review_count) = (Some(4.9), Some(3));
    old.origins = updated("2019-03-01");
    old.categories = categories("plumbing");
    let mut new = place("n7", "Hargrove Plumbers", 20.0);
    new.opening_hours = Some("24/7".into());
    (new.rating, new.review_count) = (Some(4.1), Some(250));
    new.origins = updated("2026-05-01");
    new.categories = categories("craft=plumber");
    let merged = merge(vec![(tag("overture"), old), (tag("osm"), new)]).unwrap();
    assert_eq!(merged.place.name, "Hargrove Plumbers");
    assert_eq!(merged.place.status, OperatingStatus::Open, "it has opened again since");
    assert_eq!(merged.place.opening_hours.as_deref(), Some("24/7"));
    assert_eq!((merged.place.rating, merged.place.review_count), (Some(4.1), Some(250)), "more reviews say more");
    assert_eq!(merged.place.categories.primary.as_deref(), Some("plumbing"));
    assert_eq!(merged.place.categories.alternates, ["craft=plumber"]);
    assert_eq!(merged.place.origins.len(), 2);
}

#[test]
fn an_address_is_completed_only_by_the_same_house() {
    let address = |street: &str, town: Option<&str>, postcode: Option<&str>| Address {
        freeform: Some(street.to_owned()),
        locality: town.map(str::to_owned),
        postcode: postcode.map(str::to_owned),
        ..Default::default()
    };
    let mut one = place("a1", "Hargrove Plumbing", 0.0);
    one.addresses = vec![address("12 Main St", Some("Cedarville"), None)];
    let mut same_house = place("n7", "Hargrove Plumbing", 20.0);
    same_house.addresses = vec![address("12 Main Street", None, Some("63101"))];
    let mut other_house = place("7", "Hargrove Plumbing", 30.0);
    other_house.addresses = vec![address("90 Elm Ave", None, Some("99999"))];
    let merged = merge(vec![(tag("overture"), one), (tag("csv"), other_house), (tag("osm"), same_house)]).unwrap();
    let [main, other] = merged.place.addresses.as_slice() else { panic!("{:?}", merged.place.addresses) };
    assert_eq!((main.freeform.as_deref(), main.postcode.as_deref()), (Some("12 Main St"), Some("63101")));
    assert_eq!(other.freeform.as_deref(), Some("90 Elm Ave"));
    assert_eq!(merged.source_of(Field::Street).as_str(), "overture");
    assert_eq!(merged.source_of(Field::Postcode).as_str(), "osm");
    assert_eq!(merged.source_of(Field::Point).as_str(), "overture");
}

#[test]
fn one_record_stays_as_it_is() {
    let only = place("a1", "Hargrove Plumbing", 0.0);
    let merged = merge(vec![(tag("csv"), only.clone())]).unwrap();
    assert_eq!((merged.place, merged.source.as_str(), merged.aliases.len()), (only, "csv", 0));
    assert_eq!(merge(Vec::new()), None);
}

#[test]
fn a_business_of_three_sources_is_one_place() {
    let sources = [
        (tag("overture"), vec![place("a", "Hargrove Plumbing LLC", 0.0), place("b", "Okafor Dental", 10.0)]),
        (tag("osm"), vec![place("n1", "Hargrove Plumbing", 30.0)]),
        (tag("csv"), vec![place("7", "HARGROVE PLUMBNG", 15.0)]),
    ];
    assert_eq!(ids(&merge_all(&sources)), ["overture:a=osm:n1=csv:7", "overture:b"]);
}

#[test]
fn two_places_of_one_source_are_not_joined_through_a_third_record() {
    // Both branches are near enough to the record of the other source; only the nearer one is it.
    let mut near = place("a", "Hargrove Plumbing", 0.0);
    let mut far = place("b", "Hargrove Plumbing", 110.0);
    near.phones = strings(&["+1 314 555 0142"]);
    far.phones = strings(&["+1 314 555 0177"]);
    let sources = [(tag("overture"), vec![far, near]), (tag("osm"), vec![place("n1", "Hargrove Plumbing", 40.0)])];
    assert_eq!(ids(&merge_all(&sources)), ["overture:a=osm:n1", "overture:b"]);
}

#[test]
fn a_source_that_clearly_repeats_itself_is_merged_with_itself() {
    let mut twice = place("b", "Hargrove Plumbing", 3.0);
    twice.phones = strings(&["+1 314 555 0142"]);
    let mut once = place("a", "Hargrove Plumbing", 0.0);
    once.phones = strings(&["314-555-0142"]);
    once.addresses = vec![Address { country: Some("US".into()), ..Default::default() }];
    assert_eq!(ids(&merge_all(&[(tag("osm"), vec![twice, once])])), ["osm:a=osm:b"]);
}

#[test]
fn the_order_within_a_source_does_not_matter() {
    let mut random = Random(5);
    let sources = town(400, &mut random);
    let forwards = merge_all(&sources);
    let backwards = sources.map(|(source, mut places)| {
        places.reverse();
        (source, places)
    });
    assert_eq!(forwards, merge_all(&backwards));
}

#[test]
fn nearly_all_businesses_of_a_town_are_merged_and_hardly_any_wrongly() {
    let mut random = Random(6);
    let merged = merge_all(&town(1_500, &mut random));
    let (mut right, mut wrong) = (0, 0);
    for place in &merged {
        let own = place.place.id.trim_start_matches('x');
        for (_, alias) in &place.aliases {
            if alias.trim_start_matches('x') == own { right += 1 } else { wrong += 1 }
        }
    }
    eprintln!("town: {right} records merged rightly, {wrong} wrongly, of 3000");
    assert!(right >= 2_700 && wrong * 50 <= right, "{right} right, {wrong} wrong");
}

/// Made-up businesses as three sources have them.
fn town(count: usize, random: &mut Random) -> [(SourceTag, Vec<Place>); 3] {
    let mut sources = [(tag("overture"), Vec::new()), (tag("osm"), Vec::new()), (tag("csv"), Vec::new())];
    for number in 0..count {
        let mut place = COUNTRIES[number % COUNTRIES.len()].business(number, random);
        // About 50 businesses per square kilometre, as in a spread-out city.
        place.point.latitude += (number / 4_000) as f64 * 0.06;
        for source in sources.iter_mut().skip(1) {
            source.1.push(other_record(&place, random));
        }
        sources[0].1.push(place);
    }
    sources
}
