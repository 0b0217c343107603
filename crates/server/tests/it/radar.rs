//! Radar: what is watched, what is told, and what is not.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use canvass::App;
use canvass::account::{self, Account, Email, NewAccount};
use canvass::app::Ports;
use canvass::clock::{Clock, Moment, SetClock, SystemClock};
use canvass::config::Settings;
use canvass::db::{self, Db, sql};
use canvass::ids::{AccountId, Ids, LeadId, SystemIds};
use canvass::lead::{self, Lock, Wanted};
use canvass::plan::{AddOn, Tier};
use canvass::radar::{self, Alert, Feed, Which};
use canvass::search::{self, StartRequest};
use canvass::steps::{Step, Steps};
use canvass::{sandbox, work};
use http::{Method, StatusCode};
use rstest::rstest;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::support::{Answer, Binary, On, TestApp, fresh_schema_url, send};

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
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn alerts_are_the_changes_of_the_world_no_more_and_no_fewer(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.whole_account(10_000).await;
    let restless = [("restaurant", 50), ("dentist", 30), ("hair salon", 40)];
    let mut watched = watch_all(&test, &key, "Changeville, Sandbox", &restless).await;
    watched.extend(watch_all(&test, &key, "Plainville, Sandbox", &[("restaurant", 70), ("plumber", 30)]).await);
    assert!(watched.len() >= 200, "{}", watched.len());
    let business_of = business_ids(&watched);

    let age = grow_older(&test.app, 2).await;
    check_twice(&test).await;
    let alerts = all_alerts(&test.app.db, account.id).await;
    let expected = truth(&test.app, business_of.values().cloned(), (0, age));
    assert!(expected.len() > 50, "{}", expected.len());
    assert_true(&told(&alerts, &business_of), &expected);

    for change in alerts.iter().flat_map(|alert| &alert.changes.0) {
        assert!(change.summary.ends_with('.') && change.evidence.url.starts_with("http"), "{change:?}");
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_site_that_is_down_for_one_check_raises_nothing(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.whole_account(1_000).await;
    let delivered = leads(&test, &key, ("restaurant", 60), "Plainville, Sandbox").await;
    let world = test.app.sandbox.as_ref().unwrap().world.clone();
    let status = |lead: &Value, age: u32| {
        let id = lead["business_id"].as_str().unwrap().strip_prefix("sandbox:").unwrap().to_owned();
        world.truth(&world.business(&id).unwrap(), age).site_status
    };
    let down = |lead: &&Value| (1..40).find(|age| status(lead, 0) == "ok" && status(lead, *age) == "error");
    let (lead, age) = delivered.iter().find_map(|lead| Some((lead, down(&lead)?))).unwrap();
    let watched = watch(&test, &key, lead).await;
    let before = test.get("/radar/watches", &key).await.json();

    grow_older(&test.app, age).await;
    check_twice(&test).await;
    assert!(all_alerts(&test.app.db, account.id).await.is_empty());
    let watches = test.get("/radar/watches", &key).await.json();
    assert_eq!((&watches[0]["site_status"], &watches[0]["score"]), (&json!("error"), &before[0]["score"]));
    let path = format!("/radar/watch/{}/history", watched["id"].as_str().unwrap());
    let checks = test.get(&path, &key).await.json();
    assert_eq!((&checks[0]["complete"], &checks[0]["changes"]), (&json!(false), &json!([])), "{checks}");

    // Up again, it is held against what was known before it went down.
    let age = grow_older(&test.app, 1).await;
    check_twice(&test).await;
    let business_of = business_ids(std::slice::from_ref(lead));
    let alerts = all_alerts(&test.app.db, account.id).await;
    let expected = truth(&test.app, business_of.values().cloned(), (0, age));
    assert_true(&told(&alerts, &business_of), &expected);
    assert_eq!(test.get("/radar/watches", &key).await.json()[0]["site_status"], "ok");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pixel_that_vanishes_for_one_read_raises_nothing(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.whole_account(1_000).await;
    watch_all(&test, &key, "Flickertown, Sandbox", &[("restaurant", 30)]).await;
    // Pixels are there on the first read, missing on the second, there on the third.
    test.clock.advance_seconds(A_DAY);
    let first = radar::check_now(&test.app, Which::Due).await.unwrap();
    assert!(first.in_doubt > 5, "pixels were to be missing: {first:?}");
    assert_eq!(radar::check_now(&test.app, Which::Due).await.unwrap().checked, 0, "it is too soon for a second read");
    test.clock.advance_seconds(A_WHILE);
    let second = radar::check_now(&test.app, Which::Due).await.unwrap();
    assert_eq!((second.checked, second.in_doubt), (first.in_doubt, 0));
    // The same when somebody asks for every check now: the second read follows at once.
    let asked = radar::check_now(&test.app, Which::All).await.unwrap();
    assert_eq!((asked.alerts, asked.in_doubt), (0, 0), "{asked:?}");
    assert_eq!(all_alerts(&test.app.db, account.id).await, vec![]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_never_read_completely_is_learnt_before_anything_is_told() {
    let test = TestApp::new(On::Sqlite).await;
    let (account, key) = test.whole_account(1_000).await;
    let delivered = leads(&test, &key, ("restaurant", 10), "Changeville, Sandbox").await;
    let mut tx = test.app.db.begin().await.unwrap();
    sql("update lead set facts = replace(facts, '\"complete\":true', '\"complete\":false')")
        .run(&mut tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    for lead in &delivered {
        watch(&test, &key, lead).await;
    }
    let begun = grow_older(&test.app, 1).await;
    test.work().await;
    let watches = radar::list(&test.app.db, account.id).await.unwrap();
    assert!(watches.iter().all(|watch| watch.last_checked_at.is_some()), "it is not put off");
    assert_eq!(all_alerts(&test.app.db, account.id).await, vec![]);
    let age = grow_older(&test.app, 1).await;
    check_twice(&test).await;
    let business_of = business_ids(&delivered);
    let expected = truth(&test.app, business_of.values().cloned(), (begun, age));
    assert_true(&told(&all_alerts(&test.app.db, account.id).await, &business_of), &expected);
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
    for body in [json!({"lead_id": id}), json!({"lead_id": "nonsense"}), json!({"lead_id": first["id"]})] {
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
    for since in [since.to_owned(), since.replace('+', "%2B")] {
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

/// Alerts in the feed when paging begins, and those that come meanwhile, from several writers.
const ALERTS_BEFORE: usize = 4_000;
const WRITERS: usize = 8;
const ALERTS_EACH: usize = 125;
const ALERTS_ALL: usize = ALERTS_BEFORE + WRITERS * ALERTS_EACH;

/// Tells so many things in one transaction.
async fn tell(app: &App, watch: &radar::Watch, count: usize) {
    let mut tx = app.db.begin().await.unwrap();
    for _ in 0..count {
        radar::tell(app, &mut tx, watch, (&[], 50)).await.unwrap();
    }
    tx.commit().await.unwrap();
}

/// Pages through the feed as `page` gives it, until everything was seen; waits for news when there are none.
async fn page_through(news: &watch::Receiver<()>, page: impl AsyncFn(&str) -> Vec<(String, String)>) -> Vec<String> {
    let (mut news, mut ids, mut since) = (news.clone(), Vec::new(), "1970-01-01T00:00:00.000000+00:00".to_owned());
    while ids.len() < ALERTS_ALL {
        news.mark_unchanged();
        let alerts = page(&since).await;
        if alerts.is_empty() {
            news.changed().await.unwrap();
        }
        for (id, created_at) in alerts {
            assert!(created_at > since, "{created_at} comes after {since}");
            since = created_at;
            ids.push(id);
        }
    }
    ids
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn paging_through_five_thousand_alerts_loses_and_repeats_nothing(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.whole_account(100).await;
    let lead = leads(&test, &key, ("restaurant", 1), "Plainville, Sandbox").await.remove(0);
    watch(&test, &key, &lead).await;
    let watch = radar::list(&test.app.db, account.id).await.unwrap().remove(0);
    for _ in 0..ALERTS_BEFORE / 200 {
        tell(&test.app, &watch, 200).await;
    }
    let (ring, news) = watch::channel(());
    // The clock stands still: all of them write in the same microsecond.
    let writing = (0..WRITERS).map(|_| {
        let (app, watch, ring) = (test.app.clone(), watch.clone(), ring.clone());
        tokio::spawn(async move {
            for _ in 0..ALERTS_EACH {
                tell(&app, &watch, 1).await;
                ring.send_replace(());
            }
        })
    });
    let writing: Vec<_> = writing.collect();
    let one = async |since: &str| {
        let feed = Feed { since: Moment::parse(since), limit: 1 };
        let alerts = radar::alerts(&test.app.db, account.id, feed).await.unwrap();
        alerts.iter().map(|alert| (alert.id.to_string(), alert.created_at.to_string())).collect()
    };
    let many = async |since: &str| {
        let page = test.get(&format!("/radar/alerts?limit=200&since={since}"), &key).await.json();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        page.as_array().unwrap().iter().map(|alert| (text(&alert["id"]), text(&alert["created_at"]))).collect()
    };
    let (ones, pages, again) =
        tokio::join!(page_through(&news, one), page_through(&news, many), page_through(&news, many));
    for writer in writing {
        writer.await.unwrap();
    }
    let everything: Vec<String> =
        all_alerts(&test.app.db, account.id).await.iter().map(|alert| alert.id.to_string()).collect();
    assert_eq!(everything.iter().collect::<BTreeSet<_>>().len(), ALERTS_ALL);
    assert!(ones == everything && pages == everything && again == everything);
}

/// Where watches are stored, as several processes see it.
struct Stored {
    binary: Binary,
    url: Option<String>,
}

impl Stored {
    async fn new(on: On) -> Stored {
        let url = match on {
            On::Sqlite => None,
            On::Postgres => Some(fresh_schema_url().await),
        };
        let binary = match &url {
            Some(url) => Binary::new().set("CANVASS_DATABASE_URL", url),
            None => Binary::new(),
        };
        Stored { binary, url }
    }

    /// An application of its own, so many seconds ahead of time.
    async fn app(&self, seconds: i64) -> App {
        app_in(&self.binary.data(), self.url.as_deref(), seconds, Ports::default()).await
    }
}

async fn app_in(data: &Path, url: Option<&str>, seconds: i64, ports: Ports) -> App {
    let db = db::open(url, data).await.unwrap();
    db::migrate(&db, data).await.unwrap();
    let clock = Arc::new(SetClock::at(SystemClock.now().plus_seconds(seconds)));
    App::new(db, Settings { data: data.into(), ..Settings::default() }, Ports { clock, ..ports })
}

/// Restless businesses that are watched, so many of each trade, in a world one step older.
async fn begin(app: &App, trades: &[&str], count: i64) -> (Account, HashMap<LeadId, String>, u32) {
    let email = Email::parse("owner@example.com").unwrap();
    let new = NewAccount { email, tier: Tier::Scale, credits: Some(1_000), add_ons: AddOn::ALL.to_vec() };
    let account = account::create(app, new).await.unwrap();
    let mut business_of = HashMap::new();
    for trade in trades {
        business_of.extend(watch_trade(app, &account, trade, count).await);
    }
    let age = grow_older(app, 1).await;
    (account, business_of, age)
}

async fn watch_trade(app: &App, account: &Account, trade: &str, count: i64) -> HashMap<LeadId, String> {
    let request = StartRequest {
        industry: trade.into(),
        location: "Changeville, Sandbox".into(),
        requested_count: Some(count),
        ..StartRequest::default()
    };
    let search = search::start(app, account, request, None).await.unwrap().search().id;
    work::until_idle(app).await.unwrap();
    let mut listed = lead::list(&app.db, search, &Wanted::default(), Lock::Open).await.unwrap();
    let mut business_of = HashMap::new();
    for row in listed.next_rows().await.unwrap() {
        radar::watch(app, account, row.id, None).await.unwrap();
        business_of.insert(row.id, lead::parse(&row.body).unwrap().business_id);
    }
    business_of
}

/// Tells the test program, started once more, that it is a checker: where to check and where to die.
const CHECK_IN: &str = "TEST_CHECK_IN";
const CHECK_ON: &str = "TEST_CHECK_ON";
const DIE_AT: &str = "TEST_CHECK_DIE_AT";

/// Dies when a step is reached for the third time.
#[derive(Debug)]
struct DieAt(Step, AtomicUsize);

impl Steps for DieAt {
    fn reach(&self, step: Step) {
        if step == self.0 && self.1.fetch_add(1, Ordering::SeqCst) == 2 {
            let me = Pid::from_raw(i32::try_from(std::process::id()).unwrap()).unwrap();
            kill_process(me, Signal::KILL).unwrap();
        }
    }
}

/// The checker that dies. Does nothing unless it is started by the test below, as a process of its own.
#[tokio::test]
async fn as_a_checker() {
    #[expect(clippy::disallowed_methods, reason = "what the test below tells its own processes")]
    let asked = |name: &str| std::env::var(name).ok();
    let (Some(data), Some(step)) = (asked(CHECK_IN), asked(DIE_AT)) else { return };
    let step = Step::CHECK.into_iter().find(|known| format!("{known:?}") == step).unwrap();
    let ports = Ports { steps: Arc::new(DieAt(step, AtomicUsize::new(0))), ..Ports::default() };
    let app = app_in(Path::new(&data), asked(CHECK_ON).as_deref(), A_DAY, ports).await;
    radar::until_idle(&app).await.unwrap();
    unreachable!("it dies before it is done");
}

/// Seconds after which a dead worker's watches are taken over.
const LEASE_OVER: i64 = 10 * 60;

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_any_step_of_a_check_no_alert_is_lost_or_told_twice(#[case] on: On) {
    for step in Step::CHECK {
        let stored = Stored::new(on).await;
        let app = stored.app(0).await;
        let (account, business_of, age) = begin(&app, &["restaurant"], 15).await;
        let mut checker = Command::new(std::env::current_exe().unwrap());
        checker.args(["--exact", "radar::as_a_checker"]).env(CHECK_IN, stored.binary.data());
        checker.env(DIE_AT, format!("{step:?}")).envs(stored.url.iter().map(|url| (CHECK_ON, url)));
        let status = checker.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        assert!(!status.success() && status.code().is_none(), "it was to be killed at {step:?}: {status:?}");

        // Others come when the lease has run out, and once more to confirm.
        radar::until_idle(&stored.app(A_DAY + LEASE_OVER).await).await.unwrap();
        radar::until_idle(&stored.app(A_DAY + LEASE_OVER + A_WHILE).await).await.unwrap();
        let expected = truth(&app, business_of.values().cloned(), (0, age));
        assert_true(&told(&all_alerts(&app.db, account.id).await, &business_of), &expected);
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_random_moments_the_command_loses_and_repeats_no_alert(#[case] on: On) {
    let stored = Stored::new(on).await;
    let app = stored.app(0).await;
    let (account, business_of, age) = begin(&app, &["restaurant"], 40).await;
    for _ in 0..4 {
        let mut checking = stored.binary.command(&["radar", "check", "--all"]);
        let mut checking = checking.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut chance = [0; 1];
        SystemIds.fill(&mut chance);
        std::thread::sleep(Duration::from_millis(100 + 4 * u64::from(chance[0])));
        kill_process(Pid::from_raw(i32::try_from(checking.id()).unwrap()).unwrap(), Signal::KILL).unwrap();
        checking.wait().unwrap();
    }
    radar::check_now(&stored.app(LEASE_OVER).await, Which::All).await.unwrap();
    let expected = truth(&app, business_of.values().cloned(), (0, age));
    assert_true(&told(&all_alerts(&app.db, account.id).await, &business_of), &expected);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_workers_check_no_watch_twice(#[case] on: On) {
    let stored = Stored::new(on).await;
    let app = stored.app(0).await;
    let (account, business_of, age) = begin(&app, &["restaurant", "dentist", "hair salon"], 70).await;
    let checks = async || {
        let watches = radar::list(&app.db, account.id).await.unwrap();
        watches.into_iter().map(|watch| (watch.business_id, watch.checks)).collect::<BTreeMap<_, _>>()
    };
    let before = checks().await;
    let (one, other) = (stored.app(A_DAY).await, stored.app(A_DAY).await);
    let (first, second) = tokio::join!(radar::check_now(&one, Which::Due), radar::check_now(&other, Which::Due));
    let (first, second) = (first.unwrap(), second.unwrap());
    assert_eq!(first.checked + second.checked, business_of.len() as u64);
    assert!(first.checked > 0 && second.checked > 0, "both had a part: {first:?} {second:?}");
    let once_more: BTreeMap<String, i64> = before.into_iter().map(|(id, checks)| (id, checks + 1)).collect();
    assert_eq!(checks().await, once_more, "each was checked once");
    radar::until_idle(&stored.app(A_DAY + A_WHILE).await).await.unwrap();
    let expected = truth(&app, business_of.values().cloned(), (0, age));
    assert_true(&told(&all_alerts(&app.db, account.id).await, &business_of), &expected);
}
