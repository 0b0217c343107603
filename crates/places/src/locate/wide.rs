//! Names of what is wider than a town: counties, states and their like, countries.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::fold;
use crate::gazetteer::{First, gazetteer};
use crate::shapes;

/// Words that follow the name of a county, longest first.
const COUNTY_ENDINGS: &[&[&str]] = &[
    &["city", "and", "borough"],
    &["census", "area"],
    &["planning", "region"],
    &["municipality"],
    &["municipio"],
    &["borough"],
    &["county"],
    &["cnty"],
    &["parish"],
];

/// A country, by its name or by the two or three letters of ISO 3166-1.
#[derive(Clone, Copy)]
pub(super) struct NamedCountry {
    pub(super) country: usize,
    pub(super) by_letters: bool,
}

/// A county of the US (its place on the map), or a second-order region elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum County {
    OnMap(usize),
    Second(usize),
}

pub(super) struct Names {
    countries: HashMap<String, Vec<NamedCountry>>,
    firsts: HashMap<String, Vec<usize>>,
    counties: HashMap<String, Vec<County>>,
    /// People of each county on the map of the US.
    people: HashMap<&'static str, u64>,
}

/// The names, folded at first use.
pub(super) fn names() -> &'static Names {
    static NAMES: OnceLock<Names> = OnceLock::new();
    NAMES.get_or_init(Names::build)
}

impl Names {
    fn build() -> Names {
        let gazetteer = gazetteer();
        let mut firsts: HashMap<String, Vec<usize>> = HashMap::new();
        // Towns of the territories are looked up in the territory, not in its districts, which have the towns' names.
        let known = |first: &First| first.is_us_state() || first.us_letters().is_none();
        for (number, first) in gazetteer.firsts.iter().enumerate().filter(|(_, first)| known(first)) {
            for key in &first.keys {
                let same = firsts.entry(key.clone()).or_default();
                if !same.contains(&number) {
                    same.push(number);
                }
            }
        }
        let people = gazetteer.seconds.iter().filter_map(|second| Some((second.fips?, second.population)));
        let people = people.fold(HashMap::new(), |mut people, (fips, count)| {
            *people.entry(fips).or_insert(0) += count;
            people
        });
        Names { countries: countries(), firsts, counties: counties(), people }
    }

    pub(super) fn countries(&self, key: &str) -> &[NamedCountry] {
        self.countries.get(key).map_or(&[], Vec::as_slice)
    }

    pub(super) fn firsts(&self, key: &str) -> &[usize] {
        self.firsts.get(key).map_or(&[], Vec::as_slice)
    }

    pub(super) fn counties(&self, key: &str) -> &[County] {
        self.counties.get(key).map_or(&[], Vec::as_slice)
    }

    pub(super) fn people(&self, county: County) -> u64 {
        match county {
            County::OnMap(feature) => self.people.get(shapes::us().features()[feature].key).copied().unwrap_or(0),
            County::Second(second) => gazetteer().seconds[second].population,
        }
    }

    /// Keys of countries and first-order regions, for looking near a misspelt one.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.countries.keys().chain(self.firsts.keys()).map(String::as_str)
    }

    /// Keys of counties, for the same.
    pub(super) fn county_keys(&self) -> impl Iterator<Item = &str> {
        self.counties.keys().map(String::as_str)
    }
}

fn countries() -> HashMap<String, Vec<NamedCountry>> {
    let mut found: HashMap<String, Vec<NamedCountry>> = HashMap::new();
    for (number, country) in gazetteer().countries.iter().enumerate() {
        for key in &country.keys {
            found.entry(key.clone()).or_default().push(NamedCountry { country: number, by_letters: false });
        }
        for letters in [country.code.to_lowercase(), country.three_letters.clone()] {
            let same = found.entry(letters).or_default();
            if !same.iter().any(|named| named.country == number) {
                same.push(NamedCountry { country: number, by_letters: true });
            }
        }
    }
    found
}

fn counties() -> HashMap<String, Vec<County>> {
    let mut found: HashMap<String, Vec<County>> = HashMap::new();
    for (at, feature) in shapes::us().features().iter().enumerate() {
        if !feature.state.is_empty() {
            let words = fold::words(feature.name);
            let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
            let name = without_ending(&words).unwrap_or(&words);
            found.entry(fold::join(name.iter().copied())).or_default().push(County::OnMap(at));
        }
    }
    for (number, second) in gazetteer().seconds.iter().enumerate() {
        if second.fips.is_none() && !second.name.is_empty() {
            found.entry(fold::key(second.name)).or_default().push(County::Second(number));
        }
    }
    found
}

/// The name before "county" or another such word; nothing when there is no such word, or no name before it.
pub(super) fn without_ending<'a, 'w>(words: &'a [&'w str]) -> Option<&'a [&'w str]> {
    let ending = COUNTY_ENDINGS.iter().find(|ending| words.ends_with(ending) && words.len() > ending.len())?;
    Some(&words[..words.len() - ending.len()])
}
