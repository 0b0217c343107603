//! US ZIP codes and the location of their centres.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::data_file::{DataFile, degrees};
use crate::fold;
use crate::point::{Bounds, Point};

static ZIPS: &[u8] = include_bytes!("../data/zips.bin");

/// Digits of a ZIP code.
const CODE_DIGITS: usize = 5;
/// Most codes returned for one town.
const NEAR_MAX: usize = 500;
/// Maximum distance of the nearest code for a town without any in its circle.
const NEAREST_MAX_MILES: f64 = 25.0;

/// All ZIP codes, in columns and sorted.
pub(crate) struct ZipCodes {
    digits: &'static str,
    latitudes: Vec<u32>,
    longitudes: Vec<u32>,
    place_of: Vec<u32>,
    state_of: Vec<u32>,
    county_of: Vec<u32>,
    places: Vec<&'static str>,
    states: Vec<&'static str>,
    /// Indexes of the codes, sorted by latitude.
    northward: Vec<u32>,
    /// Codes by the key of the town they name.
    by_place: OnceLock<HashMap<String, Vec<u32>>>,
}

/// The ZIP codes, decompressed on first use.
pub(crate) fn codes() -> &'static ZipCodes {
    static ZIP_CODES: OnceLock<ZipCodes> = OnceLock::new();
    ZIP_CODES.get_or_init(ZipCodes::unpack)
}

impl ZipCodes {
    fn unpack() -> ZipCodes {
        let mut blob = DataFile::unpack(ZIPS);
        let digits = blob.text();
        let (latitudes, longitudes) = (blob.column(3), blob.column(3));
        let (place_of, state_of, county_of) = (blob.column(2), blob.column(1), blob.column(3));
        let mut northward: Vec<u32> = (0..latitudes.len() as u32).collect();
        northward.sort_by_key(|at| (latitudes[*at as usize], *at));
        let (places, states) = (blob.lines(), blob.lines());
        let by_place = OnceLock::new();
        ZipCodes { digits, latitudes, longitudes, place_of, state_of, county_of, places, states, northward, by_place }
    }

    fn len(&self) -> usize {
        self.latitudes.len()
    }

    pub(crate) fn digits(&self, at: usize) -> &'static str {
        &self.digits[at * CODE_DIGITS..(at + 1) * CODE_DIGITS]
    }

    pub(crate) fn find(&self, code: &str) -> Option<usize> {
        Some(self.place_in_order(code)).filter(|at| *at < self.len() && self.digits(*at) == code)
    }

    /// Codes that begin with these digits, in order.
    pub(crate) fn starting<'a>(&'a self, digits: &'a str) -> impl Iterator<Item = usize> + 'a {
        (self.place_in_order(digits)..self.len()).take_while(move |at| self.digits(*at).starts_with(digits))
    }

    /// The index of a code, or where it would be inserted.
    fn place_in_order(&self, code: &str) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.digits(middle) < code { low = middle + 1 } else { high = middle }
        }
        low
    }

    pub(crate) fn point(&self, at: usize) -> Point {
        Point { latitude: degrees(self.latitudes[at], -90.0), longitude: degrees(self.longitudes[at], -180.0) }
    }

    /// The town's name as used by the postal service.
    pub(crate) fn place(&self, at: usize) -> &'static str {
        self.places[self.place_of[at] as usize]
    }

    /// Codes whose town has this key, sorted.
    pub(crate) fn of_place(&self, key: &str) -> &[u32] {
        let by_place = self.by_place.get_or_init(|| {
            let keys: Vec<String> = self.places.iter().map(|place| fold::key(place)).collect();
            let mut found: HashMap<String, Vec<u32>> = HashMap::new();
            for (code, place) in self.place_of.iter().enumerate() {
                found.entry(keys[*place as usize].clone()).or_default().push(code as u32);
            }
            found
        });
        by_place.get(key).map_or(&[], Vec::as_slice)
    }

    /// "TX".
    pub(crate) fn state(&self, at: usize) -> &'static str {
        self.states[self.state_of[at] as usize]
    }

    /// The FIPS code of the county, "48453".
    pub(crate) fn county(&self, at: usize) -> Option<String> {
        Some(self.county_of[at]).filter(|fips| *fips > 0).map(|fips| format!("{fips:05}"))
    }

    /// The neighbours of a code that does not exist, as suggestions.
    pub(crate) fn beside(&self, code: &str) -> Vec<usize> {
        let at = self.place_in_order(code);
        (at.saturating_sub(2)..(at + 2).min(self.len())).collect()
    }

    pub(crate) fn near(&self, centre: Point, radius_miles: f64, state: &str) -> Vec<&'static str> {
        let mut found = self.measured(centre, radius_miles, state);
        if found.is_empty() {
            found = self.measured(centre, NEAREST_MAX_MILES, state);
            found.truncate(1);
        }
        found.truncate(NEAR_MAX);
        found.into_iter().map(|(_, at)| self.digits(at)).collect()
    }

    /// Codes of a state within a circle, nearest first.
    fn measured(&self, centre: Point, radius_miles: f64, state: &str) -> Vec<(f64, usize)> {
        let bounds = Bounds::around(centre, radius_miles);
        let latitude = |at: &u32| degrees(self.latitudes[*at as usize], -90.0);
        let first = self.northward.partition_point(|at| latitude(at) < bounds.south);
        let last = self.northward.partition_point(|at| latitude(at) <= bounds.north);
        let mut found: Vec<(f64, usize)> = self.northward[first..last]
            .iter()
            .map(|at| *at as usize)
            .filter(|at| self.state(*at) == state)
            .map(|at| (self.point(at).miles_to(centre), at))
            .filter(|(miles, _)| *miles <= radius_miles)
            .collect();
        found.sort_by(|one, two| one.partial_cmp(two).expect("distances are numbers"));
        found
    }
}
