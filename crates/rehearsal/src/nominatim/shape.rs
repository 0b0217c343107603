//! Answers in the shapes of the real geocoders.

use serde_json::{Value, json};

use super::ask::Asked;
use super::spell;
use super::streets::{Address, Kind};

/// Whose shape an answer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Nominatim,
    /// Nominatim about itself.
    Status,
    Photon,
    Census,
    /// The Census Bureau's geocoder about its data.
    Benchmarks,
}

impl Shape {
    pub(super) fn kind(self) -> &'static str {
        match self {
            Shape::Nominatim => "search",
            Shape::Status => "status",
            Shape::Photon => "photon",
            Shape::Census => "census",
            Shape::Benchmarks => "benchmarks",
        }
    }

    /// The answer with these addresses.
    pub(super) fn written(self, asked: &Asked, found: &[Address]) -> Value {
        match self {
            Shape::Nominatim => (0_u64..).zip(found).map(|(at, address)| nominatim(at, address)).collect(),
            Shape::Photon => {
                let features = (0_u64..).zip(found).map(|(at, address)| photon(at, address));
                json!({"features": features.collect::<Vec<Value>>(), "type": "FeatureCollection"})
            }
            Shape::Census => {
                // It knows ranges of numbers, in the US.
                let houses = found.iter().filter(|address| address.kind != Kind::Street && address.country == "US");
                let matches: Vec<Value> = houses.map(census).collect();
                let input = json!({"address": {"street": asked.street, "city": asked.city, "state": asked.state}});
                json!({"result": {"input": input, "addressMatches": matches}})
            }
            Shape::Status => json!({"status": 0, "message": "OK", "software_version": "5.1.0"}),
            Shape::Benchmarks => {
                json!({"benchmarks": [{"id": "4", "benchmarkName": "Public_AR_Current", "isDefault": true}]})
            }
        }
    }
}

pub(super) fn census_error() -> Value {
    json!({"errors": ["Street address cannot be empty"], "status": "400"})
}

fn nominatim(at: u64, address: &Address) -> Value {
    let street = spell::in_full(&address.street);
    let (osm_type, category, kind, address_type, rank) = match address.kind {
        Kind::House => ("node", "building", "yes", "building", 30),
        Kind::Between => ("way", "place", "house", "place", 30),
        Kind::Street => ("way", "highway", "residential", "road", 26),
    };
    let (latitude, longitude) = (address.point.latitude, address.point.longitude);
    let corners = [latitude - 1e-4, latitude + 1e-4, longitude - 1e-4, longitude + 1e-4];
    let parts = [
        ("house_number", address.number.clone()),
        ("road", Some(street.clone())),
        ("city", Some(address.city.clone())),
        ("state", Some(address.state.clone())),
        ("postcode", address.postal_code.clone()),
        ("country_code", Some(address.country.to_ascii_lowercase())),
    ];
    let known = || parts.iter().filter_map(|(key, part)| Some((*key, part.clone()?)));
    let line: Vec<String> = known().map(|(_, part)| part).collect();
    json!({
        "place_id": 1_000 + at,
        "licence": "Made-up data of the sandbox",
        "osm_type": osm_type,
        "osm_id": 2_000 + at,
        "lat": format!("{latitude:.7}"),
        "lon": format!("{longitude:.7}"),
        "category": category,
        "type": kind,
        "place_rank": rank,
        "importance": 0.1,
        "addresstype": address_type,
        "name": if address.kind == Kind::Street { street.as_str() } else { "" },
        "display_name": line.join(", "),
        "address": known().map(|(key, part)| (key.to_owned(), Value::String(part))).collect::<serde_json::Map<_, _>>(),
        "boundingbox": corners.map(|corner| format!("{corner:.7}")),
    })
}

fn photon(at: u64, address: &Address) -> Value {
    let street = spell::in_full(&address.street);
    let mut properties = json!({
        "osm_type": "W",
        "osm_id": 3_000 + at,
        "countrycode": address.country,
        "city": address.city,
        "state": address.state,
    });
    let texts = match (&address.number, address.kind) {
        (Some(number), Kind::House | Kind::Between) => {
            vec![
                ("osm_key", "building"),
                ("osm_value", "yes"),
                ("type", "house"),
                ("housenumber", number),
                ("street", &street),
            ]
        }
        _ => vec![("osm_key", "highway"), ("osm_value", "residential"), ("type", "street"), ("name", street.as_str())],
    };
    for (key, text) in texts.into_iter().chain(address.postal_code.as_deref().map(|code| ("postcode", code))) {
        properties[key] = Value::String(text.to_owned());
    }
    let coordinates = [address.point.longitude, address.point.latitude];
    json!({"type": "Feature", "properties": properties, "geometry": {"type": "Point", "coordinates": coordinates}})
}

fn census(address: &Address) -> Value {
    let upper = |text: &str| text.to_uppercase();
    let number = address.number.clone().unwrap_or_default();
    let street = upper(&address.street);
    let words: Vec<&str> = street.split_whitespace().collect();
    let (direction, words) = match words.as_slice() {
        [direction @ ("N" | "S" | "E" | "W"), rest @ ..] if rest.len() > 1 => (*direction, rest),
        all => ("", all),
    };
    let (kind, name) = words.split_last().map_or(("", String::new()), |(kind, name)| (*kind, name.join(" ")));
    let code = address.postal_code.clone().unwrap_or_default();
    let line = [format!("{number} {street}"), upper(&address.city), upper(&address.state), code.clone()].join(", ");
    json!({
        "tigerLine": {"side": "L", "tigerLineId": "1"},
        // The middle of the block's side rather than the roof: about ten metres away.
        "coordinates": {"x": address.point.longitude + 6e-5, "y": address.point.latitude + 6e-5},
        "addressComponents": {
            "zip": code, "streetName": name, "preType": "", "city": upper(&address.city), "preDirection": direction,
            "suffixDirection": "", "fromAddress": number, "state": upper(&address.state), "suffixType": kind,
            "toAddress": number, "suffixQualifier": "", "preQualifier": "",
        },
        "matchedAddress": line,
    })
}
