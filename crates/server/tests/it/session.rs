//! Sessions and keys: which routes take which, what each may do, and who may make a browser send a cookie.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::routing::{get, post};
use canvass::account::Account;
use canvass::config::Settings;
use canvass::ids::SessionId;
use canvass::plan::{AddOn, Tier};
use canvass::session::{AuthenticatedSession, SessionLookup, SessionToken, Sessions};
use futures::future::{BoxFuture, ready};
use http::{Method, StatusCode};
use rstest::rstest;
use serde_json::json;
use server::edge::caller::{Api, Authorized};
use server::edge::cookie::PLAIN_COOKIE;
use server::edge::{Edge, Problem};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use uuid::Uuid;

use crate::support::{Answer, More, On, Outside, TestApp, send};

/// One session that is open, or none.
#[derive(Debug, Default)]
struct OneSession(Mutex<Option<Arc<AuthenticatedSession>>>);

impl OneSession {
    fn open(&self, account: &Account) {
        let session = AuthenticatedSession {
            session: SessionId::from_uuid(Uuid::from_u128(7)),
            device: "Firefox on Linux".into(),
            last_seen_at: account.created_at,
            may_set_password_until: account.created_at,
            account: account.clone(),
        };
        *self.0.lock().unwrap() = Some(Arc::new(session));
    }

    fn end(&self) {
        *self.0.lock().unwrap() = None;
    }

    fn found(&self) -> SessionLookup {
        Ok(self.0.lock().unwrap().clone())
    }
}

impl Sessions for OneSession {
    fn authenticate<'a>(&'a self, token: &'a SessionToken) -> BoxFuture<'a, SessionLookup> {
        Box::pin(ready(if token.reveal() == token_text() { self.found() } else { Ok(None) }))
    }

    fn find_open(&self, _: SessionId) -> BoxFuture<'_, SessionLookup> {
        Box::pin(ready(self.found()))
    }
}

fn token_text() -> String {
    format!("cv_sess_{}", "7".repeat(43))
}

fn cookie() -> String {
    format!("{PLAIN_COOKIE}={}", token_text())
}

async fn probe(caller: Authorized<Api>, body: String) -> String {
    format!("{} {body}", caller.via())
}

/// A route in each group.
fn probes() -> More {
    More {
        keyed: Router::<Edge>::new().route("/probe/keyed", get(probe).post(probe)),
        session_only: Router::<Edge>::new().route("/probe/session", get(probe).post(probe)),
        key_or_session: Router::<Edge>::new().route("/probe/either", get(probe).post(probe)),
        ..More::default()
    }
}

async fn signed_in(on: On, tier: Tier, add_ons: &[AddOn]) -> (TestApp, Arc<OneSession>, Account) {
    signed_in_with(on, |_| {}, probes(), (tier, add_ons)).await
}

async fn signed_in_with(
    on: On,
    change: impl FnOnce(&mut Settings),
    more: More,
    (tier, add_ons): (Tier, &[AddOn]),
) -> (TestApp, Arc<OneSession>, Account) {
    let sessions = Arc::new(OneSession::default());
    let outside = Outside { sessions: Some(sessions.clone()), ..Outside::default() };
    let test = TestApp::assemble(on, change, more, outside).await;
    let account = test.account_with(tier, 10, add_ons).await;
    sessions.open(&account);
    (test, sessions, account)
}

async fn by_session(test: &TestApp, method: Method, path: &str) -> Answer {
    send(test.request(method, path).header("Cookie", cookie()).header("Sec-Fetch-Site", "same-origin")).await
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn while_nobody_can_sign_in_every_session_is_refused_and_a_key_beside_it_works(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (_, key) = test.account(Tier::Growth, 5).await;
    for path in ["/me", "/searches", "/credits"] {
        let refused = by_session(&test, Method::GET, path).await;
        assert_eq!((refused.status, refused.code().as_str()), (StatusCode::UNAUTHORIZED, "invalid_session"));
        assert_eq!(refused.header("www-authenticate"), "Session realm=\"canvass\"");
        let both = test.request(Method::GET, path).header("Cookie", cookie()).header("X-API-Key", &key);
        assert_eq!(send(both).await.status, StatusCode::OK, "{path}");
    }
    let malformed = test.request(Method::GET, "/me").header("Cookie", format!("{PLAIN_COOKIE}=x"));
    assert_eq!(send(malformed).await.code(), "invalid_session");
    let others = test.request(Method::GET, "/me").header("Cookie", "theme=dark");
    assert_eq!(send(others).await.code(), "missing_key");
}

#[tokio::test]
async fn each_credential_reaches_only_the_routes_that_take_it() {
    let (test, _, account) = signed_in(On::Sqlite, Tier::Scale, &[]).await;
    let key = test.key(&account).await;
    for method in [Method::GET, Method::POST] {
        let check = async |path: &str, by_key: &str, by_cookie: &str| {
            let said = |answer: Answer| if answer.status.is_success() { answer.text } else { answer.code() };
            let keyed = said(send(test.request(method.clone(), path).header("X-API-Key", &key)).await);
            assert!(keyed.starts_with(by_key), "{path} by key: {keyed}");
            let cookie = said(by_session(&test, method.clone(), path).await);
            assert!(cookie.starts_with(by_cookie), "{path} by session: {cookie}");
        };
        check("/probe/keyed", "key ", "missing_key").await;
        check("/probe/session", "missing_session", "session ").await;
        check("/probe/either", "key ", "session ").await;
    }
    let connector = by_session(&test, Method::POST, "/mcp").await;
    assert_eq!(connector.status, StatusCode::UNAUTHORIZED, "assistants have keys: {connector:?}");
}

#[tokio::test]
async fn only_routes_that_take_a_key_may_be_called_by_pages_of_other_websites() {
    let (test, _, account) = signed_in(On::Sqlite, Tier::Scale, &[]).await;
    let key = test.key(&account).await;
    let allowed = "access-control-allow-origin";
    for (path, open) in [("/probe/keyed", true), ("/probe/either", true), ("/me", true), ("/probe/session", false)] {
        let elsewhere = |method| test.request(method, path).header("Origin", "https://other.example");
        let preflight = elsewhere(Method::OPTIONS).header("Access-Control-Request-Method", "GET");
        let preflight = send(preflight).await;
        assert_eq!(preflight.headers.contains_key(allowed), open, "{path}");
        let asked = send(elsewhere(Method::GET).header("X-API-Key", &key)).await;
        assert_eq!((asked.status.is_success(), asked.headers.contains_key(allowed)), (open, open), "{path}");
        assert!(!preflight.headers.contains_key("access-control-allow-credentials"), "{path}");
    }
}

#[tokio::test]
async fn what_another_site_makes_a_browser_send_is_refused_before_its_body_is_read() {
    let (test, _, _) = signed_in(On::Sqlite, Tier::Scale, &[]).await;
    let origins =
        ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Origin: https://evil.example", "X-None: x"];
    for path in ["/probe/session", "/probe/either", "/search/start"] {
        for origin in origins {
            // A body is announced and never sent: whoever waits for it does not answer.
            let mut stream = tokio::net::TcpStream::connect(test.base.trim_start_matches("http://")).await.unwrap();
            let head = format!(
                "POST {path} HTTP/1.1\r\nHost: x\r\n{origin}\r\nCookie: {}\r\nContent-Type: application/json\r\n\
                 Content-Length: 100\r\n\r\n",
                cookie()
            );
            stream.write_all(head.as_bytes()).await.unwrap();
            let mut answer = vec![0; 4_096];
            let read = stream.read(&mut answer).await.unwrap();
            let answer = String::from_utf8_lossy(&answer[..read]).into_owned();
            assert!(answer.starts_with("HTTP/1.1 403"), "{path} {origin}: {answer}");
        }
        let read =
            send(test.request(Method::GET, path).header("Cookie", cookie()).header("Sec-Fetch-Site", "cross-site"));
        assert_eq!(read.await.code(), "cross_site", "{path}");
    }
    let own = test.request(Method::POST, "/probe/session").header("Cookie", cookie()).header("Origin", &test.base);
    assert_eq!(send(own.body("hello")).await.status, StatusCode::OK);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_person_may_use_every_plan_where_a_program_may_not_and_needs_the_same_add_ons(#[case] on: On) {
    let (test, _, account) = signed_in(on, Tier::Free, &[]).await;
    let key = test.key(&account).await;
    assert_eq!(test.get("/searches", &key).await.code(), "plan_without_api");
    assert_eq!(by_session(&test, Method::GET, "/searches").await.status, StatusCode::OK);
    assert_eq!(by_session(&test, Method::GET, "/radar/watches").await.code(), "radar_required");
    let start = test.request(Method::POST, "/search/start").header("Cookie", cookie());
    let wish = json!({"industry": "plumber", "location": "Austin, TX", "requested_count": 1});
    let started = send(start.header("Sec-Fetch-Site", "same-origin").json(&wish)).await;
    let search = started.json()["search_id"].as_str().unwrap_or_else(|| panic!("{started:?}")).to_owned();
    test.work().await;
    let leads = by_session(&test, Method::GET, &format!("/searches/{search}/leads")).await;
    assert_eq!(leads.json().as_array().unwrap().len(), 1);
    let scored = by_session(&test, Method::GET, &format!("/searches/{search}/leads?min_score=1")).await;
    assert_eq!(scored.code(), "signals_plus_required");
}

#[tokio::test]
async fn keys_and_sessions_of_one_account_are_held_to_a_rate_of_their_own() {
    let limited = |settings: &mut Settings| settings.rate_limit = NonZeroU32::new(1);
    let (test, _, account) = signed_in_with(On::Sqlite, limited, probes(), (Tier::Scale, &[])).await;
    let key = test.key(&account).await;
    let first = by_session(&test, Method::GET, "/me").await;
    assert_eq!((first.status, first.header("ratelimit-policy")), (StatusCode::OK, "\"session\";q=1;w=60"));
    assert_eq!(test.get("/me", &key).await.header("ratelimit-policy"), "\"key\";q=1;w=60");
    let again = by_session(&test, Method::GET, "/me").await;
    assert_eq!(again.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(again.json()["detail"].as_str().unwrap().starts_with("this session may make 1 requests"), "{again:?}");
}

#[tokio::test]
async fn a_long_request_ends_with_the_session_it_came_by() {
    let sessions = Arc::new(OneSession::default());
    let ending = sessions.clone();
    let recheck = move |State(edge): State<Edge>, caller: Authorized<Api>| {
        let sessions = ending.clone();
        async move {
            caller.recheck(&edge.app).await?;
            sessions.end();
            caller.recheck(&edge.app).await?;
            Ok::<_, Problem>("still in")
        }
    };
    let more = More { session_only: Router::<Edge>::new().route("/probe", post(recheck)), ..More::default() };
    let outside = Outside { sessions: Some(sessions.clone()), ..Outside::default() };
    let test = TestApp::assemble(On::Sqlite, |_| {}, more, outside).await;
    sessions.open(&test.account_with(Tier::Free, 1, &[]).await);
    assert_eq!(by_session(&test, Method::POST, "/probe").await.code(), "invalid_session");
}
