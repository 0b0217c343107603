//! `Idempotency-Key`: asked twice, done once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::extract::Extension;
use axum::routing::post;
use axum::{Json, Router};
use canvass::idempotency::{self, Claim, ClaimError, Claimed, IdempotencyKey, SavedResponse as Kept, fingerprint};
use canvass::plan::Tier;
use http::{Method, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};
use server::edge::body::JsonBody;
use server::edge::caller::{Api, Authorized};
use server::edge::{Edge, Problem};
use tokio::sync::Semaphore;

use crate::support::{Answer, More, On, TestApp, send};

/// What the spending route under test has done, and a gate that lets it.
#[derive(Clone)]
struct Spending {
    times: Arc<AtomicUsize>,
    gate: Arc<Semaphore>,
}

impl Spending {
    fn new(passes: usize) -> Spending {
        Spending { times: Arc::default(), gate: Arc::new(Semaphore::new(passes)) }
    }

    fn times(&self) -> usize {
        self.times.load(Ordering::SeqCst)
    }
}

async fn spend(
    Extension(spending): Extension<Spending>,
    claim: Option<Extension<Claim>>,
    _: Authorized<Api>,
    JsonBody(mut body): JsonBody,
) -> Result<(StatusCode, Json<Value>), Problem> {
    let amount = body.integer("amount", 1..=10);
    body.finish()?;
    spending.gate.acquire().await.unwrap().forget();
    let times = spending.times.fetch_add(1, Ordering::SeqCst) + 1;
    let id = claim.map(|Extension(claim)| claim.subject.to_string());
    Ok((StatusCode::ACCEPTED, Json(json!({ "amount": amount, "times": times, "id": id }))))
}

async fn test_app(on: On, spending: &Spending) -> (TestApp, String) {
    let routes = Router::<Edge>::new().route("/spend", post(spend)).layer(Extension(spending.clone()));
    let test = TestApp::with(on, |_| {}, More { spending: routes, ..More::default() }).await;
    let (_, key) = test.account(Tier::Scale, 5).await;
    (test, key)
}

async fn ask(test: &TestApp, key: &str, idempotency_key: &str, body: Value) -> Answer {
    let request =
        test.request(Method::POST, "/spend").header("X-API-Key", key).header("Idempotency-Key", idempotency_key);
    send(request.json(&body)).await
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn the_same_request_gets_the_same_answer_and_is_done_once(#[case] on: On) {
    let spending = Spending::new(100);
    let (test, key) = test_app(on, &spending).await;
    let first = ask(&test, &key, "k1", json!({"amount": 3})).await;
    let again = ask(&test, &key, "k1", json!({"amount": 3})).await;
    assert_eq!((first.status, again.status), (StatusCode::ACCEPTED, StatusCode::ACCEPTED));
    assert_eq!(first.text, again.text);
    assert!(!first.headers.contains_key("idempotent-replayed"));
    assert_eq!(again.header("idempotent-replayed"), "true");
    assert_eq!(spending.times(), 1);
    assert_eq!(ask(&test, &key, "k2", json!({"amount": 3})).await.json()["times"], 2);

    let misplaced = ask(&test, &key, &key, json!({"amount": 3})).await;
    assert_eq!(misplaced.json()["errors"][0]["code"], "holds_key", "an API key is never stored");
    let other = ask(&test, &key, "k1", json!({"amount": 4})).await;
    assert_eq!((other.status, other.code().as_str()), (StatusCode::UNPROCESSABLE_ENTITY, "idempotency_key_reused"));
    let (_, neighbour) = test.account(Tier::Scale, 5).await;
    assert_eq!(
        ask(&test, &neighbour, "k1", json!({"amount": 4})).await.json()["times"],
        3,
        "keys belong to an account"
    );

    test.clock.advance_seconds(24 * 60 * 60 + 1);
    canvass::chores::run(&test.app).await;
    assert_eq!(ask(&test, &key, "k1", json!({"amount": 9})).await.json()["times"], 4, "after a day it is forgotten");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn while_the_first_is_under_way_the_second_is_told_so(#[case] on: On) {
    let spending = Spending::new(0);
    let (test, key) = test_app(on, &spending).await;
    let refused = AtomicUsize::new(0);
    let asking = (0..10).map(|_| async {
        let answer = ask(&test, &key, "k", json!({"amount": 1})).await;
        if answer.status == StatusCode::CONFLICT {
            assert_eq!(answer.code(), "request_in_progress");
            // Nine are told to wait before the tenth may finish.
            if refused.fetch_add(1, Ordering::SeqCst) == 8 {
                spending.gate.add_permits(1);
            }
        }
        answer.status
    });
    let statuses = futures::future::join_all(asking).await;
    assert_eq!(statuses.iter().filter(|status| **status == StatusCode::ACCEPTED).count(), 1);
    assert_eq!(spending.times(), 1);
}

#[tokio::test]
async fn a_request_that_failed_may_be_tried_again() {
    let spending = Spending::new(100);
    let (test, key) = test_app(On::Sqlite, &spending).await;
    let failed = ask(&test, &key, "k", json!({"amount": 99})).await;
    assert_eq!(failed.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(ask(&test, &key, "k", json!({"amount": 9})).await.status, StatusCode::ACCEPTED);
}

#[tokio::test]
async fn a_key_that_cannot_be_is_refused() {
    let spending = Spending::new(100);
    let (test, key) = test_app(On::Sqlite, &spending).await;
    for wrong in ["", "a b", &"x".repeat(256)] {
        let answer = ask(&test, &key, wrong, json!({"amount": 1})).await;
        assert_eq!((answer.status, answer.code().as_str()), (StatusCode::UNPROCESSABLE_ENTITY, "invalid_fields"));
    }
    assert_eq!(spending.times(), 0);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn when_the_first_dies_the_next_makes_the_same_thing(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, _) = test.account(Tier::Scale, 5).await;
    let key = IdempotencyKey::parse("k").unwrap();
    let asked = fingerprint(&[b"POST", b"/search/start"]);
    let claim = async || idempotency::claim(&test.app, account.id, key.clone(), &asked).await;
    let Ok(Claimed::Ours(first)) = claim().await else { panic!("the first claim is ours") };
    assert!(matches!(claim().await, Err(ClaimError::UnderWay(_))));
    // Its process is killed here. A few seconds later somebody asks again.
    test.clock.advance_seconds(11);
    let Ok(Claimed::Ours(second)) = claim().await else { panic!("a dead request's claim can be taken over") };
    assert_eq!(second.subject, first.subject, "what it makes gets the same id");
    assert!(matches!(claim().await, Err(ClaimError::UnderWay(_))), "and is held again");

    let answer = Kept { status: 200, content_type: "application/json".into(), body: "{}".into() };
    idempotency::keep(&test.app, &second, &answer).await.unwrap();
    assert_eq!(claim().await.unwrap(), Claimed::Answered(answer.clone()));
    idempotency::let_go(&test.app, &first).await.unwrap();
    assert_eq!(claim().await.unwrap(), Claimed::Answered(answer), "what was answered is not forgotten by a late loser");
    test.clock.advance_seconds(24 * 60 * 60);
    assert_eq!(idempotency::forget_old(&test.app.db, test.app.clock.now()).await.unwrap(), 1);
}
