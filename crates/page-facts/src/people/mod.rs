//! Finds people: names with titles in text and structured data, and which of them owns the business. Precision comes
//! before recall: a name must look like one, and something must state the person's role.

mod affiliation;
pub(crate) mod mention;
mod merge;
pub(crate) mod names;
mod namesake;
mod other_companies;
mod sentences;
mod speaker;
pub(crate) mod titles;

pub(crate) use mention::PersonMention;
pub(crate) use merge::merge;

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use crate::document::{Document, LineContext};
use crate::facts::Method;
use crate::page::around;
use crate::site::Site;
use crate::structured::business::Structured;
use affiliation::PageSubject;
use mention::OwnerClaim;
use names::PersonName;

/// Mentions kept per page.
const PEOPLE_MAX: usize = 150;
/// Steps charged per line that may be a name or a title, before its bytes are counted.
const LINE_STEPS: usize = 2_000;
const LINE_STEPS_PER_BYTE: usize = 20;
/// Steps charged per person found, including the cost of merging.
const PERSON_STEPS: usize = 4_000;
/// Longest title in structured data that is read, in bytes.
const TITLE_BYTES_MAX: usize = 200;
/// Bytes of the paragraph before a name that are checked for a customer's voice.
const PARAGRAPH_BYTES_MAX: usize = 2_000;
/// Lines examined per page.
const LINES_MAX: usize = 20_000;
/// People with titles that make a page a team page.
const TEAM_MIN: usize = 2;
/// Lines that a testimonial heading applies to.
const TESTIMONIAL_LINES: usize = 60;

/// Finds the people of one page.
pub(crate) fn find(document: &Document<'_>, structured: &Structured, site: &Site) -> Vec<PersonMention> {
    let found = of_structured(document, structured, site);
    let mut reader = LineReader { document, site, found, testimonials_until: 0 };
    for index in 0..document.lines.len().min(LINES_MAX) {
        if reader.found.len() >= PEOPLE_MAX {
            document.budget.note_cut();
            break;
        }
        if !reader.line(index) {
            break;
        }
    }
    if reader.found.iter().filter(|person| person.method == Method::Text).count() >= TEAM_MIN {
        reader.rest_of_the_team();
    }
    let subject = if structured.is_article { PageSubject::Anything } else { PageSubject::Business };
    for stated in sentences::find(document, site, subject).into_iter().take(PEOPLE_MAX) {
        reader.keep(stated.name, Some(stated.title), &stated.snippet);
    }
    other_companies::drop_testimonials(&mut reader.found, site);
    namesake::mark(&mut reader.found, document, site);
    reader.found
}

/// The people named in structured data.
fn of_structured(document: &Document<'_>, structured: &Structured, site: &Site) -> Vec<PersonMention> {
    let mut found = Vec::new();
    for node in structured.people.iter().take(PEOPLE_MAX) {
        // Someone with a stated job is a person even if the name is on no list.
        let trust = if node.title.is_some() || (node.founder && node.is_typed) {
            names::Trust::High
        } else {
            names::Trust::Low
        };
        if !document.budget.spend(PERSON_STEPS + LINE_STEPS_PER_BYTE * TITLE_BYTES_MAX) {
            break;
        }
        let Some(name) = names::parse_as(&node.name, trust) else { continue };
        let title = node.title.as_deref().map(|title| around(title, 0, 0, TITLE_BYTES_MAX));
        // The author of an article may not work here.
        if node.title.is_none() && !node.founder && structured.is_article {
            continue;
        }
        if title.is_some_and(|title| other_companies::names_another(title, site)) {
            continue;
        }
        let snippet = format!("{}{}", node.name, title.map(|t| format!(", {t}")).unwrap_or_default());
        let title = title.map(str::to_owned).or_else(|| title_of_letters(&name));
        found.push(PersonMention {
            name: name.name,
            title,
            email: node.email.clone(),
            claim: if node.founder { OwnerClaim::Founder } else { OwnerClaim::Title },
            method: node.method,
            snippet,
        });
    }
    found
}

struct LineReader<'d, 'h> {
    document: &'d Document<'h>,
    site: &'d Site,
    found: Vec<PersonMention>,
    testimonials_until: usize,
}

impl LineReader<'_, '_> {
    /// Examines one line. `false` when the budget is spent.
    fn line(&mut self, index: usize) -> bool {
        let (line, place) = self.document.line(index);
        // A menu entry called "Reviews" does not start a section on this page.
        if (7..200).contains(&line.len()) && !place.link && !place.nav && is_testimonial_heading(line, place) {
            self.testimonials_until = index + TESTIMONIAL_LINES;
        } else if place.heading
            && index < self.testimonials_until
            && line.len() > 8
            && line.split_whitespace().take(8).count() < 8
            && self.document.budget.spend(LINE_STEPS)
            && names::parse(line).is_none()
        {
            self.testimonials_until = 0;
        }
        if place.nav || place.quote || index < self.testimonials_until || !line.bytes().any(|b| b.is_ascii_uppercase())
        {
            return true;
        }
        if line.len() > 100 || !line.contains(' ') {
            return true;
        }
        let (may_be_label, may_be_name) = (may_be_label(line), names::may_start(line));
        if !(may_be_label || may_be_name) {
            return true;
        }
        if !self.document.budget.spend(LINE_STEPS + LINE_STEPS_PER_BYTE * line.len()) {
            return false;
        }
        self.short_line(line, index, LineShape { may_be_label, may_be_name });
        true
    }

    /// A name with its title on the next line, or both on one line.
    fn short_line(&mut self, line: &str, index: usize, shape: LineShape) -> bool {
        let LineShape { may_be_label, may_be_name } = shape;
        if self.follows_quote(index) {
            return false;
        }
        let both =
            labelled(line).filter(|_| may_be_label).or_else(|| name_and_title(line, self.site).filter(|_| may_be_name));
        if let Some((name, title)) = both {
            return self.keep(name, Some(title), line);
        }
        if !may_be_name {
            return false;
        }
        let Some(name) = names::parse(line) else { return false };
        let (next, _) = self.document.line(index + 1);
        if titles::is_title(next)
            && names::parse(next).is_none()
            && name_and_title(next, self.site).is_none()
            && labelled(next).is_none()
            && !other_companies::names_another(next, self.site)
            && !other_companies::is_company_line(self.document.line(index + 2).0, self.site)
        {
            let title = next.to_owned();
            return self.keep(name, Some(title), &format!("{line}, {next}"));
        }
        if let Some(title) = title_of_letters(&name) {
            return self.keep(name, Some(title), line);
        }
        // Some cards show the title above the name; only an owner's title is accepted there.
        let before = if index > 0 { self.document.line(index - 1).0 } else { "" };
        if before.len() < 30
            && titles::is_title(before)
            && titles::owner_rank(before) > 0
            && !self.follows_quote(index - 1)
            && !other_companies::is_company_line(next, self.site)
        {
            let title = before.to_owned();
            return self.keep(name, Some(title), &format!("{before}: {line}"));
        }
        false
    }

    /// On a team page, accepts names that are on no list.
    fn rest_of_the_team(&mut self) {
        let document = self.document;
        for index in 0..document.lines.len().min(LINES_MAX) {
            let (line, place) = document.line(index);
            let is_candidate = line.len() < 50
                && !place.nav
                && !place.quote
                && !place.link
                && line.contains(' ')
                && !names::may_start(line);
            if !is_candidate || !titles::may_be_title(document.line(index + 1).0) {
                continue;
            }
            if self.found.len() >= PEOPLE_MAX || !document.budget.spend(LINE_STEPS) {
                break;
            }
            if self.follows_quote(index) {
                continue;
            }
            let (next, _) = document.line(index + 1);
            let Some(name) = names::parse_as(line, names::Trust::High) else { continue };
            if titles::is_title(next)
                && !titles::is_title(line)
                && names::parse(next).is_none()
                && !other_companies::names_another(next, self.site)
            {
                self.keep(name, Some(next.to_owned()), &format!("{line}, {next}"));
            }
        }
    }

    /// Whether the previous line ends a quotation, so that this one names its author.
    fn follows_quote(&self, index: usize) -> bool {
        if index == 0 {
            return false;
        }
        let (before, place) = self.document.line(index - 1);
        let (line, here) = self.document.line(index);
        // A customer writes "us" and "my roof" before the name; a team page has the name in a heading.
        let end = around(before, before.len(), PARAGRAPH_BYTES_MAX, 0);
        let tells = !here.heading && before.len() > 60 && speaker::is_customer(end);
        let quoted =
            before.ends_with(['”', '"', '’', '»']) || (before.starts_with(['“', '"', '«', '„']) && before.len() > 40);
        place.quote || quoted || tells || line.starts_with(['-', '–', '—', '~', '“', '"'])
    }

    fn keep(&mut self, name: PersonName, title: Option<String>, snippet: &str) -> bool {
        if !self.document.budget.spend(PERSON_STEPS) {
            return false;
        }
        let title = title.map(|t| clean_title(&t)).filter(|t| !t.is_empty());
        let snippet = snippet.chars().take(160).collect::<String>().replace('\n', " ");
        self.found.push(PersonMention {
            name: name.name,
            title,
            email: None,
            claim: OwnerClaim::Title,
            method: Method::Text,
            snippet,
        });
        true
    }
}

/// What a line can be, judged by its characters.
struct LineShape {
    may_be_label: bool,
    may_be_name: bool,
}

/// Whether a colon, bar or dash may separate a title from a name. The byte scan rejects most lines immediately.
fn may_be_label(line: &str) -> bool {
    let bytes = line.as_bytes();
    let rare = bytes.iter().fold(false, |found, byte| found | matches!(byte, b':' | b'|' | b'-' | 0x80..));
    rare && (line.contains([':', '–', '|']) || bytes.windows(3).any(|w| w == b" - "))
}

fn is_testimonial_heading(line: &str, place: LineContext) -> bool {
    (place.heading || line.len() < 60) && TESTIMONIALS.as_ref().is_some_and(|words| words.is_match(line))
}

/// Headings of testimonial sections.
static TESTIMONIALS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let words = [
        "testimonial",
        "reviews",
        "what our client",
        "what our customer",
        "what our patient",
        "what people",
        "clients say",
        "customers say",
        "hear from",
        "success stories",
        "kind words",
        "customer stories",
        "they say about",
        "people are saying",
        "are saying",
        "what others say",
        "customers love",
        "trusted by",
        "loved by",
    ];
    let builder = AhoCorasick::builder().ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA)).build(words);
    builder.ok()
});

/// `Jane Doe, Owner`, `Jane Doe - Owner`, `Jane Doe | Owner & CEO`, `Jane Doe (Owner)`.
fn name_and_title(line: &str, site: &Site) -> Option<(PersonName, String)> {
    // Credentials in between: `Jane Doe, CPA, Managing Partner`.
    if let Some((left, right)) = line.rsplit_once(", ")
        && let Some(name) = names::parse(left).filter(|name| name.credentials.is_some())
        && titles::is_title(right)
        && !other_companies::names_another(right, site)
    {
        return Some((name, right.trim().to_owned()));
    }
    for separator in [" – ", " — ", " - ", " | ", ", ", ": ", " / ", " (", " • ", " · "] {
        let Some((left, right)) = line.split_once(separator) else { continue };
        let right = right.trim_end_matches(')').trim();
        if let Some(name) = names::parse(left)
            && titles::is_title(right)
            && !other_companies::names_another(right, site)
        {
            return Some((name, right.to_owned()));
        }
    }
    None
}

/// `Owner: Jane Doe`, `Inhaber: Hans Meier`.
fn labelled(line: &str) -> Option<(PersonName, String)> {
    let (label, rest) = line.split_once([':', '–', '-', '|']).filter(|(label, _)| label.len() < 40)?;
    let label = label.trim();
    let is_label = titles::is_title(label) && names::parse(label).is_none();
    if !is_label {
        return None;
    }
    names::parse(rest).or_else(|| sentences::name_at_start(rest.trim_start())).map(|name| (name, label.to_owned()))
}

/// The profession implied by credentials such as `DDS` or a prefix such as `Dr.`.
fn title_of_letters(name: &PersonName) -> Option<String> {
    let letters = name.credentials.as_deref().unwrap_or("").to_uppercase().replace('.', "");
    let has = |wanted: &[&str]| letters.split([',', ' ']).any(|l| wanted.contains(&l));
    let profession = PROFESSIONS.iter().find(|(degrees, _)| has(degrees)).map(|(_, profession)| *profession);
    profession.or_else(|| profession_of_prefix(name.prefix.as_deref()?)).map(str::to_owned)
}

/// Degrees and memberships that imply a profession; the first match wins.
const PROFESSIONS: &[(&[&str], &str)] = &[
    (&["DDS", "DMD", "BDS", "FAGD"], "Dentist"),
    (&["MD", "DO", "FACS", "FAAD", "FAAP", "MBBS"], "Physician"),
    (&["DVM", "VMD"], "Veterinarian"),
    (&["DC"], "Chiropractor"),
    (&["OD"], "Optometrist"),
    (&["DPM"], "Podiatrist"),
    (&["ESQ", "JD"], "Attorney"),
    (&["CPA"], "CPA"),
];

fn profession_of_prefix(prefix: &str) -> Option<&'static str> {
    match prefix.to_lowercase().trim_end_matches('.') {
        "dr" | "doctor" => Some("Doctor"),
        "attorney" => Some("Attorney"),
        "chef" => Some("Chef"),
        "pastor" => Some("Pastor"),
        _ => None,
    }
}

fn clean_title(title: &str) -> String {
    let title = title.trim().trim_end_matches(" Email").trim_end_matches(" Bio");
    title.trim().trim_matches(['-', '–', '|', ',', ':', ' ', '(', ')']).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expect: &[&str]) {
        let document = Document::parse(html);
        let structured = crate::structured::business::read("https://acme.com/", &document);
        let mentions: Vec<_> = find(&document, &structured, &Site::of("https://acme.com/"))
            .into_iter()
            .map(|s| (String::new(), s))
            .collect();
        let shown: Vec<String> = merge(&mentions)
            .iter()
            .map(|p| format!("{}|{}{}", p.name, p.title.as_deref().unwrap_or(""), if p.is_owner { "|*" } else { "" }))
            .collect();
        assert_eq!(shown, expect, "{html}");
    }

    #[test]
    fn names_with_titles_are_found() {
        check(
            "<h3>Jane Doe</h3><p>Owner</p><h3>Bob Ray</h3><p>Office Manager</p>",
            &["Jane Doe|Owner|*", "Bob Ray|Office Manager"],
        );
        check("<p>Jane Doe, Founder &amp; CEO</p>", &["Jane Doe|Founder & CEO|*"]);
        check("<p>Owner: Jane Doe</p>", &["Jane Doe|Owner|*"]);
        check("<p>Our shop was founded by Jane A. Doe in 1990.</p>", &["Jane A. Doe|Founder|*"]);
        check("<h2>Dr. Jane Doe, DDS</h2>", &["Jane Doe|Dentist"]);
        check("<p>Inhaber: Hans Meier</p>", &["Hans Meier|Inhaber|*"]);
        check("<p>Hi, my name is Jane Doe and I am the owner of Acme.</p>", &["Jane Doe|Owner|*"]);
        check("<p>Jane Doe is the owner of Acme and a keen gardener.</p>", &["Jane Doe|Owner|*"]);
        check(
            "<h3>Jane Doe</h3><p>Owner</p><h3>Bob Ray</h3><p>Foreman</p><h3>Aviv Lichtig</h3><p>Estimator</p>",
            &["Jane Doe|Owner|*", "Bob Ray|Foreman", "Aviv Lichtig|Estimator"],
        );
        check("<p>Paul Morris, MPA, PMP</p><p>Office Director</p>", &["Paul Morris|Office Director"]);
        check("<p>John Smith, CPA, Managing Partner</p>", &["John Smith|Managing Partner|*"]);
        check("<p>Dr. Jane Doe, DDS, Owner</p>", &["Jane Doe|Owner|*"]);
        check("<p>Meet our owner, Jane Doe, a keen gardener.</p>", &["Jane Doe|Owner|*"]);
        check("<p>We are owned and operated by Jane Doe of Austin.</p>", &["Jane Doe|Owner|*"]);
        check("<p>Friseur Acme, Inh. Hans Meier</p>", &["Hans Meier|Inhaber|*"]);
        check("<p>Propriétaire : Jean Martin</p>", &["Jean Martin|Propriétaire|*"]);
        check("<p>By Zxy Gupta, CEO of Acme</p>", &["Zxy Gupta|CEO|*"]);
        check(
            "<p>We treat our customers like family, and we have done so ever since we opened.</p><p>Jane Doe, President</p>",
            &["Jane Doe|President|*"],
        );
    }

    #[test]
    fn in_an_article_only_people_of_the_business_count() {
        let article =
            |text: &str| format!("<meta property='article:published_time' content='2024-01-01'><p>{text}</p>");
        check(
            &article("Jane Doe is the CEO and co-founder of Acme. She began early."),
            &["Jane Doe|CEO & Co-Founder|*"],
        );
        check(&article("Our founder, Jane Doe, made a pyramid of it."), &["Jane Doe|Founder|*"]);
        check(&article("It is hosted by Acme CEO Jane Doe."), &["Jane Doe|CEO|*"]);
        check(&article("Our founder, Zxy Fishkin, made a pyramid of it."), &["Zxy Fishkin|Founder|*"]);
        check(&article("Their founder Jane Doe thought otherwise, and owner John Ray agreed."), &[]);
        check(&article("Other Corp was founded by Jane Doe in 1990."), &[]);
    }

    #[test]
    fn the_person_a_business_is_named_after_owns_it_when_they_speak() {
        let found = |html: &str| {
            let (document, site) = (Document::parse(html), Site::named("https://janedoe.com/", Some("Jane Doe")));
            let people = find(&document, &Structured::default(), &site);
            merge(&people.into_iter().map(|s| (String::new(), s)).collect::<Vec<_>>())
        };
        let stated = found("<p>Hola, soy Jane Doe, estratega.</p>");
        assert_eq!((stated[0].name.as_str(), stated[0].is_owner, stated[0].title.as_deref()), ("Jane Doe", true, None));
        assert!(found("<h2>Jane Doe</h2><p>Photographer</p>")[0].is_owner);
        assert!(found("<h2>Jane Doe</h2><p>Dresses for everyone</p>").is_empty());
    }

    #[test]
    fn customers_and_ordinary_words_are_not_people_of_the_business() {
        check("<h2>Testimonials</h2><p>Great!</p><p>Jane Doe</p><p>Owner</p>", &[]);
        check("<blockquote>Jane Doe<br>CEO</blockquote>", &[]);
        check("<p>“They were so very good to us.”</p><p>Jane Doe</p><p>CEO</p>", &[]);
        check("<h3>Our Team</h3><p>Manager</p><h3>Project Manager</h3><p>Austin</p>", &[]);
        check("<p>Jane Doe, CEO at Other Corp</p>", &[]);
        check("<p>We helped dog owner Jane Doe, and the former owner Bob Ray.</p>", &[]);
        check("<p>Owner: Raphael Tours &amp; Events</p>", &[]);
        check("<p>This tip is by Jane Doe, founder of Other Corp, which helps people.</p>", &[]);
        check("<p>“It is about ease,” says Jane Doe, founder and creative director of Jane Events.</p>", &[]);
        check("<p>Founded by Jane Doe in 2006, Supra is one of the most daring brands.</p>", &[]);
        check("<p>They never slept, says Owner John Saunders.</p>", &[]);
        check(
            "<p>They gave me leads, and my close rate went up by a half in one single month.</p><p>CEO</p><p>Joe Ray</p>",
            &[],
        );
        check("<p>Jane Doe, CEO of Other Corp</p>", &[]);
        check("<p>CFP®, CEO</p><p>Joe Ray</p><p>Pure Financial Advisors</p>", &[]);
        check("<p>Jane Doe</p><p>CEO</p><p>Other Marketing Group</p>", &[]);
        check("<h1>Summer Camp Berlin</h1><p>Inhaber: Hans Meier</p>", &["Hans Meier|Inhaber|*"]);
        check("<p>Jane Doe, Co-Founder and CEO, Yuool</p>", &[]);
    }
}
