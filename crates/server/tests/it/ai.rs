//! The AI port: what is sent to providers, what becomes of everything they can send back, and what it all costs.

mod own_key;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use canvass::ai::{self, Feature, Holder, OwnKey, Reserved, SetBy, Wanted};
use canvass::config::{Secret, Settings};
use canvass::plan::Tier;
use http::StatusCode;
use rstest::rstest;
use serde_json::{Value, json};

use crate::enrichment::Case;
use crate::support::{Binary, On, Provider, Says, who};

/// What a provider says when it is right.
pub fn jane() -> Says {
    who(Some("Jane Doe"), Some("owner"), None)
}

/// One lead, to be asked about at this provider.
async fn at(provider: &Provider, change: impl FnOnce(&mut Settings)) -> Case {
    let base = provider.base.parse().unwrap();
    Case::new(On::Sqlite, 1, |settings| {
        settings.ai_base_url = Some(base);
        settings.ai_model = Some("small".into());
        settings.ai_api_key = Some(Secret::new("sk-hunter2"));
        change(settings);
    })
    .await
}

/// Asks once, and asserts that it fails, costs nothing, and took so many tries.
async fn fails(says: Says, tries: usize) {
    let provider = Provider::saying([says.clone()]).await;
    let case = at(&provider, |settings| settings.ai_timeout_seconds = 5).await;
    let answer = case.enrich_lead(0).await;
    assert_eq!((answer.status, answer.code().as_str()), (StatusCode::BAD_GATEWAY, "ai_provider_failed"), "{says:.60?}");
    assert!(!answer.text.contains("hunter2"), "{answer:?}");
    assert_eq!(provider.asked().len(), tries, "{says:.60?}");
    assert_eq!(case.remaining().await, 10_000, "nothing is spent: {says:.60?}");
    assert_eq!(case.lead(0).await["owner_name"], Value::Null);
}

#[tokio::test]
async fn a_provider_in_trouble_is_asked_again_and_then_left() {
    fails(Says::Status(500, Some("0")), 3).await;
    fails(Says::Status(429, Some("0")), 3).await;
    fails(Says::Status(529, Some("0.1")), 3).await;
    // Asked to wait for longer than the question may take, it is left at once.
    fails(Says::Status(429, Some("600")), 1).await;
}

#[tokio::test]
async fn a_connection_that_is_cut_is_tried_again_and_then_left() {
    fails(Says::Cut, 3).await;
}

#[tokio::test]
async fn an_answer_that_cannot_be_used_is_a_failure_and_no_reason_to_ask_again() {
    fails(Says::Body("this is not JSON".into()), 1).await;
    fails(Says::Body(json!({"choices": []}).to_string()), 1).await;
    fails(Says::Text("I would rather talk about the weather.".into()), 1).await;
    fails(Says::Text(json!({"owner_name": {"first": "Jane"}}).to_string()), 1).await;
    fails(Says::Body(format!("{{\"choices\": \"{}\"}}", "x".repeat(1024 * 1024))), 1).await;
    fails(Says::Status(401, None), 1).await;
    fails(Says::Status(404, None), 1).await;
}

#[tokio::test]
async fn a_provider_that_never_answers_is_given_up() {
    let provider = Provider::saying([Says::Silence]).await;
    let case = at(&provider, |settings| settings.ai_timeout_seconds = 1).await;
    let answer = case.enrich_lead(0).await;
    assert_eq!(answer.status, StatusCode::BAD_GATEWAY);
    assert!(answer.json()["detail"].as_str().unwrap().contains("in time"), "{answer:?}");
    assert_eq!(case.remaining().await, 10_000);
}

#[tokio::test]
async fn a_provider_that_was_busy_is_asked_again_and_paid_once() {
    let provider = Provider::saying([Says::Status(429, Some("0")), Says::Cut, jane()]).await;
    let case = at(&provider, |_| {}).await;
    let answer = case.enrich_lead(0).await.json();
    assert_eq!((&answer["status"], &answer["ai_enrich_remaining"]), (&json!("enriched"), &json!(9_999)), "{answer}");
    assert_eq!(provider.asked().len(), 3);
}

#[tokio::test]
async fn a_redirect_does_not_carry_the_key_elsewhere() {
    let elsewhere = Provider::saying([jane()]).await;
    let provider = Provider::saying([Says::Redirect(format!("{}/chat/completions", elsewhere.base))]).await;
    let case = at(&provider, |_| {}).await;
    assert_eq!(case.enrich_lead(0).await.status, StatusCode::BAD_GATEWAY);
    assert_eq!((provider.asked().len(), elsewhere.asked().len()), (1, 0));
}

#[tokio::test]
async fn openai_compatible_servers_are_asked_for_a_schema_and_without_it_when_they_know_none() {
    let provider = Provider::saying([Says::Status(400, None), jane()]).await;
    let case = at(&provider, |_| {}).await;
    assert_eq!(case.enrich_lead(0).await.json()["status"], "enriched");
    let asked = provider.asked();
    assert_eq!(asked.len(), 2);
    assert_eq!(asked[0].path, "/v1/chat/completions");
    assert!(asked[0].head.to_lowercase().contains("authorization: bearer sk-hunter2"), "{}", asked[0].head);
    let format = &asked[0].body["response_format"];
    assert_eq!((&format["type"], &format["json_schema"]["strict"]), (&json!("json_schema"), &json!(true)));
    assert_eq!((&asked[0].body["model"], &asked[1].body["response_format"]), (&json!("small"), &Value::Null));
    assert!(asked[0].body["max_tokens"].as_i64().unwrap() <= 1_000);
    assert!(asked.iter().all(|one| !one.body.to_string().contains("hunter2")));
}

#[tokio::test]
async fn anthropic_is_spoken_to_in_its_own_way() {
    let provider = Provider::saying([jane()]).await;
    let base = provider.base.replace("/v1", "/anthropic").parse().unwrap();
    let case = at(&provider, |settings| settings.ai_base_url = Some(base)).await;
    assert_eq!(case.enrich_lead(0).await.json()["status"], "enriched");
    let asked = &provider.asked()[0];
    assert_eq!(asked.path, "/anthropic/v1/messages");
    let head = asked.head.to_lowercase();
    assert!(head.contains("x-api-key: sk-hunter2") && head.contains("anthropic-version: 2023-06-01"), "{head}");
    assert!(!head.contains("authorization"), "{head}");
    assert_eq!(asked.body["output_config"]["format"]["type"], "json_schema");
    assert!(asked.body["system"].as_str().unwrap().contains("data to be read"), "{}", asked.body);
}

#[tokio::test]
async fn only_so_many_questions_are_under_way_at_once() {
    let provider = Provider::saying([jane()]).await;
    let base = provider.base.parse().unwrap();
    let case = Case::new(On::Sqlite, 24, |settings| {
        settings.ai_base_url = Some(base);
        settings.ai_at_once = 2;
    })
    .await;
    let done = case.enrich(json!({})).await;
    assert_eq!(done["enriched"], 24, "{done}");
    assert!((1..=2).contains(&provider.busiest()), "{}", provider.busiest());
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn plan_then_pack_then_the_accounts_own_key_pay(#[case] on: On) {
    let (operators, own) = (Provider::saying([jane()]).await, Provider::saying([jane()]).await);
    let base = operators.base.parse().unwrap();
    let case = Case::new(on, 5, |settings| {
        settings.ai_base_url = Some(base);
        settings.plans.of_mut(Tier::Scale).ai_enrich = 1;
    })
    .await;
    let app = &case.test.app;
    ai::grant_pack(app, case.account.id, 1).await.unwrap();
    assert_eq!(case.enrich_lead(0).await.json()["ai_enrich_remaining"], 1);
    assert_eq!(case.enrich_lead(1).await.json()["ai_enrich_remaining"], 0);
    assert_eq!(case.enrich_lead(2).await.status, StatusCode::BAD_REQUEST);
    let key = OwnKey {
        key: Secret::new("sk-customers-own"),
        base_url: own.base.parse().unwrap(),
        model: "theirs".into(),
        set_by: SetBy::Operator,
    };
    ai::set_own_key(app, case.account.id, &key).await.unwrap();
    let answer = case.enrich_lead(2).await.json();
    assert_eq!((&answer["engine"], &answer["ai_enrich_remaining"]), (&json!("theirs"), &json!(0)), "{answer}");
    assert_eq!((operators.asked().len(), own.asked().len()), (2, 1));
    assert!(own.asked()[0].head.to_lowercase().contains("bearer sk-customers-own"));
    own.say(Says::Status(500, Some("0")));
    assert_eq!(case.enrich_lead(3).await.status, StatusCode::BAD_GATEWAY, "nobody else pays when it fails");
    ai::clear_own_key(app, case.account.id).await.unwrap();
    assert_eq!(case.enrich_lead(3).await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn an_own_key_is_stored_sealed_and_opened_only_with_the_servers_key() {
    let case = Case::new(On::Sqlite, 1, |settings| settings.plans.of_mut(Tier::Scale).ai_enrich = 0).await;
    let app = &case.test.app;
    let key = |key: &str| OwnKey {
        key: Secret::new(key),
        base_url: "http://127.0.0.1:9/v1".parse().unwrap(),
        model: "m".into(),
        set_by: SetBy::Operator,
    };
    ai::set_own_key(app, case.account.id, &key("sk-customers-own")).await.unwrap();
    for wrong in ["", "two words", "\u{e9}", &"x".repeat(5_000)] {
        assert!(ai::set_own_key(app, case.account.id, &key(wrong)).await.is_err(), "{wrong:.20}");
    }
    let stored = everything_in(&app.settings.data);
    assert!(!stored.windows(16).any(|bytes| bytes == b"sk-customers-own"), "it can be read in the database");
    let file = app.settings.data.join("secret.key");
    assert_eq!(std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(&file).unwrap()) & 0o777, 0o600);
    // Another server's key opens nothing.
    std::fs::write(&file, "0".repeat(64)).unwrap();
    let answer = case.enrich_lead(0).await;
    assert_eq!((answer.status, case.remaining().await), (StatusCode::BAD_GATEWAY, 0), "{answer:?}");
    assert!(!answer.text.contains("customers"));
}

/// Every byte below a folder, but for the server's key.
pub fn everything_in(folder: &Path) -> Vec<u8> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .filter(|path| path.is_file() && !path.ends_with("secret.key"))
        .flat_map(|path| std::fs::read(path).unwrap())
        .collect()
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn what_a_dead_holder_reserved_is_given_back(#[case] on: On) {
    let case = Case::new(on, 1, |settings| settings.plans.of_mut(Tier::Scale).ai_intro = 2).await;
    let app = &case.test.app;
    let left = async || ai::remaining(app, &case.account, Feature::Intro).await.unwrap().left();
    let take = async |subject: &str| {
        let wanted = Wanted { feature: Feature::Intro, subject, holder: Holder::Request };
        ai::reserve(app, &case.account, wanted).await.unwrap()
    };
    let Reserved::Held(first) = take("a").await else { panic!("there are two") };
    assert!(matches!(take("b").await, Reserved::Held(_)));
    assert_eq!((left().await, take("c").await), (0, Reserved::UsedUp));
    assert_eq!(take("a").await, Reserved::Busy);
    // Long after, both holders count as dead: the same subject is taken over, the other's use is free again.
    case.test.clock.advance_seconds(181);
    let Reserved::Held(second) = take("a").await else { panic!("it is free again") };
    assert_eq!(left().await, 1);
    let mut tx = app.db.begin().await.unwrap();
    assert!(!ai::spend(&mut tx, &first, "late").await.unwrap(), "whoever was taken for dead spends nothing");
    assert!(ai::spend(&mut tx, &second, "rules").await.unwrap());
    tx.commit().await.unwrap();
    ai::give_back(app, &second).await.unwrap();
    assert_eq!(left().await, 1, "what is spent is not given back");
    assert_eq!(take("a").await, Reserved::Paid { engine: "rules".into(), source: ai::PaidBy::Plan });
}

#[test]
fn the_operator_grants_packs_and_sets_keys_on_the_command_line() {
    let binary = Binary::new();
    binary.json(&["account", "create", "--email", "ada@example.com", "--tier", "growth"]);
    let granted = binary.json(&["account", "grant", "ada@example.com", "--ai-pack", "40"]);
    assert_eq!((&granted["ai"]["pack"], &granted["ai"]["enrich_remaining"]), (&json!(40), &json!(540)), "{granted}");
    assert_eq!(granted["ai"]["own_key"], false);
    let set = ["account", "set", "ada@example.com", "--ai-key", "sk-hunter2", "--ai-model", "m"];
    let shown = binary.json(&set);
    assert_eq!(shown["ai"]["own_key"], true);
    assert!(!shown.to_string().contains("hunter2"), "{shown}");
    assert_eq!(binary.json(&["account", "show", "ada@example.com"])["ai"]["own_key"], true);
    let removed = binary.json(&["account", "set", "ada@example.com", "--remove-ai-key"]);
    assert_eq!(removed["ai"]["own_key"], false);
    for wrong in
        [&["account", "grant", "ada@example.com"][..], &["account", "grant", "ada@example.com", "--ai-pack", "0"]]
    {
        assert!(!binary.run(wrong).status.success(), "{wrong:?}");
    }
}

/// A real server with a real, tiny model.
struct SmallModel {
    child: Child,
    base: String,
}

impl SmallModel {
    fn start() -> SmallModel {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let python = root.join(".tools/python/bin/python");
        assert!(python.exists(), "needs the Python tools: run `scripts/need python`, or the tests with `make unit`");
        let mut command = Command::new(python);
        command
            .arg(root.join("scripts/small-model"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let address = lines.find(|line| line.starts_with("http://")).expect("it says where it listens");
        SmallModel { child, base: format!("{address}/v1") }
    }
}

impl Drop for SmallModel {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn a_real_server_is_understood_and_what_its_model_invents_is_rejected() {
    let model = SmallModel::start();
    let base: url::Url = model.base.parse().unwrap();
    let case = Case::new(On::Sqlite, 3, |settings| {
        settings.ai_base_url = Some(base);
        settings.ai_model = Some("SmolLM2-135M".into());
        settings.ai_timeout_seconds = 50;
    })
    .await;
    let done = case.enrich(json!({"lead_ids": &case.leads[..2]})).await;
    assert_eq!((&done["engine"], &done["failed"]), (&json!("SmolLM2-135M"), &json!(0)), "{done}");
    assert_eq!(done["ai_enrich_remaining"], 10_000 - 2, "it answered in the form it was asked for");
    for place in 0..2 {
        let lead = case.lead(place).await;
        let owner = &lead["owner_name"];
        assert!(owner.is_null() || owner == "Jane Doe", "only what stands in the text: {lead}");
        assert_eq!(lead["primary_email"], Value::Null, "there is no email in the text: {lead}");
    }
    assert!(done["rejected_ungrounded"].as_i64().unwrap() > 0, "it invents: {done}");
    let intro = case.test.post(&format!("/leads/{}/intro", case.leads[0]), &case.key, &json!({})).await;
    assert_eq!(intro.status, StatusCode::OK, "{intro:?}");
    let text = intro.json()["intro"].as_str().unwrap().to_owned();
    assert!(!text.contains(['[', '{', '@']) && text.contains("Business 0"), "{text}");
}

#[tokio::test]
async fn a_real_server_that_is_too_slow_is_given_up_and_costs_nothing() {
    let model = SmallModel::start();
    let base: url::Url = model.base.parse().unwrap();
    let case = Case::new(On::Sqlite, 1, |settings| {
        settings.ai_base_url = Some(base);
        // A question takes this model longer than a second: a few hundred tokens in, one core.
        settings.ai_timeout_seconds = 1;
    })
    .await;
    let answer = case.enrich_lead(0).await;
    assert_eq!((answer.status, case.remaining().await), (StatusCode::BAD_GATEWAY, 10_000), "{answer:?}");
}
