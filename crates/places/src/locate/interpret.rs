//! Interpretations of a typed location: everything it may mean, and how plausible each is.

use std::ops::Range;

use super::naming::{NAMESAKE_DIVISOR, population};
use super::place_ref::PlaceRef;
use super::query::{LocationQuery, LocationTail, is_digits};
use super::region_names::{County, names, without_ending};
use crate::gazetteer::gazetteer;
use crate::postal;
use crate::shapes;

/// A foreign or historical name means a town unless a town with that own name has at least this fraction of its population:
/// "Cologne" is Köln, not the village in Minnesota; "Waterloo" is not Austin, which was once called that.
const OTHER_NAME_DIVISOR: u64 = 50;
/// How far the town of an address may be from the centre of its ZIP code.
const POSTAL_TOWN_MAX_MILES: f64 = 60.0;
/// Doubt about the abbreviation of a region outside the US on its own.
const DOUBT_LETTERS_ALONE: u8 = 2;
/// Letters of the longest region abbreviation.
const SHORT_FORM_LETTERS_MAX: usize = 3;

/// One interpretation of a location.
#[derive(Clone, Debug)]
pub(super) struct Interpretation {
    pub(super) site: PlaceRef,
    /// 0 is best; interpretations compete by weight only among equals.
    pub(super) doubt: u8,
    pub(super) weight: u64,
    /// Whether it is worth reporting as an alternative: not a foreign or historical name, and not the state that a town given
    /// with its country is named after.
    pub(super) is_reportable: bool,
    /// Words at the start that are the street, or a foreign postal code.
    pub(super) before: usize,
    /// The state that was typed, when the ZIP code lies in another.
    pub(super) contradicted: Option<usize>,
}

impl Interpretation {
    fn new(site: PlaceRef, doubt: u8) -> Interpretation {
        Interpretation { site, doubt, weight: population(site), is_reportable: true, before: 0, contradicted: None }
    }
}

/// All interpretations without a street, most likely first.
pub(super) fn plain(query: &LocationQuery<'_>) -> Vec<Interpretation> {
    let mut found = Vec::new();
    for tail in query.tails() {
        if tail.rest == 0 {
            found.extend(alone(query, &tail));
        } else if let Some(code) = tail.postal_code {
            found.extend(before_code(query, &tail, code).filter(|interpretation| interpretation.before == 0));
        } else {
            found.extend(towns(query, 0..tail.rest, &tail));
            found.extend(counties(query, &tail));
        }
    }
    found.extend(code_first(query));
    ordered(found)
}

/// Counties without the word "county": "Miami-Dade", "Kent, UK".
pub(super) fn bare_counties(query: &LocationQuery<'_>) -> Vec<Interpretation> {
    let tails = query.tails().into_iter().filter(|tail| tail.rest > 0 && tail.postal_code.is_none());
    ordered(tails.flat_map(|tail| named_counties(&query.key(0, tail.rest), &tail)).collect())
}

/// Towns known only to the postal service. Their population is unknown, so the state must be given.
pub(super) fn post_towns(query: &LocationQuery<'_>) -> Vec<Interpretation> {
    let mut found = Vec::new();
    for tail in query.tails().iter().filter(|tail| tail.rest > 0 && tail.first.is_some()) {
        let codes = postal::codes().of_place(&query.key(0, tail.rest));
        let sites = codes.iter().map(|code| PlaceRef::PostTown(*code as usize));
        let site = sites.into_iter().find(|site| tail.fits(site.first(), site.country()));
        found.extend(site.map(|site| Interpretation::new(site, tail.doubt)));
    }
    ordered(found)
}

/// Interpretations with a street, or with something else before a town that a ZIP code or state confirms.
pub(super) fn addresses(query: &LocationQuery<'_>) -> Vec<Interpretation> {
    let (mut found, mut bare, mut is_spelt_out) = (Vec::new(), Vec::new(), false);
    for tail in query.tails().iter().filter(|tail| tail.rest > 0) {
        match tail.postal_code {
            Some(code) => found.extend(before_code(query, tail, code)),
            None if tail.says_something() => {
                let towns = before_town(query, tail);
                is_spelt_out |= towns.iter().any(|town| is_town_with_state(query, tail, town.before));
                found.extend(towns);
            }
            None => bare.extend(before_town(query, tail)),
        }
    }
    // In "12 Oak St, Ithaca, NY" the last word is the state and not the city, however many more people live there.
    if is_spelt_out {
        bare.iter_mut().for_each(|interpretation| interpretation.doubt += 1);
    }
    found.extend(bare);
    ordered(found)
}

/// Whether the words from here to the tail are clearly a town, and the tail its state or country: a comma says so, or the tail is an
/// abbreviation behind a street of at least two words. "400 Broadway, New York" is no town called Broadway.
fn is_town_with_state(query: &LocationQuery<'_>, tail: &LocationTail, before: usize) -> bool {
    let is_short = query.key(tail.rest, query.words.len()).len() <= SHORT_FORM_LETTERS_MAX;
    before > 0 && (query.is_divided_before(before) || (is_short && before > 2))
}

/// A location that is only a ZIP code, a region or a country.
fn alone(query: &LocationQuery<'_>, tail: &LocationTail) -> Option<Interpretation> {
    match (tail.postal_code, tail.first, tail.country) {
        (Some(code), first, _) => {
            let site = PlaceRef::PostalCode(code);
            let contradicted = first.filter(|_| first != site.first());
            Some(Interpretation { contradicted, ..Interpretation::new(site, u8::from(contradicted.is_some())) })
        }
        (None, Some(first), _) => {
            let letters = query.key(0, query.words.len()).len() <= SHORT_FORM_LETTERS_MAX;
            let foreign = !gazetteer().admin1s[first].is_us_state();
            let doubt = if letters && foreign { DOUBT_LETTERS_ALONE } else { tail.doubt };
            Some(Interpretation {
                is_reportable: tail.country.is_none(),
                ..Interpretation::new(PlaceRef::Admin1(first), doubt)
            })
        }
        (None, None, Some(country)) => Some(Interpretation::new(PlaceRef::Country(country), tail.doubt)),
        (None, None, None) => None,
    }
}

/// Towns named by the given words, restricted by the tail; a county may stand in between: "Austin, Travis County".
fn towns(query: &LocationQuery<'_>, words: Range<usize>, tail: &LocationTail) -> Vec<Interpretation> {
    let Range { start: from, end: to } = words;
    let mut found = named_towns(&query.key(from, to), tail);
    if (from + 1..to).any(|at| query.is_divided_before(at)) {
        // "Hartford, IA" is not the foreign name "Hartfordia" of Hartford, Connecticut.
        found.retain(|interpretation| interpretation.is_reportable);
    }
    for at in (from + 1..to).filter(|at| query.is_divided_before(*at)) {
        let words = query.texts(at, to);
        let county = crate::fold::join(without_ending(&words).unwrap_or(&words).iter().copied());
        let counties = names().counties(&county);
        let mut within = named_towns(&query.key(from, at), tail);
        within.retain(|interpretation| counties.iter().any(|county| is_in(interpretation.site, *county)));
        found.extend(within);
    }
    found
}

fn named_towns(key: &str, tail: &LocationTail) -> Vec<Interpretation> {
    let gazetteer = gazetteer();
    let mut found = Vec::new();
    for named in gazetteer.find(key) {
        let site = PlaceRef::Town(named.row);
        if tail.fits(site.first(), site.country()) {
            let people = gazetteer.population(named.row);
            let weight = if named.own_name { people } else { people / OTHER_NAME_DIVISOR };
            found.push(Interpretation {
                weight,
                is_reportable: named.own_name,
                ..Interpretation::new(site, tail.doubt)
            });
        }
    }
    found
}

fn is_in(site: PlaceRef, county: County) -> bool {
    let PlaceRef::Town(row) = site else { return false };
    let Some(second) = gazetteer().admin2_of(row) else { return false };
    match county {
        County::OnMap(at) => gazetteer().admin2s[second].fips == Some(shapes::us().features()[at].key),
        County::Admin2(number) => number == second,
    }
}

/// Counties by a name that includes the word for it.
fn counties(query: &LocationQuery<'_>, tail: &LocationTail) -> Vec<Interpretation> {
    let words = query.texts(0, tail.rest);
    let name = match words.as_slice() {
        ["county" | "parish", "of", name @ ..] if !name.is_empty() => name,
        words => match without_ending(words) {
            Some(name) => name,
            None => return Vec::new(),
        },
    };
    let mut found = named_counties(&crate::fold::join(name.iter().copied()), tail);
    // The word "county" is typical of the US: regions elsewhere are meant only when the US has none of that name.
    if found.iter().any(|interpretation| matches!(interpretation.site, PlaceRef::County(County::OnMap(_)))) {
        found.retain(|interpretation| matches!(interpretation.site, PlaceRef::County(County::OnMap(_))));
    }
    found
}

fn named_counties(key: &str, tail: &LocationTail) -> Vec<Interpretation> {
    let sites = names().counties(key).iter().map(|county| PlaceRef::County(*county));
    sites
        .filter(|site| tail.fits(site.first(), site.country()))
        .map(|site| Interpretation::new(site, tail.doubt))
        .collect()
}

/// "78701 Austin, TX": a ZIP code before its town.
fn code_first(query: &LocationQuery<'_>) -> Option<Interpretation> {
    let (first, rest) = query.words.split_first()?;
    if first.text.len() != 5 || rest.is_empty() {
        return None;
    }
    let code = postal::codes().find(&first.text)?;
    let town = plain_town(&query.with_words(rest))?;
    is_near(town, code).then(|| Interpretation::new(PlaceRef::PostalCode(code), 0))
}

fn plain_town(query: &LocationQuery<'_>) -> Option<usize> {
    match plain(query).first()?.site {
        PlaceRef::Town(row) => Some(row),
        _ => None,
    }
}

fn is_near(row: usize, code: usize) -> bool {
    gazetteer().point(row).miles_to(postal::codes().point(code)) <= POSTAL_TOWN_MAX_MILES
}

/// What precedes a ZIP code: a town near it, and before that a street.
fn before_code(query: &LocationQuery<'_>, tail: &LocationTail, code: usize) -> Option<Interpretation> {
    let site = PlaceRef::PostalCode(code);
    let contradicted = tail.first.filter(|first| Some(*first) != site.first());
    let is_town = |at: &usize| {
        let named = towns(query, *at..tail.rest, tail);
        named.iter().any(|interpretation| matches!(interpretation.site, PlaceRef::Town(row) if is_near(row, code)))
    };
    let post_name = crate::fold::key(postal::codes().place(code));
    let before = (0..tail.rest).find(|at| query.key(*at, tail.rest) == post_name || is_town(at));
    // Without a known town, the words before the last comma are the street.
    let guessed = || (1..tail.rest).rev().find(|at| query.is_divided_before(*at)).unwrap_or(tail.rest);
    let doubt = tail.doubt + u8::from(contradicted.is_some()) + u8::from(before.is_none());
    Some(Interpretation { before: before.unwrap_or_else(guessed), contradicted, ..Interpretation::new(site, doubt) })
}

/// A town with a street before it: after a comma when its state or country is given, or after a house number or a postal code.
fn before_town(query: &LocationQuery<'_>, tail: &LocationTail) -> Vec<Interpretation> {
    let is_numbered = |at: usize| starts_with_digit(&query.words[at - 1].text);
    let divided =
        (1..tail.rest).filter(|at| query.is_divided_before(*at) && (tail.says_something() || is_numbered(*at)));
    let coded = (2..tail.rest).filter(|at| (1..*at).contains(&postal_code_words(query, *at)));
    let has_number = starts_with_digit(&query.words[0].text);
    let numbered = (1..tail.rest).filter(|_| has_number);
    for before in divided.chain(coded).chain(numbered) {
        let mut found = towns(query, before..tail.rest, tail);
        if !found.is_empty() {
            found.iter_mut().for_each(|interpretation| interpretation.before = before);
            return found;
        }
    }
    Vec::new()
}

/// Whether the words before a town are a postal code: a single word of digits.
pub(super) fn is_postal_code(query: &LocationQuery<'_>, before: usize) -> bool {
    before == 1 && is_digits(&query.words[0].text) && (4..=6).contains(&query.words[0].text.len())
}

/// How many words before a town are a postal code after a comma: `69001`, `1012 AB`, `111 22`; 0 for none.
pub(super) fn postal_code_words(query: &LocationQuery<'_>, before: usize) -> usize {
    let is_digits_of = |at: usize, count: std::ops::RangeInclusive<usize>| {
        let text = &query.words[at].text;
        is_digits(text) && count.contains(&text.len())
    };
    if before >= 2 && query.is_divided_before(before - 1) && is_digits_of(before - 1, 4..=6) {
        return 1;
    }
    if before < 3 || !query.is_divided_before(before - 2) || query.is_divided_before(before - 1) {
        return 0;
    }
    let last = &query.words[before - 1].text;
    let is_dutch = last.len() == 2 && last.bytes().all(|letter| letter.is_ascii_lowercase());
    let is_code = is_digits_of(before - 2, 2..=4) && (is_dutch || is_digits_of(before - 1, 2..=4));
    2 * usize::from(is_code)
}

fn starts_with_digit(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_digit())
}

/// Without duplicates, most likely first.
fn ordered(mut found: Vec<Interpretation>) -> Vec<Interpretation> {
    step_back(&mut found);
    found.sort_by_key(|interpretation| {
        // Of two ways to split an address, the one with the shorter street explains more of it.
        (
            interpretation.doubt,
            std::cmp::Reverse(interpretation.weight),
            site_order(interpretation.site),
            interpretation.before,
        )
    });
    let mut seen = Vec::new();
    found.retain(|interpretation| {
        let is_new = !seen.contains(&interpretation.site);
        seen.push(interpretation.site);
        is_new
    });
    found
}

fn site_order(site: PlaceRef) -> u32 {
    match site {
        PlaceRef::Town(row) => gazetteer().id(row),
        _ => 0,
    }
}

/// Ranks states below a town of the same name within them: "New York" is the city.
fn step_back(found: &mut [Interpretation]) {
    let towns: Vec<(Option<usize>, u64)> = found
        .iter()
        .filter(|interpretation| matches!(interpretation.site, PlaceRef::Town(_)))
        .map(|interpretation| (interpretation.site.first(), interpretation.weight))
        .collect();
    for interpretation in found {
        if let PlaceRef::Admin1(first) = interpretation.site {
            let namesakes = towns
                .iter()
                .filter(|(of, people)| *of == Some(first) && people * NAMESAKE_DIVISOR >= interpretation.weight);
            interpretation.weight =
                namesakes.map(|(_, people)| people.saturating_sub(1)).fold(interpretation.weight, u64::min);
        }
    }
}
