//! A lead that another request is working on: short holds that are renewed, and answers that are remembered only when they are final.

use std::sync::Arc;

use canvass::ai::{self, Feature, Holder, Reserved, Wanted};
use canvass::db::sql;
use http::{Method, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::Case;
use crate::support::{Answer, On, Provider, Says, send};

async fn ask(case: &Case, idempotency_key: &str) -> Answer {
    let path = format!("/leads/{}/enrich", case.leads[0]);
    let request = case.test.request(Method::POST, &path).header("X-API-Key", &case.key);
    send(request.header("Idempotency-Key", idempotency_key)).await
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_lead_whose_request_died_is_served_as_soon_as_its_hold_is_over(#[case] on: On) {
    let case = Case::new(on, 1, |_| {}).await;
    // A request that died between its hold and its answer.
    let wanted = Wanted { feature: Feature::Enrich, subject: &case.leads[0], holder: Holder::Request };
    let held = ai::reserve(&case.test.app, &case.account, wanted).await.unwrap();
    assert!(matches!(held, Reserved::Held(_)));
    let busy = ask(&case, "k").await;
    assert_eq!((busy.status, &busy.json()["reason"]), (StatusCode::OK, &json!("in_progress")), "{busy:?}");
    case.test.clock.advance_seconds(16);
    let served = ask(&case, "k").await;
    assert_eq!(served.json()["status"], "enriched", "in progress is not what the key remembers: {served:?}");
    assert!(!served.headers.contains_key("idempotent-replayed"));
    let again = ask(&case, "k").await;
    assert_eq!((again.header("idempotent-replayed"), &again.text), ("true", &served.text));
    assert_eq!(case.remaining().await, 10_000 - 1);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_job_comes_back_to_a_lead_that_a_request_was_working_on(#[case] on: On) {
    let case = Case::new(on, 3, |_| {}).await;
    let wanted = Wanted { feature: Feature::Enrich, subject: &case.leads[0], holder: Holder::Request };
    ai::reserve(&case.test.app, &case.account, wanted).await.unwrap();
    case.begin(json!({})).await;
    let _worker = case.test.worker();
    until(&case, |view| view["enriched"] == 2).await;
    case.test.clock.advance_seconds(16);
    // Shown, not asked for again: once the job is done, asking would start another.
    let done = until(&case, |view| view["status"] == "done").await;
    assert_eq!((&done["enriched"], &done["skipped"]), (&json!(3), &json!(1)), "{done}");
}

/// Waits until the enrichment shows this, and gives what it shows.
async fn until(case: &Case, reached: impl Fn(&Value) -> bool) -> Value {
    loop {
        let view = case.test.get(&case.path(), &case.key).await.json();
        if reached(&view) {
            return view;
        }
        tokio::task::yield_now().await;
    }
}

/// Waits until a hold in this table ends later than it did.
async fn until_renewed(case: &Case, query: &'static str) {
    let held = async || sql(query).one::<(i64,)>(&case.test.app.db).await.unwrap().0;
    let before = held().await;
    while held().await <= before {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_request_that_takes_long_keeps_its_key_and_its_lead(#[case] on: On) {
    let gate = Arc::new(Semaphore::new(0));
    let answer = json!({"owner_name": "Jane Doe", "owner_title": "owner", "email": null}).to_string();
    let provider = Provider::saying([Says::Gated(gate.clone(), answer)]).await;
    let case = Case::asking(on, 1, &provider).await;
    let checking = async {
        while provider.asked().is_empty() {
            tokio::task::yield_now().await;
        }
        // Almost over, then renewed, then past the first end.
        case.test.clock.advance_seconds(9);
        until_renewed(&case, "select held_until from idempotency").await;
        until_renewed(&case, "select held_until from ai_use where held_until is not null").await;
        case.test.clock.advance_seconds(9);
        let repeat = ask(&case, "k").await;
        assert_eq!((repeat.status, repeat.code().as_str()), (StatusCode::CONFLICT, "request_in_progress"));
        assert_eq!(repeat.header("retry-after"), "2");
        let other = ask(&case, "other").await;
        assert_eq!(other.json()["reason"], "in_progress", "{other:?}");
        gate.add_permits(10);
    };
    let (first, ()) = tokio::join!(ask(&case, "k"), checking);
    assert_eq!(first.json()["status"], "enriched", "{first:?}");
    assert_eq!((case.remaining().await, provider.asked().len()), (10_000 - 1, 1));
}
