//! The e-mail at the end of a search: told once, whatever happens to processes and mail servers.

use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use canvass::App;
use canvass::config::{Secret, Settings};
use canvass::ids::SearchId;
use canvass::listing::{Source, SourceError};
use canvass::notify::{self, MailState};
use http::StatusCode;
use rstest::rstest;
use serde_json::{Value, json};
use tracing_subscriber::fmt::MakeWriter;

use crate::support::{Binary, More, On, PASSWORD, Scripted, SmtpServer, TestApp, client, send};

/// The e-mails in the outbox folder, by file name.
pub fn letters(data: &Path) -> Vec<(String, String)> {
    let Ok(entries) = std::fs::read_dir(data.join(notify::OUTBOX_FOLDER)) else { return Vec::new() };
    let mut found: Vec<(String, String)> = entries
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read_to_string(path).unwrap()))
        .collect();
    found.sort();
    found
}

/// A search with these fields that wants its end told, not worked on yet.
async fn begin(test: &TestApp, key: &str, location: &str) -> (String, SearchId) {
    let body = json!({"industry": "plumber", "location": location, "requested_count": 5, "notify": true});
    let id = test.start(key, body).await;
    (id.clone(), SearchId::parse(&id).unwrap())
}

/// A test that sends by this mail server.
async fn sending(on: On, url: String, certificate: Option<&Path>) -> TestApp {
    let change = |settings: &mut Settings| {
        settings.smtp_url = Some(Secret::new(url));
        settings.smtp_ca = certificate.map(Path::to_owned);
    };
    TestApp::build(on, change, More::default(), Some(Arc::new(Scripted::of(5)))).await
}

async fn listed(on: On, listings: Arc<dyn Source>) -> (TestApp, String) {
    let test = TestApp::listing(on, listings).await;
    let (_, key) = test.whole_account(100).await;
    (test, key)
}

pub async fn state(app: &App, search: SearchId) -> Option<(MailState, i64)> {
    notify::find(&app.db, search).await.unwrap().map(|posted| (posted.state, posted.tries))
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn the_end_of_a_search_is_told_once(#[case] on: On) {
    let (test, key) = listed(on, Arc::new(Scripted::of(9))).await;
    let silent = test.start(&key, json!({"industry": "plumber", "location": "Plainville, Sandbox"})).await;
    let (id, search) = begin(&test, &key, "München & <>").await;
    assert_eq!(state(&test.app, search).await, None, "it has not ended");
    test.work().await;
    test.work().await;
    let letters = letters(&test.app.settings.data);
    assert_eq!(letters.len(), 1, "{letters:?}");
    assert_eq!(letters[0].0, format!("{id}.eml"));
    // Long lines are folded on their way.
    let text = letters[0].1.replace("=\r\n", "");
    for part in [
        format!("Message-ID: <{id}@localhost>"),
        "From: Canvass <canvass@localhost>".into(),
        "To: scale-0@example.com".into(),
        "Leads: 5 of at most 5".into(),
        format!("/app/search/{id}"),
        "Content-Type: text/html".into(),
        "Content-Type: text/plain".into(),
    ] {
        assert!(text.contains(&part), "{part:?} in {text}");
    }
    assert_eq!(state(&test.app, search).await, Some((MailState::Sent, 1)));
    assert_eq!(state(&test.app, SearchId::parse(&silent).unwrap()).await, None, "nobody asked");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_stopped_and_a_failed_search_are_told_too(#[case] on: On) {
    let trouble = SourceError::permanent("<i>no</i> such region");
    let (test, key) = listed(on, Arc::new(Scripted::of(9).failing(9, 2, trouble))).await;
    let (stopped, _) = begin(&test, &key, "Austin, TX").await;
    for _ in 0..2 {
        let answer = test.post(&format!("/searches/{stopped}/stop"), &key, &Value::Null).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    }
    let (failed, _) = begin(&test, &key, "Dallas, TX").await;
    test.work().await;
    let letters = letters(&test.app.settings.data);
    let names: Vec<&str> = letters.iter().map(|(name, _)| name.as_str()).collect();
    let mut expected = [format!("{stopped}.eml"), format!("{failed}.eml")];
    expected.sort();
    assert_eq!(names, expected);
    let of = |id: &str| &letters.iter().find(|(name, _)| name.starts_with(id)).unwrap().1;
    assert!(
        of(&stopped).contains("Subject: Your search for plumber in Austin, TX was stopped: 0 leads"),
        "{letters:?}"
    );
    assert!(of(&failed).contains("Subject: Your search for plumber in Dallas, TX failed: 2 leads"), "{letters:?}");
    assert!(of(&failed).contains("&lt;i&gt;no&lt;/i&gt; such region"), "{letters:?}");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_mail_server_gets_it_encrypted_and_signed_in(#[case] on: On) {
    let server = SmtpServer::secure(&["--password", PASSWORD]);
    let url = format!("smtp://ann%40example.com:p%40ss+word@127.0.0.1:{}", server.port);
    let test = sending(on, url, Some(&server.certificate())).await;
    let (account, key) = test.whole_account(100).await;
    let (id, search) = begin(&test, &key, "Plainville, Sandbox").await;
    test.work().await;
    assert_eq!(state(&test.app, search).await, Some((MailState::Sent, 1)));
    let received = server.stop();
    assert_eq!(received.len(), 1, "{received:?}");
    let message = &received[0];
    assert_eq!(message["to"], json!([account.email.as_str()]));
    assert_eq!((&message["encrypted"], &message["signed_in"]), (&json!(true), &json!(true)));
    assert_eq!(message["sender"], "canvass@localhost");
    assert!(message["content"].as_str().unwrap().contains(&format!("Message-ID: <{id}@localhost>")), "{message}");
    assert!(letters(&test.app.settings.data).is_empty(), "the folder is for those without a mail server");
}

#[tokio::test]
async fn without_a_password_a_server_without_encryption_will_do() {
    let server = SmtpServer::open(&[]);
    let test = sending(On::Sqlite, format!("smtp://127.0.0.1:{}", server.port), None).await;
    let (_, key) = test.whole_account(100).await;
    begin(&test, &key, "Plainville, Sandbox").await;
    test.work().await;
    let received = server.stop();
    assert_eq!((received.len(), &received[0]["encrypted"]), (1, &json!(false)));
}

#[tokio::test]
async fn nothing_is_said_to_a_server_that_cannot_be_trusted() {
    let stranger = SmtpServer::secure(&[]);
    let open = SmtpServer::open(&["--password", PASSWORD]);
    let urls = [
        format!("smtp://127.0.0.1:{}", stranger.port),
        format!("smtp://ann%40example.com:p%40ss+word@127.0.0.1:{}", open.port),
        format!("smtps://127.0.0.1:{}", open.port),
    ];
    for url in urls {
        let test = sending(On::Sqlite, url.clone(), None).await;
        let (_, key) = test.whole_account(100).await;
        let (_, search) = begin(&test, &key, "Plainville, Sandbox").await;
        test.work().await;
        assert_eq!(state(&test.app, search).await, Some((MailState::Waiting, 1)), "{url}");
    }
    assert_eq!((stranger.stop(), open.stop()), (vec![], vec![]));
}

/// Keeps what is logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Log;

    fn make_writer(&'a self) -> Log {
        self.clone()
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_server_that_refuses_is_asked_again_and_then_given_up(#[case] on: On) {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_writer(log.clone()).with_ansi(false).finish();
    let _logged = tracing::subscriber::set_default(subscriber);
    let server = SmtpServer::secure(&["--refuse"]);
    let test = sending(on, format!("smtp://127.0.0.1:{}", server.port), Some(&server.certificate())).await;
    let (account, key) = test.whole_account(100).await;
    let (id, search) = begin(&test, &key, "Plainville, Sandbox").await;
    let mut tries = 0;
    loop {
        test.work().await;
        let Some(posted) = notify::find(&test.app.db, search).await.unwrap() else { panic!("it is in the outbox") };
        tries += 1;
        assert_eq!(posted.tries, tries, "nothing is tried before it is due");
        if posted.state != MailState::Waiting {
            break;
        }
        let wait = (posted.try_at.micros() - test.app.clock.now().micros()) / 1_000_000;
        assert!(wait > 0, "{posted:?}");
        test.clock.advance_seconds(wait);
    }
    assert_eq!(state(&test.app, search).await, Some((MailState::GivenUp, notify::TRIES_MAX)));
    test.clock.advance_seconds(1_000_000);
    test.work().await;
    assert_eq!(server.stop().len() as i64, notify::TRIES_MAX, "given up is given up");
    assert_eq!(test.search(&key, &id).await["status"], "done", "the search is none the worse");
    let logged = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert_eq!(logged.matches("gave up an e-mail: the mail server refused it with 550").count(), 1, "{logged}");
    assert!(logged.contains(&id) && !logged.contains(account.email.as_str()) && !logged.contains('@'), "{logged}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_link_leads_to_the_port_the_server_really_has() {
    let binary = Binary::new();
    let served = binary.serve();
    let (base, key) = (served.base().to_owned(), served.key().to_owned());
    assert!(!base.ends_with(":0"), "{base}");
    let http = client();
    let body = json!({"industry": "plumber", "location": "Crowdville, Sandbox", "requested_count": 2, "notify": true});
    let started = send(http.post(format!("{base}/search/start")).header("X-API-Key", &key).json(&body)).await.json();
    let id = started["search_id"].as_str().unwrap().to_owned();
    let letter = binary.data().join(notify::OUTBOX_FOLDER).join(format!("{id}.eml"));
    while !letter.exists() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let text = std::fs::read_to_string(letter).unwrap().replace("=\r\n", "");
    assert!(text.contains(&format!("See the leads: {base}/app/search/{id}\r\n")), "{text}");
    // The link is a page of the app, and its end is a search of this key.
    let page = send(http.get(format!("{base}/app/search/{id}"))).await;
    assert_eq!((page.status, page.text.contains("id=\"app\"")), (StatusCode::OK, true));
    let search = send(http.get(format!("{base}/searches/{id}")).header("X-API-Key", &key)).await;
    assert_eq!(search.status, StatusCode::OK);
    assert!(served.stop().0);
}
