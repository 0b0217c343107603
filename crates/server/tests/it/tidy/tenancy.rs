//! Tenancy: no public verb reaches an account's data by a bare id.

use super::{before_tests, files, root};

/// Ids of what belongs to an account.
const TENANT_IDS: [&str; 5] = ["SearchId", "LeadId", "WatchId", "EnrichmentId", "KeyId"];
/// Parameters that bring the owner along: its id or itself, or something found under it.
const OWNERS: [&str; 4] = ["AccountId", "&Account", "Owned<", "&AuthenticatedSession"];

/// Public functions that take a tenant's id alone, and why they may. This list only shrinks.
const BARE_ID_ALLOWED: &[(&str, &str)] = &[
    ("bell.rs listen", "wakes up whoever waits; reads nothing"),
    ("bell.rs ring", "wakes up whoever waits; reads nothing"),
    ("bell.rs listeners_of", "counts who waits; reads nothing"),
    ("notify/store.rs find", "whether the e-mail of a search went out, for tests; no data of the search"),
    ("lead/assemble.rs delivered", "pure: gives an assembled lead its ids before it is stored"),
    ("keys/store.rs find_working", "the key itself says whose it is: links and rechecks authenticate by it"),
    ("keys/revoke.rs revoke", "the operator's command line, which stands above all accounts"),
];

/// The public functions of a source file: name and parameters.
fn public_functions(text: &str) -> Vec<(&str, &str)> {
    let starts = ["\npub fn ", "\npub async fn ", "\n    pub fn ", "\n    pub async fn "];
    let heads = starts.iter().flat_map(|start| text.match_indices(start).map(|(at, start)| &text[at + start.len()..]));
    heads
        .map(|head| {
            let name = head.split(['(', '<']).next().unwrap();
            let body = head.find(['{', ';']).map_or(head, |end| &head[..end]);
            let parameters = body.split(") ->").next().unwrap();
            (name, parameters)
        })
        .collect()
}

#[test]
fn no_public_verb_takes_the_id_of_a_tenants_data_without_its_owner() {
    let nouns = root().join("crates/canvass/src");
    let mut unused: Vec<&str> = BARE_ID_ALLOWED.iter().map(|(function, _)| *function).collect();
    for (path, text) in files(&nouns, &[".rs"]) {
        for (name, parameters) in public_functions(before_tests(&text)) {
            let bare = TENANT_IDS.iter().any(|id| parameters.contains(id));
            if !bare || OWNERS.iter().any(|owner| parameters.contains(owner)) {
                continue;
            }
            let function = format!("{} {name}", path.strip_prefix(&nouns).unwrap().display());
            let allowed = unused.iter().position(|allowed| function.ends_with(allowed));
            let allowed = allowed.unwrap_or_else(|| panic!("{function} takes an id without its owner: {parameters}"));
            unused.remove(allowed);
        }
    }
    assert!(unused.is_empty(), "take out of BARE_ID_ALLOWED: {unused:?}");
}

#[test]
fn only_stores_say_what_belongs_to_an_account() {
    for (path, text) in files(&root().join("crates/canvass/src"), &[".rs"]) {
        let constructs = before_tests(&text).contains("Owned::new(");
        assert!(!constructs || path.ends_with("store.rs"), "{} constructs an Owned", path.display());
    }
}
