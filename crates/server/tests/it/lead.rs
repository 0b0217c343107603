//! Leads: their shape, their evidence, who sees their score, and every way to ask for them.

use std::sync::Arc;

use canvass::plan::{AddOn, Tier};
use http::{Method, StatusCode};
use places::Point;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{On, Scripted, TestApp, send};

/// Every field of the contract and of the decisions.
const FIELDS: [&str; 31] = [
    "lead_id",
    "business_name",
    "industry",
    "website",
    "phone",
    "address",
    "rating",
    "review_count",
    "owner_name",
    "owner_title",
    "primary_email",
    "emails",
    "socials",
    "signals",
    "business_id",
    "search_id",
    "delivered_at",
    "street",
    "city",
    "state",
    "postal_code",
    "country",
    "latitude",
    "longitude",
    "rating_source",
    "hours",
    "is_chain",
    "site_status",
    "evidence",
    "source",
    "attribution",
];

const BASIC: [&str; 11] = [
    "detected",
    "has_website",
    "platform",
    "ecommerce",
    "booking",
    "online_ordering",
    "chat",
    "has_ad_pixel",
    "ad_networks",
    "has_analytics",
    "analytics",
];

/// A test with a finished search of this many leads in Austin.
async fn searched(on: On, add_ons: &[AddOn], count: i64) -> (TestApp, String, String) {
    let test = TestApp::new(on).await;
    let account = test.account_with(Tier::Scale, 10_000, add_ons).await;
    let key = test.key(&account).await;
    let body = json!({"industry": "dentist", "location": "Austin, TX", "requested_count": count});
    let id = test.start(&key, body).await;
    test.work().await;
    (test, key, id)
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_lead_has_every_field_and_evidence_for_what_its_website_said(#[case] on: On) {
    let (test, key, id) = searched(on, &AddOn::ALL, 60).await;
    let leads = test.leads(&key, &id).await;
    assert_eq!(leads.len(), 60);
    for lead in &leads {
        for field in FIELDS {
            assert!(lead.get(field).is_some(), "{field} is absent in {lead}");
        }
        for field in BASIC {
            assert!(lead["signals"]["basic"].get(field).is_some(), "{field} is absent in {lead}");
        }
        assert_eq!((&lead["search_id"], &lead["industry"]), (&json!(id), &json!("Dentist")));
        assert_eq!(lead["source"], "sandbox");
        assert_eq!(lead["attribution"], "Made-up businesses of the Canvass sandbox");
        check_emails(lead);
        check_signals(lead);
        let proven = |field: &str, value: &Value| {
            let evidence = lead["evidence"].as_array().unwrap();
            evidence.iter().any(|proof| proof["field"] == field && proof["value"] == *value && proof["url"].is_string())
        };
        for email in lead["emails"].as_array().unwrap() {
            assert!(proven("emails", &email["email"]), "{lead}");
        }
        assert!(lead["owner_name"].is_null() || proven("owner_name", &lead["owner_name"]), "{lead}");
        for field in ["booking", "chat", "online_ordering"] {
            let value = &lead["signals"]["basic"][field];
            assert!(value.is_null() || proven(field, value), "{field} in {lead}");
        }
    }
    assert!(leads.iter().any(|lead| !lead["owner_name"].is_null()));
    let one = test.get(&format!("/leads/{}", leads[7]["lead_id"].as_str().unwrap()), &key).await;
    assert_eq!(one.json(), leads[7]);
    let tag = one.header("etag").to_owned();
    let path = format!("/leads/{}", leads[7]["lead_id"].as_str().unwrap());
    let again = send(test.request(Method::GET, &path).header("X-API-Key", &key).header("If-None-Match", tag)).await;
    assert_eq!(again.status, StatusCode::NOT_MODIFIED);
    let (_, stranger) = test.account(Tier::Scale, 1).await;
    for id in [leads[7]["lead_id"].as_str().unwrap(), "019a8546-6d1b-7cc0-b6dd-8f3b5f0c9d11", "x"] {
        let answer = test.get(&format!("/leads/{id}"), &stranger).await;
        assert_eq!((answer.status, answer.code().as_str()), (StatusCode::NOT_FOUND, "not_found"));
    }
}

fn check_emails(lead: &Value) {
    let emails = lead["emails"].as_array().unwrap();
    let primary: Vec<&Value> = emails.iter().filter(|email| email["is_primary"] == true).collect();
    assert_eq!(primary.len(), usize::from(!emails.is_empty()), "{lead}");
    assert_eq!(lead["primary_email"], primary.first().map_or(Value::Null, |email| email["email"].clone()));
    for email in emails {
        let confidence = email["confidence"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&confidence), "{email}");
        assert!(["personal", "role", "generic", "unknown"].contains(&email["type"].as_str().unwrap()), "{email}");
    }
}

fn check_signals(lead: &Value) {
    let (signals, basic) = (&lead["signals"], &lead["signals"]["basic"]);
    let read = lead["site_status"] == "ok";
    assert_eq!(basic["detected"], read, "{lead}");
    assert_eq!(basic["has_ad_pixel"].is_null(), !read, "unknown is not false: {lead}");
    assert_eq!(basic["platform"].is_null(), !read, "{lead}");
    let reasons = signals["reasons"].as_array().unwrap();
    let sum: i64 = reasons.iter().map(|reason| reason["points"].as_i64().unwrap()).sum();
    assert_eq!(signals["score"].as_i64().unwrap(), sum.clamp(0, 100), "{lead}");
    assert_eq!(signals["premium_locked"], false);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn without_signals_plus_scores_stay_locked(#[case] on: On) {
    let (test, key, id) = searched(on, &[], 30).await;
    let leads = test.leads(&key, &id).await;
    for lead in &leads {
        let signals = &lead["signals"];
        assert_eq!(
            (&signals["premium_locked"], &signals["score"], &signals["reasons"]),
            (&json!(true), &Value::Null, &Value::Null)
        );
        assert!(signals["basic"].is_object());
    }
    let refused = test.get(&format!("/searches/{id}/leads?min_score=10"), &key).await;
    assert_eq!((refused.status, refused.code().as_str()), (StatusCode::FORBIDDEN, "signals_plus_required"));
    let sorted = test.get(&format!("/searches/{id}/leads?sort=score"), &key).await;
    assert_eq!(sorted.json().as_array().unwrap(), &leads, "the order of delivery stays");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn leads_are_filtered_sorted_and_paged(#[case] on: On) {
    let (test, key, id) = searched(on, &AddOn::ALL, 120).await;
    let all = test.leads(&key, &id).await;
    let ask = async |query: &str| test.get(&format!("/searches/{id}/leads?{query}"), &key).await;
    let list = async |query: &str| ask(query).await.json().as_array().unwrap().clone();
    let matching = |keep: &dyn Fn(&Value) -> bool| all.iter().filter(|lead| keep(lead)).cloned().collect::<Vec<_>>();
    let basic = |lead: &Value, field: &str| lead["signals"]["basic"][field].clone();

    assert_eq!(list("min_score=30").await, matching(&|lead| lead["signals"]["score"].as_i64() >= Some(30)));
    assert_eq!(list("has_ad_pixel=true").await, matching(&|lead| basic(lead, "has_ad_pixel") == true));
    assert_eq!(list("has_ad_pixel=false").await, matching(&|lead| basic(lead, "has_ad_pixel") == false));
    assert_eq!(list("has_analytics=true").await, matching(&|lead| basic(lead, "has_analytics") == true));
    let meta =
        matching(&|lead| basic(lead, "ad_networks").as_array().is_some_and(|list| list.contains(&json!("meta"))));
    assert!(!meta.is_empty());
    for name in ["meta", "facebook", "Facebook"] {
        assert_eq!(list(&format!("ad_network={name}")).await, meta, "{name}");
    }
    let wordpress = matching(&|lead| basic(lead, "platform") == "wordpress");
    assert!(!wordpress.is_empty());
    assert_eq!(list("platform=WordPress").await, wordpress);
    assert_eq!(list("platform=no_such_thing").await, Vec::<Value>::new());
    assert_eq!(list("ad_network=%25").await, Vec::<Value>::new(), "a wildcard is no wildcard");
    let both = matching(&|lead| basic(lead, "platform") == "wordpress" && basic(lead, "has_ad_pixel") == true);
    assert_eq!(list("platform=wordpress&has_ad_pixel=true").await, both);

    let scores: Vec<i64> =
        list("sort=score").await.iter().map(|lead| lead["signals"]["score"].as_i64().unwrap()).collect();
    assert!(scores.is_sorted_by(|one, next| one >= next) && scores.len() == all.len(), "{scores:?}");

    let page = ask("limit=50&offset=100").await;
    assert_eq!(page.json().as_array().unwrap(), &all[100..]);
    assert_eq!((page.header("x-total-count"), page.headers.get("link")), ("120", None));
    let (mut path, mut seen) = (format!("/searches/{id}/leads?limit=50&has_ad_pixel=true"), Vec::new());
    loop {
        let page = test.get(&path, &key).await;
        seen.extend(page.json().as_array().unwrap().clone());
        let Some(link) = page.headers.get("link") else { break };
        path = link.to_str().unwrap().trim_start_matches('<').split('>').next().unwrap().to_owned();
    }
    assert_eq!(seen, list("has_ad_pixel=true").await);

    for wrong in ["min_score=101", "min_score=x", "sort=name", "has_ad_pixel=maybe", "limit=0", "offset=-1", "score=3"]
    {
        assert_eq!(ask(wrong).await.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
    }
    let path = format!("/searches/{id}/leads?platform=wordpress");
    let tag = test.get(&path, &key).await.header("etag").to_owned();
    let again = send(test.request(Method::GET, &path).header("X-API-Key", &key).header("If-None-Match", tag)).await;
    assert_eq!((again.status, again.text.as_str()), (StatusCode::NOT_MODIFIED, ""));
}

#[tokio::test]
async fn a_list_without_leads_is_an_empty_array() {
    let test = TestApp::listing(On::Sqlite, Arc::new(Scripted::of(0))).await;
    let (_, key) = test.whole_account(10).await;
    let id = test.start(&key, json!({"industry": "plumber", "location": "Plainville, Sandbox"})).await;
    assert_eq!(test.get(&format!("/searches/{id}/leads"), &key).await.text, "[]");
    test.work().await;
    assert_eq!(test.get(&format!("/searches/{id}/leads"), &key).await.text, "[]");
}

#[tokio::test]
async fn no_lead_lies_outside_of_its_area() {
    let test = TestApp::new(On::Sqlite).await;
    let (_, key) = test.whole_account(10_000).await;
    let county = places::locate("Travis County, TX").unwrap().place.area(places::Scope::County);
    let centre = places::locate("78701").unwrap().place.point;
    let cases: [(Value, &dyn Fn(Point) -> bool); 2] = [
        (json!({"location": "Travis County, TX"}), &|point| county.contains(point)),
        (json!({"location": "78701", "radius_miles": 3}), &|point| point.miles_to(centre) <= 3.0),
    ];
    for (fields, inside) in cases {
        let mut body = json!({"industry": "restaurant", "requested_count": 300});
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let id = test.start(&key, body.clone()).await;
        test.work().await;
        let leads = test.leads(&key, &id).await;
        assert!(leads.len() > 50, "{body}: {}", leads.len());
        for lead in &leads {
            let point =
                Point { latitude: lead["latitude"].as_f64().unwrap(), longitude: lead["longitude"].as_f64().unwrap() };
            assert!(inside(point), "{lead}");
        }
        let again = test.start(&key, body).await;
        test.work().await;
        let ids = |leads: &[Value]| leads.iter().map(|lead| lead["business_id"].clone()).collect::<Vec<_>>();
        assert_eq!(ids(&leads), ids(&test.leads(&key, &again).await), "same query, same leads, same order");
    }
}
