//! Iterates over businesses lazily; skipped ones are never generated.

use places::{Area, Category};

use crate::business::{self, Business};
use crate::code::{Key, trade_key};
use crate::test_places;
use crate::town::{Circle, Town, TownSize, count, point_of};

/// Businesses examined one by one for an exact count.
const EXACT_MAX: u64 = 4_000;

/// Businesses sampled for an estimate.
const SAMPLES: u64 = 2_000;

/// The businesses of a trade in an area, in a fixed order: towns by population, then by number.
#[derive(Debug)]
pub struct Businesses {
    seed: u64,
    area: Area,
    category: &'static Category,
    trade: u16,
    towns: std::vec::IntoIter<CandidateTown>,
    /// The current town; its postal codes are looked up when its first business is generated.
    current: Option<CurrentTown>,
}

/// A town whose businesses may lie in the area.
#[derive(Debug, Clone)]
enum CandidateTown {
    Known(places::Town),
    Test(Box<Town>),
}

#[derive(Debug)]
struct CurrentTown {
    candidate: CandidateTown,
    town: Option<Town>,
    circle: Circle,
    id: u32,
    next: u64,
    count: u64,
}

impl CandidateTown {
    fn size(&self) -> TownSize {
        match self {
            CandidateTown::Known(town) => town.into(),
            CandidateTown::Test(town) => town.as_ref().into(),
        }
    }

    fn circle(&self) -> Circle {
        match self {
            CandidateTown::Known(town) => Circle::new(town.point, town.radius_miles),
            CandidateTown::Test(town) => Circle::new(town.point, town.radius_miles),
        }
    }

    fn town(&self) -> Town {
        match self {
            CandidateTown::Known(town) => Town::of(town),
            CandidateTown::Test(town) => town.as_ref().clone(),
        }
    }
}

fn candidates(area: &Area) -> Vec<CandidateTown> {
    let tests = test_places::towns_in(area).into_iter().map(|town| CandidateTown::Test(Box::new(town)));
    tests.chain(area.towns().into_iter().map(CandidateTown::Known)).collect()
}

impl Businesses {
    pub(crate) fn new(seed: u64, area: &Area, category: &'static Category) -> Businesses {
        Businesses {
            seed,
            area: area.clone(),
            category,
            trade: trade_key(category),
            towns: candidates(area).into_iter(),
            current: None,
        }
    }

    /// Skips the first `count` businesses without generating them.
    #[must_use]
    pub fn after(mut self, count: u64) -> Businesses {
        for _ in 0..count {
            if self.advance().is_none() {
                break;
            }
        }
        self
    }

    /// Advances to the next business inside the area.
    fn advance(&mut self) -> Option<Key> {
        loop {
            if self.current.is_none() {
                let candidate = self.towns.next()?;
                self.current = Some(self.open(candidate));
            }
            let current = self.current.as_mut()?;
            while current.next < current.count {
                let key = Key { town: current.id, trade: self.trade, number: current.next as u16 };
                current.next += 1;
                if self.area.contains(point_of(self.seed, key, &current.circle)) {
                    return Some(key);
                }
            }
            self.current = None;
        }
    }

    fn open(&self, candidate: CandidateTown) -> CurrentTown {
        let size = candidate.size();
        let count = count(self.seed, &size, self.category, self.trade);
        CurrentTown { circle: candidate.circle(), candidate, town: None, id: size.id, next: 0, count }
    }
}

impl Iterator for Businesses {
    type Item = Business;

    fn next(&mut self) -> Option<Business> {
        let key = self.advance()?;
        let current = self.current.as_mut()?;
        let town = current.town.get_or_insert_with(|| current.candidate.town());
        Some(business::make(self.seed, key, town, self.category))
    }

    fn nth(&mut self, skipped: usize) -> Option<Business> {
        for _ in 0..skipped {
            self.advance()?;
        }
        self.next()
    }
}

/// The number of businesses: exact when at most [`EXACT_MAX`] have to be examined, otherwise an estimate.
pub(crate) fn count_in(seed: u64, area: &Area, category: &'static Category) -> u64 {
    let trade = trade_key(category);
    let towns: Vec<(CandidateTown, u64)> = candidates(area)
        .into_iter()
        .map(|candidate| {
            let count = count(seed, &candidate.size(), category, trade);
            (candidate, count)
        })
        .collect();
    let all: u64 = towns.iter().map(|(_, count)| count).sum();
    let looked_at = if all <= EXACT_MAX { all } else { SAMPLES };
    let lies_inside = |(town, number): (&CandidateTown, u64)| {
        let key = Key { town: town.size().id, trade, number: number as u16 };
        area.contains(point_of(seed, key, &town.circle()))
    };
    let inside = evenly(&towns, all, looked_at).filter(|business| lies_inside(*business)).count() as u64;
    if looked_at == all { inside } else { inside * all / looked_at }
}

/// `wanted` of all businesses, at regular intervals of their order.
fn evenly(towns: &[(CandidateTown, u64)], all: u64, wanted: u64) -> impl Iterator<Item = (&CandidateTown, u64)> {
    let (mut index, mut before) = (0, 0);
    (0..wanted).filter_map(move |turn| {
        let position = turn * all / wanted;
        while position - before >= towns.get(index)?.1 {
            before += towns[index].1;
            index += 1;
        }
        Some((&towns.get(index)?.0, position - before))
    })
}
