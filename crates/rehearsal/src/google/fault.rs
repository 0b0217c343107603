//! What goes wrong, by the number of the request.

use std::time::Duration;

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde_json::{Value, json};

/// What goes wrong. Everything is off by default.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// Every so many-th request is over the quota of the minute.
    pub busy_every: Option<u32>,
    /// From this request on, the quota of the day is used up.
    pub day_quota_from: Option<u32>,
    /// The API is not enabled.
    pub disabled: bool,
    /// The project has no billing.
    pub no_billing: bool,
    /// The key is restricted to websites.
    pub restricted: bool,
    /// Every so many-th request fails with status 500.
    pub broken_every: Option<u32>,
    /// From this request on, every one fails with status 503.
    pub outage_from: Option<u32>,
    /// Every answer takes this long.
    pub slow: Option<Duration>,
    /// A page begins with the last places of the one before.
    pub repeats: usize,
    /// The first business disappears before the second page is asked for, so that one is skipped.
    pub shifts: bool,
    /// Places on a page, when it is not full though more follow.
    pub short_pages: Option<usize>,
    /// Answers have 50 MB.
    pub huge: bool,
    /// Fields have other types than documented.
    pub wrong_types: bool,
    /// The answer is no JSON.
    pub garbled: bool,
    /// The order is never that of distance.
    pub ignores_rank: bool,
    /// Page tokens never become valid.
    pub dead_tokens: bool,
}

impl Faults {
    /// The refusal of a request, if it is to be refused.
    pub(super) fn refusal(&self, number: u32) -> Option<Response> {
        let is_each = |every: Option<u32>| every.is_some_and(|every| number.is_multiple_of(every.max(1)));
        let is_from = |first: Option<u32>| first.is_some_and(|first| number >= first);
        let denied = |reason: &str, message: &str| Some(error(403, "PERMISSION_DENIED", (reason, ""), message));
        match () {
            () if self.disabled => {
                denied("SERVICE_DISABLED", "Places API (New) has not been used in project 7 before.")
            }
            () if self.no_billing => denied("BILLING_DISABLED", "This API method requires billing to be enabled."),
            () if self.restricted => {
                denied("API_KEY_HTTP_REFERRER_BLOCKED", "Requests from referer <empty> are blocked.")
            }
            () if is_from(self.outage_from) => Some(error(503, "UNAVAILABLE", ("", ""), "The service is unavailable.")),
            () if is_from(self.day_quota_from) => Some(exhausted("SearchTextRequestPerDayPerProject", "per day")),
            () if is_each(self.busy_every) => Some(exhausted("SearchTextRequestPerMinutePerProject", "per minute")),
            () if is_each(self.broken_every) => Some(error(500, "INTERNAL", ("", ""), "Internal error encountered.")),
            () => None,
        }
    }
}

fn exhausted(limit: &str, per: &str) -> Response {
    let message = format!("Quota exceeded for quota metric 'SearchTextRequest' and limit 'SearchTextRequest {per}'.");
    error(429, "RESOURCE_EXHAUSTED", ("RATE_LIMIT_EXCEEDED", limit), &message)
}

/// An invalid request.
pub(super) fn invalid(message: &str) -> Response {
    error(400, "INVALID_ARGUMENT", ("", ""), message)
}

/// An error in Google's shape: status, its name, the reason with the quota's limit, and the message.
pub(super) fn error(code: u16, name: &str, (reason, limit): (&str, &str), message: &str) -> Response {
    let info = json!({
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": reason,
        "domain": "googleapis.com",
        "metadata": { "service": "places.googleapis.com", "quota_limit": limit },
    });
    let details: Vec<Value> = if reason.is_empty() { Vec::new() } else { vec![info] };
    let body = json!({ "error": { "code": code, "message": message, "status": name, "details": details } });
    let status = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, Json(body)).into_response()
}
