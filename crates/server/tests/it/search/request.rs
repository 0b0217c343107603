//! What a start request may hold, and what is said of one that cannot run.

use std::sync::Arc;

use canvass::listing::{Has, Listing};
use canvass::plan::Tier;
use http::{Method, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};

use super::plumbers;
use crate::support::{More, On, Scripted, TestApp, listing, send};

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
    let bare = TestApp::listing(
        On::Sqlite,
        Arc::new(Scripted::of(1).with(Has { ratings: false, reviews: false, phones: false })),
    )
    .await;
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
    let listings = Some(Arc::new(Scripted::listing(listings)) as Arc<dyn canvass::listing::Source>);
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
        let body = json!({"industry": "plumber", "location": "Plainville, Sandbox", "filters": filters});
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
            "limit is not a known field; the known ones are industry, location, locations, requested_count, scope, radius_miles, filters, notify",
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
