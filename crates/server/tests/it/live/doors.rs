//! Circles around street addresses.

use canvass::config::{GeocoderNames, Settings};
use http::StatusCode;
use rehearsal::nominatim::{Options, Rehearsal};
use serde_json::{Value, json};

use super::{serve, world};
use crate::support::{More, On, TestApp};

async fn nominatim(options: Options) -> (Rehearsal, impl Fn(&mut Settings) + Clone) {
    let rehearsal = Rehearsal::new(world(), options);
    let base = serve(rehearsal.router()).await;
    let set = move |settings: &mut Settings| {
        settings.maps.geocoders = GeocoderNames::parse("nominatim").unwrap();
        settings.maps.nominatim_url = Some(base.clone());
    };
    (rehearsal, set)
}

async fn quote(test: &TestApp, key: &str, location: &str) -> Value {
    let query = [("industry", "dentist"), ("location", location), ("radius_miles", "5")];
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
    let answer = test.get(&format!("/search/quote?{query}"), key).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer.json()
}

#[tokio::test]
async fn an_address_a_zip_code_and_a_town_are_three_circles() {
    let (rehearsal, set) = nominatim(Options::default()).await;
    let test = TestApp::with(On::Sqlite, set, More::default()).await;
    let (_, key) = test.whole_account(100).await;
    let door = quote(&test, &key, "12000 N Lamar Blvd, Austin, TX").await;
    let zip = quote(&test, &key, "78753").await;
    let town = quote(&test, &key, "Austin, TX").await;
    assert!(door["area"].as_str().unwrap().contains("Lamar"), "{door}");
    assert!(door["notes"].to_string().contains("by nominatim"), "{door}");
    assert_ne!(zip["area"], town["area"]);
    let asked = rehearsal.log().len();
    assert_eq!(asked, 1, "a ZIP code and a town are in our own gazetteer");
    quote(&test, &key, "12000 N Lamar Blvd, Austin, TX").await;
    assert_eq!(rehearsal.log().len(), asked, "what is known is not asked again");
    // A search covers the circle around the door.
    let mut points = Vec::new();
    for location in ["12000 N Lamar Blvd, Austin, TX", "78753", "Austin, TX"] {
        let area = test
            .post(
                "/search/start",
                &key,
                &json!({"industry": "dentist", "location": location, "radius_miles": 5, "requested_count": 1}),
            )
            .await;
        points.push(area.json()["area"].as_str().unwrap().to_owned());
    }
    points.dedup();
    assert_eq!(points.len(), 3, "{points:?}");
}

#[tokio::test]
async fn a_street_that_nobody_knows_is_noted_or_refused() {
    let (_, set) = nominatim(Options::default()).await;
    let test = TestApp::with(On::Sqlite, set.clone(), More::default()).await;
    let (_, key) = test.whole_account(100).await;
    let noted = quote(&test, &key, "1 Nowhere Street, Austin, TX").await;
    assert!(noted["notes"].to_string().contains("not found"), "{noted}");
    let strict = move |settings: &mut Settings| {
        set(settings);
        settings.maps.geocode_required = true;
    };
    let test = TestApp::with(On::Sqlite, strict, More::default()).await;
    let (_, key) = test.whole_account(100).await;
    let body = json!({"industry": "dentist", "location": "1 Nowhere Street, Austin, TX", "radius_miles": 5});
    let refused = test.post("/search/start", &key, &body).await;
    assert_eq!(
        (refused.status, refused.code().as_str()),
        (StatusCode::BAD_REQUEST, "address_not_found"),
        "{refused:?}"
    );
}

#[tokio::test]
async fn the_sandbox_knows_its_own_streets() {
    let test = TestApp::new(On::Sqlite).await;
    let (_, key) = test.whole_account(100).await;
    let (_, leads) =
        super::run(&test, &key, json!({"industry": "dentist", "location": "Georgetown, TX", "requested_count": 5}))
            .await;
    let lead = &leads[0];
    let found = quote(&test, &key, lead["address"].as_str().unwrap()).await;
    assert!(found["notes"].to_string().contains("by sandbox"), "{lead} {found}");
}
