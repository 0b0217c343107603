//! Google's Geocoding API, with the operator's key.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use futures::FutureExt;
use futures::future::BoxFuture;
use http::{HeaderMap, Method};
use places::Point;
use serde_json::Value;
use url::Url;

use super::{AddressQuery, Door, Exactness, Geocoder};
use crate::{Call, CallError, Gateway, Pace, ProviderError, Reply};

/// Where the API is.
pub const BASE_URL: &str = "https://maps.googleapis.com";
const PATH: &str = "maps/api/geocode/json";
const ANSWER_BYTES_MAX: usize = 512 * 1024;
/// Google's terms allow to keep coordinates for up to thirty days.
const FRESH_FOR: Duration = Duration::from_secs(24 * 60 * 60);
/// How long a located address is remembered, unless the operator says otherwise.
const KEEP_FOR: Duration = Duration::from_secs(30 * 24 * 60 * 60);
const TIMEOUT: Duration = Duration::from_secs(20);
const PACE: Pace = Pace { interval: Duration::from_millis(100), concurrent_max: 4 };
/// Waits before further tries when Google is busy or fails.
const WAITS: [Duration; 3] = [Duration::from_secs(1), Duration::from_secs(3), Duration::from_secs(8)];
/// How long to wait when it stays so.
const LATER: Duration = Duration::from_secs(60);
/// The longest wait that a reply may ask for while the search waits; for longer ones it pauses.
const WAIT_MAX: Duration = Duration::from_secs(60);
/// Results looked at, and letters of an address.
const RESULTS_MAX: usize = 10;
const NAME_MAX: usize = 300;

/// How Google's geocoder is asked.
#[derive(Clone)]
pub struct GoogleGeocoderSettings {
    /// Where the API is; [`BASE_URL`] except in a rehearsal.
    pub base_url: Url,
    /// The operator's key.
    pub key: String,
    /// The language of addresses, such as `en`.
    pub language: Option<String>,
    /// How long an answer may be reused.
    pub fresh_for: Duration,
    /// How long a located address may be remembered.
    pub keep_for: Duration,
    /// How fast requests follow each other.
    pub pace: Pace,
}

impl GoogleGeocoderSettings {
    /// The defaults, with a key.
    #[must_use]
    pub fn new(base_url: Url, key: impl Into<String>) -> GoogleGeocoderSettings {
        let (fresh_for, keep_for) = (FRESH_FOR, KEEP_FOR);
        GoogleGeocoderSettings { base_url, key: key.into(), language: None, fresh_for, keep_for, pace: PACE }
    }
}

impl fmt::Debug for GoogleGeocoderSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GoogleGeocoderSettings").field("base_url", &self.base_url.as_str()).finish_non_exhaustive()
    }
}

/// Finds street addresses with Google's Geocoding API.
#[derive(Clone, Debug)]
pub struct GoogleGeocoder {
    settings: GoogleGeocoderSettings,
}

impl GoogleGeocoder {
    /// Asks with these settings.
    #[must_use]
    pub fn new(settings: GoogleGeocoderSettings) -> GoogleGeocoder {
        GoogleGeocoder { settings }
    }

    fn call(&self, parameters: &[(&str, &str)]) -> Result<Call, ProviderError> {
        if self.settings.key.trim().is_empty() {
            return Err(ProviderError::Permanent("there is no Google key in the settings".to_owned()));
        }
        let mut url = crate::google::address(&self.settings.base_url, PATH)?;
        url.query_pairs_mut().extend_pairs(parameters);
        if let Some(language) = &self.settings.language {
            url.query_pairs_mut().append_pair("language", language);
        }
        Ok(Call {
            provider: "google",
            kind: "geocoding",
            method: Method::GET,
            url,
            headers: HeaderMap::new(),
            secrets: HeaderMap::new(),
            secret_query: Some(("key", self.settings.key.trim().to_owned())),
            body: Bytes::new(),
            answer_max: ANSWER_BYTES_MAX,
            timeout: TIMEOUT,
            fresh_for: self.settings.fresh_for,
            is_worth_storing,
            pace: self.settings.pace,
        })
    }

    async fn door(&self, gateway: &dyn Gateway, query: &AddressQuery) -> Result<Option<Door>, ProviderError> {
        let within = query.within;
        let bounds = format!("{},{}|{},{}", within.south, within.west, within.north, within.east);
        let components = format!("country:{}", query.country);
        let line = line(query);
        let call = self.call(&[("address", &line), ("components", &components), ("bounds", &bounds)])?;
        let answer = send(gateway, &call).await?;
        Ok(best(&answer, query))
    }
}

impl Geocoder for GoogleGeocoder {
    fn name(&self) -> &'static str {
        "google"
    }

    fn remembered_for(&self) -> Duration {
        self.settings.keep_for
    }

    fn find<'a>(
        &'a self,
        gateway: &'a dyn Gateway,
        query: &'a AddressQuery,
    ) -> BoxFuture<'a, Result<Option<Door>, ProviderError>> {
        self.door(gateway, query).boxed()
    }

    fn check<'a>(&'a self, gateway: &'a dyn Gateway) -> BoxFuture<'a, Result<String, ProviderError>> {
        async move {
            let call = self.call(&[("address", "1600 Pennsylvania Avenue NW, Washington, DC")])?;
            let call = Call { fresh_for: Duration::ZERO, ..call };
            send(gateway, &call).await?;
            Ok("Google accepts the key, and the Geocoding API is enabled".to_owned())
        }
        .boxed()
    }
}

/// The address in one line.
fn line(query: &AddressQuery) -> String {
    let street = match &query.number {
        Some(number) => format!("{number} {}", query.street),
        None => query.street.clone(),
    };
    let region =
        [query.state.as_deref(), query.postal_code.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let parts = [Some(street.as_str()), query.city.as_deref(), Some(region.as_str())];
    let parts: Vec<&str> = parts.into_iter().flatten().filter(|part| !part.trim().is_empty()).collect();
    parts.join(", ")
}

fn is_worth_storing(reply: &Reply) -> bool {
    reply.status == 200 && matches!(status_of(&read(&reply.body)), "OK" | "ZERO_RESULTS")
}

fn read(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap_or_default()
}

fn status_of(answer: &Value) -> &str {
    answer.get("status").and_then(Value::as_str).unwrap_or_default()
}

/// The answer, asked for again where waiting helps.
async fn send(gateway: &dyn Gateway, call: &Call) -> Result<Value, ProviderError> {
    let mut waits = WAITS.iter();
    loop {
        let (error, asked) = match gateway.call(call).await {
            Ok(reply) => {
                let answer = read(&reply.body);
                match failure(&reply, &answer) {
                    None => return Ok(answer),
                    Some(error @ ProviderError::Transient { .. }) => (error, reply.retry_after),
                    Some(error) => return Err(error),
                }
            }
            Err(error @ (CallError::Unreachable(_) | CallError::TimedOut(_))) => (error.into(), None),
            Err(error) => return Err(error.into()),
        };
        match waits.next().map(|usual| asked.unwrap_or(*usual)).filter(|wait| *wait <= WAIT_MAX) {
            Some(wait) => tokio::time::sleep(wait).await,
            None => return Err(error),
        }
    }
}

/// What is wrong with a reply, in words that say what to fix.
fn failure(reply: &Reply, answer: &Value) -> Option<ProviderError> {
    let message = answer.get("error_message").and_then(Value::as_str).unwrap_or_default().to_lowercase();
    let permanent = |sentence: &str| Some(ProviderError::Permanent(sentence.to_owned()));
    let transient = |sentence: &str| {
        Some(ProviderError::Transient { reason: sentence.to_owned(), after: Some(reply.retry_after.unwrap_or(LATER)) })
    };
    match (reply.status, status_of(answer)) {
        (200, "OK" | "ZERO_RESULTS") => None,
        (429, _) | (_, "OVER_QUERY_LIMIT") => transient("Google's quota of geocoding requests is used up"),
        (_, "OVER_DAILY_LIMIT") => permanent(
            "Google refuses to geocode: the key is wrong, billing is off for its project, or its daily limit is reached",
        ),
        (_, "REQUEST_DENIED")
            if message.contains("not authorized") && message.contains("api") || message.contains("not activated") =>
        {
            permanent("the Geocoding API is not enabled for the Google key: enable it in the Google Cloud console")
        }
        (_, "REQUEST_DENIED") if message.contains("billing") => {
            permanent("billing is off for the Google key's project: switch it on in the Google Cloud console")
        }
        (_, "REQUEST_DENIED")
            if message.contains("referer") || message.contains("ip") && message.contains("address") =>
        {
            permanent("the Google key is restricted to other addresses: allow this server's IP address")
        }
        (401 | 403, _) | (_, "REQUEST_DENIED") => {
            permanent("Google does not accept the key for geocoding: check the key")
        }
        (400, _) | (_, "INVALID_REQUEST") => {
            permanent("Google rejects the geocoding request as invalid, which is a fault of Canvass: please report it")
        }
        (404 | 405, _) => permanent("there is no Geocoding API at the address in the settings"),
        _ => transient("Google's geocoder does not answer properly at the moment"),
    }
}

/// The most exact result inside of the query's box.
fn best(answer: &Value, query: &AddressQuery) -> Option<Door> {
    let results = answer.get("results").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let doors = results.iter().take(RESULTS_MAX).filter_map(|result| door(result, query));
    // Of equally exact ones the first, which Google thinks the likeliest.
    doors.rev().max_by_key(|door| door.exactness)
}

fn door(result: &Value, query: &AddressQuery) -> Option<Door> {
    let geometry = result.get("geometry")?;
    let degrees = |name: &str| geometry.get("location")?.get(name)?.as_f64();
    let point = Point { latitude: degrees("lat")?, longitude: degrees("lng")? };
    let name = result.get("formatted_address").and_then(Value::as_str).unwrap_or(&query.typed);
    let door = Door { point, exactness: exactness(result, query), name: name.chars().take(NAME_MAX).collect() };
    (point.latitude.abs() <= 90.0 && query.within.contains(point)).then_some(door)
}

fn exactness(result: &Value, query: &AddressQuery) -> Exactness {
    let location_type = result.get("geometry").and_then(|geometry| geometry.get("location_type")?.as_str());
    let is_of = |kinds: &[&str]| has_type(result, kinds);
    let exactness = match location_type {
        _ if is_of(&["postal_code"]) => Exactness::PostalCode,
        _ if is_of(&[
            "locality",
            "political",
            "administrative_area_level_1",
            "administrative_area_level_2",
            "country",
        ]) =>
        {
            Exactness::Town
        }
        _ if is_of(&["route", "intersection"]) => Exactness::Street,
        Some("ROOFTOP") => Exactness::Rooftop,
        Some("RANGE_INTERPOLATED") => Exactness::Interpolated,
        Some("GEOMETRIC_CENTER") if is_of(&["premise", "subpremise", "street_address", "establishment"]) => {
            Exactness::Rooftop
        }
        Some("GEOMETRIC_CENTER") => Exactness::Street,
        _ if is_of(&["street_address", "premise", "subpremise"]) => Exactness::Interpolated,
        _ => Exactness::Town,
    };
    // Another house of the same street is not the one that was asked for.
    let is_partial = result.get("partial_match").and_then(Value::as_bool).unwrap_or(false);
    let is_other =
        query.number.as_deref().is_some_and(|number| house_number(result).is_some_and(|found| found != number));
    let is_unknown = is_partial && query.number.is_some() && house_number(result).is_none();
    if is_other || is_unknown { exactness.min(Exactness::Street) } else { exactness }
}

fn has_type(value: &Value, kinds: &[&str]) -> bool {
    let types = value.get("types").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    types.iter().filter_map(Value::as_str).any(|kind| kinds.contains(&kind))
}

fn house_number(result: &Value) -> Option<&str> {
    let components = result.get("address_components")?.as_array()?;
    components.iter().find(|component| has_type(component, &["street_number"]))?.get("long_name")?.as_str()
}

#[cfg(test)]
mod tests {
    use places::Bounds;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn query(number: Option<&str>) -> AddressQuery {
        AddressQuery {
            typed: "12 Elm St, Plainville".into(),
            number: number.map(str::to_owned),
            street: "Elm St".into(),
            city: Some("Plainville".into()),
            state: Some("TX".into()),
            postal_code: None,
            country: "US",
            within: Bounds { south: 30.0, west: -98.0, north: 31.0, east: -97.0 },
        }
    }

    fn result(kind: &str, location_type: &str, number: &str) -> Value {
        json!({ "types": [kind], "formatted_address": "12 Elm Street, Plainville, TX",
            "geometry": { "location": { "lat": 30.5, "lng": -97.5 }, "location_type": location_type },
            "address_components": [{ "long_name": number, "types": ["street_number"] }] })
    }

    #[test]
    fn exactness_follows_what_was_found() {
        for (kind, location_type, number, expected) in [
            ("street_address", "ROOFTOP", "12", Exactness::Rooftop),
            ("premise", "GEOMETRIC_CENTER", "12", Exactness::Rooftop),
            ("street_address", "RANGE_INTERPOLATED", "12", Exactness::Interpolated),
            ("street_address", "ROOFTOP", "14", Exactness::Street),
            ("route", "GEOMETRIC_CENTER", "12", Exactness::Street),
            ("postal_code", "APPROXIMATE", "12", Exactness::PostalCode),
            ("locality", "APPROXIMATE", "12", Exactness::Town),
            ("", "NEW_TYPE", "12", Exactness::Town),
        ] {
            let answer = json!({ "results": [result(kind, location_type, number)] });
            assert_eq!(
                best(&answer, &query(Some("12"))).map(|door| door.exactness),
                Some(expected),
                "{kind} {location_type}"
            );
        }
        let several =
            json!({ "results": [result("locality", "APPROXIMATE", "12"), result("street_address", "ROOFTOP", "12")] });
        assert_eq!(best(&several, &query(Some("12"))).unwrap().exactness, Exactness::Rooftop);
        let mut far = result("street_address", "ROOFTOP", "12");
        far["geometry"]["location"]["lat"] = json!(40.0);
        assert_eq!(best(&json!({ "results": [far, 1, {}] }), &query(None)), None);
    }

    #[test]
    fn every_status_says_what_to_fix() {
        let of = |status: u16, name: &str, message: &str| {
            let answer = json!({ "status": name, "error_message": message });
            let reply = Reply { status, retry_after: None, body: Bytes::from(answer.to_string()) };
            failure(&reply, &answer).map(|error| (error.to_string(), matches!(error, ProviderError::Transient { .. })))
        };
        assert_eq!(of(200, "OK", ""), None);
        assert_eq!(of(200, "ZERO_RESULTS", ""), None);
        for (status, name, message, expected, passes) in [
            (200, "OVER_QUERY_LIMIT", "You have exceeded your rate-limit for this API.", "quota", true),
            (200, "OVER_DAILY_LIMIT", "", "billing", false),
            (200, "REQUEST_DENIED", "The provided API key is invalid.", "check the key", false),
            (200, "REQUEST_DENIED", "This API project is not authorized to use this API.", "enable it", false),
            (200, "REQUEST_DENIED", "You must enable Billing on the Google Cloud Project", "billing is off", false),
            (
                200,
                "REQUEST_DENIED",
                "API keys with referer restrictions cannot be used with this API.",
                "IP address",
                false,
            ),
            (200, "INVALID_REQUEST", "", "a fault of Canvass", false),
            (200, "UNKNOWN_ERROR", "", "at the moment", true),
            (502, "", "", "at the moment", true),
        ] {
            let (sentence, is_transient) = of(status, name, message).unwrap();
            assert!(sentence.contains(expected) && is_transient == passes, "{name}: {sentence}");
        }
    }

    #[test]
    fn an_address_is_one_line() {
        assert_eq!(line(&query(Some("12"))), "12 Elm St, Plainville, TX");
        assert_eq!(line(&AddressQuery { city: None, state: None, ..query(None) }), "Elm St");
    }

    proptest! {
        #[test]
        fn no_answer_makes_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), number in any::<i64>(), text in ".{0,20}") {
            let odd = json!({ "results": [{ "geometry": { "location": { "lat": number, "lng": text }, "location_type": number },
                "types": text, "address_components": number }, { "geometry": text }, number], "status": number });
            for answer in [read(&bytes), odd] {
                best(&answer, &query(Some("1")));
                failure(&Reply { status: 200, retry_after: None, body: Bytes::new() }, &answer);
            }
        }
    }
}
