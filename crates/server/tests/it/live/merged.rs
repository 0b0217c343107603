//! Several sources as one, and what happens when one of them is down.

use canvass::config::Settings;
use rehearsal::overpass::{self, QueryFault};
use serde_json::json;

use super::{dentists, google_at, google_options, names, overpass_at, run, through};
use crate::support::{More, On, TestApp};

#[tokio::test]
async fn one_business_of_two_providers_is_one_lead() {
    let (_, google) = google_at(google_options()).await;
    let (_, overpass) = overpass_at(overpass::Options::default()).await;
    let alone = |settings: &mut Settings| {
        through(settings, "google");
        google(settings);
    };
    let test = TestApp::with(On::Sqlite, alone, More::default()).await;
    let (_, key) = test.whole_account(5_000).await;
    let (_, single) = run(&test, &key, dentists()).await;
    let both = |settings: &mut Settings| {
        through(settings, "google,overpass");
        google(settings);
        overpass(settings);
    };
    let test = TestApp::with(On::Sqlite, both, More::default()).await;
    let (account, key) = test.whole_account(5_000).await;
    let (search, merged) = run(&test, &key, dentists()).await;
    assert_eq!(search["status"], "done", "{search}");
    assert_eq!(names(&merged), names(&single));
    assert_eq!(merged.len(), single.len(), "no business twice");
    let attribution = search["coverage"]["attribution"].as_str().unwrap();
    assert!(attribution.contains("Google") && attribution.contains("OpenStreetMap"), "{attribution}");
    test.ledger_in_step(&account, merged.len() as i64).await;
}

#[tokio::test]
async fn a_source_that_is_down_is_left_out_and_the_customer_is_told() {
    let (_, google) = google_at(google_options()).await;
    let down = overpass::Options { every_query: Some(QueryFault::Status(500)), ..overpass::Options::default() };
    let (_, overpass) = overpass_at(down).await;
    let both = |settings: &mut Settings| {
        through(settings, "overpass,google");
        google(settings);
        overpass(settings);
    };
    let test = TestApp::with(On::Sqlite, both, More::default()).await;
    let (_, key) = test.whole_account(5_000).await;
    let (search, leads) = run(&test, &key, dentists()).await;
    assert_eq!(search["status"], "done", "{search}");
    assert!(leads.len() > 5 && leads.iter().all(|lead| lead["source"] == "google"), "{search}");
    let notes = search["coverage"]["notes"].to_string();
    assert!(notes.contains("overpass could not be asked"), "{notes}");
    assert!(search["coverage"]["provider_calls"]["overpass"]["query"].as_i64().unwrap_or(0) > 0, "{search}");
    assert_ne!(search["coverage"]["provider_calls"]["google"], json!(null), "{search}");
}
