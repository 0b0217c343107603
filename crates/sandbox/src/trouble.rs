//! Places and trades for trying what goes wrong, in the way payment services have test cards: type one of these and
//! that trouble comes, every time.

use std::time::Duration;

use places::{Area, Category, Point, Scope};

use crate::town::Town;

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Trouble {
    /// Nothing.
    None,
    /// There are no businesses at all.
    Empty,
    /// The provider of listings refuses the region for good.
    Blocked,
    /// The provider fails so many times, once at each of the first places that [`FLAKY_EVERY`] divides; asking again
    /// helps. See [`Trouble::fails_at`].
    Flaky {
        /// How often.
        failures: u32,
    },
    /// The provider fails after [`FLAKY_EVERY`] businesses, and asking again does not help.
    FlakyForever,
    /// The provider takes [`SLOW_PAUSE`] before each of its pages.
    Slow,
    /// No website answers.
    DeadSites,
    /// Websites take seconds, or never end.
    SlowSites,
    /// Websites do everything a website should not.
    HostileSites,
    /// More businesses than any one search may ask for.
    Crowded,
    /// An advertising pixel is missing on every second fetch.
    Flicker,
    /// Every website changes something at every age.
    Restless,
}

/// Businesses between two failures of a flaky provider.
pub const FLAKY_EVERY: u32 = 7;

/// How long a slow provider takes before each of its pages.
pub const SLOW_PAUSE: Duration = Duration::from_secs(2);

impl Trouble {
    /// Whether the provider fails when it is asked for the business at a position; `attempt` says how often it was
    /// asked for that one before.
    pub fn fails_at(self, position: u64, attempt: u32) -> bool {
        let every = u64::from(FLAKY_EVERY);
        match self {
            Trouble::Flaky { failures } => {
                attempt == 0 && position.is_multiple_of(every) && position / every < u64::from(failures)
            }
            Trouble::FlakyForever => position >= every,
            _ => false,
        }
    }
}

/// A place for trying a trouble.
#[derive(Debug, Clone, Copy)]
pub struct TestPlace {
    spot: &'static Spot,
}

/// A trade for trying a trouble of the provider, in any town.
#[derive(Debug, Clone, Copy)]
pub struct TestTrade {
    /// What to type.
    pub name: &'static str,
    /// The trade whose businesses are listed, where any are.
    pub category: &'static Category,
    /// What goes wrong.
    pub trouble: Trouble,
}

#[derive(Debug)]
struct Spot {
    /// What is typed before the comma.
    town: &'static str,
    trouble: Trouble,
    population: u64,
}

/// Ids from here on belong to test places; gazetteers stay far below.
const FIRST_ID: u32 = 0xFFFF_FF00;

/// The state that all test places lie in.
const STATE: &str = "Sandbox";

/// And the country.
const COUNTRY: &str = "US";

/// The latitude that all test places lie on: open sea.
const LATITUDE: f64 = -40.0;

/// Miles around a test place in which its businesses lie.
const RADIUS_MILES: f64 = 6.0;

const SPOTS: [Spot; 13] = [
    spot("Plainville", Trouble::None, 60_000),
    spot("Emptyville", Trouble::Empty, 60_000),
    spot("Blocktown", Trouble::Blocked, 60_000),
    spot("Flakytown", Trouble::Flaky { failures: 2 }, 60_000),
    spot("Brokentown", Trouble::FlakyForever, 60_000),
    spot("Slowtown", Trouble::Slow, 60_000),
    spot("Deadwood", Trouble::DeadSites, 60_000),
    spot("Snailville", Trouble::SlowSites, 60_000),
    spot("Nastyville", Trouble::HostileSites, 120_000),
    spot("Crowdville", Trouble::Crowded, 9_000_000),
    spot("Flickertown", Trouble::Flicker, 60_000),
    spot("Changeville", Trouble::Restless, 60_000),
    spot("Hamletville", Trouble::None, 300),
];

const TRADES: [(&str, &str, Trouble); 5] = [
    ("empty trade", "plumber", Trouble::Empty),
    ("blocked trade", "plumber", Trouble::Blocked),
    ("flaky trade", "plumber", Trouble::Flaky { failures: 2 }),
    ("broken trade", "plumber", Trouble::FlakyForever),
    ("slow trade", "plumber", Trouble::Slow),
];

const fn spot(town: &'static str, trouble: Trouble, population: u64) -> Spot {
    Spot { town, trouble, population }
}

/// The test place that a location names, such as `Emptyville, Sandbox`; case and spaces do not matter.
pub fn test_place(text: &str) -> Option<TestPlace> {
    let (town, state) = text.split_once(',')?;
    if !state.trim().eq_ignore_ascii_case(STATE) {
        return None;
    }
    SPOTS.iter().find(|spot| town.trim().eq_ignore_ascii_case(spot.town)).map(|spot| TestPlace { spot })
}

/// Every test place, in a fixed order.
pub fn test_places() -> impl Iterator<Item = TestPlace> {
    SPOTS.iter().map(|spot| TestPlace { spot })
}

/// The test trade that an industry names, such as `empty trade`; case and spaces do not matter.
pub fn test_trade(text: &str) -> Option<TestTrade> {
    test_trades().find(|trade| text.trim().eq_ignore_ascii_case(trade.name))
}

/// Every test trade, in a fixed order.
pub fn test_trades() -> impl Iterator<Item = TestTrade> {
    TRADES.iter().filter_map(|(name, slug, trouble)| {
        let category = places::category(slug).or_else(|| places::categories().first())?;
        Some(TestTrade { name, category, trouble: *trouble })
    })
}

impl TestPlace {
    /// The name to show, such as `Emptyville, Sandbox`.
    pub fn name(&self) -> String {
        format!("{}, {STATE}", self.spot.town)
    }

    /// The town's name alone.
    pub fn city(&self) -> &'static str {
        self.spot.town
    }

    /// The state that all test places lie in.
    pub fn state(&self) -> &'static str {
        STATE
    }

    /// The country whose customs hold there.
    pub fn country(&self) -> &'static str {
        COUNTRY
    }

    /// What goes wrong there.
    pub fn trouble(&self) -> Trouble {
        self.spot.trouble
    }

    /// Where it lies.
    pub fn point(&self) -> Point {
        self.town().point
    }

    /// The area around it. Test places have no county and no state of their own: every scope gives the same circle.
    pub fn area(&self, _scope: Scope) -> Area {
        self.circle(RADIUS_MILES)
    }

    /// A circle around it.
    pub fn circle(&self, radius_miles: f64) -> Area {
        Area::circle(self.name(), COUNTRY, self.point(), radius_miles)
    }

    /// The town that the businesses live in.
    pub(crate) fn town(&self) -> Town {
        let index = SPOTS.iter().position(|spot| std::ptr::eq(spot, self.spot)).unwrap_or(0);
        Town {
            id: FIRST_ID + index as u32,
            name: self.spot.town,
            state: STATE,
            country: COUNTRY,
            // Far from every town and from each other.
            point: Point { latitude: LATITUDE, longitude: -30.0 + 2.0 * index as f64 },
            population: self.spot.population,
            radius_miles: RADIUS_MILES,
            postal_codes: vec!["00000"],
            trouble: self.spot.trouble,
        }
    }
}

/// The test place whose town has this id.
pub(crate) fn town_of(id: u32) -> Option<Town> {
    let index = id.checked_sub(FIRST_ID)? as usize;
    SPOTS.get(index).map(|spot| TestPlace { spot }.town())
}

/// The test places whose centre lies in an area.
pub(crate) fn towns_in(area: &Area) -> Vec<Town> {
    let bounds = area.bounds();
    // All test places lie on one latitude: nearly every area is told by its bounds alone.
    if !(bounds.south..=bounds.north).contains(&LATITUDE) {
        return Vec::new();
    }
    test_places().map(|place| place.town()).filter(|town| area.contains(town.point)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_places_are_found_however_they_are_typed() {
        for text in ["Emptyville, Sandbox", " emptyville ,SANDBOX ", "EMPTYVILLE,sandbox"] {
            assert_eq!(test_place(text).map(|place| place.trouble()), Some(Trouble::Empty), "{text}");
        }
        for text in ["Emptyville", "Emptyville, TX", "Austin, Sandbox", "", ","] {
            assert!(test_place(text).is_none(), "{text}");
        }
    }

    #[test]
    fn test_trades_are_found_and_have_businesses_behind_them() {
        assert_eq!(test_trade(" Flaky Trade").map(|trade| trade.trouble), Some(Trouble::Flaky { failures: 2 }));
        assert!(test_trade("plumber").is_none());
        assert_eq!(test_trades().count(), TRADES.len());
    }

    #[test]
    fn a_flaky_provider_heals_and_a_broken_one_does_not() {
        let flaky = Trouble::Flaky { failures: 2 };
        let failing: Vec<u64> = (0..40).filter(|position| flaky.fails_at(*position, 0)).collect();
        assert_eq!(failing, [0, 7]);
        assert!((0..40).all(|position| !flaky.fails_at(position, 1) && !Trouble::None.fails_at(position, 0)));
        assert!(!Trouble::FlakyForever.fails_at(6, 0) && Trouble::FlakyForever.fails_at(7, 99));
    }

    #[test]
    fn every_area_of_a_test_place_holds_that_place_and_no_other() {
        for place in test_places() {
            let towns = towns_in(&place.area(Scope::Country));
            assert_eq!(towns.iter().map(|town| town.name).collect::<Vec<_>>(), [place.city()]);
            assert_eq!(town_of(towns[0].id).map(|town| town.name), Some(place.city()));
        }
        assert!(town_of(5).is_none() && town_of(u32::MAX).is_none());
    }
}
