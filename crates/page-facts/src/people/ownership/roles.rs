//! Nouns with which a sentence says what somebody is: `Today she is the co-owner`, `our founder Ann`, `your hosts, Ann and Bob`.

use crate::people::affiliation::{self, NamedCompany, PageSubject};
use crate::people::names;
use crate::people::ownership::Clue;
use crate::people::ownership::business_words;
use crate::people::ownership::persons::{Reference, Who};
use crate::people::ownership::statements::{Paragraph, Reader};

/// Bytes between somebody and the noun that says what they are: `Ann Lee is a dentist and the owner`.
const ROLE_BYTES_MAX: usize = 60;
/// Bytes between a noun and the name: `owner and head brewer`.
const NAME_BYTES_MAX: usize = 36;
/// Shortest line that is a sentence, in bytes; and one with a full stop.
const SENTENCE_BYTES_MIN: usize = 40;
const SHORT_BYTES_MIN: usize = 30;

/// What precedes a noun with which somebody is addressed rather than described: `Work with the owner directly`.
const OBJECTS: &[&str] = &["ith the ", "to the ", "rom the ", "or the ", "sk the "];

impl Reader<'_, '_, '_> {
    /// `Today she is the co-owner`, `our founder Ann`, `Founder and teacher at Acme` below her name.
    pub(super) fn role(&mut self, paragraph: &Paragraph<'_>, (at, end): (usize, usize), title: &'static str) {
        let (line, site) = (paragraph.line, self.page.site);
        let (before, after) = (&line[..at], &line[end..]);
        if affiliation::owns_something_else(before)
            || before.ends_with("former ")
            || before.ends_with("-")
            || OBJECTS.iter().any(|words| before.ends_with(words))
            || affiliation::owns_a_thing(after)
        {
            return;
        }
        let next = paragraph.references.iter().find(|reference| reference.at >= end);
        if let Some(next) = next.filter(|next| is_apposition(&line[end..next.at])) {
            return self.named_after(paragraph, (at, title), next);
        }
        let of = affiliation::company_after(after, affiliation::OF_OR_COMMA, site);
        let names_this = || after.split_once(' ').is_some_and(|(_, rest)| business_words::object(rest, site).is_some());
        let sentence = affiliation::sentence(line, at);
        if of == NamedCompany::Another && !business_words::names_this(sentence, site) && !names_this() {
            return;
        }
        if let Some(next) = next.filter(|next| is_said_as(before, &line[end..next.at])) {
            if let Who::Person(person) = next.who
                && (of == NamedCompany::Own || names_this() || before.is_empty())
            {
                self.add(person, (Clue::Stated, title), (line, at));
            }
            return;
        }
        self.said_of(paragraph, (at, title), of == NamedCompany::Own);
    }

    /// `our owners Ann and Bob Lee`, `Owner and head brewer Bob Ray`.
    fn named_after(&mut self, paragraph: &Paragraph<'_>, (at, title): (usize, &'static str), next: &Reference) {
        let before = &paragraph.line[..at];
        let Who::Person(person) = next.who else { return };
        let is_hosting = matches!(title, "Host" | "Innkeeper" | "Gastgeber" | "Hôte" | "Anfitrión" | "Gastheer");
        let subject = if self.is_about() { PageSubject::Business } else { PageSubject::Anything };
        if is_hosting || affiliation::is_ours(before, self.page.site, subject) {
            self.add(person, (Clue::Stated, title), (paragraph.line, at));
        }
    }

    /// `She is the co-owner`, `Founder and teacher at Acme` below her name.
    fn said_of(&mut self, paragraph: &Paragraph<'_>, (at, title): (usize, &'static str), is_named: bool) {
        let (line, before) = (paragraph.line, &paragraph.line[..at]);
        // Cards and labels are read with the people: dogs, deliveries and praise have owners too.
        let is_namesake = |heading| self.clues.has(self.persons.name(heading), Clue::Namesake);
        let is_sentence = line.len() >= SENTENCE_BYTES_MIN || line.len() >= SHORT_BYTES_MIN && line.ends_with('.');
        if !is_sentence && !is_named && !paragraph.heading.is_some_and(is_namesake) {
            return;
        }
        // `Painter since 2008. Founder of Acme Tattoo.`
        let start = &before[business_words::last_sentence(before)..];
        let is_first = before.trim().is_empty()
            || is_named && start.trim().is_empty()
            || before.trim().split(' ').count() <= 2 && !before.contains(',');
        let is_unnamed = paragraph.references.iter().all(|reference| reference.at > at);
        if let Some(heading) = paragraph.heading.filter(|_| is_first && is_unnamed) {
            self.add(heading, (Clue::Stated, title), (line, at));
        } else if self.is_said_of(paragraph, at) {
            self.give(paragraph, at, (Clue::Stated, title));
        }
    }

    /// Whether the words between somebody and a noun make it theirs: `is a dentist and the`, `, our`.
    fn is_said_of(&self, paragraph: &Paragraph<'_>, at: usize) -> bool {
        const BE: &[&str] = &[
            " is",
            "’s",
            "'s",
            " was",
            "’m",
            "'m",
            " am",
            " ist",
            " bin",
            " est",
            " suis",
            " è",
            " sono",
            " es",
            " soy",
            " are",
            ",",
            " zijn",
            " sind",
            " sont",
            " son",
            " became",
            " has been",
            " remains",
            " has become",
            " wurde",
            " (",
            " –",
            " -",
        ];
        let Some(last) = paragraph.references.iter().rev().find(|reference| reference.end <= at) else { return false };
        let between = &paragraph.line[last.end..at];
        between.len() <= ROLE_BYTES_MAX
            && !between.contains(". ")
            && BE.iter().any(|word| between.starts_with(word))
            && !ends_in_another(between)
    }
}

/// Whether somebody else stands directly before the noun: `, you reach Bob, the`.
fn ends_in_another(between: &str) -> bool {
    let bare = between.trim_end().trim_end_matches(" the").trim_end_matches(" our").trim_end();
    let last = bare.strip_suffix(',').and_then(|text| text.rsplit(' ').next()).unwrap_or("");
    last.starts_with(char::is_uppercase) && names::is_first_name(&last.to_lowercase())
}

/// Whether nothing but signs or the rest of a title stands between a noun and a name: ` and head brewer `, `, Dr. `.
fn is_apposition(between: &str) -> bool {
    let bare = between.trim_end_matches("Dr. ").trim_end_matches("Chef ");
    if matches!(
        bare,
        " " | ", "
            | ": "
            | " is "
            | " are "
            | " è "
            | " est "
            | " es "
            | " ist "
            | " sono "
            | " sont "
            | " – "
            | " - "
            | " — "
    ) {
        return true;
    }
    let joined = [" and ", " & ", "/", " / "].iter().find_map(|sign| bare.strip_prefix(sign));
    joined.is_some_and(|rest| {
        rest.len() <= NAME_BYTES_MAX
            && rest.ends_with([' '])
            && rest.chars().all(|c| c.is_lowercase() || matches!(c, ' ' | ',' | '-' | '/' | '&'))
            && rest.split(' ').filter(|word| !word.is_empty()).count() <= 4
            && !rest
                .split(' ')
                .any(|word| matches!(word.trim_matches(','), "his" | "her" | "their" | "wife" | "husband"))
    })
}

/// `As the owner of Acme, Ann Lee`, `Owner since 2010, Ann Lee`.
fn is_said_as(before: &str, between: &str) -> bool {
    let start = &before[business_words::last_sentence(before)..];
    if start.is_empty() {
        return between.starts_with(" since ") && between.ends_with(", ") && between.len() <= NAME_BYTES_MAX;
    }
    let starts = ["As ", "As the ", "As a ", "Als "].iter().any(|word| start.starts_with(word));
    starts && start.len() <= NAME_BYTES_MAX && between.ends_with(", ") && between.matches(", ").count() == 1
}
