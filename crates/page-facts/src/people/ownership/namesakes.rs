//! People whose names the business bears. The name alone proves nothing: many brands are named after someone uninvolved,
//! so it needs a title, or the person's voice or story on the page.

use crate::people::mention::PersonMention;
use crate::people::names;
use crate::people::ownership::persons::Persons;
use crate::people::ownership::{Clue, Clues, OwnerPage};
use crate::word_set::WordSet;

/// Shortest surname that counts inside of a longer word of the name, and as a word of its own, in bytes.
const SURNAME_BYTES_MIN: usize = 4;
const SURNAME_WORD_BYTES_MIN: usize = 3;
/// Most words of a name inside of a business's name.
const NAME_WORDS_MAX: usize = 4;
/// Words of a business's name that are read.
const BUSINESS_WORDS_MAX: usize = 10;

/// Professions whose practices carry the name of their owner.
static PROFESSIONS: WordSet = WordSet::new(
    "dentist orthodontist physician doctor veterinarian chiropractor optometrist podiatrist attorney lawyer cpa
     accountant photographer architect psychologist therapist surgeon dermatologist pediatrician zahnarzt zahnärztin
     rechtsanwalt rechtsanwältin notar arzt ärztin",
);

/// What follows the name of a company.
static LEGAL_FORMS: WordSet =
    WordSet::new("llc inc inc. ltd ltd. gmbh corp corp. co co. pc p.c. pllc gbr srl s.r.l. sarl bv b.v. company the");

/// Reads who of the page's people the business is named after, and the name inside of its own.
pub(super) fn read(page: OwnerPage<'_, '_>, found: &[PersonMention], persons: &mut Persons, clues: &mut Clues) {
    if let Some(name) = page.site.business().and_then(name_inside) {
        let is_shown =
            persons.all().any(|known| super::persons::is_same(known, &name)) || page.document.text.contains(&name);
        if is_shown || is_spoken_of(page, &name) {
            persons.add(&name);
        }
    }
    let people: Vec<String> = persons.all().map(str::to_owned).collect();
    for name in people {
        let surname = name.rsplit(' ').next().unwrap_or("");
        let snippet = (page.site.business().unwrap_or(name.as_str()), 0);
        if page.site.carries(&name) || bears(page, &name) {
            let is_at_work = found.iter().any(|mention| super::persons::is_same(&mention.name, &name));
            clues.add(&name, if is_at_work { Clue::NamesakeAtWork } else { Clue::Namesake }, snippet);
        } else if bears_word(page, surname) {
            clues.add(&name, Clue::Surname, snippet);
        }
    }
    only_professional(page, found, clues);
}

/// Marks the dentist, lawyer or the like whose surname the site carries, if no other person on the page has a profession.
fn only_professional(page: OwnerPage<'_, '_>, found: &[PersonMention], clues: &mut Clues) {
    let is_professional = |mention: &&PersonMention| {
        let title = mention.title.as_deref().unwrap_or("").to_lowercase();
        title.split(|c: char| !c.is_alphanumeric()).any(|word| PROFESSIONS.contains(word))
    };
    let mut professionals = found.iter().filter(is_professional);
    let Some(one) = professionals.next().filter(|one| professionals.all(|other| other.name == one.name)) else {
        return;
    };
    let surname = one.name.rsplit(' ').next().unwrap_or("");
    if bears_word(page, surname) {
        clues.add(&one.name, Clue::OnlyProfessional, (&one.snippet, 0));
    }
}

/// The personal name inside of a business's name: `Ann Lee Photography`, `Law Office of Ann M. Lee`, `Studio di Anna Rossi`.
fn name_inside(business: &str) -> Option<String> {
    let words: Vec<&str> =
        business.split([' ', ',', '|']).filter(|word| !word.is_empty()).take(BUSINESS_WORDS_MAX).collect();
    let windows = (2..=NAME_WORDS_MAX.min(words.len())).rev().flat_map(|length| words.windows(length));
    let is_whole =
        |window: &[&str]| words.iter().all(|word| window.contains(word) || LEGAL_FORMS.contains_any_case(word));
    let parsed = windows.filter_map(|window| {
        let text = window.join(" ");
        let text = text.strip_suffix("’s").or_else(|| text.strip_suffix("'s")).unwrap_or(&text);
        let name = names::parse(text)?.name;
        // `Bari Produce LLC` is no Mr Produce.
        let surname = name.rsplit(' ').next().unwrap_or("").to_lowercase();
        (names::is_surname(&surname) || !is_whole(window)).then_some(name)
    });
    let mut parsed: Vec<String> = parsed.collect();
    // `Ann Lee Photography` parses whole where the last word may be a surname: a known surname ends the name.
    parsed.sort_by_key(|name| {
        let surname = name.rsplit(' ').next().unwrap_or("").to_lowercase();
        (!names::is_surname(&surname), name.split(' ').count())
    });
    parsed.into_iter().next()
}

/// Whether a page tells of somebody by their first name: `Founded by Ann`, `About Ann`.
fn is_spoken_of(page: OwnerPage<'_, '_>, name: &str) -> bool {
    let first = name.split(' ').next().unwrap_or("");
    let text = &page.document.text;
    let is_named = |(at, _): (usize, &str)| !text[at + first.len()..].starts_with(char::is_alphabetic);
    page.document.title.contains(name)
        || (first.len() >= SURNAME_WORD_BYTES_MIN && text.match_indices(first).take(BUSINESS_WORDS_MAX).any(is_named))
}

/// Whether the business's name contains the whole name as words.
fn bears(page: OwnerPage<'_, '_>, name: &str) -> bool {
    page.site.business().is_some_and(|business| {
        let (first, surname) = (name.split(' ').next().unwrap_or(""), name.rsplit(' ').next().unwrap_or(""));
        has_word(business, first) && has_word(business, surname)
    })
}

/// Whether the business's name contains the surname as a word, or the site carries it.
fn bears_word(page: OwnerPage<'_, '_>, surname: &str) -> bool {
    let is_word = || page.site.business().is_some_and(|business| has_word(business, surname));
    (surname.len() >= SURNAME_BYTES_MIN && page.site.carries(surname))
        || (surname.len() >= SURNAME_WORD_BYTES_MIN && is_word())
}

fn has_word(business: &str, word: &str) -> bool {
    business.split(|c: char| !c.is_alphanumeric() && c != '-').any(|part| part.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_business_bears_a_name() {
        for (business, expect) in [
            ("Ann Lee Photography", Some("Ann Lee")),
            ("Law Office of Ann M. Lee", Some("Ann M. Lee")),
            ("Studio di Anna Rossi", Some("Anna Rossi")),
            ("Big John Miller's BBQ", Some("John Miller")),
            ("Acme Roofing", None),
            ("", None),
        ] {
            assert_eq!(name_inside(business).as_deref(), expect, "{business}");
        }
    }
}
