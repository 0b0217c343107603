//! What the web app needs of the API, for programs too: suggestions, areas, usage, marks, text search, selections, several
//! locations.

use canvass::plan::{AddOn, Tier};
use http::{Method, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Answer, On, TestApp, send};

async fn put(test: &TestApp, path: &str, key: &str, body: &Value) -> Answer {
    send(test.request(Method::PUT, path).header("X-API-Key", key).json(body)).await
}

/// A finished search of plumbers, and its leads.
async fn searched(test: &TestApp, key: &str, location: &str, count: i64) -> (String, Vec<Value>) {
    let body = json!({"industry": "plumber", "location": location, "requested_count": count});
    let id = test.start(key, body).await;
    test.work().await;
    let leads = test.leads(key, &id).await;
    (id, leads)
}

#[tokio::test]
async fn words_are_completed_as_they_are_typed() {
    let test = TestApp::new(On::Sqlite).await;
    let (_, key) = test.account(Tier::Scale, 5).await;
    let names = |found: Value| -> Vec<String> {
        found.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    let industries = test.get("/suggest/industries?q=den&limit=5", &key).await.json();
    assert!(industries.as_array().unwrap().len() <= 5);
    assert!(industries.as_array().unwrap().iter().any(|one| one["slug"] == "dentist"), "{industries}");
    let places = test.get("/suggest/places?q=austin,%20t", &key).await.json();
    assert_eq!(places[0]["name"], "Austin, TX", "{places}");
    assert_eq!((&places[0]["width"], &places[0]["country"]), (&json!("city"), &json!("US")));
    let tests = names(test.get("/suggest/places?q=slowt", &key).await.json());
    assert_eq!(tests[0], "Slowtown, Sandbox", "test places of the sandbox too");
    // Whatever is suggested can be searched.
    for name in names(test.get("/suggest/places?q=san", &key).await.json()) {
        let quote = send(
            test.request(Method::GET, "/search/quote")
                .query(&[("industry", "dentist"), ("location", &name)])
                .header("X-API-Key", &key),
        )
        .await;
        assert_eq!(quote.status, StatusCode::OK, "{name}: {}", quote.text);
    }
    assert_eq!(test.get("/suggest/places?q=qqqqzzzz", &key).await.json(), json!([]));
    for nothing in ["/suggest/places", "/suggest/places?q="] {
        assert_eq!(test.get(nothing, &key).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    assert_eq!(test.get("/suggest/places?q=a&limit=21", &key).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(test.get("/suggest/places?q=a", "cv_live_wrong").await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn an_area_has_an_outline_or_a_circle_and_its_towns() {
    let test = TestApp::new(On::Sqlite).await;
    let (_, key) = test.account(Tier::Growth, 5).await;
    let county = test.get("/area?location=Austin,%20TX&scope=county", &key).await.json();
    assert_eq!((&county["name"], &county["width"]), (&json!("Travis County, TX"), &json!("county")));
    assert_eq!((&county["outline"]["type"], &county["radius_miles"]), (&json!("MultiPolygon"), &Value::Null));
    let ring = county["outline"]["coordinates"][0][0].as_array().unwrap();
    assert!(ring.len() > 10 && ring.first() == ring.last(), "a closed ring: {ring:?}");
    assert_eq!(county["towns"][0]["name"], "Austin");
    let circle = test.get("/area?location=78701&radius_miles=5", &key).await.json();
    assert_eq!((&circle["outline"], &circle["radius_miles"]), (&Value::Null, &json!(5.0)));
    // Wider than the plan allows: it can be looked at all the same.
    let country = test.get("/area?location=United%20States&scope=country", &key).await;
    assert_eq!(country.status, StatusCode::OK);
    assert!(country.text.len() < 300_000, "{} bytes", country.text.len());
    assert_eq!(test.get("/area?location=Nowhereville,%20ZZ", &key).await.status, StatusCode::BAD_REQUEST);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn usage_is_counted_by_day(#[case] on: On) {
    let test = TestApp::new(on).await;
    let account = test.account_with(Tier::Growth, 50, &[AddOn::Radar]).await;
    let key = test.key(&account).await;
    let (_, leads) = searched(&test, &key, "Austin, TX", 3).await;
    let watched = test.post("/radar/watch", &key, &json!({"lead_id": leads[0]["lead_id"]})).await;
    assert!(watched.status.is_success(), "{watched:?}");
    let usage = test.get("/usage?days=3", &key).await.json();
    let days = usage["days"].as_array().unwrap();
    assert_eq!(days.len(), 3);
    assert_eq!(
        (&days[2]["credits"], &days[2]["leads"], &days[2]["searches"]),
        (&json!(3), &json!(3), &json!(1)),
        "{usage}"
    );
    assert_eq!((&days[0]["credits"], &days[0]["searches"]), (&json!(0), &json!(0)));
    let today = days[2]["day"].as_str().unwrap();
    assert!(leads[0]["delivered_at"].as_str().unwrap().starts_with(today), "{today}");
    assert_eq!(usage["allowances"]["watches"], json!({"used": 1, "included": 50}));
    assert_eq!(usage["allowances"]["monthly_credits"], 2500);
    let me = test.get("/me", &key).await.json();
    assert_eq!(me["allowances"], usage["allowances"]);
    test.clock.advance_seconds(24 * 60 * 60);
    let later = test.get("/usage?days=2", &key).await.json();
    assert_eq!((&later["days"][0]["credits"], &later["days"][1]["credits"]), (&json!(3), &json!(0)));
    assert_eq!(test.get("/usage?days=0", &key).await.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn leads_are_starred_noted_and_tagged_and_stay_as_they_are(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (_, key) = test.account(Tier::Growth, 50).await;
    let (_, stranger) = test.account(Tier::Growth, 50).await;
    let (search, leads) = searched(&test, &key, "Austin, TX", 3).await;
    let lead = leads[1]["lead_id"].as_str().unwrap();
    let path = format!("/leads/{lead}/mark");
    let marked = put(&test, &path, &key, &json!({"starred": true, "tags": ["Warm", " called ", "warm"]})).await;
    assert_eq!(marked.json(), json!({"starred": true, "note": null, "tags": ["called", "warm"]}));
    let noted = put(&test, &path, &key, &json!({"note": "Call in May.\nAsk for Ann."})).await.json();
    assert_eq!(noted, json!({"starred": true, "note": "Call in May.\nAsk for Ann.", "tags": ["called", "warm"]}));
    let listed = test.get(&format!("/searches/{search}/marks"), &key).await.json();
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!((&listed[0]["lead_id"], &listed[0]["starred"]), (&json!(lead), &json!(true)));
    assert_eq!(
        test.get("/tags", &key).await.json(),
        json!([{"tag": "called", "leads": 1}, {"tag": "warm", "leads": 1}])
    );
    assert_eq!(test.leads(&key, &search).await, leads, "leads are as they were delivered");

    assert_eq!(put(&test, &path, &stranger, &json!({"starred": false})).await.status, StatusCode::NOT_FOUND);
    assert_eq!(test.get(&format!("/searches/{search}/marks"), &stranger).await.status, StatusCode::NOT_FOUND);
    assert_eq!(test.get("/tags", &stranger).await.json(), json!([]));
    for wrong in [
        json!({"tags": "warm"}),
        json!({"tags": [""]}),
        json!({"tags": vec!["x"; 21]}),
        json!({"note": "x".repeat(2001)}),
        json!({"stars": 1}),
    ] {
        assert_eq!(put(&test, &path, &key, &wrong).await.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
    }
    put(&test, &path, &key, &json!({"starred": false, "note": "", "tags": []})).await;
    assert_eq!(test.get(&format!("/searches/{search}/marks"), &key).await.json(), json!([]));
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn leads_are_found_by_what_is_known_of_them(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (_, key) = test.account(Tier::Scale, 100).await;
    let (_, stranger) = test.account(Tier::Scale, 100).await;
    let (_, leads) = searched(&test, &key, "Austin, TX", 20).await;
    let found = async |q: &str, key: &str| -> Vec<String> {
        let answer = send(test.request(Method::GET, "/leads").query(&[("q", q)]).header("X-API-Key", key)).await;
        assert_eq!(answer.status, StatusCode::OK, "{q}: {}", answer.text);
        answer.json().as_array().unwrap().iter().map(|lead| lead["lead_id"].as_str().unwrap().to_owned()).collect()
    };
    for lead in leads.iter().take(8) {
        let id = lead["lead_id"].as_str().unwrap().to_owned();
        let name = lead["business_name"].as_str().unwrap();
        assert!(found(name, &key).await.contains(&id), "{name}");
        assert!(found(&name.to_uppercase()[..name.len() / 2], &key).await.contains(&id), "the beginning of {name}");
        assert_eq!(found(name, &stranger).await, [""; 0], "{name}");
        for field in ["phone", "primary_email", "website"] {
            if let Some(text) = lead[field].as_str() {
                assert!(found(text, &key).await.contains(&id), "{field} {text}");
            }
        }
    }
    assert_eq!(found("qqqqzzzz", &key).await, [""; 0]);
    assert_eq!(found("%", &key).await, [""; 0]);
    let whole =
        send(test.request(Method::GET, "/leads").query(&[("q", "plumber"), ("limit", "5")]).header("X-API-Key", &key))
            .await;
    assert_eq!(whole.json().as_array().unwrap().len(), 5);
    assert_eq!(test.get("/leads", &key).await.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn chosen_leads_are_exported_as_the_whole_search_is(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (_, key) = test.account(Tier::Scale, 100).await;
    let (search, leads) = searched(&test, &key, "Austin, TX", 10).await;
    let (other, others) = searched(&test, &key, "Dallas, TX", 2).await;
    assert_ne!(search, other);
    let path = format!("/searches/{search}/selection-export");
    let ids = |some: &[Value]| -> Vec<Value> { some.iter().map(|lead| lead["lead_id"].clone()).collect() };
    for (query, options) in [
        ("export?", json!({})),
        ("campaign-export?channel=crm&preset=hubspot&", json!({"channel": "crm", "preset": "hubspot"})),
    ] {
        let whole = test.get(&format!("/searches/{search}/{query}bom=true"), &key).await;
        let mut body = options.clone();
        body["bom"] = json!(true);
        // In any order, one of them twice: the file is in the order of the source.
        let mut all = ids(&leads);
        all.reverse();
        all.push(all[0].clone());
        body["lead_ids"] = Value::Array(all);
        let chosen = test.post(&path, &key, &body).await;
        assert_eq!((chosen.status, &chosen.text), (StatusCode::OK, &whole.text), "{query}");
        assert_eq!(chosen.header("content-disposition"), whole.header("content-disposition"));
        body["lead_ids"] = json!(ids(&leads[2..5]));
        let some = test.post(&path, &key, &body).await.text;
        assert_eq!(some.lines().count(), 4, "{some}");
    }
    for wrong in [
        json!({}),
        json!({"lead_ids": []}),
        json!({"lead_ids": ids(&others)}),
        json!({"lead_ids": ["x"]}),
        json!({"lead_ids": ids(&leads), "preset": "hubspot"}),
    ] {
        assert_eq!(test.post(&path, &key, &wrong).await.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
    }
    let (_, stranger) = test.account(Tier::Scale, 1).await;
    let body = json!({"lead_ids": ids(&leads)});
    assert_eq!(test.post(&path, &stranger, &body).await.status, StatusCode::NOT_FOUND);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn several_locations_are_one_search_without_a_business_twice(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.account(Tier::Scale, 500).await;
    let locations = json!(["Hamletville, Sandbox", "Marfa, TX", "marfa, tx", "Alpine, TX"]);
    let body = json!({"industry": "plumber", "locations": locations, "requested_count": 200});
    let id = test.start(&key, body).await;
    test.work().await;
    let search = test.search(&key, &id).await;
    assert_eq!(
        (&search["status"], &search["location"]),
        (&json!("done"), &json!("Hamletville, Sandbox; Marfa, TX; marfa, tx; Alpine, TX"))
    );
    let leads = test.leads(&key, &id).await;
    let businesses: std::collections::BTreeSet<&str> =
        leads.iter().map(|lead| lead["business_id"].as_str().unwrap()).collect();
    assert_eq!(businesses.len(), leads.len(), "no business twice");
    let mut apart = 0;
    for location in ["Hamletville, Sandbox", "Marfa, TX", "Alpine, TX"] {
        let alone = searched(&test, &key, location, 200).await.1;
        assert!(alone.iter().all(|lead| businesses.contains(lead["business_id"].as_str().unwrap())), "{location}");
        apart += alone.len();
    }
    assert!(apart >= leads.len() && !leads.is_empty(), "{apart} {}", leads.len());
    test.ledger_in_step(&account, (leads.len() + apart) as i64).await;
    let query = [("industry", "plumber"), ("locations", "Marfa, TX; Alpine, TX")];
    let quote = send(test.request(Method::GET, "/search/quote").query(&query).header("X-API-Key", &key)).await.json();
    assert_eq!(quote["area"], "Marfa, TX; Alpine, TX", "{quote}");
    for (wrong, field) in [
        (json!({"industry": "plumber", "locations": []}), "locations"),
        (json!({"industry": "plumber", "locations": ["Austin, TX"], "location": "Austin, TX"}), "locations"),
        (json!({"industry": "plumber", "locations": vec!["Austin, TX"; 21]}), "locations"),
        (json!({"industry": "plumber"}), "location"),
    ] {
        let refused = test.post("/search/start", &key, &wrong).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
        assert_eq!(refused.json()["errors"][0]["field"], field, "{}", refused.text);
    }
    let unknown = json!({"industry": "plumber", "locations": ["Austin, TX", "Nowhereville, ZZ"]});
    assert_eq!(test.post("/search/start", &key, &unknown).await.status, StatusCode::BAD_REQUEST);
}
