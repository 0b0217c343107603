//! What tests stand on: an application with a fresh database, a set clock and seeded ids, served on a real socket.

mod binary;
mod database;

pub use binary::Binary;
pub use database::{On, fresh_database, fresh_schema, fresh_schema_url};

use std::sync::Arc;

use canvass::App;
use canvass::account::{self, Account, Email, NewAccount};
use canvass::clock::{Moment, SetClock};
use canvass::config::Settings;
use canvass::ids::SeededIds;
use canvass::keys;
use canvass::plan::{AddOn, Tier};
use http::{HeaderMap, Method, StatusCode};
use serde_json::Value;
use server::api::Edge;
use server::api::router;
pub use server::api::router::More;
use server::serve::serve_service;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// 2026-11-15T02:03:04.123456Z: when tests happen.
pub const NOW: i64 = 1_794_708_184_123_456;

/// An application under test, served on a real socket.
pub struct TestApp {
    pub app: App,
    pub clock: Arc<SetClock>,
    pub base: String,
    http: reqwest::Client,
    _stop: oneshot::Sender<()>,
    _folder: TempDir,
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

impl TestApp {
    pub async fn new(on: On) -> TestApp {
        TestApp::with(on, |_| {}, More::default()).await
    }

    /// With settings changed, and further routes that need a key.
    pub async fn with(on: On, change: impl FnOnce(&mut Settings), more: More) -> TestApp {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = Settings { data: folder.path().into(), rate_limit: None, ..Settings::default() };
        change(&mut settings);
        let db = fresh_database(on, folder.path()).await;
        let clock = Arc::new(SetClock::at(Moment::from_micros(NOW)));
        let app = App::new(db, settings, clock.clone(), Arc::new(SeededIds::new(1)));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let edge = Edge::new(app.clone(), &base.parse().unwrap());
        let (stop, stopped) = oneshot::channel::<()>();
        let make = move |edge| router::service_with(edge, more);
        tokio::spawn(async move {
            serve_service(edge, make, listener, async { drop(stopped.await) }).await;
        });
        TestApp { app, clock, base, http: client(), _stop: stop, _folder: folder }
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
