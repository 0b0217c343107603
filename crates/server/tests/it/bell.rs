//! Processes on one database hear what the others commit.

use std::time::Duration;

use canvass::account::{self, Account, Email, NewAccount};
use canvass::app::Ports;
use canvass::db::sql;
use canvass::lead::Lock;

use canvass::plan::{AddOn, Tier};
use canvass::search::{self, Event, Follower, Resume, Search, StartRequest};
use canvass::{App, Owned, work};
use futures::FutureExt;
use rstest::rstest;
use tokio::time::timeout;

use crate::support::{On, Stored};

/// Much less than the time between two regular looks of a process that hears the others.
const SOON: Duration = Duration::from_secs(20);

/// Two applications on one database, as two processes have them; the first one hears the second.
async fn two_processes(on: On) -> (Stored, App, App) {
    let stored = Stored::new(on).await;
    let (here, there) = (stored.app(Ports::default()).await, stored.app(Ports::default()).await);
    tokio::spawn(work::hear_others(here.clone()));
    until(|| here.bell.hears_others()).await;
    (stored, here, there)
}

async fn until(condition: impl Fn() -> bool) {
    let met = async {
        while !condition() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(60), met).await.unwrap();
}

async fn account(app: &App) -> Account {
    let email = Email::parse("owner@example.com").unwrap();
    let new = NewAccount { email, tier: Tier::Scale, credits: Some(100), add_ons: AddOn::ALL.to_vec() };
    account::create(app, new).await.unwrap()
}

async fn started(app: &App, account: &Account) -> Owned<Search> {
    let request = StartRequest {
        industry: "plumber".into(),
        location: "Plainville, Sandbox".into(),
        requested_count: Some(5),
        ..StartRequest::default()
    };
    search::start(app, account, request, None).await.unwrap().search().clone()
}

/// Follows a search to its end, and counts its leads.
async fn leads_until_done(app: &App, search: &Owned<Search>) -> usize {
    leads_of(&mut search::follow(app, search, Resume::Beginning, Lock::Open)).await
}

async fn leads_of(follower: &mut Follower) -> usize {
    let mut leads = 0;
    while let Some(event) = follower.next().await.unwrap() {
        leads += usize::from(matches!(event, Event::Lead { .. }));
    }
    leads
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_worked_on_by_another_process_is_followed_without_waiting_for_a_poll(#[case] on: On) {
    let (_stored, here, there) = two_processes(on).await;
    let account = account(&here).await;
    let search = started(&here, &account).await;
    let following = tokio::spawn({
        let (here, search) = (here.clone(), search.clone());
        async move { leads_until_done(&here, &search).await }
    });
    until(|| here.bell.listeners_of(search.id) > 0).await;
    work::until_idle(&there).await.unwrap();
    assert_eq!(timeout(SOON, following).await.expect("its events arrive").unwrap(), 5);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn who_stops_waiting_while_the_follower_looks_misses_nothing(#[case] on: On) {
    let stored = Stored::new(on).await;
    let app = stored.app(Ports::default()).await;
    let search = started(&app, &account(&app).await).await;
    let mut follower = search::follow(&app, &search, Resume::Beginning, Lock::Open);
    assert!(matches!(follower.next().await.unwrap(), Some(Event::Started(_))));
    assert!(timeout(Duration::from_millis(300), follower.next()).await.is_err(), "nothing has happened");
    work::until_idle(&app).await.unwrap();
    assert!(follower.next().now_or_never().is_none(), "looking takes more than one poll");
    assert_eq!(timeout(SOON, leads_of(&mut follower)).await.expect("what has rung is looked for"), 5);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn work_that_another_process_adds_wakes_the_workers_here(#[case] on: On) {
    let (_stored, here, there) = two_processes(on).await;
    let account = account(&there).await;
    let mut work = here.bell.work::<Search>();
    started(&there, &account).await;
    timeout(SOON, work.rung()).await.expect("the bell rings");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_whose_listening_connection_is_killed_polls_and_then_listens_again() {
    let (_stored, here, there) = two_processes(On::Postgres).await;
    let account = account(&here).await;
    let search = started(&here, &account).await;
    let following = tokio::spawn({
        let (here, search) = (here.clone(), search.clone());
        async move { leads_until_done(&here, &search).await }
    });
    until(|| here.bell.listeners_of(search.id) > 0).await;
    let killed: Vec<(bool,)> = sql("select pg_terminate_backend(pid) from pg_stat_activity
         where query = 'LISTEN \"canvass_' || md5(current_schema()) || '\"'")
    .all(&there.db)
    .await
    .unwrap();
    assert_eq!(killed, [(true,)], "one connection listens");
    until(|| !here.bell.hears_others()).await;
    work::until_idle(&there).await.unwrap();
    assert_eq!(timeout(SOON, following).await.expect("its events arrive by polling").unwrap(), 5);
    until(|| here.bell.hears_others()).await;
}
