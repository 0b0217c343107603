//! People whose names the business bears. The name alone proves nothing: many brands are named after someone uninvolved,
//! so it needs a title, or the person's voice or story on the page.

use crate::people::mention::PersonMention;
use crate::people::names;
use crate::people::ownership::business_words;
use crate::people::ownership::persons::Persons;
use crate::people::ownership::{Clue, Clues, OwnerPage};
use crate::word_set::WordSet;

/// Shortest surname that counts inside of a longer word of the name, and as a word of its own, in bytes.
const SURNAME_BYTES_MIN: usize = 4;
const SURNAME_WORD_BYTES_MIN: usize = 3;
/// Most words of a name inside of a business's name.
const NAME_WORDS_MAX: usize = 4;
/// Places of a surname that are examined.
const PLACES_MAX: usize = 20;
/// Words of a business's name that are read.
const BUSINESS_WORDS_MAX: usize = 10;

/// Professions whose practices carry the name of their owner.
static PROFESSIONS: WordSet = WordSet::new(
    "dentist orthodontist physician doctor veterinarian chiropractor optometrist podiatrist attorney lawyer cpa
     accountant photographer architect psychologist therapist surgeon dermatologist pediatrician zahnarzt zahnärztin
     rechtsanwalt rechtsanwältin notar arzt ärztin",
);

/// What one person practises under their own name, as names of businesses say it.
static PRACTICES: WordSet = WordSet::new(
    "law attorney attorneys lawyer kanzlei anwaltskanzlei rechtsanwaltskanzlei rechtsanwalt rechtsanwältin anwalt notar
     steuerberater steuerberaterin praxis zahnarztpraxis zahnarzt zahnärztin arztpraxis hausarzt hausarztpraxis tierarzt
     tierarztpraxis dr dr. drs dds dmd md dvm od dc lmft lcsw lpc phd psyd cpa esq photography photo photos photographer
     fotografie fotograf fotografin photographe photographie fotografía fotógrafo fotografo art arts artist artiste künstler
     design designs designer architect architects architecture architekt architekten therapy therapist counseling counselling
     counsellor psychotherapy psychotherapist psychotherapie psychologue psicólogo psicóloga psicologo massage coaching
     consulting music piano yoga pilates chiropractic acupuncture dental dentistry dentist orthodontics veterinary writer
     author interiors realtor physiotherapie heilpraktiker heilpraktikerin logopädie ergotherapie osteopath osteopathie
     ostéopathe hair makeup illustration illustrator pottery ceramics ceramica jewelry jewellery films videography
     accounting accountant bookkeeping tax avocat avocate abogado abogada avvocato notaio dentiste dentista kinésithérapeute
     advocaat tandarts dott dottssa avv hypnose hypnotherapy hypnotherapie hypnosis emdr osteopatía osteopatia osteopathy naturopath naturopathy
     naturopathie naturheilpraxis homöopathie homeopathy sophrologie sophrologue reiki fisioterapia fisioterapeuta podologie
     podologue podologo podología nutrition nutritionist dietitian diététicienne logopedia logopädin psicologia psicología
     tutoring violin guitar vocal calligraphy woodworking woodturning millinery couture tailoring tattoo upholstery luthier
     réflexologie réflexologies reflexology mediation coach lektorat übersetzungen traductions traduzioni geometra commercialista sexologue hebamme physio",
);
/// Titles of those who share a firm that bears their names.
static PARTNERS: WordSet = WordSet::new(
    "partner shareholder principal member director founder president attorney lawyer solicitor rechtsanwalt",
);
/// What follows a surname in the name of a place.
static PLACES: WordSet = WordSet::new(
    "street avenue road county city creek lake river valley park hill hills springs beach island bay point mountain grove
     ridge square place lane terrace",
);

/// With what the name of a place begins.
static PLACE_STARTS: WordSet = WordSet::new("san santa santo los las saint st. fort port mount puerto");

/// How somebody who speaks says their name.
const INTRODUCTIONS: &[&str] = &[
    "I'm ",
    "I’m ",
    "I am ",
    "y name is ",
    "Ich bin ",
    "ich heiße ",
    "Je suis ",
    "e m'appelle ",
    "e m’appelle ",
    "Soy ",
    "Sono ",
    "i chiamo ",
    "Ik ben ",
];

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
    bearers_of_the_surname(page, persons);
    named_later(page, found, (persons, 0), clues);
    only_professional(page, found, clues);
}

/// The same of those whom the page names besides the first of them.
pub(super) fn named_later(
    page: OwnerPage<'_, '_>,
    found: &[PersonMention],
    (persons, known): (&Persons, usize),
    clues: &mut Clues,
) {
    // `Ann Lee Fine` in the title of `Ann Lee Fine Art` is Ann Lee.
    let is_longer = |name: &&str| persons.all().any(|other| super::persons::begins_with(name, other));
    for name in persons.all().skip(known).filter(|name| !is_longer(name)) {
        let at_work = found.iter().find(|mention| super::persons::is_same(&mention.name, name));
        namesake(page, (name, at_work), persons, clues);
    }
}

/// Whether what reads like a name on no list is none, as whoever speaks is called otherwise: `I'm Jenny` of `Crystal Flow Yoga`.
pub(super) fn is_no_person(page: OwnerPage<'_, '_>, name: &str) -> bool {
    let (first, surname) = (name.split(' ').next().unwrap_or(""), name.rsplit(' ').next().unwrap_or(""));
    let text = &page.document.text;
    if names::is_surname(&surname.to_lowercase()) || !page.document.budget.spend(text.len() / 2) {
        return false;
    }
    let speakers = INTRODUCTIONS.iter().flat_map(|words| text.match_indices(words).take(PLACES_MAX));
    let mut speakers =
        speakers.filter_map(|(at, words)| text[at + words.len()..].split(|c: char| !c.is_alphabetic()).next());
    let is_other = |speaker: &str| {
        speaker != first && speaker.starts_with(char::is_uppercase) && names::is_first_name_in_any_case(speaker)
    };
    speakers.any(is_other)
}

/// Whether what reads like a name is words of the business's name that the page uses as nobody's: `Crystal Flow` of
/// `Crystal Flow Drains`.
pub(super) fn is_only_the_business(page: OwnerPage<'_, '_>, name: &str) -> bool {
    bears(page, name) && !is_practice(page) && !is_used_as_name(page, name)
}

/// Whether the page uses what stands in the business's name as that of a person: the surname is known, the first name stands
/// alone somewhere, or `Meet` or `by` precede it.
fn is_used_as_name(page: OwnerPage<'_, '_>, name: &str) -> bool {
    let (first, surname) = (name.split(' ').next().unwrap_or(""), name.rsplit(' ').next().unwrap_or(""));
    let text = &page.document.text;
    if names::is_surname(&surname.to_lowercase()) || !page.document.budget.spend(text.len() / 4) {
        return true;
    }
    text.match_indices(first).take(PLACES_MAX).any(|(at, _)| {
        let (before, after) = (text[..at].trim_end_matches(' '), &text[at + first.len()..]);
        let is_whole = !text[..at].ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric);
        let is_alone = !after.trim_start_matches(' ').starts_with(char::is_uppercase);
        let last = before.rsplit([' ', '\n']).next().unwrap_or("").to_lowercase();
        let is_line =
            before.ends_with('\n') && text[at..].strip_prefix(name).is_some_and(|rest| rest.starts_with('\n'));
        is_whole && (is_alone || is_line || INTRODUCED.contains(&last))
    })
}

/// What stands before the name of somebody, and hardly before that of a business.
static INTRODUCED: WordSet = WordSet::new(
    "meet about i'm i’m am is by dr dr. dott. dott.ssa bin ist suis sono soy ben ich heiße m'appelle m’appelle chiamo llamo mr. mrs. ms. mr mrs
     ms herr frau owner founder inhaber inhaberin von par di da por door",
);

/// What the business's name says of a person, whom the page may present at work.
fn namesake(
    page: OwnerPage<'_, '_>,
    (name, at_work): (&str, Option<&PersonMention>),
    persons: &Persons,
    clues: &mut Clues,
) {
    let surname = name.rsplit(' ').next().unwrap_or("");
    let snippet = (page.site.business().unwrap_or(name), 0);
    if page.site.carries(name) || bears(page, name) {
        if is_no_person(page, name) || (at_work.is_none() && !is_practice(page) && !is_used_as_name(page, name)) {
            return;
        }
        clues.add(name, if at_work.is_some() { Clue::NamesakeAtWork } else { Clue::Namesake }, snippet);
        if is_practice(page) {
            clues.add(name, Clue::Practice, snippet);
        }
    } else if bears_word(page, surname) {
        clues.add(name, Clue::Surname, snippet);
        match at_work.and_then(|mention| mention.title.as_deref()) {
            Some(title) if has_word_of(title, &PARTNERS) => clues.add(name, Clue::NamePartner, snippet),
            Some(_) => clues.add(name, Clue::SurnameAtWork, snippet),
            None if is_practice(page) && is_only_bearer(persons, surname) => {
                clues.add(name, Clue::SurnameAtWork, snippet);
            }
            None => {}
        }
    }
}

/// Adds whom the page names with a surname from the business's name: `Ann Lee` of `Kanzlei Lee`.
fn bearers_of_the_surname(page: OwnerPage<'_, '_>, persons: &mut Persons) {
    let is_told = is_practice(page) || page.is_story;
    let Some(business) = page.site.business().filter(|_| is_told) else { return };
    let is_surname = |word: &&str| {
        word.len() >= SURNAME_BYTES_MIN
            && word.starts_with(char::is_uppercase)
            && !PRACTICES.contains_any_case(word)
            && !PLACES.contains_any_case(word)
            && !business_words::is_business(&word.to_lowercase())
    };
    let text = &page.document.text;
    for surname in business.split(' ').filter(is_surname).take(BUSINESS_WORDS_MAX) {
        if !page.document.budget.spend(text.len() / 8) {
            return;
        }
        for at in memchr::memmem::find_iter(text.as_bytes(), surname).take(PLACES_MAX) {
            let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
            let first = text[line..at].trim_end().rsplit(' ').next().unwrap_or("");
            if first.starts_with(char::is_uppercase)
                && names::is_first_name_in_any_case(first)
                && let Some(name) = names::parse(&format!("{first} {surname}"))
            {
                persons.add(&name.name);
            }
        }
    }
}

/// Whether nobody else on the page has a surname.
fn is_only_bearer(persons: &Persons, surname: &str) -> bool {
    persons.all().filter(|name| name.rsplit(' ').next() == Some(surname)).count() == 1
}

/// Whether the business's name says that it is what one person practises.
fn is_practice(page: OwnerPage<'_, '_>) -> bool {
    page.site.business().is_some_and(|business| has_word_of(business, &PRACTICES))
}

/// Whether a word, in lower case, makes a name that of a place.
pub(super) fn is_place_word(word: &str) -> bool {
    PLACES.contains(word)
}

/// Whether a word says what somebody practises.
pub(super) fn is_practice_word(word: &str) -> bool {
    PRACTICES.contains_any_case(word)
}

fn has_word_of(text: &str, words: &WordSet) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(word.to_lowercase().as_str()))
}

/// Marks the dentist, lawyer or the like whose surname the site carries, if it is that of no other professional.
fn only_professional(page: OwnerPage<'_, '_>, found: &[PersonMention], clues: &mut Clues) {
    let surname = |mention: &PersonMention| mention.name.rsplit(' ').next().unwrap_or("").to_owned();
    let is_bearer = |mention: &&PersonMention| {
        has_word_of(mention.title.as_deref().unwrap_or(""), &PROFESSIONS) && bears_word(page, &surname(mention))
    };
    let mut bearers = found.iter().filter(is_bearer);
    if let Some(one) = bearers.next().filter(|one| bearers.all(|other| other.name == one.name)) {
        clues.add(&one.name, Clue::OnlyProfessional, (&one.snippet, 0));
    }
}

/// The personal name inside of a business's name: `Ann Lee Photography`, `Law Office of Ann M. Lee`, `Studio di Anna Rossi`.
fn name_inside(business: &str) -> Option<String> {
    let words = business.split([' ', ',', '|']).filter(|word| !word.is_empty()).take(BUSINESS_WORDS_MAX);
    // `San Jose Piano` begins with no Jose.
    let words: Vec<&str> = words.take_while(|word| !PLACE_STARTS.contains_any_case(word)).collect();
    let windows = (2..=NAME_WORDS_MAX.min(words.len())).rev().flat_map(|length| words.windows(length));
    let is_whole =
        |window: &[&str]| words.iter().all(|word| window.contains(word) || LEGAL_FORMS.contains_any_case(word));
    let parsed = windows.filter_map(|window| {
        // `Lee Law` is what Lee practises.
        let is_no_surname = |last: &&str| is_practice_word(last) || PLACES.contains_any_case(last);
        if window.last().is_some_and(is_no_surname) {
            return None;
        }
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
        // `I. Michael Lee`
        let is_word = |word: &&str| word.trim_end_matches('.').len() > 1;
        (!names::is_surname(&surname), name.split(' ').filter(is_word).count())
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

/// Whether the business bears the surnames of two others: `Lee & Ray` is no firm of Ann Moss.
pub(super) fn is_firm_of_others(page: OwnerPage<'_, '_>, name: &str) -> bool {
    let Some(business) = page.site.business() else { return false };
    let words: Vec<&str> = business.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let is_surname = |word: &str| names::is_surname(&word.to_lowercase()) && word.starts_with(char::is_uppercase);
    let joined = words.windows(3).any(|words| {
        matches!(words[1], "&" | "and" | "und" | "et" | "y" | "e") && is_surname(words[0]) && is_surname(words[2])
    });
    joined && !bears_surname_of(page, name)
}

/// Whether the business bears somebody's surname.
pub(super) fn bears_surname_of(page: OwnerPage<'_, '_>, name: &str) -> bool {
    name.rsplit(' ').next().is_some_and(|surname| bears_word(page, surname))
}

/// Whether the business's name contains the surname as a word, or the site carries it.
fn bears_word(page: OwnerPage<'_, '_>, surname: &str) -> bool {
    let is_word = || page.site.business().is_some_and(|business| has_word(business, surname));
    (surname.len() >= SURNAME_BYTES_MIN && page.site.carries(surname))
        || (surname.len() >= SURNAME_WORD_BYTES_MIN && is_word())
}

/// Whether a name has a word, unless it is part of the name of a place: `Lee Street Bakery`.
fn has_word(business: &str, word: &str) -> bool {
    let mut words = business.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|part| !part.is_empty());
    let is_found = words.any(|part| part.eq_ignore_ascii_case(word) || part.to_lowercase() == word.to_lowercase());
    is_found && !words.next().is_some_and(|next| PLACES.contains_any_case(next))
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
