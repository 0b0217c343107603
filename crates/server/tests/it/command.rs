//! The command line as its operator uses it: real processes, beside a running server.

use std::time::Duration;

use http::StatusCode;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Binary, On, client, send};

/// A binary on this database.
async fn binary(on: On) -> Binary {
    match on {
        On::Sqlite => Binary::new(),
        On::Postgres | On::Behind(_) => {
            let options = crate::support::fresh_schema_url().await;
            Binary::new().set("CANVASS_DATABASE_URL", &options)
        }
    }
}

async fn me(base: &str, key: &str) -> (StatusCode, Value) {
    let answer = send(client().get(format!("{base}/me")).header("X-API-Key", key)).await;
    (answer.status, answer.json())
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn accounts_and_keys_are_handled_while_the_server_runs(#[case] on: On) {
    let binary = binary(on).await;
    let served = binary.serve();
    let created = binary.json(&[
        "account",
        "create",
        "--email",
        "Ada@Example.com",
        "--tier",
        "growth",
        "--credits",
        "50",
        "--add-on",
        "signals_plus",
        "--add-on",
        "radar",
    ]);
    assert_eq!(created["email"], "ada@example.com");
    assert_eq!((&created["tier"], &created["credits"]), (&json!("growth"), &json!(50)));
    assert_eq!(created["add_ons"], json!(["signals_plus", "radar"]));
    let key = binary.json(&["key", "create", "--email", "ada@example.com", "--name", "n8n"]);
    let mut members: Vec<&String> = key.as_object().unwrap().keys().collect();
    members.sort();
    assert_eq!(members, ["id", "key", "name"]);
    let secret = key["key"].as_str().unwrap();
    assert_eq!(me(served.base(), secret).await.1["credits"], 50);

    binary.json(&["account", "grant", "--email", "ada@example.com", "--credits", "25", "--note", "thanks"]);
    binary.json(&["account", "grant", "ada@example.com", "--credits", "-5"]);
    let (_, account) = me(served.base(), secret).await;
    assert_eq!(account["credits"], 70, "the running server sees it at once");
    let changed =
        binary.json(&["account", "set", "--email", "ada@example.com", "--tier", "scale", "--remove-add-on", "radar"]);
    assert_eq!((&changed["tier"], &changed["add_ons"]), (&json!("scale"), &json!(["signals_plus"])));
    assert_eq!(binary.json(&["account", "show", "--email", "ada@example.com"]), changed);

    let listed = binary.json(&["key", "list", "--email", "ada@example.com"]);
    let listed = &listed.as_array().unwrap()[0];
    let mut members: Vec<&String> = listed.as_object().unwrap().keys().collect();
    members.sort();
    assert_eq!(members, ["created_at", "id", "last_used_at", "name", "prefix", "revoked_at"]);
    assert!(listed["last_used_at"].is_string() && listed["revoked_at"].is_null(), "{listed}");
    assert!(secret.starts_with(listed["prefix"].as_str().unwrap()));

    let sister = binary.json(&["key", "create", "--email", "ada@example.com", "--name", "curl"]);
    binary.json(&["key", "revoke", key["id"].as_str().unwrap()]);
    assert_eq!(me(served.base(), secret).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(me(served.base(), sister["key"].as_str().unwrap()).await.0, StatusCode::OK);
    let (well, _) = served.stop();
    assert!(well, "asked to stop, it ends without an error");
}

#[test]
fn the_first_start_makes_a_demo_account_once() {
    let binary = Binary::new();
    let served = binary.serve();
    let key = served.key().to_owned();
    assert!(key.starts_with("cv_live_"));
    assert_eq!(served.started["sign_in"], format!("{}/app", served.base()));
    let link = served.started["link"].as_str().unwrap();
    assert!(link.starts_with(&format!("{}/app/welcome#cv_link_", served.base())), "{link}");
    served.stop();
    let again = binary.serve();
    assert!(again.started["key"].is_null() && again.started["link"].is_null(), "shown once");
    let accounts = binary.json(&["account", "list"]);
    assert_eq!(accounts.as_array().unwrap().len(), 1);
    let expected = json!({"tier": "scale", "credits": 10_000, "add_ons": ["signals_plus", "radar"]});
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&accounts[0][name], value);
    }
}

#[rstest]
#[case::reachable_from_outside(&[("CANVASS_LISTEN", "0.0.0.0:0")])]
#[case::behind_a_proxy(&[("CANVASS_BASE_URL", "https://leads.example.com")])]
fn no_demo_account_is_made_where_others_could_knock(#[case] settings: &[(&str, &str)]) {
    let mut binary = Binary::new();
    for (name, value) in settings {
        binary = binary.set(name, value);
    }
    let mut arguments = vec!["serve", "--json"];
    if settings[0].0 != "CANVASS_LISTEN" {
        arguments.extend(["--listen", "127.0.0.1:0"]);
    }
    let served = binary.serve_with(&arguments);
    assert!(served.started["key"].is_null());
    assert_eq!(binary.json(&["account", "list"]), json!([]));
}

#[test]
fn a_wrong_command_says_what_to_do() {
    let binary = Binary::new();
    for (arguments, expected) in [
        (&["account", "show", "--email", "nobody@example.com"][..], "there is no account for nobody@example.com"),
        (&["account", "create", "--email", "nobody"], "name@example.com"),
        (&["account", "create", "--email", "a@b.c", "--tier", "gold"], "free, starter, growth, agency, scale"),
        (&["account", "create", "--email", "a@b.c", "--credits", "-1"], "0 to 1000000000000"),
        (&["account", "grant", "--email", "nobody@example.com", "--credits", "5"], "there is no account"),
        (&["key", "revoke", "nonsense"], "there is no key with that id"),
        (&["key", "create", "--email", "a@b.c"], "--name"),
        (&["account", "show"], "EMAIL"),
        (&["serve", "--rate-limit", "many"], "rate_limit (from --rate-limit) must be a whole number"),
        (&["serve", "--config", "nothing.toml"], "nothing.toml cannot be read"),
        (&["serve", "--listen", "192.0.2.1:1"], "cannot listen on 192.0.2.1:1"),
        (&["serve", "--log", "=,="], "the setting log"),
    ] {
        let said = binary.fail(arguments);
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
    let detail: Value = serde_json::from_str(&binary.fail(&["key", "revoke", "x", "--json"])).unwrap();
    assert!(detail["detail"].as_str().unwrap().contains("no key"));
}

#[test]
fn unknown_settings_stop_the_start_with_a_sentence() {
    let said = Binary::new().set("CANVASS_LISTN", "x").fail(&["serve"]);
    assert!(said.contains("CANVASS_LISTN is not a setting (did you mean listen?)"), "{said}");
    let binary = Binary::new();
    std::fs::write(binary.folder.path().join("canvass.toml"), "ratelimit = 5").unwrap();
    let said = binary.fail(&["account", "list"]);
    assert!(said.contains("ratelimit in canvass.toml is not a setting (did you mean rate_limit?)"), "{said}");
}

#[test]
fn the_settings_file_is_read_and_a_flag_wins_over_it() {
    let binary = Binary::new();
    std::fs::write(binary.folder.path().join("canvass.toml"), "[plans.growth]\nmonthly_credits = 77\n").unwrap();
    let created = binary.json(&["account", "create", "--email", "a@b.example", "--tier", "growth"]);
    assert_eq!(created["credits"], 77);
    let elsewhere = binary.folder.path().join("elsewhere");
    let listed = binary.json(&["account", "list", "--data", elsewhere.to_str().unwrap()]);
    assert_eq!(listed, json!([]));
}

#[test]
fn tables_are_for_people() {
    let binary = Binary::new();
    let none = String::from_utf8(binary.run(&["account", "list"]).stdout).unwrap();
    assert!(none.contains("canvass account create"), "{none}");
    binary.json(&["account", "create", "--email", "a@b.example", "--tier", "growth"]);
    let table = String::from_utf8(binary.run(&["account", "list"]).stdout).unwrap();
    assert!(table.contains("Email") && table.contains("a@b.example") && table.contains("2500"), "{table}");
    let help = String::from_utf8(binary.run(&["serve", "--help"]).stdout).unwrap();
    for setting in canvass::config::SETTINGS {
        assert!(
            help.contains(&format!("--{}", setting.flag())) && help.contains(&setting.variable()),
            "{}",
            setting.name
        );
    }
}

#[test]
fn a_key_for_a_plan_without_api_access_comes_with_a_warning() {
    let binary = Binary::new();
    let create = |tier: &str| {
        let email = format!("{tier}@b.example");
        binary.json(&["account", "create", "--email", &email, "--tier", tier]);
        binary.run(&["key", "create", "--email", &email, "--name", "x", "--json"])
    };
    let created = create("free");
    assert!(created.status.success());
    let key: Value = serde_json::from_slice(&created.stdout).unwrap();
    assert!(key["key"].as_str().unwrap().starts_with("cv_live_"));
    let said = String::from_utf8(created.stderr).unwrap();
    assert!(said.contains("the free plan has no API access: this key works for GET /me only"), "{said}");
    assert!(create("growth").stderr.is_empty());
}

#[test]
fn help_shows_a_commands_own_options_first_and_the_shared_settings_once() {
    let binary = Binary::new();
    let help = |arguments: &[&str]| {
        let mut command = binary.command(arguments);
        String::from_utf8(command.env("COLUMNS", "100").output().unwrap().stdout).unwrap()
    };
    let expected = "\
Create a key and print it once

Usage: canvass key create [OPTIONS] --name <NAME> <--email <EMAIL>|EMAIL>

Arguments:
  [EMAIL]  The same, without the flag

Options:
      --email <EMAIL>  Email address of the account
      --name <NAME>    Name of the key, such as the tool that will use it
      --json           Print JSON instead of tables
  -h, --help           Print help (see more with '--help')
  -V, --version        Print version

Settings (for all commands):
      --data <DIR>     Folder for everything Canvass stores [variable: CANVASS_DATA] [default: data]
      --listen <ADDR>  Address and port to listen on [variable: CANVASS_LISTEN] [default:
                       127.0.0.1:8080]
";
    assert_eq!(help(&["key", "create", "-h"]), expected);
    for command in [&["serve"][..], &["find"], &["doctor"], &["account", "set"], &["key", "create"]] {
        let text = help(&[command, &["--help"]].concat());
        let place = |what: &str| text.find(what).unwrap_or_else(|| panic!("no {what} in {text}"));
        assert_eq!(text.matches("Settings (for all commands):").count(), 1, "{text}");
        assert!(place("--json") < place("Settings (for"), "{text}");
        assert!(place("Settings (for") < place("--config") && place("--config") < place("--log-format"), "{text}");
    }
    let find = help(&["find", "-h"]);
    assert!(find.find("--skip-owned").unwrap() < find.find("--json").unwrap(), "{find}");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn grants_killed_at_any_moment_leave_the_books_right(#[case] on: On) {
    let binary = binary(on).await;
    binary.json(&["account", "create", "--email", "a@b.example", "--tier", "growth", "--credits", "0"]);
    let grant = ["account", "grant", "--email", "a@b.example", "--credits", "1", "--json"];
    let mut finished = 0;
    for round in 0..6_u64 {
        let mut running: Vec<_> = (0..4)
            .map(|_| {
                binary
                    .command(&grant)
                    .stdout(std::process::Stdio::null())
                    .stderr(std::process::Stdio::null())
                    .spawn()
                    .unwrap()
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(round * 9)).await;
        for (number, child) in running.iter_mut().enumerate() {
            // Half are killed wherever they are; the others must not notice.
            if number % 2 == 0 {
                let _ = child.kill();
            }
        }
        for (number, mut child) in running.into_iter().enumerate() {
            let well = child.wait().unwrap().success();
            assert!(well || number % 2 == 0, "a grant failed because another was killed");
            finished += i64::from(well);
        }
    }
    let credits = binary.json(&["account", "show", "--email", "a@b.example"])["credits"].as_i64().unwrap();
    assert!((finished..=24).contains(&credits), "{finished} grants were confirmed, {credits} are there");
    let report = binary.json(&["doctor"]);
    assert_eq!(
        report["checks"].as_array().unwrap().iter().find(|check| check["name"] == "ledger").unwrap()["verdict"],
        "ok"
    );
}

#[tokio::test]
async fn requests_under_way_finish_when_the_server_stops() {
    let binary = Binary::new();
    let served = binary.serve();
    let (base, key) = (served.base().to_owned(), served.key().to_owned());
    let address = base.strip_prefix("http://").unwrap().to_owned();
    // A request whose body is still coming when the server is asked to stop.
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut stream = tokio::net::TcpStream::connect(&address).await.unwrap();
    let head = format!("GET /me HTTP/1.1\r\nHost: {address}\r\nX-API-Key: {key}\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    assert_eq!(me(&base, &key).await.0, StatusCode::OK, "the half-sent request is being read by now");
    let stopping = tokio::task::spawn_blocking(|| served.stop());
    // Wait until nobody new is let in: the stop has begun.
    while tokio::net::TcpStream::connect(&address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    stream.write_all(b"\r\n").await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(stopping.await.unwrap().0);
}
