//! Holds `finders.toml` and the finders together: a finder that finds something else on a page must raise its version.

use std::collections::BTreeMap;
use std::path::PathBuf;

use page_facts::{Finder, FoundTechnology, SiteFacts};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const HEAD: &str = "\
# The version of each finder, and fingerprints of what it finds on the pages of tests/cases (src/finders.rs).
# Radar resets what it knows of a field when the finder's version is raised. Written by a test:
# `UPDATE=1 cargo nextest run --workspace -E 'test(finders)'` raises the versions of finders that find something else.
";

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Table {
    /// Fingerprint of each case's page: what is found on a page that was edited says nothing about the finders.
    pages: BTreeMap<String, String>,
    finders: BTreeMap<String, Row>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Row {
    version: u32,
    /// By case; a case in which nothing is found is left out.
    found: BTreeMap<String, String>,
}

fn path() -> PathBuf {
    crate::folder("..").join("finders.toml")
}

/// FNV-1a: stable across builds and platforms.
fn fingerprint(bytes: &[u8]) -> String {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", bytes.iter().fold(0xcbf2_9ce4_8422_2325, step))
}

/// What a finder found: values only, as a baseline holds them. Evidence, confidence and order of importance are left out.
fn found(facts: &SiteFacts, finder: Finder) -> Value {
    let slug = |found: &Option<FoundTechnology>| json!(found.as_ref().map(|found| &found.slug));
    let slugs = |found: &[FoundTechnology]| json!(found.iter().map(|found| &found.slug).collect::<Vec<_>>());
    let technology = &facts.technology;
    match finder {
        Finder::Emails => json!(facts.emails.iter().map(|email| &email.email).collect::<Vec<_>>()),
        Finder::Phones => json!(facts.phones.iter().map(|phone| (&phone.phone, phone.kind)).collect::<Vec<_>>()),
        Finder::People => json!(facts.people.iter().map(|person| (&person.name, &person.title)).collect::<Vec<_>>()),
        Finder::Owner => json!(facts.owner().map(|owner| &owner.name)),
        Finder::Addresses => json!(
            facts
                .addresses
                .iter()
                .map(|a| (&a.street, &a.city, &a.state, &a.postal_code, &a.country))
                .collect::<Vec<_>>()
        ),
        Finder::Hours => json!(facts.hours.as_ref().map(|hours| &hours.hours)),
        Finder::Socials => json!(facts.socials.iter().map(|social| &social.profile_url).collect::<Vec<_>>()),
        Finder::Platform => slug(&technology.platform),
        Finder::Ecommerce => slug(&technology.ecommerce),
        Finder::Booking => slug(&technology.booking),
        Finder::OnlineOrdering => slug(&technology.online_ordering),
        Finder::Chat => slug(&technology.chat),
        Finder::AdNetworks => slugs(&technology.ad_networks),
        Finder::Analytics => slugs(&technology.analytics),
        Finder::SchemaOrg => {
            let mut schema = json!(facts.schema_org);
            schema["evidence"] = Value::Null;
            schema
        }
        Finder::Pages => {
            let page = &facts.pages[0];
            json!([page.title, page.text, page.language, page.has_viewport, page.copyright_year, page.generator])
        }
    }
}

fn is_empty(value: &Value) -> bool {
    matches!(value, Value::Null) || value.as_array().is_some_and(Vec::is_empty)
}

/// The table as the finders are now, with the versions of the stored one.
fn computed(stored: &Table) -> Table {
    let mut table = Table::default();
    for finder in Finder::ALL {
        let version = stored.finders.get(finder.name()).map_or(1, |row| row.version);
        table.finders.insert(finder.name().to_owned(), Row { version, found: BTreeMap::new() });
    }
    for (case, body) in crate::pages() {
        let facts = crate::read(&body);
        for finder in Finder::ALL {
            let found = found(&facts, finder);
            let row = table.finders.get_mut(finder.name()).expect("every finder has a row");
            if !is_empty(&found) {
                row.found.insert(case.clone(), fingerprint(found.to_string().as_bytes()));
            }
        }
        table.pages.insert(case, fingerprint(&body));
    }
    table
}

/// The finders that find something else on a page that is the same as before.
fn changed(stored: &Table, now: &Table) -> Vec<&'static str> {
    let same: Vec<&String> =
        now.pages.iter().filter(|(case, page)| stored.pages.get(*case) == Some(page)).map(|(case, _)| case).collect();
    let differs = |name: &str| match (stored.finders.get(name), now.finders.get(name)) {
        (Some(before), Some(after)) => same.iter().any(|case| before.found.get(*case) != after.found.get(*case)),
        _ => false,
    };
    Finder::ALL.into_iter().map(Finder::name).filter(|name| differs(name)).collect()
}

#[test]
fn finders_that_find_something_else_have_a_new_version() {
    let text = std::fs::read_to_string(path()).expect("finders.toml is in the repository");
    let stored: Table = toml::from_str(&text).expect("finders.toml can be read");
    let mut now = computed(&stored);
    let changed = changed(&stored, &now);
    if std::env::var_os("UPDATE").is_some() {
        for name in changed {
            now.finders.get_mut(name).expect("it was just compared").version += 1;
        }
        let text = toml::to_string(&now).expect("the table is plain data");
        std::fs::write(path(), format!("{HEAD}\n{text}")).expect("finders.toml can be written");
        return;
    }
    assert!(
        changed.is_empty(),
        "these finders find something else on pages that are the same: {changed:?}. If that is meant, run this test with \
         UPDATE=1, which raises their versions: Radar then learns these fields anew on every watched website, without alerts"
    );
    assert_eq!(stored, now, "pages were added or edited: run this test with UPDATE=1");
}

#[test]
fn an_edited_page_raises_no_version_and_a_changed_finding_does() {
    let row = |found: &str| Row { version: 1, found: [("a".to_owned(), found.to_owned())].into() };
    let table = |page: &str, found: &str| Table {
        pages: [("a".to_owned(), page.to_owned())].into(),
        finders: [("emails".to_owned(), row(found))].into(),
    };
    assert_eq!(changed(&table("page", "found"), &table("page", "found")), Vec::<&str>::new());
    assert_eq!(changed(&table("page", "found"), &table("edited", "other")), Vec::<&str>::new());
    assert_eq!(changed(&table("page", "found"), &table("page", "other")), ["emails"]);
}
