//! Processes that die: at every named step, at random moments, or only seemingly. What is left is always exact.

mod enrichment;
mod live;
mod mail;
mod place_data;
mod repeat;
mod suspended;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use canvass::App;
use canvass::account::{self, Account, Email, NewAccount};
use canvass::app::Ports;
use canvass::config::{Secret, Settings, SourceNames};
use canvass::db::Db;
use canvass::ids::{Ids, SearchId, SystemIds};
use canvass::lead::{self, LeadQuery, Lock};
use canvass::notify::OUTBOX_FOLDER;
use canvass::plan::{AddOn, Tier};
use canvass::search::{self, Coverage, Filters, StartRequest, Status};
use canvass::steps::{Step, Steps};
use canvass::{credits, work};
use rstest::rstest;
use rustix::process::{Pid, Signal, kill_process};

use crate::support::{On, Stored, ahead, opened};

/// Tells the test program, started once more, that it is a worker: where to work and where to die.
const WORK_IN: &str = "TEST_WORK_IN";
const WORK_ON: &str = "TEST_WORK_ON";
const DIE_AT: &str = "TEST_DIE_AT";
/// Tells it whom to hand e-mails to, and whose word for that server to take.
const MAIL_BY: &str = "TEST_MAIL_BY";
const MAIL_TRUSTING: &str = "TEST_MAIL_TRUSTING";

/// Tells it which sources to use, and where their websites are served.
const WORK_FROM: &str = "TEST_WORK_FROM";
const SITES_AT: &str = "TEST_SITES_AT";
/// Tells it where Google is; then it reads no websites.
const GOOGLE_AT: &str = "TEST_GOOGLE_AT";

/// Dies when a step is reached for the second time, or the first where there is no second.
#[derive(Debug)]
struct DieAt {
    step: Step,
    left: AtomicUsize,
}

impl DieAt {
    fn new(step: Step) -> DieAt {
        let again = [
            Step::Locked,
            Step::Charged,
            Step::Stored,
            Step::Delivered,
            Step::BeforeDeliver,
            Step::EnrichHeld,
            Step::EnrichAnswered,
            Step::EnrichSpent,
            Step::EnrichWritten,
            Step::EnrichSettled,
            Step::EnrichSaved,
        ];
        DieAt { step, left: AtomicUsize::new(if again.contains(&step) { 2 } else { 1 }) }
    }
}

impl Steps for DieAt {
    fn reach(&self, step: Step) {
        if step == self.step && self.left.fetch_sub(1, Ordering::SeqCst) == 1 {
            let me = Pid::from_raw(i32::try_from(std::process::id()).unwrap()).unwrap();
            kill_process(me, Signal::KILL).unwrap();
        }
    }
}

/// An account with so many credits, and a search of it that nobody works on yet.
pub async fn begin(app: &App, location: &str, count: i64) -> (Account, SearchId) {
    begin_with(app, &request(location, count)).await
}

/// The same for a search of any kind.
async fn begin_with(app: &App, request: &StartRequest) -> (Account, SearchId) {
    let email = Email::parse("owner@example.com").unwrap();
    let credits = request.requested_count.map(|count| count + 100);
    let new = NewAccount { email, tier: Tier::Scale, credits, add_ons: AddOn::ALL.to_vec() };
    let account = account::create(app, new).await.unwrap();
    let search = search::start(app, &account, request.clone(), None).await.unwrap().search().id;
    (account, search)
}

/// A search whose end is told.
fn request(location: &str, count: i64) -> StartRequest {
    StartRequest {
        industry: "plumber".into(),
        location: location.into(),
        requested_count: Some(count),
        notify: true,
        ..StartRequest::default()
    }
}

/// A search whose end is told, and that nobody works on yet.
async fn search_of(app: &App, account: &Account, location: &str, count: i64) -> SearchId {
    search::start(app, account, request(location, count), None).await.unwrap().search().id
}

/// The businesses a search delivered, in order.
async fn delivered(db: &Db, account: &Account, search: SearchId) -> Vec<String> {
    let search = search::find(db, account.id, search).await.unwrap().unwrap();
    let mut listed = lead::list(db, search.owned_id().unwrap(), &LeadQuery::default(), Lock::Open).await.unwrap();
    let mut businesses = Vec::new();
    loop {
        let rows = listed.next_rows().await.unwrap();
        if rows.is_empty() {
            return businesses;
        }
        businesses.extend(rows.iter().map(|row| row.lead().unwrap().business_id));
    }
}

/// How an undisturbed search ends.
struct Undisturbed {
    businesses: Vec<String>,
    coverage: Coverage,
}

async fn undisturbed(request: &StartRequest) -> Undisturbed {
    let stored = Stored::new(On::Sqlite).await;
    let app = stored.app(Ports::default()).await;
    let (account, search) = begin_with(&app, request).await;
    work::until_idle(&app).await.unwrap();
    let coverage = search::find(&app.db, account.id, search).await.unwrap().unwrap().into_inner().coverage;
    Undisturbed { businesses: delivered(&app.db, &account, search).await, coverage }
}

/// Asserts that a search ended as if nothing had happened.
async fn assert_exact(db: &Db, account: &Account, search: SearchId, expected: &Undisturbed) {
    let found = search::find(db, account.id, search).await.unwrap().unwrap();
    assert_eq!(found.status, Status::Done, "{found:?}");
    assert_eq!(found.leads_found as usize, expected.businesses.len());
    assert_eq!(delivered(db, account, search).await, expected.businesses, "the same leads in the same order");
    assert_eq!(credits::audit(db).await.unwrap(), vec![], "the balance is the sum of the lines");
    let lines = credits::page(db, account.id, None, 100_000).await.unwrap();
    let charged = lines.iter().filter(|line| line.reason == credits::Reason::Lead).count();
    assert_eq!(charged, expected.businesses.len(), "each lead is charged once");
    assert_eq!(found.coverage, expected.coverage, "every candidate is accounted for, as if nothing had happened");
}

/// The worker that dies. Does nothing unless it is started by [`kill_at`], as a process of its own.
#[tokio::test]
async fn as_a_worker() {
    #[expect(clippy::disallowed_methods, reason = "what a test tells its own processes")]
    let told = |name: &str| std::env::var(name).ok();
    let (Some(data), Some(step)) = (told(WORK_IN), told(DIE_AT)) else { return };
    let known = Step::ALL.into_iter().chain(Step::ENRICH).find(|known| format!("{known:?}") == step);
    let steps = Arc::new(DieAt::new(known.unwrap()));
    let mut settings = Settings {
        data: data.clone().into(),
        lease_seconds: 1,
        smtp_url: told(MAIL_BY).map(Secret::new),
        smtp_ca: told(MAIL_TRUSTING).map(Into::into),
        source: SourceNames::parse(told(WORK_FROM).as_deref().unwrap_or("sandbox")).unwrap(),
        allow_addresses: told(SITES_AT)
            .iter()
            .flat_map(|list| list.split(','))
            .map(|one| one.parse().unwrap())
            .collect(),
        ..Settings::default()
    };
    if let Some(google) = told(GOOGLE_AT) {
        settings.maps.google_url = google.parse().unwrap();
        settings.maps.google_api_key = Some(Secret::new(rehearsal::google::Options::default().key));
        settings.read_websites = false;
    }
    let db = opened(told(WORK_ON).as_deref(), Path::new(&data)).await;
    work::until_idle(&App::new(db, settings, Ports { steps, ..Ports::default() })).await.unwrap();
    unreachable!("it dies before it is done");
}

/// Starts this very program as a worker on what is stored, told more by its environment, and has it killed at a step.
fn kill_at(step: Step, stored: &Stored, more: &[(&str, &str)]) {
    let mut worker = Command::new(std::env::current_exe().unwrap());
    worker.args(["--exact", "restart::as_a_worker"]).stdout(Stdio::null()).stderr(Stdio::null());
    worker.env(WORK_IN, stored.binary.data()).env(DIE_AT, format!("{step:?}")).envs(more.iter().copied());
    worker.envs(stored.url.iter().map(|url| (WORK_ON, url)));
    let status = worker.status().unwrap();
    assert!(!status.success() && status.code().is_none(), "it was to be killed at {step:?}: {status:?}");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_any_step_a_search_ends_as_if_nothing_had_happened(#[case] on: On) {
    killed_at(on, &request("Crowdville, Sandbox", 150), &Step::ALL).await;
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_any_step_the_first_businesses_that_fit_are_found(#[case] on: On) {
    let filters = Filters { has_email: Some(true), min_rating: Some(4.0), ..Filters::default() };
    let request = StartRequest { filters, ..request("Crowdville, Sandbox", 90) };
    let delivering = [Step::BeforeDeliver, Step::Locked, Step::Charged, Step::Stored, Step::Delivered];
    killed_at(on, &request, &delivering).await;
}

/// Kills a worker at each of these steps, and asserts that another one ends the search as if nothing had happened.
async fn killed_at(on: On, request: &StartRequest, steps: &[Step]) {
    let expected = undisturbed(request).await;
    for step in steps {
        let stored = Stored::new(on).await;
        let app = stored.app(Ports::default()).await;
        let (account, search) = begin_with(&app, request).await;
        kill_at(*step, &stored, &[]);
        let clock = ahead(600);
        let later = stored.app(Ports { clock, ..Ports::default() }).await;
        work::until_idle(&later).await.unwrap();
        assert_exact(&later.db, &account, search, &expected).await;
        let letters = std::fs::read_dir(stored.binary.data().join(OUTBOX_FOLDER)).unwrap();
        let names: Vec<_> = letters.map(|letter| letter.unwrap().file_name()).collect();
        assert_eq!(names, [format!("{search}.eml").as_str()], "its end is told once, killed at {step:?}");
    }
}

/// A number below `end`.
fn random(end: u64) -> u64 {
    let mut bytes = [0; 8];
    SystemIds.fill(&mut bytes);
    u64::from_le_bytes(bytes) % end
}

fn signal(process: &Child, signal: Signal) {
    kill_process(Pid::from_raw(i32::try_from(process.id()).unwrap()).unwrap(), signal).unwrap();
}

/// Waits until the search has delivered this many, or ended, or the time is up.
async fn until_found(app: &App, (account, search): (&Account, SearchId), wanted: i64, patience: Duration) -> i64 {
    let begun = Instant::now();
    loop {
        let found = search::find(&app.db, account.id, search).await.unwrap().unwrap();
        if found.leads_found >= wanted || !found.is_running() || begun.elapsed() > patience {
            return found.leads_found;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn spawn(stored: &Stored, arguments: &[&str]) -> Child {
    stored.binary.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_twenty_times_a_search_of_500_leads_is_exact(#[case] on: On) {
    let (place, count) = ("Crowdville, Sandbox", 500);
    let stored = Stored::new(on).await;
    let app = stored.app(Ports::default()).await;
    let (account, search) = begin(&app, place, count).await;
    let mut found = 0;
    for killed in 0..20 {
        // Workers and servers in turn: both work on searches.
        let arguments: &[&str] = if killed % 2 == 0 { &["work"] } else { &["serve", "--listen", "127.0.0.1:0"] };
        let mut process = spawn(&stored, arguments);
        // Some die right behind a delivery, some at any moment before it.
        let patience = if killed % 3 == 0 { Duration::from_secs(20) } else { Duration::from_millis(random(1_500)) };
        found = until_found(&app, (&account, search), found + 1, patience).await;
        signal(&process, Signal::KILL);
        process.wait().unwrap();
    }
    assert!((1..count).contains(&found), "it was still running when it was killed for the last time: {found}");
    let mut last = spawn(&stored, &["work"]);
    until_found(&app, (&account, search), i64::MAX, Duration::from_secs(60)).await;
    signal(&last, Signal::TERM);
    assert!(last.wait().unwrap().success());
    assert_exact(&app.db, &account, search, &undisturbed(&request(place, count)).await).await;
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_slept_past_its_lease_does_no_harm(#[case] on: On) {
    let (place, count) = ("Crowdville, Sandbox", 400);
    let stored = Stored::new(on).await;
    let app = stored.app(Ports::default()).await;
    let (account, search) = begin(&app, place, count).await;
    let mut sleeper = spawn(&stored, &["work"]);
    let found = until_found(&app, (&account, search), 10, Duration::from_secs(30)).await;
    signal(&sleeper, Signal::STOP);
    assert!((10..count).contains(&found));
    let mut other = spawn(&stored, &["work"]);
    // The other has taken over when it has delivered; only then the sleeper wakes, its hands full.
    until_found(&app, (&account, search), found + 30, Duration::from_secs(30)).await;
    signal(&sleeper, Signal::CONT);
    until_found(&app, (&account, search), i64::MAX, Duration::from_secs(60)).await;
    for process in [&mut sleeper, &mut other] {
        signal(process, Signal::TERM);
        assert!(process.wait().unwrap().success());
    }
    assert_exact(&app.db, &account, search, &undisturbed(&request(place, count)).await).await;
}
