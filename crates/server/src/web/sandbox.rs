//! Serves the sandbox's websites to browsers, so that links in leads work.
//!
//! Only on servers that listen on a loopback address and have no `base_url`, where no other machine can reach them. Other
//! servers serve them on a separate loopback port.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::HOST;

use crate::edge::{Edge, frame};

/// Suffix of all host names of the sandbox.
const ENDING: &str = ".localhost";
/// Timeout for a website that never responds.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(30);

/// Surrounds every route: a request that names one of the sandbox's websites as its host is answered by that website, any other
/// within the frame.
pub(crate) async fn intercept(State(edge): State<Edge>, request: Request, next: Next) -> Response {
    match SiteRequest::of(&edge, &request) {
        Some(site) => site.answer(&edge).await,
        None => frame::around(State(edge), request, next).await,
    }
}

/// A request for one of the sandbox's websites.
struct SiteRequest {
    /// The host with its port, so that redirects to another name of the website stay on this server.
    host: String,
    path: String,
}

impl SiteRequest {
    /// The request, if it is for a website of the sandbox and this server serves them.
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

    /// The website's response.
    async fn answer(self, edge: &Edge) -> Response {
        let Some(sandbox) = &edge.app.sandbox else { return StatusCode::NOT_FOUND.into_response() };
        let age = sandbox.age(&edge.app.db).await;
        let answering = sandbox::respond(&sandbox.world, &self.host, &self.path, age);
        match tokio::time::timeout(ANSWER_TIME_MAX, answering).await {
            Ok(Ok(response)) => response.map(Body::new),
            // The sandbox's own server would reset the connection; here it also carries other requests.
            Ok(Err(_)) | Err(_) => (StatusCode::BAD_GATEWAY, "this website does not answer").into_response(),
        }
    }
}
