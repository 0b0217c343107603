//! Reads addresses from links to maps and from maps that a page shows.

use std::sync::LazyLock;

use memchr::memmem;

use crate::addresses::{Found, scan, without_state};
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
const PARAMETERS: &[&str] = &[
    "q=",
    "query=",
    "daddr=",
    "destination=",
    "address=",
    "near=",
    "where1=",
    "hnear=",
    "place=",
    "rtp=~adr.",
    "rtp=adr.~adr.",
];

static MAP: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("map"));

static WAZE: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("waze.com"));

/// Links that open a map on a telephone.
const APPS: [&str; 4] = ["geo:", "maps:", "waze:", "comgooglemaps:"];

/// Whether a link may lead to a map.
pub(crate) fn is_map(href: &str) -> bool {
    let leaves = href.starts_with("http") || href.starts_with("//");
    if !leaves {
        return APPS.iter().any(|app| href.starts_with(app));
    }
    if MAP.find(href.as_bytes()).is_none() && WAZE.find(href.as_bytes()).is_none() {
        return false;
    }
    let host = host_of(href);
    host.starts_with("maps.")
        || host.contains("google.")
        || host == "goo.gl"
        || host.ends_with("bing.com")
        || host.ends_with("openstreetmap.org")
        || host.ends_with("mapquest.com")
        || host.ends_with("waze.com")
}

/// The address in a link to a map.
pub(crate) fn read(href: &str, budget: &StepBudget) -> Option<(Found, String)> {
    if !budget.spend(MAP_STEPS) {
        return None;
    }
    if let Some(text) = from_fields(href)
        && let Some(found) = read_text(&text, budget)
    {
        return Some((found, text));
    }
    texts(href).into_iter().take(TEXTS_MAX).find_map(|raw| {
        let text = percent_decode(&raw.replace('+', " "));
        let text = text.trim().to_owned();
        if text.len() > QUERY_BYTES_MAX || !text.bytes().any(|b| b.is_ascii_digit()) {
            return None;
        }
        let found = read_text(&text, budget)?;
        Some((found, text))
    })
}

fn read_text(text: &str, budget: &StepBudget) -> Option<Found> {
    let mut found = None;
    scan::scan(text, None, budget, |address| found = found.take().or(Some(address)));
    found.or_else(|| without_state::read_whole(text)).filter(|found| !scan::is_sample(&found.address))
}

/// The address in a link that gives each part of it a parameter: `address=1+Elm+St&city=Austin&state=TX&zipcode=78701`.
fn from_fields(href: &str) -> Option<String> {
    let (_, query) = href.split_once('?')?;
    let field = |names: [&str; 2]| {
        let value = query.split('&').take(20).find_map(|pair| {
            let (name, value) = pair.split_once('=')?;
            (names.contains(&name) && !value.is_empty() && value.len() <= 80).then_some(value)
        });
        value.map(|value| percent_decode(&value.replace('+', " ")))
    };
    let (street, city, state) = (field(["address", "street"])?, field(["city", "csz"])?, field(["state", "region"])?);
    Some(format!("{street}, {city}, {state} {}", field(["zipcode", "zip"]).unwrap_or_default()).trim_end().to_owned())
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
            (
                "https://waze.com/ul?q=12%20Elm%20St%2C%20Austin%2C%20TX%2078701&navigate=yes",
                "12 Elm St|Austin|TX|78701",
            ),
            ("https://www.mapquest.com/search?query=12+Elm+St,+Austin,+TX+78701", "12 Elm St|Austin|TX|78701"),
            (
                "http://www.mapquest.com/maps?address=12+Elm+St&city=Austin&state=TX&zipcode=78701",
                "12 Elm St|Austin|TX|78701",
            ),
            ("geo:0,0?q=12%20Elm%20St,%20Austin,%20TX%2078701", "12 Elm St|Austin|TX|78701"),
            ("geo:30.267,-97.743", "-"),
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
