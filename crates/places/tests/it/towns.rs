//! Towns: every one can be found, and knows its surroundings.

use places::{Scope, locate, town};

/// Only every n-th town is looked up; all of a country would take a while in a debug build.
const EVERY: usize = 23;

#[test]
fn every_town_is_found_by_its_name_and_state() {
    let towns = locate("USA").unwrap().place.area(Scope::Country).towns();
    let american: Vec<_> = towns.into_iter().filter(|town| town.country == "US").collect();
    assert!(american.len() > 21_000, "{}", american.len());
    for town in american.iter().step_by(EVERY) {
        let typed = format!("{}, {}", town.name, town.state);
        let place = locate(&typed).unwrap_or_else(|error| panic!("{typed}: {error}")).place;
        let found = place.city.as_deref() == Some(town.name);
        assert!(found || place.population >= town.population, "{typed} was read as {}", place.name);
        assert_eq!(place.state.as_deref(), Some(town.state), "{typed}");
        assert!(place.population >= town.population, "{typed}: a smaller one was taken");
    }
}

#[test]
fn towns_abroad_are_found_by_name_and_country() {
    for country in ["Germany", "Canada", "Japan", "Brazil"] {
        let area = locate(country).unwrap().place.area(Scope::Country);
        for town in area.towns().iter().filter(|town| town.country == area.country()).step_by(10 * EVERY) {
            let typed = format!("{}, {country}", town.name);
            let place = locate(&typed).unwrap_or_else(|error| panic!("{typed}: {error}")).place;
            assert_eq!(place.country, town.country, "{typed}");
            assert!(place.population >= town.population, "{typed}: {}", place.name);
        }
    }
}

#[test]
fn nearly_every_town_lies_in_the_outline_of_its_country() {
    for country in ["USA", "Germany", "United Kingdom", "Italy", "Japan"] {
        let area = locate(country).unwrap().place.area(Scope::Country);
        let own: Vec<_> = area.towns().into_iter().filter(|town| town.country == area.country()).collect();
        let outside = own.iter().filter(|town| !area.contains(town.point)).count();
        assert!(outside * 50 < own.len(), "{country}: {outside} of {} lie outside", own.len());
    }
}

#[test]
fn towns_have_their_zip_codes() {
    let austin = locate("Austin, TX").unwrap().place.area(Scope::City).towns().remove(0);
    let codes = austin.postal_codes();
    assert!(codes.contains(&"78701") && codes.contains(&"78704"), "{codes:?}");
    assert!(codes.iter().all(|code| code.starts_with('7')), "{codes:?}");
    let munich = locate("Munich").unwrap().place.area(Scope::City).towns().remove(0);
    assert_eq!(munich.postal_codes(), Vec::<&str>::new());
    // A village without a code of its own gets its neighbour's.
    for town in locate("Travis County, TX").unwrap().place.area(Scope::County).towns() {
        assert!(!town.postal_codes().is_empty(), "{}", town.name);
    }
}

#[test]
fn a_town_is_found_by_its_id() {
    let austin = locate("Austin, TX").unwrap().place.area(Scope::City).towns().remove(0);
    assert_eq!(austin.id, 4_671_654);
    assert_eq!(town(austin.id), Some(austin));
    assert_eq!(town(0), None);
}
