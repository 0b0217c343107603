//! Searches through live providers, against rehearsals that count what would be paid for: the same businesses as the sandbox has,
//! exactly charged, and none asked for twice.

mod doors;
mod merged;
mod policies;
mod retention;
mod streets;

use std::collections::BTreeSet;
use std::time::Duration;

use axum::Router;
use canvass::config::{Secret, Settings, SourceNames};
use http::StatusCode;
use rehearsal::{google, overpass};
use rstest::rstest;
use sandbox::World;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::support::{More, On, TestApp};

/// A town of the sandbox with enough businesses for several questions.
const TOWN: &str = "Georgetown, TX";

/// Serves a rehearsal, and gives its address.
pub async fn serve(router: Router) -> url::Url {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/", listener.local_addr().unwrap()).parse().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    base
}

pub fn world() -> World {
    World::new(canvass::sandbox::SEED)
}

pub fn through(settings: &mut Settings, sources: &str) {
    settings.source = SourceNames::parse(sources).unwrap();
    settings.read_websites = false;
}

/// Points a server at a rehearsal of Google.
pub async fn google_at(options: google::Options) -> (google::Rehearsal, impl Fn(&mut Settings) + Clone) {
    let key = options.key.clone();
    let rehearsal = google::Rehearsal::new(world(), options);
    let base = serve(rehearsal.router()).await;
    let set = move |settings: &mut Settings| {
        settings.maps.google_url = base.clone();
        settings.maps.google_geocode_url = base.clone();
        settings.maps.google_api_key = Some(Secret::new(&key));
    };
    (rehearsal, set)
}

pub fn google_options() -> google::Options {
    google::Options { token_delay: Duration::from_millis(20), ..google::Options::default() }
}

/// Points a server at a rehearsal of Overpass.
pub async fn overpass_at(options: overpass::Options) -> (overpass::Rehearsal, impl Fn(&mut Settings) + Clone) {
    let rehearsal = overpass::Rehearsal::new(world(), options);
    let base = serve(rehearsal.router()).await.join("api/").unwrap();
    (rehearsal, move |settings: &mut Settings| settings.maps.overpass_url = vec![base.clone()])
}

/// What tells a business, whichever source lists it.
pub fn names(leads: &[Value]) -> BTreeSet<(String, Option<String>)> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    leads.iter().map(|lead| (text(&lead["business_name"]).unwrap(), text(&lead["phone"]))).collect()
}

/// Runs a search to its end: the search and its leads.
pub async fn run(test: &TestApp, key: &str, body: Value) -> (Value, Vec<Value>) {
    let id = test.start(key, body).await;
    test.work().await;
    let search = test.search(key, &id).await;
    (search, test.leads(key, &id).await)
}

pub fn dentists() -> Value {
    json!({"industry": "dentist", "location": TOWN, "requested_count": 500})
}

/// What the sandbox itself lists.
async fn expected(on: On, body: Value) -> BTreeSet<(String, Option<String>)> {
    let test = TestApp::with(on, |settings| settings.read_websites = false, More::default()).await;
    let (_, key) = test.whole_account(1_000).await;
    let (search, leads) = run(&test, &key, body).await;
    assert_eq!(search["status"], "done", "{search}");
    names(&leads)
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn the_same_businesses_come_through_every_provider_and_are_charged_exactly(#[case] on: On) {
    let expected = expected(on, dentists()).await;
    assert!(expected.len() > 5, "{expected:?}");
    let (_, google) = google_at(google_options()).await;
    let (_, overpass) = overpass_at(overpass::Options::default()).await;
    for source in ["google", "overpass"] {
        let change = |settings: &mut Settings| {
            through(settings, source);
            google(settings);
            overpass(settings);
        };
        let test = TestApp::with(on, change, More::default()).await;
        let (account, key) = test.whole_account(1_000).await;
        let (search, leads) = run(&test, &key, dentists()).await;
        assert_eq!((&search["status"], &search["coverage"]["source"]), (&json!("done"), &json!(source)), "{search}");
        let found = names(&leads);
        // OpenStreetMap knows no two businesses of the same name and phone.
        assert_eq!(found, expected, "{source}: missing {:?}", expected.difference(&found).collect::<Vec<_>>());
        assert!(search["coverage"]["provider_calls"][source].is_object(), "{search}");
        assert!(leads.iter().all(|lead| lead["attribution"].is_string()), "{leads:?}");
        test.ledger_in_step(&account, leads.len() as i64).await;
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn what_was_paid_for_is_not_asked_for_again(#[case] on: On) {
    let (rehearsal, google) = google_at(google_options()).await;
    let change = |settings: &mut Settings| {
        through(settings, "google");
        google(settings);
    };
    let test = TestApp::with(on, change, More::default()).await;
    let (_, key) = test.whole_account(5_000).await;
    let (first, leads) = run(&test, &key, dentists()).await;
    let paid = rehearsal.log().len();
    let counted: i64 = first["coverage"]["provider_calls"]["google"]
        .as_object()
        .unwrap()
        .values()
        .map(|calls| calls.as_i64().unwrap())
        .sum();
    assert_eq!(counted, paid as i64, "every call is counted: {first}");
    let (second, again) = run(&test, &key, dentists()).await;
    assert_eq!(names(&leads), names(&again));
    assert_eq!(rehearsal.log().len(), paid, "the second search asked for nothing");
    assert_eq!(second["coverage"]["provider_calls"], json!({}), "{second}");
}

#[tokio::test]
async fn a_budget_ends_a_search_with_a_sentence_and_keeps_what_was_found() {
    let (rehearsal, google) = google_at(google_options()).await;
    let change = |settings: &mut Settings| {
        through(settings, "google");
        google(settings);
        settings.maps.google_calls_per_search = Some(2);
    };
    let test = TestApp::with(On::Sqlite, change, More::default()).await;
    let (account, key) = test.whole_account(5_000).await;
    let body = json!({"industry": "restaurant", "location": "Austin, TX", "requested_count": 500});
    let (search, leads) = run(&test, &key, body).await;
    assert_eq!(search["status"], "failed", "{search}");
    let reason = search["failure_reason"].as_str().unwrap();
    assert!(reason.contains("google_calls_per_search") && reason.contains("will not help"), "{reason}");
    assert_eq!(rehearsal.log().len(), 2);
    test.ledger_in_step(&account, leads.len() as i64).await;
}

#[tokio::test]
async fn a_wrong_key_is_said_in_a_sentence_without_the_key() {
    let (_, google) = google_at(google_options()).await;
    let change = |settings: &mut Settings| {
        through(settings, "google");
        google(settings);
        settings.maps.google_api_key = Some(Secret::new("wrong-key-of-mine"));
    };
    let test = TestApp::with(On::Sqlite, change, More::default()).await;
    let (_, key) = test.whole_account(100).await;
    let (search, leads) = run(&test, &key, dentists()).await;
    assert_eq!((&search["status"], leads.len()), (&json!("failed"), 0), "{search}");
    let reason = search["failure_reason"].as_str().unwrap();
    assert!(reason.contains("key") && !reason.contains("wrong-key-of-mine"), "{reason}");
}

#[tokio::test]
async fn a_quote_says_what_asking_will_cost_and_asks_nothing() {
    let (rehearsal, google) = google_at(google_options()).await;
    let change = |settings: &mut Settings| {
        through(settings, "google");
        google(settings);
    };
    let test = TestApp::with(On::Sqlite, change, More::default()).await;
    let (_, key) = test.whole_account(100).await;
    let quote = test.get("/search/quote?industry=dentist&location=Austin%2C%20TX", &key).await;
    assert_eq!(quote.status, StatusCode::OK, "{quote:?}");
    let notes = quote.json()["notes"].to_string();
    assert!(notes.contains("calls") && notes.contains("google"), "{notes}");
    assert_eq!(rehearsal.log().len(), 0);
}
