//! Locations as people type them.

use places::{Scope, locate};

/// Input, with the name and width of the place it means.
const READ_AS: &[(&str, &str, Scope)] = &[
    ("Austin, TX", "Austin, TX", Scope::City),
    ("austin texas", "Austin, TX", Scope::City),
    ("AUSTIN   ,tx", "Austin, TX", Scope::City),
    ("Austin, Texas, USA", "Austin, TX", Scope::City),
    ("Austin TX United States of America", "Austin, TX", Scope::City),
    ("city of Austin", "Austin, TX", Scope::City),
    ("downtown austin", "Austin, TX", Scope::City),
    ("greater boston area", "Boston, MA", Scope::City),
    ("Austin TX 78701", "78701 Austin, TX", Scope::City),
    ("78701", "78701 Austin, TX", Scope::City),
    ("78701-1234", "78701 Austin, TX", Scope::City),
    ("787011234", "78701 Austin, TX", Scope::City),
    ("TX 78701", "78701 Austin, TX", Scope::City),
    ("78701 Austin, TX", "78701 Austin, TX", Scope::City),
    ("78701, USA", "78701 Austin, TX", Scope::City),
    ("Travis County, TX", "Travis County, TX", Scope::County),
    ("travis county texas", "Travis County, TX", Scope::County),
    ("county of Travis, Texas", "Travis County, TX", Scope::County),
    ("Orange County, CA", "Orange County, CA", Scope::County),
    ("Cook County", "Cook County, IL", Scope::County),
    ("Miami-Dade County", "Miami-Dade County, FL", Scope::County),
    ("Miami-Dade", "Miami-Dade County, FL", Scope::County),
    ("King County, Washington", "King County, WA", Scope::County),
    ("Orleans Parish", "Orleans Parish, LA", Scope::County),
    ("jefferson parish louisiana", "Jefferson Parish, LA", Scope::County),
    ("St. Tammany Parish, LA", "St. Tammany Parish, LA", Scope::County),
    ("Kent, UK", "Kent, United Kingdom", Scope::County),
    ("Texas", "Texas", Scope::State),
    ("TX", "Texas", Scope::State),
    ("state of Texas", "Texas", Scope::State),
    ("CA", "California", Scope::State),
    ("DE", "Delaware", Scope::State),
    ("Washington State", "Washington", Scope::State),
    ("New York State", "New York State", Scope::State),
    ("Puerto Rico", "Puerto Rico", Scope::State),
    ("Georgia", "Georgia", Scope::State),
    ("Ontario", "Ontario, Canada", Scope::State),
    ("Bayern", "Bavaria, Germany", Scope::State),
    ("Georgia (country)", "Georgia (country)", Scope::Country),
    ("Germany", "Germany", Scope::Country),
    ("United Kingdom", "United Kingdom", Scope::Country),
    ("UK", "United Kingdom", Scope::Country),
    ("USA", "United States", Scope::Country),
    ("U.S.A.", "United States", Scope::Country),
    ("Berlin, Germany", "Berlin, Germany", Scope::City),
    ("berlin", "Berlin, Germany", Scope::City),
    ("Berlin, DE", "Berlin, Germany", Scope::City),
    ("Paris", "Paris, France", Scope::City),
    ("Paris, TX", "Paris, TX", Scope::City),
    ("NYC", "New York City, NY", Scope::City),
    ("New York", "New York City, NY", Scope::City),
    ("New York, NY", "New York City, NY", Scope::City),
    ("Washington DC", "Washington, DC", Scope::City),
    ("Washington, D.C.", "Washington, DC", Scope::City),
    ("LA", "Los Angeles, CA", Scope::City),
    ("St Louis", "St. Louis, MO", Scope::City),
    ("Saint Louis, MO", "St. Louis, MO", Scope::City),
    ("Saint Paul MN", "Saint Paul, MN", Scope::City),
    ("Ft. Worth", "Fort Worth, TX", Scope::City),
    ("N Las Vegas", "North Las Vegas, NV", Scope::City),
    ("Winston-Salem", "Winston-Salem, NC", Scope::City),
    ("winston salem nc", "Winston-Salem, NC", Scope::City),
    ("coeur d alene id", "Coeur d'Alene, ID", Scope::City),
    ("Portland, Oregon", "Portland, OR", Scope::City),
    ("Portland, ME", "Portland, ME", Scope::City),
    ("Kansas City", "Kansas City, MO", Scope::City),
    ("Kansas City, KS", "Kansas City, KS", Scope::City),
    ("Oklahoma City", "Oklahoma City, OK", Scope::City),
    ("Ontario, CA", "Ontario, CA", Scope::City),
    ("London", "London, United Kingdom", Scope::City),
    ("London, Ontario", "London, Canada", Scope::City),
    ("London ON", "London, Canada", Scope::City),
    ("Perth, WA", "Perth, Australia", Scope::City),
    ("Manchester, England", "Manchester, United Kingdom", Scope::City),
    ("München", "Munich, Germany", Scope::City),
    ("Munich", "Munich, Germany", Scope::City),
    ("Köln", "Köln, Germany", Scope::City),
    ("Cologne", "Köln, Germany", Scope::City),
    ("koeln", "Köln, Germany", Scope::City),
    ("Sao Paulo", "São Paulo, Brazil", Scope::City),
    ("Tokyo, Japan", "Tokyo, Japan", Scope::City),
    ("東京", "Tokyo, Japan", Scope::City),
    ("Москва", "Moscow, Russia", Scope::City),
    ("Brooklyn", "Brooklyn, NY", Scope::City),
    ("Brooklyn, NY", "Brooklyn, NY", Scope::City),
    ("Anchorage, AK", "Anchorage, AK", Scope::City),
    ("Honolulu", "Honolulu, HI", Scope::City),
    ("San Juan, PR", "San Juan, PR", Scope::City),
    ("San Juan, Puerto Rico, USA", "San Juan, PR", Scope::City),
    ("Austin, Travis County, TX", "Austin, TX", Scope::City),
    ("Springfield", "Springfield, MO", Scope::City),
    // Known only to the postal service.
    ("Alto, NM", "Alto, NM", Scope::City),
    ("dulles virginia", "Dulles, VA", Scope::City),
    ("Bethlehem Twp, PA", "Bethlehem, PA", Scope::City),
];

#[test]
fn locations_are_interpreted_as_people_mean_them() {
    let mut wrong = Vec::new();
    for (typed, name, width) in READ_AS {
        match locate(typed) {
            Ok(found) if found.place.name == *name && found.place.width == *width => {}
            Ok(found) => wrong.push(format!("{typed}: {} ({})", found.place.name, found.place.width)),
            Err(error) => wrong.push(format!("{typed}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_name_of_a_place_finds_the_same_place_again() {
    for (typed, ..) in READ_AS {
        let place = locate(typed).unwrap().place;
        assert_eq!(locate(&place.name).unwrap().place, place, "{typed}");
    }
}

#[test]
fn a_place_has_its_state_county_and_coordinates() {
    let place = locate("austin tx").unwrap().place;
    assert_eq!(place.country, "US");
    assert_eq!(place.state.as_deref(), Some("TX"));
    assert_eq!(place.county.as_deref(), Some("Travis County"));
    assert_eq!(place.city.as_deref(), Some("Austin"));
    assert_eq!(place.postal_code, None);
    assert!(place.population > 900_000);
    assert!((place.point.latitude - 30.267).abs() < 0.01 && (place.point.longitude + 97.743).abs() < 0.01);

    let abroad = locate("Munich").unwrap().place;
    assert_eq!((abroad.country, abroad.state.as_deref()), ("DE", Some("Bavaria")));
}

#[test]
fn an_address_is_located_at_its_zip_code_and_keeps_its_street() {
    for (typed, street, code) in [
        ("1100 Congress Ave, Austin, TX 78701", "1100 Congress Ave", Some("78701")),
        ("1100 Congress Ave Austin TX 78701", "1100 Congress Ave", Some("78701")),
        ("1100 Congress Ave, Ste 4, Austin, Texas 78701-1234, USA", "1100 Congress Ave, Ste 4", Some("78701")),
        ("1100 Congress Ave, Austin, TX", "1100 Congress Ave", None),
        ("1100 congress ave austin tx", "1100 congress ave", None),
    ] {
        let place = locate(typed).unwrap().place;
        assert_eq!(place.street.as_deref(), Some(street), "{typed}");
        assert_eq!(place.postal_code.as_deref(), code, "{typed}");
        assert_eq!(place.city.as_deref(), Some("Austin"), "{typed}");
        assert_eq!(place.width, Scope::City, "{typed}");
        let centre = locate(code.unwrap_or("Austin, TX")).unwrap().place.point;
        assert_eq!(place.point, centre, "{typed}");
    }
    let empire_state = locate("350 5th Ave New York NY 10118").unwrap().place;
    assert_eq!(empire_state.street.as_deref(), Some("350 5th Ave"));
    let abroad = locate("10115 Berlin, Germany").unwrap().place;
    assert_eq!((abroad.postal_code.as_deref(), abroad.street), (Some("10115"), None));
}

#[test]
fn the_street_of_an_address_is_read_in_parts() {
    for (typed, city, street, code) in [
        ("12000 N Lamar Blvd, Austin, TX", "Austin", "12000 | N Lamar Blvd | ", None),
        ("12000 N Lamar Blvd Suite 200, Austin, TX 78753", "Austin", "12000 | N Lamar Blvd | Suite 200", Some("78753")),
        ("N Lamar Blvd 12000, Austin", "Austin", "12000 | N Lamar Blvd | ", None),
        ("5th & Main, Austin, TX", "Austin", " | 5th & Main | ", None),
        (
            "1600 Pennsylvania Ave NW, Washington, DC 20500",
            "Washington",
            "1600 | Pennsylvania Ave NW | ",
            Some("20500"),
        ),
        ("6108 Maple Ave, Ithaca, NY", "Ithaca", "6108 | Maple Ave | ", None),
        ("6108 maple avenue ithaca ny", "Ithaca", "6108 | maple avenue | ", None),
        ("400 Broadway, New York", "New York City", "400 | Broadway | ", None),
        ("400 Broadway, NY", "New York City", "400 | Broadway | ", None),
        ("221B Baker Street, London", "London", "221B | Baker Street | ", None),
        ("Musterstraße 12a, Berlin", "Berlin", "12a | Musterstraße | ", None),
        ("Musterstraße 12a, 10115 Berlin, Germany", "Berlin", "12a | Musterstraße | ", Some("10115")),
        ("10 rue de la République, 69001 Lyon, France", "Lyon", "10 | rue de la République | ", Some("69001")),
        ("Damrak 1, 1012 LG Amsterdam", "Amsterdam", "1 | Damrak | ", Some("1012 LG")),
        ("221B Baker Street, London NW1 6XE", "London", "221B | Baker Street | ", Some("NW1 6XE")),
        ("10 Downing St, London, SW1A 2AA, UK", "London", "10 | Downing St | ", Some("SW1A 2AA")),
        ("301 Front St W, Toronto, ON M5V 2T6", "Toronto", "301 | Front St W | ", Some("M5V 2T6")),
        ("Calle Mayor, 5, 28013 Madrid", "Madrid", "5 | Calle Mayor | ", Some("28013")),
    ] {
        let located = locate(typed).unwrap();
        assert_eq!(located.place.city.as_deref(), Some(city), "{typed}");
        assert_eq!(located.place.postal_code.as_deref(), code, "{typed}");
        let found = located.street.expect(typed);
        let parts = [found.number.unwrap_or_default(), found.street, found.unit.unwrap_or_default()];
        assert_eq!(parts.join(" | "), street, "{typed}");
    }
    for typed in ["Austin, TX", "78753", "PO Box 12, Austin, TX", "30.2672, -97.7431", "10115 Berlin, Germany"] {
        assert_eq!(locate(typed).unwrap().street, None, "{typed}");
    }
    let boxed = locate("PO Box 12, Austin, TX").unwrap().place;
    assert_eq!(boxed.area_notes(Scope::City).len(), 1, "what was not used is said");
}

#[test]
fn the_most_populous_of_several_places_is_chosen_and_noted() {
    let found = locate("Springfield").unwrap();
    assert_eq!(found.others.len(), 5);
    assert_eq!(found.others[0], "Springfield, MA");
    let notes = found.notes();
    let said = "\"Springfield\" was read as Springfield, MO. It could also mean Springfield, MA; ";
    assert!(notes[0].starts_with(said) && notes.len() == 1, "{notes:?}");

    let notes = locate("LA").unwrap().notes();
    assert_eq!(notes, ["\"LA\" was read as Los Angeles, CA. It could also mean Louisiana."]);
    let notes = locate("Georgia").unwrap().notes();
    assert!(notes[0].contains("Georgia (country)"), "{notes:?}");
}

#[test]
fn ignored_words_and_contradictions_are_noted() {
    for (typed, said) in [
        ("downtown Austin, TX", "\"downtown\" was ignored: \"downtown Austin, TX\" was read as Austin, TX."),
        ("greater boston area", "\"greater area\" was ignored"),
        ("Bethlehem Twp, PA", "\"Twp\" was ignored"),
        ("Austin, CA 78701", "The ZIP code 78701 is not in California; it was read as 78701 Austin, TX."),
        ("CA 78701", "The ZIP code 78701 is not in California"),
        ("12 Main St, Austin, CA 78701", "The ZIP code 78701 is not in California"),
    ] {
        let notes = locate(typed).unwrap().notes();
        assert!(notes.iter().any(|note| note.contains(said)), "{typed}: {notes:?}");
    }
}

#[test]
fn a_street_or_foreign_postal_code_that_was_not_found_is_noted() {
    let address = locate("1100 Congress Ave, Austin, TX 78701").unwrap();
    assert!(address.notes().is_empty(), "the address itself is clear");
    let whole =
        "The street \"1100 Congress Ave\" was not found on the map; the search covers 78701 Austin, TX as a whole.";
    assert_eq!(address.place.area_notes(Scope::City), [whole]);
    let circle = "The street \"1100 Congress Ave\" was not found on the map; the circle of 2.5 miles is around the \
                  centre of the ZIP code instead: 78701 Austin, TX.";
    assert_eq!(address.place.circle_notes(2.5), [circle]);
    let town = locate("1100 Congress Ave, Austin, TX").unwrap().place.circle_notes(1.0);
    assert!(
        town[0].ends_with("the circle of 1 mile is around the centre of the town instead: Austin, TX."),
        "{town:?}"
    );
    let abroad = locate("10115 Berlin, Germany").unwrap().place;
    assert!(abroad.area_notes(Scope::City)[0].starts_with("The postal code 10115 was not found"));
    assert!(abroad.circle_notes(5.0)[0].contains("centre of the town instead: Berlin, Germany"));
}

#[test]
fn an_exact_location_has_no_notes() {
    for exact in [
        "Austin, TX",
        "austin texas",
        "city of Austin, Texas",
        "78701",
        "78701-1234",
        "Austin, TX 78701",
        "Travis County, TX",
        "Texas",
        "state of Texas",
        "Kent, UK",
    ] {
        let found = locate(exact).unwrap();
        let notes = Scope::ALL.into_iter().filter(|width| *width >= found.place.width);
        let notes: Vec<String> = notes.flat_map(|width| found.place.area_notes(width)).collect();
        assert_eq!((found.notes(), notes, found.place.circle_notes(5.0)), Default::default(), "{exact}");
    }
}

#[test]
fn a_misspelt_location_is_not_found_but_the_right_one_is_suggested() {
    for (typed, meant) in [
        ("Austn, TX", "Austin, TX"),
        ("Autsin, TX", "Austin, TX"),
        ("Asutn TX", "Austin, TX"),
        ("Austin, Texs", "Austin, TX"),
        ("Texs", "Texas"),
        ("Travs County, TX", "Travis County, TX"),
        ("Germny", "Germany"),
        ("Berlin, Germny", "Berlin, Germany"),
        ("Chcago", "Chicago, IL"),
        ("Los Angelas", "Los Angeles, CA"),
        ("Pittsburg, Pensylvania", "Pittsburgh, PA"),
        ("San Fransisco", "San Francisco, CA"),
        ("Albaquerque, NM", "Albuquerque, NM"),
        ("Cincinatti", "Cincinnati, OH"),
        ("1100 Congress Ave, Austn, TX", "Austin, TX"),
    ] {
        match locate(typed) {
            Err(error) => {
                assert!(error.nearest.iter().any(|name| name == meant), "{typed}: {:?}", error.nearest);
                assert!(error.nearest.len() <= 5);
                assert!(error.to_string().contains(meant), "{error}");
            }
            Ok(found) => assert_eq!(found.place.name, meant, "{typed}"),
        }
    }
}

#[test]
fn an_error_says_what_to_do() {
    let error = locate("xyzzyplugh").unwrap_err();
    assert_eq!(error.nearest, Vec::<String>::new());
    assert_eq!(
        error.to_string(),
        "the location \"xyzzyplugh\" was not found: try a town with its state such as \"Austin, TX\", a ZIP code, \
         a county, a state or a country"
    );
    assert!(locate("").unwrap_err().to_string().starts_with("no location was given"));
    for code in ["00000", "99999"] {
        let said = locate(code).unwrap_err().to_string();
        assert!(said.starts_with(&format!("there is no ZIP code {code}: did you mean ")), "{said}");
    }
}
