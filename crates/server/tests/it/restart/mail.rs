//! The e-mail at the end of a search, when whoever sends it dies: at every step, behind the mail server's yes, or often.

use std::collections::BTreeMap;
use std::time::Duration;

use canvass::App;
use canvass::app::Ports;
use canvass::config::{Secret, Settings};
use canvass::ids::SearchId;
use canvass::notify::MailState;
use canvass::steps::Step;
use canvass::work;
use rstest::rstest;
use rustix::process::Signal;
use serde_json::Value;

use super::{MAIL_BY, MAIL_TRUSTING, begin, kill_at, random, signal, spawn};
use crate::notify::{letters, state};
use crate::support::{On, SmtpServer, Stored, ahead};

/// Where a sender may die, and what a mail server has got by the time the next one is done.
const DEATHS: [(Step, usize); 5] = [
    (Step::BeforeFinish, 1),
    (Step::AfterFinish, 1),
    (Step::BeforeMail, 1),
    (Step::AfterMail, 2),
    (Step::MailNoted, 2),
];

/// What is received, by its Message-ID.
fn by_id(received: &[Value]) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for message in received {
        let content = message["content"].as_str().unwrap();
        let id = content.lines().find_map(|line| line.strip_prefix("Message-ID: ")).unwrap();
        found.entry(id.to_owned()).or_default().push(content.to_owned());
    }
    found
}

/// An application that sends by this mail server, so many seconds from now.
async fn sending(stored: &Stored, server: &SmtpServer, seconds: i64) -> App {
    let settings = Settings {
        data: stored.binary.data(),
        lease_seconds: 1,
        smtp_url: Some(Secret::new(server.url())),
        smtp_ca: Some(server.certificate()),
        ..Settings::default()
    };
    App::new(stored.db().await, settings, Ports { clock: ahead(seconds), ..Ports::default() })
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn killed_at_any_step_a_sender_leaves_one_message_and_a_repeat_is_the_same_one(#[case] on: On) {
    for (step, deliveries) in DEATHS {
        let server = SmtpServer::secure(&[]);
        let stored = Stored::new(on).await;
        let (_, search) = begin(&stored.app(Ports::default()).await, "Crowdville, Sandbox", 3).await;
        let certificate = server.certificate();
        kill_at(step, &stored, &[(MAIL_BY, &server.url()), (MAIL_TRUSTING, certificate.to_str().unwrap())]);

        let later = sending(&stored, &server, 600).await;
        work::until_idle(&later).await.unwrap();
        work::until_idle(&later).await.unwrap();
        assert_eq!(state(&later, search).await.map(|(state, _)| state), Some(MailState::Sent), "{step:?}");
        let received = by_id(&server.stop());
        let ids: Vec<&str> = received.keys().map(String::as_str).collect();
        assert_eq!(ids, [format!("<{search}@localhost>")], "one Message-ID, killed at {step:?}");
        let copies = &received[ids[0]];
        assert_eq!(copies.len(), deliveries, "killed at {step:?}");
        assert!(copies.iter().all(|copy| *copy == copies[0]), "the same message, byte for byte");
        assert!(letters(&stored.binary.data()).is_empty(), "the folder is for those without a mail server");
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_again_and_again_workers_leave_one_letter(#[case] on: On) {
    let stored = Stored::new(on).await;
    let app = stored.app(Ports::default()).await;
    let (_, search) = begin(&app, "Crowdville, Sandbox", 3).await;
    for killed in 0..8 {
        let mut worker = spawn(&stored, &["work"]);
        // Each lives a little longer than the one before it: they die before, at and behind every step.
        let _ = tokio::time::timeout(Duration::from_millis(150 * killed), until_told(&app, search)).await;
        signal(&worker, Signal::KILL);
        worker.wait().unwrap();
    }
    // The last one that was killed may still hold the e-mail: whoever comes later finds its lease run out.
    work::until_idle(&stored.app(Ports { clock: ahead(600), ..Ports::default() }).await).await.unwrap();
    assert_eq!(state(&app, search).await.map(|(state, _)| state), Some(MailState::Sent));
    let letters = letters(&stored.binary.data());
    let names: Vec<&str> = letters.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, [format!("{search}.eml")]);
    assert!(letters[0].1.ends_with("--\r\n"), "it is whole: {}", letters[0].1);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_workers_that_are_killed_tell_every_end_under_its_own_id(#[case] on: On) {
    let server = SmtpServer::secure(&[]);
    let mut stored = Stored::new(on).await;
    stored.binary = stored.binary.set("CANVASS_SMTP_URL", &server.url());
    stored.binary = stored.binary.set("CANVASS_SMTP_CA", server.certificate().to_str().unwrap());
    let app = stored.app(Ports::default()).await;
    let (account, first) = begin(&app, "Crowdville, Sandbox", 2).await;
    let mut searches = vec![first];
    for _ in 1..4 {
        searches.push(super::search_of(&app, &account, "Crowdville, Sandbox", 2).await);
    }
    let mut workers: Vec<_> = (0..3).map(|_| spawn(&stored, &["work"])).collect();
    for killed in 0..6 {
        let patience = Duration::from_millis(200 + random(600));
        let _ = tokio::time::timeout(patience, until_told(&app, searches[killed % 4])).await;
        let mut worker = std::mem::replace(&mut workers[killed % 3], spawn(&stored, &["work"]));
        signal(&worker, Signal::KILL);
        worker.wait().unwrap();
    }
    for mut worker in workers {
        signal(&worker, Signal::KILL);
        worker.wait().unwrap();
    }
    work::until_idle(&sending(&stored, &server, 600).await).await.unwrap();
    let received = by_id(&server.stop());
    let mut expected: Vec<String> = searches.iter().map(|search| format!("<{search}@localhost>")).collect();
    expected.sort();
    assert_eq!(received.keys().cloned().collect::<Vec<_>>(), expected, "every end is told, under its own id");
    for copies in received.values() {
        assert!(copies.iter().all(|copy| *copy == copies[0]), "a repeat is the same message: {copies:?}");
    }
    for search in searches {
        assert_eq!(state(&app, search).await.map(|(state, _)| state), Some(MailState::Sent));
    }
}

/// Done when the e-mail about a search is sent.
async fn until_told(app: &App, search: SearchId) {
    while state(app, search).await.is_none_or(|(state, _)| state != MailState::Sent) {
        tokio::task::yield_now().await;
    }
}
