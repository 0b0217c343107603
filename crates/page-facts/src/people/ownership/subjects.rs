//! Whom a page is about, whatever its sentences say of owning: named in its description, below a portrait or in a heading
//! above a biography, and the only one of whom its paragraphs tell.

use crate::people::affiliation;
use crate::people::common_words::CommonWords;
use crate::people::names::{self, Trust};
use crate::people::owner_labels;
use crate::people::ownership::persons::{Persons, Who};
use crate::people::ownership::unlisted_names;
use crate::people::ownership::{Clue, Clues, OwnerPage, announcements, namesakes};
use crate::people::{early_years, sentences, the_dead};
use crate::text::unescape_attribute;
use crate::word_set::WordSet;

/// Bytes of a page's description that are read.
const DESCRIPTION_BYTES_MAX: usize = 400;
/// Steps charged for a description, and per picture or heading that may show a name.
const DESCRIPTION_STEPS: usize = 8_000;
const NAME_STEPS: usize = 2_000;
/// Pictures read per page, and the longest of their texts, in bytes.
const PICTURES_MAX: usize = 40;
const ALT_BYTES_MAX: usize = 120;
/// Headings read per page, and the longest that is a name, in bytes.
const HEADINGS_MAX: usize = 60;
const HEADING_BYTES_MAX: usize = 60;
/// Lines below a heading that tell of whom it names.
const LINES_BELOW: usize = 4;
/// Shortest paragraph, in bytes.
const PARAGRAPH_BYTES_MIN: usize = 40;
/// Lines read per page, and sentences about somebody from which on the page is about them.
const LINES_MAX: usize = 300;
const SENTENCES_MIN: usize = 3;
/// The same about whom the page also presents, and about whom the business is named after.
const PRESENTED_SENTENCES_MIN: usize = 2;
const BORNE_SENTENCES_MIN: usize = 1;
/// Longest line that says whose business a heading names, in bytes, and lines between them.
const BYLINE_BYTES_MAX: usize = 50;
const BYLINE_LINES: usize = 4;
/// Lines of a front page among which it is.
const BYLINES_MAX: usize = 60;

/// What stands before the name of whom a picture shows.
const PICTURED: &[&str] =
    &["Photo of ", "Portrait of ", "Picture of ", "Image of ", "Foto von ", "Foto di ", "Foto de "];
/// `by`, before the name of whose business it is.
const BY: &[&str] = &["di ", "by ", "von ", "de ", "par ", "da ", "door ", "Di ", "By ", "Von ", "De ", "Par ", "Da "];

/// Reads the description, headings and pictures of a page that is about the business or somebody.
pub(super) fn presented(page: OwnerPage<'_, '_>, persons: &mut Persons, clues: &mut Clues) {
    if page.is_front {
        bylines(page, persons, clues);
        return;
    }
    described(page, persons, clues);
    headings(page, persons, clues);
    if page.is_story {
        pictures(page, persons, clues);
    }
}

/// `Meet Ann Lee, a master gardener` in the page's description.
fn described(page: OwnerPage<'_, '_>, persons: &mut Persons, clues: &mut Clues) {
    let document = page.document;
    let Some(text) = document.meta("description").filter(|text| names::may_contain(text)) else { return };
    if !document.budget.spend(DESCRIPTION_STEPS) {
        return;
    }
    let text = crate::page::around(text, 0, 0, DESCRIPTION_BYTES_MAX);
    for reference in persons.references(text) {
        if let Who::Person(person) = reference.who
            && !clues.has(persons.name(person), Clue::Described)
            && is_whole_name(text, reference.end, persons.name(person))
            && !page.site.is_called(&persons.name(person).split(' ').collect::<Vec<_>>())
        {
            clues.add(persons.name(person), Clue::Described, (text, reference.at));
        }
    }
}

/// Whether a name ends where a text says, and is none of a place: `Hudson Bay Mountain`.
fn is_whole_name(text: &str, end: usize, name: &str) -> bool {
    let goes_on = text[end..].strip_prefix(' ').is_some_and(|rest| rest.starts_with(char::is_uppercase));
    let last = name.rsplit(' ').next().unwrap_or("").to_lowercase();
    !goes_on && !namesakes::is_place_word(&last)
}

/// Couples in headings, and names on no list above what is told of them.
fn headings(page: OwnerPage<'_, '_>, persons: &mut Persons, clues: &mut Clues) {
    let document = page.document;
    let of_owner = announcements::of_page(page).is_some();
    let headings = (0..document.lines.len()).filter(|index| document.line(*index).1.heading);
    for index in headings.take(HEADINGS_MAX) {
        let Some(line) = page.line(index).filter(|line| line.len() <= HEADING_BYTES_MAX && line.contains(' ')) else {
            continue;
        };
        let bare = line.strip_prefix("Meet ").or_else(|| line.strip_prefix("About ")).unwrap_or(line);
        if let Some(both) = names::parse_couple(bare).filter(|_| !is_wedding(page, index)) {
            for name in both {
                present(page, &name.name, (persons, clues), line);
                if page.is_story
                    && let Some(person) = persons.called_in_full(&name.name)
                {
                    clues.add(persons.name(person), Clue::Leads, (line, 0));
                }
            }
        } else if let Some(name) = on_no_list(page, bare, index, of_owner) {
            present(page, &name, (persons, clues), line);
        }
    }
}

/// Whether what stands below a couple tells of their wedding: `Ann & Bob Lee`, `They married in May`.
fn is_wedding(page: OwnerPage<'_, '_>, index: usize) -> bool {
    const WORDS: &[&str] = &["arried", "edding", "ngaged", "heiratet", "ochzeit", "ariage", "atrimonio", "boda"];
    let below = (index + 1..=index + LINES_BELOW).map(|below| page.document.line(below).0);
    !page.document.budget.spend(NAME_STEPS)
        || below.into_iter().any(|line| WORDS.iter().any(|word| line.contains(word)))
}

/// Adds a name that a heading presents; one that the business bears is of those who run it.
fn present(page: OwnerPage<'_, '_>, name: &str, (persons, clues): (&mut Persons, &mut Clues), line: &str) {
    let Some(person) = persons.add(name) else { return };
    let name = persons.name(person);
    if !clues.has(name, Clue::Presented) {
        clues.add(name, Clue::Presented, (line, 0));
    }
    if namesakes::bears_surname_of(page, name) {
        clues.add(name, Clue::SurnameAtWork, (line, 0));
    }
}

/// A heading that is a name on no list: the text below goes on with its first word, and with `she` or `he`.
fn on_no_list(page: OwnerPage<'_, '_>, line: &str, index: usize, of_owner: bool) -> Option<String> {
    let first = line.split(' ').next().filter(|first| first.starts_with(char::is_uppercase))?;
    let is_shaped = (2..=3).contains(&line.split(' ').count())
        && line.split(' ').all(|word| word.len() > 1 && word.starts_with(char::is_uppercase));
    if !is_shaped || names::is_first_name_in_any_case(first) {
        return None;
    }
    let below = || (index + 1..=index + LINES_BELOW).map(|below| page.document.line(below));
    let below = || below().take_while(|(_, place)| !place.heading).map(|(line, _)| line);
    let is_person = || below().any(unlisted_names::speaks_of_person);
    let goes_on = || of_owner || below().any(|line| begins_with_word(line, first));
    if !is_person() || !goes_on() || !page.document.budget.spend(NAME_STEPS) {
        return None;
    }
    let name = names::parse_as(line, Trust::High).filter(owner_labels::is_plausible)?.name;
    let is_site = page.site.is_named_in(&name) || page.site.is_called(&name.split(' ').collect::<Vec<_>>());
    (!is_site && !CommonWords::of(page.document).make_up(&name)).then_some(name)
}

fn begins_with_word(line: &str, word: &str) -> bool {
    line.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', '\'', '’', ',']))
}

/// `di Roberto Rossi` below the name of the business that bears the surname.
fn bylines(page: OwnerPage<'_, '_>, persons: &mut Persons, clues: &mut Clues) {
    let document = page.document;
    for index in 1..document.lines.len().min(BYLINES_MAX) {
        let (line, _) = document.line(index);
        let Some(rest) = BY.iter().find_map(|by| line.strip_prefix(by)).filter(|_| line.len() <= BYLINE_BYTES_MAX)
        else {
            continue;
        };
        let mut above = (index.saturating_sub(BYLINE_LINES)..index).map(|above| document.line(above));
        if page.line(index).is_none() || !above.any(|(text, place)| place.heading && page.site.is_named_in(text)) {
            continue;
        }
        for name in sentences::people_and_end(rest).map_or_else(Vec::new, |(people, _)| people) {
            if namesakes::bears_surname_of(page, &name.name)
                && let Some(person) = persons.add(&name.name)
            {
                clues.add(persons.name(person), Clue::SurnameAtWork, (line, 0));
            }
        }
    }
}

/// `Ann Lee among her blooms`: whom the pictures of a page show, if no heading presents anybody.
fn pictures(page: OwnerPage<'_, '_>, persons: &mut Persons, clues: &mut Clues) {
    let document = page.document;
    if persons.all().any(|name| clues.has(name, Clue::Presented) || clues.has(name, Clue::Described)) {
        return;
    }
    for picture in document.pictures.iter().take(PICTURES_MAX) {
        let Some(alt) = picture.tag.attribute("alt").filter(|alt| (5..=ALT_BYTES_MAX).contains(&alt.len())) else {
            continue;
        };
        let alt = unescape_attribute(alt.trim());
        let alt = PICTURED.iter().find_map(|words| alt.strip_prefix(words)).unwrap_or(&alt);
        let index = document.lines.partition_point(|line| line.start < picture.at);
        let is_readable = page.readable.get(index) != Some(&false) && !document.line(index).1.footer;
        if !is_readable || !names::may_start(alt) || !document.budget.spend(NAME_STEPS) {
            continue;
        }
        let people = sentences::people_and_end(alt).map_or_else(Vec::new, |(people, _)| people);
        for name in people {
            if !page.site.is_named_in(&name.name)
                && let Some(person) = persons.add(&name.name)
                && !clues.has(persons.name(person), Clue::Described)
            {
                clues.add(persons.name(person), Clue::Described, (alt, 0));
            }
        }
    }
}

/// Gives a clue to the only one of whom the paragraphs of a page tell.
pub(super) fn told_of(page: OwnerPage<'_, '_>, persons: &Persons, clues: &mut Clues) {
    if page.is_front {
        return;
    }
    let Some(person) = only_subject(persons, clues) else { return };
    let name = persons.name(person).to_owned();
    let is_other = persons.all().any(|other| other != name && clues.has_statement(other));
    if is_other || namesakes::is_firm_of_others(page, &name) {
        return;
    }
    let (first, surname) = (name.split(' ').next().unwrap_or(""), name.rsplit(' ').next().unwrap_or(""));
    // `Ann Lee helps you` may be said of the business.
    let is_business = page.site.is_called(&name.split(' ').collect::<Vec<_>>());
    let document = page.document;
    let (mut count, mut place, mut works_here) = (0, None, false);
    for index in 0..document.lines.len().min(LINES_MAX) {
        if count >= SENTENCES_MIN {
            break;
        }
        let Some(line) = page.line(index).filter(|line| line.len() >= PARAGRAPH_BYTES_MIN) else { continue };
        if document.line(index).1.footer || document.line(index).1.link {
            continue;
        }
        let is_of_now =
            |sentence: &&str| !early_years::is_of_earlier_years(sentence) && !the_dead::is_named_in(sentence);
        let sentences = line.split(". ").filter(|sentence| !is_business || !sentence.contains(&name)).filter(is_of_now);
        let told = sentences.filter(|sentence| tells_of(sentence, (first, surname))).count();
        if told > 0 {
            place = place.or(Some(line));
        }
        count += told;
        works_here |= told > 0 && works_at(page, line);
    }
    let is_presented = [Clue::Presented, Clue::Opening, Clue::Described].iter().any(|clue| clues.has(&name, *clue));
    let enough = match clues.has(&name, Clue::Surname) || clues.has(&name, Clue::Namesake) {
        true => BORNE_SENTENCES_MIN,
        false if is_presented && page.is_about => PRESENTED_SENTENCES_MIN,
        false => SENTENCES_MIN,
    };
    if let Some(line) = place.filter(|_| works_here) {
        clues.add(&name, Clue::Joined, (line, 0));
    } else if let Some(line) = place.filter(|_| count >= enough) {
        clues.add(&name, Clue::Told, (line, 0));
    }
}

/// Whether a line says that somebody works at this business, as one of several: `is a trainer at Acme Fitness`.
fn works_at(page: OwnerPage<'_, '_>, line: &str) -> bool {
    line.match_indices(" at ").any(|(at, sign)| {
        let is_one = affiliation::sentence(line, at).contains(" is a");
        is_one && affiliation::begins_with_site(&line[at + sign.len()..], page.site)
    })
}

/// Whether a sentence has somebody's name or a pronoun.
fn tells_of(sentence: &str, (first, surname): (&str, &str)) -> bool {
    let words = || sentence.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty());
    let is_addressed = words().zip(words().skip(1)).any(|(one, two)| HONORIFICS.contains(one) && two == surname);
    is_addressed || words().any(|word| word == first || PRONOUNS.contains(word))
}

/// `she`; `Sie` may also be `you`.
static PRONOUNS: WordSet =
    WordSet::new("She He Her His she he her his Er er Seine seine Elle elle Son Ella ella Él él Lei Zij zij Hij hij");
static HONORIFICS: WordSet = WordSet::new("Dr Mr Mrs Ms Captain Chef Master Coach Frau Herr Professor Attorney");

/// Whom a page is about: the only one it names, or presents.
fn only_subject(persons: &Persons, clues: &Clues) -> Option<usize> {
    let with = |wanted: Clue| {
        let mut found = persons.all().enumerate().filter(|(_, name)| clues.has(name, wanted));
        found.next().filter(|_| found.next().is_none()).map(|(person, _)| person)
    };
    persons.only().or_else(|| with(Clue::Presented)).or_else(|| with(Clue::Described))
}
