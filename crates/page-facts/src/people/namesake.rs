//! Somebody whose name the business bears owns it, when that person speaks on its pages or is said to work there. The
//! name alone proves nothing: many a brand is called after somebody who never saw it.

use memchr::memmem;

use crate::document::Document;
use crate::facts::Method;
use crate::page::around;
use crate::people::{Claim, Sighting, names};
use crate::site::Site;

/// Places of the name looked at on one page.
const PLACES_MAX: usize = 40;

/// How people say who they are, in the main languages.
const INTRODUCTIONS: &[&str] = &[
    "i'm",
    "i’m",
    "i am",
    "my name is",
    "soy",
    "me llamo",
    "ich bin",
    "mein name ist",
    "je suis",
    "je m'appelle",
    "je m’appelle",
    "sono",
    "mi chiamo",
    "ik ben",
    "eu sou",
];

/// Marks those of the people found whose name the business bears, or finds one that speaks.
pub(super) fn mark(found: &mut Vec<Sighting>, document: &Document<'_>, site: &Site) {
    let mut is_known = false;
    for sighting in found.iter_mut().filter(|sighting| site.is_exactly(&sighting.name)) {
        is_known = true;
        if sighting.claim == Claim::Title {
            sighting.claim = Claim::Namesake;
        }
    }
    if !is_known && let Some(speaker) = speaker(document, site) {
        found.push(speaker);
    }
}

/// Somebody who says `I am Jane Doe` on the site of Jane Doe.
fn speaker(document: &Document<'_>, site: &Site) -> Option<Sighting> {
    let name = site.business().and_then(names::parse)?.name;
    let places = memmem::find_iter(document.text.as_bytes(), name.as_bytes()).take(PLACES_MAX);
    for at in places {
        let before = around(&document.text, at, 24, 0).trim_end().to_lowercase();
        let (_, place) = document.line(document.line_at(at));
        let introduces =
            |words: &&str| before.strip_suffix(*words).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric));
        if !place.quote && INTRODUCTIONS.iter().any(introduces) {
            let snippet = around(&document.text, at, 30, 80).replace('\n', " ");
            return Some(Sighting {
                name,
                title: None,
                email: None,
                claim: Claim::Namesake,
                method: Method::Text,
                snippet,
            });
        }
    }
    None
}
