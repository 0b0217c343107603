//! The API document: in step with the code, and served.

use canvass::plan::Tier;
use http::StatusCode;

use crate::support::{On, TestApp};

#[test]
fn the_committed_document_is_what_the_code_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../openapi.json");
    let now = server::api::router::document().to_pretty_json().unwrap() + "\n";
    #[expect(clippy::disallowed_methods, reason = "a wish of whoever runs the test; no setting of Canvass")]
    if std::env::var("UPDATE").is_ok() {
        std::fs::write(path, &now).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(committed == now, "openapi.json is out of step: run `UPDATE=1 make unit` and look at what changed");
}

#[tokio::test]
async fn the_document_is_served_to_anyone() {
    let test = TestApp::new(On::Sqlite).await;
    let (_, key) = test.account(Tier::Free, 1).await;
    let answer = test.get("/openapi.json", &key).await;
    assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, "application/json"));
    let document = answer.json();
    assert_eq!(document["openapi"], "3.1.0");
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let said = format!("{method} {path}");
            assert!(operation["summary"].is_string() && operation["description"].is_string(), "{said}");
            assert!(operation["operationId"].is_string() && operation["tags"].is_array(), "{said}");
            assert!(operation["responses"]["422"].is_object() && operation["responses"]["500"].is_object(), "{said}");
        }
    }
}
