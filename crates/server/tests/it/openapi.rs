//! The API document: in step with the code, and served.

use canvass::plan::Tier;
use http::StatusCode;
use serde_json::{Value, json};

use crate::support::{On, TestApp};

#[test]
fn the_committed_document_is_what_the_code_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../openapi.json");
    let now = server::router::document().to_pretty_json().unwrap() + "\n";
    #[expect(clippy::disallowed_methods, reason = "a wish of whoever runs the test; no setting of Canvass")]
    if std::env::var("UPDATE").is_ok() {
        std::fs::write(path, &now).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(committed == now, "openapi.json is out of step: run `UPDATE=1 make unit` and look at what changed");
}

/// The document, parsed.
fn document() -> Value {
    serde_json::to_value(server::router::document()).unwrap()
}

/// Generators name an inline enumeration or object after its owner and its field: `Search.status` becomes `SearchStatus`. A
/// component of that name would collide with it, and one of the two would be lost.
#[test]
fn no_component_has_a_name_that_generators_derive() {
    let document = document();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let capitalised = |text: &str| {
        let mut letters = text.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    };
    for (owner, schema) in schemas {
        for (field, property) in schema["properties"].as_object().into_iter().flatten() {
            let derived = format!("{owner}{}", field.split('_').map(capitalised).collect::<String>());
            let inline = property.get("enum").is_some() || property.get("properties").is_some();
            assert!(
                !inline || !schemas.contains_key(&derived),
                "{owner}.{field} collides with the component {derived}"
            );
        }
    }
}

#[test]
fn what_a_request_holds_is_described_as_it_is_read() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    for name in ["SearchRequest", "Filters", "WatchRequest", "EnrichRequest", "AiKeyRequest"] {
        let schema = &schemas[name];
        assert_eq!(schema["additionalProperties"], json!(false), "{name}: an unknown field is refused");
        let required: Vec<&Value> = schema["required"].as_array().into_iter().flatten().collect();
        for (field, property) in schema["properties"].as_object().unwrap() {
            let at = format!("{name}.{field}");
            // openapi-typescript takes a field with a default for one that is always there.
            assert!(property.get("default").is_none(), "{at}: say the default in the description");
            let null = json!("null");
            let nullable = property["type"].as_array().is_some_and(|types| types.contains(&null))
                || property["oneOf"].as_array().is_some_and(|options| options.iter().any(|one| one["type"] == null));
            assert_eq!(
                nullable,
                !required.contains(&&json!(field)),
                "{at}: null is accepted where nothing is required"
            );
        }
    }
    for (path, item) in document["paths"].as_object().unwrap() {
        for operation in item.as_object().unwrap().values() {
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                assert!(parameter["schema"]["type"].is_string(), "{path}: {parameter}");
                if parameter["name"] == "Idempotency-Key" {
                    let expected = json!({"type": "string", "pattern": "^[!-~]+$", "minLength": 1, "maxLength": 255});
                    assert_eq!(parameter["schema"], expected, "{path}");
                }
            }
            let body = &operation["requestBody"]["content"]["application/json"]["schema"];
            assert!(body.is_null() || body["$ref"].is_string(), "{path}: a body is an object, never null: {body}");
        }
    }
    assert_eq!(document["components"]["securitySchemes"]["BearerKey"]["scheme"], "bearer");
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
