//! OpenStreetMap's geocoder, Nominatim: the public server or one's own.
//!
//! The public server's policy: at most one request a second from all of an application, a user agent that names the
//! application, results kept rather than asked for again, and [`ATTRIBUTION`] wherever they are shown.

use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use places::Point;
use serde_json::Value;

use super::ask::{Question, Server, box_of, number, parsed, text};
use super::choose::{Candidate, choose};
use super::{AddressQuery, Door, Exactness, Geocoder};
use crate::{Gateway, Pace, ProviderError, Reply};

/// The public server.
pub const PUBLIC: &str = "https://nominatim.openstreetmap.org";
/// Whom to name wherever a result is shown.
pub const ATTRIBUTION: &str = "© OpenStreetMap contributors";
/// What the public server asks its clients to keep to: one request a second, and a little more because clocks of processes differ.
pub const PACE: Pace = Pace { interval: Duration::from_millis(1_100), concurrent_max: 1 };

/// Answers that are asked for: a street is cut into several, and the right one need not be the first.
const ANSWERS: &str = "10";
/// Where the name of the street may stand, by the kind of street.
const STREET_KEYS: [&str; 12] = [
    "road",
    "pedestrian",
    "street",
    "footway",
    "residential",
    "cycleway",
    "path",
    "square",
    "living_street",
    "service",
    "place",
    "track",
];
/// Where the name of the town may stand, by its size.
/// Countries whose addresses start with the house number and name the state.
const NUMBER_FIRST: [&str; 9] = ["us", "ca", "gb", "au", "nz", "ie", "fr", "in", "za"];
const CITY_KEYS: [&str; 6] = ["city", "town", "village", "municipality", "hamlet", "suburb"];

/// Nominatim.
#[derive(Clone, Debug)]
pub struct Nominatim {
    server: Server,
}

impl Nominatim {
    /// The server at this address, asked at the public server's pace. The user agent names the application and says how to reach
    /// its operator.
    ///
    /// # Errors
    /// When the address or the user agent cannot be used.
    pub fn new(base: &str, user_agent: &str) -> Result<Nominatim, ProviderError> {
        Ok(Nominatim { server: Server::new("nominatim", base, user_agent, PACE)? })
    }

    /// Asked at another pace: for one's own server.
    #[must_use]
    pub fn with_pace(mut self, pace: Pace) -> Nominatim {
        self.server.pace = pace;
        self
    }

    async fn locate(&self, gateway: &dyn Gateway, query: &AddressQuery) -> Result<Option<Door>, ProviderError> {
        let (state, code) = (query.state.clone().unwrap_or_default(), query.postal_code.clone().unwrap_or_default());
        let mut parameters = vec![
            ("format", "jsonv2".to_owned()),
            ("street", query.house_and_street()),
            ("city", query.city.clone().unwrap_or_default()),
            ("state", state),
            ("postalcode", code),
            ("countrycodes", query.country.to_ascii_lowercase()),
            ("limit", ANSWERS.to_owned()),
            ("addressdetails", "1".to_owned()),
        ];
        if let Some(viewbox) = box_of(&query.within) {
            parameters.extend([("viewbox", viewbox), ("bounded", "1".to_owned())]);
        }
        let answer = self.server.ask(gateway, Question::stored("search", parameters, is_hit)).await?;
        let Value::Array(found) = answer else {
            let reason = "nominatim answered with something that is no list".to_owned();
            return Err(ProviderError::Transient { reason, after: None });
        };
        Ok(choose(query, found.iter().filter_map(candidate)))
    }
}

impl Geocoder for Nominatim {
    fn name(&self) -> &'static str {
        self.server.name
    }

    fn find<'a>(
        &'a self,
        gateway: &'a dyn Gateway,
        query: &'a AddressQuery,
    ) -> BoxFuture<'a, Result<Option<Door>, ProviderError>> {
        self.locate(gateway, query).boxed()
    }

    fn check<'a>(&'a self, gateway: &'a dyn Gateway) -> BoxFuture<'a, Result<String, ProviderError>> {
        async move {
            let parameters = vec![("format", "json".to_owned())];
            let answer = self.server.ask(gateway, Question::check("status", parameters)).await?;
            match answer.get("status").and_then(Value::as_i64) {
                Some(0) => Ok("nominatim answers and its database is in order".to_owned()),
                _ => Err(ProviderError::Transient {
                    reason: "nominatim says that it is not in order".into(),
                    after: None,
                }),
            }
        }
        .boxed()
    }
}

fn is_hit(reply: &Reply) -> bool {
    matches!(parsed(reply), Some(Value::Array(found)) if !found.is_empty())
}

fn candidate(found: &Value) -> Option<Candidate> {
    let point = Point { latitude: number(found.get("lat"))?, longitude: number(found.get("lon"))? };
    let address = found.get("address");
    let part = |keys: &[&str]| keys.iter().find_map(|key| text(address?.get(key)));
    let number = part(&["house_number"]);
    let (street, city) = (part(&STREET_KEYS), part(&CITY_KEYS));
    let state = part(&["ISO3166-2-lvl4"]).map(|code| code.rsplit('-').next().unwrap_or_default().to_owned());
    let country = part(&["country_code"]).unwrap_or_default();
    let door = match (&street, &number) {
        (Some(street), Some(number)) if NUMBER_FIRST.contains(&country.as_str()) => Some(format!("{number} {street}")),
        (Some(street), Some(number)) => Some(format!("{street} {number}")),
        (street, _) => street.clone(),
    };
    // Its own name of the place has every district and region that it lies in.
    let name = door.map(|door| {
        let state = state.or_else(|| part(&["state"])).filter(|_| NUMBER_FIRST.contains(&country.as_str()));
        [Some(door), city.clone(), state].into_iter().flatten().collect::<Vec<_>>().join(", ")
    });
    Some(Candidate {
        point,
        exactness: exactness(found, number.is_some()),
        number,
        street,
        city,
        postal_code: part(&["postcode"]),
        name: name.or_else(|| text(found.get("display_name"))).unwrap_or_default(),
    })
}

/// A house is a rooftop; one that stands for a number on a line of them was interpolated.
fn exactness(found: &Value, has_number: bool) -> Exactness {
    let of = |key: &str| text(found.get(key)).unwrap_or_default();
    // The older format calls the category class.
    let category = text(found.get("category")).unwrap_or_else(|| of("class"));
    let (kind, address_type, osm_type) = (of("type"), of("addresstype"), of("osm_type"));
    match (category.as_str(), kind.as_str()) {
        (_, _) if address_type == "postcode" || kind == "postcode" => Exactness::PostalCode,
        ("place", "house" | "houses") if osm_type == "way" && has_number => Exactness::Interpolated,
        (_, _) if has_number => Exactness::Rooftop,
        ("highway", _) => Exactness::Street,
        (_, _) if address_type == "road" => Exactness::Street,
        ("boundary" | "place", _) => Exactness::Town,
        _ => Exactness::Street,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn answers_say_how_exact_they_are() {
        let house = json!({"house_number": "5", "road": "Main Street"});
        for (found, expected) in [
            (
                json!({"category": "building", "type": "yes", "addresstype": "building", "address": house}),
                Exactness::Rooftop,
            ),
            (json!({"category": "amenity", "type": "pub", "osm_type": "node", "address": house}), Exactness::Rooftop),
            (json!({"class": "place", "type": "house", "osm_type": "node", "address": house}), Exactness::Rooftop),
            (
                json!({"category": "place", "type": "house", "osm_type": "way", "address": house}),
                Exactness::Interpolated,
            ),
            (json!({"category": "highway", "type": "residential", "addresstype": "road"}), Exactness::Street),
            (json!({"category": "place", "type": "postcode", "addresstype": "postcode"}), Exactness::PostalCode),
            (json!({"category": "boundary", "type": "administrative", "addresstype": "city"}), Exactness::Town),
        ] {
            let mut whole = json!({"lat": "30.3", "lon": -97.7});
            whole.as_object_mut().unwrap().extend(found.as_object().unwrap().clone());
            assert_eq!(candidate(&whole).map(|found| found.exactness), Some(expected), "{found}");
        }
        assert_eq!(candidate(&json!({"lat": "north", "lon": 5})), None);
        assert_eq!(candidate(&json!([1, 2])), None);
    }
}
