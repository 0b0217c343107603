//! Clocks that are hours or weeks ahead: what they leave behind is not believed, and whoever shares a PostgreSQL goes by its
//! clock, not by the machine's.

use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use canvass::account::Account;
use canvass::ai::{self, Feature, Holder, Reserved, Wanted};
use canvass::app::Ports;
use canvass::clock::{self, Clock, Moment, SetClock, SystemClock};
use canvass::credits::{self, Reason};
use canvass::exports::{ByteOrderMark, ExportLink, FileFormat, LinkError, Shape};
use canvass::idempotency::{self, Claimed, IdempotencyKey, fingerprint};
use canvass::ids::{LeadId, SearchId};
use canvass::listing::SourceError;
use canvass::notify::{self, MailState};
use canvass::plan::{AddOn, Tier};
use canvass::radar::{self, Which};
use canvass::search::{self, Search};
use canvass::{App, account, chores, jobs, keys};
use http::StatusCode;
use rstest::rstest;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::support::{Answer, Binary, More, NOW, On, Scripted, Stored, TestApp, client, send};

const HOUR: i64 = 60 * 60;
const DAY: i64 = 24 * HOUR;

/// Another process on the same database, whose clock is so many seconds ahead.
fn ahead_of(test: &TestApp, seconds: i64, listings: Scripted) -> App {
    let clock = Arc::new(SetClock::at(test.app.clock.now().plus_seconds(seconds)));
    let ports = Ports { clock, source: Some(Arc::new(listings)), ..Ports::default() };
    App::new(test.app.db.clone(), test.app.settings.clone(), ports)
}

async fn test_app(on: On) -> (TestApp, Account, String) {
    let test = TestApp::build(on, |_| {}, More::default(), Some(Arc::new(Scripted::of(3)))).await;
    let (account, key) = test.whole_account(100).await;
    (test, account, key)
}

fn plumbers() -> Value {
    json!({"industry": "plumber", "location": "Plainville, Sandbox", "requested_count": 3, "notify": true})
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_worker_that_died_with_its_clock_hours_ahead_holds_up_nothing(#[case] on: On) {
    let (test, account, key) = test_app(on).await;
    let ahead = ahead_of(&test, 5 * HOUR, Scripted::of(3));
    let leased = test.start(&key, plumbers()).await;
    assert_eq!(jobs::take::<Search>(&ahead, "its worker", 1).await.unwrap().len(), 1);
    test.work().await;
    let done = test.search(&key, &leased).await;
    assert_eq!(done["status"], "done", "its lease is not waited for");

    // One that met passing trouble put the next try hours into the future, and so the e-mail about a search it stopped.
    let failing = Scripted::of(3).failing(1, 1, SourceError::transient("busy"));
    let ahead = ahead_of(&test, 5 * HOUR, failing);
    let retried = test.start(&key, plumbers()).await;
    canvass::work::until_idle(&ahead).await.unwrap();
    assert_eq!(test.search(&key, &retried).await["status"], "running");
    test.work().await;
    assert_eq!(test.search(&key, &retried).await["status"], "done", "its next try is not waited for");
    let stopped = SearchId::parse(&test.start(&key, plumbers()).await).unwrap();
    search::stop(&ahead, account.id, stopped).await.unwrap().unwrap();
    test.work().await;
    let mail = notify::find(&test.app.db, stopped).await.unwrap().unwrap();
    assert_eq!(mail.state, MailState::Sent, "its e-mail is sent now");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn holds_watches_and_links_of_a_clock_that_was_ahead_are_not_believed(#[case] on: On) {
    let (test, account, key) = test_app(on).await;
    let id = test.start(&key, plumbers()).await;
    test.work().await;
    let lead = test.leads(&key, &id).await[0]["lead_id"].as_str().unwrap().to_owned();
    let ahead = ahead_of(&test, 40 * DAY, Scripted::of(3));

    let take = async |app: &App| {
        let wanted = Wanted { feature: Feature::Intro, subject: "a", holder: Holder::Request };
        ai::reserve(app, &account, wanted).await.unwrap()
    };
    assert!(matches!(take(&ahead).await, Reserved::Held(_)));
    assert!(matches!(take(&test.app).await, Reserved::Held(_)), "a hold that ends in weeks is nobody's");
    assert_eq!(take(&test.app).await, Reserved::Busy, "a sound one counts");

    let name = IdempotencyKey::parse("k").unwrap();
    let claim = async |app: &App| idempotency::claim(app, account.id, name.clone(), &fingerprint(&[b"x"])).await;
    assert!(matches!(claim(&ahead).await, Ok(Claimed::Ours(_))));
    assert!(matches!(claim(&test.app).await, Ok(Claimed::Ours(_))));
    assert!(claim(&test.app).await.is_err(), "a sound one counts");

    let lead = LeadId::parse(&lead).unwrap();
    radar::watch(&ahead, &account, lead, None).await.unwrap();
    let swept = radar::check_now(&test.app, Which::Due).await.unwrap();
    assert_eq!(swept.checked, 1, "a check weeks away is due");
    let watch = radar::list(&test.app.db, account.id).await.unwrap()[0].clone();
    assert!(watch.next_check_at < test.app.clock.now().plus_seconds(2 * DAY), "and the next one is a day away");
    assert_eq!(radar::check_now(&test.app, Which::Due).await.unwrap().checked, 0);

    let made_with = keys::list(&test.app.db, account.id).await.unwrap()[0].id;
    let link = |app: &App| ExportLink {
        search: SearchId::parse(&id).unwrap(),
        key: made_with,
        format: FileFormat { shape: Shape::Full, mark: ByteOrderMark::Without },
        expires_at: app.clock.now().plus_seconds(canvass::exports::LINK_SECONDS),
    };
    let token = link(&ahead).sign(&ahead).unwrap();
    assert!(matches!(ExportLink::open(&test.app, &token), Err(LinkError::Expired)), "it would work for weeks");
    assert!(ExportLink::open(&test.app, &link(&test.app).sign(&test.app).unwrap()).is_ok());
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn servers_whose_clocks_are_seconds_apart_take_nothing_from_each_other(#[case] on: On) {
    let (test, account, key) = test_app(on).await;
    let ahead = ahead_of(&test, 2, Scripted::of(3));
    test.start(&key, plumbers()).await;
    assert_eq!(jobs::take::<Search>(&ahead, "one", 1).await.unwrap().len(), 1);
    assert!(jobs::take::<Search>(&test.app, "other", 1).await.unwrap().is_empty(), "its lease counts");

    let wanted = Wanted { feature: Feature::Intro, subject: "a", holder: Holder::Request };
    assert!(matches!(ai::reserve(&ahead, &account, wanted).await.unwrap(), Reserved::Held(_)));
    assert_eq!(ai::reserve(&test.app, &account, wanted).await.unwrap(), Reserved::Busy, "its hold counts");

    let name = IdempotencyKey::parse("k").unwrap();
    let claim = async |app: &App| idempotency::claim(app, account.id, name.clone(), &fingerprint(&[b"x"])).await;
    assert!(matches!(claim(&ahead).await, Ok(Claimed::Ours(_))));
    assert!(claim(&test.app).await.is_err(), "its claim counts");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_server_whose_clock_is_ahead_makes_nobody_forget(#[case] on: On) {
    let (test, account, key) = test_app(on).await;
    let ask = async |body: Value| {
        let request = test.request(http::Method::POST, "/search/start").header("X-API-Key", &key);
        send(request.header("Idempotency-Key", "k").json(&body)).await
    };
    let first = ask(plumbers()).await;
    let intro = async |app: &App| {
        let wanted = Wanted { feature: Feature::Intro, subject: "a", holder: Holder::Request };
        ai::reserve(app, &account, wanted).await.unwrap()
    };
    let Reserved::Held(hold) = intro(&test.app).await else { panic!("there are many") };
    let mut tx = test.app.db.begin().await.unwrap();
    assert!(ai::spend(&mut tx, &hold, "rules").await.unwrap());
    tx.commit().await.unwrap();

    chores::run(&test.app).await;
    for seconds in [26 * HOUR, 90 * DAY] {
        let ahead = ahead_of(&test, seconds, Scripted::of(3));
        for _ in 0..3 {
            chores::run(&ahead).await;
        }
        let asked = fingerprint(&[b"another server would see a key it forgot as free"]);
        let claimed = idempotency::claim(&ahead, account.id, IdempotencyKey::parse("k").unwrap(), &asked).await;
        assert!(matches!(claimed, Err(idempotency::ClaimError::OtherRequest)), "{claimed:?}");
        assert!(matches!(intro(&ahead).await, Reserved::Paid { .. }), "the intro is remembered as paid for");
    }
    let again = ask(plumbers()).await;
    assert_eq!((again.header("idempotent-replayed"), &again.text), ("true", &first.text));

    // A sound clock sets it right, and when a day has really passed the key is free.
    chores::run(&test.app).await;
    test.clock.advance_seconds(DAY + 1);
    for _ in 0..150 {
        chores::run(&test.app).await;
    }
    let anew = ask(json!({"industry": "plumber", "location": "Hamletville, Sandbox"})).await;
    assert_eq!(anew.status, StatusCode::OK, "{anew:?}");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_month_is_refilled_once_though_a_clock_was_ahead(#[case] on: On) {
    let test = TestApp::new(on).await;
    let account = test.account_with(Tier::Growth, 0, &[AddOn::Radar]).await;
    let refills = async || {
        let lines = credits::page(&test.app.db, account.id, None, 100).await.unwrap();
        lines.iter().filter(|line| line.reason == Reason::Refill).count()
    };
    let first_day = account.refill_at;
    chores::run(&ahead_of(&test, 40 * DAY, Scripted::of(1))).await;
    assert_eq!(refills().await, 1, "the fake clock of this server is all it has to go by");
    chores::run(&test.app).await;
    let now = account::find(&test.app.db, account.id).await.unwrap().unwrap();
    assert_eq!((now.refill_at, now.credits), (first_day, 2_500), "the date is brought back, by whole months");
    // Spent meanwhile; the first month's refill was given already, the second one comes in time.
    credits::grant(&test.app, account.id, -2_500, None).await.unwrap();
    test.clock.advance_seconds(31 * DAY);
    chores::run(&test.app).await;
    assert_eq!((refills().await, test.app.clock.now() > first_day), (1, true));
    test.clock.advance_seconds(31 * DAY);
    chores::run(&test.app).await;
    assert_eq!(refills().await, 2);
    assert!(credits::audit(&test.app.db).await.unwrap().is_empty());
    // Years ahead, it would never be refilled again.
    chores::run(&ahead_of(&test, 3_650 * DAY, Scripted::of(1))).await;
    chores::run(&test.app).await;
    let now = account::find(&test.app.db, account.id).await.unwrap().unwrap();
    assert!(now.refill_at <= test.app.clock.now().plus_seconds(32 * DAY), "{}", now.refill_at);
}

#[tokio::test]
async fn the_clock_of_a_shared_database_is_its_own() {
    let stored = Stored::new(On::Postgres).await;
    let shared = clock::of_database(&stored.db().await).await.unwrap();
    let apart = (shared.now().micros() - SystemClock.now().micros()).abs();
    assert!(apart < 5_000_000, "here the two are the same machine's: {apart}");
    let before = shared.now();
    assert!(shared.now() >= before);
    assert!(Moment::from_micros(NOW) < before);
}

/// What makes a process see another time than its machine's, so far ahead as `FAKETIME` says.
fn faketime() -> String {
    let found =
        std::fs::read_dir("/usr/lib").unwrap().map(|entry| entry.unwrap().path().join("faketime/libfaketime.so.1"));
    let library = found.into_iter().find(|path: &std::path::PathBuf| path.exists());
    library.expect("needs libfaketime: scripts/need faketime").display().to_string()
}

/// A binary on the database of `stored` whose clock is ahead, as `+26h`.
fn binary_ahead(stored: &Stored, by: &str) -> Binary {
    Binary::new()
        .set("CANVASS_LEASE_SECONDS", "1")
        .set("CANVASS_DATABASE_URL", stored.url.as_deref().unwrap())
        .set("LD_PRELOAD", &faketime())
        .set("FAKETIME", by)
        .set("FAKETIME_DONT_FAKE_MONOTONIC", "1")
}

/// An account on the widest plan, without credits to begin with, and its key.
fn account_and_key(stored: &Stored, credits: &str) -> String {
    let create = ["account", "create", "--email", "ada@example.com", "--tier", "scale", "--credits", credits];
    stored.binary.json(&create);
    let key = stored.binary.json(&["key", "create", "--email", "ada@example.com", "--name", "test"]);
    key["key"].as_str().unwrap().to_owned()
}

async fn start(base: &str, key: &str, idempotency_key: &str) -> Answer {
    let body = json!({"industry": "plumber", "location": "Crowdville, Sandbox", "requested_count": 300});
    let request = client().post(format!("{base}/search/start")).header("X-API-Key", key);
    send(request.header("Idempotency-Key", idempotency_key).json(&body)).await
}

async fn get(base: &str, key: &str, path: &str) -> Value {
    send(client().get(format!("{base}{path}")).header("X-API-Key", key)).await.json()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn real_servers_whose_clocks_are_weeks_ahead_go_by_the_databases() {
    assert!(Path::new(&faketime()).exists());
    let stored = Stored::new(On::Postgres).await;
    let key = account_and_key(&stored, "1000");
    let sound = stored.binary.serve();
    let ahead = binary_ahead(&stored, "+40d").serve();
    let first = start(sound.base(), &key, "k").await;
    assert_eq!(first.status, StatusCode::OK, "{first:?}");
    let again = start(ahead.base(), &key, "k").await;
    assert_eq!((again.header("idempotent-replayed"), &again.text), ("true", &first.text), "it remembers the day");
    let other = start(ahead.base(), &key, "other").await.json();
    let search = get(ahead.base(), &key, &format!("/searches/{}", other["search_id"].as_str().unwrap())).await;
    let created = Moment::parse(search["created_at"].as_str().unwrap()).unwrap();
    let apart = (created.micros() - SystemClock.now().micros()).abs() / 1_000_000;
    assert!(apart < 300, "{apart} seconds off");
    // Its chores ran when it started, and would have forgotten the key and refilled the month.
    let lines = get(ahead.base(), &key, "/credits?limit=100").await;
    assert!(lines.to_string().contains("first credits") && !lines.to_string().contains("refill"), "{lines}");
    let (_, log) = ahead.stop();
    assert!(log.contains("ahead of the database's"), "the operator is told: {log}");
}

fn killed(mut child: Child) {
    kill_process(Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap(), Signal::KILL).unwrap();
    child.wait().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_real_worker_killed_with_its_clock_hours_ahead_is_taken_over_in_seconds() {
    let stored = Stored::new(On::Postgres).await;
    let app = stored.app(Ports::default()).await;
    account_and_key(&stored, "1000");
    let account = account::list(&app.db).await.unwrap().remove(0);
    let request = search::StartRequest {
        industry: "plumber".into(),
        location: "Crowdville, Sandbox".into(),
        requested_count: Some(300),
        ..search::StartRequest::default()
    };
    let id = search::start(&app, &account, request, None).await.unwrap().search().id;
    let spawn =
        |binary: &Binary| binary.command(&["work"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let until = async |enough: &dyn Fn(&search::Search) -> bool| {
        let begun = Instant::now();
        loop {
            let found = search::find(&app.db, account.id, id).await.unwrap().unwrap();
            if enough(&found) {
                return found;
            }
            assert!(begun.elapsed() < Duration::from_secs(120), "{found:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let ahead = binary_ahead(&stored, "+5h");
    let worker = spawn(&ahead);
    until(&|search| search.leads_found > 0).await;
    killed(worker);
    let worker = spawn(&stored.binary);
    let done = until(&|search| !search.is_running()).await;
    killed(worker);
    assert_eq!((done.status, done.leads_found), (search::Status::Done, 300));
    assert!(credits::audit(&app.db).await.unwrap().is_empty());
}
