//! Requests damaged at random: bodies, queries, paths and headers that no client means to send. `FUZZ_SECONDS=600` goes on for as
//! long, from another start each time that `FUZZ_SEED` changes.

mod mutate;

use std::time::{Duration, Instant};

use canvass::account::{self, Account};
use http::Method;
use http::header::{CONTENT_TYPE, HeaderName};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{On, TestApp};
use mutate::{damaged_json, damaged_text};

/// Requests on each database unless a time is set.
const REQUESTS: u64 = 300;
/// How long a server may take for one of them. Streams are not read.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(60);

/// A request that is answered well, to start from.
struct Sound {
    method: Method,
    path: String,
    body: Option<Value>,
}

/// One request for every operation that takes a body, and for those that take much else.
async fn sound_requests(test: &TestApp, key: &str) -> Vec<Sound> {
    let wish = json!({"industry": "plumber", "location": "Austin, TX", "requested_count": 2});
    let search = test.start(key, wish).await;
    test.work().await;
    let lead = test.leads(key, &search).await[0]["lead_id"].as_str().unwrap().to_owned();
    let wish = json!({
        "industry": "plumber", "location": "Austin, TX", "requested_count": 25, "scope": "city", "radius_miles": 10, "notify": false,
        "filters": {"min_rating": 3.5, "max_rating": 5, "min_reviews": 1, "max_reviews": 500, "has_website": true, "has_phone": true,
                    "has_email": false, "skip_owned": true},
    });
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                      "params": {"name": "search_leads", "arguments": {"industry": "plumber", "location": "Austin, TX", "count": 5}}});
    let post = |path: &str, body: Value| Sound { method: Method::POST, path: path.to_owned(), body: Some(body) };
    let put = |path: &str, body: Value| Sound { method: Method::PUT, path: path.to_owned(), body: Some(body) };
    let get = |path: String| Sound { method: Method::GET, path, body: None };
    vec![
        post("/search/start", wish.clone()),
        post("/searches", wish.clone()),
        post("/search", wish),
        post("/mcp", call),
        post("/radar/watch", json!({"lead_id": lead, "fields": ["platform", "phone"]})),
        post(&format!("/searches/{search}/enrich"), json!({"lead_ids": [lead], "limit": 1})),
        post(
            &format!("/searches/{search}/selection-export"),
            json!({"lead_ids": [lead], "channel": "email", "bom": true}),
        ),
        put(&format!("/leads/{lead}/mark"), json!({"status": "contacted", "note": "Called", "tags": ["warm"]})),
        put("/me/ai-key", json!({"provider": "openai", "key": "sk-not-a-real-key-0123456789"})),
        post("/account/sign-in", json!({"email": "ann@example.com", "password": "correct horse battery staple"})),
        post("/account/forgot", json!({"email": "ann@example.com"})),
        post("/account/link", json!({"token": "abcdefghijklmnopqrstuvwxyz"})),
        get(format!(
            "/searches/{search}/leads?min_score=10&sort=score&has_ad_pixel=true&platform=wordpress&limit=5&offset=1"
        )),
        get(format!("/searches/{search}/campaign-export?channel=email&preset=instantly&bom=true")),
        get("/search/quote?industry=plumber&location=Austin,%20TX&requested_count=25&min_rating=3.5".to_owned()),
        get("/searches?status=done&since=2026-01-01T00:00:00Z&limit=5".to_owned()),
        get("/credits?limit=5&before=10".to_owned()),
        get("/leads?q=plumber&limit=5".to_owned()),
        get("/area?location=Austin,%20TX&scope=city&radius_miles=5".to_owned()),
        get("/suggest/places?q=aus&limit=5".to_owned()),
        get("/radar/alerts?since=2026-01-01T00:00:00Z&limit=5".to_owned()),
        get("/usage?days=30".to_owned()),
    ]
}

#[expect(clippy::disallowed_methods, reason = "a test has no settings")]
fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Sends a damaged form of a request. Returns what is wrong with its answer.
async fn send_damaged(test: &TestApp, key: &str, sound: &Sound, random: &mut StdRng) -> Result<(), String> {
    let path = if random.random_bool(0.3) { damaged_text(&sound.path, random) } else { sound.path.clone() };
    // What no client can send says nothing about the server.
    if url::Url::parse(&format!("{}{path}", test.base)).is_err() || !path.starts_with('/') {
        return Ok(());
    }
    let mut request = test.request(sound.method.clone(), &path).header("X-API-Key", key).timeout(ANSWER_TIME_MAX);
    let mut told = format!("{} {path}", sound.method);
    if let Some(body) = &sound.body {
        let bytes = damaged_json(body, random);
        told = format!("{told} {}", String::from_utf8_lossy(&bytes));
        let kind = if random.random_bool(0.95) { "application/json" } else { "text/plain" };
        request = request.header(CONTENT_TYPE, kind).body(bytes);
        if sound.path == "/mcp" {
            request = request.header("Accept", "application/json, text/event-stream");
        }
    }
    for name in ["idempotency-key", "last-event-id", "prefer", "if-none-match", "accept-encoding", "range"] {
        if random.random_bool(0.05) {
            let value = http::HeaderValue::from_bytes(damaged_text("respond-async; 12", random).as_bytes());
            if let Ok(value) = value {
                told = format!("{told} {name}: {value:?}");
                request = request.header(HeaderName::from_static(name), value);
            }
        }
    }
    let response = match request.send().await {
        Ok(response) => response,
        Err(error) if error.is_builder() => return Ok(()),
        Err(error) => return Err(format!("{told}: no answer: {error:?}")),
    };
    let status = response.status();
    if status.is_server_error() {
        return Err(format!("{told}: {status} {}", response.text().await.unwrap_or_default()));
    }
    let is_problem = status.is_client_error() && sound.path != "/mcp";
    let is_stream = response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
    if is_stream || !is_problem {
        return Ok(());
    }
    let text = response.text().await.map_err(|error| format!("{told}: {error}"))?;
    let answer: Value = serde_json::from_str(&text).map_err(|_| format!("{told}: {status}, but not JSON: {text}"))?;
    let says_what = answer["detail"].as_str().is_some_and(|detail| !detail.is_empty());
    let is_whole =
        answer["status"] == status.as_u16() && answer["code"].is_string() && answer["request_id"].is_string();
    if says_what && is_whole { Ok(()) } else { Err(format!("{told}: not a problem as documented: {text}")) }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_request_is_answered_and_changes_nothing_it_should_not(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (bystander, _) = test.whole_account(7).await;
    let (account, key) = test.whole_account(50).await;
    let sound = sound_requests(&test, &key).await;
    let seed = variable("FUZZ_SEED").unwrap_or(19);
    let mut random = StdRng::seed_from_u64(seed);
    let end = variable("FUZZ_SECONDS").map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut sent = 0;
    while end.map_or(sent < REQUESTS, |end| Instant::now() < end) {
        let from = &sound[random.random_range(0..sound.len())];
        if let Err(wrong) = send_damaged(&test, &key, from, &mut random).await {
            panic!("seed {seed}, request {sent}: {wrong}");
        }
        sent += 1;
    }
    eprintln!("{sent} damaged requests");
    test.work().await;
    let now = account::find(&test.app.db, account.id).await.unwrap().unwrap();
    assert!(now.credits >= 0);
    assert!(canvass::credits::audit(&test.app.db).await.unwrap().is_empty());
    unchanged(&test, &bystander).await;
}

/// Nothing that one account sends reaches another.
async fn unchanged(test: &TestApp, bystander: &Account) {
    let now = account::find(&test.app.db, bystander.id).await.unwrap().unwrap();
    assert_eq!(&now, bystander);
}
