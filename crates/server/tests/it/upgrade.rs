//! Databases written by earlier releases open, migrate, and serve everything they hold.
//!
//! `tests/fixtures/upgrade` holds a dump of each database (schema 6) and what the API answered from it: a finished search,
//! a search whose server was killed half-way, watches, alerts and the ledger. Fixtures are only added, never rewritten.

use std::io::Read;
use std::path::Path;

use canvass::db::{self, Db, sql};
use canvass::lead::packed::{unpack_document, unpack_site};
use canvass::{account, credits};
use flate2::read::GzDecoder;
use rstest::rstest;
use serde_json::{Value, json};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::{AssertSqlSafe, Executor, PgPool};

use crate::support::{On, TestApp, csv_rows, fresh_schema, lead_texts};

/// From the time of the tests to an hour after the fixtures were made: the killed server's lease has expired.
const LATER_SECONDS: i64 = 17 * 60 * 60;

/// A fixture, unpacked.
fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/upgrade").join(name);
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text
}

/// The database as the earlier release left it, migrated, and what that release answered.
async fn upgraded(on: On) -> (TestApp, Value) {
    let folder = tempfile::tempdir().unwrap();
    let (db, answers) = match on {
        On::Sqlite => (restored_sqlite(folder.path()).await, fixture("sqlite.json.gz")),
        On::Postgres | On::Behind(_) => (restored_postgres().await, fixture("postgres.json.gz")),
    };
    db::migrate(&db, folder.path()).await.unwrap();
    let app = TestApp::upgraded(db, folder).await;
    app.clock.advance_seconds(LATER_SECONDS);
    (app, serde_json::from_str(&answers).unwrap())
}

async fn restored_sqlite(folder: &Path) -> Db {
    let options = SqliteConnectOptions::new().filename(folder.join("canvass.db")).create_if_missing(true);
    let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options.foreign_keys(false)).await.unwrap();
    pool.execute(AssertSqlSafe(fixture("sqlite.sql.gz"))).await.unwrap();
    pool.close().await;
    db::open(None, folder).await.unwrap()
}

async fn restored_postgres() -> Db {
    let options = fresh_schema().await;
    let pool = PgPool::connect_with(options.clone()).await.unwrap();
    pool.execute(AssertSqlSafe(fixture("postgres.sql.gz"))).await.unwrap();
    pool.close().await;
    db::open_with(options).await.unwrap()
}

/// A new key of the account in the fixture: only hashes of its old ones are stored.
async fn key(app: &TestApp) -> String {
    let accounts = account::list(&app.app.db).await.unwrap();
    let account = accounts.iter().find(|account| account.email.to_string() == "old@example.com").unwrap();
    app.key(account).await
}

/// Asserts that everything an earlier release answered is still answered: members may be added, none changed.
fn assert_grown(path: &str, before: &Value, now: &Value) {
    match (before, now) {
        (Value::Object(before), Value::Object(now)) => {
            for (name, value) in before {
                assert_grown(&format!("{path}.{name}"), value, now.get(name).unwrap_or(&Value::Null));
            }
        }
        (Value::Array(before), Value::Array(now)) => {
            assert_eq!(before.len(), now.len(), "{path}");
            for (place, (before, now)) in before.iter().zip(now).enumerate() {
                assert_grown(&format!("{path}[{place}]"), before, now);
            }
        }
        _ => assert_eq!(before, now, "{path}"),
    }
}

/// Asserts that a file has the columns and cells it had, with new columns only behind them.
fn assert_columns_kept(now: &[Vec<String>], before: &[Vec<String>]) {
    assert_eq!(now.len(), before.len());
    for (now, before) in now.iter().zip(before) {
        assert_eq!(now[..before.len()], before[..]);
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upgraded_database_answers_as_before(#[case] on: On) {
    let (app, before) = upgraded(on).await;
    let key = key(&app).await;
    let id = before["finished"]["search_id"].as_str().unwrap();
    assert_grown("search", &before["finished"], &app.search(&key, id).await);
    assert_grown("leads", &before["leads"], &Value::Array(app.leads(&key, id).await));
    for (name, path) in [("watches", "/radar/watches"), ("alerts", "/radar/alerts")] {
        assert_grown(name, &before[name], &app.get(path, &key).await.json());
    }
    let export = app.get(&format!("/searches/{id}/export"), &key).await.text;
    assert_columns_kept(&csv_rows(&export), &csv_rows(before["export"].as_str().unwrap()));
    for lead in app.leads(&key, id).await {
        assert_eq!(lead["source"], "sandbox", "{lead}");
        assert_eq!(lead["attribution"], "Made-up businesses of the Canvass sandbox", "{lead}");
    }
    let lead = before["leads"][3]["lead_id"].as_str().unwrap();
    let intro = app.post(&format!("/leads/{lead}/intro"), &key, &json!({})).await;
    assert!(intro.json()["intro"].as_str().is_some_and(|intro| !intro.is_empty()), "{intro:?}");
    let enriched = app.post(&format!("/leads/{lead}/enrich"), &key, &json!({})).await.json();
    assert_eq!((&enriched["lead_id"], &enriched["lead"]["source"]), (&json!(lead), &json!("sandbox")), "{enriched}");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_interrupted_before_the_upgrade_is_resumed_after_it(#[case] on: On) {
    let (app, before) = upgraded(on).await;
    let key = key(&app).await;
    app.work().await;
    let id = before["interrupted"]["search_id"].as_str().unwrap();
    let search = app.search(&key, id).await;
    assert_eq!((&search["status"], &search["leads_found"]), (&"done".into(), &16.into()), "{search}");
    let leads = app.leads(&key, id).await;
    let delivered = before["interrupted_leads"].as_array().unwrap();
    assert_grown("leads", &before["interrupted_leads"], &leads[..delivered.len()].into());
    assert_eq!(leads.len(), 16);
    assert_eq!(credits::audit(&app.app.db).await.unwrap(), vec![]);
    assert_eq!(app.get("/me", &key).await.json()["credits"], 500 - 12 - 16);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn businesses_delivered_before_the_upgrade_are_still_owned_after_it(#[case] on: On) {
    let (app, before) = upgraded(on).await;
    let key = key(&app).await;
    let finished = &before["finished"];
    let body = json!({"industry": finished["industry"], "location": finished["location"], "requested_count": 4,
        "filters": {"skip_owned": true}});
    let id = app.start(&key, body).await;
    app.work().await;
    let owned = app.search(&key, &id).await["coverage"]["filtered"]["owned"].as_i64();
    assert!(owned.is_some_and(|owned| owned > 0), "{owned:?}");
    let ids = |leads: &[Value]| leads.iter().map(|lead| lead["business_id"].clone()).collect::<Vec<_>>();
    let had = ids(before["leads"].as_array().unwrap());
    let new = ids(&app.leads(&key, &id).await);
    assert!(new.len() == 4 && new.iter().all(|id| !had.contains(id)), "{new:?}");
}

/// Everything that is stored of leads, in one order whatever was written last.
async fn texts_of(test: &TestApp) -> Vec<String> {
    let mut texts = lead_texts(test).await;
    texts.sort();
    texts
}

/// Two texts in the form in which the version before packed them: their lengths, then an LZ4 block of literals alone, or Zstandard.
fn packed_before(first: &str, second: &str, compress: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let both = [first, second].concat();
    let length = |text: &str| u32::try_from(text.len()).unwrap().to_le_bytes();
    [&[1], &length(first)[..], &length(&both), &compress(both.as_bytes())].concat()
}

fn literals(text: &[u8]) -> Vec<u8> {
    let beyond = text.len().checked_sub(15).unwrap();
    let full = std::iter::repeat_n(255, beyond / 255);
    let rest = u8::try_from(beyond % 255).unwrap();
    std::iter::once(0xf0).chain(full).chain([rest]).chain(text.iter().copied()).collect()
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn leads_in_an_earlier_form_are_read_and_then_packed_anew(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (_, key) = test.whole_account(10).await;
    let id = test
        .start(&key, json!({"industry": "dentist", "location": "Plainville, Sandbox", "requested_count": 10}))
        .await;
    test.work().await;
    let (leads, texts) = (test.leads(&key, &id).await, texts_of(&test).await);
    let stored = "select id, document, site from lead order by id";
    let now: Vec<(String, Vec<u8>, Vec<u8>)> = sql(stored).all(&test.app.db).await.unwrap();
    let mut tx = test.app.db.begin().await.unwrap();
    for (id, document, site) in &now {
        let ((lead, score), (facts, text)) = (unpack_document(document).unwrap(), unpack_site(site).unwrap());
        let zstd = |both: &[u8]| zstd::bulk::compress(both, 3).unwrap();
        let update = sql("update lead set document = $2, site = $3 where id = $1").bind(id.as_str());
        let site = packed_before(&facts, text.as_deref().unwrap_or_default(), zstd);
        update.bind(packed_before(&lead, &score, literals)).bind(site).run(&mut tx).await.unwrap();
    }
    sql("insert into lead_backlog (id, after_lead) values (1, '')").run(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!((test.leads(&key, &id).await, texts_of(&test).await), (leads.clone(), texts.clone()));
    canvass::chores::run(&test.app).await;
    let packed: Vec<(String, Vec<u8>, Vec<u8>)> = sql(stored).all(&test.app.db).await.unwrap();
    assert_eq!(packed, now);
    assert_eq!((test.leads(&key, &id).await, texts_of(&test).await), (leads, texts));
}
