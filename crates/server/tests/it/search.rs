//! The life of a search: every row of the contract's table of states, and every rule under it.

use std::sync::Arc;

use canvass::account;
use canvass::listing::{Listing, Trouble};
use canvass::plan::Tier;
use http::{Method, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Answer, Mcp, More, On, Scripted, TestApp, listing, send};

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
async fn a_stop_keeps_what_was_found_and_nothing_follows_it(#[case] on: On) {
    let (scripted, gate) = Scripted::of(500).gated();
    let test = TestApp::listing(on, Arc::new(scripted)).await;
    let (account, key) = test.whole_account(1_000).await;
    let id = test.start(&key, plumbers(400)).await;
    let working = tokio::spawn({
        let app = test.app.clone();
        async move { canvass::work::until_idle(&app).await.unwrap() }
    });
    gate.add_permits(40);
    test.until(&key, &id, |search| search["leads_found"].as_i64() > Some(20)).await;
    gate.add_permits(400);
    let stopped = test.post(&format!("/searches/{id}/stop"), &key, &json!({})).await.json();
    let at_stop = test.search(&key, &id).await;
    assert_eq!(
        (&stopped["search_id"], &stopped["stopped"], &stopped["status"]),
        (&json!(id), &json!(true), &json!("cancelled"))
    );
    assert!(stopped["detail"].as_str().unwrap().starts_with("This request stopped the search at "), "{stopped}");
    working.await.unwrap();
    let after = test.search(&key, &id).await;
    assert_eq!(after, at_stop, "after the answer nothing more is stored");
    assert_eq!((&after["status"], &after["coverage"]["stopped_because"]), (&json!("cancelled"), &json!("cancelled")));
    let found = after["leads_found"].as_i64().unwrap();
    assert_eq!(test.leads(&key, &id).await.len() as i64, found);
    test.ledger_in_step(&account, found).await;

    let again = test.post(&format!("/searches/{id}/stop"), &key, &json!({})).await.json();
    assert_eq!((&again["stopped"], &again["status"]), (&json!(false), &json!("cancelled")));
    assert_eq!(again["completed_at"], stopped["completed_at"], "when the first request stopped it");
    let told =
        format!("An earlier request had already stopped the search at {}.", stopped["completed_at"].as_str().unwrap());
    assert!(again["detail"].as_str().unwrap().starts_with(&told), "whose answer was lost is told what it did: {again}");
    let mcp = Mcp::new(&test, &key).call("stop_search", json!({"search_id": id})).await;
    assert_eq!((&mcp["stopped"], &mcp["detail"]), (&json!(false), &again["detail"]), "{mcp}");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn stopping_a_finished_search_reports_its_status(#[case] on: On) {
    let test = TestApp::listing(on, Arc::new(Scripted::of(3))).await;
    let (_, key) = test.whole_account(10).await;
    let id = test.start(&key, plumbers(3)).await;
    test.work().await;
    let stopped = test.post(&format!("/searches/{id}/stop"), &key, &json!({})).await.json();
    assert_eq!((&stopped["stopped"], &stopped["status"]), (&json!(false), &json!("done")));
    assert!(stopped["detail"].as_str().unwrap().starts_with("The search had already ended by itself at "), "{stopped}");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn passing_trouble_is_tried_again_with_patience(#[case] on: On) {
    let trouble = Trouble::Passing("the provider took too long".into());
    let scripted = Scripted::of(20).failing(3, 5, trouble);
    let test = TestApp::listing(on, Arc::new(scripted)).await;
    let (account, key) = test.whole_account(100).await;
    let id = test.start(&key, plumbers(20)).await;
    for expected in [5, 5, 5] {
        test.work().await;
        let search = test.search(&key, &id).await;
        assert_eq!((&search["status"], &search["leads_found"]), (&json!("running"), &json!(expected)));
        test.clock.advance_seconds(10);
    }
    test.work().await;
    assert_eq!(test.search(&key, &id).await["leads_found"], 20);
    test.ledger_in_step(&account, 20).await;
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn trouble_that_does_not_pass_fails_the_search_and_says_that_a_retry_may_help(#[case] on: On) {
    let trouble = Trouble::Passing("the provider took too long".into());
    let test = TestApp::listing(on, Arc::new(Scripted::of(20).failing(100, 5, trouble))).await;
    let (account, key) = test.whole_account(100).await;
    let id = test.start(&key, plumbers(20)).await;
    for _ in 0..10 {
        test.work().await;
        test.clock.advance_seconds(20);
    }
    let failed = test.search(&key, &id).await;
    assert_eq!((&failed["status"], &failed["leads_found"]), (&json!("failed"), &json!(5)));
    let reason = failed["failure_reason"].as_str().unwrap();
    assert!(reason.contains("Temporary") && reason.contains("worthwhile"), "{reason}");
    assert_eq!(test.leads(&key, &id).await.len(), 5, "what was delivered is kept");
    test.ledger_in_step(&account, 5).await;
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
    let default = json!({"industry": "plumber", "location": "x"});
    assert_eq!(test.post("/search/start", &growth, &default).await.json()["requested"], 25);
}

#[rstest]
#[case::two_sqlite(On::Sqlite, 2)]
#[case::two_postgres(On::Postgres, 2)]
#[case::ten_sqlite(On::Sqlite, 10)]
#[case::ten_postgres(On::Postgres, 10)]
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn searches_that_share_a_small_balance_share_it_exactly(#[case] on: On, #[case] searches: usize) {
    let listings = Some(Arc::new(Scripted::of(300)) as Arc<dyn canvass::listing::Listings>);
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
    let body = json!({"industry": "plumber", "location": "x", "requested_count": 10, "filters": {"min_rating": 4.5}});
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

#[tokio::test]
async fn a_request_that_cannot_run_says_what_to_change() {
    let test = TestApp::new(On::Sqlite).await;
    let (_, key) = test.whole_account(100).await;
    let cases = [
        (json!({"industry": "dentist", "location": "Austn, TX"}), "unknown_location", "Austin, TX"),
        (json!({"industry": "zzxqy", "location": "Austin, TX"}), "unknown_industry", "zzxqy"),
        (json!({"industry": "dentist", "location": "Texas", "scope": "city"}), "location_too_wide", "scope state"),
        (json!({"industry": "dentist", "location": "Texas", "radius_miles": 5}), "radius_without_centre", "ZIP"),
    ];
    for (body, code, said) in cases {
        let answer = test.post("/search/start", &key, &body).await;
        assert_eq!((answer.status, answer.code().as_str()), (StatusCode::BAD_REQUEST, code), "{body}");
        let detail = answer.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(said), "{body}: {detail}");
    }
    assert_eq!(test.get("/searches", &key).await.json(), json!([]), "no row is left");
    let springfield =
        test.post("/search/start", &key, &json!({"industry": "dentist", "location": "springfield"})).await.json();
    assert_eq!(springfield["area"], "Springfield, MO");
    assert!(springfield["notes"][0].as_str().unwrap().contains("Springfield, MA"), "{springfield}");
    let bare = TestApp::listing(On::Sqlite, Arc::new(Scripted::of(1).without_ratings())).await;
    let (_, key) = bare.whole_account(10).await;
    let mut body = plumbers(1);
    body["filters"] = json!({"min_rating": 4});
    let answer = bare.post("/search/start", &key, &body).await;
    assert_eq!((answer.status, answer.code().as_str()), (StatusCode::BAD_REQUEST, "ratings_unavailable"));
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn values_as_no_code_tools_send_them_are_read_as_meant(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (_, key) = test.whole_account(100).await;
    let strings = json!({
        "industry": "plumber", "location": "Plainville, Sandbox", "requested_count": "3", "scope": "", "notify": "false",
        "radius_miles": "",
        "filters": {"min_rating": "1.5", "max_rating": "", "min_reviews": "1", "has_phone": "True", "has_email": ""},
    });
    let id = test.start(&key, strings).await;
    let search = test.search(&key, &id).await;
    assert_eq!(search["requested"], 3);
    assert_eq!(search["filters"], json!({"min_rating": 1.5, "min_reviews": 1.0, "has_phone": true}));
    assert_eq!(search["radius_miles"], Value::Null);
    let empty = json!({"industry": "plumber", "location": "Plainville, Sandbox", "filters": "", "requested_count": ""});
    let id = test.start(&key, empty).await;
    assert_eq!(test.search(&key, &id).await["requested"], 25);
    let nulls = json!({"industry": "plumber", "location": "Plainville, Sandbox", "scope": null, "requested_count": null,
        "radius_miles": null, "notify": null, "filters": {"min_rating": null, "skip_owned": null}});
    test.start(&key, nulls).await;
    let quote = test.get("/search/quote?industry=plumber&location=Austin&scope=&min_rating=&notify=", &key).await;
    assert_eq!(quote.status, StatusCode::OK, "{quote:?}");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_filter_leaves_out_what_is_not_known_and_a_social_page_is_no_website(#[case] on: On) {
    let of = |number: usize, website: Option<&str>, rating: Option<f64>, reviews: Option<i64>| Listing {
        website: website.map(str::to_owned),
        rating,
        review_count: reviews,
        ..listing(number)
    };
    let listings = vec![
        of(0, Some("https://www.facebook.com/zero"), None, None),
        of(1, Some("https://one.invalid"), Some(4.0), Some(0)),
        of(2, None, Some(4.0), None),
        of(3, Some("instagram.com/three"), None, Some(10)),
        of(4, Some("n/a"), Some(3.0), Some(10)),
    ];
    let listings = Some(Arc::new(Scripted::listing(listings)) as Arc<dyn canvass::listing::Listings>);
    let test = TestApp::build(on, |settings| settings.read_websites = false, More::default(), listings).await;
    let (_, key) = test.whole_account(1_000).await;
    for (filters, expected) in [
        (json!({}), vec![0, 1, 2, 3, 4]),
        (json!({"has_website": true}), vec![1]),
        (json!({"has_website": false}), vec![0, 2, 3, 4]),
        (json!({"min_rating": 0}), vec![1, 2, 4]),
        (json!({"max_rating": 5}), vec![1, 2, 4]),
        (json!({"min_reviews": 0}), vec![1, 3, 4]),
        (json!({"max_reviews": 9}), vec![1]),
    ] {
        let body = json!({"industry": "plumber", "location": "x", "filters": filters});
        let id = test.start(&key, body).await;
        test.work().await;
        let leads = test.leads(&key, &id).await;
        let found: Vec<&str> = leads.iter().map(|lead| lead["business_name"].as_str().unwrap()).collect();
        let expected: Vec<String> = expected.into_iter().map(|number: i32| format!("Business {number}")).collect();
        assert_eq!(found, expected, "{filters}");
    }
}

/// A request for dentists with these fields besides.
fn dentist(fields: Value) -> Value {
    let mut body = json!({"industry": "dentist"});
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    body
}

/// Bodies that cannot start a search on a growth plan, each with the status and the words that answer it.
fn refused_starts() -> Vec<(Value, u16, &'static str)> {
    vec![
        (
            json!({}),
            422,
            "industry is missing; send the kind of business, such as \"dentist\"; location is missing; send where to search, such as \"Austin, TX\" or a ZIP code",
        ),
        (
            dentist(json!({"location": ""})),
            422,
            "location is empty; send where to search, such as \"Austin, TX\" or a ZIP code",
        ),
        (dentist(json!({"location": 78701})), 422, "location must be a string"),
        (
            dentist(json!({"location": "Austin, TX", "limit": 5})),
            422,
            "limit is not a known field; the known ones are industry, location, requested_count, scope, radius_miles, filters, notify",
        ),
        (
            dentist(json!({"location": "Austin, TX", "scop": "city"})),
            422,
            "scop is not a known field; did you mean scope?",
        ),
        (dentist(json!({"location": "Austin, TX", "filters": [1]})), 422, "filters must be a JSON object"),
        (
            dentist(json!({"location": "Texas", "scope": "city"})),
            400,
            "Texas is a state, which is wider than the scope city; name a city in Texas; the growth plan allows the scope county at most",
        ),
        (
            dentist(json!({"location": "Texas"})),
            400,
            "searching Texas takes the scope state, and the growth plan allows county at most; name a city or a county, or use a radius_miles of at most 50",
        ),
        (
            dentist(json!({"location": "Travis County, TX", "scope": "city"})),
            400,
            "Travis County, TX is a county, which is wider than the scope city; name a city in Travis County, TX, or send scope county",
        ),
        (dentist(json!({"location": "00000"})), 400, "there is no ZIP code 00000: did you mean "),
        (dentist(json!({"location": "99999"})), 400, "there is no ZIP code 99999: did you mean "),
        (json!([1]), 422, "the body must be a JSON object with the fields in braces, but it is an array"),
        (json!("x"), 422, "the body must be a JSON object with the fields in braces, but it is a string"),
        (json!(5), 422, "the body must be a JSON object with the fields in braces, but it is a number"),
        (json!(null), 422, "the body must be a JSON object with the fields in braces, but it is null"),
    ]
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn errors_say_what_to_send_instead(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (_, growth) = test.account(Tier::Growth, 100).await;
    let (_, poor) = test.account(Tier::Growth, 0).await;
    for (body, status, detail) in refused_starts() {
        let answer = test.post("/search/start", &growth, &body).await;
        let said = answer.json()["detail"].as_str().unwrap().to_owned();
        assert_eq!(answer.status.as_u16(), status, "{body}: {said}");
        assert!(if detail.ends_with(' ') { said.starts_with(detail) } else { said == detail }, "{body}: {said}");
    }
    let empty = test
        .request(Method::POST, "/search/start")
        .header("X-API-Key", &growth)
        .header("Content-Type", "application/json");
    assert!(send(empty).await.json()["detail"].as_str().unwrap().starts_with("industry is missing; send"));
    let broke = test.post("/search/start", &poor, &dentist(json!({"location": "Austin, TX"}))).await;
    assert_eq!((broke.status, broke.code().as_str()), (StatusCode::BAD_REQUEST, "insufficient_credits"));
    let said = broke.json()["detail"].as_str().unwrap().to_owned();
    assert!(said.starts_with("the account has no credits left"), "{said}");
    let unknown = test.get("/searches?limt=5", &growth).await.json();
    assert_eq!(unknown["detail"], "limt is not a known parameter; did you mean limit?");
    let twice = test.get("/searches?limit=5&limit=6", &growth).await.json();
    assert_eq!(twice["detail"], "limit is given more than once; send it once");
}

/// For each field of a start request, values that it does not take.
fn wrong_values() -> [(&'static str, Vec<Value>); 16] {
    let long = "x".repeat(900_000);
    [
        ("industry", vec![json!(null), json!(""), json!("  "), json!(5), json!([]), json!("a\u{0}b"), json!(long)]),
        ("location", vec![json!(null), json!(""), json!(5), json!({}), json!("\u{7}"), json!(long)]),
        (
            "requested_count",
            vec![json!(0), json!(-1), json!(2501), json!(1.5), json!("five"), json!(1e300), json!([1])],
        ),
        ("scope", vec![json!("town"), json!("City"), json!(5), json!(true)]),
        (
            "radius_miles",
            vec![json!(0), json!(0.99), json!(500.1), json!("1e400"), json!("\u{663}"), json!(-3), json!([])],
        ),
        ("filters", vec![json!([]), json!("x"), json!(5), json!(true)]),
        ("notify", vec![json!("yes"), json!(1), json!([])]),
        ("filters.min_rating", vec![json!(-0.1), json!(5.1), json!("4 stars"), json!("5.1"), json!(true)]),
        ("filters.max_rating", vec![json!(-0.1), json!(5.1), json!("nan")]),
        ("filters.min_reviews", vec![json!(-1), json!("few"), json!(1e12)]),
        ("filters.max_reviews", vec![json!(-1), json!("inf"), json!(1e12)]),
        ("filters.has_website", vec![json!("yes"), json!(1)]),
        ("filters.has_phone", vec![json!("on"), json!(1)]),
        ("filters.has_email", vec![json!("truth"), json!(1)]),
        ("filters.skip_owned", vec![json!("-1"), json!(1)]),
        ("industy", vec![json!("plumber")]),
    ]
}

#[tokio::test]
async fn every_field_wrong_in_every_way_is_named() {
    let test = TestApp::new(On::Sqlite).await;
    let (account, key) = test.whole_account(100).await;
    for (field, values) in wrong_values() {
        for value in values {
            let mut body = plumbers(1);
            match field.split_once('.') {
                Some((outer, inner)) => body[outer] = json!({ inner: value }),
                None => body[field] = value.clone(),
            }
            let answer = test.post("/search/start", &key, &body).await;
            let said = &answer.text[..answer.text.len().min(300)];
            assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{field}: {said}");
            assert_eq!(answer.json()["errors"][0]["field"], field, "{said}");
            assert!(answer.text.len() < 2_000, "an error repeats little of what was sent");
        }
    }
    let contradictions = [
        (json!({"min_rating": 4, "max_rating": 3}), "filters.min_rating"),
        (json!({"min_reviews": 40, "max_reviews": 3}), "filters.min_reviews"),
        (json!({"has_website": false, "has_email": true}), "filters.has_email"),
        (json!({"min_ratin": 4}), "filters.min_ratin"),
    ];
    for (filters, field) in contradictions {
        let mut body = plumbers(1);
        body["filters"] = filters;
        let answer = test.post("/search/start", &key, &body).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{answer:?}");
        assert_eq!(answer.json()["errors"][0]["field"], field, "{answer:?}");
    }
    assert_eq!(test.get("/searches", &key).await.json(), json!([]), "no row is left");
    test.ledger_in_step(&account, 0).await;
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn the_history_is_newest_first_bounded_and_ones_own(#[case] on: On) {
    let listings = Some(Arc::new(Scripted::of(1)) as Arc<dyn canvass::listing::Listings>);
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
