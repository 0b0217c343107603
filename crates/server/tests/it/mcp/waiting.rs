//! Waiting for a search: told of progress, at little cost, and over when the client goes away.

use std::sync::Arc;

use canvass::db::statements;
use canvass::ids::SearchId;
use http::StatusCode;
use rstest::rstest;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::support::{Mcp, On, Scripted, TestApp, rpc, send};

/// Assistants that wait at once.
const WAITING: usize = 200;

/// An application whose search delivers a lead for each permit.
async fn gated(on: On, listings: usize) -> (TestApp, String, Arc<Semaphore>, String) {
    let (scripted, gate) = Scripted::of(listings).gated();
    let test = TestApp::listing(on, Arc::new(scripted)).await;
    let (_, key) = test.whole_account(100).await;
    let body = json!({"industry": "plumber", "location": "Plainville, Sandbox", "requested_count": listings});
    let id = test.start(&key, body).await;
    (test, key, gate, id)
}

fn waiting_call(search: &str, token: Option<&str>) -> Value {
    let mut message = rpc(
        "tools/call",
        &json!({"name": "wait_for_search", "arguments": {"search_id": search, "timeout_seconds": 45}}),
    );
    if let Some(token) = token {
        message["params"]["_meta"] = json!({ "progressToken": token });
    }
    message
}

/// The messages of a stream, as far as it came.
fn messages(text: &str) -> Vec<Value> {
    text.lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str(data).unwrap())
        .collect()
}

/// Reads a stream until it holds a text.
async fn read_until(response: &mut reqwest::Response, wanted: &str) -> String {
    let mut seen = String::new();
    while !seen.contains(wanted) {
        let chunk = response.chunk().await.unwrap().unwrap_or_else(|| panic!("it ended without {wanted}: {seen}"));
        seen.push_str(std::str::from_utf8(&chunk).unwrap());
    }
    seen
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn whoever_asks_is_told_of_progress_and_of_the_end(#[case] on: On) {
    let (test, key, gate, id) = gated(on, 3).await;
    let _worker = test.worker();
    let mcp = Mcp::new(&test, &key);
    let mut response = mcp.request(&waiting_call(&id, Some("p"))).send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut text = read_until(&mut response, "0 of 3 leads found").await;
    gate.add_permits(2);
    text += &read_until(&mut response, "2 of 3 leads found").await;
    gate.add_permits(1);
    text += &response.text().await.unwrap();
    let messages = messages(&text);
    let (last, progress) = messages.split_last().unwrap();
    assert_eq!(last["result"]["structuredContent"]["status"], "done", "{last}");
    let told: Vec<f64> = progress.iter().map(|one| one["params"]["progress"].as_f64().unwrap()).collect();
    assert!(told.is_sorted_by(|one, next| one < next), "{told:?}");
    for one in progress {
        assert_eq!((&one["method"], &one["params"]["progressToken"]), (&json!("notifications/progress"), &json!("p")));
        assert_eq!(one["params"]["total"].as_f64(), Some(3.0));
    }
}

#[tokio::test]
async fn a_client_that_takes_no_stream_gets_none() {
    let (test, key, gate, id) = gated(On::Sqlite, 2).await;
    let _worker = test.worker();
    gate.add_permits(2);
    let request = test.request(http::Method::POST, &format!("/mcp/{key}")).header("Accept", "application/json");
    let answer = send(request.json(&waiting_call(&id, Some("p")))).await;
    assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, "application/json"));
    assert_eq!(answer.json()["result"]["structuredContent"]["status"], "done");
}

#[tokio::test]
async fn when_the_time_is_up_the_answer_says_what_to_do() {
    let (test, key, _gate, id) = gated(On::Sqlite, 2).await;
    let mcp = Mcp::new(&test, &key);
    for seconds in [0, 1] {
        let running = mcp.call("wait_for_search", json!({"search_id": id, "timeout_seconds": seconds})).await;
        assert_eq!(running["status"], "running");
        assert!(running["next_step"].as_str().unwrap().contains("call wait_for_search"), "{running}");
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn two_hundred_who_wait_cost_little_and_stop_nothing_when_they_go(#[case] on: On) {
    let (test, key, gate, id) = gated(on, 10).await;
    let search = SearchId::parse(&id).unwrap();
    let listeners = || test.app.bell.listeners_of(search);
    let mut streams = Vec::new();
    let mut silent = Vec::new();
    for number in 0..WAITING {
        let request = Mcp::new(&test, &key).request(&waiting_call(&id, (number % 2 == 0).then_some("p")));
        let sending = tokio::spawn(request.send());
        if number % 2 == 0 { streams.push(sending) } else { silent.push(sending) }
    }
    until(|| listeners() == WAITING).await;
    // It listens too, to hear of a stop.
    let _worker = test.worker();
    until(|| listeners() == WAITING + 1).await;
    let mut responses = Vec::new();
    for stream in streams {
        responses.push(stream.await.unwrap().unwrap());
    }

    let before = statements();
    gate.add_permits(1);
    for response in &mut responses {
        read_until(response, "1 of 10 leads found").await;
    }
    let cost = statements() - before;
    assert!(cost < WAITING as u64 / 2, "{cost} statements to tell {WAITING} who wait of one lead");
    assert_eq!(listeners(), WAITING + 1);

    drop(responses);
    for one in &silent {
        one.abort();
    }
    until(|| listeners() == 1).await;
    gate.add_permits(9);
    let ended = test.until(&key, &id, |search| search["status"] != "running").await;
    assert_eq!((&ended["status"], &ended["leads_found"]), (&json!("done"), &json!(10)), "the search went on");
}

/// Waits for a condition that other tasks bring about.
async fn until(wanted: impl Fn() -> bool) {
    while !wanted() {
        tokio::task::yield_now().await;
    }
}
