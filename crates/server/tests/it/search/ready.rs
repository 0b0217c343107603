//! Leads are delivered as their websites are read: none waits for another, and the search ends the same every time.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use canvass::App;
use canvass::app::Ports;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::Home::{Email, Wait, Words};
use crate::support::{Home, More, On, Scripted, Sites, TestApp};

/// A server whose listings have these websites, the key of an account, and a search of it.
async fn searching(on: On, sites: &Sites, request: Value) -> (TestApp, String, String) {
    let addresses = sites.addresses();
    let source = Arc::new(Scripted::listing(sites.listings()));
    let test = TestApp::build(on, |settings| settings.allow_addresses = addresses, More::default(), Some(source)).await;
    let (_, key) = test.whole_account(100).await;
    let mut body = json!({"industry": "plumber", "location": "Plainville, Sandbox"});
    body.as_object_mut().unwrap().extend(request.as_object().unwrap().clone());
    let id = test.start(&key, body).await;
    (test, key, id)
}

/// The numbers of the businesses of a search's leads, in the order in which they are listed.
async fn businesses(test: &TestApp, key: &str, id: &str, sort: &str) -> Vec<String> {
    let leads = test.get(&format!("/searches/{id}/leads{sort}"), key).await.json();
    leads.as_array().unwrap().iter().map(|lead| lead["business_id"].as_str().unwrap().to_owned()).collect()
}

fn named(numbers: &[usize]) -> Vec<String> {
    numbers.iter().map(|number| format!("test:{number}")).collect()
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_website_holds_back_no_lead_but_its_own(#[case] on: On) {
    let sites = Sites::serve([Wait, Words, Email, Words, Wait, Words]).await;
    let (test, key, id) = searching(on, &sites, json!({"requested_count": 6})).await;
    let worker = test.worker();
    let running = test.until(&key, &id, |search| search["leads_found"] == 4).await;
    assert_eq!(running["status"], "running");
    assert_eq!(running["coverage"]["candidates"], 4, "those that wait are not settled");
    sites.set(4, Words);
    test.until(&key, &id, |search| search["leads_found"] == 5).await;
    sites.set(0, Words);
    test.until(&key, &id, |search| search["status"] == "done").await;
    drop(worker);
    assert_eq!(businesses(&test, &key, &id, "").await, named(&[0, 1, 2, 3, 4, 5]), "listed by rank");
    let delivered = businesses(&test, &key, &id, "?sort=delivered").await;
    assert_eq!(delivered[4..], named(&[4, 0]), "delivered as they were ready");
    let events = test.get(&format!("/searches/{id}/events"), &key).await.text;
    let places: Vec<usize> =
        delivered.iter().map(|business| events.find(&format!("\"{business}\"")).unwrap()).collect();
    assert!(places.is_sorted(), "events come as leads come: {places:?}");
    let csv = test.get(&format!("/searches/{id}/export"), &key).await.text;
    let places: Vec<usize> = (0..6).map(|number| csv.find(&format!("Business {number}")).unwrap()).collect();
    assert!(places.is_sorted(), "the file is in order of rank: {places:?}");
}

/// Which two of four businesses are delivered when the first of them, which is slow, turns out to be `first`.
async fn first_two(on: On, first: Home) -> (Vec<String>, Value) {
    let sites = Sites::serve([Wait, Email, Words, Email, Email]).await;
    let request = json!({"requested_count": 2, "filters": {"has_email": true}});
    let (test, key, id) = searching(on, &sites, request).await;
    let worker = test.worker();
    test.until(&key, &id, |search| search["leads_found"] == 1).await;
    assert_eq!(businesses(&test, &key, &id, "").await, named(&[1]), "the second is certain to be among the first two");
    sites.set(0, first);
    let done = test.until(&key, &id, |search| search["status"] == "done").await;
    drop(worker);
    (businesses(&test, &key, &id, "").await, done["coverage"].clone())
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_has_email_the_first_that_fit_are_taken_however_slow_they_are(#[case] on: On) {
    let (found, coverage) = first_two(on, Email).await;
    assert_eq!(found, named(&[0, 1]));
    assert_eq!(
        (&coverage["candidates"], &coverage["filtered"]),
        (&json!(2), &json!({})),
        "nothing behind the last lead"
    );
    let (found, coverage) = first_two(on, Words).await;
    assert_eq!(found, named(&[1, 3]));
    assert_eq!((&coverage["candidates"], &coverage["filtered"]), (&json!(4), &json!({"email": 2})));
    assert_eq!(coverage["sites_read"], 4);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_next_worker_reads_no_settled_website_again_and_skips_none(#[case] on: On) {
    let sites = Sites::serve([Words, Wait, Email, Words, Wait, Email, Email]).await;
    let request = json!({"requested_count": 5, "filters": {"has_email": true}});
    let (test, key, id) = searching(on, &sites, request).await;
    let worker = test.worker();
    test.until(&key, &id, |search| search["leads_found"] == 3).await;
    let settled = [0, 2, 3, 5, 6];
    assert!(settled.iter().all(|number| sites.asked(*number) == 1));
    // Handed back by a process that stops; another one, which has read nothing yet, goes on.
    worker.send(()).unwrap();
    let source = Scripted::listing(sites.listings());
    let given = source.given();
    let ports = Ports { clock: test.app.clock.clone(), source: Some(Arc::new(source)), ..Ports::default() };
    let other = App::new(test.app.db.clone(), test.app.settings.clone(), ports);
    sites.set(1, Email);
    sites.set(4, Words);
    while test.search(&key, &id).await["status"] == "running" {
        canvass::work::until_idle(&other).await.unwrap();
        test.clock.advance_seconds(1);
    }
    assert_eq!(businesses(&test, &key, &id, "").await, named(&[1, 2, 5, 6]));
    assert!(settled.iter().all(|number| sites.asked(*number) == 1), "what was settled is not read again");
    assert_eq!(given.load(Ordering::SeqCst), 0, "what was listed is not listed again");
    let done = test.search(&key, &id).await;
    assert_eq!(done["coverage"]["filtered"], json!({"email": 3}), "{done}");
    assert_eq!(done["coverage"]["stopped_because"], "area_exhausted");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn no_more_listings_are_taken_than_the_search_can_use(#[case] on: On) {
    let source = Arc::new(Scripted::of(1_000));
    let given = source.given();
    let test = TestApp::listing(on, source).await;
    let (_, key) = test.whole_account(100).await;
    test.start(&key, json!({"industry": "plumber", "location": "Plainville, Sandbox", "requested_count": 7})).await;
    test.work().await;
    assert_eq!(given.load(Ordering::SeqCst), 7);
}
