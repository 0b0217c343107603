//! Whom a page presents or lets speak: a heading that is a name, `Meet Ann Lee`, `I'm Ann Lee`, `© 2024 Ann Lee`.

use std::sync::LazyLock;

use crate::literals::Literals;
use crate::page::around;
use crate::people::common_words::CommonWords;
use crate::people::names::{self, PersonName};
use crate::people::ownership::namesakes;
use crate::people::ownership::persons::Persons;
use crate::people::ownership::unlisted_names;
use crate::people::ownership::{Clue, Clues, OwnerPage};
use crate::people::sentences;

/// Headings, pieces of the title and lines read per page, and the longest of them, in bytes.
const HEADINGS_MAX: usize = 60;
const PIECES_MAX: usize = 6;
const HEADING_BYTES_MAX: usize = 70;
/// Introductions and copyrights read per page.
const INTRODUCTIONS_MAX: usize = 30;
const COPYRIGHTS_MAX: usize = 6;
/// Steps charged per text that may be a name.
const NAME_STEPS: usize = 2_000;
/// Bytes after `I am` in which the name begins.
const NAME_BYTES_MAX: usize = 60;

/// What stands before a name that is presented.
const BEFORE: &[&str] = &[
    "Meet ",
    "About ",
    "MEET ",
    "ABOUT ",
    "Hi, I'm ",
    "Hi, I’m ",
    "I'm ",
    "I’m ",
    "Über ",
    "Over ",
    "Conoce a ",
    "Conoce al ",
    "Chi è ",
    "À propos de ",
    "Welcome to ",
];
/// What stands before the names of professionals.
const TITLES: &[&str] = &[
    "Dr. med. dent. ",
    "Dr. med. vet. ",
    "Dr. med. ",
    "Dr. ",
    "Dr ",
    "Captain ",
    "Dra. ",
    "Dott. ",
    "Dott.ssa ",
    "Master ",
    "Sensei ",
    "Chef ",
    "Coach ",
    "el ",
    "la ",
];

/// Words before a name of which they say that the speaker has it.
static INTRODUCES: LazyLock<Option<Literals>> = LazyLock::new(|| {
    let words = [
        "I'm ",
        "I’m ",
        "I am ",
        "y name is ",
        "i nombre es ",
        "eu nome é ",
        "io nome è ",
        "on nom est ",
        "ch bin ",
        "ame ist ",
        "ch heiße ",
        "e suis ",
        "e m'appelle ",
        "e m’appelle ",
        "Soy ",
        " soy ",
        "e llamo ",
        "Sono ",
        " sono ",
        "i chiamo ",
        "aam is ",
        "Ik ben ",
        "We are ",
        "We're ",
        "We’re ",
        "Wij zijn ",
        "Wir sind ",
        "ous sommes ",
        "Eu sou ",
    ];
    Literals::new(words.into_iter())
});

/// Reads headings, the title, introductions and copyrights.
pub(super) fn presented(page: OwnerPage<'_, '_>, persons: &mut Persons, clues: &mut Clues) {
    headings(page, persons, clues);
    introductions(page, persons, clues);
    copyrights(page, persons, clues);
}

fn headings(page: OwnerPage<'_, '_>, persons: &mut Persons, clues: &mut Clues) {
    let document = page.document;
    let words = CommonWords::of(document);
    let pieces = document.title.split(['|', '–', '—', '·', ':']).flat_map(|piece| piece.split(" - ")).take(PIECES_MAX);
    let headings = (0..document.lines.len()).filter(|index| document.line(*index).1.heading);
    let headings = headings.take(HEADINGS_MAX).filter_map(|index| page.line(index));
    for text in pieces.chain(headings) {
        let Some(name) = name_in(page, text, &words) else { continue };
        if let Some(person) = persons.add(&name.name) {
            let name = persons.name(person);
            if !clues.has(name, Clue::Presented) {
                clues.add(name, Clue::Presented, (text, 0));
            }
        }
    }
}

/// The name that a heading presents: `Meet Dr. Ann Lee`, `Ann Lee, DDS`.
fn name_in(page: OwnerPage<'_, '_>, text: &str, words: &CommonWords<'_, '_>) -> Option<PersonName> {
    let text = text.trim();
    if text.len() > HEADING_BYTES_MAX || !text.contains(' ') {
        return None;
    }
    let introduced = BEFORE.iter().find_map(|words| text.strip_prefix(words));
    let text = introduced.unwrap_or(text);
    let text = TITLES.iter().find_map(|words| text.strip_prefix(words)).unwrap_or(text);
    let text = text.split(", ").next().unwrap_or(text);
    if !names::may_start(text) || !page.document.budget.spend(NAME_STEPS) {
        return None;
    }
    // `Ann Lee Law` is what Ann Lee practises.
    let bare = text.rsplit_once(' ').filter(|(rest, last)| rest.contains(' ') && namesakes::is_practice_word(last));
    let name = names::parse(bare.map_or(text, |(rest, _)| rest))?;
    // `Sidney Phillips` above the pages of that firm presents the firm.
    let is_firm = introduced.is_none() && page.site.is_called(&name.name.split(' ').collect::<Vec<_>>());
    // `Florida Singles` above a page for singles.
    let surname = name.name.rsplit(' ').next().unwrap_or("").to_lowercase();
    let is_words = || !names::is_surname(&surname) && introduced.is_none() && words.make_up(&name.name);
    (!is_firm && !is_words()).then_some(name)
}

fn introductions(page: OwnerPage<'_, '_>, persons: &mut Persons, clues: &mut Clues) {
    let Some(search) = INTRODUCES.as_ref() else { return };
    let document = page.document;
    search.each(&document.text, INTRODUCTIONS_MAX, |found| {
        let index = document.line_at(found.start());
        let Some(line) = page.line(index) else { return };
        let start = document.lines.get(index).map_or(0, |line| line.start);
        let rest = found.end().checked_sub(start).and_then(|at| line.get(at..));
        let Some(rest) = rest.filter(|rest| rest.starts_with(|c: char| c.is_uppercase() || matches!(c, 'e' | 'l')))
        else {
            return;
        };
        let rest = TITLES.iter().fold(rest, |rest, title| rest.strip_prefix(title).unwrap_or(rest));
        if !document.budget.spend(NAME_STEPS) {
            return;
        }
        let couple = || names::AND.iter().any(|and| around(rest, 0, 0, NAME_BYTES_MAX).contains(and));
        if is_plural(&document.text[found.start()..found.end()]) {
            let both = couple().then(|| sentences::people_and_end(rest)).flatten();
            for name in both.map_or_else(Vec::new, |(people, _)| people) {
                if let Some(person) = persons.add(&name.name) {
                    clues.add(persons.name(person), Clue::Leads, (line, found.start() - start));
                }
            }
            return;
        }
        let whole = sentences::name_and_end(around(rest, 0, 0, NAME_BYTES_MAX)).map(|(name, _)| name.name);
        let whole = whole.or_else(|| unlisted_names::introduced(page, rest));
        let person = match whole {
            Some(name) => persons.add(&name),
            None => persons.called(rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or("")),
        };
        if let Some(person) = person {
            clues.add(persons.name(person), Clue::Introduced, (line, found.start() - start));
        }
    });
}

/// Whether words introduce several people: `We are`.
fn is_plural(words: &str) -> bool {
    ["We", "Wij", "Wir", "ous"].iter().any(|we| words.starts_with(we))
}

fn copyrights(page: OwnerPage<'_, '_>, persons: &mut Persons, clues: &mut Clues) {
    let text = &page.document.text;
    for at in memchr::memmem::find_iter(text.as_bytes(), "©").take(COPYRIGHTS_MAX) {
        let line = around(text, at, 0, NAME_BYTES_MAX).split('\n').next().unwrap_or("");
        let rest = line.trim_start_matches(|c: char| !c.is_alphabetic());
        let rest = rest.strip_prefix("by ").or_else(|| rest.strip_prefix("Copyright ")).unwrap_or(rest);
        if !names::starts_with_first_name(rest) || !page.document.budget.spend(NAME_STEPS) {
            continue;
        }
        if let Some((name, _)) = sentences::name_and_end(rest)
            && let Some(person) = persons.add(&name.name)
        {
            clues.add(persons.name(person), Clue::Copyright, (line, 0));
        }
    }
}
