//! Compresses JSON and CSV for clients that ask for it. Event streams are never compressed: each event must arrive
//! as soon as it happens.

use std::convert::Infallible;
use std::future::ready;

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::response::Response;
use http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_TYPE, VARY};
use http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, Version};
use tower::{Layer, ServiceExt, service_fn};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, Predicate, SizeAbove};

use super::body::is_json;
use super::render_cache::RenderCache;

/// Bytes below which compressing saves less than it costs.
const COMPRESSED_BYTES_MIN: u64 = 1_024;
/// The encodings on offer; of those a client likes equally well, the first is used.
const ENCODINGS: [&str; 3] = ["zstd", "br", "gzip"];
/// What a client means that accepts anything: every HTTP library reads it.
const COMMON_ENCODING: &str = "gzip";

/// Whether a response is worth compressing, by its status and headers.
type Compressible = fn(StatusCode, Version, &HeaderMap, &Extensions) -> bool;

/// How a client wants a response to be sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    is_get: bool,
    encoding: Option<&'static str>,
}

impl Wanted {
    pub(super) fn by(request: &Request) -> Wanted {
        Wanted { is_get: request.method() == Method::GET, encoding: preferred(request.headers()) }
    }

    /// The response in the encoding that its client likes best, as it is kept if it was sent in that encoding before.
    pub(super) async fn pack(self, response: Response, kept: &RenderCache) -> Response {
        let mut response = self.compress(response).await;
        // A 304 has the headers of the response it stands for (RFC 9110, 15.4.5), but no type by which to tell.
        if response.status() == StatusCode::NOT_MODIFIED {
            response.headers_mut().append(VARY, HeaderValue::from_name(ACCEPT_ENCODING));
        }
        if self.is_get { kept.reuse(response) } else { response }
    }

    /// Compresses a response that is worth it. Bodies stay streams.
    ///
    /// The layer's own negotiation answers 406 to a client that accepts no encoding at all, after its request has been carried
    /// out and perhaps charged. It therefore sees at most one encoding, and such a client is sent plain bytes.
    async fn compress(self, response: Response) -> Response {
        if response.body().size_hint().exact().is_some_and(|bytes| bytes < COMPRESSED_BYTES_MIN) {
            return response;
        }
        let mut asked = Request::default();
        if let Some(encoding) = self.encoding {
            asked.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static(encoding));
        }
        let mut response = Some(response);
        let given = service_fn(move |_: Request| ready(Ok::<_, Infallible>(response.take().unwrap_or_default())));
        let Ok(compressed) = layer().layer(given).oneshot(asked).await;
        compressed.map(Body::new)
    }
}

fn layer() -> CompressionLayer<And<SizeAbove, Compressible>> {
    let compressible: Compressible = |_, _, headers, _| is_compressible(headers);
    CompressionLayer::new().compress_when(SizeAbove::new(COMPRESSED_BYTES_MIN).and(compressible))
}

/// Whether a client accepts gzip, for files that are kept in that form.
pub(crate) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepted = accepted(headers);
    weight_of(COMMON_ENCODING, &accepted).is_some_and(|weight| weight > 0.0)
}

fn is_compressible(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok()).unwrap_or_default();
    let kind = text(CONTENT_TYPE).split(';').next().unwrap_or_default().trim();
    let suited = is_json(kind) || (kind.starts_with("text/") && kind != "text/event-stream");
    suited && !text(CACHE_CONTROL).contains("no-transform")
}

/// The encoding on offer that a client likes best (RFC 9110, 12.5.3), if it likes any.
fn preferred(headers: &HeaderMap) -> Option<&'static str> {
    let accepted = accepted(headers);
    let mut best: Option<(&'static str, f32)> = None;
    for encoding in ENCODINGS {
        let Some(weight) = weight_of(encoding, &accepted).filter(|weight| *weight > 0.0) else { continue };
        if best.is_none_or(|(_, most)| weight > most) {
            best = Some((encoding, weight));
        }
    }
    best.map(|(encoding, _)| encoding)
}

/// The encodings a client names, each with how much it is liked.
fn accepted(headers: &HeaderMap) -> Vec<(&str, f32)> {
    let lists = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(',')).map(weighed).collect()
}

/// How much one encoding is liked, if it is named, or meant by `*`.
fn weight_of(encoding: &str, accepted: &[(&str, f32)]) -> Option<f32> {
    let named = |name: &str| accepted.iter().find(|(one, _)| one.eq_ignore_ascii_case(name)).map(|(_, weight)| *weight);
    named(encoding).or_else(|| named("*").filter(|_| encoding == COMMON_ENCODING))
}

/// An encoding and how much it is liked: `br;q=0.5`.
fn weighed(item: &str) -> (&str, f32) {
    let mut parts = item.split(';').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    (name, weight.map_or(1.0, |weight| weight.parse().unwrap_or(0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(accepted: &str, expected: Option<&str>) {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_str(accepted).unwrap());
        assert_eq!(preferred(&headers), expected, "{accepted}");
    }

    #[test]
    fn the_encoding_a_client_likes_best_is_chosen() {
        check("gzip", Some("gzip"));
        check("GZIP;q=0.5", Some("gzip"));
        check("gzip, deflate, br, zstd", Some("zstd"));
        check("gzip;q=1.0, br;q=0.9", Some("gzip"));
        check("br, gzip;q=0", Some("br"));
        check("*", Some("gzip"));
        check("*;q=0.1, br;q=0.5", Some("br"));
        check("identity;q=0, gzip", Some("gzip"));
        check("deflate", None);
        check("identity", None);
        check("identity;q=0", None);
        check("*;q=0", None);
        check("gzip;q=nonsense", None);
        check("", None);
    }

    #[test]
    fn events_and_what_must_not_be_transformed_stay_plain() {
        let kind = |kind: &'static str| HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(kind))]);
        for compressible in ["application/json", "application/problem+json", "text/csv; charset=utf-8", "text/html"] {
            assert!(is_compressible(&kind(compressible)), "{compressible}");
        }
        for plain in ["text/event-stream; charset=utf-8", "image/png", "application/zip", ""] {
            assert!(!is_compressible(&kind(plain)), "{plain}");
        }
        let mut fixed = kind("application/json");
        fixed.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
        assert!(!is_compressible(&fixed));
    }
}
