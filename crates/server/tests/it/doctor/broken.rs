//! Databases that cannot be used: the doctor and the server say what is wrong and what to do, and looking changes
//! nothing on the disk.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rstest::rstest;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, Executor};

use super::{check, examine};
use crate::support::{Binary, postgres_url};

/// Everything below a folder, with its content and mode.
fn everything(folder: &Path) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let mode = path.metadata().unwrap().permissions().mode();
        if path.is_dir() {
            found.extend(everything(&path));
            found.insert(path, (mode, Vec::new()));
        } else {
            found.insert(path.clone(), (mode, std::fs::read(&path).unwrap()));
        }
    }
    found
}

async fn change(file: &Path, statement: &'static str) {
    let options = SqliteConnectOptions::new().filename(file).create_if_missing(true);
    let mut connection = options.connect().await.unwrap();
    connection.execute(statement).await.unwrap();
    connection.close().await.unwrap();
}

/// Puts something in the place of the database in `data`, which was set up before.
async fn spoil(case: &str, data: &Path) {
    let file = data.join("canvass.db");
    let whole = std::fs::read(&file).unwrap();
    match case {
        "corrupt" => {
            let mut bytes = whole.clone();
            bytes[4096..].fill(0xa5);
            std::fs::write(&file, bytes).unwrap();
        }
        "truncated" => std::fs::write(&file, &whole[..whole.len() / 2]).unwrap(),
        "newer" => {
            let row = "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
                       values (9999, 'from the future', true, x'00', 1)";
            change(&file, row).await;
        }
        "empty" => std::fs::write(&file, "").unwrap(),
        "lost" => {
            std::fs::write(&file, "").unwrap();
            std::fs::write(data.join("canvass.db-wal"), [7; 4096]).unwrap();
        }
        "not a database" => std::fs::write(&file, "id,name\n1,Ada\n".repeat(400)).unwrap(),
        "another program's" => {
            std::fs::remove_file(&file).unwrap();
            change(&file, "create table recipes (id integer)").await;
        }
        _ => panic!("no such case: {case}"),
    }
}

#[rstest]
#[case::corrupt("corrupt", "damaged", "restore the last backup")]
#[case::truncated("truncated", "damaged", "restore the last backup")]
#[case::newer("newer", "newer version of Canvass: it is at schema step 9999", "start the newer version")]
#[case::lost("lost", "is empty although its log", "restore the last backup")]
#[case::not_a_database("not a database", "is not an SQLite database", "restore the last backup")]
#[case::foreign("another program's", "belongs to another program", "a place of its own")]
#[tokio::test]
async fn a_file_that_cannot_be_used_is_named_with_what_to_do(
    #[case] case: &str,
    #[case] says: &str,
    #[case] advice: &str,
) {
    let binary = Binary::new();
    binary.json(&["migrate"]);
    spoil(case, &binary.data()).await;
    let before = everything(binary.folder.path());
    let (well, report) = examine(&binary);
    let database = check(&report, "database");
    assert!(!well && database["verdict"] == "fail", "{report}");
    assert!(database["says"].as_str().unwrap().contains(says), "{database}");
    assert!(database["advice"].as_str().unwrap().contains(advice), "{database}");
    assert_eq!(everything(binary.folder.path()), before, "looking changes nothing");

    let said = binary.fail(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(said.contains(says) && said.contains(advice), "{said}");
    let said = binary.fail(&["serve", "--json", "--listen", "127.0.0.1:0"]);
    let told: serde_json::Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
    assert!(told["advice"].as_str().unwrap().contains(advice), "{told}");
}

#[tokio::test]
async fn an_empty_file_is_set_up_with_a_warning() {
    let binary = Binary::new();
    binary.json(&["migrate"]);
    spoil("empty", &binary.data()).await;
    let before = everything(binary.folder.path());
    let (well, report) = examine(&binary);
    let database = check(&report, "database");
    assert!(well && database["verdict"] == "warn", "{report}");
    assert!(database["says"].as_str().unwrap().contains("is empty"), "{database}");
    let advice = database["advice"].as_str().unwrap();
    assert!(advice.contains("restore the last backup"), "{advice}");
    assert_eq!(everything(binary.folder.path()), before);
    let (_, log) = binary.serve().stop();
    assert!(log.contains("is empty") && log.contains(advice), "{log}");
}

#[test]
fn looking_at_a_database_in_use_changes_nothing_either() {
    let binary = Binary::new();
    let served = binary.serve();
    let (well, report) = examine(&binary);
    assert!(well && check(&report, "ledger")["verdict"] == "ok", "{report}");
    // Killed, it leaves its log and the log's index behind.
    drop(served);
    let before = everything(binary.folder.path());
    assert!(before.keys().any(|path| path.ends_with("canvass.db-wal")), "{:?}", before.keys());
    let (well, report) = examine(&binary);
    assert!(well && check(&report, "ledger")["verdict"] == "ok", "{report}");
    assert_eq!(everything(binary.folder.path()), before);
}

/// A server that refuses every login with this SQLSTATE.
fn refusing_postgres(sqlstate: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut sent = [0; 1024];
            let count = stream.read(&mut sent).unwrap();
            // A request for encryption comes first, and is refused with one letter.
            if count == 8 {
                stream.write_all(b"N").unwrap();
                let _ = stream.read(&mut sent);
            }
            let fields = format!("SFATAL\0VFATAL\0C{sqlstate}\0Mthe login was refused\0\0");
            let length = u32::try_from(fields.len() + 4).unwrap().to_be_bytes();
            let _ = stream.write_all(&[b"E".as_slice(), &length, fields.as_bytes()].concat());
        }
    });
    format!("postgres://ada:hunter2@127.0.0.1:{port}/leads")
}

/// A port that nobody listens on.
fn closed_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[rstest]
#[case::password(refusing_postgres("28P01"), "the password of user ada is wrong")]
#[case::user(refusing_postgres("28000"), "does not let user ada in")]
#[case::crowded(refusing_postgres("53300"), "raise max_connections")]
#[case::closed(format!("postgres://ada:hunter2@127.0.0.1:{}/leads", closed_port()), "nothing listens at 127.0.0.1:")]
#[case::database(postgres_url().replace("/postgres", "/nosuch"), "createdb nosuch")]
#[case::address("postgres://ada:hunter2@127.0.0.1:many/leads".into(), "postgres://user:password@host:port/database")]
fn a_server_that_cannot_be_used_is_named_with_what_to_do(#[case] url: String, #[case] advice: &str) {
    let binary = Binary::new().set("CANVASS_DATABASE_URL", &url);
    let (well, report) = examine(&binary);
    assert!(!well, "{report}");
    let database = check(&report, "database");
    assert!(database["advice"].as_str().unwrap().contains(advice), "{database}");
    let said = binary.fail(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(said.contains(advice), "{said}");
    assert!(!report.to_string().contains("hunter2") && !said.contains("hunter2"), "{said}");
}
