//! What is stored of a business that is suppressed later.

use canvass::db::sql;
use canvass::radar::{self, Which};
use canvass::removal::Removed;
use http::{Method, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};

use super::{businesses, phone, searched, suppress, with_sites};
use crate::support::Home::{Email, Words};
use crate::support::{Answer, On, TestApp, lead_texts, send};

/// What gives the first business away, wherever it is written.
const TRACES: [&str; 4] = ["business0-plumbing", "Business 0", "127.0.7.1:", "5550100"];

fn assert_nothing_left(what: &str, text: &str) {
    for trace in TRACES {
        assert!(!text.contains(trace), "{what} still has {trace}: {text}");
    }
}

/// Asks for an intro under an idempotency key.
async fn intro(test: &TestApp, key: &str, lead: &str) -> Answer {
    let request = test.request(Method::POST, &format!("/leads/{lead}/intro")).header("X-API-Key", key);
    send(request.header("Idempotency-Key", "once").json(&json!({}))).await
}

async fn watch(test: &TestApp, key: &str, lead: &str) -> Answer {
    test.post("/radar/watch", key, &json!({"lead_id": lead})).await
}

/// Every text of the database in which a business could be named.
async fn stored_texts(test: &TestApp) -> String {
    let statements = [
        "select business from watch",
        "select baseline from watch",
        "select business_name from radar_alert",
        "select coalesce(body, '') from idempotency",
    ];
    let mut texts = lead_texts(test).await.concat();
    for statement in statements {
        let rows: Vec<(String,)> = sql(statement).all(&test.app.db).await.unwrap();
        rows.into_iter().for_each(|(text,)| texts += &text);
    }
    texts
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stored_leads_are_blanked_in_all_accounts_and_stay_paid_for(#[case] on: On) {
    let (test, _sites) = with_sites(on, [Email, Email]).await;
    let (account, key) = test.whole_account(100).await;
    let (_, other) = test.whole_account(100).await;
    let id = searched(&test, &key, 2).await;
    let of_other = searched(&test, &other, 2).await;
    let before = test.leads(&key, &id).await;
    let lead = before[0]["lead_id"].as_str().unwrap();
    assert_eq!(before[0]["primary_email"], "joe@business0-plumbing.com", "{before:?}");
    let list = format!("/searches/{id}/leads");
    let tag = test.get(&list, &key).await.header("etag").to_owned();
    assert_eq!(intro(&test, &key, lead).await.status, StatusCode::OK);
    assert_eq!(watch(&test, &key, lead).await.status, StatusCode::OK);

    // The domain stands in the email only.
    let suppressed = suppress(&test.app, &["business0-plumbing.com"]).await;
    assert_eq!((suppressed.added, suppressed.removed), (1, Removed { leads_blanked: 2, watches_removed: 1 }));
    let after = test.leads(&key, &id).await;
    assert_eq!(after[1], before[1], "the other business is as it was");
    assert_blank(&after[0], &before[0]);
    assert_eq!(businesses(&test, &other, &of_other).await, ["suppressed", "1"]);
    assert_ne!(test.get(&list, &key).await.header("etag"), tag, "caches notice");
    assert_eq!(test.get(&format!("/leads/{lead}"), &key).await.json(), after[0]);
    for path in [
        format!("/searches/{id}/events"),
        format!("/searches/{id}/export"),
        format!("/searches/{id}/campaign-export?channel=crm"),
        "/radar/watches".to_owned(),
        "/radar/alerts".to_owned(),
    ] {
        let answer = test.get(&path, &key).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        assert_nothing_left(&path, &answer.text);
        assert!(!path.contains("export") || !answer.text.contains("Removed"), "{path} leaves it out: {answer:?}");
    }
    assert_nothing_left("the database", &stored_texts(&test).await);
    assert_eq!(test.search(&key, &id).await["leads_found"], 2);
    test.ledger_in_step(&account, 2).await;
    assert_nothing_works_on(&test, &key, lead).await;
    let again = suppress(&test.app, &["business0-plumbing.com"]).await;
    assert_eq!((again.added, again.removed), (0, Removed::default()));
}

/// Asserts that nothing but the fact of its delivery is left of a lead.
fn assert_blank(lead: &Value, before: &Value) {
    assert_eq!(lead.as_object().unwrap().len(), before.as_object().unwrap().len(), "no member is missing: {lead}");
    for (name, value) in lead.as_object().unwrap() {
        match name.as_str() {
            "lead_id" | "search_id" | "delivered_at" => assert_eq!(value, &before[name]),
            "business_name" => assert_eq!(value, "Removed on request"),
            "business_id" => assert_eq!(value, "suppressed"),
            "site_status" => assert_eq!(value, "none"),
            "signals" => {
                assert_eq!((&value["score"], &value["reasons"]), (&json!(0), &json!([])), "{value}");
                assert_eq!(value["basic"]["detected"], false);
            }
            _ => {
                assert!(
                    [json!(null), json!(false), json!(""), json!([]), json!({})].contains(value),
                    "{name}: {value}"
                );
            }
        }
    }
}

/// Asserts that a blanked lead can be neither enriched nor written to nor watched, also not by a repeat.
async fn assert_nothing_works_on(test: &TestApp, key: &str, lead: &str) {
    let refused = [
        test.post(&format!("/leads/{lead}/enrich"), key, &json!({})).await,
        test.post(&format!("/leads/{lead}/intro"), key, &json!({})).await,
        intro(test, key, lead).await,
        watch(test, key, lead).await,
    ];
    for answer in refused {
        assert_eq!((answer.status, answer.code().as_str()), (StatusCode::NOT_FOUND, "not_found"), "{answer:?}");
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watch_ends_without_a_read_or_with_the_first_that_shows_it(#[case] on: On) {
    let (test, sites) = with_sites(on, [Words, Words, Words]).await;
    let (_, key) = test.whole_account(100).await;
    let id = searched(&test, &key, 3).await;
    for lead in test.leads(&key, &id).await {
        assert_eq!(watch(&test, &key, lead["lead_id"].as_str().unwrap()).await.status, StatusCode::OK);
    }
    // Nothing stored has this email: only the website will.
    let suppressed = suppress(&test.app, &["joe@business1-plumbing.com", &phone(0)]).await;
    assert_eq!(suppressed.removed, Removed { leads_blanked: 1, watches_removed: 1 });
    sites.set(1, Email);
    let read = sites.asked(0);
    let swept = radar::check_now(&test.app, Which::All).await.unwrap();
    assert_eq!((swept.checked, swept.alerts), (1, 0), "{swept:?}");
    let watches = test.get("/radar/watches", &key).await.json();
    let names: Vec<&str> = watches.as_array().unwrap().iter().filter_map(|one| one["business_name"].as_str()).collect();
    assert_eq!(names, ["Business 2"]);
    let asked = sites.asked(1);
    radar::check_now(&test.app, Which::All).await.unwrap();
    assert_eq!((sites.asked(0), sites.asked(1)), (read, asked), "neither is read again");
}
