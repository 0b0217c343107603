//! The gazetteer: towns of the world with their regions, and indexes by name and by place.

mod grid;
mod names;
mod regions;

use std::sync::OnceLock;

pub(crate) use names::{Match, edits};
pub(crate) use regions::{Country, First, Second};

use crate::blob::{Blob, Lines, degrees};
use crate::point::Point;
use crate::postal;

static TOWNS: &[u8] = include_bytes!("../../data/towns.bin");

/// Radius of a town's circle: a base, and what its people add as the square root of their number.
const RADIUS_BASE_MILES: f64 = 1.5;
const RADIUS_PER_ROOT_OF_PEOPLE_MILES: f64 = 0.011;
/// No town's circle is larger; up to this radius a search counts as one of city width.
pub(crate) const TOWN_RADIUS_MAX_MILES: f64 = 15.0;

/// A settled place of the gazetteer.
#[derive(Clone, Debug, PartialEq)]
pub struct Town {
    /// GeoNames' number of the place: it stays the same when the data is rebuilt.
    pub id: u32,
    /// "Austin".
    pub name: &'static str,
    /// "TX"; outside the US the name of the first-order region.
    pub state: &'static str,
    /// "Texas"; outside the US the same as `state`.
    pub state_name: &'static str,
    /// "Travis County", where known.
    pub county: Option<&'static str>,
    /// ISO 3166-1 alpha-2.
    pub country: &'static str,
    /// The centre, to about ten metres.
    pub point: Point,
    /// People, 0 when unknown.
    pub population: u64,
    /// Radius of the circle that stands for the town.
    pub radius_miles: f64,
}

impl Town {
    /// Postal codes whose centre lies in the town's circle, nearest first; when there is none, the nearest one in the
    /// same state. Empty outside the US.
    #[must_use]
    pub fn postal_codes(&self) -> Vec<&'static str> {
        if self.country != "US" {
            return Vec::new();
        }
        postal::codes().near(self.point, self.radius_miles, self.state)
    }
}

/// The town with this GeoNames number.
#[must_use]
pub fn town(id: u32) -> Option<Town> {
    let gazetteer = gazetteer();
    gazetteer.ids.iter().position(|known| *known == id).map(|row| gazetteer.town(row))
}

/// The radius of the circle that stands for a town of so many people.
pub(crate) fn radius_miles(population: u64) -> f64 {
    let grown = RADIUS_BASE_MILES + RADIUS_PER_ROOT_OF_PEOPLE_MILES * (population as f64).sqrt();
    grown.min(TOWN_RADIUS_MAX_MILES)
}

/// All towns, in columns; a row is a town's number here.
pub(crate) struct Gazetteer {
    pub(crate) countries: Vec<Country>,
    pub(crate) firsts: Vec<First>,
    pub(crate) seconds: Vec<Second>,
    names: Lines,
    ids: Vec<u32>,
    latitudes: Vec<u32>,
    longitudes: Vec<u32>,
    populations: Vec<u32>,
    first_of: Vec<u16>,
    second_of: Vec<u16>,
    index: names::Index,
    grid: OnceLock<grid::Grid>,
}

/// The gazetteer, unpacked at first use.
pub(crate) fn gazetteer() -> &'static Gazetteer {
    static GAZETTEER: OnceLock<Gazetteer> = OnceLock::new();
    GAZETTEER.get_or_init(Gazetteer::unpack)
}

impl Gazetteer {
    fn unpack() -> Gazetteer {
        let mut blob = Blob::unpack(TOWNS);
        let countries = regions::countries(blob.lines());
        let firsts = regions::firsts(blob.lines(), &countries);
        let seconds = regions::seconds(blob.lines());
        let names = Lines::new(blob.text());
        let ids = blob.column(4);
        let (latitudes, longitudes, populations) = (blob.column(3), blob.column(3), blob.column(4));
        let (first_of, second_of) = (narrow(blob.column(2)), narrow(blob.column(2)));
        let others = Lines::new(blob.text());
        let index = names::Index::build(&names, &others, &blob.column(3));
        let mut gazetteer = Gazetteer {
            countries,
            firsts,
            seconds,
            names,
            ids,
            latitudes,
            longitudes,
            populations,
            first_of,
            second_of,
            index,
            grid: OnceLock::new(),
        };
        gazetteer.count_people();
        gazetteer
    }

    /// Regions have as many people as their towns: enough to compare them.
    fn count_people(&mut self) {
        for row in 0..self.ids.len() {
            let people = u64::from(self.populations[row]);
            self.firsts[usize::from(self.first_of[row])].population += people;
            self.seconds[usize::from(self.second_of[row])].population += people;
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

    /// The number of the town's first-order region.
    pub(crate) fn first_of(&self, row: usize) -> usize {
        usize::from(self.first_of[row])
    }

    /// The number of the town's second-order region.
    pub(crate) fn second_of(&self, row: usize) -> Option<usize> {
        Some(usize::from(self.second_of[row])).filter(|second| *second > 0)
    }

    pub(crate) fn country_of(&self, row: usize) -> usize {
        self.firsts[self.first_of(row)].country
    }

    /// Towns with this key as their name or as another name.
    pub(crate) fn find(&self, key: &str) -> impl Iterator<Item = Match> + '_ {
        self.index.find(key)
    }

    /// The index by name, for looking near a misspelt one.
    pub(crate) fn index(&self) -> &names::Index {
        &self.index
    }

    fn grid(&self) -> &grid::Grid {
        self.grid.get_or_init(|| grid::Grid::build(self))
    }

    /// Rows of towns whose centre lies in the box.
    pub(crate) fn within(&self, bounds: &crate::point::Bounds) -> Vec<usize> {
        self.grid().within(self, bounds)
    }

    /// The nearest town of a country within a reach.
    pub(crate) fn nearest(&self, country: usize, point: Point, reach_miles: f64) -> Option<usize> {
        self.grid().nearest(self, country, (point, reach_miles))
    }

    pub(crate) fn town(&self, row: usize) -> Town {
        let first = &self.firsts[self.first_of(row)];
        let population = self.population(row);
        Town {
            id: self.id(row),
            name: self.name(row),
            state: first.short(),
            state_name: first.name,
            county: self.second_of(row).map(|second| self.seconds[second].name),
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
