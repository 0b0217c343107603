//! Whatever a server answers, a geocoder answers with a door, with none, or with an error.

use bytes::Bytes;
use map_providers::geocode::census::Census;
use map_providers::geocode::nominatim::Nominatim;
use map_providers::geocode::photon::Photon;
use map_providers::geocode::{AddressQuery, Geocoder};
use places::Bounds;
use proptest::prelude::*;

use super::gateways::{AGENT, Echo};

const BASE: &str = "http://geocoder.test";

fn query() -> AddressQuery {
    AddressQuery {
        typed: "5 Main St".into(),
        number: Some("5".into()),
        street: "Main St".into(),
        city: Some("Austin".into()),
        state: Some("TX".into()),
        postal_code: None,
        country: "US",
        within: Bounds { south: 30.0, west: -98.0, north: 31.0, east: -97.0 },
    }
}

/// JSON of any shape, made of the words that geocoders use.
fn json() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "lat",
        "lon",
        "address",
        "road",
        "house_number",
        "category",
        "type",
        "features",
        "geometry",
        "coordinates",
        "properties",
        "street",
        "housenumber",
        "result",
        "addressMatches",
        "addressComponents",
        "x",
        "y",
        "streetName",
    ]);
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        any::<f64>().prop_map(|number| if number.is_finite() { number.to_string() } else { "1e999".to_owned() }),
        prop::sample::select(vec!["\"30.5\"", "-97.5", "30.5", "\"Main Street\"", "\"5\"", "\"\"", "\"\\u0000\""])
            .prop_map(str::to_owned),
    ];
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec((word.clone(), inner), 0..6).prop_map(|members| {
                let members: Vec<String> =
                    members.into_iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn no_answer_breaks_a_geocoder(json in json(), noise in prop::collection::vec(any::<u8>(), 0..200), status in 100..600_u16) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let nested = [json.clone(), format!("[{json}]"), format!("{{\"features\":[{json}]}}"), format!("{{\"result\":{{\"addressMatches\":[{json}]}}}}")];
        let bodies = nested.into_iter().map(|text| (200, Bytes::from(text))).chain([(200, Bytes::from(noise.clone())), (status, Bytes::from(noise))]);
        let geocoders: [Box<dyn Geocoder>; 3] = [
            Box::new(Nominatim::new(BASE, AGENT).unwrap()),
            Box::new(Photon::new(BASE, AGENT).unwrap()),
            Box::new(Census::new(BASE, AGENT).unwrap()),
        ];
        let query = query();
        for (status, body) in bodies {
            let gateway = Echo { status, body };
            for geocoder in &geocoders {
                if let Ok(Some(door)) = runtime.block_on(geocoder.find(&gateway, &query)) {
                    prop_assert!(query.within.contains(door.point));
                }
                let _ = runtime.block_on(geocoder.check(&gateway));
            }
        }
    }
}
