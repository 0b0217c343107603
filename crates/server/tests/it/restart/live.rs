//! Real processes that are killed while they ask Google: the search ends as if nothing had happened, and nothing is paid for twice
//! that could be stored once.

use std::collections::BTreeSet;
use std::process::Child;
use std::time::Duration;

use canvass::App;
use canvass::account::Account;
use canvass::app::Ports;
use canvass::config::Settings;
use canvass::db::{Db, sql};
use canvass::ids::SearchId;
use canvass::search::{self, Search, StartRequest, Status};
use canvass::steps::Step;
use canvass::{credits, work};
use rehearsal::google;
use rstest::rstest;
use rustix::process::Signal;

use super::{GOOGLE_AT, WORK_FROM, begin_with, delivered, kill_at, signal, spawn};
use crate::live::{google_at, google_options, through};
use crate::support::{On, Stored};

/// How long the rehearsal takes for an answer, so that a process can be killed meanwhile.
const ANSWER_TIME: Duration = Duration::from_millis(100);
/// How often the test looks whether the moment has come.
const LOOK_EVERY: Duration = Duration::from_millis(2);
/// For so long no request may arrive any more from a process that is dead.
const QUIET: Duration = Duration::from_millis(200);

/// When a process is killed, in the life of the first call that it makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kill {
    /// It has arrived, and is not answered.
    InFlight,
    /// It is answered; whether that is stored is left to chance.
    Answered,
    /// The answer is stored.
    Stored,
}

/// How processes are killed one after the other; all that follow, as the last one. A call that is not finished properly holds one of
/// the four slots of the provider until it would have timed out, so only three are killed that way.
const KILLS: [Kill; 7] =
    [Kill::Stored, Kill::InFlight, Kill::Stored, Kill::Answered, Kill::Stored, Kill::InFlight, Kill::Stored];
/// Processes that are killed at most; then one may finish.
const KILLS_MAX: usize = 12;

/// Towns whose dentists take more than a few calls, and a few.
const MANY_CALLS: &str = "Round Rock, TX";
const FEW_CALLS: &str = "Georgetown, TX";
/// Where a process may die that works on a search.
const STEPS: [Step; 8] = [
    Step::Taken,
    Step::Listed,
    Step::BeforeDeliver,
    Step::Locked,
    Step::Charged,
    Step::Stored,
    Step::Delivered,
    Step::BeforeFinish,
];

/// A database, and Google as all its processes see it.
struct Stage {
    stored: Stored,
    rehearsal: google::Rehearsal,
    app: App,
}

impl Stage {
    async fn new(on: On, answer_time: Option<Duration>) -> Stage {
        let faults = google::Faults { slow: answer_time, ..google::Faults::default() };
        let (rehearsal, google) = google_at(google::Options { faults, ..google_options() }).await;
        let Stored { binary, url } = Stored::new(on).await;
        let mut settings = Settings { data: binary.data(), lease_seconds: 1, ..Settings::default() };
        through(&mut settings, "google");
        google(&mut settings);
        let binary = binary
            .set("CANVASS_SOURCE", "google")
            .set("CANVASS_GOOGLE_URL", settings.maps.google_url.as_str())
            .set("CANVASS_GOOGLE_API_KEY", settings.maps.google_api_key.as_ref().unwrap().reveal())
            .set("CANVASS_READ_WEBSITES", "false");
        let stored = Stored { binary, url };
        let app = App::new(stored.db().await, settings, Ports::default());
        Stage { stored, rehearsal, app }
    }

    fn db(&self) -> &Db {
        &self.app.db
    }

    /// What was asked for, each request once.
    fn questions(&self) -> BTreeSet<String> {
        self.rehearsal.asked().into_iter().collect()
    }

    /// Answers that are stored.
    async fn answers(&self) -> usize {
        let (count,): (i64,) = sql("select count(*) from provider_answer").one(self.db()).await.unwrap();
        usize::try_from(count).unwrap()
    }

    async fn search(&self, account: &Account, id: SearchId) -> Search {
        search::find(self.db(), account.id, id).await.unwrap().unwrap().into_inner()
    }

    /// Waits until the lease of a dead process has run out: a worker that finds it held looks again only seconds later.
    async fn until_free(&self) {
        let held = || sql("select count(*) from search where lease_until > $1").bind(self.app.clock.now());
        while held().one::<(i64,)>(self.db()).await.unwrap().0 > 0 {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Runs a process until its moment has come, and kills it. `false` when the search ended before that.
    async fn kill(&self, process: &mut Child, kill: Kill, (account, id): (&Account, SearchId)) -> bool {
        let (asked, answered, stored) =
            (self.rehearsal.asked().len(), self.rehearsal.log().len(), self.answers().await);
        loop {
            let has_come = match kill {
                Kill::InFlight => self.rehearsal.asked().len() > asked,
                Kill::Answered => self.rehearsal.log().len() > answered,
                Kill::Stored => self.answers().await > stored,
            };
            if has_come {
                signal(process, Signal::KILL);
                process.wait().unwrap();
                return true;
            }
            if !self.search(account, id).await.is_running() {
                return false;
            }
            assert!(process.try_wait().unwrap().is_none(), "it ended by itself");
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Calls that arrived and whose answers are not stored, once whatever a dead process had sent has arrived.
    async fn lost_calls(&self) -> usize {
        let mut asked = usize::MAX;
        while asked != self.rehearsal.asked().len() {
            asked = self.rehearsal.asked().len();
            tokio::time::sleep(QUIET).await;
        }
        self.questions().len() - self.answers().await
    }
}

fn request(town: &str) -> StartRequest {
    StartRequest {
        industry: "dentist".into(),
        location: town.into(),
        requested_count: Some(500),
        ..StartRequest::default()
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_after_every_call_a_search_of_google_is_exact_and_pays_once(#[case] on: On) {
    let calm = undisturbed(MANY_CALLS).await;
    let stage = Stage::new(on, Some(ANSWER_TIME)).await;
    let (account, id) = begin_with(&stage.app, &request(MANY_CALLS)).await;
    let (mut kills, mut lost) = (0, 0);
    let kinds = KILLS.into_iter().chain(std::iter::repeat(Kill::Stored)).take(KILLS_MAX);
    for kind in kinds {
        stage.until_free().await;
        let mut process = spawn(&stage.stored, &["work"]);
        if !stage.kill(&mut process, kind, (&account, id)).await {
            signal(&process, Signal::TERM);
            assert!(process.wait().unwrap().success());
            break;
        }
        kills += 1;
        let now = stage.lost_calls().await;
        assert!(now <= 1, "at most the one call that was in flight is lost, killed {kind:?}: {now}");
        assert!(kind != Kill::InFlight || now == 1);
        lost += now;
    }
    assert!(kills >= KILLS.len(), "killed {kills} times only: the search makes too few calls");
    work::until_idle(&later(&stage.app)).await.unwrap();

    assert_exact(&stage, (&account, id), &calm, Kills { kills, lost }).await;
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_any_step_a_search_of_google_is_exact_and_pays_once(#[case] on: On) {
    let calm = undisturbed(FEW_CALLS).await;
    for step in STEPS {
        let stage = Stage::new(on, None).await;
        let (account, id) = begin_with(&stage.app, &request(FEW_CALLS)).await;
        kill_at(
            step,
            &stage.stored,
            &[(WORK_FROM, "google"), (GOOGLE_AT, stage.app.settings.maps.google_url.as_str())],
        );
        let lost = stage.lost_calls().await;
        assert!(lost <= 1, "killed at {step:?}: {lost} calls were in flight");
        work::until_idle(&later(&stage.app)).await.unwrap();
        assert_exact(&stage, (&account, id), &calm, Kills { kills: 1, lost }).await;
    }
}

/// How a search ends that nobody disturbs.
struct Calm {
    businesses: Vec<String>,
    questions: BTreeSet<String>,
}

async fn undisturbed(town: &str) -> Calm {
    let stage = Stage::new(On::Sqlite, None).await;
    let (account, id) = begin_with(&stage.app, &request(town)).await;
    work::until_idle(&stage.app).await.unwrap();
    let (businesses, questions) = (delivered(stage.db(), &account, id).await, stage.questions());
    assert_eq!(stage.rehearsal.asked().len(), questions.len(), "undisturbed, nothing is asked twice");
    Calm { businesses, questions }
}

/// Processes that were killed, and calls that were in flight then.
struct Kills {
    kills: usize,
    lost: usize,
}

/// Asserts that a search ended as if nothing had happened, and that nothing was asked twice but what was in flight.
#[expect(clippy::print_stdout, reason = "how often it was killed, for whoever looks at the test")]
async fn assert_exact(stage: &Stage, (account, id): (&Account, SearchId), calm: &Calm, Kills { kills, lost }: Kills) {
    let found = stage.search(account, id).await;
    assert_eq!(found.status, Status::Done, "{found:?}");
    assert_eq!(delivered(stage.db(), account, id).await, calm.businesses, "the same leads in the same order");
    assert_eq!(credits::audit(stage.db()).await.unwrap(), vec![]);
    let lines = credits::page(stage.db(), account.id, None, 100_000).await.unwrap();
    let charged = lines.iter().filter(|line| line.reason == credits::Reason::Lead).count();
    assert_eq!(charged, calm.businesses.len(), "each lead is charged once");
    // Google has charged for a call that arrived, whether or not anybody was left to hear the answer: only asking again tells what it
    // was. So each kill in the middle of a call costs that one call, and no other request is ever made twice.
    let asked = stage.rehearsal.asked().len();
    assert_eq!(stage.questions(), calm.questions, "the same is asked as undisturbed");
    assert_eq!(asked, calm.questions.len() + lost, "{kills} kills, {lost} calls lost");
    // Calls are counted before they are made: a process can die in between, but nothing is paid for that is not counted.
    let counted: i64 = found.coverage.provider_calls["google"].values().sum();
    let counted = usize::try_from(counted).unwrap();
    assert!((asked..=asked + kills).contains(&counted), "{counted} calls counted, {asked} arrived, {kills} kills");
    println!("{kills} processes killed, {asked} calls, {lost} of them lost, {} leads", calm.businesses.len());
}

/// The same application, later: what dead processes held is free.
fn later(app: &App) -> App {
    App::new(app.db.clone(), app.settings.clone(), Ports { clock: crate::support::ahead(600), ..Ports::default() })
}
