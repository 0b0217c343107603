//! Reads sentences that say who owns or founded the business: `founded by Jane Doe in 1990`. Pages tell of other
//! people's businesses too, so something must tie the sentence to this one.

use std::sync::LazyLock;

use memchr::memmem;

use crate::budget::Budget;
use crate::document::Document;
use crate::literals::Literals;
use crate::page::around;
use crate::people::names::{self, Name, Trust};
use crate::people::ties;
use crate::site::Site;

/// Places that may say who owns the business, looked at on one page.
const SENTENCES_MAX: usize = 300;
/// Steps of a line with such a place, besides its bytes, and of each of those.
const LINE_STEPS: usize = 2_000;
const LINE_STEPS_PER_BYTE: usize = 4;
/// Steps of reading around one lead or role phrase.
const LEAD_STEPS: usize = 8_000;
/// Bytes of a line that is read.
const LINE_BYTES_MAX: usize = 3_000;

/// How words before a name must be tied to the business.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tie {
    /// The sentence speaks of this business: `Acme was founded by Jane Doe`.
    Sentence,
    /// The word before says whose owner it is: `our owner Jane Doe`.
    Before,
    /// Whoever runs something is named everywhere: `our CEO Jane Doe`, `Acme CEO Jane Doe`, nothing else.
    Strictly,
    /// The words are a label of their own.
    None,
}

/// Words before a name that say what the person is.
const LEADS: &[(&str, &str, Tie)] = &[
    ("founded by ", "Founder", Tie::Sentence),
    ("owned by ", "Owner", Tie::Sentence),
    ("owned and operated by ", "Owner", Tie::Sentence),
    ("owned & operated by ", "Owner", Tie::Sentence),
    ("established by ", "Founder", Tie::Sentence),
    ("started by ", "Founder", Tie::Sentence),
    ("co-founded by ", "Co-Founder", Tie::Sentence),
    ("gegründet von ", "Gründer", Tie::Sentence),
    ("fondée par ", "Fondateur", Tie::Sentence),
    ("fundado por ", "Fundador", Tie::Sentence),
    ("owner and operator ", "Owner", Tie::Before),
    ("owner/operator ", "Owner", Tie::Before),
    ("owner-operator ", "Owner", Tie::Before),
    ("owner, ", "Owner", Tie::Before),
    ("founder, ", "Founder", Tie::Before),
    ("owner ", "Owner", Tie::Before),
    ("founder ", "Founder", Tie::Before),
    ("founder and ceo ", "Founder & CEO", Tie::Before),
    ("co-owner ", "Co-Owner", Tie::Before),
    ("co-founder ", "Co-Founder", Tie::Before),
    ("proprietor ", "Proprietor", Tie::Before),
    ("ceo ", "CEO", Tie::Strictly),
    ("ceo, ", "CEO", Tie::Strictly),
    ("president ", "President", Tie::Strictly),
    ("president, ", "President", Tie::Strictly),
    ("inhaber ", "Inhaber", Tie::None),
    ("inhaber: ", "Inhaber", Tie::None),
    ("inhaberin: ", "Inhaberin", Tie::None),
    ("inh. ", "Inhaber", Tie::None),
    ("inh.: ", "Inhaber", Tie::None),
    ("geschäftsführer: ", "Geschäftsführer", Tie::None),
    ("geschäftsführerin: ", "Geschäftsführerin", Tie::None),
    ("gérant : ", "Gérant", Tie::None),
    ("propriétaire : ", "Propriétaire", Tie::None),
    ("my name is ", "", Tie::None),
];

/// Searches for the leads, made once.
static LEAD_SEARCHES: LazyLock<Vec<memmem::Finder<'static>>> =
    LazyLock::new(|| LEADS.iter().map(|(lead, _, _)| memmem::Finder::new(*lead)).collect());

/// A person and what a sentence says of them.
pub(super) struct Told {
    pub(super) name: Name,
    pub(super) title: String,
    pub(super) snippet: String,
}

/// How much of what a page tells is about the business itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// Most of it.
    Itself,
    /// An article: only sentences that name the business count.
    Anything,
}

/// Looks at the lines in which a word says that somebody owns or founded something.
pub(super) fn find(document: &Document<'_>, site: &Site, subject: Subject) -> Vec<Told> {
    let Some(triggers) = TRIGGERS.as_ref() else { return Vec::new() };
    let mut reader = Reader { site, subject, budget: &document.budget, told: Vec::new() };
    let mut last = usize::MAX;
    triggers.each(&document.text, SENTENCES_MAX, |found| {
        let index = document.line_at(found.start());
        let (line, place) = document.line(index);
        if index != last && !place.nav && !place.quote {
            reader.line(line);
        }
        last = index;
    });
    reader.told
}

/// What every sentence of interest has in it, without the first letter, so that capitals do not matter.
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

struct Reader<'s> {
    site: &'s Site,
    subject: Subject,
    budget: &'s Budget,
    told: Vec<Told>,
}

impl Reader<'_> {
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
            self.told.push(Told { name, title, snippet: around(line, at, 60, 60).to_owned() });
        }
    }

    /// Words before a name, found at `at`.
    fn lead(&mut self, line: &str, at: usize, (lead, title, tie): (&str, &str, Tie)) {
        let (before, rest) = (&line[..at], &line[at + lead.len()..]);
        if before.ends_with(|c: char| c.is_alphanumeric() || c == '-') || ties::owns_something_else(before) {
            return;
        }
        let is_ours = ties::is_ours(before, self.site, Subject::Anything);
        let Some((name, end)) = name_and_end(rest).or_else(|| apposition(rest).filter(|_| is_ours)) else { return };
        let title = if title.is_empty() { owner_title_in(&line.to_lowercase()) } else { Some(title.to_owned()) };
        let is_tied = match tie {
            Tie::Sentence => ties::speaks_of_itself(ties::sentence(line, at), self.site, self.subject),
            Tie::Before => ties::is_ours(before, self.site, self.subject),
            Tie::Strictly => is_ours,
            Tie::None => self.subject == Subject::Itself,
        };
        let after = &rest[end..];
        // `Owner Jane Doe of Other Corp`: what only begins a line may be anybody's.
        let is_anothers =
            tie == Tie::Before && !is_ours && ties::company_after(after, ties::OF, self.site) == ties::Company::Another;
        if let Some(title) = title.filter(|_| is_tied && !is_anothers && !ties::goes_on_as_company(after)) {
            self.told.push(Told { name, title, snippet: around(line, at, 40, 80).to_owned() });
        }
    }

    /// `Jane Doe is the owner of ...`, `I'm Jane Doe, the founder of ...`, `Jane Doe, CEO of Acme`.
    fn name_then_role(&self, line: &str, lower: &str) -> Option<(Name, String, usize)> {
        for (phrase, title) in ROLE_PHRASES {
            let Some(at) = lower.find(phrase) else { continue };
            if !self.budget.spend(LEAD_STEPS) {
                return None;
            }
            let sentence = ties::sentence(line, at);
            let company = ties::company_after(&line[at + phrase.len()..], ties::OF_OR_COMMA, self.site);
            let may_be = match (company, self.subject) {
                (ties::Company::Own, _) => true,
                (ties::Company::Another, _) | (ties::Company::Unnamed, Subject::Anything) => false,
                // Whoever is quoted with a title but no company may be anybody.
                (ties::Company::Unnamed, Subject::Itself) => *title != "CEO" && !ties::quotes_somebody(sentence),
            };
            let trust = if company == ties::Company::Own { Trust::Much } else { Trust::Little };
            if let Some(name) = name_at_end(around(line, at, 40, 0), trust).filter(|_| may_be) {
                return Some((name, (*title).to_owned(), at));
            }
        }
        None
    }
}

/// What follows a name and says what the person is, the surest first.
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

/// The name that starts a text: the longest row of capitalised words that is one.
pub(super) fn name_at_start(text: &str) -> Option<Name> {
    let (name, end) = name_and_end(text)?;
    (!ties::goes_on_as_company(&text[end..])).then_some(name)
}

/// The name that starts a text, and where it ends.
fn name_and_end(text: &str) -> Option<(Name, usize)> {
    let text = around(text, 0, 0, 60);
    let mut ends: Vec<usize> =
        text.char_indices().filter(|(_, c)| " ,.;()".contains(*c)).map(|(at, _)| at).take(8).collect();
    ends.push(text.len());
    // From the longest on: `Jane A. Doe` before `Jane A`.
    let names = ends.iter().rev().filter_map(|end| names::parse(&text[..*end]).map(|name| (name, *end)));
    names.max_by_key(|(name, _)| name.name.split(' ').count().min(3))
}

/// `our founder, Zxy Doe, ...`: between commas a name need not be on a list.
fn apposition(text: &str) -> Option<(Name, usize)> {
    let end = text.find([',', '.', '(']).filter(|end| *end < 40)?;
    names::parse_as(&text[..end], Trust::Much).map(|name| (name, end))
}

/// The name that ends a text: the longest that is one.
fn name_at_end(text: &str, trust: Trust) -> Option<Name> {
    let starts: Vec<usize> = text.char_indices().filter(|(_, c)| *c == ' ').map(|(at, _)| at + 1).collect();
    let read = |trust| {
        std::iter::once(0).chain(starts.iter().copied()).find_map(|start| names::parse_as(&text[start..], trust))
    };
    read(Trust::Little).or_else(|| read(trust))
}

fn owner_title_in(lower: &str) -> Option<String> {
    let owner = ["i own", "owner of", "the owner", "and owner"].iter().any(|p| lower.contains(p));
    let founder = ["i founded", "founder of", "the founder", "i started"].iter().any(|p| lower.contains(p));
    if owner { Some("Owner".to_owned()) } else { founder.then(|| "Founder".to_owned()) }
}
