//! Leads of searches that ended long ago are deleted by setting; what was paid, and what `skip_owned` needs, stays.

use canvass::config::Settings;
use canvass::credits;
use canvass::db::sql;
use canvass::removal::Pruned;
use http::StatusCode;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{More, On, TestApp};

const DAY_SECONDS: i64 = 24 * 60 * 60;
const KEPT_DAYS: i64 = 30;

/// Tables in which something of a lead or of a search in progress could be left.
const EMPTIED: [&str; 7] = [
    "select count(*) from lead",
    "select count(*) from lead_word",
    "select count(*) from lead_mark",
    "select count(*) from lead_retention",
    "select count(*) from enrichment_lead",
    "select count(*) from search_page",
    "select count(*) from search_rejection",
];

async fn keeping(on: On, change: impl FnOnce(&mut Settings)) -> TestApp {
    TestApp::with(on, change, More::default()).await
}

async fn days_later(test: &TestApp, days: i64) {
    test.clock.advance_seconds(days * DAY_SECONDS);
    canvass::chores::run(&test.app).await;
}

async fn count(test: &TestApp, statement: &'static str) -> i64 {
    sql(statement).one::<(i64,)>(&test.app.db).await.unwrap().0
}

fn dentists(count: i64) -> Value {
    json!({"industry": "dentist", "location": "Plainville, Sandbox", "requested_count": count})
}

/// A search that has ended.
async fn ended(test: &TestApp, key: &str, body: Value) -> String {
    let id = test.start(key, body).await;
    test.work().await;
    id
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn leads_are_deleted_with_all_that_belongs_to_them_and_nothing_is_paid_twice(#[case] on: On) {
    let test = keeping(on, |settings| settings.keep_searches_days = Some(KEPT_DAYS)).await;
    let (account, key) = test.whole_account(300).await;
    let id = ended(&test, &key, dentists(12)).await;
    let leads = test.leads(&key, &id).await;
    let lead = leads[0]["lead_id"].as_str().unwrap();
    test.request(http::Method::PUT, &format!("/leads/{lead}/mark"))
        .header("x-api-key", &key)
        .json(&json!({"starred": true, "note": "call back"}))
        .send()
        .await
        .unwrap();
    test.post(&format!("/searches/{id}/enrich"), &key, &json!({})).await;

    days_later(&test, KEPT_DAYS - 1).await;
    assert_eq!(test.leads(&key, &id).await.len(), 12, "it is too early");
    days_later(&test, 1).await;
    for table in EMPTIED {
        assert_eq!(count(&test, table).await, 0, "{table}");
    }
    let gets = ["leads", "export", "campaign-export?channel=crm", "events", "marks"]
        .map(|what| format!("/searches/{id}/{what}"));
    for path in gets {
        let answer = test.get(&path, &key).await;
        assert_eq!((answer.status, answer.code().as_str()), (StatusCode::GONE, "leads_deleted"), "{path}");
        assert!(answer.json()["detail"].as_str().unwrap().contains("deleted 30 days after it ended"), "{answer:?}");
    }
    let enrich = test.post(&format!("/searches/{id}/enrich"), &key, &json!({})).await;
    assert_eq!((enrich.status, enrich.code().as_str()), (StatusCode::GONE, "leads_deleted"));
    assert_eq!(test.get(&format!("/leads/{lead}"), &key).await.status, StatusCode::NOT_FOUND);
    assert_eq!(test.get("/leads?q=dentist", &key).await.json(), json!([]));

    let search = test.search(&key, &id).await;
    assert_eq!(
        (&search["status"], &search["leads_found"], &search["credits_charged"]),
        (&json!("done"), &json!(12), &json!(12))
    );
    assert!(search["leads_deleted_at"].is_string(), "{search}");
    assert_eq!(count(&test, "select cast(sum(leads) as bigint) from usage_day").await, 12);
    assert!(credits::audit(&test.app.db).await.unwrap().is_empty());

    let mut body = dentists(5);
    body["filters"] = json!({"skip_owned": true});
    let again = ended(&test, &key, body).await;
    let had: Vec<&Value> = leads.iter().map(|lead| &lead["business_id"]).collect();
    let new = test.leads(&key, &again).await;
    assert!(new.len() == 5 && new.iter().all(|lead| !had.contains(&&lead["business_id"])), "{new:?}");
    assert!(test.search(&key, &again).await.get("leads_deleted_at").is_none());
    let lines = credits::page(&test.app.db, account.id, None, 1_000).await.unwrap();
    assert_eq!(lines.iter().filter(|line| line.reason == credits::Reason::Lead).count(), 12 + 5);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_watched_lead_is_deleted_when_it_is_watched_no_more(#[case] on: On) {
    let test = keeping(on, |settings| settings.keep_searches_days = Some(KEPT_DAYS)).await;
    let (_, key) = test.whole_account(300).await;
    let id = ended(&test, &key, dentists(6)).await;
    let watched = test.leads(&key, &id).await[2]["lead_id"].clone();
    let watch = test.post("/radar/watch", &key, &json!({"lead_id": watched})).await.json();
    days_later(&test, KEPT_DAYS).await;
    let left: Vec<(String,)> = sql("select id from lead").all(&test.app.db).await.unwrap();
    assert_eq!(left, [(watched.as_str().unwrap().to_owned(),)]);
    assert_eq!(test.get(&format!("/searches/{id}/leads"), &key).await.status, StatusCode::GONE);
    assert_eq!(test.get(&format!("/leads/{}", watched.as_str().unwrap()), &key).await.status, StatusCode::OK);

    let path = format!("/radar/watch/{}", watch["id"].as_str().unwrap());
    let unwatched = test.request(http::Method::DELETE, &path).header("x-api-key", &key).send().await.unwrap();
    assert_eq!(unwatched.status(), StatusCode::OK);
    days_later(&test, 0).await;
    assert_eq!(
        (count(&test, "select count(*) from lead").await, count(&test, "select count(*) from lead_word").await),
        (0, 0)
    );
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn the_text_of_websites_is_deleted_alone_and_enrichment_says_so(#[case] on: On) {
    let test = keeping(on, |settings| settings.keep_site_text_days = Some(KEPT_DAYS)).await;
    let (_, key) = test.whole_account(300).await;
    let id = ended(&test, &key, dentists(12)).await;
    let leads = test.leads(&key, &id).await;
    days_later(&test, KEPT_DAYS).await;
    assert_eq!(test.leads(&key, &id).await, leads, "leads stay as they were");
    for lead in &leads {
        let answer =
            test.post(&format!("/leads/{}/enrich", lead["lead_id"].as_str().unwrap()), &key, &json!({})).await.json();
        let reason = if lead["site_status"] == "ok" { "site_text_deleted" } else { "no_site_text" };
        assert_eq!((&answer["status"], &answer["reason"]), (&json!("skipped"), &json!(reason)), "{answer}");
    }
    assert!(leads.iter().any(|lead| lead["site_status"] == "ok"));
    // A search that ends later keeps its text until its own time has come.
    let later = ended(&test, &key, dentists(12)).await;
    days_later(&test, KEPT_DAYS - 1).await;
    let read = test.leads(&key, &later).await.into_iter().find(|lead| lead["site_status"] == "ok").unwrap();
    let answer =
        test.post(&format!("/leads/{}/enrich", read["lead_id"].as_str().unwrap()), &key, &json!({})).await.json();
    assert_ne!(answer["reason"], "site_text_deleted", "{answer}");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn an_interrupted_deletion_goes_on_and_a_damaged_lead_does_not_stop_it(#[case] on: On) {
    let test = keeping(on, |settings| settings.keep_searches_days = Some(KEPT_DAYS)).await;
    let (_, key) = test.whole_account(300).await;
    let id = ended(&test, &key, dentists(8)).await;
    test.clock.advance_seconds(KEPT_DAYS * DAY_SECONDS);
    // As a process leaves it that ends in between: announced, a part deleted, and one lead that nobody can read.
    let mut tx = test.app.db.begin().await.unwrap();
    let now = test.app.clock.now();
    sql("update search set leads_deleted_at = $1").bind(now).run(&mut tx).await.unwrap();
    sql("delete from lead where number <= 3").run(&mut tx).await.unwrap();
    sql("update lead set document = $1 where number = 5").bind(vec![9_u8, 9, 9]).run(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(test.get(&format!("/searches/{id}/leads"), &key).await.status, StatusCode::GONE, "nobody gets a part");
    let pruned = canvass::removal::prune(&test.app).await.unwrap();
    assert_eq!(pruned, Pruned { leads: 5, texts: 0 });
    assert_eq!(count(&test, "select count(*) from lead").await, 0);
    assert_eq!(canvass::removal::prune(&test.app).await.unwrap(), Pruned::default());
}

#[tokio::test]
async fn nothing_is_deleted_by_default() {
    let test = TestApp::new(On::Sqlite).await;
    let (_, key) = test.whole_account(300).await;
    let id = ended(&test, &key, dentists(4)).await;
    days_later(&test, 10_000).await;
    assert_eq!(test.leads(&key, &id).await.len(), 4);
}
