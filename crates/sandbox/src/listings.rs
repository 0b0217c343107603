//! Businesses one after the other: nothing is made before it is asked for, and skipping makes nothing at all.

use places::{Area, Category, Point};

use crate::business::{self, Business};
use crate::code::{Key, trade_key};
use crate::town::{Circle, Town, TownSize, count, point_of};
use crate::trouble;
use crate::world::World;

/// Businesses looked at one by one for an exact count; beyond, partly covered towns are judged by samples.
const EXACT_MAX: u64 = 4_000;

/// Samples taken of one town for an estimate.
const SAMPLES: u64 = 64;

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
                self.current = Some(self.open(self.towns.as_slice().first()?.clone()));
                self.towns.next();
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
    let samples = if all <= EXACT_MAX { u64::MAX } else { SAMPLES };
    towns.iter().map(|(candidate, count)| Covered { world, area, trade }.of(candidate, *count, samples)).sum()
}

/// Tells how much of a town an area covers.
struct Covered<'c> {
    world: &'c World,
    area: &'c Area,
    trade: u16,
}

impl Covered<'_> {
    fn of(&self, candidate: &Candidate, count: u64, samples: u64) -> u64 {
        let (circle, id) = (candidate.circle(), candidate.size().id);
        let looked_at = count.min(samples);
        let inside = |number: &u64| self.area.contains(self.point(id, *number, &circle));
        let found = (0..looked_at).filter(inside).count() as u64;
        if looked_at == count { found } else { found * count / looked_at }
    }

    fn point(&self, town: u32, number: u64, circle: &Circle) -> Point {
        point_of(self.world.seed(), Key { town, trade: self.trade, number: number as u16 }, circle)
    }
}
