//! Keys: a revoked one is refused at once, its sister works on, and use is noted.

use canvass::clock::Moment;
use canvass::ids::KeyId;
use canvass::keys::{self, CreateError, SecretKey};
use canvass::plan::Tier;
use http::StatusCode;
use rstest::rstest;

use crate::support::{NOW, On, TestApp};

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_revoked_key_is_refused_while_its_sister_works(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.account(Tier::Growth, 5).await;
    let sister = test.key(&account).await;
    assert_eq!(test.get("/me", &key).await.status, StatusCode::OK);
    let id = keys::list(&test.app.db, account.id).await.unwrap()[0].id;
    test.clock.advance_seconds(30);
    let revoked = keys::revoke(&test.app, id).await.unwrap().unwrap();
    assert_eq!(revoked.revoked_at, Some(Moment::from_micros(NOW + 30_000_000)));

    let answer = test.get("/me", &key).await;
    assert_eq!((answer.status, answer.code().as_str()), (StatusCode::UNAUTHORIZED, "invalid_key"));
    assert!(answer.header("www-authenticate").contains("X-API-Key"));
    assert_eq!(test.get("/me", &sister).await.status, StatusCode::OK);

    test.clock.advance_seconds(30);
    let again = keys::revoke(&test.app, id).await.unwrap().unwrap();
    assert_eq!(again.revoked_at, revoked.revoked_at, "the first revocation is the one that counts");
    let unknown = KeyId::parse("019a8546-6d1b-7cc0-b6dd-8f3b5f0c9d11").unwrap();
    assert_eq!(keys::revoke(&test.app, unknown).await.unwrap(), None);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn last_use_is_noted_to_the_minute(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.account(Tier::Growth, 5).await;
    let last = async || keys::list(&test.app.db, account.id).await.unwrap()[0].last_used_at;
    assert_eq!(last().await, None);
    for (wait, expected) in [(0, NOW), (59, NOW), (1, NOW + 60_000_000)] {
        test.clock.advance_seconds(wait);
        assert_eq!(test.get("/me", &key).await.status, StatusCode::OK);
        assert_eq!(last().await, Some(Moment::from_micros(expected)));
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn only_a_hash_is_stored(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, _) = test.account(Tier::Growth, 5).await;
    let created = keys::create(&test.app, account.id, " n8n ").await.unwrap();
    let listed = keys::list(&test.app.db, account.id).await.unwrap();
    assert_eq!(listed.last(), Some(&created.key));
    assert_eq!((created.key.name.as_str(), created.key.prefix.len()), ("n8n", 12));
    let rows: Vec<(String, String, String)> =
        canvass::db::sql("select name, prefix, hash from api_key").all(&test.app.db).await.unwrap();
    assert!(rows.iter().all(|(name, prefix, hash)| {
        ![name, prefix, hash].iter().any(|stored| stored.contains(created.secret.reveal())) && hash.len() == 64
    }));
    for wrong in ["", "  ", &"x".repeat(101), "a\nb"] {
        assert!(matches!(keys::create(&test.app, account.id, wrong).await, Err(CreateError::Name)), "{wrong:?}");
    }
}

#[tokio::test]
async fn what_is_not_a_working_key_is_401() {
    let test = TestApp::new(On::Sqlite).await;
    test.account(Tier::Growth, 5).await;
    let stranger = SecretKey::generate(&canvass::ids::SystemIds);
    for wrong in ["", " ", "x", "cv_live_", stranger.reveal(), &"cv_live_".repeat(500)] {
        let answer = test.get("/me", wrong).await;
        assert_eq!((answer.status, answer.code().as_str()), (StatusCode::UNAUTHORIZED, "invalid_key"), "{wrong:?}");
    }
    let answer = crate::support::send(test.request(http::Method::GET, "/me")).await;
    assert_eq!((answer.status, answer.code().as_str()), (StatusCode::UNAUTHORIZED, "missing_key"));
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_key_is_taken_from_three_places_and_the_first_one_counts(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (_, one) = test.account(Tier::Growth, 1).await;
    let (_, two) = test.account(Tier::Growth, 2).await;
    let basic = "Basic dXNlcjpwYXNzd29yZA==".to_owned();
    let bearer = |key: &str| Some(format!("Bearer {key}"));
    // X-API-Key, Authorization, api_key; the balance tells whose key counted.
    let cases = [
        (Some(one.clone()), None, None, Ok(1)),
        (None, bearer(&one), None, Ok(1)),
        (None, Some(format!("bearer   {one} ")), None, Ok(1)),
        (None, None, Some(&two), Ok(2)),
        (Some(one.clone()), bearer(&two), Some(&two), Ok(1)),
        (Some(one.clone()), bearer("a-token-of-some-gateway"), None, Ok(1)),
        (None, bearer(&one), Some(&two), Ok(1)),
        (None, Some(basic.clone()), Some(&two), Ok(2)),
        (Some("x".into()), bearer(&one), None, Err("invalid_key")),
        (None, bearer("x"), Some(&two), Err("invalid_key")),
        (None, Some("Bearer".into()), Some(&two), Err("invalid_key")),
        (None, Some(format!("Bearer{one}")), None, Err("missing_key")),
        (None, Some(basic), None, Err("missing_key")),
    ];
    for (header, authorization, parameter, expected) in cases {
        let path = parameter.map_or("/me".into(), |key| format!("/me?api_key={key}"));
        let mut request = test.request(http::Method::GET, &path);
        let headers = [("X-API-Key", &header), ("Authorization", &authorization)];
        for (name, value) in headers.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?))) {
            request = request.header(name, value);
        }
        let answer = crate::support::send(request).await;
        match expected {
            Ok(credits) => assert_eq!(answer.json()["credits"], credits, "{header:?} {authorization:?} {path}"),
            Err(code) => {
                let found = (answer.status, answer.code());
                assert_eq!(found, (StatusCode::UNAUTHORIZED, code.to_owned()), "{header:?} {authorization:?} {path}");
                assert!(answer.header("www-authenticate").contains("Bearer"));
            }
        }
    }
}

#[tokio::test]
async fn many_requests_at_once_each_get_their_own_account() {
    let test = TestApp::new(On::Sqlite).await;
    let mut expected = Vec::new();
    for credits in 1..=5 {
        expected.push((test.account(Tier::Scale, credits).await.1, credits));
    }
    let asking = (0..200).map(|number| {
        let (key, credits) = expected[number % expected.len()].clone();
        let test = &test;
        async move { assert_eq!(test.get("/me", &key).await.json()["credits"], credits) }
    });
    futures::future::join_all(asking).await;
}
