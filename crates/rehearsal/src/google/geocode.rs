//! The geocoder: knows the streets of every town, as the rehearsal of Nominatim does.

use std::collections::HashMap;

use axum::Json;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use places::Point;
use serde_json::{Value, json};

use super::Rehearsal;
use crate::nominatim::{Address, Kind};

pub(super) async fn geocode(
    State(rehearsal): State<Rehearsal>,
    Query(parameters): Query<HashMap<String, String>>,
) -> Response {
    let address = parameters.get("address").map(String::as_str).unwrap_or_default();
    let arrival = rehearsal.arrive(format!("geocode {address}"));
    let options = rehearsal.options();
    let is_key = parameters.get("key").is_some_and(|key| *key == options.key);
    let number = arrival.0;
    let denied = |message: &str| json!({ "results": [], "status": "REQUEST_DENIED", "error_message": message });
    let answer = match () {
        () if !is_key => denied("The provided API key is invalid."),
        () if options.faults.disabled => denied("This API project is not authorized to use this API."),
        () if options.faults.busy_every.is_some_and(|every| number.is_multiple_of(every.max(1))) => {
            json!({ "results": [], "status": "OVER_QUERY_LIMIT", "error_message": "You have exceeded your rate-limit." })
        }
        () => found(&rehearsal, parameters.get("address").map(String::as_str).unwrap_or_default()),
    };
    rehearsal.leave(arrival, "geocoding", 200);
    Json(answer).into_response()
}

fn found(rehearsal: &Rehearsal, address: &str) -> Value {
    if address.trim().is_empty() {
        return json!({ "results": [], "status": "INVALID_REQUEST" });
    }
    let result = match rehearsal.inner.streets.locate(address) {
        Some((_, Some(found))) => {
            let kinds = match found.kind {
                Kind::House => ("street_address", "ROOFTOP"),
                Kind::Between => ("street_address", "RANGE_INTERPOLATED"),
                Kind::Street => ("route", "GEOMETRIC_CENTER"),
            };
            result(&line(&found), kinds, (found.point, found.number.as_deref()))
        }
        Some((town, None)) => result(address, ("locality", "APPROXIMATE"), (town, None)),
        None => return json!({ "results": [], "status": "ZERO_RESULTS" }),
    };
    json!({ "results": [result], "status": "OK" })
}

fn line(found: &Address) -> String {
    let Address { street, city, state, country, .. } = found;
    let number = found.number.as_deref().map(|number| format!("{number} ")).unwrap_or_default();
    let code = found.postal_code.as_deref().map(|code| format!(" {code}")).unwrap_or_default();
    format!("{number}{street}, {city}, {state}{code}, {country}")
}

fn result(name: &str, (kind, location_type): (&str, &str), (point, number): (Point, Option<&str>)) -> Value {
    let number = number.map(|number| json!({ "long_name": number, "short_name": number, "types": ["street_number"] }));
    json!({
        "formatted_address": name,
        "types": [kind],
        "geometry": { "location": { "lat": point.latitude, "lng": point.longitude }, "location_type": location_type },
        "address_components": number.into_iter().collect::<Vec<_>>(),
        "partial_match": kind != "street_address",
    })
}
