//! Countries, and the regions of the first and second order below them.

use crate::fold;

/// Territories that people write like states of the US, though ISO 3166-1 lists them as countries.
const TERRITORIES: &[&str] = &["AS", "GU", "MP", "PR", "VI"];

/// A country.
pub(crate) struct Country {
    /// ISO 3166-1 alpha-2.
    pub(crate) code: &'static str,
    /// ISO 3166-1 numeric, by which the map knows it.
    pub(crate) number: &'static str,
    pub(crate) name: &'static str,
    pub(crate) population: u64,
    /// Keys of names and short forms.
    pub(crate) keys: Vec<String>,
    /// Key of its three letters.
    pub(crate) three_letters: String,
}

impl Country {
    pub(crate) fn is_us_territory(&self) -> bool {
        TERRITORIES.contains(&self.code)
    }
}

/// A first-order region: a state, a province.
pub(crate) struct First {
    pub(crate) country: usize,
    /// "TX" in the US, else GeoNames' code.
    pub(crate) code: &'static str,
    pub(crate) name: &'static str,
    /// Keys of names and short forms.
    pub(crate) keys: Vec<String>,
    pub(crate) population: u64,
    in_us: InUs,
}

#[derive(Clone, Copy, PartialEq)]
enum InUs {
    State,
    Territory(&'static str),
    No,
}

impl First {
    /// What stands behind a town's name: "TX", "PR", else the name of the region.
    pub(crate) fn short(&self) -> &'static str {
        match self.in_us {
            InUs::State => self.code,
            InUs::Territory(code) => code,
            InUs::No => self.name,
        }
    }

    /// The letters by which the map of the US knows the state, or the territory it is part of.
    pub(crate) fn us_letters(&self) -> Option<&'static str> {
        (self.in_us != InUs::No).then(|| self.short())
    }

    pub(crate) fn is_us_state(&self) -> bool {
        self.in_us == InUs::State
    }
}

/// A second-order region: a county, a district.
pub(crate) struct Second {
    pub(crate) name: &'static str,
    pub(crate) first: usize,
    /// The county's FIPS code in the US.
    pub(crate) fips: Option<&'static str>,
    pub(crate) population: u64,
}

/// Lines of: code, number, name, population, three letters, other names.
pub(super) fn countries(lines: Vec<&'static str>) -> Vec<Country> {
    lines
        .into_iter()
        .map(|line| {
            let mut fields = line.split('\t');
            let mut next = || fields.next().unwrap_or_default();
            let (code, number, name) = (next(), next(), next());
            let (population, three_letters) = (next().parse().unwrap_or(0), fold::key(next()));
            let keys = std::iter::once(name).chain(fields).map(fold::key).collect();
            Country { code, number, name, population, keys, three_letters }
        })
        .collect()
}

/// Lines of: country, code, name, other names.
pub(super) fn firsts(lines: Vec<&'static str>, countries: &[Country]) -> Vec<First> {
    lines
        .into_iter()
        .map(|line| {
            let mut fields = line.split('\t');
            let mut next = || fields.next().unwrap_or_default();
            let (letters, code, name) = (next(), next(), next());
            let country = countries.binary_search_by(|country| country.code.cmp(letters)).unwrap_or(0);
            let in_us = match letters {
                "US" => InUs::State,
                _ if TERRITORIES.contains(&letters) => InUs::Territory(letters),
                _ => InUs::No,
            };
            let own = if in_us == InUs::State { code } else { "" };
            let keys = [name, own].into_iter().chain(fields).filter(|name| !name.is_empty()).map(fold::key).collect();
            First { country, code, name, keys, population: 0, in_us }
        })
        .collect()
}

/// Lines of: name, number of the first-order region, FIPS code.
pub(super) fn seconds(lines: Vec<&'static str>) -> Vec<Second> {
    lines
        .into_iter()
        .map(|line| {
            let mut fields = line.split('\t');
            let name = fields.next().unwrap_or_default();
            let first = fields.next().and_then(|field| field.parse().ok()).unwrap_or(0);
            let fips = fields.next().filter(|fips| !fips.is_empty());
            Second { name, first, fips, population: 0 }
        })
        .collect()
}
