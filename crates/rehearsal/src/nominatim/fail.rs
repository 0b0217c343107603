//! The ways in which geocoders fail.

use std::time::Duration;

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use serde_json::json;

use super::shape::Shape;
use super::streets::Address;

/// What goes wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Status 429 with a page that says so.
    OverLimit {
        /// How long to wait, in its header.
        retry_after_secs: Option<u64>,
    },
    /// The answer takes this long.
    Slow(Duration),
    /// Status 503.
    Outage,
    /// JSON whose fields are of other types than they should be.
    WrongTypes,
    /// A page instead of JSON, with status 200.
    Html,
    /// An answer of this many bytes.
    Huge(usize),
    /// The address in another town, three degrees away.
    OtherTown,
}

const PAGE: &str =
    "<html><head><title>Limit exceeded</title></head><body><h1>Please send fewer requests</h1></body></html>";

/// The response to a request that fails altogether; `None` when it is answered.
pub(super) fn response(shape: Shape, fault: &Fault) -> Option<Response> {
    let html = [(CONTENT_TYPE, "text/html")];
    let json = [(CONTENT_TYPE, "application/json")];
    match fault {
        Fault::OverLimit { retry_after_secs: Some(seconds) } => {
            let wait = [(RETRY_AFTER, seconds.to_string())];
            Some((StatusCode::TOO_MANY_REQUESTS, wait, html, PAGE).into_response())
        }
        Fault::OverLimit { retry_after_secs: None } => {
            Some((StatusCode::TOO_MANY_REQUESTS, html, PAGE).into_response())
        }
        Fault::Outage => Some((StatusCode::SERVICE_UNAVAILABLE, html, "<html>down</html>").into_response()),
        Fault::Html => Some((html, PAGE).into_response()),
        Fault::WrongTypes => Some((json, wrong_types(shape)).into_response()),
        Fault::Huge(bytes) => Some((json, format!("[\"{}\"]", "x".repeat(*bytes))).into_response()),
        Fault::Slow(_) | Fault::OtherTown => None,
    }
}

fn wrong_types(shape: Shape) -> String {
    let broken =
        json!([null, 7, "text", [], {"lat": {}, "lon": [1], "address": "none", "coordinates": 5, "geometry": []}]);
    let whole = match shape {
        Shape::Photon => json!({"features": broken}),
        Shape::Census => json!({"result": {"addressMatches": broken}}),
        Shape::Nominatim | Shape::Status | Shape::Benchmarks => broken,
    };
    whole.to_string()
}

/// Moves an address to another town.
pub(super) fn move_away(address: &mut Address) {
    let away = if address.point.latitude > 0.0 { -3.0 } else { 3.0 };
    address.point.latitude += away;
}
