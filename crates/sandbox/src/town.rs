//! Towns of the world: those of the gazetteer and the test places, the number of businesses of each trade, and their
//! locations.

use places::{Category, Point};

use crate::code::Key;
use crate::fault::Fault;
use crate::random::{Purpose, Random};

/// Miles per degree of latitude.
const DEGREE_MILES: f64 = 69.1;

/// Share of a town's circle that is used; the rest keeps rounding errors inside.
const BUILT_SHARE: f64 = 0.96;

/// Most businesses of one trade in one town; their number must fit its code.
const BUSINESSES_MAX: u64 = 60_000;

/// Fewest businesses of a common trade in the crowded test place.
const CROWD_MIN: u64 = 3_500;

/// Assumed population of places without a count.
const PEOPLE_MIN: u64 = 250;

/// A town of the world.
#[derive(Debug, Clone)]
pub(crate) struct Town {
    pub(crate) id: u32,
    pub(crate) name: &'static str,
    pub(crate) state: &'static str,
    pub(crate) country: &'static str,
    pub(crate) point: Point,
    pub(crate) population: u64,
    pub(crate) radius_miles: f64,
    pub(crate) postal_codes: Vec<&'static str>,
    pub(crate) fault: Fault,
}

impl Town {
    /// Converts a town of the gazetteer.
    pub(crate) fn of(town: &places::Town) -> Town {
        Town {
            id: town.id,
            name: town.name,
            state: town.state,
            country: town.country,
            point: town.point,
            population: town.population,
            radius_miles: town.radius_miles,
            postal_codes: town.postal_codes(),
            fault: Fault::None,
        }
    }
}

/// The number of businesses of a trade in a town.
pub(crate) fn count(seed: u64, town: &TownSize, category: &Category, trade: u16) -> u64 {
    let per_10k = rate(category);
    let people = town.population.max(PEOPLE_MIN) as f64;
    let mut random = Random::of(seed, Purpose::Count, &[u64::from(town.id), u64::from(trade)]);
    let expected = people * per_10k / 10_000.0 * (0.8 + 0.4 * random.unit());
    let whole = expected as u64 + u64::from(random.unit() < expected.fract());
    let floor = if per_10k >= 2.5 { random.between(3, 6) as u64 } else { u64::from(per_10k >= 1.0) };
    let least = match town.fault {
        Fault::Empty | Fault::Blocked => return 0,
        Fault::Crowded => CROWD_MIN,
        Fault::None if people < 500.0 => floor / 3,
        Fault::None => floor,
        // A test place must show its fault in every trade.
        _ => 24,
    };
    whole.max(least).min(BUSINESSES_MAX)
}

/// The inputs of a count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TownSize {
    pub(crate) id: u32,
    pub(crate) population: u64,
    pub(crate) fault: Fault,
}

impl From<&Town> for TownSize {
    fn from(town: &Town) -> Self {
        TownSize { id: town.id, population: town.population, fault: town.fault }
    }
}

impl From<&places::Town> for TownSize {
    fn from(town: &places::Town) -> Self {
        TownSize { id: town.id, population: town.population, fault: Fault::None }
    }
}

/// Businesses of a trade per ten thousand people.
fn rate(category: &Category) -> f64 {
    let by_slug = SLUG_RATES.iter().find(|(slug, _)| *slug == category.slug);
    let by_group = GROUP_RATES.iter().find(|(group, _)| *group == category.group);
    by_slug.or(by_group).map_or(1.0, |(_, rate)| *rate)
}

/// Trades that are much more or less common than their group.
const SLUG_RATES: &[(&str, f64)] = &[
    ("restaurant", 12.0),
    ("coffee_shop", 4.5),
    ("pizza_restaurant", 3.2),
    ("bar", 4.0),
    ("dentist", 6.0),
    ("doctor", 8.0),
    ("lawyer", 9.0),
    ("hair_salon", 7.0),
    ("barber", 3.6),
    ("nail_salon", 3.4),
    ("plumber", 4.2),
    ("electrician", 4.0),
    ("hvac_contractor", 3.6),
    ("roofer", 3.2),
    ("general_contractor", 5.0),
    ("landscaper", 4.0),
    ("auto_repair", 5.2),
    ("real_estate_agent", 8.0),
    ("insurance_agent", 5.5),
    ("accountant", 4.2),
    ("church", 8.0),
    ("gym", 3.0),
    ("hotel", 2.6),
    ("daycare", 3.2),
    ("chiropractor", 2.8),
    ("house_cleaner", 3.2),
    ("photographer", 3.0),
    ("mexican_restaurant", 3.4),
    ("fast_food_restaurant", 4.0),
    ("personal_injury_lawyer", 2.6),
    ("beauty_salon", 4.0),
    ("clothing_store", 3.2),
    ("bank", 2.8),
    ("hospital", 0.2),
    ("college", 0.2),
    ("casino", 0.1),
    ("shopping_mall", 0.2),
    ("mosque", 0.3),
    ("synagogue", 0.2),
    ("temple", 0.2),
    ("farm", 0.6),
    ("winery", 0.3),
    ("distillery", 0.2),
    ("farmers_market", 0.3),
    ("flight_school", 0.1),
    ("climbing_gym", 0.2),
    ("brewery", 0.4),
    ("funeral_home", 0.7),
    ("driving_school", 0.5),
];

/// Rates by group.
const GROUP_RATES: &[(&str, f64)] = &[
    ("food", 1.8),
    ("health", 1.8),
    ("home", 2.6),
    ("beauty", 2.2),
    ("auto", 1.8),
    ("shop", 1.8),
    ("professional", 2.0),
    ("fitness", 1.2),
    ("lodging", 1.0),
    ("education", 0.9),
    ("pets", 1.0),
    ("events", 1.0),
    ("leisure", 0.5),
    ("community", 1.2),
];

/// The location of a business. Uses only sums, products and one cosine, rounded, so that it is the same on every machine.
pub(crate) fn point_of(seed: u64, key: Key, place: &Circle) -> Point {
    let mut random = Random::of(seed, Purpose::Point, &key.keys());
    let (mut x, mut y) = (0.0, 0.0);
    // A quarter of the square is outside the circle; in practice a dozen attempts never all miss, and the centre is fine.
    for _ in 0..12 {
        let (east, north) = (random.unit() * 2.0 - 1.0, random.unit() * 2.0 - 1.0);
        if east * east + north * north <= 1.0 {
            // Businesses are denser towards the centre.
            let pull = 0.45 + 0.55 * (east * east + north * north);
            (x, y) = (east * pull, north * pull);
            break;
        }
    }
    let reach = place.radius_miles * BUILT_SHARE / DEGREE_MILES;
    let latitude = (place.centre.latitude + y * reach).clamp(-90.0, 90.0);
    let mut longitude = place.centre.longitude + x * reach / place.squeeze;
    if longitude > 180.0 {
        longitude -= 360.0;
    } else if longitude < -180.0 {
        longitude += 360.0;
    }
    Point { latitude: round(latitude), longitude: round(longitude) }
}

/// The circle that contains a town's businesses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Circle {
    centre: Point,
    radius_miles: f64,
    /// Length of a degree of longitude relative to the equator, at its shortest within the circle.
    squeeze: f64,
}

impl Circle {
    pub(crate) fn new(centre: Point, radius_miles: f64) -> Circle {
        let radius_miles = if radius_miles.is_finite() { radius_miles.clamp(0.1, 100.0) } else { 1.0 };
        Circle { centre, radius_miles, squeeze: centre.latitude.to_radians().cos().max(0.05) }
    }
}

/// Rounds to six decimals, about ten centimetres.
fn round(degrees: f64) -> f64 {
    (degrees * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rate_names_an_existing_trade_or_group_and_every_group_has_one() {
        for (slug, _) in SLUG_RATES {
            assert!(places::category(slug).is_some(), "{slug}");
        }
        for category in places::categories() {
            assert!(GROUP_RATES.iter().any(|(group, _)| *group == category.group), "{}", category.group);
        }
    }

    #[test]
    fn points_lie_in_their_circle_everywhere() {
        for (latitude, longitude) in [(0.0, 0.0), (30.3, -97.7), (64.1, -21.9), (-18.1, 179.99), (71.3, -156.8)] {
            let centre = Point { latitude, longitude };
            let circle = Circle::new(centre, 15.0);
            for number in 0..500 {
                let point = point_of(1, Key { town: 1, trade: 2, number }, &circle);
                assert!(centre.miles_to(point) <= 15.0, "{point:?} around {centre:?}");
                assert!((-180.0..=180.0).contains(&point.longitude));
            }
        }
    }
}
