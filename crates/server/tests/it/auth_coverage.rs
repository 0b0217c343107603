//! Every route of the API document and every tool of the connector, with every kind of caller who must not get in.

use canvass::account::Account;
use canvass::keys::{self, SecretKey};
use canvass::plan::Tier;
use http::{Method, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Mcp, On, TestApp, send};

/// What an account has: one of everything that is named by an id.
struct Belongings {
    account: Account,
    search: String,
    lead: String,
    watch: String,
}

impl Belongings {
    async fn new(test: &TestApp) -> Belongings {
        let (account, key) = test.whole_account(5).await;
        let wish = json!({"industry": "plumber", "location": "Austin, TX", "requested_count": 1});
        let search = test.start(&key, wish).await;
        test.work().await;
        let lead = test.leads(&key, &search).await[0]["lead_id"].as_str().unwrap().to_owned();
        let watch = test.post("/radar/watch", &key, &json!({"lead_id": lead})).await.json();
        let watch = watch["id"].as_str().unwrap().to_owned();
        Belongings { account, search, lead, watch }
    }

    /// What a parameter or an argument of this name would have to be.
    fn named(&self, name: &str) -> Option<Value> {
        Some(match name {
            "search_id" => json!(self.search),
            "lead_id" | "id" => json!(self.lead),
            "lead_ids" => json!([self.lead]),
            "watch_id" => json!(self.watch),
            "token" => json!(self.account.id.to_string()),
            _ => return None,
        })
    }
}

/// One operation of the document.
struct Operation {
    method: Method,
    path: String,
    needs_key: bool,
    parameters: usize,
}

/// The operations, with every place in a path filled with an id of another account.
fn operations(other: &Belongings) -> Vec<Operation> {
    let filled = |part: &str| match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
        Some(name) => other.named(name).unwrap_or_else(|| panic!("what is {name}?")).as_str().unwrap().to_owned(),
        None => part.to_owned(),
    };
    let document = serde_json::to_value(server::router::document()).unwrap();
    let mut operations = Vec::new();
    // What people do with a session is tried in `person.rs`.
    let paths = document["paths"].as_object().unwrap().iter().filter(|(path, _)| !path.starts_with("/account"));
    for (path, item) in paths {
        let filled: Vec<String> = path.split('/').map(filled).collect();
        for (method, operation) in item.as_object().unwrap() {
            operations.push(Operation {
                method: method.to_uppercase().parse().unwrap(),
                path: filled.join("/"),
                needs_key: operation["security"].as_array().is_none(),
                parameters: path.matches('{').count(),
            });
        }
    }
    assert!(operations.iter().any(|operation| operation.path == "/me"));
    operations
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn every_route_refuses_whoever_must_not_get_in(#[case] on: On) {
    let test = TestApp::new(on).await;
    let other = Belongings::new(&test).await;
    let (account, revoked) = test.account(Tier::Scale, 5).await;
    keys::revoke(&test.app, keys::list(&test.app.db, account.id).await.unwrap()[0].id).await.unwrap();
    let (_, free) = test.account(Tier::Free, 5).await;
    let (_, working) = test.whole_account(5).await;
    let stranger = SecretKey::generate(&canvass::ids::SystemIds);

    for operation in operations(&other) {
        let Operation { method, path, needs_key, parameters } = operation;
        let said = format!("{method} {path}");
        let ask = |key: &str| send(test.request(method.clone(), &path).header("X-API-Key", key));
        let without = send(test.request(method.clone(), &path)).await;
        if !needs_key {
            // What is named in an open path opens by itself, and an id opens nothing.
            let expected = if parameters > 0 { StatusCode::NOT_FOUND } else { StatusCode::OK };
            assert_eq!(without.status, expected, "{said}");
            continue;
        }
        assert_eq!((without.status, without.code().as_str()), (StatusCode::UNAUTHORIZED, "missing_key"), "{said}");
        for wrong in [stranger.reveal(), revoked.as_str(), "nonsense"] {
            assert_eq!(ask(wrong).await.status, StatusCode::UNAUTHORIZED, "{said}");
            let by_query = send(test.request(method.clone(), &format!("{path}?api_key={wrong}"))).await;
            assert_eq!(by_query.status, StatusCode::UNAUTHORIZED, "{said}");
        }
        let expected = if path == "/me" { StatusCode::OK } else { StatusCode::FORBIDDEN };
        assert_eq!(ask(&free).await.status, expected, "{said}");
        if parameters > 0 {
            assert_eq!(ask(&working).await.status, StatusCode::NOT_FOUND, "{said}");
        }
    }
}

#[tokio::test]
async fn every_route_names_a_parameter_it_does_not_know() {
    let test = TestApp::new(On::Sqlite).await;
    let other = Belongings::new(&test).await;
    let (_, key) = test.whole_account(5).await;
    for Operation { method, path, .. } in operations(&other) {
        let answer = send(test.request(method.clone(), &format!("{path}?zzzz=1")).header("X-API-Key", &key)).await;
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (StatusCode::UNPROCESSABLE_ENTITY, "invalid_fields"),
            "{path}"
        );
        let errors = answer.json()["errors"].clone();
        assert!(errors.as_array().unwrap().iter().any(|error| error["field"] == "zzzz"), "{path}: {errors}");
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn every_tool_and_file_of_the_connector_treats_another_accounts_ids_as_unknown(#[case] on: On) {
    let test = TestApp::new(on).await;
    let other = Belongings::new(&test).await;
    let (_, key) = test.whole_account(5).await;
    let mcp = Mcp::new(&test, &key);
    let mut tried = 0;
    for tool in mcp.tools().await {
        let name = tool["name"].as_str().unwrap();
        let arguments: serde_json::Map<String, Value> = tool["inputSchema"]["properties"]
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(argument, _)| Some((argument.clone(), other.named(argument)?)))
            .collect();
        if arguments.is_empty() {
            continue;
        }
        let said = mcp.fail(name, Value::Object(arguments)).await;
        assert!(said.starts_with("there is no such"), "{name}: {said}");
        tried += 1;
    }
    assert!(tried >= 9, "only {tried} tools take an id");
    let file = format!("canvass://searches/{}/all.csv", other.search);
    let read = mcp.answer("resources/read", json!({"uri": file})).await;
    assert!(read["error"]["message"].as_str().unwrap().starts_with("there is no such search"), "{read}");
}
