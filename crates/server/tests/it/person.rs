//! People: the ways in, sessions, passwords, keys, and what a stranger or a stolen key cannot do.

use canvass::account::Account;
use canvass::config::{Settings, SignUp};
use canvass::plan::Tier;
use canvass::sign_in;
use http::{Method, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};
use server::edge::cookie::PLAIN_COOKIE;

use crate::notify::letters;
use crate::support::{Answer, More, On, TestApp, send};

const PASSWORD: &str = "lantern crane violet dust";
const OTHER_PASSWORD: &str = "marble kettle orbit seven";

/// A browser with its cookie.
struct Browser<'a> {
    test: &'a TestApp,
    cookie: Option<String>,
    address: &'static str,
}

impl<'a> Browser<'a> {
    fn new(test: &'a TestApp) -> Browser<'a> {
        Browser { test, cookie: None, address: "203.0.113.7" }
    }

    /// Sends a request as a page of the server would, and keeps the cookie of the answer.
    async fn ask(&mut self, method: Method, path: &str, body: Value) -> Answer {
        let request = self.test.request(method, path).header("Sec-Fetch-Site", "same-origin");
        let request =
            request.header("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:149.0) Gecko/20100101 Firefox/149.0");
        let request = request.header("X-Forwarded-For", self.address);
        let request = match &self.cookie {
            Some(cookie) => request.header("Cookie", cookie),
            None => request,
        };
        let answer = send(if body.is_null() { request } else { request.json(&body) }).await;
        // What happens one after the other has times that say so.
        self.test.clock.advance_seconds(1);
        if let Some(set) = answer.headers.get("set-cookie") {
            let cookie = set.to_str().unwrap().split(';').next().unwrap();
            self.cookie = (!cookie.ends_with('=')).then(|| cookie.to_owned());
        }
        answer
    }

    async fn get(&mut self, path: &str) -> Answer {
        self.ask(Method::GET, path, Value::Null).await
    }

    async fn post(&mut self, path: &str, body: Value) -> Answer {
        self.ask(Method::POST, path, body).await
    }

    async fn put(&mut self, path: &str, body: Value) -> Answer {
        self.ask(Method::PUT, path, body).await
    }

    async fn sign_in(&mut self, email: &str, password: &str) -> Answer {
        self.post("/account/sign-in", json!({"email": email, "password": password})).await
    }

    /// Opens the link that the operator made for an account, and sets a password.
    async fn enter(test: &'a TestApp, account: &Account) -> Browser<'a> {
        let mut browser = Browser::new(test);
        let link = sign_in::link_for(&test.app, account).await.unwrap();
        let token = link.token(&test.app).unwrap().reveal().to_owned();
        assert_eq!(browser.post("/account/link", json!({"token": token})).await.status, StatusCode::OK);
        let set = browser.put("/account/password", json!({"new_password": PASSWORD})).await;
        assert_eq!(set.status, StatusCode::NO_CONTENT, "{set:?}");
        browser
    }
}

/// The token of the link in the newest letter to an address.
async fn token_in_letter(test: &TestApp, to: &str) -> String {
    test.work().await;
    let letters = letters(&test.app.settings.data);
    let (_, letter) = letters.iter().rev().find(|(_, letter)| letter.contains(&format!("To: {to}"))).expect("a letter");
    let folded = letter.replace("=\r\n", "");
    let token = folded.split("/app/welcome#").nth(1).expect("a link").split_whitespace().next().unwrap();
    token.to_owned()
}

async fn open_to_all(on: On) -> TestApp {
    TestApp::build(on, |settings: &mut Settings| settings.sign_up = SignUp::Open, More::default(), None).await
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_link_signs_in_once_and_in_time(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, _) = test.account(Tier::Free, 5).await;
    let mut browser = Browser::new(&test);
    let link = sign_in::link_for(&test.app, &account).await.unwrap();
    let token = link.token(&test.app).unwrap().reveal().to_owned();
    assert!(link.address(&test.app, &test.app.base_url()).unwrap().ends_with(&format!("/app/welcome#{token}")));

    let mut forged = token.clone();
    forged.replace_range(token.len() - 2.., if token.ends_with("00") { "11" } else { "00" });
    for wrong in ["x", "cv_link_", "cv_link_zz", &forged, &token[..40]] {
        assert_eq!(browser.post("/account/link", json!({"token": wrong})).await.code(), "unknown_link", "{wrong}");
    }
    let opened = browser.post("/account/link", json!({"token": token})).await;
    let email = account.email.as_str();
    assert_eq!(opened.json(), json!({"purpose": "sign_in", "email": email, "has_password": false}));
    assert_eq!(browser.get("/me").await.json()["email"], email);
    let again = Browser::new(&test).post("/account/link", json!({"token": token})).await;
    assert_eq!((again.status, again.code().as_str()), (StatusCode::GONE, "link_used"));

    let late = sign_in::link_for(&test.app, &account).await.unwrap().token(&test.app).unwrap().reveal().to_owned();
    test.clock.advance_seconds(15 * 60 + 1);
    let expired = Browser::new(&test).post("/account/link", json!({"token": late})).await;
    assert_eq!((expired.status, expired.code().as_str()), (StatusCode::GONE, "link_expired"));
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_password_lets_its_owner_in_and_ten_wrong_ones_slow_down_whoever_guesses(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, _) = test.account(Tier::Free, 5).await;
    let email = account.email.as_str();
    let mut owner = Browser::enter(&test, &account).await;
    assert_eq!(owner.post("/account/sign-out", Value::Null).await.status, StatusCode::NO_CONTENT);
    assert_eq!(owner.cookie, None);
    assert_eq!(owner.get("/account").await.code(), "missing_session");

    let mut guesser = Browser { address: "198.51.100.1", ..Browser::new(&test) };
    for _ in 0..10 {
        let wrong = guesser.sign_in(email, OTHER_PASSWORD).await;
        assert_eq!((wrong.status, wrong.code().as_str()), (StatusCode::UNAUTHORIZED, "wrong_credentials"));
    }
    let throttled = guesser.sign_in(email, PASSWORD).await;
    assert_eq!((throttled.status, throttled.code().as_str()), (StatusCode::TOO_MANY_REQUESTS, "throttled"));
    let wait: i64 = throttled.header("retry-after").parse().unwrap();
    assert!((1..=15 * 60).contains(&wait), "{wait}");
    let unknown = guesser.sign_in("nobody@example.com", PASSWORD).await;
    assert_eq!(unknown.code(), "wrong_credentials", "an unknown address is answered alike");

    assert_eq!(owner.sign_in(email, PASSWORD).await.status, StatusCode::NO_CONTENT, "from elsewhere its owner gets in");
    let happened = owner.get("/account/activity").await.json();
    let kinds: Vec<&str> = happened.as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds[..2], ["signed_in", "sign_in_failed"]);
    assert_eq!(kinds.iter().filter(|kind| **kind == "sign_in_failed").count(), 10);
    assert_eq!(kinds[11..], ["signed_out", "password_changed", "signed_in_by_link"]);
    test.clock.advance_seconds(wait + 1);
    assert_eq!(guesser.sign_in(email, PASSWORD).await.status, StatusCode::NO_CONTENT, "after the wait");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn whoever_reads_mail_at_an_address_can_sign_up_and_no_answer_says_who_has(#[case] on: On) {
    let test = open_to_all(on).await;
    let mut ada = Browser::new(&test);
    let wish = json!({"email": "Ada@Example.com ", "password": PASSWORD});
    assert_eq!(ada.post("/account/sign-up", wish.clone()).await.status, StatusCode::ACCEPTED);
    assert_eq!(ada.sign_in("ada@example.com", PASSWORD).await.code(), "wrong_credentials", "not before the link");
    let token = token_in_letter(&test, "ada@example.com").await;
    let opened = ada.post("/account/link", json!({"token": token})).await.json();
    assert_eq!(opened, json!({"purpose": "sign_up", "email": "ada@example.com", "has_password": true}));
    let profile = ada.get("/account").await.json();
    assert_eq!((&profile["tier"], &profile["has_password"]), (&"free".into(), &true.into()));

    let again = ada.post("/account/sign-up", wish).await;
    assert_eq!((again.status, again.text.as_str()), (StatusCode::ACCEPTED, ""), "the same answer");
    let token = token_in_letter(&test, "ada@example.com").await;
    let opened = Browser::new(&test).post("/account/link", json!({"token": token})).await.json();
    assert_eq!(opened["purpose"], "sign_in", "who has an account gets a link to it");

    let weak = Browser::new(&test)
        .post("/account/sign-up", json!({"email": "bob@example.com", "password": "password123"}))
        .await;
    assert_eq!(weak.code(), "weak_password");
    let invited = TestApp::new(on).await;
    let refused = Browser::new(&invited)
        .post("/account/sign-up", json!({"email": "bob@example.com", "password": PASSWORD}))
        .await;
    assert_eq!(refused.code(), "sign_up_closed");
    let link = sign_in::invite(&invited.app, &"bob@example.com".to_owned().try_into().unwrap()).await.unwrap().unwrap();
    let token = link.token(&invited.app).unwrap().reveal().to_owned();
    let opened = Browser::new(&invited).post("/account/link", json!({"token": token})).await.json();
    assert_eq!(opened, json!({"purpose": "sign_up", "email": "bob@example.com", "has_password": false}));
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_forgotten_password_is_replaced_by_letter_and_ends_every_other_session(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, _) = test.account(Tier::Free, 5).await;
    let email = account.email.as_str();
    let mut laptop = Browser::enter(&test, &account).await;
    let refused = laptop.put("/account/password", json!({"new_password": OTHER_PASSWORD})).await;
    assert_eq!(refused.code(), "wrong_password", "the link's time is over once a password was set");

    let mut phone = Browser::new(&test);
    for address in [email, "nobody@example.com"] {
        assert_eq!(phone.post("/account/forgot", json!({"email": address})).await.status, StatusCode::ACCEPTED);
    }
    let token = token_in_letter(&test, email).await;
    assert_eq!(letters(&test.app.settings.data).len(), 1, "nobody gets no letter");
    assert_eq!(phone.post("/account/link", json!({"token": token})).await.json()["purpose"], "reset");
    assert_eq!(phone.get("/account").await.json()["may_set_password"], true);
    let set = phone.put("/account/password", json!({"new_password": OTHER_PASSWORD})).await;
    assert_eq!(set.status, StatusCode::NO_CONTENT);
    assert_eq!(laptop.get("/account").await.code(), "invalid_session");
    assert_eq!(laptop.sign_in(email, PASSWORD).await.code(), "wrong_credentials");
    assert_eq!(laptop.sign_in(email, OTHER_PASSWORD).await.status, StatusCode::NO_CONTENT);
    let wrong = laptop.put("/account/password", json!({"current_password": "x", "new_password": PASSWORD})).await;
    assert_eq!(wrong.code(), "wrong_password");
    let right = json!({"current_password": OTHER_PASSWORD, "new_password": PASSWORD});
    assert_eq!(laptop.put("/account/password", right).await.status, StatusCode::NO_CONTENT);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn an_account_gets_another_address_once_somebody_reads_mail_there(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, _) = test.account(Tier::Free, 5).await;
    let mut browser = Browser::enter(&test, &account).await;
    let wrong = browser.put("/account/email", json!({"email": "new@example.com", "password": OTHER_PASSWORD})).await;
    assert_eq!(wrong.code(), "wrong_password");
    let asked = browser.put("/account/email", json!({"email": "new@example.com", "password": PASSWORD})).await;
    assert_eq!(asked.status, StatusCode::ACCEPTED);
    assert_eq!(browser.get("/me").await.json()["email"], account.email.as_str(), "not before the link");
    let token = token_in_letter(&test, "new@example.com").await;
    assert_eq!(browser.post("/account/link", json!({"token": token})).await.json()["email"], "new@example.com");
    assert_eq!(browser.get("/account").await.json()["notification_email"], "new@example.com");
    let chosen = browser.put("/account/notification-email", json!({"email": "sales@example.com"})).await;
    assert_eq!(chosen.status, StatusCode::NO_CONTENT);
    assert_eq!(browser.get("/account").await.json()["notification_email"], "sales@example.com");
    browser.put("/account/notification-email", json!({})).await;
    assert_eq!(browser.get("/account").await.json()["notification_email"], "new@example.com");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn devices_are_listed_and_signed_out_one_by_one_or_all(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, _) = test.account(Tier::Free, 5).await;
    let (stranger, _) = test.account(Tier::Free, 5).await;
    let mut laptop = Browser::enter(&test, &account).await;
    test.clock.advance_seconds(120);
    let mut phone = Browser::new(&test);
    phone.sign_in(account.email.as_str(), PASSWORD).await;
    let devices = phone.get("/account/devices").await.json();
    let current: Vec<bool> =
        devices.as_array().unwrap().iter().map(|device| device["is_current"].as_bool().unwrap()).collect();
    assert_eq!((current, &devices[0]["device"]), (vec![true, false], &"Firefox on Linux".into()));
    let other = format!("/account/devices/{}", devices[1]["id"].as_str().unwrap());
    let mut strangers = Browser::enter(&test, &stranger).await;
    for id in [other.as_str(), "/account/devices/x"] {
        assert_eq!(strangers.ask(Method::DELETE, id, Value::Null).await.status, StatusCode::NOT_FOUND);
    }
    assert_eq!(laptop.get("/me").await.status, StatusCode::OK);
    assert_eq!(phone.ask(Method::DELETE, &other, Value::Null).await.status, StatusCode::NO_CONTENT);
    assert_eq!(laptop.get("/me").await.code(), "invalid_session");
    laptop.sign_in(account.email.as_str(), PASSWORD).await;
    let all = phone.post("/account/sign-out-everywhere", Value::Null).await;
    assert_eq!((all.json(), phone.cookie.is_none()), (json!({"ended": 2}), true));
    assert_eq!(laptop.get("/me").await.code(), "invalid_session");
    assert_eq!(strangers.get("/me").await.status, StatusCode::OK);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_session_ends_when_it_is_not_used(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, _) = test.account(Tier::Free, 5).await;
    let mut browser = Browser::enter(&test, &account).await;
    for _ in 0..2 {
        test.clock.advance_seconds(29 * 24 * 60 * 60);
        assert_eq!(browser.get("/me").await.status, StatusCode::OK, "every use counts");
    }
    test.clock.advance_seconds(30 * 24 * 60 * 60 + 1);
    assert_eq!(browser.get("/me").await.code(), "invalid_session");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn keys_are_made_used_and_revoked_by_their_owner_alone(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, _) = test.account(Tier::Growth, 5).await;
    let (stranger, _) = test.account(Tier::Growth, 5).await;
    let mut browser = Browser::enter(&test, &account).await;
    let made = browser.post("/account/keys", json!({"name": "laptop"})).await;
    assert_eq!(made.status, StatusCode::CREATED, "{made:?}");
    let (key, id) = (made.json()["key"].as_str().unwrap().to_owned(), made.json()["id"].as_str().unwrap().to_owned());
    let listed = async |browser: &mut Browser<'_>| {
        let keys = browser.get("/account/keys").await;
        assert!(!keys.text.contains(&key), "it is shown once");
        keys.json().as_array().unwrap().iter().find(|one| one["id"] == id.as_str()).unwrap().clone()
    };
    assert_eq!(listed(&mut browser).await["last_used_at"], Value::Null);
    assert_eq!(test.get("/searches", &key).await.status, StatusCode::OK);
    assert!(listed(&mut browser).await["last_used_at"].is_string());

    let mut strangers = Browser::enter(&test, &stranger).await;
    let path = format!("/account/keys/{id}");
    assert_eq!(strangers.ask(Method::DELETE, &path, Value::Null).await.status, StatusCode::NOT_FOUND);
    assert_eq!(test.get("/me", &key).await.status, StatusCode::OK);
    for _ in 0..2 {
        assert_eq!(browser.ask(Method::DELETE, &path, Value::Null).await.status, StatusCode::NO_CONTENT);
    }
    assert_eq!(test.get("/me", &key).await.status, StatusCode::UNAUTHORIZED);
    assert!(listed(&mut browser).await["revoked_at"].is_string());

    let (free, _) = test.account(Tier::Free, 5).await;
    let refused = Browser::enter(&test, &free).await.post("/account/keys", json!({"name": "laptop"})).await;
    assert_eq!((refused.status, refused.code().as_str()), (StatusCode::FORBIDDEN, "plan_without_api"));
    let nameless = browser.post("/account/keys", json!({"name": " "})).await;
    assert_eq!(nameless.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn neither_another_site_nor_a_key_gets_at_the_account() {
    let test = open_to_all(On::Sqlite).await;
    let (account, key) = test.account(Tier::Scale, 5).await;
    let browser = Browser::enter(&test, &account).await;
    let document = serde_json::to_value(server::router::document()).unwrap();
    let mut asked = 0;
    for (path, item) in document["paths"].as_object().unwrap().iter().filter(|(path, _)| path.starts_with("/account")) {
        let filled = path.replace("{device_id}", &account.id.to_string()).replace("{key_id}", &account.id.to_string());
        for (method, operation) in item.as_object().unwrap() {
            let method: Method = method.to_uppercase().parse().unwrap();
            let is_open = operation["security"] == json!([{}]);
            let by_key = send(test.request(method.clone(), &filled).header("X-API-Key", &key)).await;
            if !is_open {
                assert_eq!(by_key.code(), "missing_session", "{method} {path}");
            }
            // What anybody may read says nothing about the person.
            if is_open && method == Method::GET {
                continue;
            }
            let foreign = test.request(method.clone(), &filled).header("Sec-Fetch-Site", "cross-site");
            let foreign = send(foreign.header("Cookie", browser.cookie.as_ref().unwrap())).await;
            assert_eq!(foreign.code(), "cross_site", "{method} {path}");
            asked += 1;
        }
    }
    assert!(asked >= 16, "{asked}");
}

#[rstest]
#[case::on_this_machine("http://127.0.0.1:8080", PLAIN_COOKIE, false)]
#[case::for_everybody("https://leads.example.com", "__Host-canvass_session", true)]
#[tokio::test]
async fn the_cookie_is_out_of_reach_of_scripts_and_of_plain_http(
    #[case] base_url: &str,
    #[case] name: &str,
    #[case] secure: bool,
) {
    let base = base_url.parse().unwrap();
    let test =
        TestApp::build(On::Sqlite, |settings: &mut Settings| settings.base_url = Some(base), More::default(), None);
    let test = test.await;
    let (account, _) = test.account(Tier::Free, 5).await;
    let link = sign_in::link_for(&test.app, &account).await.unwrap();
    let token = link.token(&test.app).unwrap().reveal().to_owned();
    let opened = Browser::new(&test).post("/account/link", json!({"token": token})).await;
    let cookie = opened.header("set-cookie");
    let parts: Vec<&str> = cookie.split("; ").collect();
    assert!(parts[0].starts_with(&format!("{name}=cv_sess_")), "{name}");
    assert_eq!(parts[1..5], ["Path=/", "Max-Age=2592000", "HttpOnly", "SameSite=Strict"]);
    assert_eq!(parts.contains(&"Secure"), secure);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn views_are_kept_for_their_owner(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.account(Tier::Growth, 5).await;
    let (other, _) = test.account(Tier::Growth, 5).await;
    let (mut browser, mut stranger) = (Browser::enter(&test, &account).await, Browser::enter(&test, &other).await);
    let path = "/account/views/No%20website";
    let settings = json!({"columns": ["name", "phone"], "filter": {"has_website": false}});
    assert_eq!(browser.put(path, json!({"settings": settings})).await.status, StatusCode::NO_CONTENT);
    assert_eq!(browser.get("/account/views").await.json(), json!([{"name": "No website", "settings": settings}]));
    assert_eq!(browser.put(path, json!({"settings": {}})).await.status, StatusCode::NO_CONTENT, "replaced");
    assert_eq!(stranger.get("/account/views").await.json(), json!([]));
    assert_eq!(stranger.ask(Method::DELETE, path, Value::Null).await.status, StatusCode::NOT_FOUND);
    assert_eq!(test.get("/account/views", &key).await.status, StatusCode::UNAUTHORIZED, "not with a key");
    let large = json!({"settings": {"x": "y".repeat(9_000)}});
    assert_eq!(browser.put(path, large).await.code(), "view_too_large");
    assert_eq!(browser.put(path, json!({"settings": 5})).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        browser.put(&format!("/account/views/{}", "x".repeat(81)), json!({"settings": {}})).await.code(),
        "invalid_name"
    );
    assert_eq!(browser.ask(Method::DELETE, path, Value::Null).await.status, StatusCode::NO_CONTENT);
    assert_eq!(browser.get("/account/views").await.json(), json!([]));
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn an_owner_takes_everything_along_and_leaves_nothing_behind(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.whole_account(50).await;
    let (other, other_key) = test.whole_account(50).await;
    let mut browser = Browser::enter(&test, &account).await;
    let start = json!({"industry": "plumber", "location": "Austin, TX", "requested_count": 5, "notify": true});
    let id = test.start(&key, start.clone()).await;
    let kept = test.start(&other_key, start).await;
    test.work().await;
    let leads = test.leads(&key, &id).await;
    let lead = leads[0]["lead_id"].as_str().unwrap();
    assert!(test.post("/radar/watch", &key, &json!({"lead_id": lead})).await.status.is_success());
    assert!(test.post("/searches/enrich", &key, &json!({"search_id": id})).await.status.as_u16() < 500);
    test.post(&format!("/leads/{lead}/intro"), &key, &json!({})).await;
    assert_eq!(browser.put(&format!("/leads/{lead}/mark"), json!({"note": "Call Ann"})).await.status, StatusCode::OK);
    browser.put("/account/views/Mine", json!({"settings": {"a": 1}})).await;
    test.work().await;

    let copy = browser.get("/account/export").await;
    assert_eq!(copy.header("content-disposition"), "attachment; filename=\"canvass-account.json\"");
    let document: Value = serde_json::from_str(&copy.text).unwrap_or_else(|error| panic!("{error}: {}", copy.text));
    assert_eq!(document["account"]["email"], account.email.as_str());
    assert_eq!(document["leads"].as_array().unwrap().len(), 5);
    assert_eq!(document["searches"][0]["search_id"], id.as_str());
    assert_eq!((&document["marks"][0]["note"], &document["views"][0]["name"]), (&json!("Call Ann"), &json!("Mine")));
    assert_eq!(document["credits"].as_array().unwrap().len(), 6, "the grant and five leads");
    assert_eq!(document["watches"][0]["lead_id"], lead);
    assert!(document["activity"].as_array().unwrap().iter().any(|one| one["kind"] == "data_exported"));
    assert!(!copy.text.contains(&key) && !copy.text.contains("argon2"), "no secrets");

    // A search that runs does not stand in the way.
    test.start(&key, json!({"industry": "plumber", "location": "Dallas, TX", "requested_count": 5})).await;
    assert_eq!(browser.ask(Method::DELETE, "/account", json!({"password": "wrong"})).await.code(), "wrong_password");
    let deleted = browser.ask(Method::DELETE, "/account", json!({"password": PASSWORD})).await;
    assert_eq!(deleted.status, StatusCode::NO_CONTENT, "{deleted:?}");
    assert!(browser.cookie.is_none(), "signed out");
    test.work().await;
    assert_eq!(test.get("/me", &key).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(Browser::new(&test).sign_in(account.email.as_str(), PASSWORD).await.code(), "wrong_credentials");
    for table in tables_of_accounts(&test).await {
        let left: (i64,) =
            canvass::db::sql(Box::leak(format!("select count(*) from {table} where account_id = $1").into_boxed_str()))
                .bind(account.id)
                .one(&test.app.db)
                .await
                .unwrap();
        assert_eq!(left.0, 0, "{table}");
    }
    let nameless = canvass::account::find(&test.app.db, account.id).await.unwrap().unwrap();
    assert!(nameless.email.as_str().ends_with("@deleted.invalid"), "{nameless:?}");
    test.ledger_in_step(&account, 5).await;
    test.clock.advance_seconds(40 * 24 * 60 * 60);
    canvass::account::refill_due(&test.app).await.unwrap();
    test.ledger_in_step(&account, 5).await;
    assert_eq!(test.leads(&other_key, &kept).await.len(), 5, "others keep theirs");
    assert!(canvass::account::find(&test.app.db, other.id).await.unwrap().is_some());
}

/// Every table with an account's id, but for those that keep the ledger of one that is gone.
async fn tables_of_accounts(test: &TestApp) -> Vec<String> {
    let found: Vec<(String,)> = match &test.app.db {
        canvass::db::Db::Sqlite { .. } => {
            canvass::db::sql("select m.name from sqlite_master m where m.type = 'table' and m.sql like '%account_id%'")
                .all(&test.app.db)
                .await
                .unwrap()
        }
        canvass::db::Db::Pg { .. } => canvass::db::sql(
            "select cast(table_name as text) from information_schema.columns
             where column_name = 'account_id' and table_schema = current_schema()",
        )
        .all(&test.app.db)
        .await
        .unwrap(),
    };
    assert!(found.len() > 15, "{found:?}");
    found
        .into_iter()
        .map(|(table,)| table)
        .filter(|table| table != "credit_entry" && table != "deleted_account")
        .collect()
}
