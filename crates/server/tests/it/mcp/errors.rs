//! What the connector refuses: each with the right status and a JSON body, and without a key in the log.

use canvass::config::Settings;
use canvass::keys;
use canvass::plan::Tier;
use http::{Method, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Answer, Binary, Mcp, More, On, TestApp, client, rpc, send};

/// Asserts an error of the protocol in an HTTP answer, and gives what it says.
fn refused(answer: &Answer, status: StatusCode, code: i64) -> String {
    assert_eq!((answer.status, answer.header("content-type")), (status, "application/json"), "{answer:?}");
    let body = answer.json();
    assert_eq!((&body["jsonrpc"], &body["error"]["code"]), (&json!("2.0"), &json!(code)), "{body}");
    assert!(body.get("id").is_some(), "some clients read no error without an id, be it null: {body}");
    body["error"]["message"].as_str().unwrap().to_owned()
}

fn ping() -> Value {
    rpc("ping", &json!({}))
}

async fn app() -> (TestApp, String) {
    let test = TestApp::new(On::Sqlite).await;
    let (_, key) = test.account(Tier::Growth, 5).await;
    (test, key)
}

#[tokio::test]
async fn what_is_no_message_is_refused_in_json() {
    let (test, key) = app().await;
    let post = |body: &str| {
        let request = test.request(Method::POST, &format!("/mcp/{key}")).header("Content-Type", "application/json");
        send(request.body(body.to_owned()))
    };
    for malformed in ["", "{", "\u{0}", &"[".repeat(10_000), "{\"a\": \u{7f}"] {
        let said = refused(&post(malformed).await, StatusCode::BAD_REQUEST, -32700);
        assert!(said.starts_with("the body is not valid JSON"), "{said}");
    }
    let said = refused(&post(&json!([ping(), ping()]).to_string()).await, StatusCode::BAD_REQUEST, -32600);
    assert_eq!(said, "batches are not supported; send one message at a time");
    for wrong in [
        "7",
        "\"x\"",
        "{}",
        r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
    ] {
        refused(&post(wrong).await, StatusCode::BAD_REQUEST, -32600);
    }
    let plain = test.request(Method::POST, &format!("/mcp/{key}")).header("Content-Type", "text/plain").body("{}");
    refused(&send(plain).await, StatusCode::UNSUPPORTED_MEDIA_TYPE, -32600);
    // Chunked, so that it is only seen to be too large while it is read.
    let large = test.request(Method::POST, &format!("/mcp/{key}")).header("Content-Type", "application/json");
    let large = large.body(reqwest::Body::wrap_stream(large_stream()));
    refused(&send(large).await, StatusCode::PAYLOAD_TOO_LARGE, -32600);
    let declared = test.request(Method::POST, &format!("/mcp/{key}")).header("Content-Type", "application/json");
    let declared = send(declared.body(" ".repeat(2 * 1024 * 1024))).await;
    assert_eq!((declared.status, declared.code().as_str()), (StatusCode::PAYLOAD_TOO_LARGE, "body_too_large"));
}

fn large_stream() -> impl futures::Stream<Item = Result<Vec<u8>, std::io::Error>> + Send + 'static {
    futures::stream::iter((0..20).map(|_| Ok(vec![b' '; 64 * 1024])))
}

#[tokio::test]
async fn wrong_parameters_of_a_method_are_named() {
    let (test, key) = app().await;
    let mcp = Mcp::new(&test, &key);
    let cases = [
        ("tools/call", json!({}), -32602, "the params of tools/call must be an object with name"),
        ("tools/call", json!({"name": "get_account", "arguments": "x"}), -32602, "the params of tools/call"),
        ("resources/read", json!({}), -32602, "the params of resources/read must be an object with uri"),
        ("prompts/get", json!({"name": "find_leads"}), -32602, "industry is missing"),
        ("nothing/here", json!({}), -32601, "there is no such method here"),
    ];
    for (method, params, code, says) in cases {
        let answer = mcp.answer(method, params).await;
        assert_eq!(answer["error"]["code"], code, "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().starts_with(says), "{answer}");
    }
}

#[tokio::test]
async fn only_post_is_taken_and_the_kinds_accepted_do_not_matter() {
    let (test, key) = app().await;
    for method in [Method::GET, Method::DELETE, Method::PUT] {
        for path in [format!("/mcp/{key}"), "/mcp".to_owned()] {
            let answer = send(test.request(method.clone(), &path)).await;
            assert_eq!((answer.status, answer.header("allow")), (StatusCode::METHOD_NOT_ALLOWED, "POST"), "{method}");
            assert_eq!(answer.code(), "method_not_allowed");
        }
    }
    for accept in ["*/*", "application/json", "text/event-stream", "application/json, text/event-stream", "text/html"] {
        let request = test.request(Method::POST, &format!("/mcp/{key}")).header("Accept", accept).json(&ping());
        let answer = send(request).await;
        assert_eq!((answer.status, &answer.json()["result"]), (StatusCode::OK, &json!({})), "{accept}");
    }
    let none =
        send(Mcp::new(&test, &key).request(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))).await;
    assert_eq!((none.status, none.text.as_str()), (StatusCode::ACCEPTED, ""));
}

#[tokio::test]
async fn a_version_nobody_knows_is_answered_with_those_we_speak() {
    let (test, key) = app().await;
    let mcp = Mcp::new(&test, &key);
    let answer = send(mcp.bare(&ping()).header("MCP-Protocol-Version", "1999-01-01")).await;
    refused(&answer, StatusCode::BAD_REQUEST, -32022);
    let body = answer.json();
    assert_eq!((&body["id"], &body["error"]["data"]["requested"]), (&json!(1), &json!("1999-01-01")));
    assert!(body["error"]["data"]["supported"].as_array().unwrap().contains(&json!("2025-11-25")), "{body}");
    let meta = json!({"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2099-01-01",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }});
    let newer = mcp.bare(&rpc("server/discover", &meta)).header("MCP-Protocol-Version", "2099-01-01");
    refused(&send(newer.header("Mcp-Method", "server/discover")).await, StatusCode::BAD_REQUEST, -32022);
}

#[tokio::test]
async fn names_of_strangers_are_refused_before_the_key_is_looked_at() {
    let behind_a_proxy = |settings: &mut Settings| settings.base_url = "https://leads.example.com".parse().ok();
    let test = TestApp::with(On::Sqlite, behind_a_proxy, More::default()).await;
    let (_, key) = test.account(Tier::Growth, 5).await;
    let post = |key: &str, name: &'static str, value: &'static str| {
        send(test.request(Method::POST, &format!("/mcp/{key}")).header(name, value).json(&ping()))
    };
    for (name, value) in [("Origin", "https://evil.example"), ("Origin", "null"), ("Host", "evil.example")] {
        for key in [key.as_str(), "wrong"] {
            refused(&post(key, name, value).await, StatusCode::FORBIDDEN, -32600);
        }
    }
    for (name, value) in [("Origin", "http://localhost:6274"), ("Host", "localhost:1"), ("Host", "leads.example.com")] {
        assert_eq!(post(&key, name, value).await.status, StatusCode::OK, "{name}: {value}");
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_wrong_key_is_refused_without_sending_anyone_to_sign_in(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.account(Tier::Growth, 5).await;
    let post = |path: String| test.request(Method::POST, &path).json(&ping());
    for (name, value) in [
        ("X-API-Key", key.clone()),
        ("Authorization", format!("Bearer {key}")),
        ("authorization", format!("bearer  {key}")),
    ] {
        assert_eq!(send(post("/mcp".into()).header(name, value)).await.status, StatusCode::OK);
    }
    keys::revoke(&test.app, keys::list(&test.app.db, account.id).await.unwrap()[0].id).await.unwrap();
    for request in [
        post(format!("/mcp/{key}")),
        post("/mcp/x".into()),
        post("/mcp/%FF".into()),
        post("/mcp".into()),
        post("/mcp".into()).header("Authorization", "Basic eDp5"),
    ] {
        let answer = send(request).await;
        let said = refused(&answer, StatusCode::UNAUTHORIZED, -32600);
        assert!(said.starts_with("the API key is ") && !said.contains(&key), "{said}");
        // No word of OAuth: there is nowhere to sign in.
        assert!(answer.header("www-authenticate").starts_with("ApiKey "), "{answer:?}");
    }
    for probe in ["oauth-protected-resource", "oauth-authorization-server", "openid-configuration"] {
        for path in [
            format!("/.well-known/{probe}"),
            format!("/.well-known/{probe}/mcp/{key}"),
            format!("/mcp/{key}/.well-known/{probe}"),
        ] {
            let answer = send(test.request(Method::GET, &path)).await;
            assert_eq!((answer.status, answer.code().as_str()), (StatusCode::NOT_FOUND, "not_found"), "{path}");
        }
    }
    let answer = send(test.request(Method::POST, "/register").json(&json!({"client_name": "x"}))).await;
    assert_eq!((answer.status, &answer.json()["error"]), (StatusCode::BAD_REQUEST, &json!("access_denied")));
    assert!(answer.json()["error_description"].as_str().unwrap().contains("wrong or revoked"));
}

/// Some clients send head and body apart; what is refused in between must not cost them the connection.
#[tokio::test]
async fn a_refusal_leaves_the_connection_to_the_next_request() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let (test, _) = app().await;
    let address = test.base.strip_prefix("http://").unwrap();
    let mut connection = tokio::net::TcpStream::connect(address).await.unwrap();
    connection.set_nodelay(true).unwrap();
    let body = ping().to_string();
    let length = body.len();
    for _ in 0..3 {
        let head = format!(
            "POST /mcp/wrong HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        connection.write_all(head.as_bytes()).await.unwrap();
        // Turns enough for the server, which runs beside this test, to have looked at the head.
        for _ in 0..1_000 {
            tokio::task::yield_now().await;
        }
        connection.write_all(body.as_bytes()).await.unwrap();
        let mut seen = Vec::new();
        while !seen.ends_with(b"\"jsonrpc\":\"2.0\"}") {
            let mut some = [0; 4096];
            let count = connection.read(&mut some).await.unwrap();
            assert!(count > 0, "the connection was closed: {}", String::from_utf8_lossy(&seen));
            seen.extend_from_slice(&some[..count]);
        }
        assert!(seen.starts_with(b"HTTP/1.1 401"), "{}", String::from_utf8_lossy(&seen));
    }
}

#[tokio::test]
async fn the_rate_of_a_key_holds_here_too() {
    let limit = std::num::NonZeroU32::new(2);
    let test = TestApp::with(On::Sqlite, |settings| settings.rate_limit = limit, More::default()).await;
    let (_, key) = test.account(Tier::Growth, 5).await;
    let mcp = Mcp::new(&test, &key);
    assert_eq!(send(mcp.request(&ping())).await.header("x-ratelimit-remaining"), "1");
    assert_eq!(send(mcp.request(&ping())).await.status, StatusCode::OK);
    let answer = send(mcp.request(&ping())).await;
    refused(&answer, StatusCode::TOO_MANY_REQUESTS, -32600);
    assert!(answer.header("retry-after").parse::<u64>().unwrap() >= 1);
}

#[tokio::test]
async fn no_key_and_no_address_of_a_person_reaches_the_log_or_the_figures() {
    let binary = Binary::new().set("CANVASS_LOG", "trace");
    let served = binary.serve();
    let (base, key) = (served.base().to_owned(), served.key().to_owned());
    let http = client();
    let call = |tool: &str, arguments: Value| {
        let message = rpc("tools/call", &json!({"name": tool, "arguments": arguments}));
        send(http.request(Method::POST, format!("{base}/mcp/{key}")).json(&message))
    };
    let started =
        call("start_search", json!({"industry": "dentist", "location": "Austin, TX", "requested_count": 5})).await;
    let search = started.json()["result"]["structuredContent"]["search_id"].clone();
    call("wait_for_search", json!({"search_id": search, "timeout_seconds": 45})).await;
    let leads = call("get_leads", json!({"search_id": search, "detail": "full"})).await;
    let export = call("export_leads", json!({ "search_id": search })).await;
    call("get_leads", json!({ (key.as_str()): key })).await;
    let malformed = http.request(Method::POST, format!("{base}/mcp/{key}")).body("{");
    send(malformed.header("Content-Type", "application/json")).await;
    let figures = send(http.request(Method::GET, format!("{base}/metrics"))).await.text;
    let (_, log) = served.stop();
    let random = &key[8..40];
    assert!(log.contains("POST /mcp/{key} gave 200"), "the log is there: {log}");
    for text in [&log, &figures, &leads.text, &export.text] {
        assert!(!text.contains(random), "the key is in {text}");
    }
    let email = leads.json()["result"]["structuredContent"]["leads"]
        .as_array()
        .unwrap()
        .iter()
        .find_map(|lead| lead["primary_email"].as_str().map(str::to_owned));
    assert!(!log.contains(&email.unwrap()), "a person's address is in the log");
}
