//! `/me/ai-key`: set by the customer, used when nothing else pays, shown to nobody, led nowhere private.

use canvass::plan::Tier;
use http::{Method, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};

use super::{everything_in, jane};
use crate::enrichment::Case;
use crate::support::{Answer, On, Provider, TestApp, send};

/// What no answer, no file and no log may hold.
const SECRET: &str = "sk-customers-very-own";

async fn put(test: &TestApp, key: &str, body: &Value) -> Answer {
    send(test.request(Method::PUT, "/me/ai-key").header("X-API-Key", key).json(body)).await
}

async fn delete(test: &TestApp, key: &str) -> Answer {
    send(test.request(Method::DELETE, "/me/ai-key").header("X-API-Key", key)).await
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_key_is_set_shown_without_itself_and_forgotten(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (_, key) = test.account(Tier::Growth, 1).await;
    let (_, other) = test.account(Tier::Growth, 1).await;
    let none = json!({"set": false, "model": null, "base_url": null});
    assert_eq!(test.get("/me/ai-key", &key).await.json(), none);
    assert_eq!(delete(&test, &key).await.json(), none, "forgetting nothing is no error");

    let set = put(&test, &key, &json!({"api_key": SECRET, "model": "small"})).await;
    let shown = json!({"set": true, "model": "small", "base_url": "https://api.openai.com/v1"});
    assert_eq!((set.status, set.json()), (StatusCode::OK, shown.clone()), "{set:?}");
    let again = test.get("/me/ai-key", &key).await;
    assert_eq!(again.json(), shown);
    assert!(!again.text.contains(SECRET) && !set.text.contains(SECRET));
    let stored = everything_in(&test.app.settings.data);
    assert!(!stored.windows(SECRET.len()).any(|bytes| bytes == SECRET.as_bytes()), "it can be read in the database");
    assert_eq!(test.get("/me/ai-key", &other).await.json(), none, "it is this account's alone");

    let body = json!({"api_key": SECRET, "model": "large", "base_url": "https://api.anthropic.com"});
    let shown = json!({"set": true, "model": "large", "base_url": "https://api.anthropic.com/"});
    assert_eq!(put(&test, &key, &body).await.json(), shown, "a new one takes its place");
    for _ in 0..2 {
        assert_eq!(delete(&test, &key).await.json(), none);
    }
    assert_eq!(test.get("/me/ai-key", &key).await.json(), none);
}

#[tokio::test]
async fn what_can_be_no_key_or_leads_to_a_private_place_is_refused() {
    let test = TestApp::new(On::Sqlite).await;
    let (_, key) = test.account(Tier::Growth, 1).await;
    let fine = json!({"api_key": SECRET, "model": "m"});
    let with = |field: &str, value: Value| {
        let mut body = fine.clone();
        body[field] = value;
        body
    };
    let mut cases = vec![
        (json!({}), "api_key"),
        (json!({"api_key": SECRET}), "model"),
        (with("api_key", json!("two words")), "api_key"),
        (with("api_key", json!("é")), "api_key"),
        (with("api_key", json!("x".repeat(2_000))), "api_key"),
        (with("api_key", json!(7)), "api_key"),
        (with("model", json!("")), "model"),
        (with("model", json!("a\u{0}b")), "model"),
        (with("key", json!("x")), "key"),
    ];
    for address in [
        "nonsense",
        "http://api.openai.com/v1",
        "https://localhost/v1",
        "https://127.0.0.1/v1",
        "https://169.254.169.254/latest",
        "https://[::1]/v1",
        "https://10.1.2.3/v1",
        "https://models.internal/v1",
        "https://api.openai.com:22/v1",
        "https://user:password@api.openai.com/v1",
        "file:///etc/passwd",
    ] {
        cases.push((with("base_url", json!(address)), "base_url"));
    }
    for (body, field) in cases {
        let answer = put(&test, &key, &body).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{body:.120}: {answer:?}");
        assert_eq!((answer.code().as_str(), &answer.json()["errors"][0]["field"]), ("invalid_fields", &json!(field)));
        assert!(!answer.text.contains(SECRET), "{answer:?}");
    }
    assert_eq!(test.get("/me/ai-key", &key).await.json()["set"], false, "nothing of it was stored");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn it_pays_when_nothing_else_does_at_an_address_the_operator_allows(#[case] on: On) {
    let own = Provider::saying([jane()]).await;
    let address = own.base.trim_start_matches("http://").trim_end_matches("/v1").parse().unwrap();
    let case = Case::new(on, 2, |settings| {
        settings.plans.of_mut(Tier::Scale).ai_enrich = 0;
        settings.allow_addresses = vec![address];
    })
    .await;
    assert_eq!(case.enrich_lead(0).await.code(), "ai_allowance_used_up");
    let body = json!({"api_key": SECRET, "model": "theirs", "base_url": own.base});
    assert_eq!(put(&case.test, &case.key, &body).await.status, StatusCode::OK);
    let answer = case.enrich_lead(0).await.json();
    assert_eq!((&answer["status"], &answer["engine"]), (&json!("enriched"), &json!("theirs")), "{answer}");
    assert!(own.asked()[0].head.to_lowercase().contains(&format!("bearer {SECRET}")));
    delete(&case.test, &case.key).await;
    assert_eq!(case.enrich_lead(1).await.code(), "ai_allowance_used_up");
    assert_eq!(own.asked().len(), 1);
}

#[tokio::test]
async fn an_address_that_is_allowed_no_more_is_asked_no_more() {
    let own = Provider::saying([jane()]).await;
    let address = own.base.trim_start_matches("http://").trim_end_matches("/v1").parse().unwrap();
    let case = Case::new(On::Sqlite, 1, |settings| {
        settings.plans.of_mut(Tier::Scale).ai_enrich = 0;
        settings.allow_addresses = vec![address];
    })
    .await;
    let body = json!({"api_key": SECRET, "model": "theirs", "base_url": own.base});
    put(&case.test, &case.key, &body).await;
    // The server is started again, and its operator has thought better of it.
    let settings = canvass::config::Settings { allow_addresses: Vec::new(), ..case.test.app.settings.clone() };
    let later = canvass::App::new(case.test.app.db.clone(), settings, canvass::app::Ports::default());
    let lead = canvass::ids::LeadId::parse(&case.leads[0]).unwrap();
    let refused = canvass::enrichment::enrich(&later, &case.account, lead, None).await;
    assert!(matches!(refused, Err(canvass::enrichment::EnrichError::Model(_))), "{refused:?}");
    assert!(own.asked().is_empty());
}
