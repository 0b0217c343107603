//! Any bytes as one page: no panic, findings within their limits, steps within the budget.
#![no_main]

use libfuzzer_sys::fuzz_target;
use page_facts::{Context, RawPage, facts, steps_max};

fuzz_target!(|body: &[u8]| {
    let page = RawPage { url: "https://www.acme-roofing.com/contact", content_type: None, body };
    let found = facts(&[page], &Context::default());
    assert_eq!(found.pages.len(), 1);
    assert!(found.pages[0].steps <= steps_max(body.len()));
    assert!(found.emails.iter().filter(|email| email.is_primary).count() <= usize::from(!found.emails.is_empty()));
    assert!(found.emails.iter().all(|email| email.confidence > 0.0 && email.confidence < 1.0));
});
