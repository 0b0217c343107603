//! What surrounds every request: error shape, limits, headers, and the calm reception of nonsense.

use axum::Router;
use axum::extract::Path;
use axum::routing::{get, post};
use canvass::plan::Tier;
use http::{Method, StatusCode};
use server::edge::body::JsonBody;
use server::edge::caller::{Api, Authorized};
use server::edge::{Edge, Problem};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::support::{More, On, TestApp, send};

/// Routes that stand for those to come: one with a body, one with an id, one that breaks.
fn probes() -> More {
    async fn with_body(_: Authorized<Api>, JsonBody(mut body): JsonBody) -> Result<String, Problem> {
        let industry = body.text("industry", 1..=200).unwrap_or_default();
        let count = body.integer("requested_count", 1..=2500).unwrap_or(25);
        body.finish()?;
        Ok(format!("{industry} {count}"))
    }
    async fn with_id(_: Authorized<Api>, Path(id): Path<String>) -> Result<String, Problem> {
        canvass::ids::AccountId::parse(&id).map(|id| id.to_string()).ok_or_else(Problem::no_such_path)
    }
    async fn broken(_: Authorized<Api>) -> &'static str {
        panic!("as tests wish")
    }
    let keyed = Router::<Edge>::new()
        .route("/probe", post(with_body))
        .route("/probe/{id}", get(with_id))
        .route("/broken", get(broken).post(broken));
    More { keyed, ..More::default() }
}

async fn test_app() -> (TestApp, String) {
    let test = TestApp::with(On::Sqlite, |_| {}, probes()).await;
    let (_, key) = test.account(Tier::Scale, 5).await;
    (test, key)
}

async fn post_body(
    test: &TestApp,
    key: &str,
    kind: Option<&str>,
    body: impl Into<reqwest::Body>,
) -> (StatusCode, String) {
    let mut request = test.request(Method::POST, "/probe").header("X-API-Key", key).body(body);
    if let Some(kind) = kind {
        request = request.header("Content-Type", kind);
    }
    let answer = send(request).await;
    let said = if answer.status.is_success() { answer.text.clone() } else { answer.code() };
    (answer.status, said)
}

#[tokio::test]
async fn bodies_are_bounded_and_read_with_care() {
    let (test, key) = test_app().await;
    let json = Some("application/json");
    let check = async |kind, body: Vec<u8>, status, said: &str| {
        let found = post_body(&test, &key, kind, body.clone()).await;
        assert_eq!(found, (status, said.to_owned()), "{}", String::from_utf8_lossy(&body[..body.len().min(80)]));
    };
    check(json, br#"{"industry": "roofer"}"#.into(), StatusCode::OK, "roofer 25").await;
    check(Some("application/json; charset=utf-8"), b"{}".into(), StatusCode::OK, " 25").await;
    check(None, b"".into(), StatusCode::OK, " 25").await;
    check(json, b"{".into(), StatusCode::BAD_REQUEST, "malformed_json").await;
    check(json, b"\xff\xfe{}".into(), StatusCode::BAD_REQUEST, "malformed_json").await;
    check(json, "[".repeat(100_000).into(), StatusCode::BAD_REQUEST, "malformed_json").await;
    check(json, b"[]".into(), StatusCode::UNPROCESSABLE_ENTITY, "not_an_object").await;
    check(json, b"null".into(), StatusCode::UNPROCESSABLE_ENTITY, "not_an_object").await;
    check(Some("text/plain"), b"{}".into(), StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json").await;
    check(None, b"{}".into(), StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json").await;
    check(json, br#"{"industry": "a\u0000b"}"#.into(), StatusCode::UNPROCESSABLE_ENTITY, "invalid_fields").await;
    check(json, br#"{"industri": "a"}"#.into(), StatusCode::UNPROCESSABLE_ENTITY, "invalid_fields").await;
    check(json, vec![b' '; 3 * 1024 * 1024], StatusCode::PAYLOAD_TOO_LARGE, "body_too_large").await;
    check(json, vec![b' '; 1024 * 1024 + 1], StatusCode::PAYLOAD_TOO_LARGE, "body_too_large").await;
}

#[tokio::test]
async fn a_body_without_a_length_is_bounded_too() {
    let (test, key) = test_app().await;
    let chunks = futures::stream::iter((0..40).map(|_| Ok::<_, std::io::Error>(vec![b' '; 100_000])));
    let found = post_body(&test, &key, Some("application/json"), reqwest::Body::wrap_stream(chunks)).await;
    assert_eq!(found, (StatusCode::PAYLOAD_TOO_LARGE, "body_too_large".to_owned()));
}

/// Sends a whole request on a connection of its own before it reads a byte, as simple clients do.
async fn send_then_read(test: &TestApp, head: &str, body: impl Iterator<Item = Vec<u8>>) -> String {
    let address = test.base.strip_prefix("http://").unwrap();
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    for chunk in body {
        stream.write_all(&chunk).await.expect("the server reads on while it refuses");
    }
    let mut response = vec![0; 4_000];
    let length = stream.read(&mut response).await.expect("the response was not cut off");
    String::from_utf8_lossy(&response[..length]).into_owned()
}

#[tokio::test]
async fn a_client_that_sends_everything_first_still_reads_why_it_was_refused() {
    let (test, key) = test_app().await;
    let chunk = |size: usize| [format!("{size:x}\r\n").into_bytes(), vec![b' '; size], b"\r\n".to_vec()].concat();
    let chunks = |count| (0..count).map(|_| chunk(50_000)).chain([b"0\r\n\r\n".to_vec()]);
    let head = |key: &str, path: &str| {
        format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
    };
    for (head, status) in [
        (head(&key, "/probe"), "413"),
        (head("cv_live_wrong", "/probe"), "401"),
        (head(&key, "/nowhere"), "404"),
        (head(&key, "/broken"), "500"),
        (head("cv_live_wrong", "/mcp"), "401"),
    ] {
        let response = send_then_read(&test, &head, chunks(60)).await;
        assert!(response.starts_with(&format!("HTTP/1.1 {status}")), "{status}: {response}");
    }
}

#[tokio::test]
async fn a_client_that_waits_to_be_asked_for_its_body_is_refused_at_once() {
    let (test, _) = test_app().await;
    let head = "POST /probe HTTP/1.1\r\nHost: localhost\r\nX-API-Key: cv_live_wrong\r\nContent-Length: 500000\r\nExpect: 100-continue\r\n\r\n";
    let response = send_then_read(&test, head, std::iter::empty()).await;
    assert!(response.starts_with("HTTP/1.1 401"), "{response}");
}

#[tokio::test]
async fn a_large_body_is_refused_where_none_is_expected() {
    let (test, key) = test_app().await;
    let answer = send(test.request(Method::GET, "/me").header("X-API-Key", &key).body(vec![b'x'; 3 << 20])).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn strange_addresses_get_a_clear_answer() {
    let (test, key) = test_app().await;
    let long_id = "9".repeat(10_000);
    let too_long = "9".repeat(20_000);
    let many: String = (0..500).map(|number| format!("p{number}=1&")).collect();
    for (path, status) in [
        (format!("/probe/{long_id}"), StatusCode::NOT_FOUND),
        (format!("/probe/{too_long}"), StatusCode::URI_TOO_LONG),
        ("/probe/%00".into(), StatusCode::NOT_FOUND),
        ("/probe/%ff%fe".into(), StatusCode::BAD_REQUEST),
        ("/probe/..%2f..%2fetc%2fpasswd".into(), StatusCode::NOT_FOUND),
        (format!("/me?{many}"), StatusCode::UNPROCESSABLE_ENTITY),
        ("/me?%00=%00".into(), StatusCode::UNPROCESSABLE_ENTITY),
        ("/credits?limit=%00".into(), StatusCode::UNPROCESSABLE_ENTITY),
        ("/credits?limit=1e9".into(), StatusCode::UNPROCESSABLE_ENTITY),
        ("/credits?limit=99999999999999999999".into(), StatusCode::UNPROCESSABLE_ENTITY),
        ("/credits?before=-1".into(), StatusCode::UNPROCESSABLE_ENTITY),
        ("/credits?limit=1&limit=2".into(), StatusCode::UNPROCESSABLE_ENTITY),
        ("/Me".into(), StatusCode::NOT_FOUND),
        ("/index.html".into(), StatusCode::NOT_FOUND),
        ("/app/assets/nothing".into(), StatusCode::NOT_FOUND),
    ] {
        let answer = test.get(&path, &key).await;
        assert_eq!(answer.status, status, "{} {answer:?}", &path[..path.len().min(60)]);
        answer.code();
        assert!(answer.text.len() < 4_000, "an answer must not echo what it was sent at length");
    }
}

#[tokio::test]
async fn a_wrong_method_is_told_the_right_ones() {
    let (test, key) = test_app().await;
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH, Method::TRACE] {
        let answer = send(test.request(method, "/me").header("X-API-Key", &key)).await;
        assert_eq!((answer.status, answer.code().as_str()), (StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed"));
        assert_eq!(answer.header("allow"), "GET,HEAD");
    }
}

#[tokio::test]
async fn a_panic_is_a_500_and_the_server_lives_on() {
    let (test, key) = test_app().await;
    for method in [Method::GET, Method::POST] {
        let answer = send(test.request(method, "/broken").header("X-API-Key", &key)).await;
        assert_eq!((answer.status, answer.code().as_str()), (StatusCode::INTERNAL_SERVER_ERROR, "internal"));
        assert!(!answer.text.contains("as tests wish"), "what broke is for the log");
    }
    assert_eq!(test.get("/me", &key).await.status, StatusCode::OK);
}

#[tokio::test]
async fn every_answer_carries_the_safe_headers_and_a_request_id() {
    let (test, key) = test_app().await;
    for path in ["/me", "/nothing", "/healthz", "/docs", "/"] {
        let answer = test.get(path, &key).await;
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
        assert_eq!(answer.header("x-frame-options"), "DENY", "{path}");
        assert!(answer.header("content-security-policy").contains("default-src"), "{path}");
        assert_eq!(answer.header("x-request-id").len(), 36, "{path}");
    }
    let ask = |id: &'static str| send(test.request(Method::GET, "/healthz").header("X-Request-Id", id));
    assert_eq!(ask("my-own.id_7").await.header("x-request-id"), "my-own.id_7");
    for refused in ["a b", "<script>", "cv_live_XZIUznGsSEbntLX0EDv82IRgzfBhSdQJ0I9XfH"] {
        assert_eq!(ask(refused).await.header("x-request-id").len(), 36, "{refused}");
    }
}

#[tokio::test]
async fn errors_are_problem_json_for_those_who_ask() {
    let (test, _) = test_app().await;
    let plain = send(test.request(Method::GET, "/me")).await;
    assert_eq!(plain.header("content-type"), "application/json");
    let asked = send(test.request(Method::GET, "/me").header("Accept", "text/html, application/problem+json")).await;
    assert_eq!(asked.header("content-type"), "application/problem+json");
    assert_eq!(asked.code(), "missing_key");
}

#[tokio::test]
async fn any_page_may_call_the_api_and_read_its_headers() {
    let (test, key) = test_app().await;
    let preflight = test
        .request(Method::OPTIONS, "/me")
        .header("Origin", "https://elsewhere.example")
        .header("Access-Control-Request-Method", "GET")
        .header("Access-Control-Request-Headers", "x-api-key");
    let answer = send(preflight).await;
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (StatusCode::OK, "*"));
    assert!(answer.header("access-control-allow-headers").contains("x-api-key"));
    let answer =
        send(test.request(Method::GET, "/me").header("X-API-Key", &key).header("Origin", "https://e.example")).await;
    assert!(answer.header("access-control-expose-headers").contains("x-request-id"));
    assert!(!answer.headers.contains_key("access-control-allow-credentials"));
}

#[tokio::test]
async fn pages_of_others_read_only_what_asks_for_a_key() {
    let (test, key) = test_app().await;
    let allowed = "access-control-allow-origin";
    let from_elsewhere = |method: Method, path: &str| {
        test.request(method, path).header("Origin", "https://elsewhere.example").header("X-API-Key", &key)
    };
    let long = format!("/me?x={}", "9".repeat(20_000));
    let large = || vec![b' '; 2 << 20];
    for (what, request) in [
        ("an answer", from_elsewhere(Method::GET, "/me")),
        ("a wrong key", test.request(Method::GET, "/me").header("Origin", "https://elsewhere.example")),
        ("a wrong method", from_elsewhere(Method::POST, "/me")),
        ("a long address", from_elsewhere(Method::GET, &long)),
        ("a large body", from_elsewhere(Method::POST, "/search/start").body(large())),
        ("a broken route", from_elsewhere(Method::GET, "/broken")),
        ("the connector", from_elsewhere(Method::POST, "/mcp")),
        ("the connector by path", from_elsewhere(Method::POST, "/mcp/wrong")),
    ] {
        let answer = send(request).await;
        assert_eq!(answer.headers.get(allowed).map(|value| value.to_str().unwrap()), Some("*"), "{what}: {answer:?}");
    }
    for path in ["/me", "/searches", "/search/start", "/mcp", "/mcp/wrong"] {
        let preflight = from_elsewhere(Method::OPTIONS, path).header("Access-Control-Request-Method", "POST");
        assert_eq!(send(preflight).await.header(allowed), "*", "{path}");
    }
    for path in [
        "/",
        "/app",
        "/docs",
        "/assets/style.css",
        "/openapi.json",
        "/healthz",
        "/readyz",
        "/metrics",
        "/exports/x",
        "/register",
        "/nothing",
        "/.well-known/oauth-protected-resource",
    ] {
        for method in [Method::GET, Method::OPTIONS] {
            let request = from_elsewhere(method, path).header("Access-Control-Request-Method", "GET");
            let answer = send(request).await;
            assert!(
                !answer.headers.keys().any(|name| name.as_str().starts_with("access-control")),
                "{path}: {answer:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_key_may_ask_so_often_and_is_told_how_often() {
    let limit = |settings: &mut canvass::config::Settings| settings.rate_limit = std::num::NonZeroU32::new(5);
    let test = TestApp::with(On::Sqlite, limit, More::default()).await;
    let (account, key) = test.account(Tier::Growth, 5).await;
    let sister = test.key(&account).await;
    for left in (0..5).rev() {
        let answer = test.get("/me", &key).await;
        assert_eq!(answer.status, StatusCode::OK);
        assert_eq!(answer.header("ratelimit-policy"), "\"key\";q=5;w=60");
        assert!(answer.header("ratelimit").starts_with(&format!("\"key\";r={left};t=")), "{answer:?}");
        assert_eq!(
            (answer.header("x-ratelimit-limit"), answer.header("x-ratelimit-remaining")),
            ("5", left.to_string().as_str())
        );
    }
    let refused = test.get("/me", &key).await;
    assert_eq!((refused.status, refused.code().as_str()), (StatusCode::TOO_MANY_REQUESTS, "rate_limited"));
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=12).contains(&wait), "a request is free again every twelve seconds: {wait}");
    assert_eq!(refused.header("x-ratelimit-remaining"), "0");
    assert_eq!(test.get("/me", &sister).await.status, StatusCode::OK, "each key has a limit of its own");
}

#[tokio::test]
async fn nonsense_on_the_wire_does_not_disturb_others() {
    let (test, key) = test_app().await;
    let address = test.base.strip_prefix("http://").unwrap();
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"\0\0\0\0\r\n\r\n",
        b"GET /me HTTP/1.1\r\nX-API-Key: a\0b\r\n\r\n",
    ] {
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        stream.shutdown().await.unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 400"), "{answer}");
    }
    assert_eq!(test.get("/me", &key).await.status, StatusCode::OK);
}
