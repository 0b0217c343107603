//! What a watch remembers: with which version each field was learnt, and from which pages.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use canvass::App;
use canvass::app::Ports;
use canvass::config::Settings;
use canvass::db::{Db, sql};
use canvass::ids::LeadId;
use canvass::listing::Listing;
use canvass::radar::{self, Which};
use canvass::work;
use polite_reader::ReaderSettings;
use rstest::rstest;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::{A_DAY, all_alerts, check_twice, grow_older, watch_all};
use crate::support::{On, Scripted, TestApp, listing};

/// A website whose pages a test can change. A page without text is refused.
#[derive(Clone, Default)]
struct Site(Arc<Mutex<HashMap<&'static str, String>>>);

impl Site {
    fn set(&self, path: &'static str, body: &str) {
        self.0.lock().unwrap().insert(path, format!("<html><body>{body}</body></html>"));
    }

    fn refuse(&self, path: &'static str) {
        self.0.lock().unwrap().insert(path, String::new());
    }

    fn answer(&self, request: &str) -> String {
        let path = request.split(' ').nth(1).unwrap_or("/");
        let (status, body) = match self.0.lock().unwrap().get(path) {
            None => (404, String::new()),
            Some(body) if body.is_empty() => (403, String::new()),
            Some(body) => (200, body.clone()),
        };
        let head = format!("HTTP/1.1 {status} x\r\nContent-Type: text/html\r\nConnection: close\r\n");
        format!("{head}Content-Length: {}\r\n\r\n{body}", body.len())
    }

    async fn serve(&self) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let site = self.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut request = [0; 4096];
                let length = stream.read(&mut request).await.unwrap_or(0);
                let answer = site.answer(&String::from_utf8_lossy(&request[..length]));
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        address
    }
}

/// A home page that links to the others.
fn home(text: &str) -> String {
    format!("<a href='/contact'>Contact</a> <a href='/team'>Our team</a> <p>{text}</p>")
}

const CALENDLY: &str = "<script src='https://assets.calendly.com/assets/external/widget.js'></script>";

struct Watched {
    test: TestApp,
    app: App,
    account: canvass::ids::AccountId,
}

/// Watches the business of a website.
async fn watched(on: On, site: &Site) -> Watched {
    let address = site.serve().await;
    let listing = Listing { website: Some(format!("http://{address}/")), ..listing(0) };
    let listings: Arc<dyn canvass::listing::Source> = Arc::new(Scripted::listing(vec![listing]));
    let test = TestApp::listing(on, listings.clone()).await;
    let settings = Settings { allow_addresses: vec![address], ..test.app.settings.clone() };
    let reading = ReaderSettings { host_gap: Duration::from_millis(1), ..ReaderSettings::default() };
    let ports = Ports { clock: test.clock.clone(), source: Some(listings), reading, ..Ports::default() };
    let app = App::new(test.app.db.clone(), settings, ports);
    let (account, key) = test.whole_account(10).await;
    let id = test
        .start(&key, serde_json::json!({"industry": "plumber", "location": "Austin, TX", "requested_count": 1}))
        .await;
    work::until_idle(&app).await.unwrap();
    let lead = test.leads(&key, &id).await.remove(0);
    assert_eq!(lead["site_status"], "ok", "{lead}");
    let lead = LeadId::parse(lead["lead_id"].as_str().unwrap()).unwrap();
    radar::watch(&app, &account, lead, None).await.unwrap();
    radar::check_now(&app, Which::All).await.unwrap();
    Watched { test, app, account: account.id }
}

impl Watched {
    /// Checks, and gives the fields of the alerts that this raised with what they were before and after.
    async fn check(&self) -> Vec<(String, Value, Value)> {
        let before = all_alerts(&self.app.db, self.account).await.len();
        self.test.clock.advance_seconds(A_DAY);
        radar::check_now(&self.app, Which::All).await.unwrap();
        let alerts = all_alerts(&self.app.db, self.account).await;
        let changes = alerts[before..].iter().flat_map(|alert| alert.changes.0.clone());
        let changes = changes.filter(|change| change.field != radar::Field::Score);
        changes.map(|change| (change.field.name().to_owned(), change.before, change.after)).collect()
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_website_of_which_one_page_always_fails_is_watched_by_its_other_pages(#[case] on: On) {
    let site = Site::default();
    site.set("/", &home("Welcome"));
    site.set("/contact", "<p>Call us</p>");
    site.refuse("/team");
    let watched = watched(on, &site).await;
    assert_eq!(watched.check().await, vec![], "nothing has changed");

    site.set("/", &home(CALENDLY));
    assert_eq!(watched.check().await, vec![("booking".into(), Value::Null, "calendly".into())]);
    assert_eq!(watched.check().await, vec![], "it is reported once");
    site.set("/", &home("Welcome"));
    assert_eq!(watched.check().await, vec![("booking".into(), "calendly".into(), Value::Null)]);

    // The page that can be read for the first time may have said so all the time.
    site.set("/team", "<p>ann@acme-plumbing.com</p>");
    assert_eq!(watched.check().await, vec![]);
    // Refused again, it says nothing, and nothing is gone.
    site.refuse("/team");
    site.set("/contact", "<p>joe@acme-plumbing.com</p>");
    let added = |email: &str| ("emails".to_owned(), Value::Null, Value::from(email));
    assert_eq!(watched.check().await, vec![added("joe@acme-plumbing.com")], "what appears is seen all the same");
    assert_eq!(watched.check().await, vec![]);
    site.set("/team", "<p>Nobody</p>");
    let gone = ("emails".to_owned(), Value::from("ann@acme-plumbing.com"), Value::Null);
    assert_eq!(watched.check().await, vec![gone]);
}

/// Sets the version and the values of one field in every stored baseline.
async fn set_learnt(db: &Db, field: &str, change: impl Fn(&mut Value)) {
    let mut tx = db.begin().await.unwrap();
    let watches: Vec<(String, String)> = sql("select id, baseline from watch").all(&mut tx).await.unwrap();
    for (id, baseline) in watches {
        let mut baseline: Value = serde_json::from_str(&baseline).unwrap();
        // A website that could not be read has no baseline.
        let Some(learnt) = baseline["fields"].get_mut(field) else { continue };
        change(learnt);
        let update = sql("update watch set baseline = $2 where id = $1").bind(id).bind(baseline.to_string());
        update.run(&mut tx).await.unwrap();
    }
    tx.commit().await.unwrap();
}

async fn learnt(db: &Db, field: &str) -> Vec<Value> {
    let watches: Vec<(String,)> = sql("select baseline from watch order by id").all(db).await.unwrap();
    let parsed = watches.into_iter().map(|(baseline,)| serde_json::from_str::<Value>(&baseline).unwrap());
    parsed.map(|baseline| baseline["fields"][field].clone()).collect()
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_field_whose_finder_changed_is_learnt_anew(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.whole_account(1_000).await;
    watch_all(&test, &key, "Plainville, Sandbox", &[("restaurant", 12)]).await;
    // As if the version before had found no analytics, and no platform either.
    set_learnt(&test.app.db, "analytics", |learnt| {
        learnt["values"] = serde_json::json!({});
        learnt["version"] = 0.into();
    })
    .await;
    set_learnt(&test.app.db, "platform", |learnt| learnt["values"] = serde_json::json!({})).await;
    check_twice(&test).await;
    let alerts = all_alerts(&test.app.db, account.id).await;
    let fields: Vec<&str> = alerts.iter().flat_map(|a| &a.changes.0).map(|change| change.field.name()).collect();
    assert!(fields.contains(&"platform"), "what was learnt with the same version is compared: {fields:?}");
    assert!(!fields.contains(&"analytics"), "{fields:?}");
    let versions: Vec<Value> = learnt(&test.app.db, "analytics").await.iter().map(|l| l["version"].clone()).collect();
    assert!(versions.iter().any(|version| *version == page_facts::Finder::Analytics.version()), "{versions:?}");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_older_build_leaves_alone_what_a_newer_one_has_learnt(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.whole_account(1_000).await;
    watch_all(&test, &key, "Changeville, Sandbox", &[("restaurant", 12)]).await;
    let now = test.app.clock.now();
    // As if a newer build had checked them, and found analytics that this one does not know.
    set_learnt(&test.app.db, "analytics", |learnt| {
        *learnt = serde_json::json!({"values": {"new_tool": null}, "version": page_facts::Finder::Analytics.version() + 1, "at": now.to_string()});
    })
    .await;
    let before = learnt(&test.app.db, "analytics").await;
    grow_older(&test.app, 1).await;
    check_twice(&test).await;
    let alerts = all_alerts(&test.app.db, account.id).await;
    let fields: Vec<&str> = alerts.iter().flat_map(|a| &a.changes.0).map(|change| change.field.name()).collect();
    assert!(!fields.is_empty() && !fields.contains(&"analytics"), "{fields:?}");
    assert_eq!(learnt(&test.app.db, "analytics").await, before);
}
