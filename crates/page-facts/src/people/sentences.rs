//! Reads sentences that say who owns or founded the business: `founded by Jane Doe in 1990`.

use std::sync::LazyLock;

use memchr::memmem;

use crate::document::Document;
use crate::literals::Literals;
use crate::page::around;
use crate::people::names::{self, Name};
use crate::words::Words;

/// Places that may say who owns the business, looked at on one page.
const SENTENCES_MAX: usize = 300;
/// Words before a name that say what the person is.
const LEADS: &[(&str, &str)] = &[
    ("founded by ", "Founder"),
    ("owned by ", "Owner"),
    ("owned and operated by ", "Owner"),
    ("owner and operator ", "Owner"),
    ("established by ", "Founder"),
    ("started by ", "Founder"),
    ("co-founded by ", "Co-Founder"),
    ("owner, ", "Owner"),
    ("founder, ", "Founder"),
    ("owner ", "Owner"),
    ("founder ", "Founder"),
    ("co-owner ", "Co-Owner"),
    ("co-founder ", "Co-Founder"),
    ("proprietor ", "Proprietor"),
    ("gegründet von ", "Gründer"),
    ("inhaber ", "Inhaber"),
    ("inhaber: ", "Inhaber"),
    ("inhaberin: ", "Inhaberin"),
    ("geschäftsführer: ", "Geschäftsführer"),
    ("geschäftsführerin: ", "Geschäftsführerin"),
    ("fondée par ", "Fondateur"),
    ("gérant : ", "Gérant"),
    ("fundado por ", "Fundador"),
    ("my name is ", ""),
];

/// Searches for the leads, made once.
static LEAD_SEARCHES: LazyLock<Vec<memmem::Finder<'static>>> =
    LazyLock::new(|| LEADS.iter().map(|(lead, _)| memmem::Finder::new(*lead)).collect());

/// Owners of a house or a dog are customers.
static OTHER_OWNERS: Words =
    Words::new("home house property pet car vehicle dog cat boat horse previous former original franchise truck land");

fn owns_something_else(before: &str) -> bool {
    before.split_whitespace().next_back().is_some_and(|word| OTHER_OWNERS.contains(word))
}

/// A person and what a sentence says of them.
pub(super) struct Told {
    pub(super) name: Name,
    pub(super) title: String,
    pub(super) snippet: String,
}

/// Looks at the lines in which a word says that somebody owns or founded something.
pub(super) fn find(document: &Document<'_>) -> Vec<Told> {
    let mut told = Vec::new();
    let Some(triggers) = TRIGGERS.as_ref() else { return told };
    let mut last = usize::MAX;
    triggers.each(&document.text, SENTENCES_MAX, |found| {
        let index = document.line_at(found.start());
        let (line, place) = document.line(index);
        if index != last && !place.nav && !place.quote {
            read(line, &mut told);
        }
        last = index;
    });
    told
}

/// What every sentence of interest has in it, without the first letter, so that capitals do not matter.
static TRIGGERS: LazyLock<Option<Literals>> = LazyLock::new(|| {
    let words = [
        "ounded by",
        "wned by",
        "wned and operated",
        "stablished by",
        "tarted by",
        "wner",
        "ounder",
        "roprietor",
        "egründet von",
        "nhaber",
        "eschäftsführer",
        "ondée par",
        "érant",
        "undado por",
        "y name is",
        " founded the",
        " started the",
    ];
    Literals::new(words.into_iter())
});

/// `founded by Jane Doe in 1990`, `owner Jane Doe`.
fn read(line: &str, found: &mut Vec<Told>) {
    let lower = line.to_lowercase();
    if lower.len() != line.len() || line.len() > 3_000 {
        return;
    }
    for ((lead, title), search) in LEADS.iter().zip(LEAD_SEARCHES.iter()) {
        let Some(at) = search.find(lower.as_bytes()) else { continue };
        if lower[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-') || owns_something_else(&lower[..at]) {
            continue;
        }
        let rest = &line[at + lead.len()..];
        let title = if title.is_empty() { owner_title_in(&lower) } else { Some((*title).to_owned()) };
        if let (Some(name), Some(title)) = (name_at_start(rest), title) {
            found.push(Told { name, title, snippet: around(line, at, 40, 80).to_owned() });
        }
    }
    if let Some((name, title, at)) = name_then_role(line, &lower) {
        found.push(Told { name, title, snippet: around(line, at, 60, 60).to_owned() });
    }
}

/// The name that starts a text: the longest row of capitalised words that is one.
pub(super) fn name_at_start(text: &str) -> Option<Name> {
    let text = around(text, 0, 0, 60);
    let mut ends: Vec<usize> =
        text.char_indices().filter(|(_, c)| " ,.;()".contains(*c)).map(|(at, _)| at).take(8).collect();
    ends.push(text.len());
    // From the longest on: `Jane A. Doe` before `Jane A`.
    let best = ends
        .iter()
        .rev()
        .filter_map(|end| names::parse(&text[..*end]).map(|name| (name, *end)))
        .max_by_key(|(name, _)| name.name.split(' ').count().min(3));
    best.map(|(name, _)| name)
}

/// `Jane Doe is the owner of ...`, `I'm Jane Doe, the founder of ...`.
fn name_then_role(line: &str, lower: &str) -> Option<(Name, String, usize)> {
    for phrase in [
        " is the owner",
        " is owner",
        " is the founder",
        " is the co-founder",
        ", the owner",
        ", the founder",
        ", owner",
        ", founder",
        " is the proud owner",
        ", owner and",
        " founded the company",
        " founded the business",
        " started the company",
    ] {
        let Some(at) = lower.find(phrase) else { continue };
        let before = around(line, at, 40, 0);
        let starts: Vec<usize> = before.char_indices().filter(|(_, c)| *c == ' ').map(|(p, _)| p + 1).collect();
        let name = std::iter::once(0).chain(starts).filter_map(|start| names::parse(&before[start..])).next();
        if let Some(name) = name {
            let title = if phrase.contains("owner") {
                "Owner"
            } else if phrase.contains("co-") {
                "Co-Founder"
            } else {
                "Founder"
            };
            return Some((name, title.to_owned(), at));
        }
    }
    None
}

fn owner_title_in(lower: &str) -> Option<String> {
    let owner = ["i own", "owner of", "the owner", "and owner"].iter().any(|p| lower.contains(p));
    let founder = ["i founded", "founder of", "the founder", "i started"].iter().any(|p| lower.contains(p));
    if owner { Some("Owner".to_owned()) } else { founder.then(|| "Founder".to_owned()) }
}
