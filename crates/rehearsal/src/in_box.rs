//! The sandbox's businesses in a box.

use places::{Area, Bounds, Category, Point};
use sandbox::{Business, World, test_places};

/// How far from the centre of a test place its businesses lie, in miles.
const TEST_PLACE_MILES: f64 = 6.1;

/// The businesses in a box, and some around it.
pub(crate) fn in_box(world: &World, bounds: &Bounds, category: &'static Category) -> Vec<Business> {
    let centre = Point {
        latitude: f64::midpoint(bounds.south, bounds.north),
        longitude: f64::midpoint(bounds.west, bounds.east),
    };
    let corners = [bounds.south, bounds.north]
        .into_iter()
        .flat_map(|latitude| [bounds.west, bounds.east].map(|longitude| Point { latitude, longitude }));
    let miles = corners.map(|corner| centre.miles_to(corner)).fold(0.0, f64::max);
    let mut found: Vec<Business> = world.businesses(&Area::circle("box", "US", centre, miles), category).collect();
    // The world gives those of a test place only together with its centre.
    for place in test_places().filter(|place| centre.miles_to(place.point()) > miles) {
        let nearest = Point {
            latitude: place.point().latitude.clamp(bounds.south, bounds.north),
            longitude: place.point().longitude.clamp(bounds.west, bounds.east),
        };
        if place.point().miles_to(nearest) <= TEST_PLACE_MILES {
            found.extend(world.businesses(&place.circle(TEST_PLACE_MILES), category));
        }
    }
    found
}
