//! The sandbox's websites, for people: whoever follows a lead's link in a browser sees what the reader saw.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::HOST;

use crate::api::Edge;

/// What every one of their names ends in.
const ENDING: &str = ".localhost";

/// Answers for the sandbox's websites when the request's host is one of theirs; lets all others pass.
pub(crate) async fn sites(State(edge): State<Edge>, request: Request, next: Next) -> Response {
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default().to_ascii_lowercase();
    let name = host.rsplit_once(':').map_or(host.as_str(), |(name, _)| name);
    let Some(sandbox) = edge.app.sandbox.as_ref().filter(|_| name.ends_with(ENDING)) else {
        return next.run(request).await;
    };
    let age = sandbox.age(&edge.app.db).await;
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    // The host with its port: a website that redirects to another of its names stays on this server.
    match sandbox::respond(&sandbox.world, &host, path, age).await {
        Ok(response) => response.map(Body::new),
        // In its own server the connection is reset; here it carries other requests too.
        Err(_) => (StatusCode::BAD_GATEWAY, "this website does not answer").into_response(),
    }
}
