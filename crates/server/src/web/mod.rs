//! Pages for browsers: the welcome page, the web app and the API reference, all embedded in the binary.

pub(crate) mod app;
pub(crate) mod sandbox;

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use axum::extract::Path;
use axum::response::Response;
use canvass::listing::About;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue};

use crate::edge::Problem;
use crate::edge::packed::Packed;

/// Content security policy of our own pages: nothing inline, nothing from other origins.
const PAGE_POLICY: &str =
    "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; form-action 'self'; base-uri 'none'";
/// Content security policy of the API reference, which uses inline styles.
const DOCS_POLICY: &str = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";
const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

const WELCOME: &str = include_str!("files/welcome.html");
/// Where the welcome page says which source is on.
const SOURCE_MARK: &str = "<!-- source -->";
static DOCS: Packed = Packed::of(include_bytes!("files/docs.html"));
/// The assets of our pages: name, type, content.
static ASSETS: [(&str, &str, Packed); 2] = [
    ("style.css", CSS, Packed::of(include_bytes!("files/style.css"))),
    ("docs.js", SCRIPT, Packed::of(include_bytes!("files/docs.js"))),
];
/// The assets of the API reference.
static DOCS_ASSETS: [(&str, &str, LazyLock<Packed>); 2] = [
    ("swagger-ui.css", CSS, LazyLock::new(|| swagger_file("swagger-ui.css"))),
    ("swagger-ui-bundle.js", SCRIPT, LazyLock::new(|| swagger_file("swagger-ui-bundle.js"))),
];

/// The welcome page, which says which source is on and how to switch.
pub(crate) fn welcome(source: &About) -> Arc<Packed> {
    let said = match source.name.as_str() {
        "sandbox" => {
            "<p>Searches find <strong>generated businesses</strong> (<code>sandbox</code>). Two lines switch to real \
                      ones:</p>\n    <pre>export CANVASS_SOURCE=overture\ncanvass serve</pre>"
                .to_owned()
        }
        // Names of sources have letters, digits and dashes only.
        name => format!(
            "<p>Searches find <strong>real businesses</strong> (<code>{name}</code>). Two lines switch to generated ones, to try \
             things out:</p>\n    <pre>export CANVASS_SOURCE=sandbox\ncanvass serve</pre>"
        ),
    };
    Arc::new(Packed::owned(WELCOME.replace(SOURCE_MARK, &said).into()))
}

/// `/docs`: the API reference.
pub(crate) async fn docs(headers: HeaderMap) -> Response {
    page_under(&DOCS, DOCS_POLICY, &headers)
}

/// `/assets/...`: the assets of our pages.
pub(crate) async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, Problem> {
    let (_, kind, found) = ASSETS.iter().find(|(known, ..)| *known == name).ok_or_else(Problem::no_such_path)?;
    Ok(file(kind, found, &headers))
}

/// `/docs/...`: the assets of the API reference.
pub(crate) async fn docs_asset(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, Problem> {
    let (_, kind, found) = DOCS_ASSETS.iter().find(|(known, ..)| *known == name).ok_or_else(Problem::no_such_path)?;
    Ok(file(kind, found, &headers))
}

fn swagger_file(name: &str) -> Packed {
    let config = Arc::new(utoipa_swagger_ui::Config::from("/openapi.json"));
    let found = utoipa_swagger_ui::serve(name, config).ok().flatten().expect("the file is embedded in the crate");
    Packed::owned(bytes(found.bytes))
}

fn bytes(embedded: Cow<'static, [u8]>) -> Bytes {
    match embedded {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => bytes.into(),
    }
}

/// One of our own pages.
pub(crate) fn page(packed: &Packed, asked: &HeaderMap) -> Response {
    page_under(packed, PAGE_POLICY, asked)
}

fn page_under(packed: &Packed, policy: &'static str, asked: &HeaderMap) -> Response {
    let mut response = packed.response(asked);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(HTML));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

fn file(kind: &'static str, packed: &Packed, asked: &HeaderMap) -> Response {
    let mut response = packed.response(asked);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    // Short, because a new version of the binary has new files under the same names.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("max-age=300"));
    response
}
