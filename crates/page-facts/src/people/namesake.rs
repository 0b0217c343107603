//! Recognises an owner whose name the business carries, when that person speaks on its pages or is said to work there.
//! The name alone proves nothing: many brands are named after someone uninvolved.

use memchr::memmem;

use crate::document::Document;
use crate::facts::Method;
use crate::page::around;
use crate::people::mention::{OwnerClaim, PersonMention};
use crate::people::names;
use crate::site::Site;
use crate::word_set::WordSet;

/// Occurrences of the name examined per page.
const PLACES_MAX: usize = 40;

/// Shortest surname that a site's name is searched for, in bytes.
const SURNAME_BYTES_MIN: usize = 4;

/// Professions whose practices carry the name of their owner.
static PROFESSIONS: WordSet = WordSet::new(
    "dentist orthodontist physician doctor veterinarian chiropractor optometrist podiatrist attorney lawyer cpa
     accountant photographer architect psychologist therapist surgeon dermatologist pediatrician zahnarzt zahnärztin
     rechtsanwalt rechtsanwältin notar arzt ärztin",
);

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
    for mention in found.iter_mut().filter(|mention| site.carries(&mention.name)) {
        is_known = true;
        if mention.claim == OwnerClaim::Title {
            mention.claim = OwnerClaim::Namesake;
        }
    }
    if !is_known {
        is_known = mark_only_professional(found, site);
    }
    if !is_known && let Some(speaker) = speaker(document, site) {
        found.push(speaker);
    }
}

/// Marks the dentist, lawyer or the like whose surname the site carries, if no other person on the page has a profession.
fn mark_only_professional(found: &mut [PersonMention], site: &Site) -> bool {
    let is_professional = |mention: &PersonMention| {
        let title = mention.title.as_deref().unwrap_or("").to_lowercase();
        title.split(|c: char| !c.is_alphanumeric()).any(|word| PROFESSIONS.contains(word))
    };
    let mut names: Vec<&str> = found.iter().filter(|one| is_professional(one)).map(|one| one.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let [name] = names[..] else { return false };
    let is_named =
        name.rsplit(' ').next().is_some_and(|surname| surname.len() >= SURNAME_BYTES_MIN && site.carries(surname));
    if is_named {
        let name = name.to_owned();
        for mention in found.iter_mut().filter(|mention| mention.name == name && mention.claim == OwnerClaim::Title) {
            mention.claim = OwnerClaim::Surname;
        }
    }
    is_named
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
