//! The geocoder of the US Census Bureau: addresses of the United States, interpolated along streets. Free, without a key.

use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use places::Point;
use serde_json::Value;

use super::ask::{Question, Server, number, parsed, text};
use super::choose::{Candidate, choose};
use super::{AddressQuery, Door, Exactness, Geocoder};
use crate::{Gateway, Pace, ProviderError, Reply};

/// The public server.
pub const PUBLIC: &str = "https://geocoding.geo.census.gov";
/// Whom to name wherever a result is shown.
pub const ATTRIBUTION: &str = "U.S. Census Bureau";
/// The pace at which it is asked: it names no limit and is run for everybody.
pub const PACE: Pace = Pace { interval: Duration::from_millis(250), concurrent_max: 2 };

const PATH: &str = "geocoder/locations/address";
/// Which data it has: the cheapest question.
const BENCHMARKS_PATH: &str = "geocoder/benchmarks";
const BENCHMARK: &str = "Public_AR_Current";
/// Countries whose addresses it has, as ISO 3166-1 writes them.
const COUNTRIES: [&str; 6] = ["US", "PR", "VI", "GU", "AS", "MP"];
/// The parts of a street in the order in which they are written.
const STREET_KEYS: [&str; 7] =
    ["preQualifier", "preDirection", "preType", "streetName", "suffixType", "suffixDirection", "suffixQualifier"];

/// The geocoder of the US Census Bureau.
#[derive(Clone, Debug)]
pub struct Census {
    server: Server,
}

impl Census {
    /// The server at this address.
    ///
    /// # Errors
    /// When the address or the user agent cannot be used.
    pub fn new(base: &str, user_agent: &str) -> Result<Census, ProviderError> {
        Ok(Census { server: Server::new("census", base, user_agent, PACE)? })
    }

    /// Asked at another pace.
    #[must_use]
    pub fn with_pace(mut self, pace: Pace) -> Census {
        self.server.pace = pace;
        self
    }

    async fn locate(&self, gateway: &dyn Gateway, query: &AddressQuery) -> Result<Option<Door>, ProviderError> {
        let has_town = query.postal_code.is_some() || (query.city.is_some() && query.state.is_some());
        // It knows ranges of house numbers, so that it has no answer for a street alone.
        if !COUNTRIES.contains(&query.country) || query.number.is_none() || !has_town {
            return Ok(None);
        }
        let parameters = vec![
            ("street", query.house_and_street()),
            ("city", query.city.clone().unwrap_or_default()),
            ("state", query.state.clone().unwrap_or_default()),
            ("zip", query.postal_code.clone().unwrap_or_default()),
            ("benchmark", BENCHMARK.to_owned()),
            ("format", "json".to_owned()),
        ];
        let answer = self.server.ask(gateway, Question::stored(PATH, parameters, is_hit)).await?;
        let Some(found) = matches(&answer) else {
            let reason = "census answered without a list of addresses".to_owned();
            return Err(ProviderError::Transient { reason, after: None });
        };
        Ok(choose(query, found.iter().filter_map(candidate)))
    }
}

impl Geocoder for Census {
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
            let answer = self.server.ask(gateway, Question::check(BENCHMARKS_PATH, Vec::new())).await?;
            match answer.get("benchmarks").and_then(Value::as_array) {
                Some(_) => Ok("the geocoder of the Census Bureau answers".to_owned()),
                None => Err(ProviderError::Permanent("census: the server at its address is another one".into())),
            }
        }
        .boxed()
    }
}

fn matches(answer: &Value) -> Option<&Vec<Value>> {
    answer.get("result")?.get("addressMatches")?.as_array()
}

fn is_hit(reply: &Reply) -> bool {
    parsed(reply).as_ref().and_then(matches).is_some_and(|found| !found.is_empty())
}

fn candidate(found: &Value) -> Option<Candidate> {
    let coordinates = found.get("coordinates")?;
    let point = Point { longitude: number(coordinates.get("x"))?, latitude: number(coordinates.get("y"))? };
    let name = text(found.get("matchedAddress")).unwrap_or_default();
    let line = name.split(',').next().unwrap_or_default();
    let (house, rest) = line.split_once(' ').unwrap_or(("", line));
    let parts = found.get("addressComponents");
    let part = |key: &str| text(parts?.get(key));
    let written: Vec<String> = STREET_KEYS.iter().filter_map(|key| part(key)).collect();
    let street = if part("streetName").is_some() { written.join(" ") } else { rest.to_owned() };
    Some(Candidate {
        point,
        exactness: Exactness::Interpolated,
        number: Some(house.to_owned()).filter(|house| !house.is_empty()),
        street: Some(street).filter(|street| !street.is_empty()),
        city: part("city"),
        postal_code: part("zip"),
        name,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_street_is_put_together_from_its_parts_or_taken_from_the_line() {
        let parts = json!({"preDirection": "N", "streetName": "LAMAR", "suffixType": "BLVD", "suffixDirection": "", "zip": "78753"});
        let line = "12000 N LAMAR BLVD, AUSTIN, TX, 78753";
        for parts in [parts, json!(null), json!({"streetName": 7.5e1, "suffixType": []})] {
            let found =
                json!({"coordinates": {"x": -97.67, "y": "30.39"}, "matchedAddress": line, "addressComponents": parts});
            let found = candidate(&found).expect("an address");
            assert_eq!(found.number.as_deref(), Some("12000"));
            assert_eq!(found.exactness, Exactness::Interpolated);
            assert!(matches!(found.street.as_deref(), Some("N LAMAR BLVD" | "75.0")), "{found:?}");
        }
        assert_eq!(candidate(&json!({"coordinates": {"x": 1}})), None);
    }
}
