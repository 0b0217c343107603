//! Enrichment with a model: what it invents is dropped, and its failures cost nothing.

use http::StatusCode;
use rstest::rstest;
use serde_json::json;

use super::Case;
use crate::support::{On, Provider, Says, who};

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn what_a_model_invents_is_dropped_and_counted(#[case] on: On) {
    let provider = Provider::saying([who(Some("Evil Person"), Some("Owner"), Some("ceo@evil.test"))]).await;
    let case = Case::asking(on, 3, &provider).await;
    let before = case.lead(0).await;
    let done = case.enrich(json!({})).await;
    assert_eq!((&done["unchanged"], &done["rejected_ungrounded"]), (&json!(3), &json!(6)), "{done}");
    assert_eq!((&done["engine"], &done["ai_enrich_remaining"]), (&json!("small"), &json!(10_000 - 3)));
    assert_eq!(case.lead(0).await, before, "nothing of it is saved");

    let asked = &provider.asked()[0];
    let said = asked.body["messages"][1]["content"].as_str().unwrap();
    assert!(!said.contains("evil.test"), "orders to machines are not even shown: {said}");
    assert!(
        said.contains("Fair price, no surprises")
            && asked.body["messages"][0]["content"].as_str().unwrap().contains("never")
    );
    provider.say(who(Some("Jane Doe"), Some("owner"), None));
    let honest = Case::asking(on, 1, &provider).await;
    let done = honest.enrich(json!({})).await;
    assert_eq!((&done["enriched"], &done["rejected_ungrounded"]), (&json!(1), &json!(0)), "{done}");
    let lead = honest.lead(0).await;
    let proof = lead["evidence"].as_array().unwrap().iter().find(|proof| proof["field"] == "owner_name").unwrap();
    assert_eq!((&lead["owner_name"], &proof["method"]), (&json!("Jane Doe"), &json!("ai")));
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_provider_that_fails_costs_nothing(#[case] on: On) {
    let provider = Provider::saying([Says::Status(500, Some("0"))]).await;
    let case = Case::asking(on, 30, &provider).await;
    let refused = case.enrich_lead(0).await;
    assert_eq!((refused.status, refused.code().as_str()), (StatusCode::BAD_GATEWAY, "ai_provider_failed"));
    assert!(refused.json()["detail"].as_str().unwrap().contains("nothing was spent"), "{refused:?}");
    let done = case.enrich(json!({"lead_ids": &case.leads[..2]})).await;
    assert_eq!((&done["failed"], &done["ai_enrich_remaining"]), (&json!(2), &json!(10_000)), "{done}");
    assert_eq!(done["leads"][0]["reason"], "provider_failed");
    let given_up = case.enrich(json!({})).await;
    assert_eq!((&given_up["stopped_because"], &given_up["ai_enrich_remaining"]), (&json!(null), &json!(10_000)));
    provider.say(who(Some("Jane Doe"), Some("owner"), None));
    let done = case.enrich(json!({})).await;
    assert_eq!((&done["enriched"], &done["ai_enrich_remaining"]), (&json!(30), &json!(10_000 - 30)), "{done}");
}
