//! Every route of the API document, with every kind of caller who must not get in.

use canvass::keys::{self, SecretKey};
use canvass::plan::Tier;
use http::{Method, StatusCode};
use rstest::rstest;

use crate::support::{On, TestApp, send};

/// One operation of the document.
struct Operation {
    method: Method,
    path: String,
    needs_key: bool,
    parameters: usize,
}

/// The operations, with every place in a path filled with an id of somebody else.
fn operations(other_id: &str) -> Vec<Operation> {
    let document = serde_json::to_value(server::router::document()).unwrap();
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        let filled: Vec<&str> =
            path.split('/').map(|part| if part.starts_with('{') { other_id } else { part }).collect();
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
    let (account, revoked) = test.account(Tier::Scale, 5).await;
    keys::revoke(&test.app.db, keys::list(&test.app.db, account.id).await.unwrap()[0].id, test.app.clock.now())
        .await
        .unwrap();
    let (_, free) = test.account(Tier::Free, 5).await;
    let (_, working) = test.whole_account(5).await;
    let stranger = SecretKey::generate(&canvass::ids::SystemIds);

    for operation in operations(&account.id.to_string()) {
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
    let (account, key) = test.whole_account(5).await;
    for Operation { method, path, .. } in operations(&account.id.to_string()) {
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
