//! Recognises an owner whose name the business carries, when that person speaks on its pages or is said to work there.
//! The name alone proves nothing: many brands are named after someone uninvolved.

use memchr::memmem;

use crate::document::Document;
use crate::facts::Method;
use crate::page::around;
use crate::people::mention::{OwnerClaim, PersonMention};
use crate::people::names;
use crate::site::Site;

/// Occurrences of the name examined per page.
const PLACES_MAX: usize = 40;

/// Phrases with which people introduce themselves, in the main languages.
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

/// Marks people whose name the business carries, or finds one who speaks.
pub(super) fn mark(found: &mut Vec<PersonMention>, document: &Document<'_>, site: &Site) {
    let mut is_known = false;
    for mention in found.iter_mut().filter(|mention| site.is_exactly(&mention.name)) {
        is_known = true;
        if mention.claim == OwnerClaim::Title {
            mention.claim = OwnerClaim::Namesake;
        }
    }
    if !is_known && let Some(speaker) = speaker(document, site) {
        found.push(speaker);
    }
}

/// Finds someone who says `I am Jane Doe` on the site of Jane Doe.
fn speaker(document: &Document<'_>, site: &Site) -> Option<PersonMention> {
    let name = site.business().and_then(names::parse)?.name;
    let places = memmem::find_iter(document.text.as_bytes(), name.as_bytes()).take(PLACES_MAX);
    for at in places {
        let before = around(&document.text, at, 24, 0).trim_end().to_lowercase();
        let (_, place) = document.line(document.line_at(at));
        let introduces =
            |words: &&str| before.strip_suffix(*words).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric));
        if !place.quote && INTRODUCTIONS.iter().any(introduces) {
            let snippet = around(&document.text, at, 30, 80).replace('\n', " ");
            return Some(PersonMention {
                name,
                title: None,
                email: None,
                claim: OwnerClaim::Namesake,
                method: Method::Text,
                snippet,
            });
        }
    }
    None
}
