//! Traces as a collector receives them: the spans of requests and searches, and in them no secret, no address and no word that a
//! client chose.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::post;
use http::{HeaderMap, Method};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::support::{Binary, client, send};

/// What arrived: headers and protobuf, in which text stands as it is.
type Received = Arc<Mutex<Vec<(HeaderMap, Bytes)>>>;

/// A collector that keeps what it receives, and its address.
async fn collector() -> (Received, String) {
    async fn keep(State(received): State<Received>, headers: HeaderMap, body: Bytes) {
        received.lock().unwrap().push((headers, body));
    }
    let received = Received::default();
    let router = Router::new().route("/v1/traces", post(keep)).with_state(received.clone());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1/traces", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (received, url)
}

fn holds(spans: &[u8], text: &str) -> bool {
    spans.windows(text.len()).any(|part| part == text.as_bytes())
}

/// Sends a key in every place of a request that could end up in a span.
async fn misplace(base: &str, key: &str) {
    let http = client();
    let get = |path: String| http.request(Method::GET, format!("{base}{path}"));
    let method = Method::from_bytes(key.as_bytes()).unwrap();
    send(http.request(method, format!("{base}/me"))).await;
    send(get("/me".into()).header("X-API-Key", key)).await;
    send(get("/me".into()).header("X-Request-Id", key)).await;
    send(get("/me".into()).header("X-Request-Id", "joe.at.example.com")).await;
    send(get("/me".into()).header("User-Agent", key).header("Referer", format!("http://x/?k={key}"))).await;
    send(
        get("/me".into()).header("traceparent", format!("00-{key}-{key}-01")).header("tracestate", format!("a={key}")),
    )
    .await;
    send(get("/me".into()).header("baggage", format!("key={key}"))).await;
    send(get(format!("/me?api_key={key}&{key}=1"))).await;
    send(get(format!("/{key}/{key}"))).await;
    send(get(format!("/mcp/{key}"))).await;
    send(get(format!("/searches/{key}")).header("X-API-Key", key)).await;
    send(http.request(Method::POST, format!("{base}/search/start")).json(&json!({ "industry": key }))).await;
}

/// Runs a search to its end, and gives its leads.
async fn search(base: &str, key: &str) -> Value {
    let http = client();
    let body =
        json!({"industry": "dentist", "location": "Austin, TX", "requested_count": 5, "filters": {"has_email": true}});
    let start = http.request(Method::POST, format!("{base}/search/start")).header("X-API-Key", key).json(&body);
    let id = send(start).await.json()["search_id"].as_str().unwrap().to_owned();
    let get = |path: String| http.request(Method::GET, format!("{base}{path}")).header("X-API-Key", key);
    send(get(format!("/searches/{id}/events"))).await;
    send(get(format!("/searches/{id}/leads"))).await.json()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_receives_spans_and_no_secret_in_any_form() {
    let (received, url) = collector().await;
    let binary = Binary::new().set("CANVASS_TRACES_URL", &url).set("CANVASS_LOG", "trace");
    let binary = binary.set("CANVASS_TRACES_HEADERS", "Authorization=Bearer for-the-collector");
    let served = binary.serve();
    let (base, key) = (served.base().to_owned(), served.key().to_owned());
    misplace(&base, &key).await;
    let leads = search(&base, &key).await;
    let (well, log) = served.stop();
    assert!(well, "{log}");
    assert!(!log.contains("for-the-collector"), "a header for the collector is in the log");

    let received = received.lock().unwrap();
    assert!(received.iter().all(|(headers, _)| headers["authorization"] == "Bearer for-the-collector"));
    let spans: Vec<u8> = received.iter().flat_map(|(_, body)| body.to_vec()).collect();
    for expected in [
        "GET /me",
        "other /me",
        "GET unmatched",
        "POST /search/start",
        "GET /searches/{search_id}/leads",
        "http.response.status_code",
        "search.outcome",
        "ended",
        "website",
        "site.status",
        "service.version",
    ] {
        assert!(holds(&spans, expected), "no {expected:?} in {} bytes", spans.len());
    }
    let random = &key[8..40];
    let coded: String = random.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let emails = leads.as_array().unwrap().iter().filter_map(|lead| lead["primary_email"].as_str());
    let names = leads.as_array().unwrap().iter().filter_map(|lead| lead["business_name"].as_str());
    let emails: Vec<&str> = emails.collect();
    assert!(!emails.is_empty(), "{leads}");
    for secret in [random, &coded, "joe.at.example.com", "dentist", "Austin"].into_iter().chain(emails).chain(names) {
        assert!(!holds(&spans, secret), "{secret:?} is in the traces");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_is_down_harms_nobody_and_is_reported_once() {
    let binary = Binary::new().set("CANVASS_TRACES_URL", "http://127.0.0.1:9/v1/traces");
    let served = binary.serve();
    let leads = search(served.base(), served.key()).await;
    assert_eq!(leads.as_array().unwrap().len(), 5);
    let (well, log) = served.stop();
    assert!(well, "{log}");
    assert_eq!(log.matches("traces cannot be sent").count(), 1, "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_collector_none_are_made() {
    let binary = Binary::new().set("CANVASS_TRACES_SHARE", "0.5");
    let served = binary.serve();
    let leads = search(served.base(), served.key()).await;
    assert_eq!(leads.as_array().map(Vec::len), Some(5), "{leads}");
    let (well, log) = served.stop();
    assert!(well && !log.contains("traces"), "{log}");
}
