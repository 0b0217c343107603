//! The map that tests import: a few streets with businesses drawn in every way.

use super::encode::{TestMap, TestObject, object};

/// When objects were last edited.
const EDITED: i64 = 1_700_000_000;

fn node(id: i64, at: (i64, i64), tags: &[(&str, &str)]) -> TestObject {
    TestObject { at, edited: EDITED, ..object(id, tags) }
}

fn way(id: i64, refs: &[i64], tags: &[(&str, &str)]) -> TestObject {
    TestObject { refs: refs.to_vec(), edited: EDITED, ..object(id, tags) }
}

fn relation(id: i64, members: &[(u8, i64)], tags: &[(&str, &str)]) -> TestObject {
    TestObject { members: members.to_vec(), edited: EDITED, ..object(id, tags) }
}

/// Everything about one café.
const CAFE: &[(&str, &str)] = &[
    ("amenity", "cafe"),
    ("shop", "bakery;confectionery"),
    ("cuisine", "coffee_shop;cake"),
    ("name", "Kahvila \"Alma\" & Söhne"),
    ("name:sv", "Café Alma"),
    ("name:zh-Hant", "阿爾瑪"),
    ("name:etymology", "Alma Mahler"),
    ("phone", "+358 9 123; +358 40 456"),
    ("contact:phone", "+358 9 123"),
    ("contact:mobile", "+358 50 789"),
    ("website", "https://alma.example"),
    ("contact:website", "https://alma.example/en"),
    ("email", "hello@alma.example"),
    ("contact:facebook", "kahvila.alma"),
    ("contact:instagram", "@kahvila_alma"),
    ("opening_hours", "Mo-Fr 08:00-18:00; Sa 10:00-16:00"),
    ("brand", "Alma"),
    ("brand:wikidata", "Q123"),
    ("operator", "Alma Oy"),
    ("addr:street", "Aleksanterinkatu"),
    ("addr:housenumber", "12"),
    ("addr:city", "Helsinki"),
    ("addr:postcode", "00100"),
    ("addr:country", "FI"),
    ("check_date", "2024-05-06"),
    ("description", "is not read"),
];

/// The map.
pub(crate) fn map() -> TestMap {
    let mut nodes = businesses();
    nodes.extend(corners());
    TestMap { nodes, ways: ways(), relations: relations() }
}

/// A position in Helsinki, by steps to the north and to the east.
fn near(north: i64, east: i64) -> (i64, i64) {
    (601_700_000 + north, 249_400_000 + east)
}

fn businesses() -> Vec<TestObject> {
    vec![
        node(-5, near(1, 1), &[("shop", "books"), ("name", "Not uploaded yet")]),
        node(1, near(0, 0), CAFE),
        node(2, near(10, 10), &[("amenity", "bench"), ("name", "A bench with a name")]),
        node(3, near(20, 20), &[("shop", "kiosk"), ("brand", "R-kioski")]),
        node(4, near(30, 30), &[("craft", "plumber"), ("operator", "Putki Oy")]),
        node(5, near(40, 40), &[("shop", "clothes")]),
        node(6, near(50, 50), &[("disused:shop", "shoes"), ("name", "Gone")]),
        node(7, near(60, 60), &[("shop", "vacant"), ("name", "Empty")]),
        node(8, near(70, 70), &[("proposed:amenity", "cinema"), ("name", "Soon")]),
        node(12, near(75, 75), &[("shop", "toys"), ("name", "Shut for good"), ("disused", "yes")]),
        node(9, (900_000_001, 0), &[("shop", "toys"), ("name", "Off the globe")]),
        node(10, near(80, 80), &[("tourism", "hotel"), ("name", "Shut"), ("opening_hours", "off \"renovation\"")]),
    ]
}

fn corners() -> Vec<TestObject> {
    vec![
        // Corners of a horseshoe, whose centroid lies outside.
        node(101, near(1000, 1000), &[]),
        node(102, near(1000, 2000), &[]),
        node(103, near(2000, 2000), &[]),
        node(104, near(2000, 1900), &[]),
        node(105, near(1100, 1900), &[]),
        node(106, near(1100, 1100), &[]),
        node(107, near(2000, 1100), &[]),
        node(108, near(2000, 1000), &[]),
        // Corners of a square and of the hole in it.
        node(201, near(5000, 5000), &[]),
        node(202, near(5000, 8000), &[]),
        node(203, near(8000, 8000), &[]),
        node(204, near(8000, 5000), &[]),
        node(211, near(6000, 6000), &[]),
        node(212, near(6000, 7000), &[]),
        node(213, near(7000, 7000), &[]),
        node(214, near(7000, 6000), &[]),
    ]
}

fn ways() -> Vec<TestObject> {
    vec![
        way(
            11,
            &[101, 102, 103, 104, 105, 106, 107, 108, 101],
            &[("leisure", "fitness_centre"), ("name", "Horseshoe")],
        ),
        way(12, &[101, 102, 103], &[("shop", "bicycle"), ("name", "Open line")]),
        way(13, &[9001, 9002, 9003, 9001], &[("shop", "gift"), ("name", "Outside of the extract")]),
        way(14, &[9001, 102, 103, 9001], &[("shop", "florist"), ("name", "Half of it is here")]),
        way(21, &[201, 202, 203], &[]),
        way(22, &[203, 204, 201], &[]),
        way(23, &[211, 212, 213, 214, 211], &[]),
    ]
}

fn relations() -> Vec<TestObject> {
    vec![
        relation(
            31,
            &[(1, 21), (1, 22), (1, 23)],
            &[("type", "multipolygon"), ("amenity", "hospital"), ("name", "Ring with a hole")],
        ),
        relation(32, &[(0, 201), (2, 31)], &[("type", "site"), ("tourism", "museum"), ("name", "Site of a node")]),
        relation(33, &[(1, 999)], &[("type", "multipolygon"), ("amenity", "school"), ("name", "Not here")]),
    ]
}
