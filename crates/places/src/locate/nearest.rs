//! What may have been meant by a location that was not found.

use super::naming::{name, population};
use super::place::Site;
use super::query::{Query, Tail};
use super::wide::{names, without_ending};
use crate::fold;
use crate::gazetteer::{edits, gazetteer};
use crate::postal;

/// Names that are given.
const NEAREST_MAX: usize = 5;
/// Ways to read the end of a location for which names are compared; each costs a walk over all names.
const TAILS_MAX: usize = 3;
const EDITS_MAX: usize = 2;
/// Letters a word needs so that two edits leave something of it.
const LETTERS_FOR_TWO_EDITS: usize = 5;

/// A place and how far its name is from what was typed; one of another language or age is further than its own.
struct Near {
    edits: usize,
    other_name: bool,
    site: Site,
}

impl Near {
    fn new(edits: usize, site: Site) -> Near {
        Near { edits, other_name: false, site }
    }
}

/// At most five names, nearest and most populous first.
pub(super) fn nearest(query: &Query<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let mut tails: Vec<Tail> = query.tails().into_iter().filter(|tail| tail.rest > 0).collect();
    // A tail that says more leaves less to guess.
    tails.sort_by_key(|tail| (tail.rest, tail.doubt));
    for tail in tails.iter().take(TAILS_MAX) {
        found.extend(near_towns(query, tail));
        found.extend(near_counties(query, tail));
    }
    found.extend(near_tails(query));
    found.extend(near_codes(query));
    if !tails.iter().any(Tail::says_something) {
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

/// Towns with a name like the words before the tail, or like those behind the last comma before it.
fn near_towns(query: &Query<'_>, tail: &Tail) -> Vec<Near> {
    let behind_comma = (1..tail.rest).rev().find(|at| query.is_divided_before(*at)).unwrap_or(0);
    let mut found = Vec::new();
    for (edits, named) in gazetteer().index().near(&query.key(behind_comma, tail.rest)) {
        let site = Site::Town(named.row);
        if tail.fits(site.first(), site.country()) {
            found.push(Near { edits, other_name: !named.own_name, site });
        }
    }
    found
}

fn near_counties(query: &Query<'_>, tail: &Tail) -> Vec<Near> {
    let words = query.texts(0, tail.rest);
    let Some(name) = without_ending(&words) else {
        return Vec::new();
    };
    let key = fold::join(name.iter().copied());
    let mut found = Vec::new();
    for other in names().county_keys() {
        let Some(edits) = few_edits(&key, other) else { continue };
        let sites = names().counties(other).iter().map(|county| Site::County(*county));
        let fitting = sites.filter(|site| tail.fits(site.first(), site.country()));
        found.extend(fitting.map(|site| Near::new(edits, site)));
    }
    found
}

/// Towns whose own name is right while the state or country behind it is misspelt.
fn near_tails(query: &Query<'_>) -> Vec<Near> {
    let count = query.words.len();
    let mut found = Vec::new();
    for at in 1..count {
        let said = query.key(at, count);
        for named in gazetteer().find(&query.key(0, at)).filter(|named| named.own_name) {
            found.extend(tail_edits(named.row, &said).map(|edits| Near::new(edits, Site::Town(named.row))));
        }
    }
    found
}

/// Towns behind whose misspelt name the state or country is misspelt too; a comma must tell where the name ends.
fn near_both(query: &Query<'_>) -> Vec<Near> {
    let count = query.words.len();
    let Some(at) = (1..count).rev().find(|at| query.is_divided_before(*at)) else {
        return Vec::new();
    };
    let said = query.key(at, count);
    let near = gazetteer().index().near(&query.key(0, at)).into_iter();
    let both = near.filter_map(|(edits, named)| Some((edits + tail_edits(named.row, &said)?, named.row)));
    both.map(|(edits, row)| Near::new(edits, Site::Town(row))).collect()
}

/// Edits between what was said of a town's state or country and what it is called.
fn tail_edits(row: usize, said: &str) -> Option<usize> {
    let first = &gazetteer().firsts[gazetteer().first_of(row)];
    let country = &gazetteer().countries[first.country];
    first.keys.iter().chain(&country.keys).filter_map(|key| few_edits(said, key)).min()
}

/// States and countries with a name like the whole location.
fn near_wide(query: &Query<'_>) -> Vec<Near> {
    let key = query.key(0, query.words.len());
    let mut found = Vec::new();
    for other in names().keys() {
        let Some(edits) = few_edits(&key, other) else { continue };
        found.extend(names().firsts(other).iter().map(|first| Near::new(edits, Site::First(*first))));
        let countries = names().countries(other).iter().filter(|named| !named.by_letters);
        found.extend(countries.map(|named| Near::new(edits, Site::Country(named.country))));
    }
    found
}

/// ZIP codes beside one that does not exist.
fn near_codes(query: &Query<'_>) -> Vec<Near> {
    let [word] = query.words.as_slice() else {
        return Vec::new();
    };
    if word.text.len() != 5 || !super::query::is_digits(&word.text) {
        return Vec::new();
    }
    let codes = postal::codes().beside(&word.text).into_iter();
    codes.map(|code| Near::new(1, Site::PostalCode(code))).collect()
}

/// Edits between two names, when they are few for their length.
fn few_edits(one: &str, two: &str) -> Option<usize> {
    let most = if one.len().min(two.len()) < LETTERS_FOR_TWO_EDITS { 1 } else { EDITS_MAX };
    if one.len() < 3 || one.len().abs_diff(two.len()) > 4 * most { None } else { edits(one, two, most) }
}
