//! ETags: a response carries a hash of itself, and a client that already has it gets 304.

use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use http::{HeaderMap, HeaderValue, StatusCode};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::Problem;

/// Bytes of the hash in a tag: enough that collisions do not occur.
const TAG_BYTES: usize = 16;

/// A JSON answer with its tag; 304 when the client's `If-None-Match` names it.
pub fn tagged<T: Serialize>(request: &HeaderMap, view: &T) -> Result<Response, Problem> {
    let body = serde_json::to_vec(view).map_err(|_| Problem::internal())?;
    let tag = tag(&body);
    Ok(unchanged(request, &tag).unwrap_or_else(|| {
        let json = [(CONTENT_TYPE, HeaderValue::from_static("application/json"))];
        with_tag((json, body).into_response(), &tag)
    }))
}

/// The tag of a response that depends on these values alone, for responses too long to be hashed before they are sent.
pub fn tag_of(parts: &[&str]) -> String {
    tag(parts.join("\0").as_bytes())
}

/// 304 with its tag when the client's `If-None-Match` names it.
pub fn unchanged(request: &HeaderMap, tag: &str) -> Option<Response> {
    is_known(request, tag).then(|| with_tag(StatusCode::NOT_MODIFIED.into_response(), tag))
}

/// An answer under its tag.
pub fn with_tag(mut response: Response, tag: &str) -> Response {
    let headers = response.headers_mut();
    // Weak: the same response may be sent compressed, and then its bytes differ (RFC 9110, 8.8.1).
    let tag = HeaderValue::try_from(format!("W/{tag}"));
    headers.insert(ETAG, tag.expect("a tag is hexadecimal"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    response
}

fn tag(body: &[u8]) -> String {
    format!("\"{}\"", hex::encode(&Sha256::digest(body)[..TAG_BYTES]))
}

/// Whether `If-None-Match` names this tag; weak and strong forms are the same here (RFC 9110, 13.1.2).
fn is_known(request: &HeaderMap, tag: &str) -> bool {
    let lists = request.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(',')).map(str::trim).any(|one| one == "*" || one.trim_start_matches("W/") == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(if_none_match: Option<&str>, expected: StatusCode) {
        let mut headers = HeaderMap::new();
        if let Some(value) = if_none_match {
            headers.insert(IF_NONE_MATCH, HeaderValue::from_str(value).unwrap());
        }
        assert_eq!(tagged(&headers, &[1, 2]).unwrap().status(), expected, "{if_none_match:?}");
    }

    #[test]
    fn a_client_that_names_the_tag_is_sent_nothing() {
        let tag = tag(b"[1,2]");
        check(None, StatusCode::OK);
        check(Some("\"other\""), StatusCode::OK);
        check(Some(&tag), StatusCode::NOT_MODIFIED);
        check(Some(&format!("\"other\", W/{tag}")), StatusCode::NOT_MODIFIED);
        check(Some("*"), StatusCode::NOT_MODIFIED);
    }
}
