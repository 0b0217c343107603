//! Servers killed while they work on a request with an `Idempotency-Key`: a repeat is served in seconds, and paid for once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use canvass::account::{self, Account, Email, NewAccount};
use canvass::ai::{self, Feature};
use canvass::app::Ports;
use canvass::lead::{self, LeadQuery, Lock};
use canvass::plan::Tier;
use canvass::search::{self, StartRequest};
use canvass::{App, keys, work};
use http::StatusCode;
use rstest::rstest;
use serde_json::json;
use tokio::sync::Semaphore;

use crate::enrichment::with_reviews;
use crate::support::{Answer, On, Provider, Says, Scripted, Stored, client, send};

/// How long a repeat may take at most, on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(60);

/// An account with a finished search of one business, its key, and the lead.
async fn one_lead(stored: &Stored) -> (App, Account, String, String) {
    let listings = Some(Arc::new(Scripted::listing(vec![with_reviews(1)])) as _);
    let app = stored.app(Ports { source: listings, ..Ports::default() }).await;
    let email = Email::parse("owner@example.com").unwrap();
    let new = NewAccount { email, tier: Tier::Scale, credits: Some(10), add_ons: Vec::new() };
    let account = account::create(&app, new).await.unwrap();
    let request =
        StartRequest { industry: "plumber".into(), location: "Plainville, Sandbox".into(), ..StartRequest::default() };
    let search = search::start(&app, &account, request, None).await.unwrap().search().owned_id().unwrap();
    work::until_idle(&app).await.unwrap();
    let mut listed = lead::list(&app.db, search, &LeadQuery::default(), Lock::Open).await.unwrap();
    let lead = listed.next_rows().await.unwrap()[0].lead().unwrap().lead_id.to_string();
    let key = keys::create(&app, account.id, "test").await.unwrap().secret.reveal().to_owned();
    (app, account, key, lead)
}

async fn ask(base: &str, key: &str, path: &str) -> reqwest::Result<Answer> {
    let request = client().post(format!("{base}{path}")).header("X-API-Key", key).header("Idempotency-Key", "k");
    let response = request.send().await?;
    let (status, headers) = (response.status(), response.headers().clone());
    Ok(Answer { status, headers, text: response.text().await? })
}

#[rstest]
#[case::sqlite(On::Sqlite, "enrich")]
#[case::postgres(On::Postgres, "enrich")]
#[case::sqlite_intro(On::Sqlite, "intro")]
#[case::postgres_intro(On::Postgres, "intro")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_whose_server_was_killed_is_served_by_the_next_in_seconds(#[case] on: On, #[case] what: &str) {
    let gate = Arc::new(Semaphore::new(0));
    let text = "I read that Jane Doe came the same day. Fair price, no surprises on the bill, as a customer says.";
    let answer = json!({"owner_name": "Jane Doe", "owner_title": "owner", "email": null, "intro": text}).to_string();
    let provider = Provider::saying([Says::Gated(gate.clone(), answer)]).await;
    let mut stored = Stored::new(on).await;
    stored.binary = stored.binary.set("CANVASS_AI_BASE_URL", &provider.base).set("CANVASS_AI_MODEL", "small");
    let (app, account, key, lead) = one_lead(&stored).await;
    let path = format!("/leads/{lead}/{what}");

    let dying = stored.binary.serve();
    let (base, first) = (dying.base().to_owned(), (key.clone(), path.clone()));
    let asking = tokio::spawn(async move { ask(&base, &first.0, &first.1).await });
    while provider.asked().is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    drop(dying);
    assert!(asking.await.unwrap().is_err(), "its answer is lost");

    gate.add_permits(100);
    let next = stored.binary.serve();
    let begun = Instant::now();
    let served = loop {
        let answer = ask(next.base(), &key, &path).await.unwrap();
        if answer.status != StatusCode::CONFLICT {
            break answer;
        }
        assert_eq!(answer.header("retry-after"), "2");
        assert!(begun.elapsed() < PATIENCE, "{answer:?}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    assert_eq!((served.status, &served.json()["engine"]), (StatusCode::OK, &json!("small")), "{served:?}");
    let feature = if what == "intro" { Feature::Intro } else { Feature::Enrich };
    assert_eq!(ai::remaining(&app, &account, feature).await.unwrap().left(), 10_000 - 1, "paid for once");
    let replayed =
        send(client().post(format!("{}{path}", next.base())).header("X-API-Key", &key).header("Idempotency-Key", "k"));
    assert_eq!(replayed.await.text, served.text);
}
