//! Coordinates as locations: how people and programs write them, and what is there.

use places::{Scope, locate};

/// Input, with the latitude and longitude it means.
const READ_AS: &[(&str, f64, f64)] = &[
    ("30.2672, -97.7431", 30.2672, -97.7431),
    ("30.2672,-97.7431", 30.2672, -97.7431),
    ("  30.2672 -97.7431 ", 30.2672, -97.7431),
    ("(30.2672, -97.7431)", 30.2672, -97.7431),
    ("30.2672; -97.7431", 30.2672, -97.7431),
    ("+30.2672, -97.7431", 30.2672, -97.7431),
    ("+30.2672-097.7431/", 30.2672, -97.7431),
    ("30.2672, −97.7431", 30.2672, -97.7431),
    ("30, -97", 30.0, -97.0),
    ("52.52, 13.405", 52.52, 13.405),
    ("geo:30.2672,-97.7431", 30.2672, -97.7431),
    ("GEO:30.2672,-97.7431", 30.2672, -97.7431),
    ("geo:30.2672,-97.7431;u=35", 30.2672, -97.7431),
    ("geo:30.2672,-97.7431,149", 30.2672, -97.7431),
    ("geo:30.2672,-97.7431,149;crs=WGS84;u=10", 30.2672, -97.7431),
    ("30.2672 N, 97.7431 W", 30.2672, -97.7431),
    ("30.2672N 97.7431W", 30.2672, -97.7431),
    ("30.2672n,97.7431w", 30.2672, -97.7431),
    ("N30.2672 W97.7431", 30.2672, -97.7431),
    ("N 30.2672, W 97.7431", 30.2672, -97.7431),
    ("97.7431 W, 30.2672 N", 30.2672, -97.7431),
    ("W97.7431 N30.2672", 30.2672, -97.7431),
    ("33.8688 S 151.2093 E", -33.8688, 151.2093),
    ("30.2672 north, 97.7431 west", 30.2672, -97.7431),
    ("30.2672 N, -97.7431", 30.2672, -97.7431),
    ("30.2672° N, 97.7431° W", 30.2672, -97.7431),
    ("30.2672°, -97.7431°", 30.2672, -97.7431),
    ("30.2672° -97.7431°", 30.2672, -97.7431),
    ("lat 30.2672, lon -97.7431", 30.2672, -97.7431),
    ("lat: 30.2672 lng: -97.7431", 30.2672, -97.7431),
    ("longitude=-97.7431, latitude=30.2672", 30.2672, -97.7431),
    ("30°16'02\"N 97°44'35\"W", 30.267_222, -97.743_056),
    ("30°16′02″N, 97°44′35″W", 30.267_222, -97.743_056),
    ("30º 16’ 02” N 97º 44’ 35” W", 30.267_222, -97.743_056),
    ("30° 16' 2.5'' N, 97° 44' 35'' W", 30.267_361, -97.743_056),
    ("30°16.033'N 97°44.583'W", 30.267_217, -97.743_05),
    ("30 16 02 N 97 44 35 W", 30.267_222, -97.743_056),
    ("N30 16 02 W97 44 35", 30.267_222, -97.743_056),
    ("30°16'02\", -97°44'35\"", 30.267_222, -97.743_056),
    ("30°16'02\" -97°44'35\"", 30.267_222, -97.743_056),
];

#[test]
fn coordinates_are_parsed_in_every_common_form() {
    let mut wrong = Vec::new();
    for (typed, latitude, longitude) in READ_AS {
        match locate(typed) {
            Ok(found) => {
                let point = found.place.point;
                if (point.latitude, point.longitude) != (*latitude, *longitude) {
                    wrong.push(format!("{typed}: {point:?}"));
                }
            }
            Err(error) => wrong.push(format!("{typed}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Input, with what the error has to contain.
const REFUSED: &[(&str, &str)] = &[
    ("95, 20", "the latitude 95 is out of range, it must be from -90 to 90"),
    ("-90.5, 20", "the latitude -90.5 is out of range"),
    ("30.2, 181", "the longitude 181 is out of range, it must be from -180 to 180"),
    ("-97.7431, 30.2672", "the latitude comes first: did you mean 30.2672, -97.7431?"),
    ("200, 300", "the latitude 200 is out of range"),
    ("100 N 200 W", "the latitude 100 is out of range"),
    ("geo:95,20", "the latitude 95 is out of range"),
    ("geo:30.2672", "geo:30.2672,-97.7431"),
    ("geo:Austin", "geo:30.2672,-97.7431"),
    ("geo:30.2672,-97.7431;crs=moon", "wgs84"),
    ("30,2672, -97,7431", "decimals need a point"),
    ("30,2672 -97,7431", "decimals need a point"),
    ("30,2672; -97,7431", "decimals need a point"),
    ("30,2672", "decimals need a point"),
    ("30,2672 N, 97,7431 W", "decimals need a point"),
    ("30.2672, -97,7431", "decimals need a point"),
    ("30.2672 N, 97.7431 S", "one of the two must be a latitude"),
    ("30.2672 N, -97.7431 W", "either a minus sign or one of the letters"),
    ("N -30.2672, W 97.7431", "either a minus sign or one of the letters"),
    ("30°61'02\"N 97°44'35\"W", "minutes and seconds must be from 0 to below 60"),
    ("30°16'60\"N 97°44'35\"W", "minutes and seconds must be from 0 to below 60"),
    ("30.5°16'N 97°44'W", "minutes and seconds"),
    ("30° N", "latitude, longitude"),
    ("-50, -120", "no town within 500 miles"),
];

#[test]
fn invalid_coordinates_are_refused_with_a_correct_example() {
    let mut wrong = Vec::new();
    for (typed, said) in REFUSED {
        match locate(typed) {
            Ok(found) => wrong.push(format!("{typed}: {}", found.place.name)),
            Err(error) if error.to_string().contains(said) => {}
            Err(error) => wrong.push(format!("{typed}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn other_numbers_are_not_taken_for_coordinates() {
    for (typed, name) in [
        ("78701", "78701 Austin, TX"),
        ("78701-1234", "78701 Austin, TX"),
        ("78701 1234", "78701 Austin, TX"),
        ("100 N 200 W, Provo, UT", "Provo, UT"),
        ("350 5th Ave New York NY 10118", "10118 New York, NY"),
        ("N Las Vegas", "North Las Vegas, NV"),
    ] {
        assert_eq!(locate(typed).unwrap().place.name, name, "{typed}");
    }
}

/// A point, and the names of the areas around it: town, county, state, country.
const LIES_IN: &[(&str, [&str; 4])] = &[
    ("30.2672, -97.7431", ["Austin, TX", "Travis County, TX", "Texas", "United States"]),
    // At the Waterway in The Woodlands: across the county line from Houston, which is far more populous.
    ("30.1628, -95.4633", ["The Woodlands, TX", "Montgomery County, TX", "Texas", "United States"]),
    // Either side of the bridge between two countries.
    ("31.7500, -106.4850", ["El Paso, TX", "El Paso County, TX", "Texas", "United States"]),
    ("52.5200, 13.4050", ["Berlin, Germany", "", "", "Germany"]),
    ("18.4655, -66.1057", ["San Juan, PR", "San Juan Municipio, PR", "Puerto Rico", "Puerto Rico"]),
    ("-29.3100, 27.4800", ["Maseru, Lesotho", "", "Maseru state, Lesotho", "Lesotho"]),
];

#[test]
fn the_scope_decides_what_is_searched_around_a_point() {
    for (typed, expected) in LIES_IN {
        let place = locate(typed).unwrap().place;
        let areas = Scope::ALL.map(|width| place.area(width));
        for ((area, expected), width) in areas.iter().zip(expected).zip(Scope::ALL) {
            if !expected.is_empty() {
                assert_eq!(area.name(), *expected, "{typed} as a {width}");
            }
            assert!(area.contains(place.point), "{typed} as a {width}");
        }
    }
}

#[test]
fn a_circle_is_centred_on_the_point_itself() {
    let place = locate("30°16'02\"N 97°44'35\"W").unwrap().place;
    let circle = place.circle(3.0);
    assert_eq!((circle.name(), circle.centre()), ("30.267222, -97.743056", place.point));
    assert_eq!((place.city.as_deref(), place.state.as_deref(), place.country), (Some("Austin"), Some("TX"), "US"));
    assert_eq!(place.county.as_deref(), Some("Travis County"));
    assert!(place.circle_notes(3.0).is_empty());
}

#[test]
fn the_name_of_a_point_finds_the_same_point_again() {
    for (typed, ..) in READ_AS {
        let place = locate(typed).unwrap().place;
        assert_eq!(locate(&place.name).unwrap().place, place, "{typed}");
    }
}

#[test]
fn a_point_outside_towns_and_countries_is_noted() {
    // In the Big Bend, far from any town.
    let remote = locate("29.2500, -103.2500").unwrap().place;
    let notes = remote.area_notes(Scope::City);
    assert!(notes[0].contains("lies in no town: the nearest, ") && notes[0].contains("give a radius"), "{notes:?}");
    assert!(remote.area_notes(Scope::State).is_empty(), "the state holds the point");
    let inside = locate("30.2672, -97.7431").unwrap().place.area_notes(Scope::City);
    assert!(inside[0].starts_with("30.2672, -97.7431 lies in Austin, TX, which is searched as a whole"), "{inside:?}");
    // In the Gulf, some 60 miles off Galveston.
    let at_sea = locate("28.5, -94.5").unwrap().place;
    let notes = at_sea.area_notes(Scope::State);
    assert!(notes[0].contains("outside of every country's outline") && notes[0].contains("Texas"), "{notes:?}");
}
