//! Several servers and workers on one database: limits hold for all of them together, and workers know where servers are.

use std::process::Stdio;
use std::time::Duration;

use canvass::app::Ports;
use canvass::clock::Moment;
use canvass::db::sql;
use canvass::notify::OUTBOX_FOLDER;
use canvass::request_rate::{self, Used};
use futures::future::join_all;
use http::{Method, StatusCode};
use rstest::rstest;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::restart::begin;
use crate::support::{Answer, Binary, NOW, On, Served, Stored, client, fresh_database, fresh_schema_url, send};

/// Two servers on one PostgreSQL database, each with a data folder of its own, and a key of an account there.
async fn two_servers(setting: &str, value: &str) -> ([Binary; 2], [Served; 2], String) {
    let url = fresh_schema_url().await;
    let binaries = [(), ()]
        .map(|()| Binary::new().set("CANVASS_DATABASE_URL", &url).set(setting, value).set("CANVASS_LOG", "warn"));
    binaries[0].json(&["account", "create", "--email", "a@b.example", "--tier", "scale", "--credits", "1000"]);
    let key = binaries[0].json(&["key", "create", "--email", "a@b.example", "--name", "test"])["key"].clone();
    let served = [binaries[0].serve(), binaries[1].serve()];
    (binaries, served, key.as_str().unwrap().to_owned())
}

async fn me(base: &str, key: &str) -> Answer {
    send(client().request(Method::GET, format!("{base}/me")).header("X-API-Key", key)).await
}

#[tokio::test]
async fn what_a_key_used_on_one_server_is_used_up_on_the_others() {
    const PER_MINUTE: usize = 60;
    let (_binaries, servers, key) = two_servers("CANVASS_RATE_LIMIT", &PER_MINUTE.to_string()).await;
    let [first, second] = [servers[0].base(), servers[1].base()];
    let mut passed = 0;
    while me(first, &key).await.status == StatusCode::OK {
        passed += 1;
    }
    assert!(passed >= PER_MINUTE, "a burst uses the whole quota: {passed}");
    // The other server lets requests pass until it has heard of it: for a quarter of a second. By itself it would let all
    // sixty pass.
    let mut more = 0;
    let refused = loop {
        let answer = me(second, &key).await;
        if answer.status != StatusCode::OK {
            break answer;
        }
        more += 1;
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    assert_eq!(refused.code(), "rate_limited");
    assert!(more <= PER_MINUTE / 2, "{more} passed on the other server");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn what_servers_report_adds_up_and_a_wrong_clock_is_forgotten(#[case] on: On) {
    let folder = tempfile::tempdir().unwrap();
    let db = fresh_database(on, folder.path()).await;
    let now = Moment::from_micros(NOW);
    let used = |caller: &str, seconds: i64| Used { caller: caller.to_owned(), micros: seconds * 1_000_000 };
    // Two servers let a whole quota pass at the same time: it is owed twice.
    let first = request_rate::add(&db, vec![used("b", 60), used("a", 1)], now).await.unwrap();
    assert_eq!(first, [("a".to_owned(), now.plus_seconds(1)), ("b".to_owned(), now.plus_seconds(60))]);
    let second = request_rate::add(&db, vec![used("b", 60)], now).await.unwrap();
    assert_eq!(second, [("b".to_owned(), now.plus_seconds(120))]);
    // Half a minute later that much is paid back, and a quota that was whole meanwhile counts from then on.
    let later = now.plus_seconds(30);
    let third = request_rate::add(&db, vec![used("a", 1), used("b", 1)], later).await.unwrap();
    assert_eq!(third, [("a".to_owned(), later.plus_seconds(1)), ("b".to_owned(), now.plus_seconds(121))]);
    // What was written while the clock was a day ahead does not keep anyone waiting for a day.
    request_rate::add(&db, vec![used("c", 1)], now.plus_seconds(86_400)).await.unwrap();
    let fourth = request_rate::add(&db, vec![used("c", 1)], now).await.unwrap();
    assert_eq!(fourth, [("c".to_owned(), now.plus_seconds(1))]);
    request_rate::forget_old(&db, now.plus_seconds(122)).await.unwrap();
    let left: Vec<(String,)> = sql("select caller from request_rate").all(&db).await.unwrap();
    assert_eq!(left, []);
}

#[tokio::test]
async fn no_more_searches_run_at_once_than_allowed_on_all_servers_together() {
    let (_binaries, servers, key) = two_servers("CANVASS_RUNNING_SEARCHES", "5").await;
    let bases = [servers[0].base(), servers[1].base()];
    // Provider and websites are slow enough that none of them ends meanwhile.
    let wish = json!({"industry": "slow trade", "location": "Crowdville, Sandbox", "requested_count": 500});
    let start = |n: usize| {
        let request = client().request(Method::POST, format!("{}/search/start", bases[n % 2]));
        send(request.header("X-API-Key", &key).json(&wish))
    };
    let answers = join_all((0..40).map(start)).await;
    let started = answers.iter().filter(|answer| answer.status == StatusCode::OK).count();
    assert_eq!(started, 5, "{answers:?}");
    for refused in answers.iter().filter(|answer| answer.status != StatusCode::OK) {
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{refused:?}");
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_worker_without_an_address_of_its_own_links_to_the_server(#[case] on: On) {
    let stored = Stored::new(on).await;
    let served = stored.binary.serve();
    let base = served.base().to_owned();
    let app = stored.app(Ports::default()).await;
    while canvass::server_address::find(&app).await.unwrap().as_str().trim_end_matches('/') != base {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(served.stop().0);
    let (account, search) = begin(&app, "Plainville, Sandbox", 1).await;
    let mut worker = stored.binary.command(&["work"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let letter = stored.binary.data().join(OUTBOX_FOLDER).join(format!("{search}.eml"));
    while !letter.exists() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    kill_process(Pid::from_raw(i32::try_from(worker.id()).unwrap()).unwrap(), Signal::TERM).unwrap();
    assert!(worker.wait().unwrap().success());
    let text = std::fs::read_to_string(letter).unwrap().replace("=\r\n", "");
    assert!(text.contains(&format!("{base}/app/search/{search}")), "{text}");
    let link = stored.binary.json(&["account", "link", account.email.as_str()]);
    assert!(link["link"].as_str().unwrap().starts_with(&format!("{base}/app/welcome#")), "{link}");
}
