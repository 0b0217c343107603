//! Files of addresses: houses between known ones, streets, crossings, and files that are none.

use std::path::Path;

use map_providers::ProviderError;
use map_providers::geocode::overture::OvertureAddresses;
use map_providers::geocode::{AddressQuery, Exactness, Geocoder};
use place_data::{AddressPoint, OvertureSettings};
use places::{Point, locate};

use super::address_file;
use super::gateways::plain;

fn address(number: u32, street: &str, point: (f64, f64)) -> AddressPoint {
    AddressPoint {
        id: format!("{street} {number}"),
        point: Point { latitude: point.0, longitude: point.1 },
        number: Some(number.to_string()),
        street: street.to_owned(),
        unit: None,
        postcode: Some("78753".into()),
        city: Some("Austin".into()),
    }
}

/// Every tenth number of a street northwards and of one eastwards, which meet; and the same far away.
fn addresses() -> Vec<AddressPoint> {
    let mut all = Vec::new();
    for (latitude, longitude) in [(30.38, -97.68), (48.0, 11.0)] {
        for step in 0..300_u32 {
            let along = f64::from(step) * 0.0001;
            all.push(address(11_000 + 10 * step, "N LAMAR BLVD", (latitude + along, longitude)));
            all.push(address(100 + 2 * step, "E Rundberg Ln", (latitude, longitude + 0.0005 + along)));
        }
    }
    all
}

fn geocoder(folder: &Path) -> OvertureAddresses {
    let settings = OvertureSettings { places: Some(folder.display().to_string()), ..OvertureSettings::default() };
    OvertureAddresses::new(settings).expect("a folder")
}

#[tokio::test]
async fn houses_are_found_themselves_between_others_or_by_their_street() {
    let folder = tempfile::tempdir().unwrap();
    address_file::write(&folder.path().join("addresses.parquet"), addresses());
    let geocoder = geocoder(folder.path());
    for (typed, expected) in [
        ("12000 North Lamar Boulevard, Austin, TX", Some((30.39, -97.68, Exactness::Rooftop))),
        ("12004 N Lamar, Austin, TX", Some((30.39004, -97.68, Exactness::Interpolated))),
        ("12000 N Lamar Blvd Suite 5, Austin, TX 78753", Some((30.39, -97.68, Exactness::Rooftop))),
        ("20000 N Lamar Blvd, Austin, TX", Some((30.40985, -97.68, Exactness::Street))),
        ("N Lamar & Rundberg Ln, Austin, TX", Some((30.38, -97.67975, Exactness::Street))),
        ("12000 S Lamar Blvd, Austin, TX", None),
        ("12000 Burnet Rd, Austin, TX", None),
    ] {
        let query = AddressQuery::of(&locate(typed).expect(typed)).expect(typed);
        let found = geocoder.find(&plain(), &query).await.expect(typed);
        match (found, expected) {
            (Some(door), Some((latitude, longitude, exactness))) => {
                assert_eq!(door.exactness, exactness, "{typed}: {door:?}");
                let miles = door.point.miles_to(Point { latitude, longitude });
                assert!(miles < 0.01, "{typed}: {door:?} is {miles} miles away");
            }
            (found, expected) => assert_eq!(found.is_some(), expected.is_some(), "{typed}: {found:?}"),
        }
    }
}

#[tokio::test]
async fn files_that_hold_no_addresses_are_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.parquet"), b"PAR1 and nothing else PAR1").unwrap();
    let query = AddressQuery::of(&locate("12000 N Lamar Blvd, Austin, TX").unwrap()).unwrap();
    let error = geocoder(folder.path()).find(&plain(), &query).await.unwrap_err();
    assert!(matches!(&error, ProviderError::Permanent(reason) if reason.contains("a.parquet")), "{error:?}");
    let empty = tempfile::tempdir().unwrap();
    let error = geocoder(empty.path()).check(&plain()).await.unwrap_err();
    assert!(matches!(&error, ProviderError::Permanent(reason) if reason.contains("no .parquet files")), "{error:?}");
    let settings = OvertureSettings { places: Some("/no/such/folder".into()), ..OvertureSettings::default() };
    assert!(OvertureAddresses::new(settings).is_err());
}
