//! One message, from HTTP to the connector and back.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Extension, Path, Request, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HOST};
use http::request::Parts;
use http::{HeaderValue, StatusCode, Uri};
use http_body_util::{BodyExt, Full};

use super::accepts::Accepts;
use super::connector::Service;
use super::read::{Seen, look};
use super::{admit, refuse};
use crate::connection::Connection;
use crate::edge::auth;
use crate::edge::body::{is_json, read};
use crate::edge::caller::Caller;
use crate::edge::cookie;
use crate::edge::credential::{Accepts as Credentials, Credential, KEY_HEADER, read_key};
use crate::edge::rate_limit::Pass;
use crate::edge::{Edge, Problem};
use crate::log;

/// The `Accept` header that the protocol library requires; clients send various others.
const ACCEPTED: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// The address that the connector sees, without the key that the real one may contain.
const ADDRESS: &str = "/mcp";
/// The host that it sees; the real one has been checked before.
const SELF: HeaderValue = HeaderValue::from_static("localhost");

/// `POST /mcp`: the key in a header.
pub(super) async fn by_header(
    State(edge): State<Edge>,
    Extension(service): Extension<Service>,
    request: Request,
) -> Response {
    let presented = Credentials::Key.presented(&request, cookie::name(&edge.base_url));
    converse(&edge, &service, presented, request).await
}

/// `POST /mcp/<key>`: for hosts that can only be configured with an address.
pub(super) async fn by_path(
    State(edge): State<Edge>,
    Extension(service): Extension<Service>,
    key: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response {
    // What is no text is no key.
    let key = key.map_or_else(|_| String::new(), |Path(key)| key);
    converse(&edge, &service, read_key(&key).map(Credential::Key), request).await
}

async fn converse(
    edge: &Edge,
    service: &Service,
    presented: Result<Credential, Problem>,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let (caller, pass) = match let_in(edge, presented, &parts).await {
        Ok(let_in) => let_in,
        Err(response) => return refuse::in_json(response, None).await,
    };
    let mut response = answer(service, caller, parts, body).await;
    if let Some(pass) = pass {
        pass.tell(response.headers_mut());
    }
    response
}

/// Authenticates the caller before any of the message is read.
async fn let_in(
    edge: &Edge,
    presented: Result<Credential, Problem>,
    parts: &Parts,
) -> Result<(Caller, Option<Pass>), Response> {
    admit::check(edge, parts).map_err(IntoResponse::into_response)?;
    let connection = parts.extensions.get::<Arc<Connection>>().map(Arc::as_ref);
    auth::let_in(edge, presented, connection).await
}

async fn answer(service: &Service, caller: Caller, parts: Parts, body: Body) -> Response {
    let bytes = match message(&parts, body).await {
        Ok(bytes) => bytes,
        Err(problem) => return refuse::in_json(problem.into_response(), None).await,
    };
    let seen = match look(&bytes) {
        Ok(seen) => seen,
        Err(error) => return refuse::bad_request(None, error),
    };
    if let Err(error) = seen.check_version(&parts.headers) {
        return refuse::bad_request(seen.id, error);
    }
    let Seen { id, .. } = seen;
    let misplaced_key = log::holds_secret(&bytes);
    let request = forwarded(parts, bytes, caller);
    let misplaced_key = misplaced_key || request.headers().values().any(log::holds_secret);
    let response = service.handle(request).await;
    let response = refuse::in_json(response.map(Body::new), id).await;
    if misplaced_key { without_keys(response) } else { response }
}

/// Removes keys from a response: the protocol library repeats names and values of the message.
fn without_keys(mut response: Response) -> Response {
    response.headers_mut().remove(CONTENT_LENGTH);
    response.map(|body| {
        Body::new(body.map_frame(|frame| frame.map_data(|data| Bytes::from(log::hide_in_bytes(&data).into_owned()))))
    })
}

async fn message(parts: &Parts, body: Body) -> Result<Bytes, Problem> {
    // Read first: a client that is told of a wrong type keeps its connection.
    let body = read(body).await;
    let kind = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if !kind.is_some_and(is_json) {
        let detail = "the body must be JSON; send it with Content-Type: application/json";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", detail));
    }
    body
}

/// The request as the connector sees it: with the caller, and without the key.
fn forwarded(mut parts: Parts, bytes: Bytes, caller: Caller) -> http::Request<Full<Bytes>> {
    let accepts = Accepts::of(&parts.headers);
    parts.headers.remove(KEY_HEADER);
    parts.headers.remove(AUTHORIZATION);
    parts.headers.insert(ACCEPT, ACCEPTED);
    parts.headers.insert(CONTENT_TYPE, JSON);
    parts.headers.insert(HOST, SELF);
    let mut request = http::Request::new(Full::new(bytes));
    *request.method_mut() = parts.method;
    *request.uri_mut() = Uri::from_static(ADDRESS);
    *request.headers_mut() = parts.headers;
    request.extensions_mut().insert(caller);
    request.extensions_mut().insert(accepts);
    request
}
