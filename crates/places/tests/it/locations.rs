//! Locations as people type them.

use places::{Width, locate};

/// Input, with the name and width of the place it means.
const READ_AS: &[(&str, &str, Width)] = &[
    ("Austin, TX", "Austin, TX", Width::City),
    ("austin texas", "Austin, TX", Width::City),
    ("AUSTIN   ,tx", "Austin, TX", Width::City),
    ("Austin, Texas, USA", "Austin, TX", Width::City),
    ("Austin TX United States of America", "Austin, TX", Width::City),
    ("city of Austin", "Austin, TX", Width::City),
    ("downtown austin", "Austin, TX", Width::City),
    ("greater boston area", "Boston, MA", Width::City),
    ("Austin TX 78701", "78701 Austin, TX", Width::City),
    ("78701", "78701 Austin, TX", Width::City),
    ("78701-1234", "78701 Austin, TX", Width::City),
    ("787011234", "78701 Austin, TX", Width::City),
    ("TX 78701", "78701 Austin, TX", Width::City),
    ("78701 Austin, TX", "78701 Austin, TX", Width::City),
    ("78701, USA", "78701 Austin, TX", Width::City),
    ("Travis County, TX", "Travis County, TX", Width::County),
    ("travis county texas", "Travis County, TX", Width::County),
    ("county of Travis, Texas", "Travis County, TX", Width::County),
    ("Orange County, CA", "Orange County, CA", Width::County),
    ("Cook County", "Cook County, IL", Width::County),
    ("Miami-Dade County", "Miami-Dade County, FL", Width::County),
    ("Miami-Dade", "Miami-Dade County, FL", Width::County),
    ("King County, Washington", "King County, WA", Width::County),
    ("Orleans Parish", "Orleans Parish, LA", Width::County),
    ("jefferson parish louisiana", "Jefferson Parish, LA", Width::County),
    ("St. Tammany Parish, LA", "St. Tammany Parish, LA", Width::County),
    ("Kent, UK", "Kent, United Kingdom", Width::County),
    ("Texas", "Texas", Width::State),
    ("TX", "Texas", Width::State),
    ("state of Texas", "Texas", Width::State),
    ("CA", "California", Width::State),
    ("DE", "Delaware", Width::State),
    ("Washington State", "Washington", Width::State),
    ("New York State", "New York State", Width::State),
    ("Puerto Rico", "Puerto Rico", Width::State),
    ("Georgia", "Georgia", Width::State),
    ("Ontario", "Ontario, Canada", Width::State),
    ("Bayern", "Bavaria, Germany", Width::State),
    ("Georgia (country)", "Georgia (country)", Width::Country),
    ("Germany", "Germany", Width::Country),
    ("United Kingdom", "United Kingdom", Width::Country),
    ("UK", "United Kingdom", Width::Country),
    ("USA", "United States", Width::Country),
    ("U.S.A.", "United States", Width::Country),
    ("Berlin, Germany", "Berlin, Germany", Width::City),
    ("berlin", "Berlin, Germany", Width::City),
    ("Berlin, DE", "Berlin, Germany", Width::City),
    ("Paris", "Paris, France", Width::City),
    ("Paris, TX", "Paris, TX", Width::City),
    ("NYC", "New York City, NY", Width::City),
    ("New York", "New York City, NY", Width::City),
    ("New York, NY", "New York City, NY", Width::City),
    ("Washington DC", "Washington, DC", Width::City),
    ("Washington, D.C.", "Washington, DC", Width::City),
    ("LA", "Los Angeles, CA", Width::City),
    ("St Louis", "St. Louis, MO", Width::City),
    ("Saint Louis, MO", "St. Louis, MO", Width::City),
    ("Saint Paul MN", "Saint Paul, MN", Width::City),
    ("Ft. Worth", "Fort Worth, TX", Width::City),
    ("N Las Vegas", "North Las Vegas, NV", Width::City),
    ("Winston-Salem", "Winston-Salem, NC", Width::City),
    ("winston salem nc", "Winston-Salem, NC", Width::City),
    ("coeur d alene id", "Coeur d'Alene, ID", Width::City),
    ("Portland, Oregon", "Portland, OR", Width::City),
    ("Portland, ME", "Portland, ME", Width::City),
    ("Kansas City", "Kansas City, MO", Width::City),
    ("Kansas City, KS", "Kansas City, KS", Width::City),
    ("Oklahoma City", "Oklahoma City, OK", Width::City),
    ("Ontario, CA", "Ontario, CA", Width::City),
    ("London", "London, United Kingdom", Width::City),
    ("London, Ontario", "London, Canada", Width::City),
    ("London ON", "London, Canada", Width::City),
    ("Perth, WA", "Perth, Australia", Width::City),
    ("Manchester, England", "Manchester, United Kingdom", Width::City),
    ("München", "Munich, Germany", Width::City),
    ("Munich", "Munich, Germany", Width::City),
    ("Köln", "Köln, Germany", Width::City),
    ("Cologne", "Köln, Germany", Width::City),
    ("koeln", "Köln, Germany", Width::City),
    ("Sao Paulo", "São Paulo, Brazil", Width::City),
    ("Tokyo, Japan", "Tokyo, Japan", Width::City),
    ("東京", "Tokyo, Japan", Width::City),
    ("Москва", "Moscow, Russia", Width::City),
    ("Brooklyn", "Brooklyn, NY", Width::City),
    ("Brooklyn, NY", "Brooklyn, NY", Width::City),
    ("Anchorage, AK", "Anchorage, AK", Width::City),
    ("Honolulu", "Honolulu, HI", Width::City),
    ("San Juan, PR", "San Juan, PR", Width::City),
    ("San Juan, Puerto Rico, USA", "San Juan, PR", Width::City),
    ("Austin, Travis County, TX", "Austin, TX", Width::City),
    ("Springfield", "Springfield, MO", Width::City),
    // Known only to the postal service.
    ("Alto, NM", "Alto, NM", Width::City),
    ("dulles virginia", "Dulles, VA", Width::City),
    ("Bethlehem Twp, PA", "Bethlehem, PA", Width::City),
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
        assert_eq!(place.width, Width::City, "{typed}");
        let centre = locate(code.unwrap_or("Austin, TX")).unwrap().place.point;
        assert_eq!(place.point, centre, "{typed}");
    }
    let empire_state = locate("350 5th Ave New York NY 10118").unwrap().place;
    assert_eq!(empire_state.street.as_deref(), Some("350 5th Ave"));
    let abroad = locate("10115 Berlin, Germany").unwrap().place;
    assert_eq!((abroad.postal_code.as_deref(), abroad.street), (Some("10115"), None));
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
    assert_eq!(address.place.area_notes(Width::City), [whole]);
    let circle = "The street \"1100 Congress Ave\" was not found on the map; the circle of 2.5 miles is around the \
                  centre of the ZIP code instead: 78701 Austin, TX.";
    assert_eq!(address.place.circle_notes(2.5), [circle]);
    let town = locate("1100 Congress Ave, Austin, TX").unwrap().place.circle_notes(1.0);
    assert!(
        town[0].ends_with("the circle of 1 mile is around the centre of the town instead: Austin, TX."),
        "{town:?}"
    );
    let abroad = locate("10115 Berlin, Germany").unwrap().place;
    assert!(abroad.area_notes(Width::City)[0].starts_with("The postal code 10115 was not found"));
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
        let notes = Width::ALL.iter().copied().filter(|width| *width >= found.place.width);
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
