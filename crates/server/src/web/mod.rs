//! What people open in a browser: the welcome page, the account at a glance, the API reference. All from this binary.

pub(crate) mod sandbox;

use std::borrow::Cow;

use axum::body::Bytes;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};

use crate::api::Problem;

/// Our own pages: nothing inline, nothing from elsewhere.
const PAGE_POLICY: &str =
    "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; form-action 'self'; base-uri 'none'";
/// The API reference styles itself with inline rules.
const DOCS_POLICY: &str = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";
const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// `/`: what this is and where to go.
pub(crate) async fn welcome() -> Response {
    page(include_str!("files/welcome.html"), PAGE_POLICY)
}

/// `/app`: the account at a glance, for whoever has its key.
pub(crate) async fn app() -> Response {
    page(include_str!("files/app.html"), PAGE_POLICY)
}

/// `/docs`: the API reference.
pub(crate) async fn docs() -> Response {
    page(include_str!("files/docs.html"), DOCS_POLICY)
}

/// `/assets/...`: what our pages are made of.
pub(crate) async fn asset(Path(name): Path<String>) -> Result<Response, Problem> {
    match name.as_str() {
        "style.css" => Ok(file(CSS, Bytes::from_static(include_bytes!("files/style.css")))),
        "app.js" => Ok(file(SCRIPT, Bytes::from_static(include_bytes!("files/app.js")))),
        "connector.js" => Ok(file(SCRIPT, Bytes::from_static(include_bytes!("files/connector.js")))),
        "search.js" => Ok(file(SCRIPT, Bytes::from_static(include_bytes!("files/search.js")))),
        "ai_key.js" => Ok(file(SCRIPT, Bytes::from_static(include_bytes!("files/ai_key.js")))),
        "docs.js" => Ok(file(SCRIPT, Bytes::from_static(include_bytes!("files/docs.js")))),
        _ => Err(Problem::no_such_path()),
    }
}

/// `/docs/...`: what the API reference is made of.
pub(crate) async fn docs_asset(Path(name): Path<String>) -> Result<Response, Problem> {
    let kind = match name.as_str() {
        "swagger-ui.css" => CSS,
        "swagger-ui-bundle.js" => SCRIPT,
        _ => return Err(Problem::no_such_path()),
    };
    let config = std::sync::Arc::new(utoipa_swagger_ui::Config::from("/openapi.json"));
    match utoipa_swagger_ui::serve(&name, config) {
        Ok(Some(found)) => Ok(file(
            kind,
            match found.bytes {
                Cow::Borrowed(bytes) => Bytes::from_static(bytes),
                Cow::Owned(bytes) => bytes.into(),
            },
        )),
        _ => Err(Problem::no_such_path()),
    }
}

fn page(text: &'static str, policy: &'static str) -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(HTML)),
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy)),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    (headers, text).into_response()
}

/// Without a copy: whoever reads slowly holds no memory of ours.
fn file(kind: &'static str, bytes: Bytes) -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        // Short: a new version of the binary brings new files under the same names.
        (CACHE_CONTROL, HeaderValue::from_static("max-age=300")),
    ];
    (headers, bytes).into_response()
}
