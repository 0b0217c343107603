//! Names of regions wider than a town: counties, states and the like, countries.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::fold;
use crate::gazetteer::{Admin1, gazetteer};
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

/// A country, by its name or its ISO 3166-1 code.
#[derive(Clone, Copy)]
pub(super) struct NamedCountry {
    pub(super) country: usize,
    pub(super) by_letters: bool,
}

/// A US county, by its index on the map, or a second-order region elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum County {
    OnMap(usize),
    Admin2(usize),
}

pub(super) struct RegionNames {
    countries: HashMap<String, Vec<NamedCountry>>,
    admin1s: HashMap<String, Vec<usize>>,
    counties: HashMap<String, Vec<County>>,
    /// Population of each US county.
    people: HashMap<&'static str, u64>,
}

/// The names, folded on first use.
pub(super) fn names() -> &'static RegionNames {
    static NAMES: OnceLock<RegionNames> = OnceLock::new();
    NAMES.get_or_init(RegionNames::build)
}

impl RegionNames {
    fn build() -> RegionNames {
        let gazetteer = gazetteer();
        let mut admin1s: HashMap<String, Vec<usize>> = HashMap::new();
        // Towns in territories are looked up in the territory, not in its districts, which have the towns' names.
        let known = |first: &Admin1| first.is_us_state() || first.us_letters().is_none();
        for (number, first) in gazetteer.admin1s.iter().enumerate().filter(|(_, first)| known(first)) {
            for key in &first.keys {
                let same = admin1s.entry(key.clone()).or_default();
                if !same.contains(&number) {
                    same.push(number);
                }
            }
        }
        let people = gazetteer.admin2s.iter().filter_map(|second| Some((second.fips?, second.population)));
        let people = people.fold(HashMap::new(), |mut people, (fips, count)| {
            *people.entry(fips).or_insert(0) += count;
            people
        });
        RegionNames { countries: countries(), admin1s, counties: counties(), people }
    }

    pub(super) fn countries(&self, key: &str) -> &[NamedCountry] {
        self.countries.get(key).map_or(&[], Vec::as_slice)
    }

    pub(super) fn admin1s(&self, key: &str) -> &[usize] {
        self.admin1s.get(key).map_or(&[], Vec::as_slice)
    }

    pub(super) fn counties(&self, key: &str) -> &[County] {
        self.counties.get(key).map_or(&[], Vec::as_slice)
    }

    pub(super) fn people(&self, county: County) -> u64 {
        match county {
            County::OnMap(feature) => self.people.get(shapes::us().features()[feature].key).copied().unwrap_or(0),
            County::Admin2(second) => gazetteer().admin2s[second].population,
        }
    }

    /// Keys of countries and first-order regions, for finding misspelt ones.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.countries.keys().chain(self.admin1s.keys()).map(String::as_str)
    }

    /// Keys of counties, likewise.
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
    for (number, second) in gazetteer().admin2s.iter().enumerate() {
        if second.fips.is_none() && !second.name.is_empty() {
            found.entry(fold::key(second.name)).or_default().push(County::Admin2(number));
        }
    }
    found
}

/// The name before "county" or a similar word; `None` without such a word, or without a name before it.
pub(super) fn without_ending<'a, 'w>(words: &'a [&'w str]) -> Option<&'a [&'w str]> {
    let ending = COUNTY_ENDINGS.iter().find(|ending| words.ends_with(ending) && words.len() > ending.len())?;
    Some(&words[..words.len() - ending.len()])
}
