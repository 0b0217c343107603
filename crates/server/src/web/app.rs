//! The web app: what `web/` was built to, embedded in the binary. Its pages are one document; scripts decide which of them is shown.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::extract::Path;
use axum::response::Response;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue};
use rust_embed::RustEmbed;

use super::{bytes, page_under};
use crate::edge::Problem;
use crate::edge::packed::Packed;

/// Nothing inline, nothing from other origins, and no text becomes markup except through the framework's own templates.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; \
     base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html";
/// Names of files in this folder contain a hash of their content, so they never change.
const HASHED: &str = "assets/";
const DOCUMENT: &str = "index.html";

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct Built;

static FILES: LazyLock<BTreeMap<String, Packed>> = LazyLock::new(|| {
    let read = |name: &str| Built::get(name).map(|file| Packed::owned(bytes(file.data)));
    Built::iter().filter_map(|name| Some((name.to_string(), read(&name)?))).collect()
});

/// `/app`: the start of the app.
pub(crate) async fn start(headers: HeaderMap) -> Response {
    document(&headers)
}

/// `/app/...`: a file of the app, or the app itself, which shows the page of that name or says that there is none.
pub(crate) async fn file_or_page(Path(path): Path<String>, headers: HeaderMap) -> Result<Response, Problem> {
    match FILES.get(&path) {
        Some(file) if path != DOCUMENT => Ok(answer(&path, file, &headers)),
        None if path.starts_with(HASHED) => Err(Problem::no_such_path()),
        _ => Ok(document(&headers)),
    }
}

fn document(headers: &HeaderMap) -> Response {
    page_under(&FILES[DOCUMENT], POLICY, headers)
}

fn answer(path: &str, file: &Packed, asked: &HeaderMap) -> Response {
    // Fonts are compressed as they are.
    let mut response = if path.ends_with(".woff2") { file.response(&HeaderMap::new()) } else { file.response(asked) };
    let headers = response.headers_mut();
    let caching = if path.starts_with(HASHED) { "max-age=31536000, immutable" } else { "max-age=300" };
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type(path)));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(caching));
    response
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "js" => super::SCRIPT,
        "css" => super::CSS,
        "svg" => "image/svg+xml",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}
