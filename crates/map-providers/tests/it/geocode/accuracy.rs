//! Three hundred addresses of four towns, through every geocoder.

use std::time::Duration;

use map_providers::geocode::census::Census;
use map_providers::geocode::nominatim::Nominatim;
use map_providers::geocode::overture::OvertureAddresses;
use map_providers::geocode::photon::Photon;
use map_providers::geocode::{AddressQuery, Exactness, Geocoder};
use map_providers::{Gateway, Pace};
use place_data::{AddressPoint, OvertureSettings};
use places::{StreetText, locate};
use rehearsal::nominatim::{Options, Rehearsal};
use sandbox::World;

use super::address_file;
use super::gateways::{AGENT, plain, served};
use super::town::{SEED, TOWNS, Typed, businesses, typed};

const NEAR_MILES: f64 = 50.0 / 1609.344;
const UNHURRIED: Pace = Pace { interval: Duration::ZERO, concurrent_max: 8 };

fn addresses(world: &World) -> Vec<Typed> {
    TOWNS.iter().flat_map(|town| typed(world, town, 75)).collect()
}

/// Asserts that nearly all addresses are found where they lie, and says how many are.
async fn assert_near(geocoder: &dyn Geocoder, gateway: &dyn Gateway, addresses: &[Typed]) -> usize {
    let mut missed = Vec::new();
    for Typed { text, query, point } in addresses {
        let found = geocoder.find(gateway, query).await.expect("an answer");
        if !found.as_ref().is_some_and(|door| door.point.miles_to(*point) <= NEAR_MILES) {
            missed.push(format!("{text}: {found:?}"));
        }
    }
    let share = 1.0 - missed.len() as f64 / addresses.len() as f64;
    assert!(share >= 0.95, "{}: {share}\n{}", geocoder.name(), missed.join("\n"));
    addresses.len() - missed.len()
}

#[tokio::test]
async fn nearly_all_addresses_are_found_by_each_server() {
    let world = World::new(SEED);
    let rehearsal = Rehearsal::new(world.clone(), Options::default());
    let base = served(rehearsal.router()).await;
    let all = addresses(&world);
    assert_eq!(all.len(), 300);
    let gateway = plain();
    let nominatim = Nominatim::new(&base, AGENT).unwrap().with_pace(UNHURRIED);
    println!("nominatim: {} of 300", assert_near(&nominatim, &gateway, &all).await);
    let photon = Photon::new(&base, AGENT).unwrap().with_pace(UNHURRIED);
    println!("photon: {} of 300", assert_near(&photon, &gateway, &all).await);
    let american: Vec<Typed> = all.iter().filter(|typed| typed.query.country == "US").cloned().collect();
    let census = Census::new(&base, AGENT).unwrap().with_pace(UNHURRIED);
    println!("census: {} of {}", assert_near(&census, &gateway, &american).await, american.len());
    let asked = rehearsal.log().len();
    let abroad = all.iter().find(|typed| typed.query.country == "DE").expect("an address abroad");
    assert_eq!(census.find(&gateway, &abroad.query).await, Ok(None));
    assert_eq!(rehearsal.log().len(), asked, "it has no addresses abroad and is not asked for them");
    assert!(rehearsal.log().iter().all(|request| request.user_agent.as_deref() == Some(AGENT)));
}

#[tokio::test]
async fn nearly_all_addresses_are_found_in_a_file_of_them() {
    let world = World::new(SEED);
    let folder = tempfile::tempdir().unwrap();
    let mut known = Vec::new();
    for business in TOWNS.iter().flat_map(|town| businesses(&world, town)) {
        let StreetText { number, street, unit } = StreetText::parse(&business.street, business.country).unwrap();
        let (id, point, city) = (business.id, business.point, Some(business.city));
        known.push(AddressPoint { id, point, number, street, unit, postcode: business.postal_code, city });
    }
    println!("{} addresses in the file", known.len());
    address_file::write(&folder.path().join("2026-10-21.0/theme=addresses/type=address/part-0.parquet"), known);
    let settings =
        OvertureSettings { places: Some(folder.path().display().to_string()), ..OvertureSettings::default() };
    let geocoder = OvertureAddresses::new(settings).unwrap();
    let gateway = plain();
    assert_eq!(geocoder.check(&gateway).await.unwrap(), "the addresses of 2026-10-21.0 are there");
    println!("overture: {} of 300", assert_near(&geocoder, &gateway, &addresses(&world)).await);
}

#[tokio::test]
async fn an_address_a_zip_code_and_a_town_are_three_places() {
    let rehearsal = Rehearsal::new(World::new(SEED), Options::default());
    let base = served(rehearsal.router()).await;
    let [address, code, town] =
        ["12000 N Lamar Blvd, Austin, TX", "78753", "Austin, TX"].map(|text| locate(text).expect(text));
    assert_eq!(AddressQuery::of(&code), None);
    assert_eq!(AddressQuery::of(&town), None);
    let query = AddressQuery::of(&address).expect("an address");
    let geocoder = Nominatim::new(&base, AGENT).unwrap().with_pace(UNHURRIED);
    let door = geocoder.find(&plain(), &query).await.unwrap().expect("a door");
    assert!(door.exactness >= Exactness::Interpolated, "{door:?}");
    for (one, other) in
        [(door.point, code.place.point), (door.point, town.place.point), (code.place.point, town.place.point)]
    {
        assert!(one.miles_to(other) > 0.1, "{one:?} {other:?}");
    }
    assert_eq!(address.place.point, town.place.point, "without a geocoder, the address is its town");
}
