//! The rules of the house that a machine can check.

mod imports;
mod tenancy;

use std::path::{Path, PathBuf};

/// Lines of a source file before its tests.
const FILE_LINES_MAX: usize = 400;

/// Which noun may use which; a noun uses itself, and everything may use what is in GROUND.
const DIRECTIONS: &[(&str, &[&str])] = &[
    ("plan", &[]),
    ("credits", &[]),
    ("account", &["plan", "credits"]),
    ("activity", &[]),
    ("keys", &["account", "activity", "session"]),
    ("session", &["account", "activity"]),
    ("password", &["activity", "session"]),
    ("sign_in", &["account", "activity", "password", "plan", "session"]),
    ("idempotency", &[]),
    ("jobs", &[]),
    ("doctor", &["listing", "ai", "credits", "geocode", "notify", "website"]),
    ("notify", &["account", "server_address", "sign_in"]),
    ("ai", &["account", "lead", "plan"]),
    ("enrichment", &["account", "ai", "idempotency", "lead", "search"]),
    ("intro", &["account", "ai", "idempotency", "lead"]),
    ("website", &[]),
    ("sandbox", &[]),
    ("provider", &[]),
    ("listing", &["plan", "provider", "sandbox"]),
    ("geocode", &["listing", "provider", "sandbox"]),
    ("signals", &["website"]),
    ("lead", &["account", "listing", "signals", "website"]),
    ("suppression", &["lead", "listing", "website"]),
    (
        "search",
        &[
            "account",
            "plan",
            "credits",
            "geocode",
            "idempotency",
            "listing",
            "lead",
            "notify",
            "provider",
            "suppression",
            "website",
        ],
    ),
    ("exports", &["lead", "listing", "signals"]),
    ("radar", &["account", "idempotency", "lead", "listing", "signals", "suppression", "website"]),
    ("mark", &["lead"]),
    ("view", &["account"]),
    ("usage", &["account", "ai"]),
    (
        "own_data",
        &["account", "activity", "credits", "keys", "lead", "mark", "radar", "search", "session", "sign_in", "view"],
    ),
    ("request_rate", &[]),
    ("server_address", &[]),
    ("removal", &["idempotency", "lead", "listing", "radar", "search", "signals", "suppression"]),
    ("status", &["provider"]),
    ("clock", &[]),
    ("db", &[]),
    ("config", &["plan", "signals"]),
];
/// What is no noun, and may be used by all.
const GROUND: &[&str] = &[
    "app",
    "clock",
    "config",
    "cpu_pool",
    "db",
    "fair_line",
    "ids",
    "jobs",
    "measure",
    "outbound",
    "owned",
    "private_files",
    "secret",
    "steps",
];

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Every file below a folder, as path and text.
pub(crate) fn files(folder: &Path, endings: &[&str]) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() && !["target", "node_modules", "data", ".git", ".tools"].contains(&name.as_str()) {
            found.extend(files(&path, endings));
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.push((path.clone(), std::fs::read_to_string(&path).unwrap()));
        }
    }
    found
}

fn sources() -> Vec<(PathBuf, String)> {
    files(&root().join("crates"), &[".rs"])
}

pub(crate) fn before_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests").next().unwrap()
}

#[test]
fn every_file_says_what_it_is_and_stays_short() {
    for (path, text) in sources() {
        assert!(text.starts_with("//!"), "{} does not open with a //! line", path.display());
        let in_src = path.components().any(|part| part.as_os_str() == "src");
        let lines = before_tests(&text).lines().count();
        assert!(!in_src || lines <= FILE_LINES_MAX, "{} has {lines} lines", path.display());
        let name = path.file_stem().unwrap().to_str().unwrap();
        for forbidden in ["utils", "util", "helpers", "common", "misc", "manager", "service"] {
            assert_ne!(name, forbidden, "{}", path.display());
        }
    }
}

#[test]
fn sql_lives_in_stores() {
    for (path, text) in sources() {
        let allowed = path.ends_with("store.rs")
            || path.components().any(|part| ["db", "tests"].iter().any(|name| part.as_os_str() == *name));
        let holds_sql = ["sql(\"", "sql_of(", "jobs::guarded", "insert_rows(", "sqlx::query"]
            .iter()
            .any(|call| before_tests(&text).contains(call));
        assert!(allowed || !holds_sql, "{} holds SQL", path.display());
    }
}

#[test]
fn nouns_use_each_other_in_one_direction() {
    let nouns = root().join("crates/canvass/src");
    for entry in std::fs::read_dir(&nouns).unwrap() {
        let folder = entry.unwrap().path();
        if !folder.is_dir() {
            continue;
        }
        let noun = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let allowed = DIRECTIONS
            .iter()
            .find(|(name, _)| *name == noun)
            .unwrap_or_else(|| panic!("{noun} has no entry in DIRECTIONS"))
            .1;
        for (path, text) in files(&folder, &[".rs"]) {
            for used in before_tests(&text).split("crate::").skip(1) {
                let used: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let fine = used == noun || GROUND.contains(&used.as_str()) || allowed.contains(&used.as_str());
                assert!(fine, "{} uses {used}: {noun} may not", path.display());
            }
        }
    }
}

#[test]
fn the_nouns_know_no_http_server() {
    let manifest = std::fs::read_to_string(root().join("crates/canvass/Cargo.toml")).unwrap();
    for edge in ["axum", "tower", "hyper", "clap", "utoipa"] {
        assert!(!manifest.contains(&format!("\n{edge}")), "canvass depends on {edge}");
    }
}

#[test]
fn documents_name_only_files_that_are_there() {
    let root = root();
    for (path, text) in files(&root, &[".md"]) {
        for target in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            if target.is_empty() || target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let linked = path.parent().unwrap().join(target);
            assert!(linked.exists(), "{} links to {target}", path.display());
        }
    }
}
