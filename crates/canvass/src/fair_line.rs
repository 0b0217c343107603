//! A line in which everyone who shares something gets a fair part of it, however many wait: the searches of a process share the
//! reading of websites, the processor and the database. A small search that starts beside large ones is served at once, instead
//! of waiting behind the thousands of websites and the batches of leads that these have in mind.
//!
//! Whoever holds the fewest places is next, and among equals whoever began first by a virtual time, in which each place lasts as
//! long as what it costs (start-time fair queueing).

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;
use uuid::Uuid;

use crate::ids::Id;

/// Hands out places. Clones share them.
#[derive(Clone, Debug)]
pub struct FairLine(Arc<Mutex<Line>>);

/// Who has a share of the places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sharer(Uuid);

/// The right to go on, until it is dropped.
#[derive(Debug)]
pub struct Place {
    line: FairLine,
    sharer: Sharer,
}

#[derive(Debug)]
struct Line {
    free: usize,
    /// Those who hold a place, wait for one, or are ahead of the virtual time.
    shares: HashMap<Sharer, Share>,
    /// The virtual time at which the latest place begins.
    now: u64,
}

/// What one of them has and waits for.
#[derive(Debug, Default)]
struct Share {
    held: usize,
    waiting: VecDeque<Waiting>,
    /// The virtual time at which the last of its places ends.
    until: u64,
}

#[derive(Debug)]
struct Waiting {
    /// The virtual time at which its place begins.
    from: u64,
    sender: oneshot::Sender<Place>,
}

impl Sharer {
    /// Work that nobody waits for.
    pub const CHORES: Sharer = Sharer(Uuid::nil());
    /// Requests that somebody waits for.
    pub const REQUESTS: Sharer = Sharer(Uuid::max());

    /// What has this id.
    pub fn of<Of>(id: Id<Of>) -> Sharer {
        Sharer(id.uuid())
    }
}

impl FairLine {
    /// So many at once.
    pub fn new(places: usize) -> FairLine {
        FairLine(Arc::new(Mutex::new(Line { free: places, shares: HashMap::new(), now: 0 })))
    }

    /// Waits for a place. What it costs, in any unit that is the same for all, delays the sharer's next one.
    pub async fn wait(&self, sharer: Sharer, cost: u64) -> Place {
        let waiting = {
            let mut line = self.lock();
            let from = line.enter(sharer, cost);
            // While one is free nobody waits.
            if line.free > 0 {
                line.hand_out(sharer, from);
                None
            } else {
                let (sender, receiver) = oneshot::channel();
                line.shares.entry(sharer).or_default().waiting.push_back(Waiting { from, sender });
                Some(receiver)
            }
        };
        match waiting {
            None => Place { line: self.clone(), sharer },
            Some(receiver) => receiver.await.expect("a line is left only with a place"),
        }
    }

    fn give_back(&self, sharer: Sharer) {
        let next = {
            let mut line = self.lock();
            line.take_back(sharer);
            line.next()
        };
        if let Some((sharer, sender)) = next {
            // One who has just left drops the place, and the next in line gets it.
            let _ = sender.send(Place { line: self.clone(), sharer });
        }
    }

    fn lock(&self) -> MutexGuard<'_, Line> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.line.give_back(self.sharer);
    }
}

impl Line {
    /// Joins the line, and says from when on by the virtual time. Nobody saves time by staying away.
    fn enter(&mut self, sharer: Sharer, cost: u64) -> u64 {
        let now = self.now;
        let share = self.shares.entry(sharer).or_default();
        let from = share.until.max(now);
        share.until = from.saturating_add(cost);
        from
    }

    fn hand_out(&mut self, sharer: Sharer, from: u64) {
        self.free -= 1;
        self.now = self.now.max(from);
        self.shares.entry(sharer).or_default().held += 1;
    }

    fn take_back(&mut self, sharer: Sharer) {
        self.free += 1;
        if let Some(share) = self.shares.get_mut(&sharer) {
            share.held -= 1;
        }
    }

    /// Hands a free place to whoever is next.
    fn next(&mut self) -> Option<(Sharer, oneshot::Sender<Place>)> {
        let now = self.now;
        self.shares.retain(|_, share| {
            while share.waiting.front().is_some_and(|waiting| waiting.sender.is_closed()) {
                share.waiting.pop_front();
            }
            share.held > 0 || !share.waiting.is_empty() || share.until > now
        });
        let heads =
            self.shares.iter().filter_map(|(sharer, share)| Some((share.held, share.waiting.front()?.from, *sharer)));
        let Some((_, from, sharer)) = heads.min() else {
            // Nobody had to wait for anybody, so all begin anew.
            self.now = self.shares.values().map(|share| share.until).fold(now, u64::max);
            self.shares.retain(|_, share| share.held > 0);
            return None;
        };
        let waiting = self.shares.get_mut(&sharer)?.waiting.pop_front()?;
        self.hand_out(sharer, from);
        Some((sharer, waiting.sender))
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    fn sharer(number: u128) -> Sharer {
        Sharer(Uuid::from_u128(number))
    }

    #[tokio::test]
    async fn whoever_holds_fewer_places_is_next() {
        let (line, large, small) = (FairLine::new(2), sharer(1), sharer(2));
        let [one, other] = [line.wait(large, 1).await, line.wait(large, 1).await];
        let mut more = [Box::pin(line.wait(large, 1)), Box::pin(line.wait(large, 1))];
        assert!(more.iter_mut().all(|place| place.now_or_never().is_none()), "all places are taken");
        let mut first = Box::pin(line.wait(small, 1));
        assert!((&mut first).now_or_never().is_none());
        drop(one);
        let first = first.now_or_never().expect("it came last, but has none");
        drop(other);
        let second = (&mut more[0]).now_or_never().expect("nobody else waits for it");
        drop(first);
        assert!((&mut more[1]).now_or_never().is_some_and(|place| place.sharer == large));
        drop(second);
    }

    #[tokio::test]
    async fn who_takes_little_comes_back_before_those_who_take_much() {
        let (line, small) = (FairLine::new(1), sharer(99));
        let mut held = line.wait(small, 1).await;
        let mut large: Vec<_> = (0..40).map(|number| (number, Box::pin(line.wait(sharer(number), 30)))).collect();
        assert!(large.iter_mut().all(|(_, place)| place.now_or_never().is_none()));
        let mut served = Vec::new();
        // Each comes back as soon as it was served.
        for _ in 0..3 {
            let mut again = Box::pin(line.wait(small, 1));
            assert!((&mut again).now_or_never().is_none());
            drop(held);
            held = loop {
                if let Some(place) = (&mut again).now_or_never() {
                    served.push(99);
                    break place;
                }
                let (at, place) = large
                    .iter_mut()
                    .enumerate()
                    .find_map(|(at, (_, place))| Some((at, place.now_or_never()?)))
                    .expect("somebody is served");
                let number = large[at].0;
                served.push(number);
                large[at].1 = Box::pin(line.wait(sharer(number), 30));
                assert!((&mut large[at].1).now_or_never().is_none());
                drop(place);
            };
        }
        // It waits once for those who were there first, and then for nobody.
        let small_at: Vec<usize> = served.iter().enumerate().filter(|(_, one)| **one == 99).map(|(at, _)| at).collect();
        assert_eq!(small_at, [40, 41, 42], "{served:?}");
    }

    #[tokio::test]
    async fn a_place_goes_on_when_whoever_waited_for_it_has_left() {
        let (line, one, other) = (FairLine::new(1), sharer(1), sharer(2));
        let held = line.wait(one, 1).await;
        let (mut gone, mut late) = (Box::pin(line.wait(other, 1)), Box::pin(line.wait(other, 1)));
        assert!((&mut gone).now_or_never().is_none() && (&mut late).now_or_never().is_none());
        drop(gone);
        drop(held);
        // It was given the place, and leaves without having seen it.
        drop(late);
        drop(line.wait(one, 1).now_or_never().expect("it is free"));
        let line = line.lock();
        assert!(line.free == 1 && line.shares.is_empty(), "those who neither hold a place nor wait are forgotten");
    }
}
