//! What is stored can be read by its owner only, whatever the umask; what is open to others is named.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use rstest::rstest;
use serde_json::json;

use super::{check, examine};
use crate::support::{Binary, On, TestApp, client, send};

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap_or_else(|_| panic!("no {}", path.display())).permissions().mode() & 0o777
}

#[rstest]
#[case::open("000")]
#[case::usual("022")]
#[case::closed("077")]
fn the_data_folder_is_private_whatever_the_umask(#[case] umask: &str) {
    let binary = Binary::new();
    let inner = binary.command(&["account", "create", "--email", "a@b.example"]);
    let mut command = Command::new("sh");
    command.args(["-c", &format!("umask {umask} && exec \"$0\" \"$@\"")]).arg(inner.get_program());
    command.args(inner.get_args()).env_clear().envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
    assert!(command.current_dir(binary.folder.path()).output().unwrap().status.success());
    assert_eq!(mode(&binary.data()), 0o700);
    for entry in std::fs::read_dir(binary.data()).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}

#[tokio::test]
async fn logs_mails_and_secrets_are_private() {
    let test = TestApp::new(On::Sqlite).await;
    let (_, key) = test.whole_account(10).await;
    let body = json!({"industry": "plumber", "location": "Plainville, Sandbox", "requested_count": 1, "notify": true});
    test.start(&key, body).await;
    test.work().await;
    canvass::secret::derive(&test.app, "a test").unwrap();
    let data = &test.app.settings.data;
    assert_eq!(mode(&data.join("outbox")), 0o700);
    let mails: Vec<_> = std::fs::read_dir(data.join("outbox")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(mails.len(), 1);
    let beside = ["canvass.db", "canvass.db-wal", "canvass.db-shm", "secret.key", "migrate.lock"];
    for path in mails.into_iter().chain(beside.map(|name| data.join(name))) {
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}

#[tokio::test]
async fn what_is_open_to_others_is_named_with_the_command_that_closes_it() {
    let binary = Binary::new();
    binary.json(&["migrate"]);
    assert_eq!(check(&examine(&binary).1, "permissions")["verdict"], "ok");
    let open = |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    std::fs::write(binary.data().join("secret.key"), "hush").unwrap();
    std::fs::create_dir(binary.data().join("outbox")).unwrap();
    std::fs::write(binary.data().join("outbox/a.eml"), "").unwrap();
    open(&binary.data(), 0o755);
    for name in ["canvass.db", "secret.key", "outbox/a.eml"] {
        open(&binary.data().join(name), 0o644);
    }
    open(&binary.data().join("outbox"), 0o755);
    let (well, report) = examine(&binary);
    let permissions = check(&report, "permissions");
    assert!(well && permissions["verdict"] == "warn", "{report}");
    assert!(permissions["says"].as_str().unwrap().contains("canvass.db is open to other users (mode 644)"));
    let served = binary.serve();
    assert_eq!(send(client().get(format!("{}/readyz", served.base()))).await.status, http::StatusCode::OK);
    let (_, log) = served.stop();
    assert!(log.contains("is open to other users (mode 755); run: chmod 700"), "{log}");

    // Stopped in the middle of something, it leaves the log of the database, which is as open as the database.
    let advice = permissions["advice"].as_str().unwrap().strip_prefix("run: ").unwrap();
    let ran = Command::new("sh").args(["-c", advice]).status().unwrap();
    assert!(ran.success(), "{advice}");
    let (_, report) = examine(&binary);
    assert_eq!(check(&report, "permissions")["verdict"], "ok", "after {advice}: {report}");
}
