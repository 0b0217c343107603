//! Who no longer owns the business: `Ann and Bob retired in 2008`, `He sold the shop to his neighbor, Joe Ray`.

use crate::page::around;
use crate::people::owners;
use crate::people::ownership::business_words;
use crate::people::ownership::persons::{Persons, Reference, Who};
use crate::people::ownership::phrases::Act;
use crate::people::ownership::statements::ends_sentence;
use crate::people::ownership::{Clue, Clues, OwnerPage};

/// Bytes before a verb in which those who leave are named, and after it in which the buyer is.
const LEAVING_BYTES_MAX: usize = 60;
const BUYER_BYTES_MAX: usize = 60;

/// Years that sentences name, and years between two who took it over one after the other.
const YEARS: std::ops::RangeInclusive<u16> = 1700..=2100;
const YEARS_MIN: u16 = 4;

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
    "efore moving",
    "efore coming",
    "n the past",
    "with us until",
    "for us until",
    " left us ",
];

/// Whether a sentence tells of an earlier business.
pub(in crate::people) fn is_past(sentence: &str) -> bool {
    PAST.iter().any(|words| sentence.contains(words))
}

/// What ends somebody's years with a business, besides a year.
const ENDS: &[&str] =
    &["her retire", "his retire", "their retire", "her death", "his death", "her passing", "his passing"];
/// Bytes after `until` in which somebody else may be named who followed: `until 2010, when Ann Lee took over`.
const SUCCESSOR_BYTES_MAX: usize = 16;
/// Decades ago: whoever bought the business before has hardly kept it.
const DECADES: &[&str] = &["40s", "50s", "60s", "70s", "40's", "50's", "60's", "70's", "40’s", "50’s", "60’s", "70’s"];
/// The same as years.
const BOUGHT_MIN: u16 = 1980;

/// Whether the sentence at the start of a text says until when something was so: `was run until 1976 by`.
pub(super) fn has_ended(text: &str) -> bool {
    let sentence = &text[..business_words::sentence_end(text)];
    let may_end = sentence.bytes().any(|byte| byte.is_ascii_digit()) || sentence.contains("til ");
    if !may_end {
        return false;
    }
    const UNTIL: &[&str] = &[" until ", " till ", " bis ", " jusqu'en ", " jusqu’en ", " hasta ", " fino al ", " tot "];
    UNTIL.iter().filter_map(|word| sentence.find(word).map(|at| &sentence[at + word.len()..])).any(|rest| {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let is_followed = around(rest, 0, 0, SUCCESSOR_BYTES_MAX).contains("when");
        (digits == 4 && !is_followed) || ENDS.iter().any(|end| rest.starts_with(end))
    })
}

/// Whether a sentence dates what it says to years so long ago that its people have hardly kept the business.
pub(super) fn is_decades_ago(sentence: &str) -> bool {
    let is_decade = |decade: &str| {
        let before =
            sentence.find(decade).map(|at| sentence[..at].trim_end_matches("19").trim_end_matches(['\'', '’']));
        before.is_some_and(|before| before.ends_with([' ', '-']))
    };
    DECADES.iter().any(|decade| is_decade(decade)) || years(sentence).last().is_some_and(|year| year < BOUGHT_MIN)
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
    if business_words::ends_in_elder(line[..at].trim_end()) {
        return;
    }
    if (is_sale && business_words::object(after.trim_start(), page.site).is_none()) || (!is_sale && is_elsewhere) {
        return;
    }
    let near = |reference: &&Reference| {
        reference.end <= at && at - reference.end <= LEAVING_BYTES_MAX && !line[reference.end..at].contains(". ")
    };
    for reference in references.iter().filter(near) {
        let person = match reference.who {
            Who::Person(person) => Some(person),
            // `Joe Gray founded it. In 2010 he sold the company`
            Who::Pronoun if is_sale => first_person(references, reference.at),
            _ => None,
        };
        person.into_iter().for_each(|person| clues.add(persons.name(person), Clue::Left, (line, at)));
    }
    if is_sale {
        sold_to(persons, clues, (line, at, end), references);
    }
}

/// Whom a line names first, before byte `at`.
fn first_person(references: &[Reference], at: usize) -> Option<usize> {
    references.iter().take_while(|reference| reference.at < at).find_map(|reference| match reference.who {
        Who::Person(person) => Some(person),
        _ => None,
    })
}

/// Whoever bought the business owns it.
fn sold_to(persons: &Persons, clues: &mut Clues, (line, at, end): (&str, usize, usize), references: &[Reference]) {
    let buyer = references.iter().find(|reference| reference.at >= end && reference.at - end <= BUYER_BYTES_MAX);
    if let Some(Reference { who: Who::Person(person), at: place, .. }) = buyer
        && line[end..*place].contains(" to ")
        && !ends_sentence(&line[end..*place])
    {
        clues.add_titled(persons.name(*person), (Clue::Stated, "Owner"), (line, at));
    }
}

/// What a page says of who took the business over.
pub(super) struct Taken<'t> {
    /// Those with the title of a founder.
    pub(super) founders: &'t [&'t str],
    /// Those who took it over, each with the year if it is known.
    pub(super) takers: &'t [(usize, Option<u16>)],
    /// Whether others bought it who are not named.
    pub(super) is_sold: bool,
    /// Whether somebody owns it whose full name is nowhere.
    pub(super) is_others: bool,
}

/// Takes the business from those who began it before others took it over, and from all but the last of these.
pub(super) fn supersede(persons: &Persons, taken: Taken<'_>, clues: &mut Clues) {
    let Taken { founders, takers, is_sold, is_others } = taken;
    let is_stated = |name: &str| clues.has(name, Clue::Stated);
    if !is_sold && !is_others && !takers.iter().any(|(taker, _)| is_stated(persons.name(*taker))) {
        return;
    }
    let latest = takers.iter().filter_map(|(_, year)| *year).max();
    let is_last = |year: Option<u16>| year.zip(latest).is_none_or(|(year, latest)| year + YEARS_MIN > latest);
    let took =
        |name: &str| takers.iter().filter(|(taker, _)| persons.name(*taker) == name).any(|(_, year)| is_last(*year));
    let is_taker = |name: &str| takers.iter().any(|(taker, _)| persons.name(*taker) == name);
    let is_owner = |name: &str| {
        let said = || clues.0.iter().filter(|known| known.name == name && known.clue == Clue::Stated);
        said().any(|known| !is_founding(known.title))
    };
    let is_founder = |name: &str| (is_stated(name) || founders.contains(&name)) && !is_owner(name);
    let is_earlier = |name: &&str| (is_others || !took(name)) && (is_taker(name) || is_founder(name));
    let earlier: Vec<String> = persons.all().filter(is_earlier).map(str::to_owned).collect();
    for name in earlier {
        clues.add(&name, Clue::Superseded, (&name, 0));
    }
}

/// Whether a title is of whoever began the business.
pub(super) fn is_founding(title: Option<&str>) -> bool {
    title.is_some_and(|title| (1..=owners::FOUNDER_RANK).contains(&owners::rank(title)))
}

/// The last year that a sentence names.
pub(super) fn year(sentence: &str) -> Option<u16> {
    years(sentence).max()
}

/// The years that a text names, in order.
pub(super) fn years(text: &str) -> impl Iterator<Item = u16> + '_ {
    let digits = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| digits.len() == 4);
    digits.filter_map(|digits| digits.parse::<u16>().ok()).filter(|year| YEARS.contains(year))
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
