//! Errors as clients see them: one JSON shape, RFC 9457's members with a `detail` a person can act on.
//!
//! A [`Problem`] travels in the response's extensions; [`super::frame`] writes its body, because only there are the
//! request's id and the accepted content type known.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use canvass::ai::KeyError;
use canvass::enrichment::{EnrichError, StartError as EnrichmentError};
use canvass::exports::LinkError;
use canvass::idempotency::{ClaimError, TakenOver};
use canvass::intro::IntroError;
use canvass::listing::SourceError;
use canvass::plan::Refusal;
use canvass::radar::WatchError;
use canvass::search::{NotListed, StartError};
use http::header::{HeaderName, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, StatusCode};
use serde::Serialize;
use utoipa::ToSchema;

use crate::limits::BODY_MIB_MAX;

/// `Retry-After` when the server is overloaded, in seconds.
pub(super) const OVERLOAD_WAIT_SECONDS: &str = "2";

/// `Retry-After` while an earlier request with the same Idempotency-Key runs, in seconds.
const CLAIM_WAIT_SECONDS: &str = "2";

/// `Retry-After` while the account has too many searches running, in seconds.
const SEARCH_WAIT_SECONDS: &str = "15";

/// Why a request was not answered as asked.
#[derive(Clone, Debug)]
pub struct Problem {
    /// HTTP status.
    pub status: StatusCode,
    /// Stable name for programs.
    pub code: &'static str,
    /// What to fix, for people.
    pub detail: String,
    /// One entry for each field that is wrong.
    pub errors: Vec<FieldError>,
    header: Option<Box<(HeaderName, HeaderValue)>>,
}

/// One field that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldError {
    /// Where: `filters.min_rating`, or a parameter's name.
    #[schema(example = "requested_count")]
    pub field: String,
    /// What to fix.
    #[schema(example = "must be a whole number from 1 to 2500")]
    pub message: String,
    /// Stable name for programs.
    #[schema(example = "out_of_range")]
    pub code: &'static str,
}

/// The body of every error.
#[derive(Debug, Serialize, ToSchema)]
#[schema(title = "Error", as = Error)]
pub struct ProblemBody<'a> {
    /// What happened and what to fix, in plain language.
    #[schema(example = "the API key is missing; send it in the X-API-Key header")]
    pub detail: &'a str,
    /// Names the kind of problem (RFC 9457).
    #[schema(example = "urn:canvass:problem:missing_key")]
    pub r#type: String,
    /// The kind of problem in a few words.
    #[schema(example = "Unauthorized")]
    pub title: &'a str,
    /// The HTTP status, repeated.
    #[schema(minimum = 400, maximum = 599, example = 401)]
    pub status: u16,
    /// Stable name for programs.
    #[schema(example = "missing_key", pattern = "^[a-z0-9_]+$")]
    pub code: &'a str,
    /// The id of this request, also in the `X-Request-Id` header: name it when you ask for help.
    #[schema(example = "019a8546-6d1b-7cc0-b6dd-8f3b5f0c9d11")]
    pub request_id: &'a str,
    /// One entry for each field that is wrong; empty when the fault is not in a field.
    pub errors: &'a [FieldError],
}

impl Problem {
    /// A problem of this status and name.
    pub fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Problem {
        Problem { status, code, detail: detail.into(), errors: Vec::new(), header: None }
    }

    /// 400: well-formed, but it cannot run.
    pub fn bad_request(code: &'static str, detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, code, detail)
    }

    /// 401: no key, or not a working one.
    pub fn unauthorized(code: &'static str, detail: impl Into<String>) -> Problem {
        let problem = Problem::new(StatusCode::UNAUTHORIZED, code, detail);
        problem.with(
            WWW_AUTHENTICATE,
            HeaderValue::from_static("ApiKey realm=\"canvass\", header=\"X-API-Key\", Bearer realm=\"canvass\""),
        )
    }

    /// 401: no session, or not an open one.
    pub fn signed_out(code: &'static str, detail: impl Into<String>) -> Problem {
        let problem = Problem::new(StatusCode::UNAUTHORIZED, code, detail);
        problem.with(WWW_AUTHENTICATE, HeaderValue::from_static("Session realm=\"canvass\""))
    }

    /// 403: the plan does not include it.
    pub fn forbidden(code: &'static str, detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::FORBIDDEN, code, detail)
    }

    /// 404 for an id that is malformed, unknown, or another account's: the three cannot be told apart.
    pub fn not_found(what: &str) -> Problem {
        let detail = format!("there is no such {what} on this account; check the id");
        Problem::new(StatusCode::NOT_FOUND, "not_found", detail)
    }

    /// 404 for a path without a route.
    pub fn no_such_path() -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "not_found", "there is no endpoint at this address; /docs lists them all")
    }

    /// 408: the body did not come in time.
    pub fn too_slow() -> Problem {
        let detail = "the request body came too slowly, or not at all; send the request again, whole";
        Problem::new(StatusCode::REQUEST_TIMEOUT, "body_too_slow", detail)
    }

    /// 413: more than [`BODY_MIB_MAX`].
    pub fn too_large() -> Problem {
        let detail = format!("the request body is larger than {BODY_MIB_MAX} MiB; send less at a time");
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", detail)
    }

    /// 422: these fields are not acceptable as written.
    pub fn fields(errors: Vec<FieldError>) -> Problem {
        let said: Vec<String> = errors.iter().map(|error| format!("{} {}", error.field, error.message)).collect();
        let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_fields", said.join("; "));
        Problem { errors, ..problem }
    }

    /// 429 with `Retry-After`.
    pub fn too_many_requests(detail: impl Into<String>, wait_seconds: u64) -> Problem {
        let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", detail);
        problem.with(RETRY_AFTER, HeaderValue::from(wait_seconds))
    }

    /// 409: a request with the same key is in progress.
    fn under_way(error: TakenOver) -> Problem {
        let problem = Problem::new(StatusCode::CONFLICT, "request_in_progress", error.to_string());
        problem.with(RETRY_AFTER, HeaderValue::from_static(CLAIM_WAIT_SECONDS))
    }

    /// 500: a fault of the server.
    pub fn internal() -> Problem {
        let detail = "something went wrong on our side. Try again, with the same Idempotency-Key where you sent one; if \
                      it happens again, report it with the request_id";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail)
    }

    /// 502: an upstream provider failed.
    pub fn provider_failed(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_GATEWAY, "ai_provider_failed", detail)
    }

    /// 503 with `Retry-After`.
    pub fn unavailable(detail: impl Into<String>) -> Problem {
        let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", detail);
        problem.with(RETRY_AFTER, HeaderValue::from_static(OVERLOAD_WAIT_SECONDS))
    }

    pub(crate) fn with(self, name: HeaderName, value: HeaderValue) -> Problem {
        Problem { header: Some(Box::new((name, value))), ..self }
    }

    /// What stands in the body.
    pub fn body<'a>(&'a self, request_id: &'a str) -> ProblemBody<'a> {
        ProblemBody {
            detail: &self.detail,
            r#type: format!("urn:canvass:problem:{}", self.code),
            title: self.status.canonical_reason().unwrap_or("Error"),
            status: self.status.as_u16(),
            code: self.code,
            request_id,
            errors: &self.errors,
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        if let Some(header) = &self.header {
            response.headers_mut().insert(header.0.clone(), header.1.clone());
        }
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        let code = match refusal {
            Refusal::NoApi { .. } => "plan_without_api",
            Refusal::NoRadar => "radar_required",
            Refusal::NoSignalsPlus => "signals_plus_required",
        };
        Problem::forbidden(code, refusal.to_string())
    }
}

impl From<StartError> for Problem {
    fn from(error: StartError) -> Problem {
        let code = match &error {
            StartError::Industry(_) => "unknown_industry",
            StartError::Location(_) => "unknown_location",
            StartError::AddressNotFound { .. } => "address_not_found",
            StartError::ScopeTooWide { .. } => "scope_too_wide",
            StartError::PlaceTooWide { .. } => "location_too_wide",
            StartError::NoCentre { .. } => "radius_without_centre",
            StartError::NotListed { missing: NotListed::Phones, .. } => "phones_unavailable",
            StartError::NotListed { missing: NotListed::Ratings | NotListed::Reviews, .. } => "ratings_unavailable",
            StartError::Source(SourceError::Permanent { .. }) => "source_cannot_search",
            StartError::Source(SourceError::Transient { reason, .. }) => {
                let detail =
                    format!("the listing source cannot be asked now: {reason}; nothing was started, try again later");
                let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, "source_unavailable", detail);
                return problem.with(RETRY_AFTER, HeaderValue::from_static(SEARCH_WAIT_SECONDS));
            }
            StartError::NoCredits => "insufficient_credits",
            StartError::TooMany { .. } => {
                let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_searches", error.to_string());
                return problem.with(RETRY_AFTER, HeaderValue::from_static(SEARCH_WAIT_SECONDS));
            }
            StartError::TakenOver(error) => return Problem::under_way(*error),
            StartError::Db(error) => return Problem::from(error),
        };
        Problem::bad_request(code, error.to_string())
    }
}

impl From<EnrichmentError> for Problem {
    fn from(error: EnrichmentError) -> Problem {
        match error {
            EnrichmentError::UnknownLead => Problem::not_found("lead"),
            EnrichmentError::LeadsDeleted(error) => Problem::from(error),
            EnrichmentError::UsedUp => Problem::bad_request("ai_allowance_used_up", error.to_string()),
            EnrichmentError::TakenOver(error) => Problem::under_way(error),
            EnrichmentError::Db(error) => Problem::from(error),
        }
    }
}

impl From<EnrichError> for Problem {
    fn from(error: EnrichError) -> Problem {
        match error {
            EnrichError::NotFound => Problem::not_found("lead"),
            EnrichError::Model(_) => Problem::provider_failed(error.to_string()),
            EnrichError::TakenOver(error) => Problem::under_way(error),
            EnrichError::Db(error) => Problem::from(error),
        }
    }
}

impl From<KeyError> for Problem {
    fn from(error: KeyError) -> Problem {
        let field = match &error {
            KeyError::NoKey => "api_key",
            KeyError::NoModel => "model",
            KeyError::Address(_) => "base_url",
            KeyError::Db(error) => return Problem::from(error),
            KeyError::Seal(seal) => {
                tracing::error!(error = seal as &dyn std::error::Error, "an AI key could not be sealed");
                return Problem::internal();
            }
        };
        Problem::fields(vec![FieldError {
            field: field.to_owned(),
            message: error.to_string(),
            code: "not_acceptable",
        }])
    }
}

impl From<IntroError> for Problem {
    fn from(error: IntroError) -> Problem {
        match error {
            IntroError::NotFound => Problem::not_found("lead"),
            IntroError::UsedUp => Problem::bad_request("ai_allowance_used_up", error.to_string()),
            IntroError::TakenOver(error) => Problem::under_way(error),
            IntroError::Model(_) => Problem::provider_failed(error.to_string()),
            IntroError::Db(error) => Problem::from(error),
        }
    }
}

impl From<LinkError> for Problem {
    fn from(error: LinkError) -> Problem {
        let detail = error.to_string();
        match error {
            LinkError::Broken => Problem::new(StatusCode::NOT_FOUND, "no_such_link", detail),
            LinkError::Expired => Problem::new(StatusCode::GONE, "link_expired", detail),
            LinkError::Secret(error) => {
                tracing::error!(error = &error as &dyn std::error::Error, "the server's secret cannot be read");
                Problem::internal()
            }
        }
    }
}

impl From<WatchError> for Problem {
    fn from(error: WatchError) -> Problem {
        match error {
            WatchError::NoLead => Problem::not_found("lead"),
            WatchError::CapReached { .. } => Problem::bad_request("radar_cap_reached", error.to_string()),
            WatchError::Removed => Problem::new(StatusCode::NOT_FOUND, "not_found", error.to_string()),
            WatchError::TakenOver(error) => Problem::under_way(error),
            WatchError::Db(error) => Problem::from(error),
        }
    }
}

impl From<ClaimError> for Problem {
    fn from(error: ClaimError) -> Problem {
        let detail = error.to_string();
        match error {
            ClaimError::UnderWay(error) => Problem::under_way(error),
            ClaimError::OtherRequest => {
                Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "idempotency_key_reused", detail)
            }
            ClaimError::Db(error) => Problem::from(error),
        }
    }
}
