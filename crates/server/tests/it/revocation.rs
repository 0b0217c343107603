//! A key that is revoked, or an account that loses API access: what waits under it ends within one keep-alive.

use std::sync::Arc;
use std::time::Duration;

use canvass::account::{self, Account, Change};
use canvass::keys;
use canvass::plan::Tier;
use http::Method;
use rstest::rstest;
use serde_json::{Value, json};
use server::limits::Limits;
use tokio::sync::Semaphore;

use crate::support::{Mcp, More, On, Outside, Scripted, TestApp, rpc, send};

/// Longer than anything here takes, and shorter than a tool waits by itself.
const PATIENCE: Duration = Duration::from_secs(30);

/// How an account is shut out.
#[derive(Clone, Copy, Debug)]
enum ShutOut {
    Key,
    Plan,
}

impl ShutOut {
    async fn happen(self, test: &TestApp, account: &Account) {
        match self {
            ShutOut::Key => {
                let key = keys::list(&test.app.db, account.id).await.unwrap()[0].id;
                keys::revoke(&test.app, key).await.unwrap();
            }
            ShutOut::Plan => {
                let change = Change { tier: Some(Tier::Free), ..Change::default() };
                account::set(&test.app, &account.email, change).await.unwrap();
            }
        }
    }

    fn words(self) -> &'static str {
        match self {
            ShutOut::Key => "has been revoked",
            ShutOut::Plan => "does not include API access",
        }
    }
}

/// An application with a short keep-alive, a running search that has found a lead, and the gate to the others.
async fn running(on: On) -> (TestApp, Account, String, Arc<Semaphore>, String) {
    let (scripted, gate) = Scripted::of(50).gated();
    let limits = Limits { keep_alive: Duration::from_millis(100), ..Limits::default() };
    let outside = Outside { listings: Some(Arc::new(scripted)), limits: Some(limits), ..Outside::default() };
    let test = TestApp::assemble(on, |_| {}, More::default(), outside).await;
    let (account, key) = test.whole_account(100).await;
    let body = json!({"industry": "plumber", "location": "Plainville, Sandbox", "requested_count": 50});
    let id = test.start(&key, body).await;
    gate.add_permits(1);
    (test, account, key, gate, id)
}

/// Reads a stream until it holds a text.
async fn read_until(response: &mut reqwest::Response, wanted: &str) {
    let mut seen = String::new();
    while !seen.contains(wanted) {
        seen.push_str(std::str::from_utf8(&response.chunk().await.unwrap().unwrap()).unwrap());
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn event_streams_end_when_their_key_is_revoked(
    #[case] on: On,
    #[values(ShutOut::Key, ShutOut::Plan)] how: ShutOut,
) {
    let (test, account, key, _gate, id) = running(on).await;
    let _worker = test.worker();
    let path = format!("/searches/{id}/events");
    let mut followed = test.request(Method::GET, &path).header("X-API-Key", &key).send().await.unwrap();
    read_until(&mut followed, "event: lead\n").await;
    read_until(&mut followed, ": keep-alive\n\n").await;
    how.happen(&test, &account).await;
    let rest = tokio::time::timeout(PATIENCE, followed.text()).await.expect("it ends").expect("it ends cleanly");
    assert!(!rest.contains("event:"), "{rest}");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_busy_stream_ends_too(#[case] on: On) {
    let (test, account, key, gate, id) = running(on).await;
    let _worker = test.worker();
    let path = format!("/searches/{id}/events");
    let followed = test.request(Method::GET, &path).header("X-API-Key", &key).send().await.unwrap();
    ShutOut::Key.happen(&test, &account).await;
    // Leads come more often than signs of life.
    let feeding = async {
        for _ in 0..40 {
            tokio::time::sleep(Duration::from_millis(40)).await;
            gate.add_permits(1);
        }
    };
    let (text, ()) = futures::join!(tokio::time::timeout(PATIENCE, followed.text()), feeding);
    let text = text.expect("it ends").expect("cleanly");
    let leads = text.matches("event: lead\n").count();
    assert!(leads < 40 && !text.contains("search_done"), "{leads} leads went out");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn waiting_tool_calls_end_with_an_error_when_their_key_is_revoked(
    #[case] on: On,
    #[values(ShutOut::Key, ShutOut::Plan)] how: ShutOut,
) {
    let (test, account, key, _gate, id) = running(on).await;
    let mcp = Mcp::new(&test, &key);
    let arguments = json!({"search_id": id, "timeout_seconds": 45});
    let waiting = tokio::spawn(send(
        mcp.request(&rpc("tools/call", &json!({"name": "wait_for_search", "arguments": arguments}))),
    ));
    let search = canvass::ids::SearchId::parse(&id).unwrap();
    while test.app.bell.listeners_of(search) == 0 {
        tokio::task::yield_now().await;
    }
    how.happen(&test, &account).await;
    let answer = tokio::time::timeout(PATIENCE, waiting).await.expect("it ends").unwrap();
    let result: Value = answer.json()["result"].clone();
    assert_eq!(result["isError"], true, "{result}");
    assert!(result["content"][0]["text"].as_str().unwrap().contains(how.words()), "{result}");
}
