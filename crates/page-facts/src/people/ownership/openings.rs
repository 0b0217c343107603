//! Whom the paragraphs of a page about the business begin with: `John and Mary Lee moved to the farm in 1995`, and the
//! business that is somebody: `Acme Design is Ann Lee, who`.

use crate::page::around;
use crate::people::affiliation;
use crate::people::names;
use crate::people::ownership::persons::Persons;
use crate::people::ownership::{Clue, Clues, OwnerPage, namesakes};
use crate::people::{early_years, sentences, speaker, the_dead, titles};
use crate::word_set::WordSet;

/// Paragraphs read per page, and sentences of each.
const LINES_MAX: usize = 200;
const PARAGRAPHS_MAX: usize = 40;
const SENTENCES_MAX: usize = 6;
/// Shortest and longest paragraph, in bytes.
const PARAGRAPH_BYTES: std::ops::RangeInclusive<usize> = 40..=3_000;
/// Shortest paragraph above a signature, and longest signature, in bytes.
const PARAGRAPH_BYTES_MIN: usize = 40;
const SIGNATURE_BYTES_MAX: usize = 50;
/// Steps charged per sentence that may begin with a name.
const NAME_STEPS: usize = 2_000;

/// Bytes in which a sentence names the business that is somebody.
const BUSINESS_BYTES_MAX: usize = 50;

/// Longest title beside a name, in bytes.
const TITLE_BYTES_MAX: usize = 40;
/// Words before the name with which a sentence begins, besides titles.
static BEFORE: WordSet =
    WordSet::new("Today Now Together Owners Hosts Farmers Founders Partners Captain Chef Heute Oggi");
/// What follows the names of those whom a sentence quotes.
static SAYING: WordSet = WordSet::new("says said writes wrote");

/// Reads the paragraphs of a page about the business.
pub(super) fn read(page: OwnerPage<'_, '_>, persons: &mut Persons, clues: &mut Clues) {
    if page.is_front || !page.is_story || page.is_one_of_many() {
        return;
    }
    let document = page.document;
    let lines = (0..document.lines.len().min(LINES_MAX)).filter_map(|index| page.line(index).map(|line| (index, line)));
    let paragraphs = lines.filter(|(index, line)| {
        let place = document.line(*index).1;
        PARAGRAPH_BYTES.contains(&line.len()) && !place.link && !place.footer && !place.heading
    });
    signatures(page, persons, clues);
    for (_, line) in paragraphs.take(PARAGRAPHS_MAX) {
        let starts = std::iter::once(0).chain(line.match_indices(". ").map(|(at, _)| at + 2));
        for at in starts.take(SENTENCES_MAX) {
            sentence(page, (line, at), persons, clues);
        }
    }
}

/// A name alone below what `we` or `I` say: `Ann Lee`, perhaps above the name of the business.
fn signatures(page: OwnerPage<'_, '_>, persons: &mut Persons, clues: &mut Clues) {
    let document = page.document;
    for index in 1..document.lines.len().min(LINES_MAX) {
        let (line, place) = document.line(index);
        let bare = line.trim_start_matches(['-', '–', '—', '~', ' ']);
        let is_short = line.len() <= SIGNATURE_BYTES_MAX && bare.contains(' ');
        // Below a heading or among links it is a label; customers sign with where they are from.
        if !is_short || place.heading || place.link || place.footer || !names::may_start(bare) {
            continue;
        }
        let (above, place) = document.line(index - 1);
        let is_spoken = above.len() >= PARAGRAPH_BYTES_MIN
            && !place.link
            && (affiliation::says_ours(above)
                || above.split(' ').any(|word| matches!(word, "I" | "I'm" | "I’m" | "my")));
        let next = document.line(index + 1).0;
        let is_last = || next.is_empty() || next.len() >= PARAGRAPH_BYTES_MIN || page.site.is_named_in(next);
        if !is_spoken || page.line(index).is_none() || !is_last() || speaker::is_praise(above) {
            continue;
        }
        if !page.document.budget.spend(NAME_STEPS) {
            return;
        }
        let couple = names::parse_couple(bare).map(Vec::from);
        for name in couple.unwrap_or_else(|| names::parse(bare).into_iter().collect()) {
            if let Some(person) = persons.add(&name.name)
                && !clues.has(persons.name(person), Clue::Signed)
            {
                clues.add(persons.name(person), Clue::Signed, (line, 0));
            }
        }
    }
}

/// A sentence that begins with somebody.
fn sentence(page: OwnerPage<'_, '_>, (line, at): (&str, usize), persons: &mut Persons, clues: &mut Clues) {
    let rest = &line[at..];
    let (is_business, rest) = match of_business(page, rest) {
        Some(rest) => (true, rest),
        None => (false, without_title(rest)),
    };
    if !(names::starts_with_first_name(rest) || has_and(rest))
        || !names::may_start(rest)
        || !page.document.budget.spend(NAME_STEPS)
    {
        return;
    }
    let Some((people, end)) = sentences::people_and_end(rest) else { return };
    let sentence = affiliation::sentence(line, at);
    let next = rest[end..].trim_start().split(' ').next().unwrap_or("");
    if early_years::is_of_earlier_years(sentence)
        || the_dead::is_named_in(sentence)
        || affiliation::quotes_somebody(sentence)
        || affiliation::goes_on_as_company(&rest[end..])
        || next.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
        || SAYING.contains(next)
    {
        return;
    }
    // `Jane Miller, Regional Manager, has`, `Direktor Hans Meier`
    let before = line[at..line.len() - rest.len()].trim_end();
    if is_employed(before) || is_employed(rest[end..].strip_prefix(", ").unwrap_or("").split(',').next().unwrap_or(""))
    {
        for name in &people {
            if let Some(person) = persons.add(&name.name) {
                clues.add(persons.name(person), Clue::Joined, (line, at));
            }
        }
        return;
    }
    let surname = |name: &str| name.rsplit(' ').next().unwrap_or("").to_owned();
    let is_couple = matches!(&people[..], [one, two] if surname(&one.name) == surname(&two.name));
    let clue = match (is_business, is_couple) {
        (true, _) => Clue::Own,
        (_, true) => Clue::Leads,
        _ => Clue::Opening,
    };
    for name in people.into_iter().filter(|name| !namesakes::is_only_the_business(page, &name.name)) {
        if let Some(person) = persons.add(&name.name)
            && !clues.has(persons.name(person), clue)
        {
            clues.add(persons.name(person), clue, (line, at));
        }
    }
}

/// Whether a short text is the title of somebody who works for others.
fn is_employed(title: &str) -> bool {
    title.len() <= TITLE_BYTES_MAX
        && title.split(|c: char| !c.is_alphanumeric()).any(|word| EMPLOYED.contains(word.to_lowercase().as_str()))
}

/// Words of titles of those who work for others.
static EMPLOYED: WordSet = WordSet::new(
    "manager assistant associate pastor rector dean director direktor direktorin directeur directrice direttore
     directora coordinator supervisor apprentice intern mayor vorsitzender vorstandsvorsitzender bürgermeister",
);

/// Whether a text may begin with a couple.
fn has_and(text: &str) -> bool {
    let mut words = text.split(' ').skip(1);
    words.next().is_some_and(|word| matches!(word, "and" | "und" | "et" | "e" | "y" | "en" | "&"))
}

/// What follows `Acme Design is`.
fn of_business<'t>(page: OwnerPage<'_, '_>, text: &'t str) -> Option<&'t str> {
    const BE: &[&str] = &[" is ", " ist ", " est ", " è ", " es "];
    let near = around(text, 0, 0, BUSINESS_BYTES_MAX);
    let (at, be) = BE.iter().filter_map(|be| near.find(be).map(|at| (at, *be))).min()?;
    let is_whole = page.site.is_called(&text[..at].split(' ').collect::<Vec<_>>());
    is_whole.then(|| &text[at + be.len()..])
}

/// A text without a title before a name: `Luthier Ann Lee`, `Today, Ann Lee`.
fn without_title(text: &str) -> &str {
    let Some((first, rest)) = text.split_once(' ') else { return text };
    let bare = first.trim_end_matches(',');
    let is_title = BEFORE.contains(bare) || titles::is_title_word(&bare.to_lowercase());
    if is_title && !names::is_first_name_in_any_case(bare) { rest } else { text }
}
