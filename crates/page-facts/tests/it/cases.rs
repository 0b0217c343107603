//! One folder per case: `page.html` and the facts it must give. `UPDATE=1` rewrites the facts; review the diff.

use page_facts::SiteFacts;
use serde_json::{Value, json};

#[test]
fn every_case_yields_its_facts() {
    let update = std::env::var_os("UPDATE").is_some();
    let mut wrong = Vec::new();
    for (name, body) in crate::pages() {
        let found = shown(&crate::read(&body));
        let path = crate::folder("cases").join(&name).join("facts.json");
        if update {
            let text = serde_json::to_string_pretty(&found).expect("facts are JSON");
            std::fs::write(&path, text + "\n").expect("facts.json is writable");
            continue;
        }
        let expected: Value =
            std::fs::read_to_string(&path).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        if found != expected {
            wrong.push(format!("{name}:\n  found    {found}\n  expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn facts_survive_serialisation() {
    for (name, body) in crate::pages() {
        let found = crate::read(&body);
        let text = serde_json::to_string(&found).expect("facts are JSON");
        let again: SiteFacts = serde_json::from_str(&text).expect("serialised facts parse");
        assert_eq!(found, again, "{name}");
    }
}

#[test]
fn every_finding_says_where_it_was_found() {
    for (name, body) in crate::pages() {
        let view = serde_json::to_value(crate::read(&body).view()).expect("facts are JSON");
        for kind in ["emails", "phones", "people", "addresses"] {
            for finding in view[kind].as_array().expect("findings are lists") {
                let has = |key: &str| finding[key].as_str().is_some_and(|text| !text.is_empty());
                assert!(has("url") && has("method") && has("snippet"), "{name}: {finding}");
            }
        }
        let primary = view["emails"].as_array().expect("a list").iter().filter(|e| e["is_primary"] == true).count();
        let strangers = name.ends_with("emails_strangers");
        assert_eq!(primary, usize::from(view["emails"] != json!([]) && !strangers), "{name}: one email is primary");
    }
}

/// The facts without snippets, as stored in `facts.json`.
fn shown(facts: &SiteFacts) -> Value {
    let mut view = serde_json::to_value(facts.view()).expect("facts are JSON");
    for kind in ["emails", "phones", "people", "addresses"] {
        for finding in view[kind].as_array_mut().expect("findings are lists") {
            let finding = finding.as_object_mut().expect("a finding is an object");
            finding.remove("url");
            finding.remove("snippet");
        }
    }
    if let Some(hours) = view["hours"].as_object_mut() {
        hours.remove("url");
        hours.remove("snippet");
    }
    let all: Vec<Value> = facts.technology.all.iter().map(|t| json!([t.slug, t.evidence.method])).collect();
    view["signals"]["technologies"] = Value::Array(all);
    view["schema_org"]["evidence"] = json!(facts.schema_org.evidence.as_ref().map(|e| e.method));
    view["text"] = json!(facts.pages[0].text);
    view["title"] = json!(facts.pages[0].title);
    view
}
