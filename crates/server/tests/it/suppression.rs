//! Suppression: who is on the list is neither read, delivered, charged, exported nor watched, and what was stored is blanked.

mod command;
mod stored;

use std::sync::Arc;

use canvass::App;
use canvass::app::Ports;
use canvass::db::sql;
use canvass::listing::Listing;
use canvass::removal::{self, Removed, Suppressed};
use canvass::suppression::{self, Entry, RemoveError, parse};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::Home::{Email, Wait, Words};
use crate::support::{Home, More, On, Scripted, Sites, TestApp};

/// The phone of the listing with this number.
fn phone(number: usize) -> String {
    format!("+1512555010{number}")
}

/// A server whose listings have phones and these websites.
async fn with_sites(on: On, homes: impl IntoIterator<Item = Home>) -> (TestApp, Sites) {
    let sites = Sites::serve(homes).await;
    let with_phone = |(number, listing): (usize, Listing)| Listing { phone: Some(phone(number)), ..listing };
    let listings = sites.listings().into_iter().enumerate().map(with_phone).collect();
    let (addresses, source) = (sites.addresses(), Arc::new(Scripted::listing(listings)));
    let test = TestApp::build(on, |settings| settings.allow_addresses = addresses, More::default(), Some(source)).await;
    (test, sites)
}

fn entries(typed: &[&str]) -> Vec<Entry> {
    typed.iter().map(|typed| parse(typed, None).unwrap()).collect()
}

async fn suppress(app: &App, typed: &[&str]) -> Suppressed {
    removal::suppress(app, &entries(typed), None).await.unwrap()
}

fn plumbers(count: i64) -> Value {
    json!({"industry": "plumber", "location": "Plainville, Sandbox", "requested_count": count})
}

/// Runs a search to its end, and gives its id.
async fn searched(test: &TestApp, key: &str, count: i64) -> String {
    let id = test.start(key, plumbers(count)).await;
    test.work().await;
    id
}

/// The numbers of the businesses that a search delivered, by rank.
async fn businesses(test: &TestApp, key: &str, id: &str) -> Vec<String> {
    let leads = test.leads(key, id).await;
    leads.iter().map(|lead| lead["business_id"].as_str().unwrap().trim_start_matches("test:").to_owned()).collect()
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_suppressed_business_is_neither_read_nor_delivered_nor_charged(#[case] on: On) {
    let (test, sites) = with_sites(on, [Words, Words, Words, Words]).await;
    let (account, key) = test.whole_account(100).await;
    suppress(&test.app, &[&phone(1)]).await;
    let id = searched(&test, &key, 3).await;
    assert_eq!(businesses(&test, &key, &id).await, ["0", "2", "3"]);
    assert_eq!([0, 1, 2, 3].map(|number| sites.asked(number)), [1, 0, 1, 1]);
    let done = test.search(&key, &id).await;
    assert_eq!((&done["leads_found"], &done["coverage"]["filtered"]), (&json!(3), &json!({"suppressed": 1})), "{done}");
    test.ledger_in_step(&account, 3).await;
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_only_the_website_shows_is_recognised_after_the_read(#[case] on: On) {
    let (test, _sites) = with_sites(on, [Email, Email, Email, Words, Words]).await;
    let (account, key) = test.whole_account(100).await;
    suppress(&test.app, &["joe@business0-plumbing.com", "business2-plumbing.com"]).await;
    let id = searched(&test, &key, 3).await;
    assert_eq!(
        businesses(&test, &key, &id).await,
        ["1", "3", "4"],
        "others take the places of those that are left out"
    );
    let coverage = test.search(&key, &id).await["coverage"].clone();
    assert_eq!((&coverage["filtered"], &coverage["sites_read"]), (&json!({"suppressed": 2}), &json!(5)), "{coverage}");
    assert_eq!(coverage["candidates"], 5);
    test.ledger_in_step(&account, 3).await;
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_business_suppressed_while_its_search_runs_is_not_charged(#[case] on: On) {
    let (test, sites) = with_sites(on, [Wait, Email, Email, Email]).await;
    let (account, key) = test.whole_account(100).await;
    let mut request = plumbers(1);
    request["filters"] = json!({"has_email": true});
    let id = test.start(&key, request).await;
    let worker = test.worker();
    // The second is read, and waits until it is known whether the first fits.
    while sites.asked(1) == 0 {
        tokio::task::yield_now().await;
    }
    suppress(&test.app, &[&phone(1), "joe@business2-plumbing.com"]).await;
    sites.set(0, Words);
    let done = test.until(&key, &id, |search| search["status"] == "done").await;
    drop(worker);
    assert_eq!(businesses(&test, &key, &id).await, ["3"]);
    assert_eq!(done["coverage"]["filtered"], json!({"email": 1, "suppressed": 2}), "{done}");
    test.ledger_in_step(&account, 1).await;
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_website_is_suppressed_with_all_that_is_below_its_domain(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.whole_account(100).await;
    let first = searched(&test, &key, 5).await;
    let before = test.leads(&key, &first).await;
    let website =
        before.iter().find_map(|lead| lead["website"].as_str().filter(|site| site.contains(".localhost"))).unwrap();
    assert_eq!(suppress(&test.app, &[website]).await.removed.leads_blanked, 1);
    let second = searched(&test, &key, 5).await;
    let after = test.leads(&key, &second).await;
    assert_eq!(after.len(), 5);
    assert!(after.iter().all(|lead| lead["website"] != website), "{after:?}");
    assert_eq!(test.search(&key, &second).await["coverage"]["filtered"]["suppressed"], 1);
    test.ledger_in_step(&account, 10).await;
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_processes_see_changes_of_the_list(#[case] on: On) {
    let (test, _sites) = with_sites(on, [Words]).await;
    let other = App::new(test.app.db.clone(), test.app.settings.clone(), Ports::default());
    let knows = async || other.suppressions.current().await.unwrap().covers_phone(&phone(0), None);
    assert!(!knows().await);
    suppress(&test.app, &[&phone(0)]).await;
    while !knows().await {
        tokio::task::yield_now().await;
    }
    let before = canvass::db::statements();
    for _ in 0..1_000 {
        assert!(knows().await);
    }
    assert!(canvass::db::statements() - before < 100, "the list is not read for every question");
    suppression::remove(&test.app, &entries(&[&phone(0)])).await.unwrap();
    while knows().await {
        tokio::task::yield_now().await;
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_taken_off_the_list_is_found_again_and_old_leads_stay_blank(#[case] on: On) {
    let (test, _sites) = with_sites(on, [Email, Words]).await;
    let (_, key) = test.whole_account(100).await;
    let first = searched(&test, &key, 2).await;
    // More entries than the database is asked for by pattern.
    let others: Vec<String> = (0..40).map(|number| format!("other{number}.com")).collect();
    let mut typed: Vec<&str> = others.iter().map(String::as_str).collect();
    typed.push("business0-plumbing.com");
    let suppressed = suppress(&test.app, &typed).await;
    assert_eq!((suppressed.added, suppressed.removed.leads_blanked), (41, 1));
    assert_eq!(businesses(&test, &key, &first).await, ["suppressed", "1"]);
    let missing = entries(&["business0-plumbing.com", "never-added.com"]);
    let refused = suppression::remove(&test.app, &missing).await.unwrap_err();
    assert!(matches!(&refused, RemoveError::NotListed(missing) if *missing == ["never-added.com"]), "{refused}");
    assert_eq!(suppression::list(&test.app.db).await.unwrap().len(), 41, "all or none");
    suppression::remove(&test.app, &missing[..1]).await.unwrap();
    let second = searched(&test, &key, 2).await;
    assert_eq!(businesses(&test, &key, &second).await, ["0", "1"]);
    assert_eq!(businesses(&test, &key, &first).await, ["suppressed", "1"]);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_delivered_in_the_same_instant_is_blanked_within_a_minute(#[case] on: On) {
    let (test, _sites) = with_sites(on, [Words, Words]).await;
    let (account, key) = test.whole_account(100).await;
    test.app.suppressions.current().await.unwrap();
    // As if another process had added it a moment ago, and this one had not noticed.
    let mut tx = test.app.db.begin().await.unwrap();
    let insert = sql("insert into suppression (entry, added_at) values ($1, $2)");
    insert.bind(format!("phone:{}", phone(0))).bind(test.app.clock.now()).run(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    let id = searched(&test, &key, 2).await;
    assert_eq!(businesses(&test, &key, &id).await, ["0", "1"]);
    canvass::chores::run(&test.app).await;
    assert_eq!(businesses(&test, &key, &id).await, ["suppressed", "1"]);
    test.ledger_in_step(&account, 2).await;
    assert_eq!(removal::catch_up(&test.app).await.unwrap(), Removed::default());
}
