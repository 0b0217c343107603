//! Power that fails: whatever was written and not synced is lost. What a client was told is still there.
//!
//! A library preloaded into the server (`support/keep_synced.c`) keeps a copy of each file as of its last sync. The server
//! is killed, and another one goes on with those copies.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use canvass::App;
use canvass::account::{self, Account, Email, NewAccount};
use canvass::app::Ports;
use canvass::config::Settings;
use canvass::db::{self, Db};
use canvass::ids::SearchId;
use canvass::plan::{AddOn, Tier};
use canvass::{credits, keys, search};
use http::{Method, StatusCode};
use serde_json::{Value, json};
use server::serve::Listeners;
use sqlx::Executor;
use tempfile::TempDir;
use tokio::net::TcpListener;

use crate::support::{client, opened, send};

/// Tells the test program, started once more, to serve what is in this folder, and how often its database syncs.
const SERVE_IN: &str = "TEST_SERVE_IN";
const SYNCHRONOUS: &str = "TEST_SYNCHRONOUS";
/// Where it says on which port.
const PORT_FILE: &str = "port";
const CUTS: usize = 3;

/// A server on a disk that loses what was not synced.
struct Machine {
    folder: TempDir,
    library: PathBuf,
    synchronous: &'static str,
}

/// What clients were told.
#[derive(Default)]
struct Told {
    searches: Vec<String>,
    leads: Vec<String>,
}

impl Machine {
    /// With an account whose key is given back.
    async fn new(synchronous: &'static str) -> (Machine, Account, String) {
        let folder = tempfile::tempdir().unwrap();
        let library = folder.path().join("keep_synced.so");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/support/keep_synced.c");
        let built = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(source).status().unwrap();
        assert!(built.success());
        let machine = Machine { folder, library, synchronous };
        std::fs::create_dir(machine.shadow()).unwrap();
        let app = machine.app().await;
        let email = Email::parse("owner@example.com").unwrap();
        let new = NewAccount { email, tier: Tier::Scale, credits: Some(100_000), add_ons: AddOn::ALL.to_vec() };
        let account = account::create(&app, new).await.unwrap();
        let key = keys::create(&app, account.id, "test").await.unwrap().secret.reveal().to_owned();
        // Closed properly, the file is whole and there is no log beside it.
        app.db.close().await;
        copy(&machine.data(), &machine.shadow());
        (machine, account, key)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Holds what was synced.
    fn shadow(&self) -> PathBuf {
        self.folder.path().join("synced")
    }

    async fn app(&self) -> App {
        let settings = Settings { data: self.data(), ..Settings::default() };
        App::new(opened(None, &self.data()).await, settings, Ports::default())
    }

    /// Starts this very program as a server.
    async fn start(&self) -> (Child, String) {
        let port_file = self.folder.path().join(PORT_FILE);
        let _ = std::fs::remove_file(&port_file);
        let mut server = Command::new(std::env::current_exe().unwrap());
        server.args(["--exact", "power::as_a_server"]).stdout(Stdio::null()).stderr(Stdio::null());
        server.env(SERVE_IN, self.folder.path()).env(SYNCHRONOUS, self.synchronous);
        server.env("LD_PRELOAD", &self.library);
        // Files are named by their real paths.
        server.env("SYNC_ROOT", self.data().canonicalize().unwrap()).env("SYNC_SHADOW", self.shadow());
        let mut server = server.spawn().unwrap();
        loop {
            assert!(server.try_wait().unwrap().is_none(), "the server ended");
            let port = std::fs::read_to_string(&port_file).unwrap_or_default();
            if port.ends_with('\n') {
                return (server, format!("http://127.0.0.1:{}", port.trim()));
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The power fails: the server is gone, and its files are as they were last synced.
    fn cut_power(&self, mut server: Child) {
        server.kill().unwrap();
        server.wait().unwrap();
        std::fs::remove_dir_all(self.data()).unwrap();
        copy(&self.shadow(), &self.data());
    }
}

/// Copies the files of a folder, without what is half written.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() && path.extension().is_none_or(|ending| ending != "next") {
            std::fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
        }
    }
}

/// The server that loses its power. Does nothing unless a test starts it, as a process of its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn as_a_server() {
    #[expect(clippy::disallowed_methods, reason = "what a test tells its own processes")]
    let told = |name: &str| std::env::var(name).ok();
    let (Some(folder), Some(synchronous)) = (told(SERVE_IN), told(SYNCHRONOUS)) else { return };
    let folder = PathBuf::from(folder);
    let data = folder.join("data");
    let db = db::open(None, &data).await.unwrap();
    db::migrate(&db, &data).await.unwrap();
    if synchronous != "default" {
        let Db::Sqlite { writer, .. } = &db else { panic!("SQLite was asked for") };
        let text = sqlx::AssertSqlSafe(format!("pragma synchronous = {synchronous}"));
        writer.acquire().await.unwrap().execute(text).await.unwrap();
    }
    let settings =
        Settings { data, lease_seconds: 1, rate_limit: None, running_searches: 1_000, ..Settings::default() };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    std::fs::write(folder.join(PORT_FILE), format!("{port}\n")).unwrap();
    let app = App::new(db, settings, Ports::default());
    let listeners = Listeners { clients: listener, metrics: None };
    server::serve::serve(app, listeners, std::future::pending()).await.unwrap();
}

/// Starts searches and looks at their leads, noting what the server says.
async fn use_server(base: &str, key: &str, told: &mut Told) {
    let http = client();
    let request = |method, path: &str| http.request(method, format!("{base}{path}")).header("X-API-Key", key);
    for count in [1, 20, 3] {
        let wish = json!({"industry": "plumber", "location": "Crowdville, Sandbox", "requested_count": count});
        let started = send(request(Method::POST, "/search/start").json(&wish)).await;
        assert_eq!(started.status, StatusCode::OK, "{started:?}");
        told.searches.push(started.json()["search_id"].as_str().unwrap().to_owned());
    }
    // Until the largest of them is under way.
    let watched = &told.searches[told.searches.len() - 2];
    loop {
        let leads = send(request(Method::GET, &format!("/searches/{watched}/leads"))).await.json();
        let leads: Vec<String> = leads.as_array().unwrap().iter().map(id_of).collect();
        if leads.len() >= 5 {
            return told.leads.extend(leads);
        }
    }
}

fn id_of(lead: &Value) -> String {
    lead["lead_id"].as_str().unwrap().to_owned()
}

/// What of the things clients were told is not there any more.
async fn missing(machine: &Machine, account: &Account, told: &Told) -> Vec<String> {
    let app = machine.app().await;
    let mut missing = Vec::new();
    for id in &told.searches {
        if search::find(&app.db, account.id, SearchId::parse(id).unwrap()).await.unwrap().is_none() {
            missing.push(format!("search {id}"));
        }
    }
    let lines = credits::page(&app.db, account.id, None, 100_000).await.unwrap();
    let charged: Vec<String> = lines.into_iter().filter_map(|line| line.subject).collect();
    missing.extend(told.leads.iter().filter(|lead| !charged.contains(lead)).map(|lead| format!("lead {lead}")));
    assert_eq!(credits::audit(&app.db).await.unwrap(), vec![], "what is there is consistent");
    app.db.close().await;
    missing
}

/// Cuts the power several times while the server is in use, and gives what was lost of what clients were told.
async fn lost(synchronous: &'static str) -> Vec<String> {
    let (machine, account, key) = Machine::new(synchronous).await;
    let mut told = Told::default();
    for _ in 0..CUTS {
        let (server, base) = machine.start().await;
        use_server(&base, &key, &mut told).await;
        machine.cut_power(server);
        let missing = missing(&machine, &account, &told).await;
        if !missing.is_empty() {
            return missing;
        }
        // Looking at it has changed the files: what is there now is what was synced.
        std::fs::remove_dir_all(machine.shadow()).unwrap();
        copy(&machine.data(), &machine.shadow());
    }
    Vec::new()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_that_a_client_was_told_is_lost_with_the_power() {
    assert_eq!(lost("default").await, Vec::<String>::new());
}

/// Shows that the test above can fail.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_syncs_less_loses_what_clients_were_told() {
    assert_ne!(lost("normal").await, Vec::<String>::new());
}
