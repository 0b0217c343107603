//! Authentication: from the credential of a request to its caller, who is held to a rate and then let in.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::Method;

use super::caller::Caller;
use super::cookie;
use super::credential::{Accepts, Credential, ended_session, wrong_key};
use super::rate_limit::{Pass, TooFast};
use super::same_site::{self, RequestOrigin};
use super::{Edge, Problem};
use crate::connection::Connection;

/// Lets the caller of a request in. Handlers find the [`Caller`] by asking for [`super::caller::Authorized`].
pub(super) async fn identify(edge: &Edge, accepts: Accepts, mut request: Request, next: Next) -> Response {
    let presented = presented(edge, accepts, &request);
    let connection = request.extensions().get::<Arc<Connection>>().map(Arc::as_ref);
    let (caller, pass) = match let_in(edge, presented, connection).await {
        Ok(let_in) => let_in,
        Err(response) => return response,
    };
    let writes = !request.method().is_safe();
    request.extensions_mut().insert(caller);
    let mut response = if writes { run_to_the_end(next.run(request)).await } else { next.run(request).await };
    if let Some(pass) = pass {
        pass.tell(response.headers_mut());
    }
    response
}

/// Surrounds what signs a browser in: another site must not make it do so, for the person at it would act on the wrong account.
pub async fn from_own_page(State(edge): State<Edge>, request: Request, next: Next) -> Response {
    // What is sent by another method changes nothing, or is no route.
    let is_checked = request.method() == Method::POST;
    if let Some(Err(problem)) = is_checked.then(|| same_site::check(&edge, &RequestOrigin::of(&request))) {
        return problem.into_response();
    }
    // A task of its own: a client that hangs up must not cancel a transaction half-way.
    run_to_the_end(next.run(request)).await
}

/// The credential, and for a cookie also that no other site sent it. Nothing of the body has been read yet.
fn presented(edge: &Edge, accepts: Accepts, request: &Request) -> Result<Credential, Problem> {
    let credential = accepts.presented(request, cookie::name(&edge.base_url))?;
    if matches!(credential, Credential::Session(_)) {
        same_site::check(edge, &RequestOrigin::of(request))?;
    }
    Ok(credential)
}

/// Authenticates a credential, makes sure its connection may stay, and counts the request against the caller's rate.
pub async fn let_in(
    edge: &Edge,
    presented: Result<Credential, Problem>,
    connection: Option<&Connection>,
) -> Result<(Caller, Option<Pass>), Response> {
    let caller = authenticate(edge, presented).await.map_err(IntoResponse::into_response)?;
    tracing::Span::current().record("caller", tracing::field::display(caller.via()));
    if connection.is_some_and(|connection| !connection.accept_caller()) {
        let detail = "this server has as many connections open as it can serve; try again in a moment";
        return Err(Problem::unavailable(detail).into_response());
    }
    let pass = edge.rate_limits.as_ref().map(|limits| limits.check(caller.via())).transpose();
    pass.map(|pass| (caller, pass)).map_err(TooFast::into_response)
}

/// Runs a request that writes as a task of its own: a client that hangs up must not cancel a transaction half-way.
async fn run_to_the_end(work: impl Future<Output = Response> + Send + 'static) -> Response {
    use tracing::Instrument;
    tokio::spawn(work.in_current_span()).await.unwrap_or_else(|_| Problem::internal().into_response())
}

async fn authenticate(edge: &Edge, presented: Result<Credential, Problem>) -> Result<Caller, Problem> {
    match presented? {
        Credential::Key(key) => {
            let found = edge.app.authenticator.authenticate(&key).await.map_err(|error| Problem::from(&*error))?;
            found.as_deref().map(Caller::from).ok_or_else(wrong_key)
        }
        Credential::Session(token) => {
            let found = edge.app.sessions.authenticate(&token).await.map_err(|error| Problem::from(&*error))?;
            found.map(Caller::from).ok_or_else(ended_session)
        }
    }
}
