//! The gazetteer: towns of the world with their regions, indexed by name and by location.

mod grid;
mod names;
mod regions;

use std::sync::OnceLock;

pub(crate) use names::{NameMatch, edits};
pub(crate) use regions::{Admin1, Admin2, Country};

use crate::data_file::{DataFile, Lines, degrees};
use crate::point::{Point, SearchCircle};
use crate::postal;

static TOWNS: &[u8] = include_bytes!("../../data/towns.bin");

/// Radius of a town's circle: a base, plus a term that grows with the square root of its population.
const RADIUS_BASE_MILES: f64 = 1.5;
const RADIUS_PER_ROOT_OF_PEOPLE_MILES: f64 = 0.011;
/// Largest radius of a town's circle; up to this radius a search has city width.
pub(crate) const TOWN_RADIUS_MAX_MILES: f64 = 15.0;

/// A populated place of the gazetteer.
#[derive(Clone, Debug, PartialEq)]
pub struct Town {
    /// The GeoNames id, which does not change when the data is rebuilt.
    pub id: u32,
    /// The town's own name, such as "Austin".
    pub name: &'static str,
    /// "TX"; outside the US the name of the first-order region.
    pub state: &'static str,
    /// "Texas"; outside the US the same as `state`.
    pub state_name: &'static str,
    /// "Travis County", where known.
    pub county: Option<&'static str>,
    /// ISO 3166-1 alpha-2.
    pub country: &'static str,
    /// The centre, accurate to about ten metres.
    pub point: Point,
    /// Inhabitants; 0 when unknown.
    pub population: u64,
    /// Radius of the circle that represents the town.
    pub radius_miles: f64,
}

impl Town {
    /// ZIP codes whose centre lies in the town's circle, nearest first; if there is none, the nearest one in the same state.
    /// Empty outside the US.
    #[must_use]
    pub fn postal_codes(&self) -> Vec<&'static str> {
        if self.country != "US" {
            return Vec::new();
        }
        postal::codes().near(self.point, self.radius_miles, self.state)
    }
}

/// The town with this GeoNames id.
#[must_use]
pub fn town(id: u32) -> Option<Town> {
    let gazetteer = gazetteer();
    gazetteer.ids.iter().position(|known| *known == id).map(|row| gazetteer.town(row))
}

/// The radius of the circle that represents a town of this population.
pub(crate) fn radius_miles(population: u64) -> f64 {
    let grown = RADIUS_BASE_MILES + RADIUS_PER_ROOT_OF_PEOPLE_MILES * (population as f64).sqrt();
    grown.min(TOWN_RADIUS_MAX_MILES)
}

/// All towns, in columns; a row is a town's index.
pub(crate) struct Gazetteer {
    pub(crate) countries: Vec<Country>,
    pub(crate) admin1s: Vec<Admin1>,
    pub(crate) admin2s: Vec<Admin2>,
    names: Lines,
    ids: Vec<u32>,
    latitudes: Vec<u32>,
    longitudes: Vec<u32>,
    populations: Vec<u32>,
    admin1_of: Vec<u16>,
    admin2_of: Vec<u16>,
    index: names::NameIndex,
    grid: OnceLock<grid::Grid>,
}

/// The gazetteer, decompressed on first use.
pub(crate) fn gazetteer() -> &'static Gazetteer {
    static GAZETTEER: OnceLock<Gazetteer> = OnceLock::new();
    GAZETTEER.get_or_init(Gazetteer::unpack)
}

impl Gazetteer {
    fn unpack() -> Gazetteer {
        let mut blob = DataFile::unpack(TOWNS);
        let countries = regions::countries(blob.lines());
        let admin1s = regions::admin1s(blob.lines(), &countries);
        let admin2s = regions::admin2s(blob.lines());
        let names = Lines::new(blob.text());
        let ids = blob.column(4);
        let (latitudes, longitudes, populations) = (blob.column(3), blob.column(3), blob.column(4));
        let (admin1_of, admin2_of) = (narrow(blob.column(2)), narrow(blob.column(2)));
        let others = blob.passing_text();
        let index = names::NameIndex::build(&names, &others, &blob.column(3));
        let mut gazetteer = Gazetteer {
            countries,
            admin1s,
            admin2s,
            names,
            ids,
            latitudes,
            longitudes,
            populations,
            admin1_of,
            admin2_of,
            index,
            grid: OnceLock::new(),
        };
        gazetteer.count_people();
        gazetteer
    }

    /// Sums up the population of regions from their towns: accurate enough to compare them.
    fn count_people(&mut self) {
        for row in 0..self.ids.len() {
            let people = u64::from(self.populations[row]);
            self.admin1s[usize::from(self.admin1_of[row])].population += people;
            self.admin2s[usize::from(self.admin2_of[row])].population += people;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    pub(crate) fn name(&self, row: usize) -> &'static str {
        self.names.get(row)
    }

    pub(crate) fn id(&self, row: usize) -> u32 {
        self.ids[row]
    }

    pub(crate) fn point(&self, row: usize) -> Point {
        Point { latitude: degrees(self.latitudes[row], -90.0), longitude: degrees(self.longitudes[row], -180.0) }
    }

    pub(crate) fn population(&self, row: usize) -> u64 {
        u64::from(self.populations[row])
    }

    pub(crate) fn admin1_of(&self, row: usize) -> usize {
        usize::from(self.admin1_of[row])
    }

    pub(crate) fn admin2_of(&self, row: usize) -> Option<usize> {
        Some(usize::from(self.admin2_of[row])).filter(|second| *second > 0)
    }

    pub(crate) fn country_of(&self, row: usize) -> usize {
        self.admin1s[self.admin1_of(row)].country
    }

    /// Towns with this key as their own or an alternative name.
    pub(crate) fn find(&self, key: &str) -> impl Iterator<Item = NameMatch> + '_ {
        self.index.find(key)
    }

    /// The name index, for finding misspelt names.
    pub(crate) fn index(&self) -> &names::NameIndex {
        &self.index
    }

    fn grid(&self) -> &grid::Grid {
        self.grid.get_or_init(|| grid::Grid::build(self))
    }

    /// Rows of towns whose centre lies in the box.
    pub(crate) fn within(&self, bounds: &crate::point::Bounds) -> Vec<usize> {
        self.grid().within(self, bounds)
    }

    /// The nearest town of a country within a distance.
    pub(crate) fn nearest(&self, country: usize, point: Point, reach_miles: f64) -> Option<usize> {
        self.grid().nearest(self, country, SearchCircle { centre: point, radius_miles: reach_miles })
    }

    pub(crate) fn town(&self, row: usize) -> Town {
        let first = &self.admin1s[self.admin1_of(row)];
        let population = self.population(row);
        Town {
            id: self.id(row),
            name: self.name(row),
            state: first.short(),
            state_name: first.name,
            county: self.admin2_of(row).map(|second| self.admin2s[second].name),
            country: self.countries[first.country].code,
            point: self.point(row),
            population,
            radius_miles: radius_miles(population),
        }
    }
}

fn narrow(column: Vec<u32>) -> Vec<u16> {
    column.into_iter().map(|value| value as u16).collect()
}
