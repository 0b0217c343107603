//! `Idempotency-Key`: a request that spends can be sent again without spending again.

use axum::body::Body;
use axum::extract::{FromRequestParts, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use canvass::App;
use canvass::idempotency::{self, Answer, Claim, Claimed, IdempotencyKey, KEY_CHARS_MAX, fingerprint};
use http::header::CONTENT_TYPE;
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use uuid::Uuid;

use super::auth::{Caller, KEY_PARAMETER};
use super::problem::FieldError;
use super::{Edge, Problem, body};

/// The header that names a request which may be sent again.
pub const HEADER: HeaderName = HeaderName::from_static("idempotency-key");
/// Says that an answer was given before.
pub const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Surrounds every route that spends. The handler finds the [`Claim`], if any, in the request's extensions.
pub async fn once(State(edge): State<Edge>, request: Request, next: Next) -> Response {
    match run(edge, request, next).await {
        Ok(response) => response,
        Err(problem) => problem.into_response(),
    }
}

async fn run(edge: Edge, request: Request, next: Next) -> Result<Response, Problem> {
    // Only what a route takes can spend; any other method is told so by the route.
    if request.method() != Method::POST {
        return Ok(next.run(request).await);
    }
    let Some(key) = key_of(request.headers())? else { return Ok(next.run(request).await) };
    let (mut parts, body) = request.into_parts();
    let account = Caller::from_request_parts(&mut parts, &edge).await?.account().id;
    let bytes = body::read(body).await?;
    let asked = asked(&parts, &bytes);
    let claim = match idempotency::claim(&edge.app, account, key, &asked).await? {
        Claimed::Answered(answer) => return Ok(replay(answer)),
        Claimed::Ours(claim) => claim,
    };
    parts.extensions.insert(claim.clone());
    let response = next.run(Request::from_parts(parts, Body::from(bytes))).await;
    remember(&edge, &claim, response).await
}

/// Somebody about to spend, and the id that what they make must have.
#[derive(Debug)]
pub struct Spender {
    /// The application.
    pub app: App,
    /// Who.
    pub caller: Caller,
    /// The id, when the request can be sent again.
    pub subject: Option<Uuid>,
}

impl FromRequestParts<Edge> for Spender {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, edge: &Edge) -> Result<Self, Problem> {
        let caller = Caller::from_request_parts(parts, edge).await?;
        let subject = parts.extensions.get::<Claim>().map(|claim| claim.subject);
        Ok(Spender { app: edge.app.clone(), caller, subject })
    }
}

/// What a request asks for, in short.
pub fn asked(parts: &Parts, body: &[u8]) -> String {
    let query = query_without_key(parts.uri.query());
    fingerprint(&[parts.method.as_str().as_bytes(), parts.uri.path().as_bytes(), query.as_bytes(), body])
}

/// The key a request shows, if it shows one.
pub fn key_of(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, Problem> {
    let Some(key) = headers.get(HEADER) else { return Ok(None) };
    key.to_str().ok().and_then(IdempotencyKey::parse).map(Some).ok_or_else(bad_key)
}

/// Keeps the answer of a request that did something; one that failed did nothing, and may be tried again.
async fn remember(edge: &Edge, claim: &Claim, response: Response) -> Result<Response, Problem> {
    if !response.status().is_success() {
        idempotency::let_go(&edge.app, claim).await?;
        return Ok(response);
    }
    let (parts, body) = response.into_parts();
    let bytes = body::read(body).await?;
    let kind = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let answer = Answer {
        status: parts.status.as_u16(),
        content_type: kind.unwrap_or("application/json").to_owned(),
        body: String::from_utf8_lossy(&bytes).into_owned(),
    };
    idempotency::keep(&edge.app, claim, &answer).await?;
    Ok(Response::from_parts(parts, Body::from(bytes)))
}

fn replay(answer: Answer) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let kind = HeaderValue::try_from(answer.content_type).unwrap_or(HeaderValue::from_static("application/json"));
    let headers = [(CONTENT_TYPE, kind), (REPLAYED, HeaderValue::from_static("true"))];
    (status, headers, answer.body).into_response()
}

/// The key may move between header and address without the request becoming another.
fn query_without_key(query: Option<&str>) -> String {
    let pairs = url::form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    let kept = pairs.filter(|(name, _)| name != KEY_PARAMETER);
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(kept).finish()
}

fn bad_key() -> Problem {
    Problem::fields(vec![FieldError {
        field: "Idempotency-Key".into(),
        message: format!("must be 1 to {KEY_CHARS_MAX} visible ASCII characters without spaces, such as a UUID"),
        code: "out_of_range",
    }])
}
