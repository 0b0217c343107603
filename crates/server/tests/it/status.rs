//! `canvass status`, `health`, `completions` and `manual`, as an operator uses them.

use std::process::Stdio;

use http::Method;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Binary, On, client, fresh_schema_url, send};

/// A binary on this database, and the address its server listens on.
async fn binary(on: On) -> (Binary, String) {
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let binary = Binary::new().set("CANVASS_LISTEN", &address);
    match on {
        On::Sqlite => (binary, address),
        On::Postgres | On::Behind(_) => (binary.set("CANVASS_DATABASE_URL", &fresh_schema_url().await), address),
    }
}

#[rstest]
#[case::sqlite(On::Sqlite, "SQLite")]
#[case::postgres(On::Postgres, "PostgreSQL")]
#[tokio::test]
async fn status_shows_what_was_done_and_what_waits(#[case] on: On, #[case] database: &str) {
    let (binary, address) = binary(on).await;
    let served = binary.serve_with(&["serve", "--json"]);
    binary.json(&["account", "create", "--email", "ada@example.com", "--tier", "scale", "--credits", "100"]);
    let key = binary.json(&["key", "create", "ada@example.com", "--name", "test"])["key"].clone();
    let key = key.as_str().unwrap();
    let http = client();
    let post = |body: Value| {
        let request = http.request(Method::POST, format!("http://{address}/search/start"));
        send(request.header("X-API-Key", key).json(&body))
    };
    let body = json!({"industry": "dentist", "location": "Austin, TX", "requested_count": 4, "notify": true});
    let id = post(body).await.json()["search_id"].as_str().unwrap().to_owned();
    let events = http.request(Method::GET, format!("http://{address}/searches/{id}/events"));
    send(events.header("X-API-Key", key)).await;
    let status = binary.json(&["status"]);
    assert_eq!((&status["database"], &status["source"]), (&json!(database), &json!("sandbox")), "{status}");
    assert_eq!(
        status["node"],
        json!({"url": format!("http://{address}"), "answers": true, "ready": true, "errors": 0})
    );
    assert_eq!(status["today"], json!({"leads": 4, "searches": [{"status": "done", "count": 1}]}), "{status}");
    assert_eq!((&status["searches"]["running"], &status["searches"]["waiting"]), (&json!(0), &json!(0)), "{status}");
    assert!(status["database_bytes"].as_i64().unwrap() > 10_000, "{status}");
    assert_eq!(status["radar"], json!({"checking": 0, "due": 0}));
    served.stop();

    // Nobody works now, so a search that is started waits.
    let text = String::from_utf8(binary.run(&["status"]).stdout).unwrap();
    assert!(text.contains(&format!("http://{address} does not answer")), "{text}");
    assert!(text.contains("4 leads, 1 searches done") && text.contains(database), "{text}");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn status_names_workers_and_their_leases(#[case] on: On) {
    let (binary, address) = binary(on).await;
    let served = binary.serve_with(&["serve", "--json"]);
    binary.json(&["account", "create", "--email", "ada@example.com", "--tier", "scale", "--credits", "100"]);
    let key = binary.json(&["key", "create", "ada@example.com", "--name", "test"])["key"].clone();
    // The test town whose websites take seconds a page keeps a search running.
    let body = json!({"industry": "dentist", "location": "Snailville, Sandbox", "requested_count": 20});
    let start = client().request(Method::POST, format!("http://{address}/search/start"));
    let started = send(start.header("X-API-Key", key.as_str().unwrap()).json(&body)).await;
    assert!(started.status.is_success(), "{started:?}");
    let status = loop {
        let status = binary.json(&["status"]);
        if status["searches"]["running"] == 1 {
            break status;
        }
        assert_eq!(status["searches"]["waiting"], 1, "{status}");
    };
    let worker = &status["workers"][0];
    assert_eq!((&worker["searches"], status["workers"].as_array().unwrap().len()), (&json!(1), 1), "{status}");
    assert!((0..=15).contains(&worker["lease_seconds_left"].as_i64().unwrap()), "{status}");
    served.stop();
    let after = binary.json(&["status"]);
    assert_eq!((&after["searches"]["waiting"], &after["workers"]), (&json!(1), &json!([])), "handed back: {after}");
}

#[test]
fn status_creates_no_database() {
    let binary = Binary::new();
    let said = binary.fail(&["status"]);
    assert!(said.contains("there is no database at") && said.contains("canvass serve"), "{said}");
    assert!(!binary.data().exists());
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn health_exits_as_the_server_is(#[case] on: On) {
    let (binary, address) = binary(on).await;
    let nobody = binary.run(&["health", "--json"]);
    assert_eq!(nobody.status.code(), Some(1), "{nobody:?}");
    let said: Value = serde_json::from_slice(&nobody.stdout).unwrap();
    assert!(said["detail"].as_str().unwrap().contains("refused"), "{said}");
    let served = binary.serve_with(&["serve", "--json"]);
    let well = binary.json(&["health"]);
    assert_eq!(well, json!({"ok": true, "url": format!("http://{address}/readyz"), "status": 200, "detail": null}));
    assert_eq!(binary.json(&["health", "--live"])["url"], format!("http://{address}/healthz"));
    let said = binary.fail(&["health", "--metrics"]);
    assert!(said.contains("metrics_listen is not set"), "{said}");
    served.stop();
    assert_eq!(binary.run(&["health"]).status.code(), Some(1));
}

#[rstest]
#[case::bash("bash", "complete -F _canvass")]
#[case::zsh("zsh", "#compdef canvass")]
#[case::fish("fish", "complete -c canvass")]
#[case::elvish("elvish", "edit:completion")]
#[case::powershell("powershell", "Register-ArgumentCompleter")]
fn completions_know_commands_and_settings(#[case] shell: &str, #[case] expected: &str) {
    let binary = Binary::new();
    let script = String::from_utf8(binary.run(&["completions", shell]).stdout).unwrap();
    for part in [expected, "suppress", "metrics-listen"] {
        assert!(script.contains(part), "no {part} for {shell}");
    }
    let json = binary.json(&["completions", shell]);
    assert_eq!((&json["shell"], json["script"].as_str().unwrap()), (&json!(shell), script.as_str()));
    if shell == "bash" {
        let path = binary.folder.path().join("canvass.bash");
        std::fs::write(&path, &script).unwrap();
        let checked = std::process::Command::new("bash").arg("-n").arg(&path).stdin(Stdio::null()).status().unwrap();
        assert!(checked.success(), "bash cannot read its completions");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let binary = Binary::new();
    let folder = binary.folder.path().join("man");
    let written = binary.json(&["manual", folder.to_str().unwrap()]);
    let pages = written["pages"].as_array().unwrap();
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), pages.len());
    let page = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    for (name, expected) in [
        ("canvass.1", "Requests per minute and API key"),
        ("canvass-serve.1", "Serve the API"),
        ("canvass-account-create.1", "canvass account create"),
        ("canvass-status.1", "leads today"),
    ] {
        let page = page(name);
        assert!(page.contains(".TH") && page.contains(expected), "{name}: {page}");
    }
    assert!(!page("canvass-status.1").contains("Requests per minute"), "settings are described once");
    assert!(page("canvass-status.1").contains("canvass(1) describes them"));
}
