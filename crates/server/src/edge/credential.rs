//! What a request shows to be let in: an API key or the cookie of a session. Nothing is looked up here.

use axum::extract::Request;
use canvass::keys::SecretKey;
use canvass::session::SessionToken;
use http::HeaderMap;
use http::header::{AUTHORIZATION, COOKIE};

use super::Problem;

/// The header a key belongs in.
pub const KEY_HEADER: &str = "x-api-key";
/// The scheme of an `Authorization` header that holds a key.
const BEARER: &[u8] = b"bearer";
/// The query parameter a key may stand in, though addresses are often logged.
pub const KEY_PARAMETER: &str = "api_key";

/// Which credentials a group of routes takes; the table in `router.rs` says so for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepts {
    /// Programs only.
    Key,
    /// Signed-in people only.
    Session,
    /// Either; a key wins over a cookie that is sent beside it.
    KeyOrSession,
}

/// A well-formed credential; whether it works is for the authenticators to say.
#[derive(Clone, Debug)]
pub enum Credential {
    /// An API key.
    Key(SecretKey),
    /// The token of a session.
    Session(SessionToken),
}

impl Accepts {
    /// The credential of a request, if it shows one of a kind that is taken here. `cookie` is the name of a session's cookie.
    pub fn presented(self, request: &Request, cookie: &str) -> Result<Credential, Problem> {
        let key = if self == Accepts::Session { None } else { key(request)? };
        if let Some(key) = key {
            return Ok(Credential::Key(key));
        }
        let token = if self == Accepts::Key { None } else { session(request.headers(), cookie)? };
        token.map(Credential::Session).ok_or_else(|| self.missing())
    }

    fn missing(self) -> Problem {
        if self == Accepts::Session { missing_session() } else { missing_key() }
    }
}

/// Whether a request shows a well-formed credential anywhere, the last part of its path included.
pub(super) fn shows_any(request: &Request, cookie: &str) -> bool {
    let in_path = || request.uri().path().rsplit('/').next().and_then(SecretKey::parse);
    Accepts::KeyOrSession.presented(request, cookie).is_ok() || in_path().is_some()
}

/// The key of a request: in `X-API-Key`, else as `Authorization: Bearer`, else in the query. The first of these that is
/// present decides, valid or not, so that a gateway's own `Authorization` does no harm beside an `X-API-Key`.
fn key(request: &Request) -> Result<Option<SecretKey>, Problem> {
    if let Some(value) = request.headers().get(KEY_HEADER) {
        return value.to_str().map_err(|_| wrong_key()).and_then(read_key).map(Some);
    }
    if let Some(key) = bearer(request.headers()) {
        return key.and_then(read_key).map(Some);
    }
    let query = request.uri().query().unwrap_or_default().as_bytes();
    let parameter = url::form_urlencoded::parse(query).find(|(name, _)| name == KEY_PARAMETER);
    parameter.map(|(_, value)| read_key(&value)).transpose()
}

/// What follows `Bearer`. Other schemes, such as a proxy's `Basic`, are not ours.
fn bearer(headers: &HeaderMap) -> Option<Result<&str, Problem>> {
    let value = headers.get(AUTHORIZATION)?.as_bytes();
    let (scheme, key) = value.split_at_checked(BEARER.len())?;
    let ends = key.first().is_none_or(u8::is_ascii_whitespace);
    (ends && scheme.eq_ignore_ascii_case(BEARER)).then(|| std::str::from_utf8(key).map_err(|_| wrong_key()))
}

/// A key as it was sent, if it is well-formed.
pub fn read_key(text: &str) -> Result<SecretKey, Problem> {
    SecretKey::parse(text.trim()).ok_or_else(wrong_key)
}

/// The token in the session cookie. HTTP/2 clients may send cookies in several headers.
fn session(headers: &HeaderMap, name: &str) -> Result<Option<SessionToken>, Problem> {
    let lists = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut cookies = lists.flat_map(|list| list.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
    let cookie = cookies.find(|(other, _)| *other == name);
    cookie.map(|(_, token)| SessionToken::parse(token).ok_or_else(ended_session)).transpose()
}

/// 401: no key where one is needed.
pub(super) fn missing_key() -> Problem {
    Problem::unauthorized(
        "missing_key",
        "the API key is missing; send it in the X-API-Key header, or as Authorization: Bearer",
    )
}

/// 401: malformed, unknown or revoked; the three cannot be told apart.
pub(super) fn wrong_key() -> Problem {
    let detail = "the API key is not valid or has been revoked; check it, or ask the operator for a new one";
    Problem::unauthorized("invalid_key", detail)
}

/// 401: no session where only people may act.
pub(super) fn missing_session() -> Problem {
    Problem::signed_out(
        "missing_session",
        "only a signed-in person may do this, and API keys are not accepted; sign in",
    )
}

/// 401: malformed, unknown, expired or signed out; they cannot be told apart.
pub(super) fn ended_session() -> Problem {
    Problem::signed_out("invalid_session", "the session is not known or has ended; sign in again, or send an API key")
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;
    use crate::edge::cookie::SECURE_COOKIE;

    #[test]
    fn the_session_is_found_among_other_cookies_and_in_any_of_their_headers() {
        let token = format!("cv_sess_{}", "a".repeat(43));
        let request = Request::builder()
            .header(COOKIE, "theme=dark; __Host-canvass_sessions=x")
            .header(COOKIE, format!("a=b;{SECURE_COOKIE}={token}"))
            .body(Body::empty())
            .unwrap();
        let shown = Accepts::Session.presented(&request, SECURE_COOKIE).unwrap();
        assert!(matches!(shown, Credential::Session(found) if found.reveal() == token));
        assert_eq!(Accepts::Key.presented(&request, SECURE_COOKIE).unwrap_err().code, "missing_key");
    }
}
