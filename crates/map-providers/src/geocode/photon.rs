//! Photon, a geocoder of OpenStreetMap's data: the public server or one's own.
//!
//! The public server asks for moderate use without naming a number; it is asked as Nominatim's is.

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
pub const PUBLIC: &str = "https://photon.komoot.io";
/// Whom to name wherever a result is shown.
pub const ATTRIBUTION: &str = "© OpenStreetMap contributors";
/// The pace at which the public server is asked.
pub const PACE: Pace = Pace { interval: Duration::from_secs(1), concurrent_max: 1 };

/// Answers that are asked for.
const ANSWERS: &str = "15";

/// Photon.
#[derive(Clone, Debug)]
pub struct Photon {
    server: Server,
}

impl Photon {
    /// The server at this address, asked at the public server's pace.
    ///
    /// # Errors
    /// When the address or the user agent cannot be used.
    pub fn new(base: &str, user_agent: &str) -> Result<Photon, ProviderError> {
        Ok(Photon { server: Server::new("photon", base, user_agent, PACE)? })
    }

    /// Asked at another pace: for one's own server.
    #[must_use]
    pub fn with_pace(mut self, pace: Pace) -> Photon {
        self.server.pace = pace;
        self
    }

    async fn locate(&self, gateway: &dyn Gateway, query: &AddressQuery) -> Result<Option<Door>, ProviderError> {
        let centre = query.centre();
        let mut parameters = vec![
            ("q", query.one_line()),
            ("lat", format!("{:.5}", centre.latitude)),
            ("lon", format!("{:.5}", centre.longitude)),
            ("limit", ANSWERS.to_owned()),
        ];
        parameters.extend(box_of(&query.within).map(|bbox| ("bbox", bbox)));
        let answer = self.server.ask(gateway, Question::stored("api", parameters, is_hit)).await?;
        let Some(found) = answer.get("features").and_then(Value::as_array) else {
            let reason = "photon answered without a list of features".to_owned();
            return Err(ProviderError::Transient { reason, after: None });
        };
        Ok(choose(query, found.iter().filter_map(candidate)))
    }
}

impl Geocoder for Photon {
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
            let parameters = vec![("q", "Berlin".to_owned()), ("limit", "1".to_owned())];
            let answer = self.server.ask(gateway, Question::check("api", parameters)).await?;
            match answer.get("features").and_then(Value::as_array) {
                Some(_) => Ok("photon answers".to_owned()),
                None => Err(ProviderError::Permanent("photon: the server at its address is not Photon".into())),
            }
        }
        .boxed()
    }
}

fn is_hit(reply: &Reply) -> bool {
    let features = parsed(reply).and_then(|answer| Some(answer.get("features")?.as_array()?.len()));
    features.is_some_and(|count| count > 0)
}

fn candidate(found: &Value) -> Option<Candidate> {
    let coordinates = found.get("geometry")?.get("coordinates")?.as_array()?;
    let point = Point { longitude: number(coordinates.first())?, latitude: number(coordinates.get(1))? };
    let properties = found.get("properties")?;
    let part = |key: &str| text(properties.get(key));
    let house = part("housenumber");
    let is_street = part("osm_key").as_deref() == Some("highway") || part("type").as_deref() == Some("street");
    let street = part("street").or_else(|| part("name").filter(|_| is_street));
    let exactness = match (&house, &street) {
        (Some(_), _) => Exactness::Rooftop,
        (None, Some(_)) => Exactness::Street,
        (None, None) => Exactness::Town,
    };
    let line = [house.clone(), street.clone(), part("postcode"), part("city"), part("state"), part("country")];
    Some(Candidate {
        point,
        exactness,
        number: house,
        street,
        city: part("city").or_else(|| part("locality")),
        postal_code: part("postcode"),
        name: line.into_iter().flatten().collect::<Vec<String>>().join(", "),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn houses_streets_and_towns_are_told_apart() {
        let feature = |properties: Value| json!({"geometry": {"coordinates": [-97.7, 30.3]}, "properties": properties});
        for (properties, expected) in [
            (
                json!({"osm_key": "place", "type": "house", "housenumber": 5, "street": "Main Street"}),
                Some((Exactness::Rooftop, "Main Street")),
            ),
            (
                json!({"osm_key": "amenity", "name": "Pub", "housenumber": "5", "street": "Main Street"}),
                Some((Exactness::Rooftop, "Main Street")),
            ),
            (
                json!({"osm_key": "highway", "type": "street", "name": "Main Street"}),
                Some((Exactness::Street, "Main Street")),
            ),
            (json!({"osm_key": "place", "type": "city", "name": "Austin"}), Some((Exactness::Town, ""))),
        ] {
            let found = candidate(&feature(properties.clone()));
            let found = found.map(|found| (found.exactness, found.street.unwrap_or_default()));
            assert_eq!(found, expected.map(|(exactness, street)| (exactness, street.to_owned())), "{properties}");
        }
        for broken in
            [json!(null), json!({"geometry": {"coordinates": ["x", 1]}}), json!({"geometry": [], "properties": 7})]
        {
            assert_eq!(candidate(&broken), None, "{broken}");
        }
    }
}
