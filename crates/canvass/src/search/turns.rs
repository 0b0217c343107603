//! Turns at reading a website, shared among the searches of this process: whoever reads the fewest is next. A small search
//! that starts beside large ones reads at once, instead of waiting behind the thousands of websites that these have in mind.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::ids::SearchId;

/// Hands out turns. Clones share them.
#[derive(Clone, Debug)]
pub struct Turns(Arc<Mutex<Line>>);

/// The right to read one website, until it is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    turns: Turns,
    search: SearchId,
}

#[derive(Debug)]
struct Line {
    free: usize,
    /// The searches that read or wait.
    searches: HashMap<SearchId, Share>,
    /// Turns handed out in all.
    served: u64,
}

/// What one search has and waits for.
#[derive(Debug, Default)]
struct Share {
    held: usize,
    waiting: VecDeque<oneshot::Sender<Turn>>,
    /// When it last got a turn, as a number of [`Line::served`].
    last: u64,
}

impl Turns {
    /// So many at once.
    pub(crate) fn new(count: usize) -> Turns {
        Turns(Arc::new(Mutex::new(Line { free: count, searches: HashMap::new(), served: 0 })))
    }

    /// Waits for a turn of this search.
    pub(super) async fn take(&self, search: SearchId) -> Turn {
        let waiting = {
            let mut line = self.line();
            // While one is free nobody waits.
            if line.free > 0 {
                line.hand_out(search);
                None
            } else {
                let (sender, receiver) = oneshot::channel();
                line.searches.entry(search).or_default().waiting.push_back(sender);
                Some(receiver)
            }
        };
        match waiting {
            None => Turn { turns: self.clone(), search },
            Some(receiver) => receiver.await.expect("a line is left only with a turn"),
        }
    }

    fn give_back(&self, search: SearchId) {
        let next = {
            let mut line = self.line();
            line.take_back(search);
            line.next()
        };
        if let Some((search, waiting)) = next {
            // One who has just left drops the turn, and the next in line gets it.
            let _ = waiting.send(Turn { turns: self.clone(), search });
        }
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.give_back(self.search);
    }
}

impl Line {
    fn hand_out(&mut self, search: SearchId) {
        self.free -= 1;
        self.served += 1;
        let share = self.searches.entry(search).or_default();
        (share.held, share.last) = (share.held + 1, self.served);
    }

    fn take_back(&mut self, search: SearchId) {
        self.free += 1;
        if let Some(share) = self.searches.get_mut(&search) {
            share.held -= 1;
        }
    }

    /// Hands a free turn to the search with the fewest, and among equals to the one that has gone without the longest.
    fn next(&mut self) -> Option<(SearchId, oneshot::Sender<Turn>)> {
        self.searches.retain(|_, share| {
            while share.waiting.front().is_some_and(oneshot::Sender::is_closed) {
                share.waiting.pop_front();
            }
            share.held > 0 || !share.waiting.is_empty()
        });
        let waiting = self.searches.iter_mut().filter(|(_, share)| !share.waiting.is_empty());
        let (search, share) = waiting.min_by_key(|(_, share)| (share.held, share.last))?;
        let (search, waiting) = (*search, share.waiting.pop_front()?);
        self.hand_out(search);
        Some((search, waiting))
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use uuid::Uuid;

    use super::*;

    fn search(number: u128) -> SearchId {
        SearchId::from_uuid(Uuid::from_u128(number))
    }

    #[tokio::test]
    async fn a_search_with_fewer_turns_is_next() {
        let (turns, large, small) = (Turns::new(2), search(1), search(2));
        let [one, other] = [turns.take(large).await, turns.take(large).await];
        let mut more = [Box::pin(turns.take(large)), Box::pin(turns.take(large))];
        assert!(more.iter_mut().all(|turn| turn.now_or_never().is_none()), "all turns are taken");
        let mut first = Box::pin(turns.take(small));
        assert!((&mut first).now_or_never().is_none());
        drop(one);
        let first = first.now_or_never().expect("it came last, but has none");
        drop(other);
        let second = (&mut more[0]).now_or_never().expect("nobody else waits for it");
        drop(first);
        assert!((&mut more[1]).now_or_never().is_some_and(|turn| turn.search == large));
        drop(second);
    }

    #[tokio::test]
    async fn a_turn_goes_on_when_whoever_waited_for_it_has_left() {
        let (turns, one, other) = (Turns::new(1), search(1), search(2));
        let held = turns.take(one).await;
        let (mut gone, mut late) = (Box::pin(turns.take(other)), Box::pin(turns.take(other)));
        assert!((&mut gone).now_or_never().is_none() && (&mut late).now_or_never().is_none());
        drop(gone);
        drop(held);
        // It was given the turn, and leaves without having seen it.
        drop(late);
        assert!(turns.take(one).now_or_never().is_some());
        assert!(turns.line().searches.is_empty(), "those who neither read nor wait are forgotten");
    }
}
