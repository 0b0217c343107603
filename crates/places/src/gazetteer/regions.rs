//! Countries and their first-order and second-order administrative regions.

use crate::fold;

/// Territories that are addressed like US states, though ISO 3166-1 lists them as countries.
const TERRITORIES: &[&str] = &["AS", "GU", "MP", "PR", "VI"];

pub(crate) struct Country {
    /// ISO 3166-1 alpha-2.
    pub(crate) code: &'static str,
    /// ISO 3166-1 numeric, the key of its outline.
    pub(crate) number: &'static str,
    pub(crate) name: &'static str,
    pub(crate) population: u64,
    /// Keys of names and abbreviations.
    pub(crate) keys: Vec<String>,
    /// Key of its ISO 3166-1 alpha-3 code.
    pub(crate) three_letters: String,
}

impl Country {
    pub(crate) fn is_us_territory(&self) -> bool {
        TERRITORIES.contains(&self.code)
    }
}

/// A first-order administrative region: a state or province.
pub(crate) struct Admin1 {
    pub(crate) country: usize,
    /// "TX" in the US, otherwise GeoNames' code.
    pub(crate) code: &'static str,
    pub(crate) name: &'static str,
    /// Keys of names and abbreviations.
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

impl Admin1 {
    /// The suffix of a town's name: "TX", "PR", otherwise the name of the region.
    pub(crate) fn short(&self) -> &'static str {
        match self.in_us {
            InUs::State => self.code,
            InUs::Territory(code) => code,
            InUs::No => self.name,
        }
    }

    /// The postal abbreviation of the US state or territory, which is the key of its outline.
    pub(crate) fn us_letters(&self) -> Option<&'static str> {
        (self.in_us != InUs::No).then(|| self.short())
    }

    pub(crate) fn is_us_state(&self) -> bool {
        self.in_us == InUs::State
    }
}

/// A second-order administrative region: a county or district.
pub(crate) struct Admin2 {
    pub(crate) name: &'static str,
    pub(crate) first: usize,
    /// The county's FIPS code in the US.
    pub(crate) fips: Option<&'static str>,
    pub(crate) population: u64,
}

/// Parses lines of: code, number, name, population, alpha-3 code, other names.
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

/// Parses lines of: country, code, name, other names.
pub(super) fn admin1s(lines: Vec<&'static str>, countries: &[Country]) -> Vec<Admin1> {
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
            Admin1 { country, code, name, keys, population: 0, in_us }
        })
        .collect()
}

/// Parses lines of: name, index of the first-order region, FIPS code.
pub(super) fn admin2s(lines: Vec<&'static str>) -> Vec<Admin2> {
    lines
        .into_iter()
        .map(|line| {
            let mut fields = line.split('\t');
            let name = fields.next().unwrap_or_default();
            let first = fields.next().and_then(|field| field.parse().ok()).unwrap_or(0);
            let fips = fields.next().filter(|fips| !fips.is_empty());
            Admin2 { name, first, fips, population: 0 }
        })
        .collect()
}
