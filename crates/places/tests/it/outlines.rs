//! Compares outlines with a second, independent parser of the same data files.

use places::{Area, Point, Scope, locate};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

static US: &[u8] = include_bytes!("../../data/us.bin");
static WORLD: &[u8] = include_bytes!("../../data/world.bin");

/// Rings of one feature, as (longitude, latitude).
type Rings = Vec<Vec<(f64, f64)>>;

/// All features of a map, by key.
fn map(packed: &[u8]) -> Vec<(String, Rings)> {
    let mut raw = vec![0; u32::from_le_bytes(packed[..4].try_into().unwrap()) as usize];
    libdeflater::Decompressor::new().zlib_decompress(&packed[4..], &mut raw).unwrap();
    let mut sections = Vec::new();
    let mut rest = raw.as_slice();
    while !rest.is_empty() {
        let length = u32::from_le_bytes(rest[..4].try_into().unwrap()) as usize;
        sections.push(&rest[4..4 + length]);
        rest = &rest[4 + length..];
    }
    let transform: Vec<f64> =
        std::str::from_utf8(sections[0]).unwrap().split(' ').map(|number| number.parse().unwrap()).collect();
    let mut steps = varints(sections[2]).into_iter();
    let mut arcs: Vec<Vec<(f64, f64)>> = Vec::new();
    for length in varints(sections[1]) {
        let (mut x, mut y) = (0, 0);
        let mut arc = Vec::new();
        for _ in 0..length {
            x += steps.next().unwrap();
            y += steps.next().unwrap();
            arc.push((x as f64 * transform[0] + transform[2], y as f64 * transform[1] + transform[3]));
        }
        arcs.push(arc);
    }
    let mut numbers = varints(sections[4]).into_iter();
    let mut next = || numbers.next().unwrap();
    let labels = std::str::from_utf8(sections[3]).unwrap().lines();
    labels
        .map(|label| {
            let mut rings = Vec::new();
            for _ in 0..next() {
                for _ in 0..next() {
                    let mut ring = Vec::new();
                    for _ in 0..next() {
                        let arc = next();
                        let reversed = || arcs[(-arc - 1) as usize].iter().rev().copied().collect();
                        ring.extend(if arc < 0 { reversed() } else { arcs[arc as usize].clone() });
                    }
                    rings.push(ring);
                }
            }
            (label.split('\t').next().unwrap().to_owned(), rings)
        })
        .collect()
}

fn varints(bytes: &[u8]) -> Vec<i64> {
    let mut values = Vec::new();
    let mut digits: Vec<u8> = Vec::new();
    for byte in bytes {
        digits.push(byte % 128);
        if *byte < 128 {
            let value = digits.iter().rev().fold(0i64, |value, digit| value * 128 + i64::from(*digit));
            values.push(if value % 2 == 0 { value / 2 } else { -(value + 1) / 2 });
            digits.clear();
        }
    }
    values
}

/// Even-odd rule, by counting crossings of the meridian to the north pole; none of the tested outlines contains that pole.
fn holds(rings: &Rings, point: Point) -> bool {
    let east_of_point = |x: f64| (x - point.longitude + 540.0).rem_euclid(360.0) - 180.0;
    let mut crossings = 0;
    for ring in rings {
        for at in 0..ring.len() {
            let ((ax, ay), (bx, by)) = (ring[at], ring[(at + 1) % ring.len()]);
            let (ax, bx) = (east_of_point(ax), east_of_point(bx));
            // An edge on the far side of the globe also changes sign, but between -180 and 180.
            let crosses = (ax > 0.0) != (bx > 0.0) && (ax - bx).abs() < 180.0;
            if crosses && ay + ax / (ax - bx) * (by - ay) > point.latitude {
                crossings += 1;
            }
        }
    }
    crossings % 2 == 1
}

/// Tests random points in and around the bounding box of an area.
fn check(area: &Area, rings: &Rings, cases: u32) {
    let bounds = area.bounds();
    let east = if bounds.east < bounds.west { bounds.east + 360.0 } else { bounds.east };
    let (height, width) = ((bounds.north - bounds.south) * 0.05 + 0.01, (east - bounds.west) * 0.05 + 0.01);
    let latitudes = (bounds.south - height).max(-90.0)..(bounds.north + height).min(90.0);
    let longitudes = bounds.west - width..east + width;
    let mut runner = TestRunner::new(ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() });
    let checked = runner.run(&(latitudes, longitudes), |(latitude, longitude)| {
        let longitude = (longitude + 540.0).rem_euclid(360.0) - 180.0;
        let point = Point { latitude, longitude };
        prop_assert_eq!(area.contains(point), holds(rings, point), "{} {:?}", area.name(), point);
        prop_assert!(!area.contains(point) || bounds.contains(point));
        Ok(())
    });
    checked.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn counties_and_states_agree_with_a_second_parser() {
    let map = map(US);
    let find = |key: &str| &map.iter().find(|(other, _)| other == key).unwrap().1;
    for (location, key) in [
        ("Travis County, TX", "48453"),
        ("Fairfax County, VA", "51059"),
        ("Cook County, IL", "17031"),
        ("Texas", "TX"),
        ("Alaska", "AK"),
        ("Hawaii", "HI"),
        ("Michigan", "MI"),
        ("Puerto Rico", "PR"),
        ("USA", "US"),
    ] {
        let place = locate(location).unwrap().place;
        check(&place.area(place.width), find(key), 200);
    }
}

#[test]
fn countries_agree_with_a_second_parser() {
    let map = map(WORLD);
    let find = |key: &str| &map.iter().find(|(other, _)| other == key).unwrap().1;
    for (location, key) in [
        ("Germany", "276"),
        ("South Africa", "710"),
        ("Fiji", "242"),
        ("Russia", "643"),
        ("Italy", "380"),
        ("Antarctica", "010"),
    ] {
        check(&locate(location).unwrap().place.area(Scope::Country), find(key), 200);
    }
}

#[test]
fn corners_of_an_outline_count_once() {
    let map = map(US);
    let kansas = &map.iter().find(|(key, _)| key == "KS").unwrap().1;
    let area = locate("Kansas").unwrap().place.area(Scope::State);
    // Level with a corner, far west of the outline: a ray through the corner must not count as a crossing.
    for (_, latitude) in kansas.iter().flatten() {
        assert!(!area.contains(Point { latitude: *latitude, longitude: -102.3 }), "{latitude}");
    }
}
