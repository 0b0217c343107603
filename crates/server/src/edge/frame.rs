//! Middleware around every request: request id, early limits, panic handler, headers, the error body, log line, metric.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::FutureExt;
use http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, EXPECT, REFERRER_POLICY,
    STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Version};
use tracing::Instrument;

use super::compress::Wanted;
use super::credential::Accepts;
use super::drain::drain;
use super::render_cache::RenderCache;
use super::{Edge, Problem, auth, cookie, credential};
use crate::connection::Connection;
use crate::limits::BODY_BYTES_MAX;
use crate::{log, metrics};

/// The header that carries the request id.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Bytes of a request's path and query together.
const URI_BYTES_MAX: usize = 16 * 1024;
/// Characters of a request id chosen by a client.
const REQUEST_ID_CHARS_MAX: usize = 64;
/// `Retry-After` for a client with too many unauthenticated requests in flight, in seconds.
const CROWDED_WAIT_SECONDS: u64 = 1;
/// Headers that every response has, about; with room for them at once, the map is not moved.
const HEADERS: usize = 8;
/// Log target of request lines, so that a filter can enable them alone.
const REQUEST_TARGET: &str = "server::request";
/// Content-Security-Policy of API responses: a browser may load nothing from them.
const NO_CONTENT_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

/// The outermost middleware, around every route.
pub async fn around(State(edge): State<Edge>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = request_id(&edge, request.headers());
    let method = metrics::method_name(request.method());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("unmatched", MatchedPath::as_str);
    let problem_json = accepts_problem_json(request.headers());
    // `auth` fills in the caller: the id of a key or session, never the secret.
    let caller = tracing::field::Empty;
    let status = tracing::field::Empty;
    let span = tracing::info_span!(
        "request",
        request.id = id,
        http.method = method,
        http.route = route,
        http.status = status,
        caller
    );

    let response = next.run(request).instrument(span.clone()).await;
    let mut response = span.in_scope(|| with_problem_body(response, &id, problem_json));
    add_headers(&edge, response.headers_mut(), &id);
    let elapsed = started.elapsed();
    metrics::request(method, route, response.status(), elapsed);
    span.in_scope(|| log_line(method, route, response.status(), elapsed));
    // For traces; the log line has it already.
    span.record("http.status", response.status().as_u16());
    response
}

/// What the routes of a group have in common.
#[derive(Clone)]
pub(crate) struct Group {
    /// The state of their handlers.
    pub(crate) edge: Edge,
    /// The credentials that they take; none where the handler sees to that, or anyone may ask.
    pub(crate) accepts: Option<Accepts>,
    /// Where their responses are kept. They are sent as they are if there is nowhere: an encoder costs memory until its response is
    /// read, so only callers we know get one.
    pub(crate) kept: Option<RenderCache>,
}

/// Early limits, the panic handler and, for routes that need one, the caller; inside CORS so that pages can read the refusals.
pub(crate) async fn admit(
    State(Group { edge, accepts, kept }): State<Group>,
    request: Request,
    next: Next,
) -> Response {
    let wanted = Wanted::by(&request);
    let http1 = request.version() < Version::HTTP_2;
    let awaits_continue = request.headers().contains_key(EXPECT);
    let (parts, body) = request.into_parts();
    let (body, unread) = edge.bodies.bound(body, &edge.limits);
    let response = respond(&edge, accepts, Request::from_parts(parts, body), next).await;
    // A client that waits to be asked for the body is not asked: it reads the response first.
    if let Some(rest) = unread.take().filter(|rest| http1 && (rest.begun || !awaits_continue)) {
        drain(&edge, rest.body).await;
    }
    match kept {
        Some(kept) => wanted.pack(response, &kept).await,
        None => response,
    }
}

async fn respond(edge: &Edge, accepts: Option<Accepts>, request: Request, next: Next) -> Response {
    if edge.is_closing() && !request.method().is_safe() {
        return Problem::unavailable("this server is shutting down; try again in a moment").into_response();
    }
    if let Some(problem) = refuse_early(edge, &request) {
        return problem.into_response();
    }
    let answering = async {
        match accepts {
            Some(accepts) => auth::identify(edge, accepts, request, next).await,
            None => next.run(request).await,
        }
    };
    let answer = AssertUnwindSafe(answering).catch_unwind().await;
    // The panic hook has logged what happened, with this request's id.
    answer.unwrap_or_else(|_| Problem::internal().into_response())
}

/// The client's own request id when it is a plain word that does not look like a secret, else a new one.
fn request_id(edge: &Edge, headers: &HeaderMap) -> String {
    let given = headers.get(REQUEST_ID).and_then(|value| value.to_str().ok()).filter(|id| {
        (1..=REQUEST_ID_CHARS_MAX).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
            && !log::holds_secret(id)
    });
    given.map_or_else(|| edge.app.ids.uuid(edge.app.clock.now()).to_string(), str::to_owned)
}

fn refuse_early(edge: &Edge, request: &Request) -> Option<Problem> {
    let connection = request.extensions().get::<Arc<Connection>>();
    let shows_any = || credential::shows_any(request, cookie::name(&edge.base_url));
    if connection.is_some_and(|connection| connection.is_crowded(&edge.limits)) && !shows_any() {
        let detail = "too many requests are in flight on this connection before a key was accepted on it; wait for one \
                      of them, or send the key";
        return Some(Problem::too_many_requests(detail, CROWDED_WAIT_SECONDS));
    }
    let uri = request.uri();
    if uri.path().len() + uri.query().map_or(0, str::len) > URI_BYTES_MAX {
        let detail = format!("the URL is longer than {URI_BYTES_MAX} bytes; shorten it");
        return Some(Problem::new(StatusCode::URI_TOO_LONG, "address_too_long", detail));
    }
    let length = request.headers().get(CONTENT_LENGTH)?.to_str().ok()?.parse::<u64>().ok()?;
    (length > BODY_BYTES_MAX as u64).then(Problem::too_large)
}

fn accepts_problem_json(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|list| list.split(',')).any(|kind| kind.trim().starts_with("application/problem+json"))
}

/// Writes the body of an error, whoever raised it.
fn with_problem_body(mut response: Response, id: &str, problem_json: bool) -> Response {
    let problem = match response.extensions_mut().remove::<Arc<Problem>>() {
        Some(problem) => problem,
        None if is_bare_error(&response) => Arc::new(of_status(response.status())),
        None => return response,
    };
    let kind = if problem_json { "application/problem+json" } else { "application/json" };
    let body = serde_json::to_vec(&problem.body(id)).unwrap_or_default();
    // An error may repeat parts of the request; secrets among them are hidden.
    let body = log::hide_in_bytes(&body).into_owned();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response.headers_mut().remove(CONTENT_LENGTH);
    *response.body_mut() = Body::from(body);
    response
}

fn is_bare_error(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let status = response.status();
    (status.is_client_error() || status.is_server_error()) && !kind.contains("json")
}

fn of_status(status: StatusCode) -> Problem {
    match status {
        StatusCode::METHOD_NOT_ALLOWED => {
            let detail = "this endpoint does not accept that method; the Allow header lists those it accepts";
            Problem::new(status, "method_not_allowed", detail)
        }
        StatusCode::NOT_FOUND => Problem::no_such_path(),
        status if status.is_client_error() => {
            Problem::new(status, "bad_request", status.canonical_reason().unwrap_or("the request cannot be read"))
        }
        _ => Problem::internal(),
    }
}

fn add_headers(edge: &Edge, headers: &mut HeaderMap, id: &str) {
    headers.reserve(HEADERS);
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(REQUEST_ID, id);
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(NO_CONTENT_POLICY));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if edge.base_url.starts_with("https://") {
        headers.insert(STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
}

fn log_line(method: &str, route: &str, status: StatusCode, elapsed: Duration) {
    let (status, millis) = (status.as_u16(), elapsed.as_secs_f64() * 1e3);
    if status >= 500 {
        tracing::warn!(target: REQUEST_TARGET, { http.status = status, millis }, "{method} {route} gave {status}");
    } else {
        tracing::debug!(target: REQUEST_TARGET, { http.status = status, millis }, "{method} {route} gave {status}");
    }
}
