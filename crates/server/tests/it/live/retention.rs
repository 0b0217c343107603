//! What Google lists is stored for `google_keep_days`; then it is deleted, and what the business's own website says stays.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::sync::Arc;

use canvass::account::Account;
use canvass::config::{GeocoderNames, Settings};
use canvass::credits;
use canvass::db::sql;
use canvass::lead::EXPIRED_NAME;
use canvass::listing::Listing;
use canvass::radar::{self, Which};
use http::{Method, StatusCode};
use rehearsal::google;
use rstest::rstest;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::{TOWN, google_at, google_options, overpass_at, run, through, world};
use crate::support::{More, On, Scripted, TestApp, csv_rows, lead_texts, listing, send};

const DAY_SECONDS: i64 = 24 * 60 * 60;

/// A server that finds businesses through Google, and reads their websites. Another source may come before.
async fn with_websites(on: On, sources: &str) -> (TestApp, google::Rehearsal) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let sites = listener.local_addr().unwrap();
    tokio::spawn(sandbox::serve(listener, world(), Arc::new(|| 0), std::future::pending()));
    let (rehearsal, google) = google_at(google::Options { site_port: sites.port(), ..google_options() }).await;
    let (_, overpass) =
        overpass_at(rehearsal::overpass::Options { sites_port: sites.port(), ..Default::default() }).await;
    let change = |settings: &mut Settings| {
        through(settings, sources);
        google(settings);
        overpass(settings);
        settings.read_websites = true;
        settings.allow_addresses = vec![sites];
    };
    (TestApp::with(on, change, More::default()).await, rehearsal)
}

/// Lets days pass, and does what every server does each minute.
async fn days_later(test: &TestApp, days: i64) {
    test.clock.advance_seconds(days * DAY_SECONDS);
    canvass::chores::run(&test.app).await;
}

/// Every text of the database in which a value of a listing could stand.
async fn stored_texts(test: &TestApp) -> String {
    let statements = [
        "select word from lead_word",
        "select business from watch",
        "select business_name from radar_alert",
        "select body from provider_answer",
        "select site_says from lead_retention",
        "select entries from search_page",
    ];
    let mut texts = lead_texts(test).await.concat();
    for statement in statements {
        let rows: Vec<(String,)> = sql(statement).all(&test.app.db).await.unwrap();
        rows.into_iter().for_each(|(text,)| texts += &text);
    }
    texts
}

/// Leads with texts that customers wrote.
async fn stored_reviews(test: &TestApp) -> usize {
    lead_texts(test).await.iter().filter(|text| text.contains("# review")).count()
}

/// Asserts that so many leads are charged, whatever was refilled since.
async fn assert_charged(test: &TestApp, account: &Account, leads: usize) {
    assert!(credits::audit(&test.app.db).await.unwrap().is_empty());
    let lines = credits::page(&test.app.db, account.id, None, 100_000).await.unwrap();
    assert_eq!(lines.iter().filter(|line| line.reason == credits::Reason::Lead).count(), leads);
}

fn dentists(count: i64) -> Value {
    json!({"industry": "dentist", "location": TOWN, "requested_count": count})
}

/// The values of a field that a website was seen to have.
fn on_website(lead: &Value, field: &str) -> Vec<Value> {
    let evidence = lead["evidence"].as_array().unwrap().iter();
    let found = evidence.filter(|one| one["field"] == field && one["method"] != "listing");
    found.map(|one| one["value"].clone()).collect()
}

/// Asserts that a lead has nothing that only Google listed, and all that its website said.
fn assert_expired(lead: &Value, before: &Value) {
    assert_eq!(lead.as_object().unwrap().len(), before.as_object().unwrap().len(), "no member is missing: {lead}");
    let kept = ["lead_id", "search_id", "business_id", "source", "delivered_at", "industry", "site_status", "emails"];
    for name in kept.into_iter().chain(["owner_name", "owner_title", "primary_email", "is_chain"]) {
        assert_eq!(lead[name], before[name], "{name}");
    }
    assert_eq!(lead["attribution"], "Google Maps");
    assert_eq!(lead["signals"]["basic"], before["signals"]["basic"]);
    assert_eq!((&lead["latitude"], &lead["longitude"]), (&Value::Null, &Value::Null));
    assert_ne!(lead["rating_source"], "google", "{lead}");
    assert!(lead["rating"].is_null() || lead["rating_source"] == "website", "{lead}");
    for field in ["phone", "hours"] {
        assert!(lead[field].is_null() || on_website(before, field).contains(&lead[field]), "{field}: {lead} {before}");
    }
    if before["site_status"] == "ok" {
        assert_eq!(lead["website"], before["website"]);
        assert!(!on_website(before, "phone").contains(&before["phone"]) || !lead["phone"].is_null(), "{lead}");
        assert_ne!(lead["business_name"], EXPIRED_NAME);
    } else {
        for gone in ["website", "phone", "address", "street", "city", "state", "postal_code", "country", "hours"] {
            assert_eq!(lead[gone], Value::Null, "{gone}");
        }
        assert_eq!(lead["business_name"], EXPIRED_NAME);
    }
    let why = lead["evidence"].as_array().unwrap().iter().filter(|one| one["method"] == "retention");
    let why: Vec<&Value> = why.collect();
    assert_eq!(why.len(), 1, "{lead}");
    assert_eq!((&why[0]["field"], &why[0]["value"]), (&json!("listing"), &json!("expired")));
    assert!(why[0]["snippet"].as_str().unwrap().contains("google listed was deleted"), "{lead}");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_google_listed_is_deleted_in_time_and_the_rest_stays(#[case] on: On) {
    let (test, rehearsal) = with_websites(on, "google").await;
    let (account, key) = test.whole_account(1_000).await;
    let (search, before) = run(&test, &key, dentists(12)).await;
    let id = search["search_id"].as_str().unwrap();
    let read: Vec<&Value> = before.iter().filter(|lead| lead["site_status"] == "ok").collect();
    let unread: Vec<&Value> = before.iter().filter(|lead| lead["site_status"] != "ok").collect();
    assert!(read.len() > 2 && !unread.is_empty(), "{before:?}");
    let watched = read[0]["lead_id"].as_str().unwrap();
    assert_eq!(test.post("/radar/watch", &key, &json!({"lead_id": watched})).await.status, StatusCode::OK);
    let mark = test.request(Method::PUT, &format!("/leads/{watched}/mark")).header("X-API-Key", &key);
    assert_eq!(send(mark.json(&json!({"starred": true, "note": "Call in May."}))).await.status, StatusCode::OK);
    assert!(stored_reviews(&test).await > 2);
    let list = format!("/searches/{id}/leads");
    let tag = test.get(&list, &key).await.header("etag").to_owned();

    days_later(&test, 29).await;
    assert_eq!(test.leads(&key, id).await, before, "nothing is deleted before its time");
    days_later(&test, 1).await;
    let after = test.leads(&key, id).await;
    assert_eq!(after.len(), before.len());
    after.iter().zip(&before).for_each(|(lead, before)| assert_expired(lead, before));
    assert_ne!(test.get(&list, &key).await.header("etag"), tag, "caches notice");
    assert_eq!(stored_reviews(&test).await, 0);
    let texts = stored_texts(&test).await;
    for lead in &unread {
        let name = lead["business_name"].as_str().unwrap();
        assert!(!texts.contains(name), "{name} is still stored");
        let words = url::form_urlencoded::byte_serialize(name.as_bytes()).collect::<String>();
        let found = test.get(&format!("/leads?q={words}"), &key).await;
        assert!(!found.text.contains(lead["lead_id"].as_str().unwrap()), "{name} still finds it: {found:?}");
    }
    let export = test.get(&format!("/searches/{id}/export"), &key).await;
    assert_eq!(csv_rows(&export.text).len(), before.len() + 1, "a row for each lead: {export:?}");
    let marks = test.get(&format!("/searches/{id}/marks"), &key).await.json();
    assert_eq!((&marks[0]["lead_id"], &marks[0]["note"]), (&json!(watched), &json!("Call in May.")));
    assert_charged(&test, &account, before.len()).await;
    intros_address_somebody(&test, &key, (read[0], unread[0])).await;
    watches_go_on(&test, &key, watched).await;
    canvass::chores::run(&test.app).await;
    assert_eq!(test.leads(&key, id).await, after, "nothing is done twice");
    found_again(&test, &key, (&before, rehearsal)).await;
}

/// Asserts that an intro is written to a business that its website names, and not to one without a name.
async fn intros_address_somebody(test: &TestApp, key: &str, (read, unread): (&Value, &Value)) {
    for (lead, status) in [(read, StatusCode::OK), (unread, StatusCode::NOT_FOUND)] {
        let path = format!("/leads/{}/intro", lead["lead_id"].as_str().unwrap());
        let answer = test.post(&path, key, &json!({})).await;
        assert_eq!(answer.status, status, "{answer:?}");
        assert!(!answer.text.contains(EXPIRED_NAME), "{answer:?}");
    }
}

/// Asserts that a watch has the name that its lead has now, and that its website is read without an alert.
async fn watches_go_on(test: &TestApp, key: &str, lead: &str) {
    let lead = test.get(&format!("/leads/{lead}"), key).await.json();
    let swept = radar::check_now(&test.app, Which::All).await.unwrap();
    assert_eq!((swept.checked, swept.alerts), (1, 0), "{swept:?}");
    let watches = test.get("/radar/watches", key).await.json();
    assert_eq!(watches[0]["business_name"], lead["business_name"], "{watches}");
    assert_eq!(watches[0]["site_status"], "ok", "{watches}");
}

/// Asserts that businesses whose content is gone still count as owned, and that a search without that filter asks Google anew.
async fn found_again(test: &TestApp, key: &str, (before, rehearsal): (&[Value], google::Rehearsal)) {
    let paid = rehearsal.log().len();
    let mut request = dentists(500);
    request["filters"] = json!({"skip_owned": true});
    let (_, others) = run(test, key, request).await;
    let ids = |leads: &[Value]| leads.iter().map(|lead| lead["business_id"].clone()).collect::<Vec<_>>();
    let owned = ids(before);
    assert!(ids(&others).iter().all(|id| !owned.contains(id)), "{others:?}");
    assert!(rehearsal.log().len() > paid, "what Google answered then is gone");
    let (_, again) = run(test, key, dentists(before.len() as i64)).await;
    let names = |leads: &[Value]| leads.iter().map(|lead| lead["business_name"].clone()).collect::<Vec<_>>();
    assert_eq!(names(&again), names(before), "what is listed now may be stored anew");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_another_source_lists_too_stays(#[case] on: On) {
    let (test, _) = with_websites(on, "overpass,google").await;
    let (account, key) = test.whole_account(1_000).await;
    let (search, before) = run(&test, &key, dentists(12)).await;
    let by = |lead: &Value, field: &str| {
        let evidence = lead["evidence"].as_array().unwrap().clone();
        let found = evidence.into_iter().find(|one| one["field"] == field && one["method"] == "listing");
        found.map(|one| one["snippet"].clone())
    };
    let merged = |lead: &Value| by(lead, "rating") == Some(json!("google"));
    assert!(before.iter().filter(|lead| merged(lead)).count() > 5, "{before:?}");
    days_later(&test, 30).await;
    let after = test.leads(&key, search["search_id"].as_str().unwrap()).await;
    for (lead, before) in after.iter().zip(&before).filter(|(_, before)| merged(before)) {
        assert_eq!(before["rating_source"], "google", "{before}");
        for field in
            ["business_name", "website", "phone", "street", "city", "state", "postal_code", "latitude", "hours"]
        {
            match by(before, field) {
                Some(source) if source == "overpass" => assert_eq!(lead[field], before[field], "{field}"),
                _ => assert!(lead[field].is_null() || before["site_status"] == "ok", "{field}: {lead}"),
            }
        }
        assert_ne!(lead["business_name"], EXPIRED_NAME);
        assert_ne!(lead["rating_source"], "google");
        assert!(!lead["evidence"].as_array().unwrap().iter().any(|one| one["snippet"] == "google"), "{lead}");
        assert!(lead["attribution"].as_str().unwrap().contains("Google Maps"), "{lead}");
    }
    assert_charged(&test, &account, before.len()).await;
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_no_days_it_stays_until_its_search_has_ended(#[case] on: On) {
    let of_google = |number| Listing { business_id: format!("google:{number}"), ..listing(number) };
    let (source, gate) = Scripted::listing((0..3).map(of_google).collect()).gated();
    let change = |settings: &mut Settings| settings.maps.google_keep_days = 0;
    let test = TestApp::build(on, change, More::default(), Some(Arc::new(source))).await;
    let (_, key) = test.whole_account(100).await;
    let id = test.start(&key, json!({"industry": "plumber", "location": TOWN, "requested_count": 3})).await;
    let worker = test.worker();
    gate.add_permits(2);
    test.until(&key, &id, |search| search["leads_found"] == 2).await;
    let names = async || {
        let leads = test.leads(&key, &id).await;
        let names = leads.iter().map(|lead| lead["business_name"].as_str().unwrap().to_owned());
        names.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    };
    canvass::chores::run(&test.app).await;
    assert_eq!(names().await, ["Business 0", "Business 1"]);
    gate.add_permits(2);
    test.until(&key, &id, |search| search["status"] == "done").await;
    drop(worker);
    canvass::chores::run(&test.app).await;
    assert_eq!(names().await, [EXPIRED_NAME]);
    let ids = test.leads(&key, &id).await.iter().map(|lead| lead["business_id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids, ["google:0", "google:1", "google:2"]);
}

#[tokio::test]
async fn where_google_located_an_address_is_remembered_no_longer_either() {
    let area = places::locate(TOWN).unwrap().place.area(places::Scope::City);
    let dentist = world().businesses(&area, places::category("dentist").unwrap()).next().unwrap();
    let (rehearsal, google) = google_at(google::Options { areas: vec![area], ..google_options() }).await;
    let change = |settings: &mut Settings| {
        google(settings);
        settings.maps.geocoders = GeocoderNames::parse("google").unwrap();
    };
    let test = TestApp::with(On::Sqlite, change, More::default()).await;
    let (_, key) = test.whole_account(100).await;
    let location = format!("{}, {TOWN}", dentist.street);
    let query = [("industry", "dentist"), ("location", &location), ("radius_miles", "5")];
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
    let quote = format!("/search/quote?{query}");
    for (days, asked) in [(0, 1), (29, 1), (2, 2)] {
        days_later(&test, days).await;
        let answer = test.get(&quote, &key).await;
        assert!(answer.text.contains("by google"), "{answer:?}");
        assert_eq!(rehearsal.log().len(), asked);
    }
}
