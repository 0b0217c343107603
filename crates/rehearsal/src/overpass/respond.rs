//! Answers requests, with whatever is to go wrong.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use bytes::Bytes;
use futures::stream;
use http::StatusCode;
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use serde_json::{Value, json};
use url::form_urlencoded;

use super::objects::{self, Object};
use super::query::Query;
use super::{Inner, QueryFault, RequestKind, StatusPage};

const TOO_BUSY: &str = "<html><body><p><strong>Error</strong>: runtime error: open64: 0 Success /osm3s_osm_base \
    Dispatcher_Client::request_read_and_idx::timeout. The server is probably too busy to handle your request.</p></body></html>";
const RATE_LIMITED: &str = "<html><body><p><strong>Error</strong>: runtime error: open64: 0 Success /osm3s_osm_base \
    Dispatcher_Client::request_read_and_idx::rate_limited. Please check /api/status for the quota of your IP address.</p></body></html>";
const TIMED_OUT: &str = "runtime error: Query timed out in \"query\" at line 3 after 61 seconds.";
const OUT_OF_MEMORY: &str = "runtime error: Query run out of memory using about 256 MB of RAM.";
/// Bytes of a huge answer.
const HUGE_BYTES: usize = 50 * 1024 * 1024;
const FILLER: &str = "{\"type\":\"node\",\"id\":1,\"lat\":0.5,\"lon\":0.5,\"tags\":{\"note\":\"filler\"}},";

/// `/api/status`: how many slots are free.
pub(super) async fn status(State(inner): State<Arc<Inner>>) -> Response {
    let mut entry = inner.begin(RequestKind::Status, String::new());
    if is_outage(&inner, entry.number) {
        return disconnected(Bytes::new());
    }
    let response = match inner.options.status {
        StatusPage::Right => plain(&status_page(&inner)),
        StatusPage::Unlimited => plain(
            "Connected as: 1\nRate limit: 0\nCurrently running queries (pid, space limit, time limit, start time):\n",
        ),
        StatusPage::Lying => plain(
            "Connected as: 1\nRate limit: 9\n9 slots available now.\nCurrently running queries (pid, space limit, time limit, start time):\n",
        ),
        StatusPage::Missing => empty(404),
        StatusPage::Garbled => page(200, "<html>Welcome</html>"),
    };
    entry.status = response.status().as_u16();
    response
}

/// `/api/interpreter`: runs a query.
pub(super) async fn query(State(inner): State<Arc<Inner>>, RawQuery(address): RawQuery, body: Bytes) -> Response {
    let form = if body.is_empty() { address.unwrap_or_default().into_bytes() } else { body.to_vec() };
    let text = form_urlencoded::parse(&form).find(|(name, _)| name == "data").map(|(_, value)| value.into_owned());
    let text = text.unwrap_or_default();
    let mut entry = inner.begin(RequestKind::Query, text.clone());
    if is_outage(&inner, entry.number) {
        return disconnected(Bytes::new());
    }
    let response = match inner.slots.take() {
        None => page(429, RATE_LIMITED),
        Some(slot) => {
            tokio::time::sleep(inner.options.work).await;
            let fault = inner.options.faults.get(&entry.queries).or(inner.options.every_query.as_ref());
            let response = run(&inner, &text, fault).await;
            drop(slot);
            response
        }
    };
    entry.status = response.status().as_u16();
    response
}

fn is_outage(inner: &Inner, number: usize) -> bool {
    inner.options.outage_from.is_some_and(|from| number as u64 >= from)
}

async fn run(inner: &Inner, text: &str, fault: Option<&QueryFault>) -> Response {
    match fault {
        Some(QueryFault::TooManyRequests(after)) => return too_many(*after),
        Some(QueryFault::TooBusy) => return page(504, TOO_BUSY),
        Some(QueryFault::Remark(remark)) => return answer(&[], Some(remark)),
        Some(QueryFault::Page) => return page(200, "<html><body>This server has moved.</body></html>"),
        Some(QueryFault::Status(status)) => return empty(*status),
        Some(QueryFault::Huge) => return huge(),
        Some(QueryFault::Slow(pause)) => tokio::time::sleep(*pause).await,
        _ => {}
    }
    let query = match Query::read(text) {
        Ok(query) => query,
        Err(error) => return page(400, &format!("<html><body>Error: parse error: {}</body></html>", error.0)),
    };
    let side = query.boxes().map(|one| (one.north - one.south).max(one.east - one.west)).fold(0.0, f64::max);
    if inner.options.side_degrees_max.is_some_and(|most| side > most) {
        return answer(&[], Some(TIMED_OUT));
    }
    let mut found = objects::results(&inner.world, &query, &inner.options.extra, inner.options.sites_port);
    if inner.options.results_max.is_some_and(|most| found.len() > most) {
        return answer(&[], Some(OUT_OF_MEMORY));
    }
    if fault == Some(&QueryFault::Vanished) && !found.is_empty() {
        found.remove(0);
    }
    if fault == Some(&QueryFault::Changed) {
        rename_first(&mut found);
    }
    finished(&elements(&found, fault), fault)
}

fn rename_first(found: &mut [Object]) {
    let tags = found.first_mut().map(|object| object.tags.as_mut_slice()).unwrap_or_default();
    tags.iter_mut().filter(|(key, _)| key == "name").for_each(|(_, name)| name.push_str(" (new owner)"));
}

fn elements(found: &[Object], fault: Option<&QueryFault>) -> Vec<Value> {
    let right = found.iter().map(Object::element);
    match fault {
        Some(QueryFault::Doubled) => right.flat_map(|element| [element.clone(), element]).collect(),
        Some(QueryFault::WrongTypes) => {
            let mut all = vec![
                json!(null),
                json!(7),
                json!([[]]),
                json!({ "type": "node" }),
                json!({ "type": 5, "id": {}, "lat": "x", "lon": [], "tags": "none" }),
                json!({ "type": "node", "id": "12", "lat": 1.0, "lon": 1.0, "tags": { "name": "x" } }),
                json!({ "type": "way", "id": 12, "center": [1.0, 1.0], "tags": { "name": "x" } }),
                json!({ "type": "node", "id": 12, "lat": 1e300, "lon": 1.0, "tags": { "name": "x" } }),
            ];
            all.extend(right.map(|mut element| {
                element["nodes"] = json!("many");
                element["tags"]["levels"] = json!(3);
                element["bounds"] = json!(false);
                element
            }));
            all
        }
        _ => right.collect(),
    }
}

/// A whole answer, or one that breaks off.
fn finished(elements: &[Value], fault: Option<&QueryFault>) -> Response {
    let text = document(elements, None);
    let half = Bytes::copy_from_slice(&text.as_bytes()[..text.len() / 2]);
    match fault {
        Some(QueryFault::Truncated) => json_body(half.into()),
        Some(QueryFault::Disconnected) => disconnected(half),
        _ => json_body(text.into()),
    }
}

fn answer(elements: &[Value], remark: Option<&str>) -> Response {
    json_body(document(elements, remark).into())
}

fn document(elements: &[Value], remark: Option<&str>) -> String {
    let mut document = json!({
        "version": 0.6,
        "generator": "Overpass API (rehearsal)",
        "osm3s": { "timestamp_osm_base": at(Duration::ZERO), "copyright": "made-up data of the Canvass sandbox" },
        "elements": elements,
    });
    if let Some(remark) = remark {
        document["remark"] = remark.into();
    }
    document.to_string()
}

fn status_page(inner: &Inner) -> String {
    let now = inner.start.elapsed() + CLOCK_AHEAD;
    let counts = inner.slots.counts();
    let mut page = format!(
        "Connected as: 1\nCurrent time: {}\nAnnounced endpoint: none\nRate limit: {}\n",
        at(now),
        inner.options.slots
    );
    if counts.available > 0 {
        page += &format!("{} slots available now.\n", counts.available);
    }
    for wait in counts.cooling {
        // Whole seconds, rounded up: the slot is free after them.
        let seconds = wait.as_millis().div_ceil(1_000);
        page += &format!("Slot available after: {}, in {seconds} seconds.\n", at(now + wait));
    }
    page += "Currently running queries (pid, space limit, time limit, start time):\n";
    for number in 0..counts.running {
        page += &format!("{}\t268435456\t60\t{}\n", 100 + number, at(now));
    }
    page
}

/// How far the server's clock is ahead of its data.
const CLOCK_AHEAD: Duration = Duration::from_secs(180);

/// A time on the server's clock, which starts on a fixed day; after four weeks it starts over.
fn at(since: Duration) -> String {
    let seconds = since.as_secs();
    let (day, hour) = (seconds / 86_400 % 28 + 1, seconds / 3_600 % 24);
    format!("2026-11-{day:02}T{hour:02}:{:02}:{:02}Z", seconds / 60 % 60, seconds % 60)
}

fn huge() -> Response {
    let chunk = Bytes::from(FILLER.repeat(512));
    let count = HUGE_BYTES / chunk.len() + 1;
    let start = Bytes::from_static(b"{\"version\":0.6,\"elements\":[");
    let end = Bytes::from_static(b"null]}");
    let chunks = std::iter::once(start).chain(std::iter::repeat_n(chunk, count)).chain(std::iter::once(end));
    json_body(Body::from_stream(stream::iter(chunks.map(Ok::<Bytes, std::io::Error>))))
}

/// Begins to answer, and breaks the connection.
fn disconnected(first: Bytes) -> Response {
    let broken = Err(std::io::Error::other("the connection breaks"));
    json_body(Body::from_stream(stream::iter([Ok(first), broken])))
}

fn too_many(after: Option<u64>) -> Response {
    let mut response = page(429, RATE_LIMITED);
    if let Some(after) = after {
        response.headers_mut().insert(RETRY_AFTER, after.into());
    }
    response
}

fn json_body(body: Body) -> Response {
    respond(200, "application/json", body)
}

fn plain(text: &str) -> Response {
    respond(200, "text/plain", text.to_owned().into())
}

fn page(status: u16, text: &str) -> Response {
    respond(status, "text/html; charset=utf-8", text.to_owned().into())
}

fn empty(status: u16) -> Response {
    respond(status, "text/plain", Body::empty())
}

fn respond(status: u16, kind: &'static str, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(CONTENT_TYPE, http::HeaderValue::from_static(kind));
    response
}
