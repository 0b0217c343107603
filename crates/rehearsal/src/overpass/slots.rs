//! The slots of a client: each is taken while a query runs, and for a while after it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The slots of the only client.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    limit: u32,
    cool_down: Duration,
    state: Arc<Mutex<SlotState>>,
}

#[derive(Debug, Default)]
struct SlotState {
    running: u32,
    most: u32,
    /// When slots whose query has ended are free again.
    cooling: Vec<Instant>,
}

/// What the status page tells.
pub(super) struct SlotCounts {
    pub(super) available: u32,
    pub(super) running: u32,
    pub(super) cooling: Vec<Duration>,
}

impl Slots {
    /// So many slots; zero for any number.
    pub(super) fn new(limit: u32, cool_down: Duration) -> Slots {
        Slots { limit, cool_down, state: Arc::default() }
    }

    /// The most that were taken by running queries at the same time.
    pub(super) fn most(&self) -> u32 {
        self.now().most
    }

    /// Takes a slot; `None` when none is free.
    pub(super) fn take(&self) -> Option<TakenSlot> {
        let mut state = self.now();
        if self.limit > 0 && state.running + state.cooling.len() as u32 >= self.limit {
            return None;
        }
        state.running += 1;
        state.most = state.most.max(state.running);
        Some(TakenSlot { slots: self.clone() })
    }

    pub(super) fn counts(&self) -> SlotCounts {
        let state = self.now();
        let now = Instant::now();
        let mut cooling: Vec<Duration> = state.cooling.iter().map(|until| until.duration_since(now)).collect();
        cooling.sort();
        let taken = state.running + cooling.len() as u32;
        SlotCounts { available: self.limit.saturating_sub(taken), running: state.running, cooling }
    }

    /// The state as of now.
    fn now(&self) -> MutexGuard<'_, SlotState> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        state.cooling.retain(|until| *until > now);
        state
    }
}

/// A slot that cools down once this is dropped.
pub(super) struct TakenSlot {
    slots: Slots,
}

impl Drop for TakenSlot {
    fn drop(&mut self) {
        let mut state = self.slots.now();
        state.running -= 1;
        state.cooling.push(Instant::now() + self.slots.cool_down);
    }
}
