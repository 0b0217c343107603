//! Cross-site request forgery: a browser sends our cookie along with whatever a page makes it send, so a request that
//! is let in by a cookie must come from a page of this server. Keys are not sent by browsers on their own.

use http::header::{HOST, ORIGIN};
use http::uri::Authority;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Uri};
use url::Url;

use super::{Edge, Problem};

/// Where the page that made a request comes from, as the browser sees it. Pages cannot set it.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// What of a request says where it comes from.
pub(super) struct RequestOrigin<'a> {
    method: &'a Method,
    uri: &'a Uri,
    headers: &'a HeaderMap,
}

impl<'a> RequestOrigin<'a> {
    pub(super) fn of<B>(request: &'a Request<B>) -> RequestOrigin<'a> {
        RequestOrigin { method: request.method(), uri: request.uri(), headers: request.headers() }
    }

    /// Whether the request comes from a page of ours. `Sec-Fetch-Site` decides when it is there; browsers leave it out
    /// on plain HTTP, and then `Origin` must be this server's. Without either only reading is allowed: every browser
    /// sends `Origin` with what writes, and programs have keys.
    fn is_ours(&self, base_url: &str) -> bool {
        match (self.headers.get(SEC_FETCH_SITE), self.headers.get(ORIGIN)) {
            (Some(site), _) if site == "same-origin" => true,
            // Typed into the address bar, or opened from a bookmark.
            (Some(site), _) if site == "none" => self.method.is_safe(),
            (Some(_), _) => false,
            (None, Some(origin)) => self.is_own_origin(origin, base_url),
            (None, None) => self.method.is_safe(),
        }
    }

    fn is_own_origin(&self, origin: &HeaderValue, base_url: &str) -> bool {
        let Some(origin) = origin.to_str().ok().and_then(|text| Url::parse(text).ok()) else { return false };
        let base = Url::parse(base_url).is_ok_and(|base| base.origin() == origin.origin());
        base || self.authority().is_some_and(|asked| is_at(&origin, &asked))
    }

    /// Whom the client wanted to reach.
    fn authority(&self) -> Option<Authority> {
        match self.headers.get(HOST) {
            Some(host) => Authority::try_from(host.as_bytes()).ok(),
            None => self.uri.authority().cloned(),
        }
    }
}

/// Whether an origin is the server that was asked, by host and port.
fn is_at(origin: &Url, asked: &Authority) -> bool {
    let port = asked.port_u16().or(origin.port_or_known_default());
    let host = origin.host_str().is_some_and(|host| host.eq_ignore_ascii_case(asked.host()));
    host && port == origin.port_or_known_default() && ["http", "https"].contains(&origin.scheme())
}

/// Refuses a request that another site made a browser send.
pub(super) fn check(edge: &Edge, source: &RequestOrigin<'_>) -> Result<(), Problem> {
    if source.is_ours(&edge.base_url) { Ok(()) } else { Err(cross_site()) }
}

fn cross_site() -> Problem {
    let detail = "a session can only be used from this server's own pages; programs and other websites send an API key";
    Problem::forbidden("cross_site", detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "https://leads.example.com";

    fn ours(method: &str, headers: &[(&str, &str)]) -> bool {
        let mut request = Request::builder().method(method).uri("/searches").header(HOST, "10.0.0.7:8080");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        RequestOrigin::of(&request.body(()).unwrap()).is_ours(BASE)
    }

    #[test]
    fn what_the_browser_says_of_the_site_decides() {
        for method in ["GET", "POST"] {
            assert!(ours(method, &[("sec-fetch-site", "same-origin")]));
            assert!(!ours(method, &[("sec-fetch-site", "cross-site")]));
            assert!(!ours(method, &[("sec-fetch-site", "same-site"), ("origin", BASE)]));
            assert!(!ours(method, &[("sec-fetch-site", "nonsense")]));
        }
        assert!(ours("GET", &[("sec-fetch-site", "none")]));
        assert!(!ours("POST", &[("sec-fetch-site", "none")]));
    }

    #[test]
    fn without_it_the_origin_must_be_ours() {
        for own in [BASE, "http://10.0.0.7:8080", "https://LEADS.example.com"] {
            assert!(ours("POST", &[("origin", own)]), "{own}");
        }
        for foreign in ["https://evil.example", "http://10.0.0.7:3000", "http://leads.example.com", "null", "file:///x"]
        {
            assert!(!ours("POST", &[("origin", foreign)]), "{foreign}");
            assert!(!ours("GET", &[("origin", foreign)]), "{foreign}");
        }
    }

    #[test]
    fn a_request_that_says_nothing_may_only_read() {
        assert!(ours("GET", &[]) && ours("HEAD", &[]));
        assert!(!ours("POST", &[]) && !ours("DELETE", &[]));
    }
}
