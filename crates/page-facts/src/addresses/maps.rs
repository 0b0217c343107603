//! Reads addresses from links to maps and from maps that a page shows.

use std::sync::LazyLock;

use memchr::memmem;

use crate::addresses::{Found, scan, with_state};
use crate::budget::StepBudget;
use crate::domains::host_of;
use crate::emails::address::percent_decode;

/// Longest address in a link, in bytes.
const QUERY_BYTES_MAX: usize = 300;
/// Steps charged per link to a map.
const MAP_STEPS: usize = 2_000;
/// Texts read from one link.
const TEXTS_MAX: usize = 4;

/// Parameters that hold an address.
const PARAMETERS: &[&str] =
    &["q=", "query=", "daddr=", "destination=", "address=", "near=", "where1=", "hnear=", "place=", "rtp=~adr."];

static MAP: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("map"));

/// Whether a link may lead to a map.
pub(crate) fn is_map(href: &str) -> bool {
    let leaves = href.starts_with("http") || href.starts_with("//");
    if !leaves || MAP.find(href.as_bytes()).is_none() {
        return false;
    }
    let host = host_of(href);
    host.starts_with("maps.")
        || host.contains("google.")
        || host == "goo.gl"
        || host.ends_with("bing.com")
        || host.ends_with("openstreetmap.org")
}

/// The address in a link to a map.
pub(crate) fn read(href: &str, budget: &StepBudget) -> Option<(Found, String)> {
    if !budget.spend(MAP_STEPS) {
        return None;
    }
    texts(href).into_iter().take(TEXTS_MAX).find_map(|raw| {
        let text = percent_decode(&raw.replace('+', " "));
        let text = text.trim().to_owned();
        if text.len() > QUERY_BYTES_MAX || !text.bytes().any(|b| b.is_ascii_digit()) {
            return None;
        }
        let mut found = None;
        scan::scan(&text, None, budget, |address| found = found.take().or(Some(address)));
        let found = found.or_else(|| with_state::read_whole(&text)).filter(|found| !scan::is_sample(&found.address))?;
        Some((found, text))
    })
}

/// The parts of a link that may be an address, still encoded.
fn texts(href: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (path, query) = href.split_once(['?', '#']).unwrap_or((href, ""));
    for mark in ["/place/", "/dir//", "/search/"] {
        if let Some((_, rest)) = path.split_once(mark) {
            found.push(rest.split(['/', '@']).next().unwrap_or(""));
        }
    }
    if let Some((_, rest)) = path.split_once("/dir/") {
        found.extend(rest.split('/').take(3).filter(|part| part.len() > 8));
    }
    for pair in query.split('&').take(20) {
        found.extend(PARAMETERS.iter().filter_map(|name| pair.strip_prefix(name)));
        if let Some(data) = pair.strip_prefix("pb=") {
            found.extend(data.split("!2s").skip(1).take(3).filter_map(|rest| rest.split('!').next()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_links_hold_addresses() {
        for (href, expect) in [
            ("https://maps.google.com/?q=12+Elm+St,+Austin,+TX+78701", "12 Elm St|Austin|TX|78701"),
            (
                "https://www.google.com/maps/place/12+Elm+St,+Austin,+TX+78701/@30.2,-97.7,17z",
                "12 Elm St|Austin|TX|78701",
            ),
            (
                "https://www.google.com/maps/dir/?api=1&destination=12%20Elm%20St%2C%20Austin%2C%20TX",
                "12 Elm St|Austin|TX|",
            ),
            (
                "https://maps.google.com/maps?saddr=&daddr=Acme%2C12+Elm+St%2C+Austin%2C+TX+78701%2C+USA",
                "12 Elm St|Austin|TX|78701",
            ),
            (
                "https://www.google.com/maps/embed?pb=!1m18!2d-97!3d30!3m2!1s0x0!2s12+Elm+St%2C+Austin%2C+TX+78701!5e0",
                "12 Elm St|Austin|TX|78701",
            ),
            ("https://maps.apple.com/?address=12%20Elm%20St,%20Austin,%20TX%20%2078701", "12 Elm St|Austin|TX|78701"),
            ("https://www.bing.com/maps?where1=12+Elm+St+Austin+TX+78701", "12 Elm St|Austin|TX|78701"),
            (
                "https://www.openstreetmap.org/search?query=Ringweg+4%2C+12345+Stadt%2C+Germany&map=1",
                "Ringweg 4|Stadt||12345",
            ),
            ("https://maps.google.com/?q=30.267,-97.743", "-"),
            ("https://www.google.com/maps/place/Acme+Roofing/@30,-97,15z", "-"),
            ("https://www.google.com/maps/search/roofing+near+me", "-"),
        ] {
            assert!(is_map(href), "{href}");
            let shown = read(href, &StepBudget::default()).map(|(found, _)| {
                let a = found.address;
                [a.street, a.city, a.state, a.postal_code].map(Option::unwrap_or_default).join("|")
            });
            assert_eq!(shown.unwrap_or("-".to_owned()), expect, "{href}");
        }
        assert!(!is_map("https://acme.com/sitemap") && !is_map("https://acme.com/"));
    }
}
