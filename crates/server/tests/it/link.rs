//! Links to files that need no key: what they open, and what they do not.

use canvass::keys;
use http::{Method, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Answer, Mcp, On, TestApp, send};

/// A search with leads, and what the tool says about its file.
async fn exported(test: &TestApp, key: &str, arguments: Value) -> (String, Value) {
    let id =
        test.start(key, json!({"industry": "plumber", "location": "Plainville, Sandbox", "requested_count": 5})).await;
    test.work().await;
    let mut wish = json!({ "search_id": id });
    wish.as_object_mut().unwrap().extend(arguments.as_object().unwrap().clone());
    let answer = Mcp::new(test, key).call("export_leads", wish).await;
    (id, answer)
}

/// What stands at a link's address.
async fn open(test: &TestApp, url: &str) -> Answer {
    send(test.request(Method::GET, url.strip_prefix(&test.base).unwrap())).await
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_link_opens_the_same_file_without_a_key(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (_, key) = test.whole_account(50).await;
    let wishes = [
        (json!({}), "export?bom=false"),
        (json!({"channel": "all", "bom": true}), "export?bom=true"),
        (json!({"channel": "crm", "preset": "hubspot"}), "campaign-export?channel=crm&preset=hubspot"),
        (
            json!({"channel": "ad_audience", "platform": "meta", "hashed": true}),
            "campaign-export?channel=ad_audience&platform=meta&hashed=true",
        ),
        (json!({"channel": "direct_mail"}), "campaign-export?channel=direct_mail"),
    ];
    for (wish, endpoint) in wishes {
        let (id, link) = exported(&test, &key, wish.clone()).await;
        let url = link["download_url"].as_str().unwrap();
        assert!(!link.to_string().contains(&key), "the key is not in the conversation");
        let opened = open(&test, url).await;
        let expected = test.get(&format!("/searches/{id}/{endpoint}"), &key).await;
        assert_eq!((opened.status, &opened.text), (StatusCode::OK, &expected.text), "{wish}");
        assert_eq!(opened.header("content-disposition"), expected.header("content-disposition"));
        assert!(opened.header("content-disposition").contains(link["file_name"].as_str().unwrap()), "{opened:?}");
        let columns: Vec<&str> = link["columns"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
        assert_eq!(opened.text.trim_start_matches('\u{feff}').lines().next().unwrap(), columns.join(","));
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_link_that_is_late_altered_or_of_a_revoked_key_opens_nothing(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.whole_account(50).await;
    let (_, link) = exported(&test, &key, json!({})).await;
    let url = link["download_url"].as_str().unwrap();
    let (head, token) = url.rsplit_once('/').unwrap();

    for place in [0, 5, 50, 75, 85, token.len() - 1] {
        let mut altered: Vec<char> = token.chars().collect();
        altered[place] = if altered[place] == '1' { '2' } else { '1' };
        let answer = open(&test, &format!("{head}/{}", altered.iter().collect::<String>())).await;
        assert_eq!((answer.status, answer.code().as_str()), (StatusCode::NOT_FOUND, "no_such_link"), "{place}");
    }
    for wrong in ["x", "1......", &token[..token.len() - 2], &"1.".repeat(5_000), "%00", "%FF", "%F0%9F%92%A9."] {
        assert_eq!(open(&test, &format!("{head}/{wrong}")).await.status, StatusCode::NOT_FOUND, "{wrong}");
    }
    // Signed by a server with another secret.
    let other = TestApp::with(
        On::Sqlite,
        |settings| settings.secret_key = Some(canvass::config::Secret::new("other")),
        crate::support::More::default(),
    )
    .await;
    assert_eq!(open(&other, &format!("{}/exports/{token}", other.base)).await.status, StatusCode::NOT_FOUND);

    test.clock.advance_seconds(14 * 60);
    assert_eq!(open(&test, url).await.status, StatusCode::OK);
    test.clock.advance_seconds(60);
    let late = open(&test, url).await;
    assert_eq!((late.status, late.code().as_str()), (StatusCode::GONE, "link_expired"));

    let (_, link) = exported(&test, &key, json!({})).await;
    let url = link["download_url"].as_str().unwrap();
    let made_with = keys::list(&test.app.db, account.id).await.unwrap()[0].id;
    keys::revoke(&test.app, made_with).await.unwrap();
    let revoked = open(&test, url).await;
    assert_eq!((revoked.status, revoked.code().as_str()), (StatusCode::FORBIDDEN, "key_revoked"));
}

#[tokio::test]
async fn servers_that_share_a_secret_open_each_others_links() {
    let secret = || Some(canvass::config::Secret::new("shared"));
    let test =
        TestApp::with(On::Sqlite, |settings| settings.secret_key = secret(), crate::support::More::default()).await;
    let other =
        TestApp::with(On::Sqlite, |settings| settings.secret_key = secret(), crate::support::More::default()).await;
    let (_, key) = test.whole_account(50).await;
    let (_, link) = exported(&test, &key, json!({})).await;
    let token = link["download_url"].as_str().unwrap().rsplit_once('/').unwrap().1;
    // It can be read there; the key it was made with is in another database.
    let answer = open(&other, &format!("{}/exports/{token}", other.base)).await;
    assert_eq!((answer.status, answer.code().as_str()), (StatusCode::FORBIDDEN, "key_revoked"));
}

#[tokio::test]
async fn a_link_counts_against_the_rate_of_its_key() {
    let limit = std::num::NonZeroU32::new(4);
    let test = TestApp::with(On::Sqlite, |settings| settings.rate_limit = limit, crate::support::More::default()).await;
    let (_, key) = test.whole_account(50).await;
    let (_, link) = exported(&test, &key, json!({})).await;
    let url = link["download_url"].as_str().unwrap();
    let mut statuses = Vec::new();
    for _ in 0..3 {
        statuses.push(open(&test, url).await.status);
    }
    assert_eq!(statuses, [StatusCode::OK, StatusCode::OK, StatusCode::TOO_MANY_REQUESTS]);
}
