//! A database that fails: a full disk, a read-only file, a server that restarts, hangs or is cut off. Requests are told
//! what is wrong, nothing is lost or charged twice, and all is well again without a restart once the cause is gone.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use canvass::account::Account;
use canvass::db::{self, Db, DbError, sql};
use canvass::radar::{self, Which};
use http::{Method, StatusCode};
use rstest::rstest;
use serde_json::json;
use sqlx::{ConnectOptions, Executor};

use crate::support::{
    Binary, Link, More, Network, On, TestApp, client, fresh_database, fresh_schema, fresh_schema_url, send,
};

/// More pages than any test needs.
const NO_LIMIT: &str = "1073741823";

/// Changes a pragma of the one connection that writes, and of those opened in its place.
async fn set_writer(test: &TestApp, pragma: &'static str, value: &str) {
    let Db::Sqlite { writer, .. } = &test.app.db else { panic!("SQLite was asked for") };
    let options = (*writer.connect_options()).clone();
    writer.set_connect_options(options.pragma(pragma, value.to_owned()));
    let text = sqlx::AssertSqlSafe(format!("pragma {pragma} = {value}"));
    writer.acquire().await.unwrap().execute(text).await.unwrap();
}

/// Lets the database file grow no further.
async fn fill(test: &TestApp) {
    let (pages,) = sql("select page_count from pragma_page_count").one::<(i64,)>(&test.app.db).await.unwrap();
    set_writer(test, "max_page_count", &pages.to_string()).await;
}

fn search(count: i64) -> serde_json::Value {
    json!({"industry": "plumber", "location": "Plainville, Sandbox", "requested_count": count})
}

async fn readyz(test: &TestApp) -> (StatusCode, serde_json::Value) {
    let answer = send(test.request(Method::GET, "/readyz")).await;
    (answer.status, answer.json())
}

/// Waits until the server says whether it is ready as wanted: an answer holds for a second.
async fn until_ready_is(test: &TestApp, wanted: StatusCode) -> serde_json::Value {
    loop {
        let (status, body) = readyz(test).await;
        if status == wanted {
            return body;
        }
        tokio::task::yield_now().await;
    }
}

/// Starts searches until the database has no page left for another one, and gives the ids of those that were started.
async fn start_until_full(test: &TestApp, key: &str) -> Vec<String> {
    let mut started = Vec::new();
    loop {
        let answer = test.post("/search/start", key, &search(1)).await;
        if answer.status == StatusCode::OK {
            started.push(answer.json()["search_id"].as_str().unwrap().to_owned());
            continue;
        }
        assert_eq!((answer.status, answer.code().as_str()), (StatusCode::SERVICE_UNAVAILABLE, "storage_full"));
        assert_eq!(answer.header("retry-after"), "60");
        let detail = answer.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains("disk is full") && detail.contains("free space"), "{detail}");
        return started;
    }
}

#[tokio::test]
async fn a_full_database_says_so_and_works_again_when_there_is_room() {
    let test = TestApp::with(On::Sqlite, |settings| settings.running_searches = 10_000, More::default()).await;
    let (account, key) = test.whole_account(1_000).await;
    let waiting = test.start(&key, search(20)).await;
    assert_eq!(readyz(&test).await.0, StatusCode::OK);
    fill(&test).await;

    let started = start_until_full(&test, &key).await;
    // The work on the first search finds no room either.
    let _ = canvass::work::until_idle(&test.app).await;
    for _ in 0..5 {
        let again = test.post("/search/start", &key, &search(1)).await;
        assert_eq!((again.status, again.code().as_str()), (StatusCode::SERVICE_UNAVAILABLE, "storage_full"));
    }
    assert_eq!(until_ready_is(&test, StatusCode::SERVICE_UNAVAILABLE).await["code"], "storage_full");
    assert_eq!(test.get("/me", &key).await.status, StatusCode::OK, "what only reads still works");
    assert_eq!(test.search(&key, &waiting).await["status"], "running");

    set_writer(&test, "max_page_count", NO_LIMIT).await;
    until_ready_is(&test, StatusCode::OK).await;
    let after = test.start(&key, search(1)).await;
    finish_all(&test, &key, &account, &[vec![waiting, after], started].concat()).await;
}

/// Works until every search has ended, and checks that each delivered lead was charged once.
async fn finish_all(test: &TestApp, key: &str, account: &Account, searches: &[String]) {
    loop {
        test.work().await;
        // Whoever worked on it when the disk was full left it with a lease that has to run out.
        test.clock.advance_seconds(60);
        let mut found = 0;
        let mut running = 0;
        for id in searches {
            let search = test.search(key, id).await;
            found += search["leads_found"].as_i64().unwrap();
            running += usize::from(search["status"] == "running");
            assert_ne!(search["status"], "failed", "{search}");
        }
        if running == 0 {
            assert_eq!(found, 20 + i64::try_from(searches.len() - 1).unwrap(), "nothing was lost");
            return test.ledger_in_step(account, found).await;
        }
    }
}

#[tokio::test]
async fn a_check_that_finds_no_room_is_repeated_as_soon_as_there_is() {
    let test = TestApp::new(On::Sqlite).await;
    let (_, key) = test.whole_account(100).await;
    let id = test
        .start(&key, json!({"industry": "dentist", "location": "Changeville, Sandbox", "requested_count": 1}))
        .await;
    test.work().await;
    let lead = test.get(&format!("/searches/{id}/leads"), &key).await.json()[0]["lead_id"].clone();
    assert_eq!(test.post("/radar/watch", &key, &json!({"lead_id": lead})).await.status, StatusCode::OK);
    canvass::sandbox::advance(&test.app.db, 1).await.unwrap();
    set_writer(&test, "query_only", "on").await;
    // The watch cannot even be taken.
    assert!(radar::check_now(&test.app, Which::All).await.is_err());
    set_writer(&test, "query_only", "off").await;
    fill(&test).await;
    let (checked, ()) = tokio::join!(radar::check_now(&test.app, Which::All), async {
        tokio::time::sleep(Duration::from_millis(1500)).await;
        set_writer(&test, "max_page_count", NO_LIMIT).await;
    });
    let first = checked.unwrap_or_default();
    // The clock stands still: a lease would never run out.
    let then = radar::check_now(&test.app, Which::All).await.unwrap();
    assert_eq!((then.checked, first.alerts + then.alerts), (1, 1), "{first:?} {then:?}");
}

#[tokio::test]
async fn a_read_only_database_says_so_and_still_answers_reads() {
    let test = TestApp::new(On::Sqlite).await;
    let (_, key) = test.whole_account(100).await;
    let id = test.start(&key, search(1)).await;
    set_writer(&test, "query_only", "on").await;
    for _ in 0..3 {
        let answer = test.post("/search/start", &key, &search(1)).await;
        assert_eq!((answer.status, answer.code().as_str()), (StatusCode::SERVICE_UNAVAILABLE, "storage_read_only"));
        assert!(answer.json()["detail"].as_str().unwrap().contains("read-only"), "{answer:?}");
    }
    assert_eq!(readyz(&test).await.1["code"], "storage_read_only");
    assert_eq!(test.get("/me", &key).await.status, StatusCode::OK);
    assert_eq!(test.search(&key, &id).await["status"], "running");
    set_writer(&test, "query_only", "off").await;
    until_ready_is(&test, StatusCode::OK).await;
    test.start(&key, search(1)).await;
}

/// A small disk of its own below the data folder, where this process may mount one.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn below(binary: &Binary) -> Option<SmallDisk> {
        std::fs::create_dir(binary.data()).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=6m,mode=0700", "none"]).arg(binary.data());
        let mounted = mount.stderr(std::process::Stdio::null()).status();
        mounted.is_ok_and(|status| status.success()).then(|| SmallDisk(binary.data()))
    }

    fn fill(&self) -> PathBuf {
        let filler = self.0.join("filler");
        let mut file = std::fs::File::create(&filler).unwrap();
        while std::io::Write::write_all(&mut file, &[0; 4096]).is_ok() {}
        filler
    }

    fn remount(&self, how: &str) {
        let mut mount = Command::new("mount");
        mount.args(["-o", &format!("remount,{how}")]).arg(&self.0);
        assert!(mount.status().unwrap().success(), "{how}");
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

#[tokio::test]
async fn a_full_disk_says_so_and_works_again_when_there_is_room() {
    let binary = Binary::new().set("CANVASS_LEASE_SECONDS", "1").set("CANVASS_RUNNING_SEARCHES", "1000");
    let binary = binary.set("CANVASS_RATE_LIMIT", "0");
    let Some(disk) = SmallDisk::below(&binary) else {
        eprintln!("skipped: this user may not mount a small disk");
        return;
    };
    let served = binary.serve();
    let (base, key, http) = (served.base().to_owned(), served.key().to_owned(), client());
    let start = |count: i64| {
        let request = http.request(Method::POST, format!("{base}/search/start"));
        send(request.header("X-API-Key", &key).json(&search(count)))
    };
    let get = |path: &str| send(http.request(Method::GET, format!("{base}{path}")).header("X-API-Key", &key));
    assert_eq!(start(5).await.status, StatusCode::OK);

    let filler = disk.fill();
    let refused = loop {
        let answer = start(20).await;
        if answer.status != StatusCode::OK {
            break answer;
        }
    };
    assert_eq!((refused.status, refused.code().as_str()), (StatusCode::SERVICE_UNAVAILABLE, "storage_full"));
    let ready = loop {
        let answer = get("/readyz").await;
        if answer.status != StatusCode::OK {
            break answer;
        }
    };
    assert_eq!(ready.code(), "storage_full");
    assert_eq!(get("/me").await.status, StatusCode::OK, "what only reads still works");
    let names = disk.names();
    let report = String::from_utf8(binary.run(&["doctor"]).stdout).unwrap();
    assert!(report.contains("is full") && report.contains("free some space"), "{report}");
    assert_eq!(disk.names(), names, "the doctor leaves nothing behind");

    std::fs::remove_file(filler).unwrap();
    while get("/readyz").await.status != StatusCode::OK {}
    assert_eq!(start(5).await.status, StatusCode::OK);
    loop {
        let searches = get("/searches").await.json();
        let searches = searches.as_array().unwrap();
        assert!(searches.iter().all(|search| search["status"] != "failed"), "{searches:?}");
        if searches.iter().all(|search| search["status"] == "done") {
            break;
        }
    }
    let (_, log) = served.stop();
    assert!(!log.contains("non-zero transaction depth"), "{log}");
    assert_eq!(doctor_check(&binary, "ledger"), "ok");
}

#[tokio::test]
async fn a_server_started_on_a_read_only_disk_writes_once_it_is_writable() {
    let binary = Binary::new().set("CANVASS_LEASE_SECONDS", "1").set("CANVASS_RATE_LIMIT", "0");
    let Some(disk) = SmallDisk::below(&binary) else {
        eprintln!("skipped: this user may not mount a small disk");
        return;
    };
    let before = binary.serve();
    let (key, http) = (before.key().to_owned(), client());
    // Killed, it leaves the files of the log behind, without which nobody reads a database on a read-only disk.
    before.kill();
    disk.remount("ro");
    let served = binary.serve();
    let base = served.base().to_owned();
    let get = |path: &str| send(http.request(Method::GET, format!("{base}{path}")).header("X-API-Key", &key));
    let start =
        || send(http.request(Method::POST, format!("{base}/search/start")).header("X-API-Key", &key).json(&search(3)));
    for _ in 0..3 {
        let refused = start().await;
        assert_eq!((refused.status, refused.code().as_str()), (StatusCode::SERVICE_UNAVAILABLE, "storage_read_only"));
        assert_eq!(get("/me").await.status, StatusCode::OK, "what only reads still works");
    }
    assert_eq!(get("/readyz").await.code(), "storage_read_only");
    disk.remount("rw");
    while get("/readyz").await.status != StatusCode::OK {}
    let started = start().await;
    assert_eq!(started.status, StatusCode::OK, "{started:?}");
    let poll = started.json()["poll"].as_str().unwrap().to_owned();
    while get(&poll).await.json()["status"] == "running" {}
    assert_eq!(get(&poll).await.json()["leads_found"], 3);
    assert!(served.stop().0);
    assert_eq!(doctor_check(&binary, "ledger"), "ok");
}

fn doctor_check(binary: &Binary, name: &str) -> String {
    let report = binary.json(&["doctor"]);
    let check = report["checks"].as_array().unwrap().iter().find(|check| check["name"] == name).unwrap().clone();
    check["verdict"].as_str().unwrap().to_owned()
}

/// Ends every connection of this application, as a restart of PostgreSQL does.
async fn terminate_connections(db: &Db) {
    let Db::Pg { pool, .. } = db else { panic!("PostgreSQL was asked for") };
    let options = (*pool.connect_options()).clone();
    let ours = options.get_application_name().unwrap().to_owned();
    let mut operator = options.application_name("operator").connect().await.unwrap();
    sqlx::query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1")
        .bind(ours)
        .execute(&mut operator)
        .await
        .unwrap();
}

#[tokio::test]
async fn terminated_connections_cost_no_request_that_reads_and_no_500() {
    let test = TestApp::new(On::Postgres).await;
    let (account, key) = test.whole_account(100).await;
    let mut started = 0;
    for _ in 0..10 {
        terminate_connections(&test.app.db).await;
        let body = search(1);
        let (me, start) = tokio::join!(test.get("/me", &key), test.post("/search/start", &key, &body));
        assert_eq!(me.status, StatusCode::OK, "{me:?}");
        match start.status {
            StatusCode::OK => started += 1,
            StatusCode::SERVICE_UNAVAILABLE => assert_eq!(start.header("retry-after"), "2"),
            StatusCode::TOO_MANY_REQUESTS => {}
            _ => panic!("{start:?}"),
        }
        test.work().await;
    }
    assert!(started >= 5, "a terminated idle connection is replaced: {started}");
    terminate_connections(&test.app.db).await;
    assert_eq!(readyz(&test).await.0, StatusCode::OK);
    test.ledger_in_step(&account, started).await;
}

async fn note(on: &Db) {
    let mut tx = on.begin().await.unwrap();
    sql("create table note (id bigint primary key)").run(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_connection_that_ends_within_a_transaction_stores_nothing_and_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let db = fresh_database(On::Postgres, folder.path()).await;
    note(&db).await;
    let mut tx = db.begin().await.unwrap();
    sql("insert into note (id) values (1)").run(&mut tx).await.unwrap();
    terminate_connections(&db).await;
    let error = sql("insert into note (id) values (2)").run(&mut tx).await.unwrap_err();
    assert!(matches!(error, DbError::Unavailable(_)), "{error:?}");
    let error = tx.commit().await.unwrap_err();
    assert!(!error.is_outcome_unknown(), "a statement failed, so nothing was stored: {error:?}");

    let mut tx = db.begin().await.unwrap();
    sql("insert into note (id) values (3)").run(&mut tx).await.unwrap();
    terminate_connections(&db).await;
    let error = tx.commit().await.unwrap_err();
    assert!(error.is_outcome_unknown(), "{error:?}");
    assert_eq!(sql("select id from note").all::<(i64,)>(&db).await.unwrap(), []);
}

#[tokio::test]
async fn a_commit_whose_answer_is_lost_is_told_from_one_that_failed() {
    let (on, proxy) = On::behind_a_proxy().await;
    let folder = tempfile::tempdir().unwrap();
    let db = fresh_database(on, folder.path()).await;
    note(&db).await;
    let mut tx = db.begin().await.unwrap();
    sql("insert into note (id) values (1)").run(&mut tx).await.unwrap();
    proxy.lose_reply_to_commit(1);
    let error = tx.commit().await.unwrap_err();
    assert!(matches!(error, DbError::CommitUnknown(_)), "{error:?}");
    assert!(proxy.let_pass());
    assert_eq!(sql("select id from note").all::<(i64,)>(&db).await.unwrap(), [(1,)], "here it was stored");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn after_a_failed_statement_nothing_commits(#[case] on: On) {
    let folder = tempfile::tempdir().unwrap();
    let db = fresh_database(on, folder.path()).await;
    note(&db).await;
    let mut tx = db.begin().await.unwrap();
    sql("insert into note (id) values (1)").run(&mut tx).await.unwrap();
    assert!(matches!(sql("insert into note (id) values (1)").run(&mut tx).await, Err(DbError::Refused(_))));
    assert!(sql("insert into note (id) values (2)").run(&mut tx).await.is_err());
    assert!(tx.commit().await.is_err());
    assert_eq!(sql("select id from note").all::<(i64,)>(&db).await.unwrap(), []);
    note_one(&db).await;
}

async fn note_one(db: &Db) {
    let mut tx = db.begin().await.unwrap();
    sql("insert into note (id) values (7)").run(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(sql("select id from note").all::<(i64,)>(db).await.unwrap(), [(7,)]);
}

#[rstest]
#[case::hangs(Network::Hangs)]
#[case::cut(Network::Cut)]
#[tokio::test]
async fn a_database_out_of_reach_is_told_in_time_and_used_again_when_it_is_back(#[case] network: Network) {
    let options = fresh_schema().await;
    let link = Link::to(&options).await;
    let folder = tempfile::tempdir().unwrap();
    let db = db::open_with(link.through(options)).await.unwrap();
    db::migrate(&db, folder.path()).await.unwrap();
    let test = TestApp::upgraded(db, folder).await;
    let (_, key) = test.whole_account(100).await;
    assert_eq!(readyz(&test).await.0, StatusCode::OK);
    link.set(network);
    let asked = Instant::now();
    // An answer holds for a second, and the next one takes at most two.
    until_ready_is(&test, StatusCode::SERVICE_UNAVAILABLE).await;
    assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());
    let asked = Instant::now();
    let (status, body) = readyz(&test).await;
    assert_eq!((status, &body["code"]), (StatusCode::SERVICE_UNAVAILABLE, &json!("unavailable")));
    assert!(
        asked.elapsed() < Duration::from_secs(6),
        "two seconds, and what a busy machine adds: {:?}",
        asked.elapsed()
    );
    link.set(Network::Works);
    until_ready_is(&test, StatusCode::OK).await;
    assert_eq!(test.get("/me", &key).await.status, StatusCode::OK);
    test.start(&key, search(1)).await;
}

#[tokio::test]
async fn readiness_asks_the_database_at_most_once_a_second() {
    let test = TestApp::new(On::Postgres).await;
    let (began, before) = (Instant::now(), db::statements());
    for _ in 0..200 {
        assert_eq!(readyz(&test).await.0, StatusCode::OK);
    }
    let tries = db::statements() - before;
    let seconds = began.elapsed().as_secs() + 1;
    assert!((1..=seconds).contains(&tries), "{tries} tries in {seconds} seconds");
}

#[tokio::test]
async fn a_run_on_postgresql_logs_no_warnings() {
    let binary = Binary::new().set("CANVASS_DATABASE_URL", &fresh_schema_url().await);
    binary.json(&["account", "create", "--email", "a@b.example", "--tier", "scale", "--credits", "100"]);
    let key = binary.json(&["key", "create", "--email", "a@b.example", "--name", "test"])["key"].clone();
    let served = binary.serve();
    let (base, http) = (served.base().to_owned(), client());
    let request =
        |method, path: &str| http.request(method, format!("{base}{path}")).header("X-API-Key", key.as_str().unwrap());
    let started = send(request(Method::POST, "/search/start").json(&search(5))).await.json();
    let poll = started["poll"].as_str().unwrap().to_owned();
    while send(request(Method::GET, &poll)).await.json()["status"] == "running" {}
    let (_, log) = served.stop();
    assert!(log.contains("a search ended"), "the log is there: {log}");
    assert!(!log.contains("WARN") && !log.contains("no transaction in progress"), "{log}");
}
