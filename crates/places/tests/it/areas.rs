//! Areas: circles, counties, states and countries, and the towns in them.

use places::{Area, Bounds, Point, Scope, locate};
use proptest::prelude::*;

fn area(location: &str, width: Scope) -> Area {
    locate(location).unwrap().place.area(width)
}

fn point(latitude: f64, longitude: f64) -> Point {
    Point { latitude, longitude }
}

#[test]
fn scopes_widen_a_place_and_never_narrow_it() {
    for (location, scope, name, width) in [
        ("Austin, TX", Scope::City, "Austin, TX", Scope::City),
        ("Austin, TX", Scope::County, "Travis County, TX", Scope::County),
        ("Austin, TX", Scope::State, "Texas", Scope::State),
        ("Austin, TX", Scope::Country, "United States", Scope::Country),
        ("78701", Scope::County, "Travis County, TX", Scope::County),
        ("78701", Scope::State, "Texas", Scope::State),
        ("Travis County, TX", Scope::City, "Travis County, TX", Scope::County),
        ("Texas", Scope::City, "Texas", Scope::State),
        ("Texas", Scope::Country, "United States", Scope::Country),
        ("Germany", Scope::City, "Germany", Scope::Country),
        ("Munich", Scope::State, "Bavaria, Germany", Scope::State),
        ("Munich", Scope::Country, "Germany", Scope::Country),
        ("San Juan, PR", Scope::County, "San Juan Municipio, PR", Scope::County),
        ("San Juan, PR", Scope::State, "Puerto Rico", Scope::State),
        ("Puerto Rico", Scope::City, "Puerto Rico", Scope::State),
    ] {
        let area = area(location, scope);
        assert_eq!((area.name(), area.width()), (name, width), "{location} {scope}");
    }
}

#[test]
fn areas_contain_what_lies_in_them_and_nothing_else() {
    let (dallas, el_paso, houston) = (point(32.7767, -96.797), point(31.7619, -106.485), point(29.7604, -95.3698));
    let (round_rock, juarez, paris) = (point(30.5083, -97.6789), point(31.6904, -106.4245), point(48.8566, 2.3522));
    for (location, scope, inside, outside) in [
        ("Austin, TX", Scope::City, vec![point(30.2672, -97.7431)], vec![round_rock, dallas]),
        ("Austin, TX", Scope::County, vec![point(30.2672, -97.7431)], vec![round_rock, dallas]),
        (
            "Texas",
            Scope::State,
            vec![dallas, el_paso, houston, round_rock],
            vec![juarez, paris, point(32.3199, -106.7637)],
        ),
        (
            "USA",
            Scope::Country,
            vec![dallas, el_paso, point(21.3069, -157.8583), point(61.2181, -149.9)],
            vec![juarez, paris],
        ),
        ("France", Scope::Country, vec![paris], vec![dallas, point(46.2044, 6.1432)]),
        (
            "Bavaria",
            Scope::State,
            vec![point(48.1374, 11.5755), point(49.4521, 11.0767)],
            vec![point(48.7758, 9.1829), paris],
        ),
        // Maryland has the District of Columbia as a notch; Fairfax County has the city as a hole.
        ("Maryland", Scope::State, vec![point(39.2904, -76.6122)], vec![point(38.9072, -77.0369)]),
        ("Fairfax County, VA", Scope::County, vec![point(38.9, -77.25)], vec![point(38.8524, -77.3027)]),
        ("South Africa", Scope::Country, vec![point(-26.2041, 28.0473)], vec![point(-29.3151, 27.4869)]),
    ] {
        let area = area(location, scope);
        for point in inside {
            assert!(area.contains(point), "{location}: {point:?} is in it");
            assert!(area.bounds().contains(point), "{location}: {point:?} is in its box");
        }
        for point in outside {
            assert!(!area.contains(point), "{location}: {point:?} is not in it");
        }
    }
}

#[test]
fn outlines_across_the_antimeridian_are_complete_and_their_boxes_narrow() {
    for (location, inside, widest) in [
        ("Alaska", vec![point(61.2181, -149.9), point(52.93, 173.05)], 70.0),
        (
            "Russia",
            vec![
                point(55.75, 37.62),
                point(66.16, -171.0),
                point(65.5, 175.0),
                point(67.0, 179.99),
                point(67.0, -179.99),
            ],
            175.0,
        ),
        ("Fiji", vec![point(-18.12, 178.45), point(-16.9, -179.96)], 10.0),
        ("USA", vec![point(40.71, -74.0), point(52.93, 173.05)], 130.0),
    ] {
        let place = locate(location).unwrap().place;
        let area = place.area(place.width);
        let bounds = area.bounds();
        assert!(bounds.west > bounds.east, "{location}: {bounds:?}");
        assert!(bounds.east - bounds.west + 360.0 < widest, "{location}: {bounds:?}");
        for point in inside {
            assert!(area.contains(point) && bounds.contains(point), "{location} {point:?}");
            assert!(bounds.parts().iter().any(|part| part.west <= part.east && part.contains(point)));
        }
        assert!(!area.contains(point(0.0, 0.0)) && !bounds.contains(point(0.0, 0.0)));
    }
}

#[test]
fn circles_over_a_pole_have_a_box_that_reaches_it() {
    let bounds = Area::circle("pole", "NO", point(89.5, 20.0), 100.0).bounds();
    assert_eq!((bounds.west, bounds.east, bounds.north), (-180.0, 180.0, 90.0));
    assert!(bounds.south < 88.1 && bounds.south > 88.0);
}

#[test]
fn the_width_of_a_circle_follows_its_radius() {
    let austin = locate("Austin, TX").unwrap().place;
    for (radius, width) in
        [(1.0, Scope::City), (15.0, Scope::City), (15.1, Scope::County), (50.0, Scope::County), (51.0, Scope::State)]
    {
        assert_eq!(austin.circle(radius).width(), width, "{radius}");
        assert_eq!(austin.circle(radius).radius_miles(), Some(radius));
    }
}

#[test]
fn a_zip_code_is_a_small_circle_and_a_town_grows_with_its_population() {
    let radius = |location: &str| area(location, Scope::City).radius_miles().unwrap();
    assert!(radius("78701") < radius("Round Rock, TX"));
    assert!(radius("Round Rock, TX") < radius("Austin, TX"));
    assert!(radius("Austin, TX") < radius("NYC"));
    assert!(radius("NYC") <= 15.0);
}

#[test]
fn towns_of_an_area_are_sorted_by_population_and_touch_it() {
    let texas = area("Texas", Scope::State);
    let towns = texas.towns();
    assert!((1_000..2_500).contains(&towns.len()), "{}", towns.len());
    assert_eq!(towns[0].name, "Houston");
    assert!(towns.is_sorted_by_key(|town| (std::cmp::Reverse(town.population), town.id)));
    // Texarkana, Arkansas, lies across the street.
    assert!(towns.iter().any(|town| town.name == "Texarkana" && town.state == "AR"));
    assert!(!towns.iter().any(|town| town.name == "Denver" && town.state == "CO"));

    let austin = area("Austin, TX", Scope::City).towns();
    assert_eq!((austin[0].name, austin[0].state, austin[0].country), ("Austin", "TX", "US"));
    assert!(austin.iter().any(|town| town.name == "Pflugerville"));
    assert!(!austin.iter().any(|town| town.name == "San Antonio"));
    let bavaria = area("Bavaria", Scope::State).towns();
    assert_eq!(bavaria[0].name, "Munich");
    assert!(bavaria.iter().filter(|town| town.state == "Bavaria").count() > 500);
}

#[test]
fn an_area_of_any_kind_can_be_shared_between_threads() {
    fn assert_shared<T: Send + Sync + Clone + 'static>(_: &T) {}
    assert_shared(&area("Texas", Scope::State));
    assert_shared(&area("Bavaria", Scope::State));
}

proptest! {
    #[test]
    fn a_circle_contains_exactly_what_is_within_its_radius(
        (latitude, longitude) in (-89.9..89.9f64, -180.0..180.0f64),
        (other_latitude, other_longitude) in (-90.0..90.0f64, -180.0..180.0f64),
        radius in 0.0..500.0f64,
        near in any::<bool>(),
    ) {
        let centre = point(latitude, longitude);
        let other = if near {
            point((latitude + other_latitude / 20.0).clamp(-90.0, 90.0), wrapped(longitude + other_longitude / 20.0))
        } else {
            point(other_latitude, other_longitude)
        };
        let circle = Area::circle("here", "US", centre, radius);
        prop_assert_eq!(circle.contains(other), by_chord(centre, other) <= radius);
        if circle.contains(other) {
            // An exact box may miss a point on the rim by rounding.
            prop_assert!(grown(circle.bounds()).contains(other), "{:?} {:?}", circle.bounds(), other);
        }
    }

    #[test]
    fn distance_is_symmetric_and_obeys_the_triangle_inequality(
        a in (-90.0..90.0f64, -180.0..180.0f64),
        b in (-90.0..90.0f64, -180.0..180.0f64),
        c in (-90.0..90.0f64, -180.0..180.0f64),
    ) {
        let [a, b, c] = [a, b, c].map(|(latitude, longitude)| point(latitude, longitude));
        prop_assert!((a.miles_to(b) - b.miles_to(a)).abs() < 1e-6);
        prop_assert!(a.miles_to(c) <= a.miles_to(b) + b.miles_to(c) + 1e-6);
        prop_assert!((a.miles_to(b) - by_chord(a, b)).abs() < 1e-3);
    }
}

fn wrapped(longitude: f64) -> f64 {
    (longitude + 540.0).rem_euclid(360.0) - 180.0
}

fn grown(bounds: Bounds) -> Bounds {
    let full = bounds.west <= -180.0 && bounds.east >= 180.0;
    let margin = if full { 0.0 } else { 1e-7 };
    Bounds {
        south: bounds.south - 1e-7,
        north: bounds.north + 1e-7,
        west: bounds.west - margin,
        east: bounds.east + margin,
    }
}

/// The distance computed in another way: through the chord between two points of a sphere.
fn by_chord(one: Point, two: Point) -> f64 {
    let on_ball = |point: Point| {
        let (north, east) = (point.latitude.to_radians(), point.longitude.to_radians());
        [north.cos() * east.cos(), north.cos() * east.sin(), north.sin()]
    };
    let (one, two) = (on_ball(one), on_ball(two));
    let chord = (0..3).map(|axis| (one[axis] - two[axis]).powi(2)).sum::<f64>().sqrt();
    2.0 * 3_958.761_3 * (chord / 2.0).clamp(0.0, 1.0).asin()
}
