//! Who is calling: from the key in a request to an account, and whether its plan lets programs in.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use canvass::App;
use canvass::account::Account;
use canvass::ids::KeyId;
use canvass::keys::{self, AuthenticatedKey, SecretKey};
use canvass::plan::{AddOn, Plan, Plans};
use http::HeaderMap;
use http::header::AUTHORIZATION;
use http::request::Parts;

use super::rate_limit::{Pass, Refusal};
use super::{Edge, Problem};
use crate::connection::Connection;

/// The header a key belongs in.
pub const KEY_HEADER: &str = "x-api-key";
/// The scheme of an `Authorization` header that holds a key.
const BEARER: &[u8] = b"bearer";
/// The query parameter it may stand in, though addresses are often logged.
pub const KEY_PARAMETER: &str = "api_key";

/// Somebody with a working key, on whatever plan.
#[derive(Clone, Debug)]
pub struct KeyHolder(Arc<AuthenticatedKey>);

impl KeyHolder {
    /// Whoever made a link with this key, while the key works.
    pub async fn find(app: &App, key: KeyId) -> Result<Option<KeyHolder>, Problem> {
        Ok(keys::find_working(&app.db, key).await?.map(|found| KeyHolder(Arc::new(found))))
    }

    /// The account, as it was when the request came in.
    pub fn account(&self) -> &Account {
        &self.0.account
    }

    /// The key.
    pub fn key(&self) -> KeyId {
        self.0.key
    }

    /// The same person as a caller, when the plan lets programs in.
    pub fn caller(&self, plans: &Plans) -> Result<Caller, Problem> {
        let plan = plans.of(self.account().tier);
        if plan.api_access { Ok(Caller(self.0.clone())) } else { Err(no_api_access(plan)) }
    }
}

/// Somebody with a working key on a plan that lets programs in.
#[derive(Clone, Debug)]
pub struct Caller(Arc<AuthenticatedKey>);

impl Caller {
    /// The account, as it was when the request came in.
    pub fn account(&self) -> &Account {
        &self.0.account
    }

    /// Whether the key still works and the plan still lets programs in: whatever takes long asks again.
    pub async fn recheck(&self, app: &App) -> Result<(), Problem> {
        let holder = KeyHolder::find(app, self.0.key).await?.ok_or_else(wrong_key)?;
        holder.caller(&app.settings.plans).map(drop)
    }
}

/// Looks at a caller's key again from time to time, for what makes its client wait.
pub struct Rechecks<'a> {
    edge: &'a Edge,
    caller: &'a Caller,
    at: tokio::time::Instant,
}

impl<'a> Rechecks<'a> {
    /// The first is due after one sign of life.
    pub fn of(edge: &'a Edge, caller: &'a Caller) -> Rechecks<'a> {
        Rechecks { edge, caller, at: tokio::time::Instant::now() + edge.limits.keep_alive }
    }

    /// Resolves when the next one is due.
    pub fn due(&self) -> tokio::time::Sleep {
        tokio::time::sleep_until(self.at)
    }

    /// Looks now. An error when the client has to be sent away.
    pub async fn make(&mut self) -> Result<(), Problem> {
        self.at = tokio::time::Instant::now() + self.edge.limits.keep_alive;
        self.caller.recheck(&self.edge.app).await
    }
}

/// Somebody who may call, and has the Radar add-on.
#[derive(Clone, Debug)]
pub struct Watcher(Caller);

impl Watcher {
    /// The caller as a watcher, when the account has the add-on.
    pub fn of(caller: Caller) -> Result<Watcher, Problem> {
        if caller.account().has(AddOn::Radar) { Ok(Watcher(caller)) } else { Err(no_radar()) }
    }

    /// The account, as it was when the request came in.
    pub fn account(&self) -> &Account {
        self.0.account()
    }
}

impl<S: Sync> FromRequestParts<S> for KeyHolder {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        // Missing only when a route is outside of `identify`: a fault of ours, and then nobody may pass.
        parts.extensions.get::<KeyHolder>().cloned().ok_or_else(missing_key)
    }
}

impl FromRequestParts<Edge> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, edge: &Edge) -> Result<Self, Problem> {
        KeyHolder::from_request_parts(parts, edge).await?.caller(&edge.app.settings.plans)
    }
}

impl FromRequestParts<Edge> for Watcher {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, edge: &Edge) -> Result<Self, Problem> {
        Watcher::of(Caller::from_request_parts(parts, edge).await?)
    }
}

/// Surrounds every route that needs a key: finds out who calls, holds them to their rate, lets them in.
pub async fn identify(State(edge): State<Edge>, mut request: Request, next: Next) -> Response {
    let connection = request.extensions().get::<Arc<Connection>>().map(Arc::as_ref);
    let (holder, pass) = match let_in(&edge, presented(&request), connection).await {
        Ok(let_in) => let_in,
        Err(response) => return response,
    };
    let writes = !request.method().is_safe();
    request.extensions_mut().insert(holder);
    let mut response = if writes { run_to_the_end(next.run(request)).await } else { next.run(request).await };
    if let Some(pass) = pass {
        pass.tell(response.headers_mut());
    }
    response
}

/// Finds out who shows a key, and holds them to their rate.
pub async fn let_in(
    edge: &Edge,
    presented: Result<Option<SecretKey>, Problem>,
    connection: Option<&Connection>,
) -> Result<(KeyHolder, Option<Pass>), Response> {
    let authenticated = authenticate(edge, presented).await.map_err(IntoResponse::into_response)?;
    if connection.is_some_and(|connection| !connection.accept_key()) {
        let detail = "this server has as many connections open as it can serve; try again in a moment";
        return Err(Problem::unavailable(detail).into_response());
    }
    let pass = edge.rate_limits.as_ref().map(|limits| limits.check(authenticated.key)).transpose();
    pass.map(|pass| (KeyHolder(authenticated), pass)).map_err(Refusal::into_response)
}

/// A client that hangs up must not cancel a transaction half-way, so what writes runs as a task of its own.
async fn run_to_the_end(work: impl Future<Output = Response> + Send + 'static) -> Response {
    use tracing::Instrument;
    tokio::spawn(work.in_current_span()).await.unwrap_or_else(|_| Problem::internal().into_response())
}

async fn authenticate(
    edge: &Edge,
    presented: Result<Option<SecretKey>, Problem>,
) -> Result<Arc<AuthenticatedKey>, Problem> {
    let key = presented?.ok_or_else(missing_key)?;
    let found = edge.app.authenticator.authenticate(&key).await.map_err(|error| Problem::from(&*error))?;
    found.ok_or_else(wrong_key)
}

/// The key a request shows: in `X-API-Key`, else as `Authorization: Bearer`, else in the parameter. The first of these
/// that is there counts, right or wrong, so that a gateway's own `Authorization` does no harm beside an `X-API-Key`.
pub fn presented(request: &Request) -> Result<Option<SecretKey>, Problem> {
    if let Some(value) = request.headers().get(KEY_HEADER) {
        return value.to_str().map_err(|_| wrong_key()).and_then(read_key);
    }
    if let Some(key) = bearer(request.headers()) {
        return key.and_then(read_key);
    }
    let query = request.uri().query().unwrap_or_default().as_bytes();
    let parameter = url::form_urlencoded::parse(query).find(|(name, _)| name == KEY_PARAMETER);
    parameter.map_or(Ok(None), |(_, value)| read_key(&value))
}

/// What stands behind `Bearer`. Other schemes, such as a proxy's `Basic`, are none of ours.
fn bearer(headers: &HeaderMap) -> Option<Result<&str, Problem>> {
    let value = headers.get(AUTHORIZATION)?.as_bytes();
    let (scheme, key) = value.split_at_checked(BEARER.len())?;
    let ends = key.first().is_none_or(u8::is_ascii_whitespace);
    (ends && scheme.eq_ignore_ascii_case(BEARER)).then(|| std::str::from_utf8(key).map_err(|_| wrong_key()))
}

/// A key as it was sent, if it can be one.
pub fn read_key(text: &str) -> Result<Option<SecretKey>, Problem> {
    SecretKey::parse(text.trim()).map(Some).ok_or_else(wrong_key)
}

fn missing_key() -> Problem {
    Problem::unauthorized(
        "missing_key",
        "the API key is missing; send it in the X-API-Key header, or as Authorization: Bearer",
    )
}

fn wrong_key() -> Problem {
    let detail = "the API key is not valid or has been revoked; check it, or ask the operator for a new one";
    Problem::unauthorized("invalid_key", detail)
}

fn no_radar() -> Problem {
    let detail = "watching businesses needs the Radar add-on, which this account does not have";
    Problem::forbidden("radar_required", detail)
}

fn no_api_access(plan: &Plan) -> Problem {
    let detail = format!(
        "the {} plan does not include API access; GET /me works, everything else needs a plan with integrations",
        plan.tier
    );
    Problem::forbidden("plan_without_api", detail)
}
