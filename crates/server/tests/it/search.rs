//! The life of a search: every row of the contract's table of states, and every rule under it.

mod end;
mod ready;
mod request;

use std::sync::Arc;

use canvass::account;
use canvass::listing::Listing;
use canvass::plan::Tier;
use http::{Method, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Answer, More, On, Scripted, TestApp, listing, send};

fn plumbers(count: i64) -> Value {
    json!({"industry": "plumber", "location": "Plainville, Sandbox", "requested_count": count})
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_search_runs_delivers_charges_and_is_done(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.whole_account(100).await;
    let started = test.post("/search/start", &key, &plumbers(12)).await;
    assert_eq!(started.status, StatusCode::OK);
    let id = started.json()["search_id"].as_str().unwrap().to_owned();
    let poll = format!("/searches/{id}");
    let expected = json!({"search_id": id, "requested": 12, "status": "running", "poll": poll,
        "area": "Plainville, Sandbox", "notes": []});
    assert_eq!(started.json(), expected);

    let running = test.search(&key, &id).await;
    assert_eq!((&running["status"], &running["leads_found"]), (&json!("running"), &json!(0)));
    assert_eq!((&running["completed_at"], running.get("failure_reason")), (&Value::Null, None));
    assert_eq!(running["coverage"]["stopped_because"], Value::Null);

    test.work().await;
    let done = test.search(&key, &id).await;
    assert_eq!((&done["status"], &done["leads_found"]), (&json!("done"), &json!(12)), "{done}");
    assert_eq!(done["completed_at"], "2026-11-15T02:03:04.123456+00:00");
    assert_eq!((&done["id"], &done["credits_charged"]), (&json!(id), &json!(12)));
    assert_eq!((&done["industry"], &done["location"]), (&json!("plumber"), &json!("Plainville, Sandbox")));
    let coverage = &done["coverage"];
    assert_eq!((&coverage["stopped_because"], &coverage["delivered"]), (&json!("requested_count"), &json!(12)));
    assert_eq!((&coverage["source"], &coverage["candidates"]), (&json!("sandbox"), &json!(12)));
    assert!(coverage["sites_read"].as_i64().unwrap() > 0, "{coverage}");

    let leads = test.leads(&key, &id).await;
    assert_eq!(leads.len(), 12);
    let with_email = leads.iter().filter(|lead| !lead["primary_email"].is_null()).count();
    assert_eq!(done["emails_found"], with_email);
    assert!(with_email > 0);
    test.ledger_in_step(&account, 12).await;
    let status = test.get(&format!("{poll}/status"), &key).await.json();
    assert_eq!(status, json!({"search_id": id, "status": "done", "found": 12, "requested": 12}));
    assert_eq!(test.leads(&key, &id).await, leads, "fetching again costs nothing");
    test.ledger_in_step(&account, 12).await;
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn an_area_that_is_used_up_ends_the_search(#[case] on: On) {
    let test = TestApp::listing(on, Arc::new(Scripted::of(7))).await;
    let (account, key) = test.whole_account(100).await;
    let id = test.start(&key, plumbers(50)).await;
    test.work().await;
    let done = test.search(&key, &id).await;
    assert_eq!((&done["status"], &done["leads_found"], &done["requested"]), (&json!("done"), &json!(7), &json!(50)));
    assert_eq!(done["coverage"]["stopped_because"], "area_exhausted");
    test.ledger_in_step(&account, 7).await;
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn an_empty_town_is_not_a_blocked_one(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.whole_account(100).await;
    let empty = test.start(&key, json!({"industry": "plumber", "location": "Emptyville, Sandbox"})).await;
    let blocked = test.start(&key, json!({"industry": "plumber", "location": "Blocktown, Sandbox"})).await;
    test.work().await;
    let empty = test.search(&key, &empty).await;
    assert_eq!((&empty["status"], &empty["coverage"]["stopped_because"]), (&json!("done"), &json!("area_exhausted")));
    let blocked = test.search(&key, &blocked).await;
    assert_eq!((&blocked["status"], &blocked["coverage"]["stopped_because"]), (&json!("failed"), &json!("failed")));
    let reason = blocked["failure_reason"].as_str().unwrap();
    assert!(reason.contains("will not help"), "{reason}");
    assert!(!blocked["completed_at"].is_null());
    test.ledger_in_step(&account, 0).await;
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_search_asks_for_no_more_than_the_plan_and_the_balance_allow(#[case] on: On) {
    let test = TestApp::listing(on, Arc::new(Scripted::of(900))).await;
    let (_, growth) = test.account(Tier::Growth, 2_000).await;
    assert_eq!(test.post("/search/start", &growth, &plumbers(2_500)).await.json()["requested"], 500);
    let (account, poor) = test.account(Tier::Growth, 9).await;
    let started = test.post("/search/start", &poor, &plumbers(100)).await;
    assert_eq!(started.json()["requested"], 9);
    test.work().await;
    test.ledger_in_step(&account, 9).await;
    let broke = test.post("/search/start", &poor, &plumbers(1)).await;
    assert_eq!((broke.status, broke.code().as_str()), (StatusCode::BAD_REQUEST, "insufficient_credits"));
    let default = json!({"industry": "plumber", "location": "Plainville, Sandbox"});
    assert_eq!(test.post("/search/start", &growth, &default).await.json()["requested"], 25);
}

#[rstest]
#[case::two_sqlite(On::Sqlite, 2)]
#[case::two_postgres(On::Postgres, 2)]
#[case::ten_sqlite(On::Sqlite, 10)]
#[case::ten_postgres(On::Postgres, 10)]
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn searches_that_share_a_small_balance_share_it_exactly(#[case] on: On, #[case] searches: usize) {
    let listings = Some(Arc::new(Scripted::of(300)) as Arc<dyn canvass::listing::Source>);
    let test = TestApp::build(on, |settings| settings.running_searches = 10, More::default(), listings).await;
    let (account, key) = test.whole_account(137).await;
    let mut ids = Vec::new();
    for _ in 0..searches {
        ids.push(test.start(&key, plumbers(100)).await);
    }
    let workers = (0..3).map(|_| {
        let app = test.app.clone();
        tokio::spawn(async move { canvass::work::until_idle(&app).await.unwrap() })
    });
    futures::future::join_all(workers).await;
    let mut total = 0;
    for id in &ids {
        let search = test.search(&key, id).await;
        assert_eq!(search["status"], "done", "{search}");
        let found = search["leads_found"].as_i64().unwrap();
        let because = if found == 100 { "requested_count" } else { "credits" };
        assert_eq!(search["coverage"]["stopped_because"], because, "{search}");
        assert_eq!(test.leads(&key, id).await.len() as i64, found);
        total += found;
    }
    assert_eq!(total, 137);
    test.ledger_in_step(&account, 137).await;
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn listing_filters_look_on_until_enough_match(#[case] on: On) {
    let rated = |number: usize| Listing { rating: Some((number % 5) as f64 + 0.5), ..listing(number) };
    let test = TestApp::listing(on, Arc::new(Scripted::listing((0..100).map(rated).collect()))).await;
    let (account, key) = test.whole_account(100).await;
    let body = json!({"industry": "plumber", "location": "Plainville, Sandbox", "requested_count": 10, "filters": {"min_rating": 4.5}});
    let id = test.start(&key, body).await;
    test.work().await;
    let search = test.search(&key, &id).await;
    assert_eq!(search["leads_found"], 10);
    assert_eq!(search["coverage"]["filtered"], json!({"rating": 40}));
    assert_eq!(search["coverage"]["candidates"], 50);
    assert!(test.leads(&key, &id).await.iter().all(|lead| lead["rating"] == 4.5));
    test.ledger_in_step(&account, 10).await;
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn leads_without_an_email_are_dropped_before_charging(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.whole_account(100).await;
    let mut body = plumbers(20);
    body["filters"] = json!({"has_email": true});
    let id = test.start(&key, body).await;
    test.work().await;
    let search = test.search(&key, &id).await;
    let found = search["leads_found"].as_i64().unwrap();
    let dropped = search["coverage"]["filtered"]["email"].as_i64().unwrap();
    assert!(found > 0 && dropped > 0, "{search}");
    assert_eq!(search["coverage"]["candidates"].as_i64(), Some(found + dropped + others(&search)));
    assert_eq!(search["emails_found"], found);
    assert!(test.leads(&key, &id).await.iter().all(|lead| !lead["emails"].as_array().unwrap().is_empty()));
    test.ledger_in_step(&account, found).await;
}

/// What was left out for other reasons than the email.
fn others(search: &Value) -> i64 {
    let filtered = search["coverage"]["filtered"].as_object().unwrap();
    filtered.iter().filter(|(reason, _)| *reason != "email").map(|(_, count)| count.as_i64().unwrap()).sum()
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn owned_businesses_are_skipped_when_asked_and_duplicates_always(#[case] on: On) {
    let mut listings: Vec<Listing> = (0..30).map(listing).collect();
    listings[4].business_id = listings[3].business_id.clone();
    let test = TestApp::listing(on, Arc::new(Scripted::listing(listings))).await;
    let (account, key) = test.whole_account(100).await;
    let first = test.start(&key, plumbers(10)).await;
    test.work().await;
    assert_eq!(test.search(&key, &first).await["coverage"]["filtered"], json!({"duplicate": 1}));

    let again = test.start(&key, plumbers(10)).await;
    test.work().await;
    let ids = |leads: Vec<Value>| leads.iter().map(|lead| lead["business_id"].clone()).collect::<Vec<_>>();
    let (first, again) = (ids(test.leads(&key, &first).await), ids(test.leads(&key, &again).await));
    assert_eq!(first, again, "the same query gives the same leads in the same order");

    let mut body = plumbers(100);
    body["filters"] = json!({"skip_owned": true});
    let rest = test.start(&key, body.clone()).await;
    test.work().await;
    let search = test.search(&key, &rest).await;
    assert_eq!(search["coverage"]["filtered"], json!({"duplicate": 1, "owned": 10}));
    let rest = ids(test.leads(&key, &rest).await);
    assert_eq!(rest.len(), 19);
    assert!(rest.iter().all(|id| !first.contains(id)));
    test.ledger_in_step(&account, 39).await;

    let (_, other) = test.whole_account(100).await;
    let theirs = test.start(&other, body).await;
    test.work().await;
    assert_eq!(test.leads(&other, &theirs).await.len(), 29, "what one account has is nothing to another");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn the_plan_sets_the_widest_scope(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (_, growth) = test.account(Tier::Growth, 100).await;
    let (_, agency) = test.account(Tier::Agency, 100).await;
    let (_, scale) = test.account(Tier::Scale, 100).await;
    let cases = [
        (json!({"location": "Austin, TX"}), "city", [true, true, true]),
        (json!({"location": "Austin, TX", "scope": "county"}), "county", [true, true, true]),
        (json!({"location": "Austin, TX", "scope": "state"}), "state", [false, true, true]),
        (json!({"location": "Austin, TX", "scope": "country"}), "country", [false, false, true]),
        (json!({"location": "Travis County, TX"}), "county", [true, true, true]),
        (json!({"location": "Texas"}), "state", [false, true, true]),
        (json!({"location": "78701", "radius_miles": 15}), "city", [true, true, true]),
        (json!({"location": "78701", "radius_miles": 50, "scope": "country"}), "county", [true, true, true]),
        (json!({"location": "78701", "radius_miles": 51}), "state", [false, true, true]),
    ];
    for (fields, scope, allowed) in cases {
        for (key, allowed) in [&growth, &agency, &scale].into_iter().zip(allowed) {
            let mut body = json!({"industry": "dentist", "requested_count": 1});
            body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            let answer = test.post("/search/start", key, &body).await;
            if !allowed {
                assert_eq!(
                    (answer.status, answer.code().as_str()),
                    (StatusCode::BAD_REQUEST, "scope_too_wide"),
                    "{body}"
                );
                continue;
            }
            let id = answer.json()["search_id"].as_str().unwrap_or_else(|| panic!("{body} {answer:?}")).to_owned();
            assert_eq!(test.search(key, &id).await["scope"], scope, "{body}");
            test.post(&format!("/searches/{id}/stop"), key, &json!({})).await;
        }
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn the_history_is_newest_first_bounded_and_ones_own(#[case] on: On) {
    let listings = Some(Arc::new(Scripted::of(1)) as Arc<dyn canvass::listing::Source>);
    let test = TestApp::build(on, |settings| settings.running_searches = 1_000, More::default(), listings).await;
    let (_, key) = test.whole_account(1_000).await;
    let mut ids = Vec::new();
    for _ in 0..105 {
        test.clock.advance_seconds(1);
        ids.push(test.start(&key, plumbers(1)).await);
    }
    let listed = async |query: &str| {
        let list = test.get(&format!("/searches{query}"), &key).await.json();
        list.as_array().unwrap().iter().map(|search| search["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    ids.reverse();
    assert_eq!(listed("").await, ids[..100]);
    assert_eq!(listed("?limit=3").await, ids[..3]);
    test.post(&format!("/searches/{}/stop", ids[7]), &key, &json!({})).await;
    assert_eq!(listed("?status=cancelled").await, ids[7..8]);
    let since = test.search(&key, &ids[4]).await["created_at"].as_str().unwrap().to_owned();
    assert_eq!(listed(&format!("?since={since}")).await, ids[..4], "a plus that became a space is understood");
    assert_eq!(listed(&format!("?since={}", since.replace('+', "%2B"))).await, ids[..4]);
    let bare = since.split_once('+').unwrap().0;
    assert_eq!(listed(&format!("?since={bare}")).await, ids[..4], "without an offset it is UTC");
    assert_eq!(listed("?since=2026-11-16").await, Vec::<String>::new(), "a date is its midnight");
    assert_eq!(listed("?since=&status=&limit=").await, ids[..100], "an empty parameter counts as absent");
    for wrong in ["?status=gone", "?since=yesterday", "?limit=0", "?limit=101", "?page=2"] {
        let answer = test.get(&format!("/searches{wrong}"), &key).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
    }
    let (_, stranger) = test.whole_account(10).await;
    assert_eq!(test.get("/searches", &stranger).await.json(), json!([]));
    for (method, path) in
        [(Method::GET, ""), (Method::GET, "/leads"), (Method::POST, "/stop"), (Method::GET, "/events")]
    {
        let path = format!("/searches/{}{path}", ids[0]);
        let answer = send(test.request(method, &path).header("X-API-Key", &stranger)).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn only_so_many_searches_run_at_once(#[case] on: On) {
    let test = TestApp::listing(on, Arc::new(Scripted::of(5))).await;
    let (_, key) = test.whole_account(100).await;
    let asking = (0..8).map(|_| async { test.post("/search/start", &key, &plumbers(2)).await });
    let answers: Vec<Answer> = futures::future::join_all(asking).await;
    let refused: Vec<&Answer> = answers.iter().filter(|answer| answer.status != StatusCode::OK).collect();
    assert_eq!(refused.len(), 3);
    for answer in refused {
        assert_eq!((answer.status, answer.code().as_str()), (StatusCode::TOO_MANY_REQUESTS, "too_many_searches"));
        assert!(answer.header("retry-after").parse::<u32>().unwrap() > 0);
    }
    test.work().await;
    assert_eq!(test.post("/search/start", &key, &plumbers(2)).await.status, StatusCode::OK);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_start_sent_twice_under_one_key_starts_once(#[case] on: On) {
    let test = TestApp::listing(on, Arc::new(Scripted::of(5))).await;
    let (_, key) = test.whole_account(100).await;
    for path in ["/search/start", "/searches"] {
        let ask = async || {
            let request = test.request(Method::POST, path).header("X-API-Key", &key);
            send(request.header("Idempotency-Key", path).json(&plumbers(2))).await
        };
        let (first, again) = (ask().await, ask().await);
        assert_eq!((first.status, &first.text), (again.status, &again.text));
        assert_eq!(again.header("idempotent-replayed"), "true");
    }
    assert_eq!(test.get("/searches", &key).await.json().as_array().unwrap().len(), 2);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_quote_is_free_and_starts_nothing(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.account(Tier::Growth, 30).await;
    let quote =
        test.get("/search/quote?industry=dentists&location=Austin,%20TX&requested_count=200&min_rating=4", &key).await;
    let quote = quote.json();
    assert_eq!((&quote["industry"], &quote["area"]), (&json!("Dentist"), &json!("Austin, TX")), "{quote}");
    assert_eq!((&quote["scope"], &quote["requested"], &quote["cost_max"]), (&json!("city"), &json!(30), &json!(30)));
    assert!(quote["estimated_candidates"].as_i64().unwrap() > 30, "{quote}");
    assert_eq!(test.get("/searches", &key).await.json(), json!([]));
    assert_eq!(account::find(&test.app.db, account.id).await.unwrap().unwrap().credits, 30);
    let wide = test.get("/search/quote?industry=dentist&location=Texas", &key).await;
    assert_eq!((wide.status, wide.code().as_str()), (StatusCode::BAD_REQUEST, "scope_too_wide"));
    let wrong = test.get("/search/quote?industry=dentist&min_rating=9", &key).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn without_reading_websites_nothing_is_claimed_of_them() {
    let test = TestApp::with(On::Sqlite, |settings| settings.read_websites = false, More::default()).await;
    let (_, key) = test.whole_account(100).await;
    let id = test.start(&key, plumbers(20)).await;
    test.work().await;
    assert_eq!(test.search(&key, &id).await["coverage"]["sites_read"], 0);
    for lead in test.leads(&key, &id).await {
        let basic = &lead["signals"]["basic"];
        assert_eq!((&basic["detected"], &basic["platform"]), (&json!(false), &Value::Null), "{lead}");
        let listed = lead["website"].as_str().is_some_and(|website| website.contains(".localhost"));
        assert!(!listed || basic["has_website"] == true, "{lead}");
    }
}
