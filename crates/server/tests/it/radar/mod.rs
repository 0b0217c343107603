//! Radar: what is watched, and how it is shown.

mod memory;
mod paging;
mod restart;
mod truth;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use canvass::App;
use canvass::clock::Moment;
use canvass::config::Settings;
use canvass::db::{Db, sql};
use canvass::ids::{AccountId, LeadId};
use canvass::plan::{AddOn, Tier};
use canvass::radar::{self, Alert, Feed, Which};
use canvass::sandbox;
use http::{Method, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Answer, On, TestApp, send};

/// Seconds after which every watch is due again, however its turn was spread.
const A_DAY: i64 = 27 * 60 * 60;
/// Seconds after which a second read confirms.
const A_WHILE: i64 = 31 * 60;

/// What changed: field, before, after. What stands for nothing is null, as the world tells it.
type Moved = (String, Option<String>, Option<String>);

/// What changed, by business.
type Told = BTreeMap<String, BTreeSet<Moved>>;

/// Delivers so many leads of a trade in a place.
async fn leads(test: &TestApp, key: &str, (trade, count): (&str, i64), place: &str) -> Vec<Value> {
    let id = test.start(key, json!({"industry": trade, "location": place, "requested_count": count})).await;
    test.work().await;
    test.leads(key, &id).await
}

async fn watch(test: &TestApp, key: &str, lead: &Value) -> Value {
    let answer = test.post("/radar/watch", key, &json!({"lead_id": lead["lead_id"]})).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer.json()
}

/// Leads of several trades, so many of each, all of them watched.
async fn watch_all(test: &TestApp, key: &str, place: &str, trades: &[(&str, i64)]) -> Vec<Value> {
    let mut watched = Vec::new();
    for (trade, count) in trades {
        for lead in leads(test, key, (trade, *count), place).await {
            test.clock.advance_seconds(1);
            watch(test, key, &lead).await;
            watched.push(lead);
        }
    }
    watched
}

/// Makes the world older, and waits until its websites show it.
async fn grow_older(app: &App, steps: u32) -> u32 {
    let age = sandbox::advance(&app.db, steps).await.unwrap();
    while app.sandbox.as_ref().unwrap().age(&app.db).await != age {
        tokio::task::yield_now().await;
    }
    age
}

/// Checks everything, twice where something is in doubt.
async fn check_twice(test: &TestApp) {
    test.clock.advance_seconds(A_DAY);
    test.work().await;
    test.clock.advance_seconds(A_WHILE);
    test.work().await;
}

/// Every alert of an account, read page by page.
async fn all_alerts(db: &Db, account: AccountId) -> Vec<Alert> {
    let mut alerts: Vec<Alert> = Vec::new();
    loop {
        let since = Some(alerts.last().map_or(Moment::from_micros(0), |alert| alert.created_at));
        let page = radar::alerts(db, account, Feed { since, limit: 200 }).await.unwrap();
        if page.is_empty() {
            return alerts;
        }
        alerts.extend(page);
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::Bool(false) => None,
        Value::String(text) if text == "custom" => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// What alerts told, the score aside; no change may be told twice.
fn told(alerts: &[Alert], business_of: &HashMap<LeadId, String>) -> Told {
    let mut told = Told::new();
    for alert in alerts {
        let of_business = told.entry(business_of[&alert.lead].clone()).or_default();
        for change in alert.changes.0.iter().filter(|change| change.field != radar::Field::Score) {
            let change = (change.field.name().to_owned(), text(&change.before), text(&change.after));
            assert!(of_business.insert(change.clone()), "told twice: {change:?}");
        }
    }
    told.retain(|_, changes| !changes.is_empty());
    told
}

/// What the world says has changed.
fn truth(app: &App, businesses: impl Iterator<Item = String>, (from, to): (u32, u32)) -> Told {
    let world = &app.sandbox.as_ref().unwrap().world;
    let changes = businesses.map(|id| {
        let business = world.business(id.strip_prefix("sandbox:").unwrap()).unwrap();
        let changes = world.changes(&business, from, to);
        (id, changes.into_iter().map(|change| (change.field.to_owned(), change.before, change.after)).collect())
    });
    changes.filter(|(_, changes): &(_, BTreeSet<Moved>)| !changes.is_empty()).collect()
}

fn business_ids(leads: &[Value]) -> HashMap<LeadId, String> {
    let lead_id = |lead: &Value| LeadId::parse(lead["lead_id"].as_str().unwrap()).unwrap();
    leads.iter().map(|lead| (lead_id(lead), lead["business_id"].as_str().unwrap().to_owned())).collect()
}

/// Asserts that what was told is the truth, and says where it is not.
fn assert_true(told: &Told, truth: &Told) {
    let businesses: BTreeSet<&String> = told.keys().chain(truth.keys()).collect();
    let wrong: Vec<String> = businesses
        .into_iter()
        .filter(|id| told.get(*id) != truth.get(*id))
        .map(|id| format!("{id}: told {:?}, is {:?}", told.get(id), truth.get(id)))
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), truth.len(), wrong.join("\n"));
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn watching_is_bound_to_the_add_on_the_cap_and_ones_own_leads(#[case] on: On) {
    let change = |settings: &mut Settings| settings.plans.of_mut(Tier::Growth).radar_cap = 2;
    let test = TestApp::with(on, change, Default::default()).await;
    let account = test.account_with(Tier::Growth, 100, &[AddOn::Radar]).await;
    let key = test.key(&account).await;
    let delivered = leads(&test, &key, ("dentist", 3), "Plainville, Sandbox").await;

    let (_, without) = test.account(Tier::Growth, 10).await;
    let id = delivered[0]["lead_id"].as_str().unwrap().to_owned();
    for (method, path) in [
        (Method::POST, "/radar/watch".to_owned()),
        (Method::GET, "/radar/watches".to_owned()),
        (Method::GET, "/radar/alerts".to_owned()),
        (Method::DELETE, format!("/radar/watch/{id}")),
        (Method::GET, format!("/radar/watch/{id}/history")),
    ] {
        let answer = send(test.request(method, &path).header("X-API-Key", &without).json(&json!({}))).await;
        assert_eq!((answer.status, answer.code().as_str()), (StatusCode::FORBIDDEN, "radar_required"), "{path}");
    }

    let first = watch(&test, &key, &delivered[0]).await;
    let expected = json!({"id": first["id"], "business_name": delivered[0]["business_name"], "watching": true, "used": 1, "cap": 2});
    assert_eq!(first, expected);
    assert_eq!(watch(&test, &key, &delivered[0]).await, first, "watching twice returns the same watch");
    let second = watch(&test, &key, &delivered[1]).await;
    assert_eq!(second["used"], 2);
    let full = test.post("/radar/watch", &key, &json!({"lead_id": delivered[2]["lead_id"]})).await;
    assert_eq!((full.status, full.code().as_str()), (StatusCode::BAD_REQUEST, "radar_cap_reached"));
    assert_eq!(watch(&test, &key, &delivered[0]).await["id"], first["id"], "what is watched stays so at the cap");

    let other = test.account_with(Tier::Growth, 10, &[AddOn::Radar]).await;
    let stranger = test.key(&other).await;
    let long = json!({"lead_id": "x".repeat(5_000)});
    let malformed = [json!({"lead_id": "nonsense"}), json!({"lead_id": "a\u{0}b"}), long];
    for body in [json!({"lead_id": id}), json!({"lead_id": first["id"]})].into_iter().chain(malformed) {
        let answer = test.post("/radar/watch", &stranger, &body).await;
        assert_eq!((answer.status, answer.code().as_str()), (StatusCode::NOT_FOUND, "not_found"), "{body}");
    }
    for body in [json!({}), json!({"lead_id": 5}), json!({"lead_id": id, "lead": 1})] {
        assert_eq!(test.post("/radar/watch", &key, &body).await.status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
    }
    unwatch_once(&test, &key, &stranger, first["id"].as_str().unwrap()).await;
    assert_eq!(watch(&test, &key, &delivered[2]).await["used"], 2);
}

async fn unwatch_once(test: &TestApp, key: &str, stranger: &str, id: &str) {
    let path = format!("/radar/watch/{id}");
    let delete = async |key: &str| send(test.request(Method::DELETE, &path).header("X-API-Key", key)).await;
    assert_eq!(delete(stranger).await.status, StatusCode::NOT_FOUND);
    assert_eq!(test.get(&format!("{path}/history"), stranger).await.status, StatusCode::NOT_FOUND);
    let gone = delete(key).await;
    assert_eq!((gone.status, gone.json()), (StatusCode::OK, json!({"id": id, "watching": false, "used": 1, "cap": 2})));
    assert_eq!(delete(key).await.status, StatusCode::NOT_FOUND);
    assert_eq!(test.get(&format!("{path}/history"), key).await.status, StatusCode::NOT_FOUND);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn many_who_watch_at_once_stay_below_the_cap(#[case] on: On) {
    let change = |settings: &mut Settings| settings.plans.of_mut(Tier::Scale).radar_cap = 5;
    let test = TestApp::with(on, change, Default::default()).await;
    let (_, key) = test.whole_account(100).await;
    let delivered = leads(&test, &key, ("restaurant", 12), "Plainville, Sandbox").await;
    let asking = delivered.iter().map(|lead| {
        let body = json!({"lead_id": lead["lead_id"]});
        let (test, key) = (&test, &key);
        async move { test.post("/radar/watch", key, &body).await }
    });
    let answers: Vec<Answer> = futures::future::join_all(asking).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == StatusCode::OK).count(), 5);
    assert_eq!(test.get("/radar/watches", &key).await.json().as_array().unwrap().len(), 5);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn watches_alerts_and_history_are_shown_as_the_contract_says(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.whole_account(1_000).await;
    let watched = watch_all(&test, &key, "Changeville, Sandbox", &[("restaurant", 30)]).await;
    let listed = test.get("/radar/watches", &key).await.json();
    let last = &listed[0];
    assert_eq!(last["business_name"], watched.last().unwrap()["business_name"], "newest first");
    assert_eq!((&last["watching"], &last["last_checked_at"]), (&json!(true), &Value::Null));
    assert_eq!(last["score"], watched.last().unwrap()["signals"]["score"]);
    let keys: Vec<&String> = last.as_object().unwrap().keys().collect();
    let expected = [
        "business_id",
        "business_name",
        "created_at",
        "id",
        "last_checked_at",
        "lead_id",
        "next_check_at",
        "score",
        "site_status",
        "watching",
    ];
    assert_eq!(keys, expected);

    grow_older(&test.app, 1).await;
    let swept = radar::check_now(&test.app, Which::All).await.unwrap();
    assert_eq!((swept.checked, swept.in_doubt), (watched.len() as u64, 0), "{swept:?}");
    let newest = test.get("/radar/alerts?limit=200", &key).await.json();
    let newest = newest.as_array().unwrap();
    assert_eq!(newest.len() as u64, swept.alerts);
    assert!(newest.len() > 5 && newest.is_sorted_by(|a, b| a["created_at"].as_str() > b["created_at"].as_str()));
    let alert = &newest[0];
    for member in ["id", "watch_id", "lead_id", "business_name", "changes", "score", "created_at"] {
        assert!(!alert[member].is_null(), "{member} in {alert}");
    }
    let change = &alert["changes"][0];
    for member in ["field", "change", "before", "after", "summary", "evidence"] {
        assert!(change.get(member).is_some(), "{member} in {change}");
    }
    // From any alert on, a plus that became a space included.
    let since = newest[2]["created_at"].as_str().unwrap();
    let bare = since.split_once('+').unwrap().0.to_owned();
    for since in [since.to_owned(), since.replace('+', "%2B"), bare] {
        let later = test.get(&format!("/radar/alerts?since={since}"), &key).await.json();
        assert_eq!(later, json!([newest[1], newest[0]]), "strictly after, oldest first");
    }
    for wrong in ["?since=yesterday", "?limit=0", "?limit=201", "?page=2"] {
        let answer = test.get(&format!("/radar/alerts{wrong}"), &key).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
    }
    let path = format!("/radar/watch/{}/history", alert["watch_id"].as_str().unwrap());
    let checks = test.get(&path, &key).await.json();
    assert_eq!((&checks[0]["number"], &checks[0]["changes"]), (&json!(1), &alert["changes"]));
    assert_eq!(checks[0]["score"], alert["score"]);
    let (_, stranger) = test.whole_account(1).await;
    assert_eq!(test.get("/radar/alerts", &stranger).await.json(), json!([]));

    // Nothing has changed since: nothing is told, and every watch has the score that a new search gives.
    assert_eq!(radar::check_now(&test.app, Which::All).await.unwrap().alerts, 0);
    let watches = radar::list(&test.app.db, account.id).await.unwrap();
    let scores: BTreeMap<String, i64> = watches.into_iter().map(|watch| (watch.business_id, watch.score)).collect();
    for lead in leads(&test, &key, ("restaurant", 30), "Changeville, Sandbox").await {
        assert_eq!(scores[lead["business_id"].as_str().unwrap()], lead["signals"]["score"], "{lead}");
    }

    // What is told stays told when the watch is gone.
    radar::unwatch(&test.app, account.id, canvass::ids::WatchId::parse(alert["watch_id"].as_str().unwrap()).unwrap())
        .await
        .unwrap();
    assert_eq!(test.get("/radar/alerts?limit=1", &key).await.json()[0], *alert);
}

#[tokio::test]
async fn an_account_that_lost_the_add_on_is_not_checked() {
    let test = TestApp::new(On::Sqlite).await;
    let (account, key) = test.whole_account(100).await;
    let lead = leads(&test, &key, ("restaurant", 1), "Plainville, Sandbox").await.remove(0);
    watch(&test, &key, &lead).await;
    let mut tx = test.app.db.begin().await.unwrap();
    sql("update account set radar = false where id = $1").bind(account.id).run(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    test.clock.advance_seconds(A_DAY);
    for which in [Which::Due, Which::All] {
        assert_eq!(radar::check_now(&test.app, which).await.unwrap().checked, 0);
    }
}

#[tokio::test]
async fn a_watch_sent_twice_under_one_key_is_one_watch() {
    let test = TestApp::new(On::Sqlite).await;
    let (_, key) = test.whole_account(100).await;
    let lead = leads(&test, &key, ("restaurant", 1), "Plainville, Sandbox").await.remove(0);
    let ask = async || {
        let request = test.request(Method::POST, "/radar/watch").header("X-API-Key", &key);
        send(request.header("Idempotency-Key", "w1").json(&json!({"lead_id": lead["lead_id"]}))).await
    };
    let (first, again) = (ask().await, ask().await);
    assert_eq!((first.status, &first.text), (StatusCode::OK, &again.text));
    assert_eq!(again.header("idempotent-replayed"), "true");
}
