//! What strangers may cost: connections, time and memory, on real sockets.

use std::net::TcpStream as BlockingStream;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures::stream::{self, StreamExt};
use http::{Method, StatusCode};
use rstest::rstest;
use serde_json::json;
use server::limits::Limits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::{Answer, Binary, On, TestApp, client, send};

/// How a client of HTTP/2 begins.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// Its settings: none.
const SETTINGS: &[u8] = &[0, 0, 0, 4, 0, 0, 0, 0, 0];
/// Long enough for whatever has to happen, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client that speaks HTTP/2 from the first byte, on a connection of its own.
fn http2() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().http2_prior_knowledge().build().unwrap()
}

/// A body that sends so many bytes and then neither ends nor breaks off.
fn unfinished(bytes: usize) -> reqwest::Body {
    let sent = stream::iter([Ok::<_, std::io::Error>(Bytes::from(vec![b' '; bytes]))]);
    reqwest::Body::wrap_stream(sent.chain(stream::pending()))
}

/// Bytes of memory a process holds.
fn resident_bytes(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

#[tokio::test]
async fn strangers_cannot_fill_the_memory_with_messages_they_never_finish() {
    // Kept, because its folder goes with it.
    let binary = Binary::new().set("CANVASS_RATE_LIMIT", "0");
    let served = binary.serve();
    let base = served.base().to_owned();
    let me = |http: &reqwest::Client| send(http.get(format!("{base}/me")).header("X-API-Key", served.key()));
    assert_eq!(me(&client()).await.status, StatusCode::OK);
    let before = resident_bytes(served.pid());
    let mut tasks = Vec::new();
    for http in [http2(), http2(), http2()] {
        for path in ["/mcp", "/mcp/wrong", "/search/start"].into_iter().cycle().take(199) {
            let request =
                http.request(Method::POST, format!("{base}{path}")).header("Content-Type", "application/json");
            let request = request.header("Content-Length", 1_000_000).body(unfinished(999_999));
            tasks.push(tokio::spawn(async move { request.send().await.map(|response| response.status()) }));
        }
    }
    let mut refused = 0;
    for task in tasks {
        match tokio::time::timeout(PATIENCE, task).await.expect("every one ends").unwrap() {
            // A stream beyond those a stranger may have in flight is told so.
            Ok(StatusCode::UNAUTHORIZED | StatusCode::TOO_MANY_REQUESTS) => refused += 1,
            Ok(status) => panic!("{status}"),
            // A client that keeps sending on streams it was told to stop loses its connection, and what waits on it.
            Err(ended) => assert!(ended.is_request() && !ended.is_connect(), "{ended:?}"),
        }
    }
    assert!(refused > 0);
    let after = me(&http2()).await;
    assert_eq!(after.status, StatusCode::OK, "{}", after.text);
    let grown = resident_bytes(served.pid()).saturating_sub(before);
    println!("{} MB before, {} MB more", before >> 20, grown >> 20);
    assert!(grown < 150 << 20, "{} MB more", grown >> 20);
    let figures = send(client().get(format!("{base}/metrics"))).await.text;
    assert!(figures.contains("canvass_request_body_bytes 0"), "{figures}");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn unfinished_bodies_share_a_budget_and_have_a_deadline(#[case] on: On) {
    let budget = 1 << 20;
    let limits = Limits { unfinished_bodies_bytes: budget, body_grace: Duration::from_secs(3), ..Limits::default() };
    let test = TestApp::limited(on, Limits { body_bytes_per_second: 1 << 30, ..limits }).await;
    let (_, key) = test.whole_account(10).await;
    let http = http2();
    let post = |path: &str| http.request(Method::POST, format!("{}{path}", test.base)).header("X-API-Key", &key);
    // The first answer tells the client how many streams it may open.
    assert_eq!(send(http.get(format!("{}/me", test.base)).header("X-API-Key", &key)).await.status, StatusCode::OK);
    let paths = ["/search/start", "/search", "/mcp", "/me/ai-key"];
    let sending = paths.into_iter().cycle().take(40).map(|path| {
        let method = if path == "/me/ai-key" { Method::PUT } else { Method::POST };
        let request = http.request(method, format!("{}{path}", test.base)).header("X-API-Key", &key);
        let request = request.header("Content-Type", "application/json").body(unfinished(100_000));
        tokio::spawn(send(request))
    });
    let sending: Vec<_> = sending.collect();
    until(|| test.edge.bodies.held() > budget / 2).await;
    assert!(test.edge.bodies.held() <= budget);
    assert_eq!(test.get("/me", &key).await.status, StatusCode::OK, "what has no body is served all the while");
    let mut counted = [0, 0];
    for one in sending {
        let answer: Answer = tokio::time::timeout(PATIENCE, one).await.expect("every one is answered").unwrap();
        match answer.status {
            StatusCode::SERVICE_UNAVAILABLE => {
                assert!(answer.header("retry-after").parse::<u64>().unwrap() > 0);
                counted[0] += 1;
            }
            StatusCode::REQUEST_TIMEOUT => counted[1] += 1,
            _ => panic!("{answer:?}"),
        }
        assert!(answer.json()["detail"].is_string() || answer.json()["error"]["data"]["detail"].is_string());
    }
    assert!(counted[0] >= 25 && counted[1] >= 5, "{counted:?} were refused and timed out");
    until(|| test.edge.bodies.held() == 0).await;
    let body = json!({"industry": "plumber", "location": "Plainville, Sandbox", "requested_count": 1});
    assert_eq!(send(post("/search/start").json(&body)).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_body_that_never_comes_is_a_408_on_http1_too() {
    let limits = Limits { body_grace: Duration::from_millis(300), ..Limits::default() };
    let test = TestApp::limited(On::Sqlite, limits).await;
    let (_, key) = test.whole_account(10).await;
    let mut socket = TcpStream::connect(test.base.strip_prefix("http://").unwrap()).await.unwrap();
    let head = format!(
        "POST /search/start HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {key}\r\nContent-Type: application/json\r\n\
         Content-Length: 1000\r\n\r\n{{"
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    let read = tokio::time::timeout(PATIENCE, socket.read_to_string(&mut answer)).await;
    assert!(read.is_ok(), "it is answered, and the connection closed");
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("\"code\":\"body_too_slow\""), "{answer}");
}

#[tokio::test]
async fn a_connection_has_few_requests_in_flight_until_a_key_is_accepted_on_it() {
    let test = TestApp::limited(On::Sqlite, Limits { keyless_streams: 4, ..Limits::default() }).await;
    let (_, key) = test.whole_account(10).await;
    let _ = rustls::crypto::ring::default_provider().install_default();
    // What is not read stays in flight: the window is far smaller than the file.
    let builder = reqwest::Client::builder().no_proxy().http2_prior_knowledge();
    let http = builder.http2_initial_stream_window_size(1_024).build().unwrap();
    let file = || http.get(format!("{}/docs/swagger-ui-bundle.js", test.base)).send();
    let mut unread = Vec::new();
    for _ in 0..4 {
        unread.push(file().await.unwrap());
    }
    assert!(unread.iter().all(|response| response.status() == StatusCode::OK));
    let refused = send(http.get(format!("{}/healthz", test.base))).await;
    assert_eq!((refused.status, refused.code().as_str()), (StatusCode::TOO_MANY_REQUESTS, "rate_limited"));
    assert_eq!(refused.header("retry-after"), "1");
    let keyed = http.get(format!("{}/me", test.base)).header("X-API-Key", &key);
    assert_eq!(send(keyed).await.status, StatusCode::OK, "a key is looked at all the same");
    for _ in 0..20 {
        unread.push(file().await.unwrap());
    }
    assert!(unread.iter().all(|response| response.status() == StatusCode::OK), "and opens the connection");
    assert_eq!(send(http.get(format!("{}/healthz", test.base))).await.status, StatusCode::OK);
}

#[tokio::test]
async fn whoever_asks_for_nothing_is_sent_away_in_time() {
    let limits = Limits { keyless_idle: Duration::from_millis(300), idle: PATIENCE * 60, ..Limits::default() };
    let test = TestApp::limited(On::Sqlite, limits).await;
    let (_, key) = test.whole_account(10).await;
    let address = test.base.strip_prefix("http://").unwrap().to_owned();
    let endless_head = [PREFACE, SETTINGS, &[0, 0, 1, 1, 0, 0, 0, 0, 1, 0x82]].concat();
    let beginnings: [(&str, Vec<u8>); 7] = [
        ("a silent socket", Vec::new()),
        ("half a preface", PREFACE[..9].to_vec()),
        ("a preface without settings", PREFACE.to_vec()),
        ("an idle HTTP/2 connection", [PREFACE, SETTINGS].concat()),
        ("a head in frames that never ends", endless_head),
        ("half a head", b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-".to_vec()),
        ("an idle HTTP/1 connection", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec()),
    ];
    let check = async |(what, bytes): (&str, Vec<u8>)| {
        let mut socket = TcpStream::connect(&address).await.unwrap();
        socket.write_all(&bytes).await.unwrap();
        let mut said = Vec::new();
        let read = tokio::time::timeout(PATIENCE, socket.read_to_end(&mut said)).await;
        assert!(read.is_ok(), "{what} is still open");
    };
    futures::future::join_all(beginnings.into_iter().map(check)).await;

    let mut customer = TcpStream::connect(&address).await.unwrap();
    let head = format!("GET /me HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {key}\r\n\r\n");
    for _ in 0..2 {
        customer.write_all(head.as_bytes()).await.unwrap();
        let mut some = [0; 4096];
        let count = customer.read(&mut some).await.unwrap();
        assert!(some[..count].starts_with(b"HTTP/1.1 200"), "a customer's connection stays for the next request");
        // Longer than a stranger may be idle.
        until_elapsed(Duration::from_millis(600)).await;
    }
}

/// Sockets of strangers, each of which has sent this.
fn flood(base: &str, count: usize, bytes: &[u8]) -> Vec<BlockingStream> {
    let address = base.strip_prefix("http://").unwrap();
    let open = |_| {
        use std::io::Write;
        let mut socket = BlockingStream::connect(address).unwrap();
        // It may have been closed by now, to make room.
        let _ = socket.write_all(bytes);
        socket
    };
    (0..count).map(open).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn health_is_told_while_strangers_hold_more_sockets_than_there_are_descriptors() {
    let binary = Binary::new();
    let served = binary.serve_under("-n 256");
    let base = served.base().to_owned();
    let unread = b"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let body = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n{";
    let mut held = Vec::new();
    for bytes in [&b""[..], &PREFACE[..9], PREFACE, unread, body] {
        for _ in 0..4 {
            let flooding = tokio::task::spawn_blocking({
                let base = base.clone();
                let bytes = bytes.to_vec();
                move || flood(&base, 80, &bytes)
            });
            held.extend(flooding.await.unwrap());
            for path in ["/healthz", "/readyz"] {
                // A new connection each time, from the address the flood comes from.
                let answer = tokio::time::timeout(PATIENCE, send(client().get(format!("{base}{path}")))).await;
                let answer = answer.unwrap_or_else(|_| panic!("no answer beside {} sockets", held.len()));
                assert_eq!(answer.status, StatusCode::OK);
            }
        }
    }
    assert!(held.len() > 256 * 4);
    let key = served.key();
    let me = send(client().get(format!("{base}/me")).header("X-API-Key", key)).await;
    assert_eq!(me.status, StatusCode::OK);
}

#[tokio::test]
async fn the_limit_of_descriptors_is_raised_as_far_as_it_goes() {
    let binary = Binary::new();
    let served = binary.serve_under("-S -n 256");
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", served.pid())).unwrap();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let mut figures = line.split_whitespace().skip(3);
    let (soft, hard) = (figures.next().unwrap(), figures.next().unwrap());
    assert_eq!(soft, hard, "{line}");
}

/// Waits for a condition that others bring about.
async fn until(wanted: impl Fn() -> bool) {
    let started = Instant::now();
    while !wanted() {
        assert!(started.elapsed() < PATIENCE);
        tokio::task::yield_now().await;
    }
}

/// Lets time pass for others, which is what is being tested.
async fn until_elapsed(time: Duration) {
    let started = Instant::now();
    until(|| started.elapsed() >= time).await;
}
