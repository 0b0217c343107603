//! Readings of a typed location: everything it may mean, and how likely that is.

use super::naming::population;
use super::place::Site;
use super::query::{Query, Tail, is_digits};
use super::wide::{County, names, without_ending};
use crate::gazetteer::gazetteer;
use crate::postal;
use crate::shapes;

/// A name in another language or of another age stands for a town when no town of that own name has this share of its
/// people: "Cologne" is Köln, not the village in Minnesota; "Waterloo" is not Austin, which was once called so.
const OTHER_NAME_DIVISOR: u64 = 50;
/// A bare name is the town, not the state of the same name that it lies in, when it has this share of its people.
pub(super) const NAMESAKE_DIVISOR: u64 = 40;
/// How far the town of an address may be from the centre of its ZIP code.
const POSTAL_TOWN_MAX_MILES: f64 = 60.0;
/// Doubt about the letters of a region outside the US standing alone.
const DOUBT_LETTERS_ALONE: u8 = 2;
/// Letters of the longest short form of a region.
const SHORT_FORM_LETTERS_MAX: usize = 3;

/// One thing a location may mean.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) site: Site,
    /// 0 is the best; readings compete by weight only among equals.
    pub(super) doubt: u8,
    pub(super) weight: u64,
    /// Whether it is worth telling beside another choice: not a name of another language or age, and not the state
    /// that a town with its country is named like.
    pub(super) tell: bool,
    /// Words at the beginning that are the street, or a foreign postal code.
    pub(super) before: usize,
    /// The state that was said, when the ZIP code lies in another.
    pub(super) contradicted: Option<usize>,
}

impl Reading {
    fn new(site: Site, doubt: u8) -> Reading {
        Reading { site, doubt, weight: population(site), tell: true, before: 0, contradicted: None }
    }
}

/// All readings without a street, likeliest first.
pub(super) fn plain(query: &Query<'_>) -> Vec<Reading> {
    let mut found = Vec::new();
    for tail in query.tails() {
        if tail.rest == 0 {
            found.extend(alone(query, &tail));
        } else if let Some(code) = tail.postal_code {
            found.extend(before_code(query, &tail, code).filter(|reading| reading.before == 0));
        } else {
            found.extend(towns(query, (0, tail.rest), &tail));
            found.extend(counties(query, &tail));
        }
    }
    found.extend(code_first(query));
    ordered(found)
}

/// Counties without the word for it: "Miami-Dade", "Kent, UK".
pub(super) fn bare_counties(query: &Query<'_>) -> Vec<Reading> {
    let tails = query.tails().into_iter().filter(|tail| tail.rest > 0 && tail.postal_code.is_none());
    ordered(tails.flat_map(|tail| named_counties(&query.key(0, tail.rest), &tail)).collect())
}

/// Towns that only the post knows; they have no people to compare, so the state must be said.
pub(super) fn post_towns(query: &Query<'_>) -> Vec<Reading> {
    let mut found = Vec::new();
    for tail in query.tails().iter().filter(|tail| tail.rest > 0 && tail.first.is_some()) {
        let codes = postal::codes().of_place(&query.key(0, tail.rest));
        let sites = codes.iter().map(|code| Site::PostTown(*code as usize));
        let site = sites.into_iter().find(|site| tail.fits(site.first(), site.country()));
        found.extend(site.map(|site| Reading::new(site, tail.doubt)));
    }
    ordered(found)
}

/// Readings with a street, or with something else before the town that a ZIP code or state makes sure of.
pub(super) fn addresses(query: &Query<'_>) -> Vec<Reading> {
    let mut found = Vec::new();
    for tail in query.tails().iter().filter(|tail| tail.rest > 0) {
        match tail.postal_code {
            Some(code) => found.extend(before_code(query, tail, code)),
            None => found.extend(before_town(query, tail)),
        }
    }
    ordered(found)
}

/// A location that is nothing but a ZIP code, a region or a country.
fn alone(query: &Query<'_>, tail: &Tail) -> Option<Reading> {
    match (tail.postal_code, tail.first, tail.country) {
        (Some(code), first, _) => {
            let site = Site::PostalCode(code);
            let contradicted = first.filter(|_| first != site.first());
            Some(Reading { contradicted, ..Reading::new(site, u8::from(contradicted.is_some())) })
        }
        (None, Some(first), _) => {
            let letters = query.key(0, query.words.len()).len() <= SHORT_FORM_LETTERS_MAX;
            let foreign = !gazetteer().firsts[first].is_us_state();
            let doubt = if letters && foreign { DOUBT_LETTERS_ALONE } else { tail.doubt };
            Some(Reading { tell: tail.country.is_none(), ..Reading::new(Site::First(first), doubt) })
        }
        (None, None, Some(country)) => Some(Reading::new(Site::Country(country), tail.doubt)),
        (None, None, None) => None,
    }
}

/// Towns by the words `from..to`, where the tail says they are; a county may stand between: "Austin, Travis County".
fn towns(query: &Query<'_>, (from, to): (usize, usize), tail: &Tail) -> Vec<Reading> {
    let mut found = named_towns(&query.key(from, to), tail);
    if (from + 1..to).any(|at| query.is_divided_before(at)) {
        // "Hartford, IA" is not what others call Hartford in Connecticut: "Hartfordia".
        found.retain(|reading| reading.tell);
    }
    for at in (from + 1..to).filter(|at| query.is_divided_before(*at)) {
        let words = query.texts(at, to);
        let county = crate::fold::join(without_ending(&words).unwrap_or(&words).iter().copied());
        let counties = names().counties(&county);
        let mut within = named_towns(&query.key(from, at), tail);
        within.retain(|reading| counties.iter().any(|county| is_in(reading.site, *county)));
        found.extend(within);
    }
    found
}

fn named_towns(key: &str, tail: &Tail) -> Vec<Reading> {
    let gazetteer = gazetteer();
    let mut found = Vec::new();
    for named in gazetteer.find(key) {
        let site = Site::Town(named.row);
        if tail.fits(site.first(), site.country()) {
            let people = gazetteer.population(named.row);
            let weight = if named.own_name { people } else { people / OTHER_NAME_DIVISOR };
            found.push(Reading { weight, tell: named.own_name, ..Reading::new(site, tail.doubt) });
        }
    }
    found
}

fn is_in(site: Site, county: County) -> bool {
    let Site::Town(row) = site else { return false };
    let Some(second) = gazetteer().second_of(row) else { return false };
    match county {
        County::OnMap(at) => gazetteer().seconds[second].fips == Some(shapes::us().features()[at].key),
        County::Second(number) => number == second,
    }
}

/// Counties by a name that says that it is one.
fn counties(query: &Query<'_>, tail: &Tail) -> Vec<Reading> {
    let words = query.texts(0, tail.rest);
    let name = match words.as_slice() {
        ["county" | "parish", "of", name @ ..] if !name.is_empty() => name,
        words => match without_ending(words) {
            Some(name) => name,
            None => return Vec::new(),
        },
    };
    let mut found = named_counties(&crate::fold::join(name.iter().copied()), tail);
    // The word "county" is at home in the US: regions elsewhere are meant only when it has none of that name.
    if found.iter().any(|reading| matches!(reading.site, Site::County(County::OnMap(_)))) {
        found.retain(|reading| matches!(reading.site, Site::County(County::OnMap(_))));
    }
    found
}

fn named_counties(key: &str, tail: &Tail) -> Vec<Reading> {
    let sites = names().counties(key).iter().map(|county| Site::County(*county));
    sites.filter(|site| tail.fits(site.first(), site.country())).map(|site| Reading::new(site, tail.doubt)).collect()
}

/// "78701 Austin, TX": a ZIP code before the town that it belongs to.
fn code_first(query: &Query<'_>) -> Option<Reading> {
    let (first, rest) = query.words.split_first()?;
    if first.text.len() != 5 || rest.is_empty() {
        return None;
    }
    let code = postal::codes().find(&first.text)?;
    let town = plain_town(&query.with_words(rest))?;
    is_near(town, code).then(|| Reading::new(Site::PostalCode(code), 0))
}

fn plain_town(query: &Query<'_>) -> Option<usize> {
    match plain(query).first()?.site {
        Site::Town(row) => Some(row),
        _ => None,
    }
}

fn is_near(row: usize, code: usize) -> bool {
    gazetteer().point(row).miles_to(postal::codes().point(code)) <= POSTAL_TOWN_MAX_MILES
}

/// What stands before a ZIP code: a town near it, and before that a street.
fn before_code(query: &Query<'_>, tail: &Tail, code: usize) -> Option<Reading> {
    let site = Site::PostalCode(code);
    let contradicted = tail.first.filter(|first| Some(*first) != site.first());
    let is_town = |at: &usize| {
        let named = towns(query, (*at, tail.rest), tail);
        named.iter().any(|reading| matches!(reading.site, Site::Town(row) if is_near(row, code)))
    };
    let post_name = crate::fold::key(postal::codes().place(code));
    let before = (0..tail.rest).find(|at| query.key(*at, tail.rest) == post_name || is_town(at));
    // Without a town that is known, the words before the last comma are the street.
    let guessed = || (1..tail.rest).rev().find(|at| query.is_divided_before(*at)).unwrap_or(tail.rest);
    let doubt = tail.doubt + u8::from(contradicted.is_some()) + u8::from(before.is_none());
    Some(Reading { before: before.unwrap_or_else(guessed), contradicted, ..Reading::new(site, doubt) })
}

/// A town with a street before it: behind a comma when its state or country is known, or behind a house number.
fn before_town(query: &Query<'_>, tail: &Tail) -> Vec<Reading> {
    let divided = (1..tail.rest).filter(|at| query.is_divided_before(*at) && tail.says_something());
    let has_number = query.words[0].text.starts_with(|letter: char| letter.is_ascii_digit());
    let numbered = (1..tail.rest).filter(|_| has_number);
    for before in divided.chain(numbered) {
        let mut found = towns(query, (before, tail.rest), tail);
        if !found.is_empty() {
            found.iter_mut().for_each(|reading| reading.before = before);
            return found;
        }
    }
    Vec::new()
}

/// Whether the words before a town are a postal code: one word of digits.
pub(super) fn is_postal_code(query: &Query<'_>, before: usize) -> bool {
    before == 1 && is_digits(&query.words[0].text) && (4..=6).contains(&query.words[0].text.len())
}

/// Without doubles, likeliest first.
fn ordered(mut found: Vec<Reading>) -> Vec<Reading> {
    step_back(&mut found);
    found.sort_by_key(|reading| {
        // Of two ways to cut an address the one with the shorter street explains more of it.
        (reading.doubt, std::cmp::Reverse(reading.weight), site_order(reading.site), reading.before)
    });
    let mut seen = Vec::new();
    found.retain(|reading| {
        let is_new = !seen.contains(&reading.site);
        seen.push(reading.site);
        is_new
    });
    found
}

fn site_order(site: Site) -> u32 {
    match site {
        Site::Town(row) => gazetteer().id(row),
        _ => 0,
    }
}

/// States give way to a town of the same name within them: "New York" is the city.
fn step_back(found: &mut [Reading]) {
    let towns: Vec<(Option<usize>, u64)> = found
        .iter()
        .filter(|reading| matches!(reading.site, Site::Town(_)))
        .map(|reading| (reading.site.first(), reading.weight))
        .collect();
    for reading in found {
        if let Site::First(first) = reading.site {
            let namesakes =
                towns.iter().filter(|(of, people)| *of == Some(first) && people * NAMESAKE_DIVISOR >= reading.weight);
            reading.weight = namesakes.map(|(_, people)| people.saturating_sub(1)).fold(reading.weight, u64::min);
        }
    }
}
