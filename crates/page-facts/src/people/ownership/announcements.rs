//! Headings that announce who owns the business, and whom they announce: `Meet the owners`, `A note from our founder`,
//! `Your hosts Ann & Bob Lee`. A card with a title below such a heading is read with the people; here is what else follows.

use crate::page::lower_in_place;
use crate::people::cards;
use crate::people::names::{self, Trust};
use crate::people::owner_labels;
use crate::people::ownership::persons::Persons;
use crate::people::ownership::{Clue, Clues, OwnerPage, unlisted_names};
use crate::people::sentences;

/// Longest heading, in bytes, and headings read per page.
const HEADING_BYTES_MAX: usize = 70;
const HEADINGS_MAX: usize = 60;
/// Lines below a heading in which the name stands, and bytes before it in one of them.
const LINES_BELOW: usize = 4;
const BYTES_BEFORE: usize = 14;
/// Steps charged per line that may begin with a name.
const NAME_STEPS: usize = 2_000;

/// What owners are called in headings, with the title that this implies.
const OWNERS: &[(&str, &str)] = &[
    ("owner", "Owner"),
    ("founder", "Founder"),
    ("proprietor", "Proprietor"),
    ("your host", "Host"),
    ("our host", "Host"),
    ("innkeeper", "Innkeeper"),
    ("inhaber", "Inhaber"),
    ("praxisinhaber", "Inhaber"),
    ("salonbesitzer", "Inhaber"),
    ("gründer", "Gründer"),
    ("gérant", "Gérant"),
    ("fondateur", "Fondateur"),
    ("fondatrice", "Fondatrice"),
    ("propriétaire", "Propriétaire"),
    ("propietari", "Propietario"),
    ("fundador", "Fundador"),
    ("titolar", "Titolare"),
    ("fondator", "Fondatore"),
    ("eigenaar", "Eigenaar"),
    ("oprichter", "Oprichter"),
];
/// Words of headings about owners of other things, or that nobody is named below.
const OTHERS: &[&str] = &[
    "home",
    "house",
    "pet",
    "dog",
    "cat",
    "car",
    "property",
    "business owner",
    "boat",
    "horse",
    "former",
    "previous",
    "past",
    "for ",
    "to ",
    "manual",
    "franchise",
    "ownership",
    "responsib",
    "what ",
    "why ",
    "how ",
    "owner’s man",
    "login",
    "portal",
    "land",
    "building",
    "truck",
    "day",
    "club",
    "award",
    "circle",
    "council",
    "society",
    "board",
];

/// Reads the headings of a page.
pub(super) fn read(page: OwnerPage<'_, '_>, persons: &mut Persons, clues: &mut Clues) {
    let document = page.document;
    let headings = (0..document.lines.len()).filter(|index| document.line(*index).1.heading).take(HEADINGS_MAX);
    for index in headings {
        let Some(line) = page.line(index).filter(|line| line.len() <= HEADING_BYTES_MAX) else { continue };
        let Some((end, title)) = announced(line) else { continue };
        let found = match named_in(page, line, end) {
            found if !found.is_empty() => found,
            _ => named_below(page, persons, index),
        };
        for name in found {
            if let Some(person) = persons.add(&name) {
                clues.add_titled(persons.name(person), (Clue::Stated, title), (line, 0));
            }
        }
    }
}

/// The title that a heading announces, and where the word ends that says so.
fn announced(line: &str) -> Option<(usize, &'static str)> {
    let lower = lower_in_place(line);
    let is_start = |at: usize| !lower[..at].ends_with(|c: char| c.is_alphanumeric());
    let (at, word, title) = OWNERS
        .iter()
        .find_map(|(word, title)| lower.find(word).filter(|at| is_start(*at)).map(|at| (at, *word, *title)))?;
    let end = at + word.len();
    let end = end + lower[end..].find(|c: char| !c.is_alphanumeric()).unwrap_or(lower.len() - end);
    let is_of_others = OTHERS.iter().any(|words| lower.contains(words)) || line.ends_with('?');
    (!is_of_others).then_some((end, title))
}

/// `Your hosts Ann & Bob Lee`: names in the heading itself.
fn named_in(page: OwnerPage<'_, '_>, line: &str, end: usize) -> Vec<String> {
    let rest = line[end..].trim_start_matches([' ', ',', ':', '–', '-']);
    if !rest.contains(' ') || !names::may_start(rest) || !page.document.budget.spend(NAME_STEPS) {
        return Vec::new();
    }
    let people = sentences::people_and_end(rest).map(|(people, _)| people.into_iter().map(|one| one.name).collect());
    people.unwrap_or_else(|| couple_on_no_list(rest))
}

/// `Rob & Zxy Lee`: both names, though the second is on no list.
fn couple_on_no_list(text: &str) -> Vec<String> {
    let both = [" & ", " and ", " und ", " et ", " e ", " y ", " en "].iter().find_map(|sign| text.split_once(sign));
    let Some((one, two)) = both.filter(|(one, _)| names::is_first_name_in_any_case(one)) else { return Vec::new() };
    let two = names::parse_as(two, Trust::High).filter(owner_labels::is_plausible);
    two.map_or_else(Vec::new, |two| {
        let surname = two.name.rsplit(' ').next().unwrap_or("");
        vec![format!("{one} {surname}"), two.name.clone()]
    })
}

/// Names with which the lines below a heading begin: `Ann Lee and Bob Ray met in college`, `Hi, I'm Ann Lee`.
fn named_below(page: OwnerPage<'_, '_>, persons: &Persons, heading: usize) -> Vec<String> {
    for index in heading + 1..=heading + LINES_BELOW {
        let (text, place) = page.document.line(index);
        if text.is_empty() || place.heading && cards::name(text).is_none() && names::parse_couple(text).is_none() {
            break;
        }
        let Some(line) = page.line(index).filter(|_| page.document.budget.spend(NAME_STEPS)) else { continue };
        let starts = std::iter::once(0).chain(line.match_indices(' ').map(|(at, _)| at + 1));
        let starts = starts.take_while(|at| *at <= BYTES_BEFORE).filter(|at| names::may_start(&line[*at..]));
        let named = starts.into_iter().find_map(|at| sentences::people_and_end(&line[at..]));
        if let Some((people, _)) = named {
            return people.into_iter().map(|one| one.name).collect();
        }
        // `Ann has loved wool since she was five`, where another line names her in full.
        let first = line.split(|c: char| !c.is_alphabetic()).next().unwrap_or("");
        if let Some(person) = persons.called(first) {
            return vec![persons.name(person).to_owned()];
        }
        if let Some(name) = unlisted_names::after(page, line) {
            return vec![name];
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_announce_owners() {
        for (line, title) in [
            ("Meet the Owners", Some("Owner")),
            ("A note from our founder", Some("Founder")),
            ("Your hosts Ann & Bob Lee", Some("Host")),
            ("Praxisinhaberin", Some("Inhaber")),
            ("Inhaberin", Some("Inhaber")),
            ("Notes for dog owners", None),
            ("Co-owner of the year award", None),
            ("Our Team", None),
        ] {
            assert_eq!(announced(line).map(|(_, title)| title), title, "{line}");
        }
    }
}
