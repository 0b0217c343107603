//! Server-sent events: their order, their bytes, coming back, going away, and reading too slowly.

use std::sync::Arc;

use futures::StreamExt;
use http::{Method, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::{On, Scripted, TestApp, send};

/// One event as it came.
#[derive(Clone, Debug, PartialEq)]
struct Event {
    id: i64,
    name: String,
    data: String,
}

impl Event {
    fn json(&self) -> Value {
        serde_json::from_str(&self.data).unwrap()
    }
}

/// The events of a stream's text. Comments and the retry line are no events.
fn events(text: &str) -> Vec<Event> {
    let mut events = Vec::new();
    for block in text.split("\n\n").filter(|block| block.contains("event: ")) {
        let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).unwrap().to_owned();
        events.push(Event { id: field("id: ").parse().unwrap(), name: field("event: "), data: field("data: ") });
    }
    events
}

fn body(count: i64) -> Value {
    json!({"industry": "plumber", "location": "Plainville, Sandbox", "requested_count": count})
}

fn names(events: &[Event]) -> Vec<&str> {
    events.iter().map(|event| event.name.as_str()).collect()
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_stream_tells_the_search_from_its_start_to_its_end(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (_, key) = test.whole_account(100).await;
    let request = test.request(Method::POST, "/search").header("X-API-Key", &key).json(&body(20));
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "text/event-stream; charset=utf-8");
    assert_eq!(header("cache-control"), "no-cache, no-transform");
    assert_eq!(header("x-accel-buffering"), "no");
    let _worker = test.worker();
    let text = response.text().await.unwrap();
    assert!(text.starts_with("retry: 3000\nid: 0\nevent: search_started\ndata: {"), "{text}");
    assert_eq!(text.matches("retry:").count(), 1, "{text}");
    let blocks = text.split("\n\n").filter(|block| !block.is_empty() && !block.starts_with(':'));
    assert!(blocks.clone().all(|block| block.contains("\ndata: ")), "no block without an event: {text}");
    let events = events(&text);
    assert_eq!(events.iter().map(|event| event.id).collect::<Vec<_>>(), (0..=21).collect::<Vec<_>>());
    assert_eq!(names(&events)[..2], ["search_started", "lead"]);
    assert_eq!(names(&events)[20..], ["lead", "search_done"]);

    let started = events[0].json();
    let id = started["search_id"].as_str().unwrap();
    assert_eq!(
        started,
        json!({"search_id": id, "industry": "plumber", "location": "Plainville, Sandbox",
        "requested": 20, "status": "running", "poll": format!("/searches/{id}")})
    );
    assert_eq!(events[21].json(), test.search(&key, id).await);
    let sent: Vec<&str> = events[1..21].iter().map(|event| event.data.as_str()).collect();
    let listed = test.get(&format!("/searches/{id}/leads?sort=delivered"), &key).await.text;
    assert_eq!(format!("[{}]", sent.join(",")), listed, "byte for byte what /leads gives");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn whoever_comes_back_goes_on_where_they_were(#[case] on: On) {
    let (scripted, gate) = Scripted::of(50).gated();
    let test = TestApp::listing(on, Arc::new(scripted)).await;
    let (_, key) = test.whole_account(100).await;
    let id = test.start(&key, body(30)).await;
    let path = format!("/searches/{id}/events");
    let working = tokio::spawn({
        let app = test.app.clone();
        async move { canvass::work::until_idle(&app).await.unwrap() }
    });
    gate.add_permits(12);
    test.until(&key, &id, |search| search["leads_found"] == 12).await;

    let mut first = test.request(Method::GET, &path).header("X-API-Key", &key).send().await.unwrap();
    let mut seen = String::new();
    while events(&seen).len() < 8 {
        seen.push_str(std::str::from_utf8(&first.chunk().await.unwrap().unwrap()).unwrap());
    }
    drop(first);
    let seen: Vec<Event> = events(&seen).into_iter().take(8).collect();
    let follow = async |last: i64| {
        let request = test.request(Method::GET, &path).header("X-API-Key", &key);
        send(request.header("Last-Event-ID", last.to_string())).await
    };
    let rest = futures::join!(follow(seen[7].id), async { gate.add_permits(100) }).0;
    let rest = events(&rest.text);
    working.await.unwrap();
    let whole = events(&test.get(&path, &key).await.text);
    assert_eq!([seen, rest].concat(), whole, "mid-search: nothing lost, nothing twice");
    assert_eq!((whole.len(), whole[31].name.as_str()), (32, "search_done"));

    assert_eq!(events(&follow(20).await.text), whole[21..], "after the end too");
    assert_eq!(names(&events(&follow(30).await.text)), ["search_done"]);
    assert_eq!(follow(31).await.status, StatusCode::NO_CONTENT, "and then a client is told to stay away");
    let by_query = test.get(&format!("{path}?last_event_id=20"), &key).await;
    assert_eq!(events(&by_query.text), whole[21..]);
    for wrong in ["-1", "x", "1.5"] {
        let request = test.request(Method::GET, &path).header("X-API-Key", &key).header("Last-Event-ID", wrong);
        assert_eq!(send(request).await.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_client_that_goes_away_stops_nothing(#[case] on: On) {
    let test = TestApp::listing(on, Arc::new(Scripted::of(40))).await;
    let (account, key) = test.whole_account(100).await;
    let request = test.request(Method::POST, "/search").header("X-API-Key", &key).json(&body(40));
    let mut response = request.send().await.unwrap();
    response.chunk().await.unwrap();
    drop(response);
    test.work().await;
    let searches = test.get("/searches", &key).await.json();
    assert_eq!((&searches[0]["status"], &searches[0]["leads_found"]), (&json!("done"), &json!(40)));
    test.ledger_in_step(&account, 40).await;
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_stream_sent_twice_under_one_key_follows_one_search(#[case] on: On) {
    let test = TestApp::listing(on, Arc::new(Scripted::of(9))).await;
    let (account, key) = test.whole_account(100).await;
    let ask = async |body: Value| {
        let request = test.request(Method::POST, "/search").header("X-API-Key", &key).header("Idempotency-Key", "k");
        send(request.json(&body)).await
    };
    let _worker = test.worker();
    let (first, again) = (ask(body(9)).await, ask(body(9)).await);
    assert_eq!(events(&first.text), events(&again.text));
    assert_eq!(again.header("idempotent-replayed"), "true");
    test.ledger_in_step(&account, 9).await;
    let other = ask(body(3)).await;
    assert_eq!((other.status, other.code().as_str()), (StatusCode::UNPROCESSABLE_ENTITY, "idempotency_key_reused"));
    let resume = async |last: &str, with_key: bool| {
        let request = test.request(Method::POST, "/search").header("X-API-Key", &key).header("Last-Event-ID", last);
        let request = if with_key { request.header("Idempotency-Key", "k") } else { request };
        send(request.json(&body(9))).await
    };
    assert_eq!(events(&resume("4", true).await.text), events(&first.text)[5..], "a client that reconnects by itself");
    assert_eq!(resume("10", true).await.status, StatusCode::NO_CONTENT);
    let unclear = resume("4", false).await;
    assert_eq!(unclear.status, StatusCode::UNPROCESSABLE_ENTITY, "it must not start a second search");
    assert_eq!(unclear.json()["errors"][0]["field"], "Last-Event-ID");
    test.ledger_in_step(&account, 9).await;
    let wrong = test.post("/search", &key, &json!({"industry": "plumber"})).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY, "an error before the first event is an ordinary one");
}

#[tokio::test]
async fn a_stream_may_follow_other_requests_on_its_connection_and_ends_it() {
    let test = TestApp::listing(On::Sqlite, Arc::new(Scripted::of(3))).await;
    let (_, key) = test.whole_account(100).await;
    let id = test.start(&key, body(3)).await;
    test.work().await;
    let address = test.base.trim_start_matches("http://");
    for version in ["1.1", "1.0"] {
        let mut socket = TcpStream::connect(address).await.unwrap();
        let ask = |path: &str| format!("GET {path} HTTP/{version}\r\nHost: localhost\r\nX-API-Key: {key}\r\n\r\n");
        // Both at once: the answer to the first must not be lost when the second takes the connection over.
        let both = if version == "1.1" { ask("/me") } else { String::new() } + &ask(&format!("/searches/{id}/events"));
        socket.write_all(both.as_bytes()).await.unwrap();
        let mut text = String::new();
        socket.read_to_string(&mut text).await.unwrap();
        assert_eq!(text.matches("200 OK\r\n").count(), both.matches("GET ").count(), "{text}");
        assert_eq!(text.matches("event: lead\n").count(), 3, "{text}");
        let stream = &text[text.rfind("HTTP/1.").unwrap()..];
        let (head, rest) = stream.split_once("\r\n\r\n").unwrap();
        let head = head.to_lowercase();
        assert!(head.contains("\r\ndate: ") && head.contains("\r\nx-request-id: "), "{head}");
        assert_eq!(head.contains("transfer-encoding: chunked"), version == "1.1", "{head}");
        assert_eq!(
            rest.ends_with("\r\n0\r\n\r\n"),
            version == "1.1",
            "the end is told, so that breaking off can be told from it"
        );
    }
}

#[tokio::test]
async fn a_client_that_leaves_a_waiting_stream_gives_its_connection_back() {
    let (scripted, _gate) = Scripted::of(3).gated();
    let test = TestApp::listing(On::Sqlite, Arc::new(scripted)).await;
    let (_, key) = test.whole_account(100).await;
    let id = test.start(&key, body(3)).await;
    let mut streams = Vec::new();
    for _ in 0..10 {
        let mut socket = TcpStream::connect(test.base.trim_start_matches("http://")).await.unwrap();
        let head = format!("GET /searches/{id}/events HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {key}\r\n\r\n");
        socket.write_all(head.as_bytes()).await.unwrap();
        let mut start = [0; 15];
        socket.read_exact(&mut start).await.unwrap();
        streams.push(socket);
    }
    let keyed = || test.edge.connections.count().0;
    assert!(keyed() >= 10);
    drop(streams);
    let begun = std::time::Instant::now();
    while keyed() > 2 {
        assert!(begun.elapsed() < std::time::Duration::from_secs(20), "{} are still open", keyed());
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_streams_and_some_that_never_read_are_served() {
    let (scripted, gate) = Scripted::of(600).gated();
    let test = TestApp::listing(On::Sqlite, Arc::new(scripted)).await;
    let (account, key) = test.whole_account(1_000).await;
    let id = test.start(&key, body(600)).await;
    let path = format!("/searches/{id}/events");
    let working = tokio::spawn({
        let app = test.app.clone();
        async move { canvass::work::until_idle(&app).await.unwrap() }
    });
    let open = async || test.request(Method::GET, &path).header("X-API-Key", &key).send().await.unwrap();
    let mut idle = Vec::new();
    for _ in 0..20 {
        idle.push(open().await);
    }
    let reading = futures::stream::iter(0..1_000).map(|_| async {
        let mut stream = open().await.bytes_stream();
        let (mut leads, mut done, mut tail) = (0, false, Vec::new());
        while let Some(piece) = stream.next().await {
            tail.extend_from_slice(&piece.unwrap());
            let text = String::from_utf8_lossy(&tail).into_owned();
            leads += text.matches("event: lead\n").count();
            done |= text.contains("event: search_done\n");
            // What may be the beginning of a name that the next piece ends.
            tail = text.rsplit_once('\n').map_or_else(|| tail.clone(), |(_, last)| last.as_bytes().to_vec());
        }
        (leads, done)
    });
    let opened = tokio::spawn(async move {
        gate.add_permits(600);
    });
    let counted: Vec<(usize, bool)> = reading.buffer_unordered(1_000).collect().await;
    opened.await.unwrap();
    working.await.unwrap();
    assert_eq!(counted, vec![(600, true); 1_000]);
    test.ledger_in_step(&account, 600).await;
    drop(idle);
}
