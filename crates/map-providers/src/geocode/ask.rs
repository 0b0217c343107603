//! Sends a geocoder's question, and tells an answer from a failure.

use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, HeaderValue, USER_AGENT};
use http::{HeaderMap, Method};
use serde_json::Value;
use url::Url;

use super::HIT_FRESH_FOR;
use crate::{Call, Gateway, Pace, ProviderError, Reply};

/// Bytes of the largest answer that could be meant.
const ANSWER_MAX: usize = 1024 * 1024;
/// How long an answer may take: a public server is slow when it is busy.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A server that answers in JSON.
#[derive(Clone, Debug)]
pub(super) struct Server {
    /// The geocoder's name.
    pub(super) name: &'static str,
    /// Where it is, with a slash at the end.
    pub(super) base: Url,
    /// How requests introduce themselves.
    pub(super) user_agent: HeaderValue,
    pub(super) pace: Pace,
}

/// One question.
#[derive(Debug)]
pub(super) struct Question<'a> {
    /// What the request is counted as.
    pub(super) kind: &'static str,
    /// Below the server's address.
    pub(super) path: &'a str,
    /// Without those that are blank.
    pub(super) parameters: Vec<(&'a str, String)>,
    pub(super) fresh_for: Duration,
    /// Whether a reply has anything in it.
    pub(super) is_worth_storing: fn(&Reply) -> bool,
}

impl<'a> Question<'a> {
    /// A question whose answer may be reused when it is a hit.
    pub(super) fn stored(
        path: &'a str,
        parameters: Vec<(&'a str, String)>,
        is_worth_storing: fn(&Reply) -> bool,
    ) -> Question<'a> {
        Question { kind: "geocode", path, parameters, fresh_for: HIT_FRESH_FOR, is_worth_storing }
    }

    /// A question that must be asked anew each time.
    pub(super) fn check(path: &'a str, parameters: Vec<(&'a str, String)>) -> Question<'a> {
        Question { kind: "check", path, parameters, fresh_for: Duration::ZERO, is_worth_storing: |_| false }
    }
}

impl Server {
    /// A server at this address.
    ///
    /// # Errors
    /// When the address or the user agent cannot be used.
    pub(super) fn new(name: &'static str, base: &str, user_agent: &str, pace: Pace) -> Result<Server, ProviderError> {
        let refused = |problem: &str| ProviderError::Permanent(format!("{name}: {problem}"));
        let mut base = Url::parse(base.trim()).map_err(|_| refused("its address is not a URL"))?;
        if !matches!(base.scheme(), "http" | "https") || base.cannot_be_a_base() {
            return Err(refused("its address must begin with https:// or http://"));
        }
        base.set_query(None);
        base.set_fragment(None);
        if !base.path().ends_with('/') {
            base.set_path(&format!("{}/", base.path()));
        }
        let is_blank = user_agent.trim().is_empty();
        let user_agent = HeaderValue::from_str(user_agent.trim()).ok().filter(|_| !is_blank);
        let user_agent = user_agent.ok_or_else(|| refused("its user agent must be a line of plain text"))?;
        Ok(Server { name, base, user_agent, pace })
    }

    /// Asks, and reads the answer as JSON.
    pub(super) async fn ask(&self, gateway: &dyn Gateway, question: Question<'_>) -> Result<Value, ProviderError> {
        let call = self.call(&question)?;
        let reply = gateway.call(&call).await?;
        self.answer(&reply)
    }

    fn call(&self, question: &Question<'_>) -> Result<Call, ProviderError> {
        let misplaced = |_| ProviderError::Permanent(format!("{}: its address is not usable", self.name));
        let mut url = self.base.join(question.path).map_err(misplaced)?;
        let filled = question.parameters.iter().filter(|(_, value)| !value.trim().is_empty());
        for (name, value) in filled {
            url.query_pairs_mut().append_pair(name, value);
        }
        let mut headers = HeaderMap::new();
        headers.insert(USER_AGENT, self.user_agent.clone());
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        Ok(Call {
            provider: self.name,
            kind: question.kind,
            method: Method::GET,
            url,
            headers,
            secrets: HeaderMap::new(),
            secret_query: None,
            body: Bytes::new(),
            answer_max: ANSWER_MAX,
            timeout: TIMEOUT,
            fresh_for: question.fresh_for,
            is_worth_storing: question.is_worth_storing,
            pace: self.pace,
        })
    }

    /// The JSON of a good reply; what went wrong otherwise.
    fn answer(&self, reply: &Reply) -> Result<Value, ProviderError> {
        let name = self.name;
        let transient = |reason: String| ProviderError::Transient { reason, after: reply.retry_after };
        match reply.status {
            200 => {}
            // Some front ends say 509 when a client has used up its share.
            429 | 509 => return Err(transient(format!("{name} asks for fewer requests"))),
            401 | 403 => {
                let reason = "it refuses requests of this installation; check its address and its usage policy";
                return Err(ProviderError::Permanent(format!("{name}: {reason}")));
            }
            408 | 425 | 500..=599 => {
                return Err(transient(format!("{name} is out of order (status {})", reply.status)));
            }
            status => {
                let reason = format!("{name} does not understand the request (status {status})");
                return Err(ProviderError::Permanent(reason));
            }
        }
        let answer = parsed(reply);
        answer.ok_or_else(|| transient(format!("{name} answered with something that is not JSON")))
    }
}

/// The JSON of a reply.
pub(super) fn parsed(reply: &Reply) -> Option<Value> {
    if reply.status != 200 {
        return None;
    }
    serde_json::from_slice(&reply.body).ok()
}

/// A text or number, as a text.
pub(super) fn text(value: Option<&Value>) -> Option<String> {
    let text = match value? {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// A number, also when it is written as a text.
pub(super) fn number(value: Option<&Value>) -> Option<f64> {
    let number = match value? {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

/// A box as `west,south,east,north`; `None` across the antimeridian, where these four mean something else.
pub(super) fn box_of(bounds: &places::Bounds) -> Option<String> {
    let places::Bounds { south, west, north, east } = bounds;
    (west < east).then(|| format!("{west:.5},{south:.5},{east:.5},{north:.5}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server() -> Server {
        let pace = Pace { interval: Duration::from_secs(1), concurrent_max: 1 };
        Server::new("nominatim", "https://maps.example/geo", "Canvass test", pace).expect("a server")
    }

    #[test]
    fn replies_that_are_no_answers_are_told_apart() {
        let reply = |status: u16, body: &'static str| Reply {
            status,
            retry_after: Some(Duration::from_secs(7)),
            body: Bytes::from_static(body.as_bytes()),
        };
        for (status, body, expected) in [
            (429, "<html>Bandwidth limit exceeded</html>", "nominatim asks for fewer requests"),
            (509, "", "nominatim asks for fewer requests"),
            (503, "", "nominatim is out of order (status 503)"),
            (200, "<html>Bandwidth limit exceeded</html>", "nominatim answered with something that is not JSON"),
            (200, "", "nominatim answered with something that is not JSON"),
        ] {
            let error = server().answer(&reply(status, body)).unwrap_err();
            let after = Some(Duration::from_secs(7));
            assert_eq!(error, ProviderError::Transient { reason: expected.to_owned(), after }, "{status} {body}");
        }
        for status in [301, 400, 403, 404] {
            let error = server().answer(&reply(status, "{}")).unwrap_err();
            assert!(matches!(error, ProviderError::Permanent(_)), "{status}");
        }
        assert_eq!(server().answer(&reply(200, "[]")), Ok(Value::Array(Vec::new())));
    }

    #[test]
    fn requests_go_below_the_address_with_what_is_known() {
        let parameters = vec![("street", "5 Main St".to_owned()), ("city", " ".to_owned())];
        let call = server().call(&Question::check("search", parameters)).expect("a call");
        assert_eq!(call.url.as_str(), "https://maps.example/geo/search?street=5+Main+St");
        assert_eq!(call.headers[USER_AGENT], "Canvass test");
        let pace = Pace { interval: Duration::ZERO, concurrent_max: 1 };
        for (base, agent) in [("ftp://x", "a"), ("nonsense", "a"), ("https://x", ""), ("https://x", "a\nb")] {
            assert!(Server::new("photon", base, agent, pace).is_err(), "{base} {agent}");
        }
    }
}
