//! Suggestions for a location that was not found.

use super::naming::{name, population};
use super::place_ref::PlaceRef;
use super::query::{LocationQuery, LocationTail};
use super::region_names::{names, without_ending};
use crate::fold;
use crate::gazetteer::{edits, gazetteer};
use crate::postal;

/// Suggestions returned.
const NEAREST_MAX: usize = 5;
/// Interpretations of the end of a location for which names are compared; each costs a pass over all names.
const TAILS_MAX: usize = 3;
const EDITS_MAX: usize = 2;
/// Letters a word needs to allow two edits.
const LETTERS_FOR_TWO_EDITS: usize = 5;

/// A place and the edit distance of its name from what was typed; foreign and historical names rank lower.
struct NearMatch {
    edits: usize,
    other_name: bool,
    site: PlaceRef,
}

impl NearMatch {
    fn new(edits: usize, site: PlaceRef) -> NearMatch {
        NearMatch { edits, other_name: false, site }
    }
}

/// At most five names, nearest and most populous first.
pub(super) fn suggest(query: &LocationQuery<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let mut tails: Vec<LocationTail> = query.tails().into_iter().filter(|tail| tail.rest > 0).collect();
    // A longer tail leaves less to guess.
    tails.sort_by_key(|tail| (tail.rest, tail.doubt));
    for tail in tails.iter().take(TAILS_MAX) {
        found.extend(near_towns(query, tail));
        found.extend(near_counties(query, tail));
    }
    found.extend(near_tails(query));
    found.extend(near_codes(query));
    if !tails.iter().any(LocationTail::says_something) {
        found.extend(near_wide(query));
        found.extend(near_both(query));
    }
    found.sort_by_key(|near| (near.edits, near.other_name, std::cmp::Reverse(population(near.site)), near.site));
    let mut given: Vec<String> = Vec::new();
    for near in found {
        let name = name(near.site);
        if !given.contains(&name) && given.len() < NEAREST_MAX {
            given.push(name);
        }
    }
    given
}

/// Towns with a name similar to the words before the tail, or to those after the last comma before it.
fn near_towns(query: &LocationQuery<'_>, tail: &LocationTail) -> Vec<NearMatch> {
    let behind_comma = (1..tail.rest).rev().find(|at| query.is_divided_before(*at)).unwrap_or(0);
    let mut found = Vec::new();
    for (edits, named) in gazetteer().index().near(&query.key(behind_comma, tail.rest)) {
        let site = PlaceRef::Town(named.row);
        if tail.fits(site.first(), site.country()) {
            found.push(NearMatch { edits, other_name: !named.own_name, site });
        }
    }
    found
}

fn near_counties(query: &LocationQuery<'_>, tail: &LocationTail) -> Vec<NearMatch> {
    let words = query.texts(0, tail.rest);
    let Some(name) = without_ending(&words) else {
        return Vec::new();
    };
    let key = fold::join(name.iter().copied());
    let mut found = Vec::new();
    for other in names().county_keys() {
        let Some(edits) = few_edits(&key, other) else { continue };
        let sites = names().counties(other).iter().map(|county| PlaceRef::County(*county));
        let fitting = sites.filter(|site| tail.fits(site.first(), site.country()));
        found.extend(fitting.map(|site| NearMatch::new(edits, site)));
    }
    found
}

/// Towns whose name is right while the state or country after it is misspelt.
fn near_tails(query: &LocationQuery<'_>) -> Vec<NearMatch> {
    let count = query.words.len();
    let mut found = Vec::new();
    for at in 1..count {
        let said = query.key(at, count);
        for named in gazetteer().find(&query.key(0, at)).filter(|named| named.own_name) {
            found.extend(tail_edits(named.row, &said).map(|edits| NearMatch::new(edits, PlaceRef::Town(named.row))));
        }
    }
    found
}

/// Towns whose name is misspelt as well as the state or country after it; a comma must separate the two.
fn near_both(query: &LocationQuery<'_>) -> Vec<NearMatch> {
    let count = query.words.len();
    let Some(at) = (1..count).rev().find(|at| query.is_divided_before(*at)) else {
        return Vec::new();
    };
    let said = query.key(at, count);
    let near = gazetteer().index().near(&query.key(0, at)).into_iter();
    let both = near.filter_map(|(edits, named)| Some((edits + tail_edits(named.row, &said)?, named.row)));
    both.map(|(edits, row)| NearMatch::new(edits, PlaceRef::Town(row))).collect()
}

/// Edit distance between what was typed as state or country and the town's actual one.
fn tail_edits(row: usize, said: &str) -> Option<usize> {
    let first = &gazetteer().admin1s[gazetteer().admin1_of(row)];
    let country = &gazetteer().countries[first.country];
    first.keys.iter().chain(&country.keys).filter_map(|key| few_edits(said, key)).min()
}

/// States and countries with a name similar to the whole location.
fn near_wide(query: &LocationQuery<'_>) -> Vec<NearMatch> {
    let key = query.key(0, query.words.len());
    let mut found = Vec::new();
    for other in names().keys() {
        let Some(edits) = few_edits(&key, other) else { continue };
        found.extend(names().admin1s(other).iter().map(|first| NearMatch::new(edits, PlaceRef::Admin1(*first))));
        let countries = names().countries(other).iter().filter(|named| !named.by_letters);
        found.extend(countries.map(|named| NearMatch::new(edits, PlaceRef::Country(named.country))));
    }
    found
}

/// ZIP codes close to one that does not exist.
fn near_codes(query: &LocationQuery<'_>) -> Vec<NearMatch> {
    let [word] = query.words.as_slice() else {
        return Vec::new();
    };
    if word.text.len() != 5 || !super::query::is_digits(&word.text) {
        return Vec::new();
    }
    let codes = postal::codes().beside(&word.text).into_iter();
    codes.map(|code| NearMatch::new(1, PlaceRef::PostalCode(code))).collect()
}

/// Edit distance between two names, if it is small for their length.
fn few_edits(one: &str, two: &str) -> Option<usize> {
    let most = if one.len().min(two.len()) < LETTERS_FOR_TWO_EDITS { 1 } else { EDITS_MAX };
    if one.len() < 3 || one.len().abs_diff(two.len()) > 4 * most { None } else { edits(one, two, most) }
}
