//! `Idempotency-Key`: a request that spends can be sent again without spending again.

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequestParts, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use canvass::App;
use canvass::db::DbError;
use canvass::idempotency::{self, Claim, Claimed, IdempotencyKey, KEY_CHARS_MAX, SavedResponse, fingerprint};
use http::header::CONTENT_TYPE;
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};

use super::caller::{Api, Authorized};
use super::credential::KEY_PARAMETER;
use super::problem::FieldError;
use super::{Edge, Problem, body};
use crate::log::holds_secret;

/// The request header by which a client makes retries safe.
pub const HEADER: HeaderName = HeaderName::from_static("idempotency-key");
/// The response header that says that this request did nothing: the response was stored, or is about something made before.
pub const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
/// Bytes of a response that is stored: more than the largest enrichment.
const ANSWER_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Put into a response's extensions by a handler whose work goes on: such a response is not stored, and a retry looks
/// again.
#[derive(Clone, Copy, Debug)]
pub struct Unfinished;

/// Surrounds every route that spends. The handler finds the [`Claim`], if any, in the request's extensions, and passes it to
/// the verb, which settles it in the transaction that makes something.
pub async fn once(State(edge): State<Edge>, request: Request, next: Next) -> Response {
    match run(edge, request, next).await {
        Ok(response) => response,
        Err(problem) => problem.into_response(),
    }
}

async fn run(edge: Edge, request: Request, next: Next) -> Result<Response, Problem> {
    // Only POST spends; the router answers other methods with 405.
    if request.method() != Method::POST {
        return Ok(next.run(request).await);
    }
    let Some(key) = key_of(request.headers())? else { return Ok(next.run(request).await) };
    let (mut parts, body) = request.into_parts();
    let account = Authorized::<Api>::from_request_parts(&mut parts, &edge).await?.account().id;
    let bytes = body::read(body).await?;
    let asked = asked(&parts, &bytes);
    let claim = match idempotency::claim(&edge.app, account, key, &asked).await? {
        Claimed::Answered(answer) => return Ok(replay(answer)),
        Claimed::Ours(claim) => claim,
    };
    parts.extensions.insert(claim.clone());
    let handling = next.run(Request::from_parts(parts, Body::from(bytes)));
    let response = idempotency::hold(&edge.app, &claim, handling).await;
    let mut response = remember(&edge.app, &claim, response).await?;
    if claim.made().is_some() && response.status().is_success() {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}

/// A caller about to spend, and the claim that makes a retry safe.
#[derive(Debug)]
pub struct Spender {
    /// The application.
    pub app: App,
    /// Whose allowance or credits are spent.
    pub caller: Authorized<Api>,
    /// `None` when the request has no `Idempotency-Key`.
    pub claim: Option<Claim>,
}

impl FromRequestParts<Edge> for Spender {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, edge: &Edge) -> Result<Self, Problem> {
        let caller = Authorized::from_request_parts(parts, edge).await?;
        let claim = parts.extensions.get::<Claim>().cloned();
        Ok(Spender { app: edge.app.clone(), caller, claim })
    }
}

/// Fingerprint of a request: method, path, query and body.
pub fn asked(parts: &Parts, body: &[u8]) -> String {
    let query = query_without_key(parts.uri.query());
    fingerprint(&[parts.method.as_str().as_bytes(), parts.uri.path().as_bytes(), query.as_bytes(), body])
}

/// The key of a request, if it has one; an invalid one is 422.
pub fn key_of(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, Problem> {
    let Some(key) = headers.get(HEADER) else { return Ok(None) };
    if key.to_str().is_ok_and(holds_secret) {
        return Err(holds_key());
    }
    key.to_str().ok().and_then(IdempotencyKey::parse).map(Some).ok_or_else(bad_key)
}

/// Does the work of a search that is started outside of [`once`], and settles its claim by how that ended.
pub async fn start_once<T>(
    app: &App,
    claim: &Claim,
    work: impl Future<Output = Result<T, Problem>>,
    answer: impl FnOnce(&T) -> SavedResponse,
) -> Result<T, Problem> {
    let done = idempotency::hold(app, claim, work).await;
    match &done {
        Ok(made) => keep(app, claim, &answer(made)).await,
        Err(problem) => give_up(app, claim, problem.status).await,
    }
    done
}

/// Stores a final response; releases the key when it is certain that nothing was done.
async fn remember(app: &App, claim: &Claim, response: Response) -> Result<Response, Problem> {
    if !response.status().is_success() {
        give_up(app, claim, response.status()).await;
        return Ok(response);
    }
    if response.extensions().get::<Unfinished>().is_some() {
        log_failure(idempotency::free(app, claim).await);
        return Ok(response);
    }
    let (parts, body) = response.into_parts();
    let bytes: Bytes = to_bytes(body, ANSWER_BYTES_MAX).await.map_err(|_| Problem::internal())?;
    let kind = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let answer = SavedResponse {
        status: parts.status.as_u16(),
        content_type: kind.unwrap_or("application/json").to_owned(),
        body: String::from_utf8_lossy(&bytes).into_owned(),
    };
    keep(app, claim, &answer).await;
    Ok(Response::from_parts(parts, Body::from(bytes)))
}

/// Stores a response. When that fails the response is sent all the same: the work is done, and a retry finds it.
async fn keep(app: &App, claim: &Claim, answer: &SavedResponse) {
    log_failure(idempotency::keep(app, claim, answer).await);
}

/// Ends the hold of a request that failed. The key is given back only when the failure is one that does nothing: the request
/// was refused, or the AI provider failed and its use was returned. After any other failure, such as a connection lost
/// between a commit and its reply, the outcome is unknown; the key stays, and a repeat makes the same thing
/// or finds it made.
async fn give_up(app: &App, claim: &Claim, status: StatusCode) {
    let did_nothing = status.is_client_error() || status == StatusCode::BAD_GATEWAY;
    log_failure(if did_nothing { idempotency::let_go(app, claim).await } else { idempotency::free(app, claim).await });
}

/// A claim that cannot be written does not fail the request: its hold expires in a few seconds.
fn log_failure(written: Result<(), DbError>) {
    if let Err(error) = written {
        tracing::warn!(error = &error as &dyn std::error::Error, "an Idempotency-Key could not be settled");
    }
}

fn replay(answer: SavedResponse) -> Response {
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

/// These keys are stored as they are sent, which an API key must never be.
fn holds_key() -> Problem {
    Problem::fields(vec![FieldError {
        field: "Idempotency-Key".into(),
        message: "must not be an API key; send a value of your own, such as a UUID".into(),
        code: "holds_key",
    }])
}

fn bad_key() -> Problem {
    Problem::fields(vec![FieldError {
        field: "Idempotency-Key".into(),
        message: format!("must be 1 to {KEY_CHARS_MAX} visible ASCII characters without spaces, such as a UUID"),
        code: "out_of_range",
    }])
}
