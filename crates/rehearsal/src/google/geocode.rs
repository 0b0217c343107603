//! The geocoder: knows the addresses of the world's businesses and the names of its test places.

use std::collections::HashMap;

use axum::Json;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use places::{Point, fold_words};
use sandbox::{Business, test_places};
use serde_json::{Value, json};

use super::Rehearsal;
use super::place::{line, number_and_route};

/// Industries whose addresses are known.
const INDUSTRIES: [&str; 3] = ["dentist", "plumber", "restaurant"];

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

fn folded(text: &str) -> String {
    fold_words(text).join(" ")
}

fn found(rehearsal: &Rehearsal, address: &str) -> Value {
    if address.trim().is_empty() {
        return json!({ "results": [], "status": "INVALID_REQUEST" });
    }
    let typed = folded(address);
    let holds = |part: &str| typed.contains(&folded(part));
    let categories = INDUSTRIES.iter().filter_map(|slug| places::category(slug));
    let businesses: Vec<Business> =
        categories.flat_map(|category| rehearsal.businesses(category).iter().cloned().collect::<Vec<_>>()).collect();
    let house =
        businesses.iter().find(|business| typed.starts_with(&folded(&business.street)) && holds(&business.city));
    let street =
        || businesses.iter().find(|business| holds(number_and_route(&business.street).1) && holds(&business.city));
    let town = || test_places().find(|place| holds(place.city()));
    let result = match house {
        Some(house) => {
            Some(result(&line(house), ("street_address", "ROOFTOP"), (house.point, number_and_route(&house.street).0)))
        }
        None => street()
            .map(|other| result(&line(other), ("route", "GEOMETRIC_CENTER"), (other.point, None)))
            .or_else(|| Some(result(&town()?.name(), ("locality", "APPROXIMATE"), (town()?.point(), None)))),
    };
    match result {
        Some(result) => json!({ "results": [result], "status": "OK" }),
        None => json!({ "results": [], "status": "ZERO_RESULTS" }),
    }
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
