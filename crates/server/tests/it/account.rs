//! `GET /me`, and accounts as their operator handles them.

use canvass::account::{self, Change, CreateError, Email, NewAccount, SetError};
use canvass::plan::{AddOn, Tier};
use http::{Method, StatusCode};
use rstest::rstest;
use serde_json::json;

use crate::support::{On, TestApp, send};

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn me_answers_for_every_tier(#[case] on: On) {
    let test = TestApp::new(on).await;
    let expected = [
        ("free", false, "city"),
        ("starter", false, "city"),
        ("growth", true, "county"),
        ("agency", true, "state"),
        ("scale", true, "country"),
    ];
    for (tier, (name, api_access, scope)) in Tier::ALL.into_iter().zip(expected) {
        let (account, key) = test.account(tier, 480).await;
        let answer = test.get("/me", &key).await;
        assert_eq!(answer.status, StatusCode::OK);
        let me = answer.json();
        assert_eq!(me["email"], account.email.as_str());
        assert_eq!(me["tier"], name);
        assert_eq!(me["credits"], 480);
        assert_eq!(me["entitlements"]["api_access"], api_access);
        assert_eq!(me["entitlements"]["scope"], scope);
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_free_plan_key_sees_me_and_nothing_else(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (_, key) = test.account(Tier::Free, 10).await;
    assert_eq!(test.get("/me", &key).await.status, StatusCode::OK);
    let answer = test.get("/credits", &key).await;
    assert_eq!((answer.status, answer.code().as_str()), (StatusCode::FORBIDDEN, "plan_without_api"));
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_changed_account_shows_at_once(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.account(Tier::Free, 10).await;
    let change = Change { tier: Some(Tier::Agency), add: vec![AddOn::Radar, AddOn::SignalsPlus], remove: vec![] };
    account::set(&test.app, &account.email, change).await.unwrap();
    let me = test.get("/me", &key).await.json();
    let expected =
        json!({"api_access": true, "scope": "state", "per_search_cap": 1000, "signals_plus": true, "radar": true});
    assert_eq!((&me["tier"], &me["entitlements"]), (&json!("agency"), &expected));

    let change = Change { remove: vec![AddOn::Radar], ..Change::default() };
    let changed = account::set(&test.app, &account.email, change).await.unwrap();
    assert_eq!((changed.tier, changed.add_ons()), (Tier::Agency, vec![AddOn::SignalsPlus]));
    assert_eq!(account::find(&test.app.db, account.id).await.unwrap(), Some(changed));
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn an_address_has_one_account_whatever_its_case(#[case] on: On) {
    let test = TestApp::new(on).await;
    let new = |email: &str| NewAccount {
        email: Email::parse(email).unwrap(),
        tier: Tier::Growth,
        credits: None,
        add_ons: vec![],
    };
    let first = account::create(&test.app, new("ada@example.com")).await.unwrap();
    assert_eq!(first.credits, 2_500, "the plan's monthly credits when none are given");
    let second = account::create(&test.app, new("ADA@example.com")).await;
    assert!(matches!(second, Err(CreateError::Taken(_))), "{second:?}");
    let beyond = NewAccount { credits: Some(-1), ..new("bob@example.com") };
    assert!(matches!(account::create(&test.app, beyond).await, Err(CreateError::Credits)));
    assert_eq!(account::list(&test.app.db).await.unwrap().len(), 1);
    let nobody = Email::parse("nobody@example.com").unwrap();
    assert!(matches!(account::set(&test.app, &nobody, Change::default()).await, Err(SetError::NotFound(_))));
}

#[tokio::test]
async fn head_a_trailing_slash_and_the_query_key_work_too() {
    let test = TestApp::new(On::Sqlite).await;
    let (_, key) = test.account(Tier::Growth, 1).await;
    let head = send(test.request(Method::HEAD, "/me").header("X-API-Key", &key)).await;
    assert_eq!((head.status, head.text.as_str()), (StatusCode::OK, ""));
    assert_eq!(test.get("/me/", &key).await.status, StatusCode::OK);
    let by_query = send(test.request(Method::GET, &format!("/me?api_key={key}"))).await;
    assert_eq!(by_query.status, StatusCode::OK);
    // The header decides when both are there.
    let both = test.get(&format!("/me?api_key={key}"), "cv_live_wrong").await;
    assert_eq!(both.status, StatusCode::UNAUTHORIZED);
}
