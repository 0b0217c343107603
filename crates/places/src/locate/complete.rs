//! Completes a location while it is typed: "aus", "portland, o", "travis c", "787".

use std::collections::BTreeMap;

use super::place::Place;
use super::place_ref::PlaceRef;
use super::region_names::{County, names};
use super::{TEXT_BYTES_MAX, WORDS_MAX};
use crate::fold;
use crate::gazetteer::gazetteer;
use crate::postal;
use crate::shapes;

/// Digits after which ZIP codes are suggested.
const ZIP_DIGITS: std::ops::RangeInclusive<usize> = 2..=5;
/// What the population of a place counts when only a foreign or historical name matches, and of regions: a name that a town and a
/// region share usually means the town.
const OTHER_NAME_SHARE: f64 = 0.2;
const REGION_SHARE: f64 = 0.3;
/// A name that was typed to its end counts so many times as much.
const WHOLE_NAME_FACTOR: f64 = 5.0;

/// What follows the name of a county.
const COUNTY: &str = "county";

/// Places whose names begin with what was typed, best known first; at most `limit`. A state or country may follow, typed in full
/// or begun. Each has a name that [`locate`](super::locate) understands.
#[must_use]
pub fn complete(text: &str, limit: usize) -> Vec<Place> {
    if text.len() > TEXT_BYTES_MAX {
        return Vec::new();
    }
    let text = text.trim();
    if ZIP_DIGITS.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let sites = postal::codes().starting(text).take(limit).map(PlaceRef::PostalCode);
        return sites.map(Place::of).collect();
    }
    let mut found = Completions::default();
    for (name, rest) in readings(text) {
        found.towns(&name, &rest);
        found.regions(&name, &rest);
        found.counties(&name, &rest);
    }
    found.best(limit)
}

/// The name, or its beginning.
struct TypedName {
    key: String,
    /// Whether more letters may follow.
    is_open: bool,
}

impl TypedName {
    fn begins(&self, key: &str) -> bool {
        if self.is_open { key.starts_with(&self.key) } else { key == self.key }
    }
}

/// Ways to divide a text into a name and the state or country behind it.
fn readings(text: &str) -> Vec<(TypedName, String)> {
    let joined = |words: &[fold::Word]| fold::join(words.iter().map(|word| word.text.as_str()));
    let plain = |words: &[fold::Word]| words.iter().map(|word| word.text.as_str()).collect::<String>();
    let closed = |words: &[fold::Word]| TypedName { key: joined(words), is_open: false };
    let open = |key: String| TypedName { key, is_open: true };
    if let Some((name, rest)) = text.split_once(',') {
        let (name, rest) = (fold::words(name), fold::words(rest));
        let mut found = Vec::new();
        if !name.is_empty() {
            found.push((closed(&name), plain(&rest)));
        }
        // "Travis County, T" means what "Travis County T" does.
        if let Some((last, name)) = name.split_last().filter(|(last, name)| last.text == COUNTY && !name.is_empty()) {
            found.push((closed(name), format!("{}{}", last.text, plain(&rest))));
        }
        return found;
    }
    let words = fold::words(text);
    if words.is_empty() || words.len() > WORDS_MAX {
        return Vec::new();
    }
    // "st" is the beginning of "Stamford" as well as of "Saint Paul".
    let mut found = vec![(open(joined(&words)), String::new())];
    if plain(&words) != joined(&words) {
        found.push((open(plain(&words)), String::new()));
    }
    found.extend((1..words.len()).map(|at| (closed(&words[..at]), plain(&words[at..]))));
    found
}

/// Places found so far, with how well they are known.
#[derive(Default)]
struct Completions(BTreeMap<PlaceRef, f64>);

impl Completions {
    fn add(&mut self, site: PlaceRef, weight: f64) {
        let best = self.0.entry(site).or_insert(weight);
        *best = best.max(weight);
    }

    fn towns(&mut self, name: &TypedName, rest: &str) {
        for (found, is_whole) in gazetteer().index().starting(&name.key) {
            if !name.is_open && !is_whole || !is_in(gazetteer().admin1_of(found.row), rest) {
                continue;
            }
            let share = if found.own_name { 1.0 } else { OTHER_NAME_SHARE };
            let weight = gazetteer().population(found.row) as f64 * share;
            self.add(PlaceRef::Town(found.row), whole(weight, is_whole));
        }
    }

    /// States, provinces and countries.
    fn regions(&mut self, name: &TypedName, rest: &str) {
        for key in names().keys().filter(|key| name.begins(key)) {
            let is_whole = key == name.key;
            for first in
                names().admin1s(key).iter().filter(|first| is_in_country(gazetteer().admin1s[**first].country, rest))
            {
                let weight = gazetteer().admin1s[*first].population as f64 * REGION_SHARE;
                self.add(PlaceRef::Admin1(*first), whole(weight, is_whole));
            }
            for named in
                names().countries(key).iter().filter(|named| rest.is_empty() && (is_whole || !named.by_letters))
            {
                let weight = gazetteer().countries[named.country].population as f64 * REGION_SHARE;
                self.add(PlaceRef::Country(named.country), whole(weight, is_whole));
            }
        }
    }

    /// Counties: "travis", "travis c", "travis county, t".
    fn counties(&mut self, name: &TypedName, rest: &str) {
        let (is_said, rest) = match rest {
            "" => (false, ""),
            rest => match rest.strip_prefix(COUNTY) {
                Some(state) => (true, state),
                None => (COUNTY.starts_with(rest), if COUNTY.starts_with(rest) { "" } else { rest }),
            },
        };
        for key in names().county_keys().filter(|key| name.begins(key)) {
            for county in names().counties(key).iter().filter(|county| is_county_in(**county, rest)) {
                let weight = names().people(*county) as f64 * if is_said { 1.0 } else { REGION_SHARE };
                self.add(PlaceRef::County(*county), whole(weight, key == name.key));
            }
        }
    }

    fn best(self, limit: usize) -> Vec<Place> {
        let mut sites: Vec<(PlaceRef, f64)> = self.0.into_iter().collect();
        sites.sort_by(|one, two| two.1.total_cmp(&one.1).then(one.0.cmp(&two.0)));
        let mut found: Vec<Place> = Vec::new();
        for (site, _) in sites {
            if found.len() == limit {
                break;
            }
            let place = Place::of(site);
            if !found.iter().any(|other| other.name == place.name) {
                found.push(place);
            }
        }
        found
    }
}

fn whole(weight: f64, is_whole: bool) -> f64 {
    if is_whole { weight * WHOLE_NAME_FACTOR } else { weight }
}

/// Whether a region, or its country, begins with what was typed behind the name.
fn is_in(first: usize, rest: &str) -> bool {
    let region = &gazetteer().admin1s[first];
    let letters = region.us_letters().is_some_and(|letters| letters.to_lowercase().starts_with(rest));
    letters || region.keys.iter().any(|key| key.starts_with(rest)) || is_in_country(region.country, rest)
}

fn is_in_country(country: usize, rest: &str) -> bool {
    let country = &gazetteer().countries[country];
    country.keys.iter().any(|key| key.starts_with(rest)) || country.code.to_lowercase().starts_with(rest)
}

fn is_county_in(county: County, rest: &str) -> bool {
    match county {
        County::OnMap(at) => {
            let letters = shapes::us().features()[at].state;
            super::place_ref::us_admin1(letters).map_or(rest.is_empty(), |first| is_in(first, rest))
        }
        County::Admin2(second) => is_in(gazetteer().admin2s[second].first, rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate;

    fn names(text: &str) -> Vec<String> {
        complete(text, 6).into_iter().map(|place| place.name).collect()
    }

    #[test]
    fn the_best_known_places_come_first() {
        for (typed, expected) in [
            ("aust", "Austin, TX"),
            ("berl", "Berlin, Germany"),
            ("münch", "Munich, Germany"),
            ("portland, o", "Portland, OR"),
            ("portland m", "Portland, ME"),
            ("travis c", "Travis County, TX"),
            ("travis county t", "Travis County, TX"),
            ("travis county, t", "Travis County, TX"),
            ("travis county, texas", "Travis County, TX"),
            ("orange county, ca", "Orange County, CA"),
            ("texa", "Texas"),
            ("germ", "Germany"),
            ("st pau", "Saint Paul, MN"),
            ("stamf", "Stamford, CT"),
            ("new york", "New York City, NY"),
            ("78701", "78701 Austin, TX"),
            ("springfield il", "Springfield, IL"),
        ] {
            let found = names(typed);
            assert!(found.iter().take(3).any(|name| name == expected), "{typed}: {found:?}");
        }
    }

    #[test]
    fn what_is_suggested_is_understood_as_the_same_place() {
        for typed in ["s", "san", "new", "wash", "par", "ko", "lond", "787", "orange c", "north"] {
            for place in complete(typed, 8) {
                let located = locate(&place.name).map(|located| located.place.name);
                assert_eq!(located.as_ref(), Ok(&place.name), "{typed}");
            }
        }
    }

    #[test]
    fn nothing_typed_or_too_much_gives_nothing() {
        for typed in ["", "   ", ",", "qqqqqqqqq", "\u{202e}"] {
            assert!(complete(typed, 5).is_empty(), "{typed:?}");
        }
        assert!(complete(&"a ".repeat(1000), 5).is_empty());
    }
}
