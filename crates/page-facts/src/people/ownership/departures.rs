//! Who no longer owns the business: `Ann and Bob retired in 2008`, `He sold the shop to his neighbor, Joe Ray`.

use crate::people::ownership::business_words;
use crate::people::ownership::persons::{Persons, Reference, Who};
use crate::people::ownership::phrases::Act;
use crate::people::ownership::{Clue, Clues, OwnerPage};

/// Bytes before a verb in which those who leave are named, and after it in which the buyer is.
const LEAVING_BYTES_MAX: usize = 60;
const BUYER_BYTES_MAX: usize = 60;

/// Words of sentences about what somebody did before, or no longer does.
const PAST: &[&str] = &[
    "rior to joining",
    "efore joining",
    "reviously",
    " formerly ",
    " former owner",
    " used to ",
    "no longer",
    "ehemals",
    "anciennement",
];

/// Whether a sentence tells of an earlier business.
pub(super) fn is_past(sentence: &str) -> bool {
    PAST.iter().any(|words| sentence.contains(words))
}

/// A verb of leaving or selling, and whom its line refers to.
pub(super) struct Departure<'d> {
    pub(super) line: &'d str,
    /// Where the verb begins and ends.
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) act: Act,
    pub(super) references: &'d [Reference],
}

/// Reads who leaves, and who buys.
pub(super) fn read(page: OwnerPage<'_, '_>, persons: &Persons, departure: Departure<'_>, clues: &mut Clues) {
    let Departure { line, at, end, act, references } = departure;
    let after = &line[end..];
    let is_sale = act == Act::Sells;
    // `retired from the navy` and `sold houses` leave the business alone.
    let is_elsewhere = after.trim_start().starts_with("from ");
    if (is_sale && business_words::object(after.trim_start(), page.site).is_none()) || (!is_sale && is_elsewhere) {
        return;
    }
    for reference in
        references.iter().filter(|reference| reference.end <= at && at - reference.end <= LEAVING_BYTES_MAX)
    {
        if let Who::Person(person) = reference.who
            && !line[reference.end..at].contains(". ")
        {
            clues.add(persons.name(person), Clue::Left, (line, at));
        }
    }
    if is_sale {
        sold_to(persons, clues, (line, at, end), references);
    }
}

/// Whoever bought the business owns it.
fn sold_to(persons: &Persons, clues: &mut Clues, (line, at, end): (&str, usize, usize), references: &[Reference]) {
    let buyer = references.iter().find(|reference| reference.at >= end && reference.at - end <= BUYER_BYTES_MAX);
    if let Some(Reference { who: Who::Person(person), at: place, .. }) = buyer
        && line[end..*place].contains(" to ")
    {
        clues.add_titled(persons.name(*person), (Clue::Stated, "Owner"), (line, at));
    }
}

/// Whoever the business was bought from does not own it: `They purchased the stand from Joe Ray`.
pub(super) fn bought_from(persons: &Persons, clues: &mut Clues, (line, end): (&str, usize), references: &[Reference]) {
    let seller = references.iter().find(|reference| reference.at >= end && line[..reference.at].ends_with(" from "));
    if let Some(Reference { who: Who::Person(person), at, .. }) = seller
        && at - end <= BUYER_BYTES_MAX
    {
        clues.add(persons.name(*person), Clue::Left, (line, *at));
    }
}
