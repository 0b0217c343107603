//! Reads sentences that state who owns or founded the business: `founded by Jane Doe in 1990`. Pages also mention
//! owners of other businesses, so the sentence must be linked to this one.

use crate::document::Document;
use crate::page::{around, lower_in_place};
use crate::people::affiliation::{self, NamedCompany, PageSubject};
use crate::people::early_years::{BOUGHT_MIN, FOUNDED_MIN, clause, is_long_ago, is_of_predecessor};
use crate::people::kin::{kin, without_kin};
use crate::people::names::{self, PersonName, Trust};
use crate::people::owner_phrases::{LeadIn, PhrasePlaces, RequiredTie, TRIGGERS};
use crate::people::{cards, owner_labels, ownership::departures, the_dead};
use crate::site::Site;

/// Trigger words examined per page.
const SENTENCES_MAX: usize = 300;
/// Steps charged per line with a trigger word, before its bytes are counted.
const LINE_STEPS: usize = 2_000;
const LINE_STEPS_PER_BYTE: usize = 4;
/// Steps charged for reading around one lead-in or role phrase.
const LEAD_STEPS: usize = 8_000;
/// Bytes between a verb and `by`.
const GAP_BYTES_MAX: usize = 60;
/// Lines above a biography that may be the heading with the name, and bytes of it that repeat a part of the name.
const HEADING_LINES: usize = 2;
const SUBJECT_BYTES_MAX: usize = 40;
/// Longest line that dates what is below it, in bytes.
const YEAR_BYTES_MAX: usize = 12;
/// Longest line that is read, in bytes.
const LINE_BYTES_MAX: usize = 3_000;

/// A person and the role a sentence states.
pub(super) struct StatedRole {
    pub(super) name: PersonName,
    pub(super) title: String,
    pub(super) snippet: String,
}

/// Reads the lines that contain a trigger word.
pub(super) fn find(document: &Document<'_>, readable: &[bool], site: &Site, page: PageKind) -> Vec<StatedRole> {
    let Some(triggers) = TRIGGERS.as_ref() else { return Vec::new() };
    let PageKind { subject, is_about } = page;
    let mut reader = SentenceReader { document, index: 0, site, subject, is_about, stated: Vec::new() };
    let mut last = usize::MAX;
    triggers.each(&document.text, SENTENCES_MAX, |found| {
        let index = document.line_at(found.start());
        let (line, place) = document.line(index);
        let is_credit = place.footer && affiliation::is_credit(line);
        if index != last && !place.nav && !place.quote && !is_credit {
            reader.index = index;
            reader.line(line, readable.get(index) == Some(&true));
        }
        last = index;
    });
    reader.stated
}

/// What kind of page sentences are read from.
#[derive(Clone, Copy)]
pub(super) struct PageKind {
    pub(super) subject: PageSubject,
    /// Whether the page tells the story of the business.
    pub(super) is_about: bool,
}

struct SentenceReader<'s, 'h> {
    document: &'s Document<'h>,
    /// The line being read.
    index: usize,
    site: &'s Site,
    subject: PageSubject,
    is_about: bool,
    stated: Vec<StatedRole>,
}

impl SentenceReader<'_, '_> {
    /// `founded by Jane Doe in 1990`, `our owner Jane Doe`, `Jane Doe is the owner of Acme`.
    fn line(&mut self, line: &str, is_readable: bool) {
        if line.len() > LINE_BYTES_MAX || !self.document.budget.spend(LINE_STEPS + LINE_STEPS_PER_BYTE * line.len()) {
            return;
        }
        let lower = lower_in_place(line);
        let places = PhrasePlaces::find(&lower);
        if !is_readable {
            // A quotation may still say that someone runs this very business.
            self.name_then_role(line, &places, PageSubject::Anything);
            return;
        }
        for (lead, at) in places.leads() {
            if !self.document.budget.spend(LEAD_STEPS) {
                return;
            }
            let sentence = affiliation::sentence(line, at);
            if !the_dead::is_named_in(sentence) && !is_of_predecessor(sentence, lead.phrase) {
                self.lead(line, at, lead);
            }
        }
        self.founded_by(line, &lower, &places);
        self.name_then_role(line, &places, self.subject);
        self.name_then_verb(line, &places);
    }

    fn push(&mut self, names: Vec<PersonName>, title: &str, snippet: &str) {
        let stated = |name| StatedRole { name, title: title.to_owned(), snippet: snippet.to_owned() };
        self.stated.extend(names.into_iter().map(stated));
    }

    /// Reads the words around a lead-in phrase found at `at`.
    fn lead(&mut self, line: &str, at: usize, lead: LeadIn) {
        let LeadIn { phrase, title, tie } = lead;
        let (before, rest) = (&line[..at], &line[at + phrase.len()..]);
        if before.ends_with(|c: char| c.is_alphanumeric() || c == '-') || affiliation::owns_something_else(before) {
            return;
        }
        let is_ours = affiliation::is_ours(before, self.site, PageSubject::Anything);
        let rest = kin(rest);
        let read = people_and_end(rest)
            .or_else(|| apposition(rest).filter(|_| is_ours).map(|(name, end)| (vec![name], end)))
            .or_else(|| unlisted(rest).filter(|_| tie == RequiredTie::Sentence));
        let Some((names, end)) = read else { return };
        let title = if title.is_empty() { owner_title_in(&line.to_lowercase()) } else { Some(title.to_owned()) };
        let sentence = affiliation::sentence(line, at);
        let is_tied = match tie {
            // `Founded in 1921, Acme is now owned by ...`: only the clause dates the owner.
            RequiredTie::Sentence => {
                let dated = if phrase.starts_with("owned") { clause(line, at) } else { sentence };
                self.is_of_business(sentence, before) && !is_long_ago(dated, FOUNDED_MIN)
            }
            RequiredTie::Before => {
                affiliation::is_ours(before, self.site, self.subject) || self.is_in_our_story(before, sentence)
            }
            RequiredTie::Strictly => is_ours || self.begins_our_story(before, sentence),
            RequiredTie::Named => {
                self.site.is_named_in(sentence)
                    && !names.iter().any(|person| self.site.is_named_in(&person.name))
                    && self.is_of_business(sentence, before)
                    && !is_long_ago(sentence, FOUNDED_MIN)
            }
            RequiredTie::None => self.subject == PageSubject::Business,
        };
        let after = &rest[end..];
        // `Owner Jane Doe of Other Corp`: at the start of a line the phrase may refer to anyone.
        let is_anothers = tie == RequiredTie::Before
            && !is_ours
            && affiliation::company_after(after, affiliation::OF, self.site) == NamedCompany::Another;
        if let Some(title) = title.filter(|_| is_tied && !is_anothers && !affiliation::goes_on_as_company(after)) {
            self.push(names, &title, around(line, at, 40, 80));
        }
    }

    /// Whom a paragraph is about: the name that it begins with, or that in the heading above it, if it repeats a part of it.
    fn subject_of_biography(&self, line: &str) -> Option<PersonName> {
        let headings = (self.index.saturating_sub(HEADING_LINES)..self.index).rev().map(|at| self.document.line(at));
        let mut headings = headings.filter(|(_, place)| place.heading);
        name_at_start(line).or_else(|| {
            let name = cards::name(headings.next()?.0)?;
            let start = around(line, 0, 0, SUBJECT_BYTES_MAX);
            let is_repeated = name.name.split(' ').any(|word| word.len() > 2 && start.contains(word));
            is_repeated.then_some(name)
        })
    }

    /// Whether a sentence about a foundation is about this business. On a page that tells its story every one is.
    fn is_of_business(&self, sentence: &str, before: &str) -> bool {
        // `Globex, owned by Ann Lee, is one of our customers`
        let is_of_another = affiliation::is_of_another(before, self.site);
        if self.is_about && !affiliation::quotes_somebody(sentence) {
            return !(is_of_another && affiliation::says_ours(sentence));
        }
        let is_label = self.subject == PageSubject::Business && affiliation::is_owner_label(before);
        is_label || (affiliation::speaks_of_itself(sentence, self.site, self.subject) && !is_of_another)
    }

    /// `Since 2008, owner Jane Doe has been serving our neighbours`: on the page that tells the story of the business.
    fn is_in_our_story(&self, before: &str, sentence: &str) -> bool {
        self.is_about
            && (before.ends_with(", ") || before.ends_with(" of "))
            && affiliation::speaks_of_itself(sentence, self.site, self.subject)
            && !affiliation::quotes_somebody(sentence)
            && !affiliation::thanks_somebody(sentence)
    }

    /// `President Jane Doe started our company in 1985`: a sentence of the business that begins with the title.
    fn begins_our_story(&self, before: &str, sentence: &str) -> bool {
        let before = before.trim_end();
        (before.is_empty() || before.ends_with(['.', '!']))
            && self.subject == PageSubject::Business
            && (affiliation::says_ours(sentence) || self.site.is_named_in(sentence))
            && !affiliation::quotes_somebody(sentence)
    }

    /// `founded in 1985 by Jane Doe`.
    fn founded_by(&mut self, line: &str, lower: &str, places: &PhrasePlaces) {
        for ((verb, word), at) in places.passive_verbs() {
            let gap = around(&lower[at + verb.len()..], 0, 0, GAP_BYTES_MAX);
            let Some(by) =
                gap.find(word).filter(|by| *by > 0 && gap[..*by].ends_with(' ') && !gap[..*by].contains('.'))
            else {
                continue;
            };
            if !self.document.budget.spend(LEAD_STEPS) {
                return;
            }
            let rest = kin(&line[at + verb.len() + by + word.len()..]);
            let Some((names, end)) = people_and_end(rest).or_else(|| unlisted(rest)) else { continue };
            let sentence = affiliation::sentence(line, at);
            let is_tied = self.is_of_business(sentence, &line[..at])
                && !is_long_ago(sentence, FOUNDED_MIN)
                && !the_dead::is_named_in(sentence);
            // `created by Ann Lee` alone credits whoever made the website.
            let is_credit = verb == "created " && at == 0 && !self.site.is_named_in(line);
            if is_tied && !is_credit && !affiliation::goes_on_as_company(&rest[end..]) {
                self.push(names, "Founder", around(line, at, 40, 100));
            }
        }
    }

    /// `Jane Doe is the owner of ...`, `I'm Jane Doe, the founder of ...`, `Jane Doe, CEO of Acme`.
    fn name_then_role(&mut self, line: &str, places: &PhrasePlaces, subject: PageSubject) {
        if places.roles().next().is_some() && self.is_of_an_early_year() {
            return;
        }
        for ((phrase, title), at) in places.roles() {
            if !self.document.budget.spend(LEAD_STEPS) {
                return;
            }
            let sentence = affiliation::sentence(line, at);
            let after = &line[at + phrase.len()..];
            let is_old = phrase == " gegründet" && is_long_ago(sentence, FOUNDED_MIN);
            if is_old || affiliation::is_of_outsider(&line[..at]) || affiliation::owns_a_thing(after) {
                continue;
            }
            let company = match affiliation::company_after(after, affiliation::OF_OR_COMMA, self.site) {
                NamedCompany::Another if self.is_namesakes(after, line) => NamedCompany::Own,
                company => company,
            };
            let may_be = match (company, subject) {
                (NamedCompany::Own, _) => true,
                (NamedCompany::Another, _) | (NamedCompany::Unnamed, PageSubject::Anything) => false,
                // Someone quoted with a title but no company may work anywhere, and presidents preside over countries.
                (NamedCompany::Unnamed, PageSubject::Business) => {
                    let is_any = matches!(title, "CEO" | "President");
                    (!is_any || affiliation::says_ours(sentence)) && !affiliation::quotes_somebody(sentence)
                }
            };
            let trust = if company == NamedCompany::Own { Trust::High } else { Trust::Low };
            let mut names = people_at_end(around(line, at, 60, 0), trust);
            // `Jane Doe joined in 1990. She is the founder of Acme.`
            let is_pronoun = line[..at].ends_with(" He") || line[..at].ends_with(" She");
            if names.is_empty() && is_pronoun && (company == NamedCompany::Own || self.site.is_named_in(sentence)) {
                names.extend(name_at_start(line));
            }
            if may_be && !names.is_empty() && !the_dead::is_named_in(sentence) {
                self.push(names, title, around(line, at, 60, 60));
                return;
            }
        }
    }

    /// Whether the lines above begin with an early year: `1956`, `Karl Meier, Inhaber`.
    fn is_of_an_early_year(&self) -> bool {
        let above = (self.index.saturating_sub(HEADING_LINES)..self.index).map(|at| self.document.line(at).0);
        let years = above.filter(|line| line.len() <= YEAR_BYTES_MAX);
        years.into_iter().any(|line| is_long_ago(line, FOUNDED_MIN))
    }

    /// `Jane Doe is a potter. She is the founder of Doe Pots`: the company carries her surname, and so does the site.
    fn is_namesakes(&self, after: &str, line: &str) -> bool {
        let Some(name) = name_at_start(line) else { return false };
        let surname = name.name.rsplit(' ').next().unwrap_or("");
        let company = around(after, 0, 0, GAP_BYTES_MAX).split_once(" of ").map_or("", |(_, company)| company);
        surname.len() > 3 && company.starts_with(surname) && self.site.carries(surname)
    }

    /// `Jane Doe founded Acme in 1985`, `Jane Doe opened the shop`.
    fn name_then_verb(&mut self, line: &str, places: &PhrasePlaces) {
        for ((verb, title), at) in places.verbs() {
            let object = &line[at + verb.len()..];
            // Who bought the business decades ago may have sold it since.
            let is_bought = matches!(verb, " purchased " | " bought " | " took over ");
            let sentence = affiliation::sentence(line, at);
            if is_long_ago(sentence, if is_bought { BOUGHT_MIN } else { FOUNDED_MIN }) {
                continue;
            }
            // On a page about others, `the company` is theirs.
            let is_told = self.is_about || affiliation::says_ours(sentence);
            let subject = if is_told { self.subject } else { PageSubject::Anything };
            if !affiliation::is_this_business(object, self.site, subject) || !self.document.budget.spend(LEAD_STEPS) {
                continue;
            }
            let mut names = people_at_end(around(line, at, 60, 0), Trust::Low);
            if names.is_empty() && is_pronoun(&line[..at]) {
                names.extend(self.subject_of_biography(line));
            }
            let is_others = departures::is_past(sentence) || affiliation::quotes_somebody(sentence);
            if !names.is_empty() && !is_others && !affiliation::is_of_outsider(&line[..at]) {
                self.push(names, title, around(line, at, 60, 60));
                return;
            }
        }
    }
}

/// Whether a text ends in `she`, or `he also`.
fn is_pronoun(before: &str) -> bool {
    let before = [" also", " then", " later"].iter().find_map(|word| before.strip_suffix(word)).unwrap_or(before);
    matches!(before.rsplit(' ').next(), Some("he" | "she" | "He" | "She"))
}

/// The one or two people named at the start of a text, and where their names end.
pub(super) fn people_and_end(text: &str) -> Option<(Vec<PersonName>, usize)> {
    let near = around(text, 0, 0, 80);
    let Some((name, end)) = name_and_end(text) else {
        // `Ann and Bob Lee` share the surname.
        let sign = names::AND.into_iter().find_map(|sign| near.find(sign).map(|at| at + sign.len()))?;
        let (_, end) = name_and_end(&near[sign..]).filter(|_| sign < 24)?;
        return names::parse_couple(&near[..sign + end]).map(|both| (both.into(), sign + end));
    };
    let after = &text[end..];
    let next = after.strip_prefix(" and ").or_else(|| after.strip_prefix(" & "));
    match next.and_then(|next| name_and_end(next).map(|(two, more)| (two, text.len() - next.len() + more))) {
        Some((two, end)) => Some((vec![name, two], end)),
        None => Some((vec![name], end)),
    }
}

/// The one or two people named at the end of a text.
fn people_at_end(text: &str, trust: Trust) -> Vec<PersonName> {
    let text = without_kin(text);
    // `Ann Lee, his granddaughter, is the owner`.
    let text = match text.strip_suffix(',') {
        Some(head) => head.rsplit_once(", ").map_or(text, |(name, _)| name),
        None => text,
    };
    let Some(name) = name_at_end(text, trust) else { return Vec::new() };
    let starts = std::iter::once(0).chain(text.match_indices(' ').map(|(at, _)| at + 1));
    let couple = starts.into_iter().find_map(|start| names::parse_couple(&text[start..]));
    couple.map_or_else(|| vec![name], Vec::from)
}

/// The name at the start of a text: the longest sequence of capitalised words that is one.
pub(super) fn name_at_start(text: &str) -> Option<PersonName> {
    let (name, end) = name_and_end(text)?;
    (!affiliation::goes_on_as_company(&text[end..])).then_some(name)
}

/// The name at the start of a text, and where it ends.
pub(super) fn name_and_end(text: &str) -> Option<(PersonName, usize)> {
    let text = around(text, 0, 0, 60);
    let is_end = |c: char| matches!(c, ' ' | ',' | '.' | ';' | '(' | ')');
    let mut ends: Vec<usize> = text.char_indices().filter(|(_, c)| is_end(*c)).map(|(at, _)| at).take(8).collect();
    ends.push(text.len());
    // Longest first: `Jane A. Doe` before `Jane A`. A known surname ends the name: `Jane Doe Guidelines`.
    let names = ends.iter().rev().filter(|end| !is_street(text, **end));
    let names = names.filter_map(|end| names::parse(&text[..*end]).map(|name| (name, *end)));
    names.max_by_key(|(name, _)| {
        let last = name.name.rsplit(' ').next().unwrap_or("").to_lowercase();
        (names::is_surname(&last), name.name.split(' ').count().min(3))
    })
}

/// Whether the last word before `end` is a street rather than a surname: a house number follows, `Ann Lee Lindenweg 5`.
fn is_street(text: &str, end: usize) -> bool {
    let has_surname = memchr::memchr_iter(b' ', &text.as_bytes()[..end]).nth(1).is_some();
    has_surname && text[end..].trim_start_matches([' ', '.']).starts_with(|c: char| c.is_ascii_digit())
}

/// `our founder, Zxy Doe, ...`: between commas a name need not be on a list.
fn apposition(text: &str) -> Option<(PersonName, usize)> {
    let end = text.find([',', '.', '(']).filter(|end| *end < 40)?;
    names::parse_as(&text[..end], Trust::High).map(|name| (name, end))
}

/// Someone on no list whom a sentence says to have founded the business or to own it.
fn unlisted(text: &str) -> Option<(Vec<PersonName>, usize)> {
    owner_labels::founder(text).map(|(name, end)| (vec![name], end))
}

/// The longest name at the end of a text.
pub(super) fn name_at_end(text: &str, trust: Trust) -> Option<PersonName> {
    let starts: Vec<usize> = text.char_indices().filter(|(_, c)| *c == ' ').map(|(at, _)| at + 1).collect();
    let read = |trust| {
        std::iter::once(0).chain(starts.iter().copied()).find_map(|start| names::parse_as(&text[start..], trust))
    };
    read(Trust::Low).or_else(|| read(trust))
}

fn owner_title_in(lower: &str) -> Option<String> {
    let owner = ["i own", "i have owned", "i’ve owned", "i've owned", "owner of", "the owner", "and owner"]
        .iter()
        .any(|p| lower.contains(p));
    let founder = ["i founded", "founder of", "the founder", "i started"].iter().any(|p| lower.contains(p));
    if owner { Some("Owner".to_owned()) } else { founder.then(|| "Founder".to_owned()) }
}
