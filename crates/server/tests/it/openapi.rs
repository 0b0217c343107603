//! The API document: in step with the code, and served.

use canvass::plan::Tier;
use canvass::{enrichment, radar, search};
use http::StatusCode;
use serde_json::{Value, json};
use server::limits::BODY_MIB_MAX;

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

/// Every schema in the document that stands under this name: properties of components and parameters of operations.
fn schemas_named<'a>(value: &'a Value, name: &str, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("properties").and_then(|properties| properties.get(name)));
            found.extend(fields.get("schema").filter(|_| fields.get("name") == Some(&json!(name))));
            fields.values().for_each(|inner| schemas_named(inner, name, found));
        }
        Value::Array(items) => items.iter().for_each(|inner| schemas_named(inner, name, found)),
        _ => {}
    }
}

/// The macros that describe a field take literals only, so a test compares them with the constants that the code enforces.
#[test]
fn the_document_states_the_limits_that_the_code_enforces() {
    let document = document();
    let check = |name: &str, bound: &str, expected: f64| {
        let mut found = Vec::new();
        schemas_named(&document, name, &mut found);
        assert!(!found.is_empty(), "{name} is not in the document");
        for schema in found {
            assert_eq!(schema[bound].as_f64(), Some(expected), "{bound} of {name}: {schema}");
        }
    };
    let (radius, rating) = (search::RADIUS_MILES, search::RATING);
    check("requested_count", "maximum", search::REQUESTED_MAX as f64);
    check("requested_count", "minimum", 1.0);
    check("radius_miles", "minimum", *radius.start());
    check("radius_miles", "maximum", *radius.end());
    check("lead_ids", "maxItems", enrichment::LEADS_MAX as f64);
    for name in ["min_rating", "max_rating"] {
        check(name, "minimum", *rating.start());
        check(name, "maximum", *rating.end());
    }
    let limit = |path: &str| {
        let mut found = Vec::new();
        schemas_named(&document["paths"][path]["get"], "limit", &mut found);
        found[0]["maximum"].as_i64().unwrap()
    };
    assert_eq!(limit("/searches"), search::History::SEARCHES_MAX);
    assert_eq!(limit("/searches/{search_id}/leads"), search::REQUESTED_MAX);
    assert_eq!(limit("/radar/alerts"), radar::Feed::ALERTS_MAX);
    assert_eq!(limit("/radar/watch/{watch_id}/history"), radar::KEPT_CHECKS_MAX);
    let too_large = document["components"]["responses"]["ContentTooLarge"]["description"].as_str().unwrap();
    assert_eq!(too_large, format!("The body is larger than {BODY_MIB_MAX} MiB."));
    let count = &document["components"]["schemas"]["SearchRequest"]["properties"]["requested_count"];
    let told = count["description"].as_str().unwrap();
    assert!(told.contains(&format!("{} when left out", search::REQUESTED_DEFAULT)), "{told}");
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
