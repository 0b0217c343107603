//! A process that stands still in the middle of a search: its leads are those of one that never did.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use canvass::App;
use canvass::account::Account;
use canvass::app::Ports;
use canvass::config::Settings;
use canvass::db::Db;
use canvass::ids::SearchId;
use canvass::lead::{self, LeadQuery, Lock};
use canvass::search::{self, Filters, StartRequest};
use canvass::work;
use polite_reader::ReaderSettings;
use rustix::process::Signal;
use serde_json::Value;

use super::{begin, signal, until_found};
use crate::support::{On, Stored, opened};

/// Tells the test program, started once more, where to work.
const READ_IN: &str = "TEST_READ_IN";
/// How long it is stopped: longer than any deadline of [`reading`] but the site's own.
const STOPPED_FOR: Duration = Duration::from_secs(9);
const PLACE: &str = "Crowdville, Sandbox";
const COUNT: i64 = 250;

/// The reader with shorter deadlines, so that the test need not stop its worker for half a minute.
fn reading() -> ReaderSettings {
    ReaderSettings {
        connect_deadline: Duration::from_secs(6),
        first_byte_deadline: Duration::from_secs(7),
        body_deadline: Duration::from_secs(7),
        ..ReaderSettings::default()
    }
}

async fn app_in(data: &Path) -> App {
    // No other worker is about, so the lease plays no part.
    let settings = Settings { data: data.into(), lease_seconds: 600, ..Settings::default() };
    App::new(opened(None, data).await, settings, Ports { reading: reading(), ..Ports::default() })
}

/// Two searches, one of which takes what its sites say into account.
async fn begin_both(app: &App) -> (Account, [SearchId; 2]) {
    let (account, plain) = begin(app, PLACE, COUNT).await;
    let request = StartRequest {
        industry: "dentist".into(),
        location: PLACE.into(),
        requested_count: Some(90),
        filters: Filters { has_email: Some(true), ..Filters::default() },
        ..StartRequest::default()
    };
    let with_email = search::start(app, &account, request, None).await.unwrap().search().id;
    (account, [plain, with_email])
}

/// Everything the leads of a search say, without their ids and times.
async fn said(db: &Db, account: &Account, search: SearchId) -> Vec<Value> {
    let search = search::find(db, account.id, search).await.unwrap().unwrap();
    let mut listed = lead::list(db, search.owned_id().unwrap(), &LeadQuery::default(), Lock::Open).await.unwrap();
    let mut leads = Vec::new();
    loop {
        let rows = listed.next_rows().await.unwrap();
        if rows.is_empty() {
            return leads;
        }
        leads.extend(rows.iter().map(|row| {
            let mut lead = serde_json::to_value(row.lead().unwrap()).unwrap();
            for changing in ["lead_id", "search_id", "delivered_at"] {
                lead[changing].take();
            }
            for evidence in lead["evidence"].as_array_mut().unwrap() {
                evidence["seen_at"].take();
            }
            lead
        }));
    }
}

/// The worker that is stopped. Does nothing unless it is started by the test below, as a process of its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn as_a_reader() {
    #[expect(clippy::disallowed_methods, reason = "what a test tells its own processes")]
    let Ok(data) = std::env::var(READ_IN) else { return };
    work::until_idle(&app_in(Path::new(&data)).await).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_that_is_suspended_while_it_reads_delivers_the_same_leads() {
    let stored = Stored::new(On::Sqlite).await;
    let app = app_in(&stored.binary.data()).await;
    let (account, searches) = begin_both(&app).await;
    let mut worker = Command::new(std::env::current_exe().unwrap());
    worker.args(["--exact", "restart::suspended::as_a_reader"]).stdout(Stdio::null()).stderr(Stdio::null());
    let mut worker = worker.env(READ_IN, stored.binary.data()).spawn().unwrap();
    let found = until_found(&app, (&account, searches[0]), 10, Duration::from_secs(60)).await;
    signal(&worker, Signal::STOP);
    assert!((10..COUNT).contains(&found), "it is in the middle of reading: {found}");
    // Nothing to wait for but the time itself, which is what passes while a machine is suspended.
    tokio::time::sleep(STOPPED_FOR).await;
    signal(&worker, Signal::CONT);
    assert!(worker.wait().unwrap().success());
    let undisturbed = Stored::new(On::Sqlite).await;
    let other = app_in(&undisturbed.binary.data()).await;
    let (other_account, expected) = begin_both(&other).await;
    work::until_idle(&other).await.unwrap();
    for (search, expected) in searches.into_iter().zip(expected) {
        let said_there = said(&other.db, &other_account, expected).await;
        let (said, expected) = (said(&app.db, &account, search).await, said_there);
        assert_eq!(said.len(), expected.len());
        let differing: Vec<_> = said.iter().zip(&expected).filter(|(one, other)| one != other).collect();
        assert!(differing.is_empty(), "{} leads differ, such as {:#?}", differing.len(), differing[0]);
    }
}
