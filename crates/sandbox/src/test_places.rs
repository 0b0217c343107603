//! Places and trades that trigger a scripted fault, like the test cards of payment services: each one always triggers the
//! same fault.

use places::{Area, Category, Point, Scope};

use crate::fault::Fault;
use crate::town::Town;

/// A place with a scripted fault.
#[derive(Debug, Clone, Copy)]
pub struct TestPlace {
    spec: &'static TestPlaceSpec,
}

/// A trade with a scripted fault of the listing provider, in any town.
#[derive(Debug, Clone, Copy)]
pub struct TestTrade {
    /// The text to enter as industry.
    pub name: &'static str,
    /// The trade whose businesses are listed, if any.
    pub category: &'static Category,
    /// The fault it triggers.
    pub fault: Fault,
}

#[derive(Debug)]
struct TestPlaceSpec {
    /// The text to enter before the comma.
    town: &'static str,
    fault: Fault,
    population: u64,
}

/// Ids from here on belong to test places; those of gazetteers are far below.
const FIRST_ID: u32 = 0xFFFF_FF00;

/// The state of all test places.
const STATE: &str = "Sandbox";

/// The country of all test places.
const COUNTRY: &str = "US";

/// The latitude of all test places: open sea.
const LATITUDE: f64 = -40.0;

/// Miles around a test place that contain its businesses.
const RADIUS_MILES: f64 = 6.0;

const TEST_PLACES: [TestPlaceSpec; 13] = [
    spec("Plainville", Fault::None, 60_000),
    spec("Emptyville", Fault::Empty, 60_000),
    spec("Blocktown", Fault::Blocked, 60_000),
    spec("Flakytown", Fault::Flaky { failures: 2 }, 60_000),
    spec("Brokentown", Fault::FlakyForever, 60_000),
    spec("Slowtown", Fault::Slow, 60_000),
    spec("Deadwood", Fault::DeadSites, 60_000),
    spec("Snailville", Fault::SlowSites, 60_000),
    spec("Nastyville", Fault::HostileSites, 120_000),
    spec("Crowdville", Fault::Crowded, 9_000_000),
    spec("Flickertown", Fault::Flicker, 60_000),
    spec("Changeville", Fault::Restless, 60_000),
    spec("Hamletville", Fault::None, 300),
];

const TEST_TRADES: [(&str, &str, Fault); 5] = [
    ("empty trade", "plumber", Fault::Empty),
    ("blocked trade", "plumber", Fault::Blocked),
    ("flaky trade", "plumber", Fault::Flaky { failures: 2 }),
    ("broken trade", "plumber", Fault::FlakyForever),
    ("slow trade", "plumber", Fault::Slow),
];

const fn spec(town: &'static str, fault: Fault, population: u64) -> TestPlaceSpec {
    TestPlaceSpec { town, fault, population }
}

/// The test place with this name, such as `Emptyville, Sandbox`; case and surrounding spaces are ignored.
pub fn test_place(text: &str) -> Option<TestPlace> {
    let (town, state) = text.split_once(',')?;
    if !state.trim().eq_ignore_ascii_case(STATE) {
        return None;
    }
    TEST_PLACES.iter().find(|spec| town.trim().eq_ignore_ascii_case(spec.town)).map(|spec| TestPlace { spec })
}

/// Every test place, in a fixed order.
pub fn test_places() -> impl Iterator<Item = TestPlace> {
    TEST_PLACES.iter().map(|spec| TestPlace { spec })
}

/// The test trade with this name, such as `empty trade`; case and surrounding spaces are ignored.
pub fn test_trade(text: &str) -> Option<TestTrade> {
    test_trades().find(|trade| text.trim().eq_ignore_ascii_case(trade.name))
}

/// Every test trade, in a fixed order.
pub fn test_trades() -> impl Iterator<Item = TestTrade> {
    TEST_TRADES.iter().filter_map(|(name, slug, fault)| {
        let category = places::category(slug).or_else(|| places::categories().first())?;
        Some(TestTrade { name, category, fault: *fault })
    })
}

impl TestPlace {
    /// The display name, such as `Emptyville, Sandbox`.
    pub fn name(&self) -> String {
        format!("{}, {STATE}", self.spec.town)
    }

    /// The town's name without the state.
    pub fn city(&self) -> &'static str {
        self.spec.town
    }

    /// `Sandbox` for every test place.
    pub fn state(&self) -> &'static str {
        STATE
    }

    /// The country whose formats its businesses use.
    pub fn country(&self) -> &'static str {
        COUNTRY
    }

    /// The fault it triggers.
    pub fn fault(&self) -> Fault {
        self.spec.fault
    }

    /// Its centre, in open sea.
    pub fn point(&self) -> Point {
        self.town().point
    }

    /// The area around it. Test places have no county or state of their own, so every scope gives the same circle.
    pub fn area(&self, _scope: Scope) -> Area {
        self.circle(RADIUS_MILES)
    }

    /// A circle around its centre.
    pub fn circle(&self, radius_miles: f64) -> Area {
        Area::circle(self.name(), COUNTRY, self.point(), radius_miles)
    }

    /// The town of its businesses.
    pub(crate) fn town(&self) -> Town {
        let index = TEST_PLACES.iter().position(|spec| std::ptr::eq(spec, self.spec)).unwrap_or(0);
        Town {
            id: FIRST_ID + index as u32,
            name: self.spec.town,
            state: STATE,
            country: COUNTRY,
            // Far from every town and from each other.
            point: Point { latitude: LATITUDE, longitude: -30.0 + 2.0 * index as f64 },
            population: self.spec.population,
            radius_miles: RADIUS_MILES,
            postal_codes: vec!["00000"],
            fault: self.spec.fault,
        }
    }
}

/// The test place whose town has this id.
pub(crate) fn town_of(id: u32) -> Option<Town> {
    let index = id.checked_sub(FIRST_ID)? as usize;
    TEST_PLACES.get(index).map(|spec| TestPlace { spec }.town())
}

/// The test places whose centre lies in an area.
pub(crate) fn towns_in(area: &Area) -> Vec<Town> {
    let bounds = area.bounds();
    // All test places are on one latitude, so the bounds rule out nearly every area.
    if !(bounds.south..=bounds.north).contains(&LATITUDE) {
        return Vec::new();
    }
    test_places().map(|place| place.town()).filter(|town| area.contains(town.point)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_places_are_found_regardless_of_case_and_spaces() {
        for text in ["Emptyville, Sandbox", " emptyville ,SANDBOX ", "EMPTYVILLE,sandbox"] {
            assert_eq!(test_place(text).map(|place| place.fault()), Some(Fault::Empty), "{text}");
        }
        for text in ["Emptyville", "Emptyville, TX", "Austin, Sandbox", "", ","] {
            assert!(test_place(text).is_none(), "{text}");
        }
    }

    #[test]
    fn test_trades_are_found_and_have_businesses_behind_them() {
        assert_eq!(test_trade(" Flaky Trade").map(|trade| trade.fault), Some(Fault::Flaky { failures: 2 }));
        assert!(test_trade("plumber").is_none());
        assert_eq!(test_trades().count(), TEST_TRADES.len());
    }

    #[test]
    fn a_flaky_provider_recovers_and_a_broken_one_does_not() {
        let flaky = Fault::Flaky { failures: 2 };
        let failing: Vec<u64> = (0..40).filter(|position| flaky.fails_at(*position, 0)).collect();
        assert_eq!(failing, [0, 7]);
        assert!((0..40).all(|position| !flaky.fails_at(position, 1) && !Fault::None.fails_at(position, 0)));
        assert!(!Fault::FlakyForever.fails_at(6, 0) && Fault::FlakyForever.fails_at(7, 99));
    }

    #[test]
    fn every_area_of_a_test_place_contains_that_place_and_no_other() {
        for place in test_places() {
            let towns = towns_in(&place.area(Scope::Country));
            assert_eq!(towns.iter().map(|town| town.name).collect::<Vec<_>>(), [place.city()]);
            assert_eq!(town_of(towns[0].id).map(|town| town.name), Some(place.city()));
        }
        assert!(town_of(5).is_none() && town_of(u32::MAX).is_none());
    }
}
