//! The cookie of a session. Scripts never see it, and other sites never make a browser send it.

use canvass::session::{IDLE_SECONDS_MAX, SessionToken};
use http::HeaderValue;

use super::Edge;

/// Its name over HTTPS. The prefix makes browsers bind it to this host, over HTTPS, for every path.
pub const SECURE_COOKIE: &str = "__Host-canvass_session";
/// Its name over plain HTTP, where browsers refuse the prefix: on one's own machine.
pub const PLAIN_COOKIE: &str = "canvass_session";

/// The name of the cookie at this base URL. Only this one is read: over HTTPS, a neighbouring host could set the other.
pub fn name(base_url: &str) -> &'static str {
    if base_url.starts_with("https://") { SECURE_COOKIE } else { PLAIN_COOKIE }
}

/// `Set-Cookie` that keeps a session in the browser.
pub fn keep(edge: &Edge, token: &SessionToken) -> HeaderValue {
    header(edge, token.reveal(), IDLE_SECONDS_MAX)
}

/// `Set-Cookie` that makes the browser forget its session.
pub fn forget(edge: &Edge) -> HeaderValue {
    header(edge, "", 0)
}

fn header(edge: &Edge, value: &str, seconds: i64) -> HeaderValue {
    let name = name(&edge.base_url);
    let secure = if name == SECURE_COOKIE { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
    let mut header = HeaderValue::try_from(text).expect("a token is letters and digits");
    header.set_sensitive(true);
    header
}
