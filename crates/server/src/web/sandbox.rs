//! The sandbox's websites, for people: whoever follows a lead's link in a browser sees what the reader saw.
//!
//! Only where nobody else can ask for them: on a server that listens on a loopback address and has no `base_url`. Other
//! servers have them on a loopback port of their own.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::HOST;

use crate::edge::Edge;

/// What every one of their names ends in.
const ENDING: &str = ".localhost";
/// How long a website that never answers is waited for.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(30);

/// Surrounds every route: a request that names one of the sandbox's websites as its host is answered by that website.
pub(crate) async fn intercept(State(edge): State<Edge>, request: Request, next: Next) -> Response {
    match SiteRequest::of(&edge, &request) {
        Some(site) => site.answer(&edge).await,
        None => next.run(request).await,
    }
}

/// A request for one of the sandbox's websites.
struct SiteRequest {
    /// With its port: a website that redirects to another of its names stays on this server.
    host: String,
    path: String,
}

impl SiteRequest {
    /// What a request asks of a website, if it is for one and this server has them.
    fn of(edge: &Edge, request: &Request) -> Option<SiteRequest> {
        if !edge.serves_sites {
            return None;
        }
        let host = request.headers().get(HOST)?.to_str().ok()?;
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        let ending = name.get(name.len().checked_sub(ENDING.len())?..)?;
        let path = || request.uri().path_and_query().map_or("/", |path| path.as_str()).to_owned();
        let is_site = ending.eq_ignore_ascii_case(ENDING);
        is_site.then(|| SiteRequest { host: host.to_ascii_lowercase(), path: path() })
    }

    /// The website's answer.
    async fn answer(self, edge: &Edge) -> Response {
        let Some(sandbox) = &edge.app.sandbox else { return StatusCode::NOT_FOUND.into_response() };
        let age = sandbox.age(&edge.app.db).await;
        let answering = sandbox::respond(&sandbox.world, &self.host, &self.path, age);
        match tokio::time::timeout(ANSWER_TIME_MAX, answering).await {
            Ok(Ok(response)) => response.map(Body::new),
            // In its own server the connection is reset; here it carries other requests too.
            Ok(Err(_)) | Err(_) => (StatusCode::BAD_GATEWAY, "this website does not answer").into_response(),
        }
    }
}
