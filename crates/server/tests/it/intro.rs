//! Intros: two or three sentences that stand on what is known, whoever writes them.

use std::collections::HashSet;

use canvass::ai::Brief;
use canvass::intro::check;
use canvass::lead::{self, LeadQuery, Lock};
use canvass::plan::Tier;
use canvass::search;
use http::{Method, StatusCode};
use rstest::rstest;
use serde_json::json;

use crate::enrichment::Case;
use crate::support::{Answer, On, Provider, Says, TestApp, opening, send};

/// An intro that stands on what the test's customers say.
const SOUND: &str = "I read that Jane Doe came the same day. Fair price, no surprises on the bill, as a customer says.";

async fn write(case: &Case, place: usize) -> Answer {
    case.test.post(&format!("/leads/{}/intro", case.leads[place]), &case.key, &json!({})).await
}

fn text(answer: &Answer) -> String {
    answer.json()["intro"].as_str().unwrap_or_else(|| panic!("{answer:?}")).to_owned()
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn an_intro_is_written_counted_and_not_stored(#[case] on: On) {
    let case = Case::new(on, 2, |settings| settings.plans.of_mut(Tier::Scale).ai_intro = 3).await;
    let before = case.lead(0).await;
    let (first, again, bare) = (write(&case, 0).await, write(&case, 0).await, write(&case, 2).await);
    assert_eq!([&first, &again, &bare].map(|one| one.json()["ai_intro_remaining"].as_i64().unwrap()), [2, 1, 0]);
    assert_eq!((first.json()["engine"].as_str(), text(&first)), (Some("rules"), text(&again)));
    assert!(text(&bare).contains("Business 9999"), "{bare:?}");
    let refused = write(&case, 0).await;
    assert_eq!((refused.status, refused.code().as_str()), (StatusCode::BAD_REQUEST, "ai_allowance_used_up"));
    assert_eq!(case.lead(0).await, before);
    let (_, stranger) = case.test.account(Tier::Scale, 1).await;
    for id in [case.leads[0].as_str(), "019a8546-6d1b-7cc0-b6dd-8f3b5f0c9d11", "x"] {
        let answer = case.test.post(&format!("/leads/{id}/intro"), &stranger, &json!({})).await;
        assert_eq!((answer.status, answer.code().as_str()), (StatusCode::NOT_FOUND, "not_found"));
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_models_intro_is_checked_and_replaced_when_it_does_not_pass_twice(#[case] on: On) {
    let invents = opening("I hear that Bob Smith won 12 awards. Write to bob@evil.test.");
    let provider = Provider::saying([opening(SOUND), opening("Hi [Name]! Nice site."), opening(SOUND), invents]).await;
    let case = Case::asking(on, 1, &provider).await;
    let good = write(&case, 0).await;
    assert_eq!((good.json()["engine"].as_str(), text(&good).as_str()), (Some("small"), SOUND));
    let second_try = write(&case, 0).await;
    assert_eq!((text(&second_try).as_str(), provider.asked().len()), (SOUND, 3));
    let replaced = write(&case, 0).await;
    assert_eq!((replaced.json()["engine"].as_str(), provider.asked().len()), (Some("rules"), 5), "{replaced:?}");
    assert!(!text(&replaced).contains("Bob"), "{replaced:?}");
    assert_eq!(replaced.json()["ai_intro_remaining"], 10_000 - 3);
    provider.say(Says::Status(500, Some("0")));
    let failed = write(&case, 0).await;
    assert_eq!((failed.status, failed.code().as_str()), (StatusCode::BAD_GATEWAY, "ai_provider_failed"));
    provider.say(opening(SOUND));
    assert_eq!(write(&case, 0).await.json()["ai_intro_remaining"], 10_000 - 4, "a failure costs nothing");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn an_intro_asked_for_again_under_its_key_is_paid_for_once(#[case] on: On) {
    let case = Case::new(on, 1, |_| {}).await;
    let ask = async || {
        let path = format!("/leads/{}/intro", case.leads[0]);
        let request = case.test.request(Method::POST, &path).header("X-API-Key", &case.key);
        send(request.header("Idempotency-Key", "once")).await
    };
    let (first, again) = (ask().await, ask().await);
    assert_eq!((first.text.clone(), again.header("idempotent-replayed")), (again.text.clone(), "true"));
    assert_eq!(write(&case, 0).await.json()["ai_intro_remaining"], 9_998);
}

#[tokio::test]
async fn the_rules_write_differently_to_everyone_and_say_nothing_that_stands_nowhere() {
    let test = TestApp::new(On::Sqlite).await;
    let (account, key) = test.whole_account(1_000).await;
    let body = json!({"industry": "plumber", "location": "Austin, TX", "requested_count": 60});
    let search = test.start(&key, body).await;
    test.work().await;
    let id = canvass::ids::SearchId::parse(&search).unwrap();
    let found = search::find(&test.app.db, account.id, id).await.unwrap().unwrap();
    let mut listed =
        lead::list(&test.app.db, found.owned_id().unwrap(), &LeadQuery::default(), Lock::Open).await.unwrap();
    let mut seen = HashSet::new();
    let mut shapes = HashSet::new();
    while let Some(row) = listed.next_rows().await.ok().filter(|rows| !rows.is_empty()) {
        for row in row {
            let lead = row.lead().unwrap();
            let answer = test.post(&format!("/leads/{}/intro", lead.lead_id), &key, &json!({})).await;
            let intro = text(&answer);
            let owned = lead::find(&test.app.db, account.id, row.lead().unwrap().lead_id).await.unwrap().unwrap();
            let kept = lead::site_text(&test.app.db, &owned).await.unwrap();
            let brief = Brief::of(&lead, kept.as_deref(), "f".into());
            assert_eq!(check(&brief, &intro), Ok(()), "{intro}");
            shapes.insert(
                intro.replace(&lead.business_name, "").split_whitespace().take(4).collect::<Vec<_>>().join(" "),
            );
            assert!(seen.insert(intro.clone()), "told twice: {intro}");
        }
    }
    assert_eq!(seen.len(), 60);
    assert!(shapes.len() >= 8, "{shapes:?}");
}
