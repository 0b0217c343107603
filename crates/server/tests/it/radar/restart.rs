//! Several workers, and workers that are killed.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use canvass::account::{self, Account, Email, NewAccount};
use canvass::app::Ports;
use canvass::config::Settings;
use canvass::ids::{Ids, LeadId, SystemIds};
use canvass::lead::{self, LeadQuery, Lock};
use canvass::plan::{AddOn, Tier};
use canvass::radar::{self, Which};
use canvass::search::{self, StartRequest};
use canvass::steps::{Step, Steps};
use canvass::{App, work};
use rstest::rstest;
use rustix::process::{Pid, Signal, kill_process};

use super::{A_DAY, A_WHILE, all_alerts, assert_true, grow_older, told, truth};
use crate::support::{On, Stored, ahead, opened};

/// An application of its own, so many seconds ahead of time.
async fn app_in(stored: &Stored, seconds: i64) -> App {
    stored.app(Ports { clock: ahead(seconds), ..Ports::default() }).await
}

/// Restless businesses that are watched, so many of each trade, in a world one step older.
async fn begin(app: &App, trades: &[&str], count: i64) -> (Account, HashMap<LeadId, String>, u32) {
    let email = Email::parse("owner@example.com").unwrap();
    let new = NewAccount { email, tier: Tier::Scale, credits: Some(1_000), add_ons: AddOn::ALL.to_vec() };
    let account = account::create(app, new).await.unwrap();
    let mut business_of = HashMap::new();
    for trade in trades {
        business_of.extend(watch_trade(app, &account, trade, count).await);
    }
    let age = grow_older(app, 1).await;
    (account, business_of, age)
}

async fn watch_trade(app: &App, account: &Account, trade: &str, count: i64) -> HashMap<LeadId, String> {
    let request = StartRequest {
        industry: trade.into(),
        location: "Changeville, Sandbox".into(),
        requested_count: Some(count),
        ..StartRequest::default()
    };
    let search = search::start(app, account, request, None).await.unwrap().search().owned_id().unwrap();
    work::until_idle(app).await.unwrap();
    let mut listed = lead::list(&app.db, search, &LeadQuery::default(), Lock::Open).await.unwrap();
    let mut business_of = HashMap::new();
    for row in listed.next_rows().await.unwrap() {
        let lead = row.lead().unwrap();
        radar::watch(app, account, lead.lead_id, None).await.unwrap();
        business_of.insert(lead.lead_id, lead.business_id);
    }
    business_of
}

/// Tells the test program, started once more, that it is a checker: where to check and where to die.
const CHECK_IN: &str = "TEST_CHECK_IN";
const CHECK_ON: &str = "TEST_CHECK_ON";
const DIE_AT: &str = "TEST_CHECK_DIE_AT";

/// Dies when a step is reached for the third time.
#[derive(Debug)]
struct DieAt(Step, AtomicUsize);

impl Steps for DieAt {
    fn reach(&self, step: Step) {
        if step == self.0 && self.1.fetch_add(1, Ordering::SeqCst) == 2 {
            let me = Pid::from_raw(i32::try_from(std::process::id()).unwrap()).unwrap();
            kill_process(me, Signal::KILL).unwrap();
        }
    }
}

/// The checker that dies. Does nothing unless it is started by the test below, as a process of its own.
#[tokio::test]
async fn as_a_checker() {
    #[expect(clippy::disallowed_methods, reason = "what the test below tells its own processes")]
    let asked = |name: &str| std::env::var(name).ok();
    let (Some(data), Some(step)) = (asked(CHECK_IN), asked(DIE_AT)) else { return };
    let step = Step::CHECK.into_iter().find(|known| format!("{known:?}") == step).unwrap();
    let ports = Ports { steps: Arc::new(DieAt(step, AtomicUsize::new(0))), clock: ahead(A_DAY), ..Ports::default() };
    let db = opened(asked(CHECK_ON).as_deref(), Path::new(&data)).await;
    let app = App::new(db, Settings { data: data.into(), ..Settings::default() }, ports);
    radar::until_idle(&app).await.unwrap();
    unreachable!("it dies before it is done");
}

/// Seconds after which a dead worker's watches are taken over.
const LEASE_OVER: i64 = 10 * 60;

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_any_step_of_a_check_no_alert_is_lost_or_told_twice(#[case] on: On) {
    for step in Step::CHECK {
        let stored = Stored::new(on).await;
        let app = app_in(&stored, 0).await;
        let (account, business_of, age) = begin(&app, &["restaurant"], 15).await;
        let mut checker = Command::new(std::env::current_exe().unwrap());
        checker.args(["--exact", "radar::restart::as_a_checker"]).env(CHECK_IN, stored.binary.data());
        checker.env(DIE_AT, format!("{step:?}")).envs(stored.url.iter().map(|url| (CHECK_ON, url)));
        let status = checker.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        assert!(!status.success() && status.code().is_none(), "it was to be killed at {step:?}: {status:?}");

        // Others come when the lease has run out, and once more to confirm.
        radar::until_idle(&app_in(&stored, A_DAY + LEASE_OVER).await).await.unwrap();
        radar::until_idle(&app_in(&stored, A_DAY + LEASE_OVER + A_WHILE).await).await.unwrap();
        let expected = truth(&app, business_of.values().cloned(), (0, age));
        assert_true(&told(&all_alerts(&app.db, account.id).await, &business_of), &expected);
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_random_moments_the_command_loses_and_repeats_no_alert(#[case] on: On) {
    let stored = Stored::new(on).await;
    let app = app_in(&stored, 0).await;
    let (account, business_of, age) = begin(&app, &["restaurant"], 40).await;
    for _ in 0..4 {
        let mut checking = stored.binary.command(&["radar", "check", "--all"]);
        let mut checking = checking.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut chance = [0; 1];
        SystemIds.fill(&mut chance);
        std::thread::sleep(Duration::from_millis(100 + 4 * u64::from(chance[0])));
        kill_process(Pid::from_raw(i32::try_from(checking.id()).unwrap()).unwrap(), Signal::KILL).unwrap();
        checking.wait().unwrap();
    }
    radar::check_now(&app_in(&stored, LEASE_OVER).await, Which::All).await.unwrap();
    let expected = truth(&app, business_of.values().cloned(), (0, age));
    assert_true(&told(&all_alerts(&app.db, account.id).await, &business_of), &expected);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_workers_check_no_watch_twice(#[case] on: On) {
    let stored = Stored::new(on).await;
    let app = app_in(&stored, 0).await;
    let (account, business_of, age) = begin(&app, &["restaurant", "dentist", "hair salon"], 70).await;
    let checks = async || {
        let watches = radar::list(&app.db, account.id).await.unwrap();
        watches.into_iter().map(|watch| (watch.business_id, watch.checks)).collect::<BTreeMap<_, _>>()
    };
    let before = checks().await;
    let (one, other) = (app_in(&stored, A_DAY).await, app_in(&stored, A_DAY).await);
    let (first, second) = tokio::join!(radar::check_now(&one, Which::Due), radar::check_now(&other, Which::Due));
    let (first, second) = (first.unwrap(), second.unwrap());
    assert_eq!(first.checked + second.checked, business_of.len() as u64);
    assert!(first.checked > 0 && second.checked > 0, "both had a part: {first:?} {second:?}");
    let once_more: BTreeMap<String, i64> = before.into_iter().map(|(id, checks)| (id, checks + 1)).collect();
    assert_eq!(checks().await, once_more, "each was checked once");
    radar::until_idle(&app_in(&stored, A_DAY + A_WHILE).await).await.unwrap();
    let expected = truth(&app, business_of.values().cloned(), (0, age));
    assert_true(&told(&all_alerts(&app.db, account.id).await, &business_of), &expected);
}
