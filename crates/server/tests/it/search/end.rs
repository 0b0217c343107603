//! How a search ends before it has what was asked for: stopped, or given up by its source.

use std::sync::Arc;

use canvass::listing::SourceError;
use rstest::rstest;
use serde_json::json;

use super::plumbers;
use crate::support::{Mcp, On, Scripted, TestApp};

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_stop_keeps_what_was_found_and_nothing_follows_it(#[case] on: On) {
    let (scripted, gate) = Scripted::of(500).gated();
    let test = TestApp::listing(on, Arc::new(scripted)).await;
    let (account, key) = test.whole_account(1_000).await;
    let id = test.start(&key, plumbers(400)).await;
    let working = tokio::spawn({
        let app = test.app.clone();
        async move { canvass::work::until_idle(&app).await.unwrap() }
    });
    gate.add_permits(40);
    test.until(&key, &id, |search| search["leads_found"].as_i64() > Some(20)).await;
    gate.add_permits(400);
    let stopped = test.post(&format!("/searches/{id}/stop"), &key, &json!({})).await.json();
    let at_stop = test.search(&key, &id).await;
    assert_eq!(
        (&stopped["search_id"], &stopped["stopped"], &stopped["status"]),
        (&json!(id), &json!(true), &json!("cancelled"))
    );
    assert!(stopped["detail"].as_str().unwrap().starts_with("This request stopped the search at "), "{stopped}");
    working.await.unwrap();
    let after = test.search(&key, &id).await;
    assert_eq!(after, at_stop, "after the answer nothing more is stored");
    assert_eq!((&after["status"], &after["coverage"]["stopped_because"]), (&json!("cancelled"), &json!("cancelled")));
    let found = after["leads_found"].as_i64().unwrap();
    assert_eq!(test.leads(&key, &id).await.len() as i64, found);
    test.ledger_in_step(&account, found).await;

    let again = test.post(&format!("/searches/{id}/stop"), &key, &json!({})).await.json();
    assert_eq!((&again["stopped"], &again["status"]), (&json!(false), &json!("cancelled")));
    assert_eq!(again["completed_at"], stopped["completed_at"], "when the first request stopped it");
    let told =
        format!("An earlier request had already stopped the search at {}.", stopped["completed_at"].as_str().unwrap());
    assert!(again["detail"].as_str().unwrap().starts_with(&told), "whose answer was lost is told what it did: {again}");
    let mcp = Mcp::new(&test, &key).call("stop_search", json!({"search_id": id})).await;
    assert_eq!((&mcp["stopped"], &mcp["detail"]), (&json!(false), &again["detail"]), "{mcp}");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn stopping_a_finished_search_reports_its_status(#[case] on: On) {
    let test = TestApp::listing(on, Arc::new(Scripted::of(3))).await;
    let (_, key) = test.whole_account(10).await;
    let id = test.start(&key, plumbers(3)).await;
    test.work().await;
    let stopped = test.post(&format!("/searches/{id}/stop"), &key, &json!({})).await.json();
    assert_eq!((&stopped["stopped"], &stopped["status"]), (&json!(false), &json!("done")));
    assert!(stopped["detail"].as_str().unwrap().starts_with("The search had already ended by itself at "), "{stopped}");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn passing_trouble_is_tried_again_with_patience(#[case] on: On) {
    let trouble = SourceError::transient("the provider took too long");
    let scripted = Scripted::of(20).failing(3, 5, trouble);
    let test = TestApp::listing(on, Arc::new(scripted)).await;
    let (account, key) = test.whole_account(100).await;
    let id = test.start(&key, plumbers(20)).await;
    for expected in [5, 5, 5] {
        test.work().await;
        let search = test.search(&key, &id).await;
        assert_eq!((&search["status"], &search["leads_found"]), (&json!("running"), &json!(expected)));
        test.clock.advance_seconds(10);
    }
    test.work().await;
    assert_eq!(test.search(&key, &id).await["leads_found"], 20);
    test.ledger_in_step(&account, 20).await;
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn trouble_that_does_not_pass_fails_the_search_and_says_that_a_retry_may_help(#[case] on: On) {
    let trouble = SourceError::transient("the provider took too long");
    let test = TestApp::listing(on, Arc::new(Scripted::of(20).failing(100, 5, trouble))).await;
    let (account, key) = test.whole_account(100).await;
    let id = test.start(&key, plumbers(20)).await;
    for _ in 0..10 {
        test.work().await;
        test.clock.advance_seconds(20);
    }
    let failed = test.search(&key, &id).await;
    assert_eq!((&failed["status"], &failed["leads_found"]), (&json!("failed"), &json!(5)));
    let reason = failed["failure_reason"].as_str().unwrap();
    assert!(reason.contains("Temporary") && reason.contains("worthwhile"), "{reason}");
    assert_eq!(test.leads(&key, &id).await.len(), 5, "what was delivered is kept");
    test.ledger_in_step(&account, 5).await;
}
