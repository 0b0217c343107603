//! Wakes those who wait for a search. The rows are the truth; this only says that it is time to look.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, watch};

use crate::ids::SearchId;

/// Searches listened to from which on it is worth clearing away those nobody listens to any more.
const CLEARED_FROM: usize = 64;

/// The bell of one process.
#[derive(Debug, Default)]
pub struct Bell {
    listeners: Mutex<HashMap<SearchId, watch::Sender<()>>>,
    work: Notify,
}

/// Hears the bell of one search.
#[derive(Debug)]
pub struct Listener(watch::Receiver<()>);

impl Listener {
    /// Done when it has rung since the last time.
    pub async fn rung(&mut self) {
        if self.0.changed().await.is_err() {
            // Nobody will ring any more; whoever waits is woken by its own clock.
            std::future::pending::<()>().await;
        }
    }
}

impl Bell {
    /// Listens to a search from now on.
    pub fn listen(&self, search: SearchId) -> Listener {
        let mut listeners = self.listeners();
        // Those who have gone are cleared away by those who come.
        if listeners.len() >= CLEARED_FROM && listeners.len().is_power_of_two() {
            listeners.retain(|_, sender| sender.receiver_count() > 0);
        }
        Listener(listeners.entry(search).or_insert_with(|| watch::channel(()).0).subscribe())
    }

    /// Wakes those who listen to a search.
    pub fn ring(&self, search: SearchId) {
        let mut listeners = self.listeners();
        if let Some(sender) = listeners.get(&search)
            && sender.send(()).is_err()
        {
            listeners.remove(&search);
        }
    }

    /// The searches somebody listens to.
    pub fn listened_to(&self) -> Vec<SearchId> {
        let mut listeners = self.listeners();
        listeners.retain(|_, sender| sender.receiver_count() > 0);
        listeners.keys().copied().collect()
    }

    /// How many listen to a search.
    pub fn listeners_of(&self, search: SearchId) -> usize {
        self.listeners().get(&search).map_or(0, watch::Sender::receiver_count)
    }

    /// Wakes a worker of this process.
    pub fn work_is_there(&self) {
        self.work.notify_one();
    }

    /// Done when there may be work.
    pub async fn work(&self) {
        self.work.notified().await;
    }

    fn listeners(&self) -> MutexGuard<'_, HashMap<SearchId, watch::Sender<()>>> {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
