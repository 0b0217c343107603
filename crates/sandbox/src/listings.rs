//! Businesses one after the other: nothing is made before it is asked for, and skipping makes nothing at all.

use places::{Area, Category};

use crate::business::{self, Business};
use crate::code::{Key, trade_key};
use crate::town::{Circle, Town, TownSize, count, point_of};
use crate::trouble;
use crate::world::World;

/// Businesses looked at one by one for an exact count.
const EXACT_MAX: u64 = 4_000;

/// Businesses looked at for an estimate.
const SAMPLES: u64 = 2_000;

/// The businesses of a trade in an area, in a fixed order: towns by population, then by number.
#[derive(Debug)]
pub struct Businesses {
    world: World,
    area: Area,
    category: &'static Category,
    trade: u16,
    towns: std::vec::IntoIter<Candidate>,
    /// The town under way; its postal codes are looked up when the first business is made.
    current: Option<Current>,
}

/// A town whose businesses may lie in the area.
#[derive(Debug, Clone)]
enum Candidate {
    Known(places::Town),
    Test(Box<Town>),
}

#[derive(Debug)]
struct Current {
    candidate: Candidate,
    town: Option<Town>,
    circle: Circle,
    id: u32,
    next: u64,
    count: u64,
}

impl Candidate {
    fn size(&self) -> TownSize {
        match self {
            Candidate::Known(town) => town.into(),
            Candidate::Test(town) => town.as_ref().into(),
        }
    }

    fn circle(&self) -> Circle {
        match self {
            Candidate::Known(town) => Circle::new(town.point, town.radius_miles),
            Candidate::Test(town) => Circle::new(town.point, town.radius_miles),
        }
    }

    fn town(&self) -> Town {
        match self {
            Candidate::Known(town) => Town::of(town),
            Candidate::Test(town) => town.as_ref().clone(),
        }
    }
}

fn candidates(area: &Area) -> Vec<Candidate> {
    let tests = trouble::towns_in(area).into_iter().map(|town| Candidate::Test(Box::new(town)));
    tests.chain(area.towns().into_iter().map(Candidate::Known)).collect()
}

impl Businesses {
    pub(crate) fn new(world: World, area: &Area, category: &'static Category) -> Businesses {
        Businesses {
            world,
            area: area.clone(),
            category,
            trade: trade_key(category),
            towns: candidates(area).into_iter(),
            current: None,
        }
    }

    /// The rest after the first `count` businesses, which are never made.
    #[must_use]
    pub fn after(mut self, count: u64) -> Businesses {
        for _ in 0..count {
            if self.advance().is_none() {
                break;
            }
        }
        self
    }

    /// Steps to the next business that lies in the area.
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
                if self.area.contains(point_of(self.world.seed(), key, &current.circle)) {
                    return Some(key);
                }
            }
            self.current = None;
        }
    }

    fn open(&self, candidate: Candidate) -> Current {
        let size = candidate.size();
        let count = count(self.world.seed(), &size, self.category, self.trade);
        Current { circle: candidate.circle(), candidate, town: None, id: size.id, next: 0, count }
    }
}

impl Iterator for Businesses {
    type Item = Business;

    fn next(&mut self) -> Option<Business> {
        let key = self.advance()?;
        let current = self.current.as_mut()?;
        let town = current.town.get_or_insert_with(|| current.candidate.town());
        Some(business::make(self.world.seed(), key, town, self.category))
    }

    fn nth(&mut self, skipped: usize) -> Option<Business> {
        for _ in 0..skipped {
            self.advance()?;
        }
        self.next()
    }
}

/// How many businesses there are: exact up to [`EXACT_MAX`] to look at, an estimate beyond.
pub(crate) fn count_in(world: &World, area: &Area, category: &'static Category) -> u64 {
    let trade = trade_key(category);
    let towns: Vec<(Candidate, u64)> = candidates(area)
        .into_iter()
        .map(|candidate| {
            let count = count(world.seed(), &candidate.size(), category, trade);
            (candidate, count)
        })
        .collect();
    let all: u64 = towns.iter().map(|(_, count)| count).sum();
    let looked_at = if all <= EXACT_MAX { all } else { SAMPLES };
    let lies_inside = |(town, number): (&Candidate, u64)| {
        let key = Key { town: town.size().id, trade, number: number as u16 };
        area.contains(point_of(world.seed(), key, &town.circle()))
    };
    let inside = evenly(&towns, all, looked_at).filter(|business| lies_inside(*business)).count() as u64;
    if looked_at == all { inside } else { inside * all / looked_at }
}

/// So many of all businesses, at even distances in their order.
fn evenly(towns: &[(Candidate, u64)], all: u64, wanted: u64) -> impl Iterator<Item = (&Candidate, u64)> {
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
