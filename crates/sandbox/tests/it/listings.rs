//! Listings: reproducible, inside their area, without duplicates, as many as counted.

use std::collections::HashSet;

use places::{Area, Point, Scope};
use proptest::prelude::*;
use sandbox::{Business, Fault, Website, World, test_place, test_places};

use crate::support::{self, SEED, areas, host, trade};

#[test]
fn the_same_seed_yields_the_same_businesses_and_another_seed_others() {
    let of =
        |seed: u64| -> Vec<Business> { World::new(seed).businesses(&areas()[0], trade("dentist")).take(200).collect() };
    assert_eq!(of(SEED), of(SEED));
    let (one, other) = (of(SEED), of(SEED + 1));
    assert!(one.iter().all(|business| !other.contains(business)));
}

#[test]
fn every_business_lies_in_its_area_and_is_found_by_id_and_host() {
    let world = World::new(SEED);
    for area in areas() {
        let mut ids = HashSet::new();
        for business in world.businesses(&area, trade("plumber")).take(300) {
            assert!(area.contains(business.point), "{business:?}");
            assert!(ids.insert(business.id.clone()), "{} comes twice", business.id);
            assert_eq!(world.business(&business.id).as_ref(), Some(&business));
            if let Some(host) = host(&business) {
                for host in [host.to_owned(), format!("{host}:8080"), format!("www.{host}"), host.to_uppercase()] {
                    assert_eq!(world.at_host(&host).map(|found| found.id), Some(business.id.clone()), "{host}");
                }
            }
        }
        assert!(!ids.is_empty(), "{}", area.name());
    }
}

#[test]
fn unknown_ids_and_hosts_are_not_found() {
    let (world, other) = (World::new(SEED), World::new(SEED + 1));
    let business = world.businesses(&areas()[0], trade("dentist")).find(|business| host(business).is_some()).unwrap();
    let own = host(&business).unwrap();
    let longer = format!("x{}", business.id);
    for id in ["", "x", "0000000000000", "zzzzzzzzzzzzz", "joe's", longer.as_str(), &business.id[1..]] {
        assert!(world.business(id).is_none(), "{id}");
    }
    assert!(other.business(&business.id).is_none() && other.at_host(own).is_none());
    let disguised = format!("x{own}");
    let elsewhere = own.replace(".localhost", ".example");
    for host in ["", "localhost", ".localhost", "\u{0}", "é.localhost", disguised.as_str(), elsewhere.as_str()] {
        assert!(world.at_host(host).is_none(), "{host}");
        assert!(world.respond(host, "/", 0).is_none(), "{host}");
    }
}

#[test]
fn counts_agree_with_listings() {
    let world = World::new(SEED);
    let wide = |name: &str| places::locate(name).unwrap().place.area(Scope::State);
    for area in areas().into_iter().chain([wide("Texas"), wide("Vermont")]) {
        for slug in ["plumber", "brewery", "dentist"] {
            let listed = world.businesses(&area, trade(slug)).count() as u64;
            let counted = world.count(&area, trade(slug));
            // Beyond a few thousand the count is an estimate.
            let slack = if listed > 1_500 { listed / 10 } else { 0 };
            assert!(counted.abs_diff(listed) <= slack, "{} {slug}: {counted} for {listed}", area.name());
        }
    }
}

#[test]
fn skipping_leads_to_the_same_business_as_iterating() {
    let world = World::new(SEED);
    let area = &areas()[0];
    let all: Vec<Business> = world.businesses(area, trade("dentist")).collect();
    for at in [0, 1, 7, all.len() - 1] {
        let after = world.businesses(area, trade("dentist")).after(at as u64).next().map(|business| business.id);
        assert_eq!(after.as_ref(), Some(&all[at].id));
        assert_eq!(world.businesses(area, trade("dentist")).nth(at).map(|business| business.id), after);
    }
    assert!(world.businesses(area, trade("dentist")).after(u64::MAX).next().is_none());
}

#[test]
fn the_number_of_businesses_follows_the_population() {
    let world = World::new(SEED);
    let town = |name: &str, slug: &str| {
        let area = places::locate(name).unwrap().place.area(Scope::City);
        world.businesses(&area, trade(slug)).take(3_000).count()
    };
    assert!(town("Austin, TX", "dentist") >= 300);
    assert!(town("Elgin, TX", "plumber") >= 3);
    for slug in ["dentist", "restaurant", "lawyer", "hair_salon", "plumber"] {
        assert!(town("New York City, NY", slug) >= 2_500, "{slug}");
    }
}

#[test]
fn listings_have_realistic_gaps() {
    let world = World::new(SEED);
    let all: Vec<Business> = world.businesses(&areas()[2], trade("restaurant")).take(3_000).collect();
    let share = |fits: &dyn Fn(&Business) -> bool| all.iter().filter(|b| fits(b)).count() as f64 / all.len() as f64;
    let near = |share: f64, expect: f64| (share - expect).abs() < 0.025;
    assert!(near(share(&|b| b.website == Website::None), 0.12));
    assert!(near(share(&|b| matches!(b.website, Website::Social(_))), 0.05));
    assert!(near(share(&|b| b.phone.is_none()), 0.06));
    assert!(near(share(&|b| b.rating.is_none()), 0.08));
    assert!(near(share(&|b| b.chain.is_some()), 0.05));
    assert!(share(&|b| b.rating.is_some_and(|stars| (4.0..=4.9).contains(&stars))) > 0.6);
    assert!(share(&|b| b.review_count.is_some_and(|count| count > 500)) > 0.02);
    for business in &all {
        assert!(business.rating.is_none_or(|stars| (1.0..=5.0).contains(&stars)), "{business:?}");
        assert_eq!(business.rating.is_some(), business.review_count.is_some());
        assert!(business.reviews.iter().all(|review| (1..=5).contains(&review.rating) && !review.text.is_empty()));
        assert!(business.postal_code.as_ref().is_some_and(|code| code.len() == 5), "{business:?}");
    }
}

#[test]
fn test_places_have_the_businesses_their_fault_needs() {
    let world = World::new(SEED);
    for place in test_places() {
        let area = place.area(Scope::City);
        let count = world.count(&area, trade("plumber"));
        match place.fault() {
            Fault::Empty | Fault::Blocked => assert_eq!(count, 0, "{}", place.name()),
            Fault::Crowded => assert!(count >= 3_000, "{}: {count}", place.name()),
            Fault::None => assert!(count > 0, "{}", place.name()),
            _ => assert!(count >= 24, "{}: {count}", place.name()),
        }
    }
    let crowd = test_place("Crowdville, Sandbox").unwrap().area(Scope::State);
    for category in places::categories().iter().step_by(19) {
        assert!(world.businesses(&crowd, category).nth(2_999).is_some(), "{}", category.slug);
    }
}

#[test]
fn phones_are_unique_within_a_town_and_trade() {
    let world = World::new(SEED);
    let mut seen = HashSet::new();
    for business in world.businesses(&areas()[0], trade("dentist")).filter(|business| business.city == "Austin") {
        let is_new = business.phone.clone().is_none_or(|phone| seen.insert(phone));
        assert!(is_new, "{business:?}");
    }
    assert!(seen.len() > 300);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_circle_on_earth_yields_businesses_inside_it_without_duplicates(
        latitude in -89.9f64..89.9,
        longitude in -180.0f64..180.0,
        miles in 1.0f64..60.0,
        trade in 0usize..1_000,
        seed: u64,
    ) {
        let world = World::new(seed);
        let area = Area::circle("somewhere", "US", Point { latitude, longitude }, miles);
        let category = &places::categories()[trade % places::categories().len()];
        let mut ids = HashSet::new();
        for business in world.businesses(&area, category).take(60) {
            prop_assert!(area.contains(business.point));
            prop_assert!(ids.insert(business.id.clone()));
            prop_assert_eq!(world.business(&business.id), Some(business));
        }
    }

    #[test]
    fn any_id_host_or_path_is_accepted(id in ".{0,40}", host in "[a-z0-9.:-]{0,80}", path in ".{0,80}", age: u32) {
        let world = World::new(SEED);
        let _ = world.business(&id);
        let _ = world.respond(&host, &path, age % 100);
        let _ = world.respond(&format!("{id}.localhost"), &path, 0);
        let place = test_place("Nastyville, Sandbox").unwrap();
        let some = world.businesses(&place.area(Scope::City), trade("plumber")).nth(age as usize % 40);
        if let Some(host) = some.as_ref().and_then(support::host) {
            prop_assert!(world.respond(host, &path, age).is_some());
        }
    }
}
