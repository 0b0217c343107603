//! Any bytes as URL, header, region, two pages and a script of one site.
#![no_main]

use libfuzzer_sys::fuzz_target;
use page_facts::{Context, RawPage, facts};

fuzz_target!(|parts: (&str, &str, &str, &[u8], &[u8])| {
    let (url, content_type, region, first, second) = parts;
    let first = RawPage { url, content_type: Some(content_type), body: first };
    let second = RawPage { url, content_type: None, body: second };
    let scripts = [second];
    let context = Context { region: Some(region), business_name: Some(region), scripts: &scripts };
    let found = facts(&[first, second], &context);
    assert!(serde_free(&found));
});

/// Touches every finding, so that an invalid range would panic.
fn serde_free(found: &page_facts::SiteFacts) -> bool {
    format!("{found:?}").len() > 2
}
