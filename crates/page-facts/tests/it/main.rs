//! Tests of the crate's public API: hand-made pages, hostile input, seeded mutations, real pages.

mod alike;
mod cases;
mod finders;
#[path = "../hostile/mod.rs"]
mod generated;
mod hostile;
mod random;
mod shapes;
mod signals;
mod sites;
mod snippets;
mod truth;

use page_facts::{Context, RawPage, SiteFacts, facts};
use std::path::{Path, PathBuf};

/// Reads one page as part of a roofer's site.
fn read(body: &[u8]) -> SiteFacts {
    let page = RawPage { url: "https://www.acme-roofing.com/contact", content_type: None, body };
    facts(&[page], &Context::default())
}

/// A folder next to this file.
fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// Every hand-made page with its name, in order.
fn pages() -> Vec<(String, Vec<u8>)> {
    let mut found: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder("cases"))
        .expect("the cases are in the repository")
        .map(|entry| {
            let path = entry.expect("the folder can be listed").path();
            let name = path.file_name().expect("a case has a name").to_string_lossy().into_owned();
            (name, std::fs::read(path.join("page.html")).expect("every case has a page"))
        })
        .collect();
    found.sort();
    found
}
