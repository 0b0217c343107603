//! Who signs a letter of the business to its visitors: `Warm regards, Ann Lee`.

use memchr::memchr;

use crate::page::lower_in_place;
use crate::people::names;
use crate::people::ownership::persons::Persons;
use crate::people::ownership::{Clue, Clues, OwnerPage};
use crate::people::{affiliation, sentences, speaker};

/// Longest closing, and longest signature, in bytes.
const CLOSING_BYTES_MAX: usize = 40;
const NAME_BYTES_MAX: usize = 60;
/// Lines read per page.
const LINES_MAX: usize = 2_000;
/// Lines above a closing in which the letter is.
const LINES_ABOVE: usize = 3;
/// Steps charged per signature.
const NAME_STEPS: usize = 4_000;

/// How letters end.
const CLOSINGS: &[&str] = &[
    "sincerely",
    "warmly",
    "warm regards",
    "warmest regards",
    "kind regards",
    "best regards",
    "regards",
    "yours",
    "cheers",
    "best,",
    "best wishes",
    "with love",
    "love,",
    "with gratitude",
    "gratefully",
    "thank you",
    "thanks",
    "see you soon",
    "respectfully",
    "blessings",
    "namaste",
    "all the best",
    "yours truly",
    "with appreciation",
    "with thanks",
    "take care",
    "hugs",
    "xo",
    "mit freundlichen",
    "herzlich",
    "ihr ",
    "ihre ",
    "ihr,",
    "cordialement",
    "bien à vous",
    "saludos",
    "un saludo",
    "cordiali saluti",
    "groeten",
    "met vriendelijke",
];

/// Reads the signatures of a page.
pub(super) fn read(page: OwnerPage<'_, '_>, persons: &mut Persons, clues: &mut Clues) {
    for index in 1..page.document.lines.len().min(LINES_MAX) {
        let Some(signature) = signature(page, index) else { continue };
        let is_letter = (index.saturating_sub(LINES_ABOVE)..index).any(|above| {
            page.line(above).is_some_and(|line| {
                (affiliation::says_ours(line) || says_i_began(line))
                    && !speaker::is_praise(line)
                    && !speaker::is_customer(line, page.site)
            })
        });
        let line = signature.trim_start_matches(['-', '–', '—', '~', ' ']);
        if !is_letter
            || line.len() > NAME_BYTES_MAX
            || !names::may_start(line)
            || !page.document.budget.spend(NAME_STEPS)
        {
            continue;
        }
        for name in sentences::people_and_end(line).map_or_else(Vec::new, |(people, _)| people) {
            if let Some(person) = persons.add(&name.name) {
                clues.add(persons.name(person), Clue::Signed, (line, 0));
            }
        }
    }
}

/// What follows a closing, on the next line or on the same: `Warmly, Ann Lee`.
fn signature<'p>(page: OwnerPage<'p, '_>, index: usize) -> Option<&'p str> {
    let (line, place) = page.document.line(index);
    if place.link || line.len() > CLOSING_BYTES_MAX + NAME_BYTES_MAX {
        return None;
    }
    if line.len() <= CLOSING_BYTES_MAX && is_closing(line) {
        return page.line(index + 1);
    }
    // `Thanks, Ann Lee` is said to her.
    let comma = memchr(b',', line.as_bytes()).filter(|at| *at < CLOSING_BYTES_MAX && !line.starts_with("Thank"))?;
    let signature = page.line(index)?[comma + 1..].strip_prefix(' ')?;
    (names::may_start(signature) && is_closing(&line[..=comma])).then_some(signature)
}

/// `When I opened the salon, I wanted a place for everyone.`
fn says_i_began(line: &str) -> bool {
    ["I opened ", "I founded ", "I started ", "I bought "].iter().any(|words| line.contains(words))
}

fn is_closing(line: &str) -> bool {
    // Menus and labels are short, too.
    let is_bare = || {
        ["Sincerely", "Regards", "Herzlich", "Mit freundlichen", "Cordialement"].iter().any(|end| line.starts_with(end))
    };
    if !line.ends_with([',', '!', '.']) && !is_bare() {
        return false;
    }
    let lower = lower_in_place(line);
    CLOSINGS.iter().any(|words| lower.starts_with(words)) && line.ends_with([',', '!', '.', 's', 'y', 'e', 'n', 't'])
}
