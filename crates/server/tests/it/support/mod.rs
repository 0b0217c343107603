//! What tests stand on: an application with a fresh database, a set clock and seeded ids, served on a real socket.

mod binary;
mod csv;
mod database;
mod listings;
mod mcp;
mod model;
mod network;
mod place_files;
mod proxy;
mod sites;
mod smtp;
mod stored;

pub use binary::{Binary, Served};
pub use csv::{by_the_letter, csv_lines, csv_rows};
pub use database::{On, fresh_database, fresh_schema, fresh_schema_url, postgres_url};
pub use listings::{Scripted, listing};
pub use mcp::{Mcp, rpc};
pub use model::{Provider, Says, opening, who};
pub use network::{Link, Network};
pub use place_files::{dentist, import_places};
pub use proxy::Proxy;
pub use sites::{Home, Sites};
pub use smtp::{PASSWORD, SmtpServer};
pub use stored::{Stored, ahead, opened};

use std::sync::Arc;

use canvass::App;
use canvass::account::{self, Account, Email, NewAccount};
use canvass::app::Ports;
use canvass::clock::{Moment, SetClock};
use canvass::config::Settings;
use canvass::db::{Db, sql};
use canvass::ids::SeededIds;
use canvass::keys;
use canvass::lead::packed::{unpack_document, unpack_site};
use canvass::listing::Source;
use canvass::plan::{AddOn, Tier};
use canvass::session::Sessions;
use http::{HeaderMap, Method, StatusCode};
use polite_reader::ReaderSettings;
use serde_json::Value;
use server::edge::Edge;
use server::limits::Limits;
use server::router;
pub use server::router::More;
use server::serve::serve_service;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// 2026-11-15T02:03:04.123456Z: when tests happen.
pub const NOW: i64 = 1_794_708_184_123_456;

/// An application under test, served on a real socket.
pub struct TestApp {
    pub app: App,
    pub edge: Edge,
    pub clock: Arc<SetClock>,
    pub base: String,
    http: reqwest::Client,
    _stop: oneshot::Sender<()>,
    _folder: TempDir,
}

/// What an application is given from outside of its settings.
#[derive(Default)]
pub struct Outside {
    pub listings: Option<Arc<dyn Source>>,
    pub limits: Option<Limits>,
    pub sessions: Option<Arc<dyn Sessions>>,
    /// Limits of the reader of websites.
    pub reading: Option<ReaderSettings>,
}

/// An answer, read whole.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name).unwrap_or_else(|| panic!("no {name} in {self:?}"));
        value.to_str().unwrap()
    }

    /// Asserts the one error shape, and gives its code.
    pub fn code(&self) -> String {
        let body = self.json();
        assert_eq!(body["status"], self.status.as_u16(), "{body}");
        assert_eq!(body["request_id"], self.header("x-request-id"), "{body}");
        for member in ["detail", "type", "title", "code"] {
            assert!(body[member].as_str().is_some_and(|text| !text.is_empty()), "{member} in {body}");
        }
        assert!(body["errors"].is_array(), "{body}");
        body["code"].as_str().unwrap().to_owned()
    }
}

/// Everything that is stored in the rows of leads, as text.
pub async fn lead_texts(test: &TestApp) -> Vec<String> {
    let plain: Vec<(String,)> =
        sql("select business_id || body || premium || facts || coalesce(site_text, '') from lead")
            .all(&test.app.db)
            .await
            .unwrap();
    let packed: Vec<(Vec<u8>, Vec<u8>)> = sql("select document, site from lead").all(&test.app.db).await.unwrap();
    let unpacked = packed.into_iter().map(|(document, site)| {
        let ((lead, premium), (facts, text)) = (unpack_document(&document).unwrap(), unpack_site(&site).unwrap());
        [lead, premium, facts, text.unwrap_or_default()].concat()
    });
    plain.into_iter().map(|(text,)| text).chain(unpacked).collect()
}

impl TestApp {
    pub async fn new(on: On) -> TestApp {
        TestApp::with(on, |_| {}, More::default()).await
    }

    /// With listings from somewhere else than the sandbox.
    pub async fn listing(on: On, listings: Arc<dyn Source>) -> TestApp {
        TestApp::build(on, |_| {}, More::default(), Some(listings)).await
    }

    /// With settings changed, and further routes that need a key.
    pub async fn with(on: On, change: impl FnOnce(&mut Settings), more: More) -> TestApp {
        TestApp::build(on, change, more, None).await
    }

    /// With other limits.
    pub async fn limited(on: On, limits: Limits) -> TestApp {
        TestApp::assemble(on, |_| {}, More::default(), Outside { limits: Some(limits), ..Outside::default() }).await
    }

    /// With everything changed.
    pub async fn build(
        on: On,
        change: impl FnOnce(&mut Settings),
        more: More,
        listings: Option<Arc<dyn Source>>,
    ) -> TestApp {
        TestApp::assemble(on, change, more, Outside { listings, ..Outside::default() }).await
    }

    /// With everything changed, and what comes from outside.
    pub async fn assemble(on: On, change: impl FnOnce(&mut Settings), more: More, outside: Outside) -> TestApp {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = Settings { data: folder.path().into(), rate_limit: None, ..Settings::default() };
        change(&mut settings);
        let db = fresh_database(on, folder.path()).await;
        TestApp::serve(db, folder, settings, (more, outside)).await
    }

    /// On a database that is there already.
    pub async fn upgraded(db: Db, folder: TempDir) -> TestApp {
        let settings = Settings { data: folder.path().into(), rate_limit: None, ..Settings::default() };
        TestApp::serve(db, folder, settings, (More::default(), Outside::default())).await
    }

    async fn serve(db: Db, folder: TempDir, settings: Settings, (more, outside): (More, Outside)) -> TestApp {
        let Outside { listings, limits, sessions, reading } = outside;
        let clock = Arc::new(SetClock::at(Moment::from_micros(NOW)));
        let ports =
            Ports { clock: clock.clone(), ids: Arc::new(SeededIds::new(1)), source: listings, ..Ports::default() };
        let ports = Ports { sessions, reading: reading.unwrap_or_default(), ..ports };
        let app = App::new(db, settings, ports);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let base = format!("http://{address}");
        let limits = limits.unwrap_or_else(|| Limits::of(&app.settings));
        let edge = Edge::with_limits(app.clone(), &app.settings.reached_at(address), limits);
        let (stop, stopped) = oneshot::channel::<()>();
        let make = move |edge| router::service_with(edge, more);
        let serving = edge.clone();
        tokio::spawn(async move {
            serve_service(serving, make, listener, async { drop(stopped.await) }).await;
        });
        TestApp { app, edge, clock, base, http: client(), _stop: stop, _folder: folder }
    }

    /// An account of this tier with this many credits, and a key of its own.
    pub async fn account(&self, tier: Tier, credits: i64) -> (Account, String) {
        let account = self.account_with(tier, credits, &[]).await;
        let key = self.key(&account).await;
        (account, key)
    }

    pub async fn account_with(&self, tier: Tier, credits: i64, add_ons: &[AddOn]) -> Account {
        let number = account::list(&self.app.db).await.unwrap().len();
        let email = Email::parse(&format!("{tier}-{number}@example.com")).unwrap();
        let new = NewAccount { email, tier, credits: Some(credits), add_ons: add_ons.to_vec() };
        account::create(&self.app, new).await.unwrap()
    }

    pub async fn key(&self, account: &Account) -> String {
        keys::create(&self.app, account.id, "test").await.unwrap().secret.reveal().to_owned()
    }

    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, format!("{}{path}", self.base))
    }

    /// An account on the widest plan with every add-on, and its key.
    pub async fn whole_account(&self, credits: i64) -> (Account, String) {
        let account = self.account_with(Tier::Scale, credits, &AddOn::ALL).await;
        let key = self.key(&account).await;
        (account, key)
    }

    /// Works on searches until nothing is left that is due.
    pub async fn work(&self) {
        canvass::work::until_idle(&self.app).await.unwrap();
    }

    /// Works on searches until what it gives is dropped.
    pub fn worker(&self) -> oneshot::Sender<()> {
        let (stop, stopped) = oneshot::channel();
        tokio::spawn(canvass::work::work(self.app.clone(), async { drop(stopped.await) }));
        stop
    }

    pub async fn post(&self, path: &str, key: &str, body: &Value) -> Answer {
        send(self.request(Method::POST, path).header("X-API-Key", key).json(body)).await
    }

    /// Starts a search that must start, and gives its id.
    pub async fn start(&self, key: &str, body: Value) -> String {
        let answer = self.post("/search/start", key, &body).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        answer.json()["search_id"].as_str().unwrap().to_owned()
    }

    /// A search as the API shows it.
    pub async fn search(&self, key: &str, id: &str) -> Value {
        self.get(&format!("/searches/{id}"), key).await.json()
    }

    /// The leads of a search.
    pub async fn leads(&self, key: &str, id: &str) -> Vec<Value> {
        self.get(&format!("/searches/{id}/leads"), key).await.json().as_array().unwrap().clone()
    }

    /// Waits until the search is as wanted.
    pub async fn until(&self, key: &str, id: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let search = self.search(key, id).await;
            if wanted(&search) {
                return search;
            }
            tokio::task::yield_now().await;
        }
    }

    /// Asserts that the ledger agrees with the leads: each delivered one charged once, the balance the sum.
    pub async fn ledger_in_step(&self, account: &Account, delivered: i64) {
        assert!(canvass::credits::audit(&self.app.db).await.unwrap().is_empty());
        let lines = canvass::credits::page(&self.app.db, account.id, None, 100_000).await.unwrap();
        let charges = lines.iter().filter(|line| line.reason == canvass::credits::Reason::Lead);
        assert_eq!(charges.map(|line| -line.amount).sum::<i64>(), delivered);
        let now = account::find(&self.app.db, account.id).await.unwrap().unwrap();
        assert_eq!(now.credits, account.credits - delivered);
    }

    pub async fn get(&self, path: &str, key: &str) -> Answer {
        send(self.request(Method::GET, path).header("X-API-Key", key)).await
    }
}

pub async fn send(request: reqwest::RequestBuilder) -> Answer {
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    Answer { status, headers, text: response.text().await.unwrap() }
}

pub fn client() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().build().unwrap()
}
