//! The streets of a town: the houses of its businesses, and a line for every other number.

use std::collections::HashMap;

use places::{Area, Point, StreetText};
use sandbox::{Business, World};

use super::ask::Asked;
use super::spell;

/// Miles in a degree of latitude.
const DEGREE_MILES: f64 = 69.1;
/// Share of the town's radius that the middle of a street is away from its centre at most, and half of a street's length.
const MIDDLE_SHARE: f64 = 0.5;
const HALF_SHARE: f64 = 0.4;
/// House numbers from one end of a street to the other.
const NUMBERS: f64 = 12_500.0;
/// Radius of an area that is no circle.
const RADIUS_MILES: f64 = 5.0;
/// Businesses of the largest cities whose addresses are known; others lie on the lines of their streets.
const BUSINESSES_MAX: usize = 60_000;
/// A word in the name of streets that no town has.
const NOWHERE: &str = "nowhere";

/// An address of a town.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Address {
    pub(crate) point: Point,
    pub(crate) kind: Kind,
    pub(crate) number: Option<String>,
    /// As the sandbox writes it.
    pub(crate) street: String,
    pub(crate) city: String,
    pub(crate) state: String,
    pub(crate) postal_code: Option<String>,
    pub(crate) country: &'static str,
}

/// How an address is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    House,
    /// Between houses.
    Between,
    Street,
}

/// The streets of a town.
#[derive(Debug)]
pub(super) struct TownStreets {
    seed: u64,
    area: Area,
    /// By the key of the street.
    houses: HashMap<String, Vec<Address>>,
}

impl TownStreets {
    /// The addresses of all businesses of an area.
    pub(super) fn of(world: &World, area: &Area, extra: &[Business]) -> TownStreets {
        let mut houses: HashMap<String, Vec<Address>> = HashMap::new();
        let own = places::categories().iter().flat_map(|category| world.businesses(area, category));
        let extra = extra.iter().filter(|business| area.contains(business.point)).cloned();
        for business in extra.chain(own.take(BUSINESSES_MAX)) {
            let Some(StreetText { number, street, .. }) = StreetText::parse(&business.street, business.country) else {
                continue;
            };
            houses.entry(spell::key(&street)).or_default().push(Address {
                point: business.point,
                kind: Kind::House,
                number,
                street,
                city: business.city,
                state: business.state,
                postal_code: business.postal_code,
                country: business.country,
            });
        }
        TownStreets { seed: world.seed(), area: area.clone(), houses }
    }

    /// What the geocoder knows of an address: the street first, as real ones do, then the house.
    pub(super) fn find(&self, asked: &Asked) -> Vec<Address> {
        let Some(StreetText { number, street, .. }) = asked.parts() else { return Vec::new() };
        let key = spell::key(&street);
        if key.contains(NOWHERE) {
            return Vec::new();
        }
        let known = self.houses.get(&key).map(Vec::as_slice).unwrap_or_default();
        let spelled = known.first().map_or(street, |house| house.street.clone());
        let on_line = |number: Option<String>, kind: Kind| Address {
            point: self.on_line(&key, number.as_deref()),
            kind,
            number,
            street: spelled.clone(),
            city: known.first().map_or_else(|| asked.city.clone(), |house| house.city.clone()),
            state: known.first().map_or_else(|| asked.state.clone(), |house| house.state.clone()),
            postal_code: None,
            country: self.area.country(),
        };
        let mut found = vec![on_line(None, Kind::Street)];
        let Some(number) = number else { return found };
        let same = |house: &&Address| house.number.as_deref().is_some_and(|known| known.eq_ignore_ascii_case(&number));
        let mut houses: Vec<Address> = known.iter().filter(same).cloned().collect();
        let is_of_code = |house: &Address| house.postal_code.as_deref() == Some(asked.postal_code.as_str());
        houses.sort_by_key(|house| !is_of_code(house));
        if houses.is_empty() {
            houses.push(on_line(Some(number), Kind::Between));
        }
        found.extend(houses);
        found
    }

    /// A point on the line of a street: its middle, or where a number lies, even ones on one side and odd ones on the other.
    fn on_line(&self, key: &str, number: Option<&str>) -> Point {
        let hash = hash(self.seed, &format!("{} {key}", self.area.name()));
        let share = |bits: u32| f64::from((hash >> bits) as u16) / f64::from(u16::MAX);
        let radius = self.area.radius_miles().unwrap_or(RADIUS_MILES) / DEGREE_MILES;
        let (turn, bearing) = (share(0) * std::f64::consts::TAU, share(16) * std::f64::consts::PI);
        let away = radius * MIDDLE_SHARE * share(32);
        let value: u32 = number.map_or(0, |number| {
            let digits: String = number.chars().take_while(char::is_ascii_digit).take(5).collect();
            digits.parse().unwrap_or(0)
        });
        let along = match number {
            Some(_) => (f64::from(value) / NUMBERS - 0.5).clamp(-0.5, 0.5) * 2.0 * radius * HALF_SHARE,
            None => 0.0,
        };
        let side = if number.is_none() { 0.0 } else { 0.0001 * if value.is_multiple_of(2) { 1.0 } else { -1.0 } };
        let north = away * turn.sin() + along * bearing.sin() + side * bearing.cos();
        let east = away * turn.cos() + along * bearing.cos() - side * bearing.sin();
        let centre = self.area.centre();
        let squeeze = centre.latitude.to_radians().cos().max(0.05);
        Point { latitude: rounded(centre.latitude + north), longitude: rounded(centre.longitude + east / squeeze) }
    }
}

fn rounded(degrees: f64) -> f64 {
    (degrees * 1e6).round() / 1e6
}

/// FNV-1a: the same on every machine.
fn hash(seed: u64, text: &str) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ seed;
    text.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
