//! Reads the answers of a server: the objects of a whole one, or what is wrong with any other.
//!
//! Servers report most failures with status 200: in the `remark` of an answer that has only the objects found until then, or with
//! a web page.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use place_data::osm::{ElementId, ElementKind};
use places::Point;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};

use crate::{CallError, Reply};

/// Bytes of a web page that are searched for its reason.
const PAGE_BYTES_MAX: usize = 16 * 1024;

/// What a server made of a query.
#[derive(Debug)]
pub(super) enum QueryOutcome {
    /// Everything that was asked for.
    Whole(Document),
    /// The query was too much for the server, or its answer for us: a smaller area may work.
    TooMuch(Excess),
    /// The server asks to come back later.
    Busy(Option<Duration>),
    /// The server is out of order; another one may work.
    Failing(String),
    /// The server will not answer this, whenever it is asked.
    Refused(&'static str),
}

/// What there was too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Excess {
    /// It took longer than the query allows.
    Time,
    /// It needed more memory than the query allows.
    Memory,
    /// The answer is larger than what is read.
    Bytes,
}

/// A whole answer.
#[derive(Debug, Default)]
pub(super) struct Document {
    /// Objects with an id, a point and tags, in the order of the answer; all others are left out.
    pub(super) objects: Vec<Object>,
    /// Up to when the server's data has all edits.
    pub(super) base: Option<String>,
}

/// An object of OpenStreetMap.
#[derive(Debug, PartialEq)]
pub(super) struct Object {
    pub(super) id: ElementId,
    pub(super) point: Point,
    pub(super) tags: Vec<(String, String)>,
}

/// Tells what came of a query. An error is one of our own side: no budget, no store.
pub(super) fn outcome(reply: Result<Reply, CallError>) -> Result<QueryOutcome, CallError> {
    let reply = match reply {
        Ok(reply) => reply,
        Err(CallError::TooLarge(_)) => return Ok(QueryOutcome::TooMuch(Excess::Bytes)),
        Err(error @ (CallError::Unreachable(_) | CallError::TimedOut(_))) => {
            return Ok(QueryOutcome::Failing(error.to_string()));
        }
        Err(error) => return Err(error),
    };
    Ok(match reply.status {
        200 => read(&reply.body),
        429 | 503 | 504 => QueryOutcome::Busy(reply.retry_after),
        400 => QueryOutcome::Refused("does not understand the query"),
        401 | 403 | 406 | 451 => QueryOutcome::Refused("does not serve this installation"),
        404 | 405 | 410 => QueryOutcome::Refused("is not there: the address in the settings is wrong"),
        status => QueryOutcome::Failing(format!("it answered with status {status}")),
    })
}

/// Whether a reply is the whole answer to a query, and so worth keeping.
pub(super) fn is_whole(reply: &Reply) -> bool {
    reply.status == 200 && matches!(read(&reply.body), QueryOutcome::Whole(_))
}

/// Reads the body of an answer with status 200.
fn read(body: &[u8]) -> QueryOutcome {
    if body.trim_ascii_start().starts_with(b"<") {
        let page = String::from_utf8_lossy(&body[..body.len().min(PAGE_BYTES_MAX)]);
        return failure(&page).unwrap_or_else(|| failing("it sent a web page instead of data"));
    }
    let Ok(envelope) = serde_json::from_slice::<Envelope>(body) else {
        return failing("its answer broke off, or is not what such servers send");
    };
    match envelope.remark {
        None => {}
        Some(Lenient::Bad(_)) => return failing("its answer is not what such servers send"),
        // Remarks that are no errors come with whole answers.
        Some(Lenient::Good(remark)) if !remark.contains("error") => {}
        Some(Lenient::Good(remark)) => return failure(&remark).unwrap_or_else(|| failing("it reported an error")),
    }
    let base = envelope.osm3s.and_then(Lenient::good).and_then(|osm3s| osm3s.timestamp_osm_base.good());
    QueryOutcome::Whole(Document { objects: envelope.elements.0, base })
}

/// The kind of failure that a remark or a page tells of, as far as it is known.
fn failure(text: &str) -> Option<QueryOutcome> {
    let has = |words: &str| text.contains(words);
    if has("Query timed out") {
        return Some(QueryOutcome::TooMuch(Excess::Time));
    }
    if has("out of memory") {
        return Some(QueryOutcome::TooMuch(Excess::Memory));
    }
    let is_busy = has("rate_limited") || has("too busy") || has("Dispatcher_Client") || has("Too Many Requests");
    is_busy.then_some(QueryOutcome::Busy(None))
}

fn failing(reason: &str) -> QueryOutcome {
    QueryOutcome::Failing(reason.to_owned())
}

/// The outermost object of an answer. Without `elements` it is none.
#[derive(Deserialize)]
struct Envelope {
    elements: Elements,
    remark: Option<Lenient<String>>,
    osm3s: Option<Lenient<Osm3s>>,
}

#[derive(Deserialize)]
struct Osm3s {
    timestamp_osm_base: Lenient<String>,
}

/// The elements of which objects could be made. Others are dropped one by one as they are read, so that an answer full of nothing
/// takes no memory.
struct Elements(Vec<Object>);

impl<'de> Deserialize<'de> for Elements {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Elements, D::Error> {
        struct List;
        impl<'de> Visitor<'de> for List {
            type Value = Elements;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Elements, A::Error> {
                let mut objects = Vec::new();
                while let Some(element) = list.next_element::<Lenient<Element>>()? {
                    objects.extend(element.good().and_then(Element::object));
                }
                Ok(Elements(objects))
            }
        }
        deserializer.deserialize_seq(List)
    }
}

/// A value of the right type, or anything else.
#[derive(Deserialize)]
#[serde(untagged)]
enum Lenient<T> {
    Good(T),
    Bad(IgnoredAny),
}

impl<T> Lenient<T> {
    fn good(self) -> Option<T> {
        match self {
            Lenient::Good(value) => Some(value),
            Lenient::Bad(_) => None,
        }
    }
}

#[derive(Deserialize)]
struct Element {
    #[serde(rename = "type")]
    kind: Kind,
    id: i64,
    lat: Option<Lenient<f64>>,
    lon: Option<Lenient<f64>>,
    center: Option<Lenient<Center>>,
    tags: Option<Lenient<BTreeMap<String, Lenient<String>>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Node,
    Way,
    Relation,
}

#[derive(Deserialize)]
struct Center {
    lat: f64,
    lon: f64,
}

impl Element {
    /// `None` without a point or tags.
    fn object(self) -> Option<Object> {
        let own = || Some((self.lat?.good()?, self.lon?.good()?));
        let centre = self.center.and_then(Lenient::good).map(|centre| (centre.lat, centre.lon));
        let (latitude, longitude) = centre.or_else(own)?;
        let is_on_globe = latitude.abs() <= 90.0 && longitude.abs() <= 180.0;
        let kind = match self.kind {
            Kind::Node => ElementKind::Node,
            Kind::Way => ElementKind::Way,
            Kind::Relation => ElementKind::Relation,
        };
        let tags = self.tags.and_then(Lenient::good).unwrap_or_default().into_iter();
        let tags: Vec<(String, String)> = tags.filter_map(|(key, value)| Some((key, value.good()?))).collect();
        let id = ElementId { kind, number: self.id };
        let is_usable = is_on_globe && self.id > 0 && !tags.is_empty();
        is_usable.then_some(Object { id, point: Point { latitude, longitude }, tags })
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use proptest::prelude::*;

    use super::*;

    fn reply(status: u16, body: impl Into<Bytes>) -> Reply {
        Reply { status, retry_after: None, body: body.into() }
    }

    fn told(status: u16, body: &str) -> String {
        match outcome(Ok(reply(status, body.to_owned()))).unwrap() {
            QueryOutcome::Whole(document) => format!("whole {}", document.objects.len()),
            QueryOutcome::TooMuch(excess) => format!("too much {excess:?}"),
            QueryOutcome::Busy(_) => "busy".to_owned(),
            QueryOutcome::Failing(_) => "failing".to_owned(),
            QueryOutcome::Refused(_) => "refused".to_owned(),
        }
    }

    #[test]
    fn answers_are_told_apart() {
        let busy_page = "<html><body><p>Error: runtime error: open64: 0 Success /osm3s_osm_base \
            Dispatcher_Client::request_read_and_idx::timeout. The server is probably too busy to handle your request.</p>";
        for (status, body, expected) in [
            (200, r#"{"version":0.6,"elements":[]}"#, "whole 0"),
            (200, r#"{"elements":[],"remark":"runtime remark: nothing of note"}"#, "whole 0"),
            (200, r#"{"elements":[],"remark":null}"#, "whole 0"),
            (
                200,
                r#"{"elements":[],"remark":"runtime error: Query timed out in \"query\" at line 3 after 61 seconds."}"#,
                "too much Time",
            ),
            (
                200,
                r#"{"elements":[],"remark":"runtime error: Query run out of memory using about 2048 MB of RAM."}"#,
                "too much Memory",
            ),
            (
                200,
                r#"{"elements":[],"remark":"runtime error: open64: Dispatcher_Client::request_read_and_idx::rate_limited."}"#,
                "busy",
            ),
            (200, r#"{"elements":[],"remark":"runtime error: something new"}"#, "failing"),
            (200, r#"{"elements":[],"remark":7}"#, "failing"),
            (200, busy_page, "busy"),
            (200, "<html>Moved to a new home</html>", "failing"),
            (200, r#"{"elements":[{"type":"node","id":1,"lat":1.0,"lon":1.0,"tags":{"#, "failing"),
            (200, r#"{"elements":{}}"#, "failing"),
            (200, r#"{"remark":"x"}"#, "failing"),
            (200, "", "failing"),
            (200, "null", "failing"),
            (429, "<html>", "busy"),
            (504, "<html>", "busy"),
            (503, "", "busy"),
            (500, "", "failing"),
            (302, "", "failing"),
            (400, "parse error: ';' expected", "refused"),
            (403, "", "refused"),
            (404, "", "refused"),
        ] {
            assert_eq!(told(status, body), expected, "{status} {body}");
            assert_eq!(is_whole(&reply(status, body.to_owned())), expected.starts_with("whole"), "{status} {body}");
        }
    }

    #[test]
    fn what_the_gateway_says_is_told_apart_too() {
        assert!(matches!(outcome(Err(CallError::TooLarge(1))), Ok(QueryOutcome::TooMuch(Excess::Bytes))));
        assert!(matches!(outcome(Err(CallError::TimedOut(Duration::ZERO))), Ok(QueryOutcome::Failing(_))));
        assert!(matches!(outcome(Err(CallError::Unreachable(String::new()))), Ok(QueryOutcome::Failing(_))));
        let budget = CallError::OverBudget("used up".to_owned());
        assert_eq!(outcome(Err(budget.clone())).unwrap_err(), budget);
        let waiting = Reply { retry_after: Some(Duration::from_secs(7)), ..reply(429, "") };
        assert!(matches!(outcome(Ok(waiting)), Ok(QueryOutcome::Busy(Some(wait))) if wait.as_secs() == 7));
    }

    #[test]
    fn objects_are_read_and_those_without_sense_left_out() {
        let body = r#"{"version":0.6,"generator":"Overpass API","osm3s":{"timestamp_osm_base":"2026-11-02T09:58:00Z"},
            "elements":[
            {"type":"node","id":5,"lat":30.1,"lon":-97.5,"tags":{"shop":"books","name":"Alma","height":3}},
            {"type":"way","id":6,"center":{"lat":30.2,"lon":-97.6},"nodes":"many","tags":{"shop":"books"}},
            {"type":"relation","id":7,"center":{"lat":1,"lon":2},"tags":{"shop":"books"}},
            {"type":"node","id":8,"lat":30.1,"lon":-97.5,"center":"here","tags":{"shop":"books"}},
            {"type":"node","id":"9","lat":30.1,"lon":-97.5,"tags":{"shop":"books"}},
            {"type":"node","id":10,"lat":"30.1","lon":-97.5,"tags":{"shop":"books"}},
            {"type":"node","id":11,"lat":30.1,"lon":-97.5,"tags":["shop"]},
            {"type":"node","id":12,"lat":99.1,"lon":-97.5,"tags":{"shop":"books"}},
            {"type":"node","id":-1,"lat":30.1,"lon":-97.5,"tags":{"shop":"books"}},
            {"type":"way","id":13,"tags":{"shop":"books"}},
            {"type":"area","id":14,"lat":30.1,"lon":-97.5,"tags":{"shop":"books"}},
            {"type":"node","id":15,"lat":30.1,"lon":-97.5},
            null, 7, [], "node"
            ]}"#;
        let QueryOutcome::Whole(document) = read(body.as_bytes()) else { panic!("a whole answer") };
        let ids: Vec<String> = document.objects.iter().map(|object| object.id.to_string()).collect();
        assert_eq!(ids, ["n5", "w6", "r7", "n8"]);
        assert_eq!(document.base.as_deref(), Some("2026-11-02T09:58:00Z"));
        let tag = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(document.objects[0].tags, [tag("name", "Alma"), tag("shop", "books")]);
        assert_eq!(document.objects[1].point, Point { latitude: 30.2, longitude: -97.6 });
    }

    /// JSON that resembles an answer.
    fn values() -> impl Strategy<Value = serde_json::Value> {
        let keys = "type|id|lat|lon|center|tags|elements|remark|osm3s|name|timestamp_osm_base";
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            any::<f64>().prop_map(Into::into),
            "node|way|relation|runtime error: .{0,9}|.{0,9}".prop_map(Into::into),
        ];
        leaf.prop_recursive(6, 64, 8, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..8).prop_map(Into::into),
                prop::collection::hash_map(keys, inner, 0..8)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_answer_is_survived(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            value in values(),
            elements in prop::collection::vec(values(), 0..8),
        ) {
            let envelope = serde_json::json!({ "elements": elements });
            for body in [bytes, value.to_string().into_bytes(), envelope.to_string().into_bytes()] {
                let reply = reply(200, body);
                let _ = (is_whole(&reply), outcome(Ok(reply)));
            }
        }
    }
}
