//! The connection to PostgreSQL dies between a COMMIT and its reply: nobody on this side knows what became of it. Whatever is
//! repeated under its `Idempotency-Key` is done once and paid for once.

use canvass::account::Account;
use canvass::ai::{self, Feature};
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::enrichment::Case;
use crate::support::{Answer, Mcp, On, Provider, Proxy, TestApp, rpc, send, who};

/// A POST that spends.
struct Spends {
    path: String,
    body: Value,
}

/// What an account has made and spent so far.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Made {
    searches: usize,
    watches: usize,
    /// Uses left.
    enrich: i64,
    intro: i64,
}

async fn made(test: &TestApp, account: &Account, key: &str) -> Made {
    let count = async |path| test.get(path, key).await.json().as_array().unwrap().len();
    let left = async |feature| ai::remaining(&test.app, account, feature).await.unwrap().left();
    Made {
        searches: count("/searches").await,
        watches: count("/radar/watches").await,
        enrich: left(Feature::Enrich).await,
        intro: left(Feature::Intro).await,
    }
}

async fn ask(case: &Case, what: &Spends, key: &str) -> Answer {
    let request = case.test.request(Method::POST, &what.path).header("X-API-Key", &case.key);
    let request = request.header("Idempotency-Key", key).header("Prefer", "respond-async");
    let request = request.json(&what.body);
    if what.path != "/search" {
        return send(request).await;
    }
    // A stream ends with its search; that it began is enough here.
    let response = request.send().await.unwrap();
    Answer { status: response.status(), headers: response.headers().clone(), text: String::new() }
}

/// Asks with the reply to the `nth` COMMIT lost, then again under the same key until there is an answer. `None` when the
/// request has fewer COMMITs; else what was answered, and then.
async fn ask_and_repeat(case: &Case, proxy: &Proxy, what: &Spends, nth: i64) -> Option<(Answer, Answer)> {
    let key = format!("{}-{nth}", what.path.replace('/', "-"));
    proxy.lose_reply_to_commit(nth);
    let first = ask(case, what, &key).await;
    if !proxy.let_pass() {
        assert!(first.status.is_success(), "{first:?}");
        return None;
    }
    assert!(first.status.is_success() || first.status == StatusCode::SERVICE_UNAVAILABLE, "{first:?}");
    loop {
        let again = ask(case, what, &key).await;
        if again.status != StatusCode::CONFLICT {
            return Some((first, again));
        }
        // The claim's own COMMIT was the one: nobody renews it, and it ends in seconds.
        assert!(again.headers.contains_key("retry-after"), "{again:?}");
        case.test.clock.advance_seconds(3);
    }
}

/// Loses the reply to each COMMIT of a request in turn; `per_request` is what one request changes.
async fn lose_each(case: &Case, proxy: &Proxy, what: Spends, per_request: impl Fn(Made) -> Made) -> usize {
    for nth in 1.. {
        let before = made(&case.test, &case.account, &case.key).await;
        let Some((first, again)) = ask_and_repeat(case, proxy, &what, nth).await else {
            return usize::try_from(nth).unwrap() - 1;
        };
        assert!(again.status.is_success(), "commit {nth}: {again:?}");
        let after = made(&case.test, &case.account, &case.key).await;
        assert_eq!(after, per_request(before), "commit {nth} of {}: {first:?} {again:?}", what.path);
        let third = ask(case, &what, &format!("{}-{nth}", what.path.replace('/', "-"))).await;
        assert_eq!(third.header("idempotent-replayed"), "true", "{third:?}");
        if again.status == StatusCode::OK {
            assert_eq!(third.text, again.text, "the same answer ever after");
        }
        assert_eq!(made(&case.test, &case.account, &case.key).await, after);
        // So that the next request has something to do, and room to do it.
        for search in case.test.get("/searches?status=running", &case.key).await.json().as_array().unwrap() {
            case.test.post(&format!("/searches/{}/stop", search["id"].as_str().unwrap()), &case.key, &json!({})).await;
        }
        for watch in case.test.get("/radar/watches", &case.key).await.json().as_array().unwrap() {
            let path = format!("/radar/watch/{}", watch["id"].as_str().unwrap());
            send(case.test.request(Method::DELETE, &path).header("X-API-Key", &case.key)).await;
        }
    }
    unreachable!("a request has few commits");
}

fn search_body() -> Value {
    json!({"industry": "plumber", "location": "Plainville, Sandbox", "requested_count": 5})
}

/// An account with leads behind a proxy.
async fn case() -> (Case, &'static Proxy) {
    let (on, proxy) = On::behind_a_proxy().await;
    (Case::new(on, 12, |_| {}).await, proxy)
}

#[tokio::test]
async fn a_search_whose_commit_is_not_heard_of_is_started_once() {
    let (case, proxy) = case().await;
    for path in ["/search/start", "/searches"] {
        let what = Spends { path: path.into(), body: search_body() };
        let commits = lose_each(&case, proxy, what, |made| Made { searches: made.searches + 1, ..made }).await;
        assert!(commits >= 3, "the claim, the search and the answer are committed: {commits}");
    }
}

#[tokio::test]
async fn a_streamed_search_whose_commit_is_not_heard_of_is_started_once() {
    let (case, proxy) = case().await;
    let what = Spends { path: "/search".into(), body: search_body() };
    let commits = lose_each(&case, proxy, what, |made| Made { searches: made.searches + 1, ..made }).await;
    assert!(commits >= 3, "{commits}");
}

#[tokio::test]
async fn a_watch_whose_commit_is_not_heard_of_is_made_once() {
    let (case, proxy) = case().await;
    let what = Spends { path: "/radar/watch".into(), body: json!({"lead_id": case.leads[0]}) };
    let commits = lose_each(&case, proxy, what, |made| Made { watches: made.watches + 1, ..made }).await;
    assert!(commits >= 3, "{commits}");
}

#[tokio::test]
async fn an_intro_whose_commit_is_not_heard_of_is_paid_for_once() {
    let (case, proxy) = case().await;
    let what = Spends { path: format!("/leads/{}/intro", case.leads[0]), body: json!({}) };
    let commits = lose_each(&case, proxy, what, |made| Made { intro: made.intro - 1, ..made }).await;
    assert!(commits >= 4, "the claim, the hold, the use and the answer are committed: {commits}");
}

#[tokio::test]
async fn an_enrichment_of_a_lead_whose_commit_is_not_heard_of_is_paid_for_once() {
    let (case, proxy) = case().await;
    for (lead, nth) in case.leads.iter().zip(1..) {
        let before = made(&case.test, &case.account, &case.key).await;
        let what = Spends { path: format!("/leads/{lead}/enrich"), body: json!({}) };
        let Some((_, again)) = ask_and_repeat(&case, proxy, &what, nth).await else {
            assert!(nth > 4, "the claim, the hold, the lead and the answer are committed: {nth}");
            return;
        };
        assert_eq!((again.status, &again.json()["status"]), (StatusCode::OK, &json!("enriched")), "{nth}: {again:?}");
        let after = made(&case.test, &case.account, &case.key).await;
        assert_eq!(after, Made { enrich: before.enrich - 1, ..before }, "commit {nth}");
    }
    unreachable!("a request has few commits");
}

#[tokio::test]
async fn an_enrichment_of_a_search_whose_commit_is_not_heard_of_is_one_run() {
    let (on, proxy) = On::behind_a_proxy().await;
    let provider = Provider::saying([who(Some("Jane Doe"), Some("owner"), None)]).await;
    let case = Case::asking(on, 12, &provider).await;
    for (lead, nth) in case.leads.iter().zip(1..) {
        let before = made(&case.test, &case.account, &case.key).await;
        let path = format!("/searches/{}/enrich", case.search);
        let what = Spends { path, body: json!({"lead_ids": [lead]}) };
        let Some((_, again)) = ask_and_repeat(&case, proxy, &what, nth).await else {
            assert!(nth > 2, "{nth}");
            return;
        };
        assert_eq!((again.status, &again.json()["status"]), (StatusCode::ACCEPTED, &json!("running")), "{again:?}");
        case.test.work().await;
        let key = format!("{}-{nth}", what.path.replace('/', "-"));
        let done = ask(&case, &what, &key).await;
        assert_eq!(
            (done.status, &done.json()["enriched"]),
            (StatusCode::OK, &json!(1)),
            "not the 202 of before: {done:?}"
        );
        assert_eq!(done.header("idempotent-replayed"), "true");
        assert_eq!(ask(&case, &what, &key).await.text, done.text, "and that is what is remembered");
        let after = made(&case.test, &case.account, &case.key).await;
        assert_eq!(after, Made { enrich: before.enrich - 1, ..before }, "commit {nth}");
    }
    unreachable!("a request has few commits");
}

#[tokio::test]
async fn a_search_an_assistant_starts_is_started_once_though_its_commit_is_not_heard_of() {
    let (case, proxy) = case().await;
    let assistant = Mcp::new(&case.test, &case.key);
    for nth in 1.. {
        let before = made(&case.test, &case.account, &case.key).await;
        let mut arguments = search_body();
        arguments["client_request_id"] = json!(format!("call-{nth}"));
        let message = rpc("tools/call", &json!({"name": "start_search", "arguments": arguments}));
        proxy.lose_reply_to_commit(nth);
        send(assistant.request(&message)).await;
        if !proxy.let_pass() {
            assert!(nth > 3, "{nth}");
            return;
        }
        let again = loop {
            let again = send(assistant.request(&message)).await.json();
            if again["result"]["isError"] == false {
                break again;
            }
            assert!(again.to_string().contains("still under way"), "{again}");
            case.test.clock.advance_seconds(3);
        };
        assert!(again["result"]["structuredContent"]["search_id"].is_string(), "{again}");
        let after = made(&case.test, &case.account, &case.key).await;
        assert_eq!(after.searches, before.searches + 1, "commit {nth}");
        let id = again["result"]["structuredContent"]["search_id"].as_str().unwrap();
        case.test.post(&format!("/searches/{id}/stop"), &case.key, &json!({})).await;
    }
}
