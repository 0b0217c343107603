//! Reads sentences that state who owns or founded the business: `founded by Jane Doe in 1990`. Pages also mention
//! owners of other businesses, so the sentence must be linked to this one.

use std::sync::LazyLock;

use memchr::memmem;

use crate::budget::StepBudget;
use crate::document::Document;
use crate::literals::Literals;
use crate::page::around;
use crate::people::affiliation::{self, PageSubject};
use crate::people::names::{self, PersonName, Trust};
use crate::site::Site;

/// Trigger words examined per page.
const SENTENCES_MAX: usize = 300;
/// Steps charged per line with a trigger word, before its bytes are counted.
const LINE_STEPS: usize = 2_000;
const LINE_STEPS_PER_BYTE: usize = 4;
/// Steps charged for reading around one lead-in or role phrase.
const LEAD_STEPS: usize = 8_000;
/// Longest line that is read, in bytes.
const LINE_BYTES_MAX: usize = 3_000;

/// How the words before a name must be linked to this business.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RequiredTie {
    /// The sentence is about this business: `Acme was founded by Jane Doe`.
    Sentence,
    /// The word before says whose owner it is: `our owner Jane Doe`.
    Before,
    /// Only an explicit link counts, because executives are mentioned everywhere: `our CEO Jane Doe`, `Acme CEO Jane Doe`.
    Strictly,
    /// The words are a label, so no link is needed.
    None,
}

/// A phrase before a name that states the person's role.
#[derive(Clone, Copy)]
struct LeadIn {
    /// In lower case.
    phrase: &'static str,
    /// The title it implies; empty when the line itself names the title.
    title: &'static str,
    tie: RequiredTie,
}

const fn lead(phrase: &'static str, title: &'static str, tie: RequiredTie) -> LeadIn {
    LeadIn { phrase, title, tie }
}

/// All lead-in phrases.
const LEADS: &[LeadIn] = &[
    lead("founded by ", "Founder", RequiredTie::Sentence),
    lead("owned by ", "Owner", RequiredTie::Sentence),
    lead("owned and operated by ", "Owner", RequiredTie::Sentence),
    lead("owned & operated by ", "Owner", RequiredTie::Sentence),
    lead("established by ", "Founder", RequiredTie::Sentence),
    lead("started by ", "Founder", RequiredTie::Sentence),
    lead("co-founded by ", "Co-Founder", RequiredTie::Sentence),
    lead("gegründet von ", "Gründer", RequiredTie::Sentence),
    lead("fondée par ", "Fondateur", RequiredTie::Sentence),
    lead("fundado por ", "Fundador", RequiredTie::Sentence),
    lead("owner and operator ", "Owner", RequiredTie::Before),
    lead("owner/operator ", "Owner", RequiredTie::Before),
    lead("owner-operator ", "Owner", RequiredTie::Before),
    lead("owner, ", "Owner", RequiredTie::Before),
    lead("founder, ", "Founder", RequiredTie::Before),
    lead("owner ", "Owner", RequiredTie::Before),
    lead("founder ", "Founder", RequiredTie::Before),
    lead("founder and ceo ", "Founder & CEO", RequiredTie::Before),
    lead("co-owner ", "Co-Owner", RequiredTie::Before),
    lead("co-founder ", "Co-Founder", RequiredTie::Before),
    lead("proprietor ", "Proprietor", RequiredTie::Before),
    lead("ceo ", "CEO", RequiredTie::Strictly),
    lead("ceo, ", "CEO", RequiredTie::Strictly),
    lead("president ", "President", RequiredTie::Strictly),
    lead("president, ", "President", RequiredTie::Strictly),
    lead("inhaber ", "Inhaber", RequiredTie::None),
    lead("inhaber: ", "Inhaber", RequiredTie::None),
    lead("inhaberin: ", "Inhaberin", RequiredTie::None),
    lead("inh. ", "Inhaber", RequiredTie::None),
    lead("inh.: ", "Inhaber", RequiredTie::None),
    lead("geschäftsführer: ", "Geschäftsführer", RequiredTie::None),
    lead("geschäftsführerin: ", "Geschäftsführerin", RequiredTie::None),
    lead("gérant : ", "Gérant", RequiredTie::None),
    lead("propriétaire : ", "Propriétaire", RequiredTie::None),
    lead("my name is ", "", RequiredTie::None),
];

/// Compiled searches for the lead-in phrases, in the same order.
static LEAD_SEARCHES: LazyLock<Vec<memmem::Finder<'static>>> =
    LazyLock::new(|| LEADS.iter().map(|lead| memmem::Finder::new(lead.phrase)).collect());

/// A person and the role a sentence states.
pub(super) struct StatedRole {
    pub(super) name: PersonName,
    pub(super) title: String,
    pub(super) snippet: String,
}

/// Reads the lines that contain a trigger word.
pub(super) fn find(document: &Document<'_>, site: &Site, subject: PageSubject) -> Vec<StatedRole> {
    let Some(triggers) = TRIGGERS.as_ref() else { return Vec::new() };
    let mut reader = SentenceReader { site, subject, budget: &document.budget, stated: Vec::new() };
    let mut last = usize::MAX;
    triggers.each(&document.text, SENTENCES_MAX, |found| {
        let index = document.line_at(found.start());
        let (line, place) = document.line(index);
        if index != last && !place.nav && !place.quote {
            reader.line(line);
        }
        last = index;
    });
    reader.stated
}

/// Literals that every relevant sentence contains, without the first letter so that capitals do not matter.
static TRIGGERS: LazyLock<Option<Literals>> = LazyLock::new(|| {
    let words = [
        "ounded by",
        "wned by",
        "operated by",
        "stablished by",
        "tarted by",
        "wner",
        "ounder",
        "roprietor",
        "egründet von",
        "nhaber",
        "Inh.",
        "eschäftsführer",
        "ondée par",
        "érant",
        "ropriétaire :",
        "undado por",
        "y name is",
        " founded the",
        " started the",
        " CEO",
        "resident of ",
        "ur president",
    ];
    Literals::new(words.into_iter())
});

struct SentenceReader<'s> {
    site: &'s Site,
    subject: PageSubject,
    budget: &'s StepBudget,
    stated: Vec<StatedRole>,
}

impl SentenceReader<'_> {
    /// `founded by Jane Doe in 1990`, `our owner Jane Doe`, `Jane Doe is the owner of Acme`.
    fn line(&mut self, line: &str) {
        if line.len() > LINE_BYTES_MAX || !self.budget.spend(LINE_STEPS + LINE_STEPS_PER_BYTE * line.len()) {
            return;
        }
        let lower = line.to_lowercase();
        if lower.len() != line.len() {
            return;
        }
        for (lead, search) in LEADS.iter().zip(LEAD_SEARCHES.iter()) {
            let Some(at) = search.find(lower.as_bytes()) else { continue };
            if !self.budget.spend(LEAD_STEPS) {
                return;
            }
            self.lead(line, at, *lead);
        }
        if let Some((name, title, at)) = self.name_then_role(line, &lower) {
            self.stated.push(StatedRole { name, title, snippet: around(line, at, 60, 60).to_owned() });
        }
    }

    /// Reads the words around a lead-in phrase found at `at`.
    fn lead(&mut self, line: &str, at: usize, lead: LeadIn) {
        let LeadIn { phrase, title, tie } = lead;
        let (before, rest) = (&line[..at], &line[at + phrase.len()..]);
        if before.ends_with(|c: char| c.is_alphanumeric() || c == '-') || affiliation::owns_something_else(before) {
            return;
        }
        let is_ours = affiliation::is_ours(before, self.site, PageSubject::Anything);
        let Some((name, end)) = name_and_end(rest).or_else(|| apposition(rest).filter(|_| is_ours)) else { return };
        let title = if title.is_empty() { owner_title_in(&line.to_lowercase()) } else { Some(title.to_owned()) };
        let is_tied = match tie {
            RequiredTie::Sentence => {
                affiliation::speaks_of_itself(affiliation::sentence(line, at), self.site, self.subject)
            }
            RequiredTie::Before => affiliation::is_ours(before, self.site, self.subject),
            RequiredTie::Strictly => is_ours,
            RequiredTie::None => self.subject == PageSubject::Business,
        };
        let after = &rest[end..];
        // `Owner Jane Doe of Other Corp`: at the start of a line the phrase may refer to anyone.
        let is_anothers = tie == RequiredTie::Before
            && !is_ours
            && affiliation::company_after(after, affiliation::OF, self.site) == affiliation::NamedCompany::Another;
        if let Some(title) = title.filter(|_| is_tied && !is_anothers && !affiliation::goes_on_as_company(after)) {
            self.stated.push(StatedRole { name, title, snippet: around(line, at, 40, 80).to_owned() });
        }
    }

    /// `Jane Doe is the owner of ...`, `I'm Jane Doe, the founder of ...`, `Jane Doe, CEO of Acme`.
    fn name_then_role(&self, line: &str, lower: &str) -> Option<(PersonName, String, usize)> {
        for (phrase, title) in ROLE_PHRASES {
            let Some(at) = lower.find(phrase) else { continue };
            if !self.budget.spend(LEAD_STEPS) {
                return None;
            }
            let sentence = affiliation::sentence(line, at);
            let company = affiliation::company_after(&line[at + phrase.len()..], affiliation::OF_OR_COMMA, self.site);
            let may_be = match (company, self.subject) {
                (affiliation::NamedCompany::Own, _) => true,
                (affiliation::NamedCompany::Another, _)
                | (affiliation::NamedCompany::Unnamed, PageSubject::Anything) => false,
                // Someone quoted with a title but no company may work anywhere.
                (affiliation::NamedCompany::Unnamed, PageSubject::Business) => {
                    *title != "CEO" && !affiliation::quotes_somebody(sentence)
                }
            };
            let trust = if company == affiliation::NamedCompany::Own { Trust::High } else { Trust::Low };
            if let Some(name) = name_at_end(around(line, at, 40, 0), trust).filter(|_| may_be) {
                return Some((name, (*title).to_owned(), at));
            }
        }
        None
    }
}

/// Phrases after a name that state the person's role, most reliable first.
const ROLE_PHRASES: &[(&str, &str)] = &[
    (" is the owner", "Owner"),
    (" is owner", "Owner"),
    (" is the proud owner", "Owner"),
    (" is the founder", "Founder"),
    (" is the co-founder", "Co-Founder"),
    (" is the ceo and co-founder", "CEO & Co-Founder"),
    (" is the ceo and founder", "CEO & Founder"),
    (" is the ceo", "CEO"),
    (", the owner", "Owner"),
    (", the founder", "Founder"),
    (", owner", "Owner"),
    (", founder", "Founder"),
    (", co-founder", "Co-Founder"),
    (", ceo and co-founder", "CEO & Co-Founder"),
    (", ceo and founder", "CEO & Founder"),
    (", ceo", "CEO"),
    (" founded the company", "Founder"),
    (" founded the business", "Founder"),
    (" started the company", "Founder"),
];

/// The name at the start of a text: the longest sequence of capitalised words that is one.
pub(super) fn name_at_start(text: &str) -> Option<PersonName> {
    let (name, end) = name_and_end(text)?;
    (!affiliation::goes_on_as_company(&text[end..])).then_some(name)
}

/// The name at the start of a text, and where it ends.
fn name_and_end(text: &str) -> Option<(PersonName, usize)> {
    let text = around(text, 0, 0, 60);
    let mut ends: Vec<usize> =
        text.char_indices().filter(|(_, c)| " ,.;()".contains(*c)).map(|(at, _)| at).take(8).collect();
    ends.push(text.len());
    // Longest first: `Jane A. Doe` before `Jane A`.
    let names = ends.iter().rev().filter_map(|end| names::parse(&text[..*end]).map(|name| (name, *end)));
    names.max_by_key(|(name, _)| name.name.split(' ').count().min(3))
}

/// `our founder, Zxy Doe, ...`: between commas a name need not be on a list.
fn apposition(text: &str) -> Option<(PersonName, usize)> {
    let end = text.find([',', '.', '(']).filter(|end| *end < 40)?;
    names::parse_as(&text[..end], Trust::High).map(|name| (name, end))
}

/// The longest name at the end of a text.
fn name_at_end(text: &str, trust: Trust) -> Option<PersonName> {
    let starts: Vec<usize> = text.char_indices().filter(|(_, c)| *c == ' ').map(|(at, _)| at + 1).collect();
    let read = |trust| {
        std::iter::once(0).chain(starts.iter().copied()).find_map(|start| names::parse_as(&text[start..], trust))
    };
    read(Trust::Low).or_else(|| read(trust))
}

fn owner_title_in(lower: &str) -> Option<String> {
    let owner = ["i own", "owner of", "the owner", "and owner"].iter().any(|p| lower.contains(p));
    let founder = ["i founded", "founder of", "the founder", "i started"].iter().any(|p| lower.contains(p));
    if owner { Some("Owner".to_owned()) } else { founder.then(|| "Founder".to_owned()) }
}
