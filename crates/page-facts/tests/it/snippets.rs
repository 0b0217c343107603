//! Small pieces of pages, by cause: `tests/snippets/*.toml` say what a reader finds on each. All differences are listed at
//! once, so that a change of a rule shows everything it touches.

use page_facts::{Context, PhoneKind, RawPage, SiteFacts, facts};
use serde::Deserialize;

use crate::alike;

#[derive(Deserialize)]
struct File {
    snippet: Vec<Snippet>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Snippet {
    html: String,
    /// The path of the page, or its whole address.
    #[serde(default)]
    at: String,
    name: Option<String>,
    region: Option<String>,
    /// `Name = Title`, with a star before those who may be called the owner.
    people: Option<Vec<String>>,
    /// The owner when `people` is not given; empty for none.
    owner: Option<String>,
    /// People who may be found or not.
    #[serde(default)]
    maybe: Vec<String>,
    phones: Option<Vec<String>>,
    fax: Option<Vec<String>>,
    /// As the command line shows them: `Mo-Fr 09:00-17:00`; empty for none.
    hours: Option<String>,
    /// `street | city | state | postal code | country`.
    addresses: Option<Vec<String>>,
}

fn read(snippet: &Snippet) -> SiteFacts {
    let url = match snippet.at.strip_prefix('/') {
        Some(path) => format!("https://www.acme.com/{path}"),
        None if snippet.at.is_empty() => "https://www.acme.com/".to_owned(),
        None => snippet.at.clone(),
    };
    let page = RawPage { url: &url, content_type: None, body: snippet.html.as_bytes() };
    let context = Context {
        region: snippet.region.as_deref(),
        business_name: snippet.name.as_deref().or(Some("Acme")),
        ..Context::default()
    };
    facts(&[page], &context)
}

/// What differs between a snippet and the facts found in it.
fn differences(snippet: &Snippet, found: &SiteFacts) -> Vec<String> {
    let mut differences = Vec::new();
    if let Some(people) = &snippet.people {
        compare_people(people, &snippet.maybe, found, &mut differences);
    }
    let owner = found.owner().map_or("", |owner| owner.name.as_str());
    if let Some(wanted) = &snippet.owner
        && owner != wanted
    {
        differences.push(format!("owner {owner:?}"));
    }
    let of = |kind: PhoneKind| -> Vec<String> {
        let mut phones: Vec<String> =
            found.phones.iter().filter(|phone| phone.kind == kind).map(|phone| phone.phone.clone()).collect();
        phones.sort();
        phones
    };
    for (wanted, kind) in [(&snippet.phones, PhoneKind::Voice), (&snippet.fax, PhoneKind::Fax)] {
        let Some(wanted) = wanted else { continue };
        let mut wanted = wanted.clone();
        wanted.sort();
        if wanted != of(kind) {
            differences.push(format!("{kind:?} {:?}, not {wanted:?}", of(kind)));
        }
    }
    let view = serde_json::to_value(found).expect("facts are JSON");
    if let Some(wanted) = &snippet.hours {
        let hours = view.pointer("/hours/hours").and_then(serde_json::Value::as_str).unwrap_or("");
        if hours != wanted {
            differences.push(format!("hours {hours:?}, not {wanted:?}"));
        }
    }
    if let Some(wanted) = &snippet.addresses {
        let shown = |address: &serde_json::Value| {
            let part = |name: &str| address.get(name).and_then(serde_json::Value::as_str).unwrap_or("").to_owned();
            ["street", "city", "state", "postal_code", "country"].map(part).join(" | ")
        };
        let addresses: Vec<String> =
            view["addresses"].as_array().map(|all| all.iter().map(shown).collect()).unwrap_or_default();
        if addresses != *wanted {
            differences.push(format!("addresses {addresses:#?}, not {wanted:#?}"));
        }
    }
    differences
}

fn compare_people(wanted: &[String], maybe: &[String], found: &SiteFacts, differences: &mut Vec<String>) {
    let mut owners = Vec::new();
    for one in wanted {
        let (bare, is_owner) = one.strip_prefix('*').map_or((one.as_str(), false), |bare| (bare, true));
        let (name, title) = bare.split_once(" = ").unwrap_or((bare, ""));
        if is_owner {
            owners.push(name);
        }
        match found.people.iter().find(|person| person.name == name) {
            None => differences.push(format!("missing {one}")),
            Some(person) => {
                let shown = person.title.as_deref().unwrap_or("");
                if !title.is_empty() && !alike::titles(title, shown) {
                    differences.push(format!("{name} is {shown:?}, not {title:?}"));
                }
            }
        }
    }
    let is_wanted = |name: &str| {
        let names = wanted.iter().map(|one| one.trim_start_matches('*').split(" = ").next().unwrap_or(""));
        names.chain(maybe.iter().map(String::as_str)).any(|wanted| wanted == name)
    };
    for person in found.people.iter().filter(|person| !is_wanted(&person.name)) {
        differences.push(format!("wrong {} = {}", person.name, person.title.as_deref().unwrap_or("")));
    }
    let owner = found.owner().map(|owner| owner.name.as_str());
    let fits = owner.map_or(owners.is_empty(), |owner| owners.contains(&owner) || maybe.iter().any(|one| one == owner));
    if !fits {
        differences.push(format!("owner {owner:?}, not {owners:?}"));
    }
}

fn check(file: &str) {
    let path = crate::folder("snippets").join(file);
    let text = std::fs::read_to_string(path).expect("the snippets are in the repository");
    let file: File = toml::from_str(&text).expect("the snippets are TOML");
    assert!(!file.snippet.is_empty());
    let mut report = String::new();
    for snippet in &file.snippet {
        let differences = differences(snippet, &read(snippet));
        if !differences.is_empty() {
            report.push_str(&format!("{} {}\n  {}\n", snippet.at, snippet.html, differences.join("\n  ")));
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

#[test]
fn people_of_snippets_are_those_a_reader_finds() {
    check("people.toml");
}

#[test]
fn owners_of_snippets_are_those_a_reader_finds() {
    check("owners.toml");
}

#[test]
fn clues_to_the_owner_are_weighed() {
    check("ownership.toml");
}

#[test]
fn statements_of_ownership_name_the_owner() {
    check("owner_statements.toml");
}

#[test]
fn phones_of_snippets_are_those_a_reader_finds() {
    check("phones.toml");
}

#[test]
fn hours_of_snippets_are_those_a_reader_finds() {
    check("hours.toml");
}

#[test]
fn addresses_of_snippets_are_those_a_reader_finds() {
    check("addresses.toml");
}
