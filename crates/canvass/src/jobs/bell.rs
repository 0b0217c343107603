//! Wakes those who wait for a search to move or for work to do. The rows are the truth; the bell only says when to look.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use super::Job;
use crate::ids::SearchId;

/// Searches listened to, from which on entries that nobody listens to any more are removed.
const REMOVED_FROM: usize = 64;
/// How often to look for work when other processes' changes are heard of: jobs that become due by time, and leases that
/// run out, are not announced.
const LOOK_EVERY_HEARING: Duration = Duration::from_secs(5);
/// How often to look for work when other processes' changes are not heard of.
const LOOK_EVERY_DEAF: Duration = Duration::from_secs(1);

/// The bell of one process, cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Bell(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    searches: Mutex<HashMap<SearchId, watch::Sender<()>>>,
    /// By table of jobs.
    work: Mutex<HashMap<&'static str, watch::Sender<()>>>,
    /// Rings when another process may have changed any search.
    anything: watch::Sender<()>,
    /// Whether changes by other processes ring this bell.
    hearing: watch::Sender<bool>,
}

/// Hears one bell.
#[derive(Debug)]
pub struct Subscription(watch::Receiver<()>);

impl Subscription {
    /// Resolves when the bell has rung since the last time.
    pub async fn rung(&mut self) {
        if self.0.changed().await.is_err() {
            // No one is left to ring; the waiter's timeout wakes it.
            std::future::pending::<()>().await;
        }
    }

    /// Ignores what has rung so far.
    pub fn mark_heard(&mut self) {
        self.0.mark_unchanged();
    }
}

impl Bell {
    /// Listens to a search from now on.
    pub fn listen(&self, search: SearchId) -> Subscription {
        let mut searches = self.searches();
        if searches.len() >= REMOVED_FROM && searches.len().is_power_of_two() {
            searches.retain(|_, sender| sender.receiver_count() > 0);
        }
        Subscription(searches.entry(search).or_insert_with(|| watch::channel(()).0).subscribe())
    }

    /// Wakes those who listen to a search.
    pub fn ring(&self, search: SearchId) {
        let mut searches = self.searches();
        if let Some(sender) = searches.get(&search)
            && sender.send(()).is_err()
        {
            searches.remove(&search);
        }
    }

    /// The searches with listeners.
    pub fn listened_to(&self) -> Vec<SearchId> {
        let mut searches = self.searches();
        searches.retain(|_, sender| sender.receiver_count() > 0);
        searches.keys().copied().collect()
    }

    /// How many listen to a search.
    pub fn listeners_of(&self, search: SearchId) -> usize {
        self.searches().get(&search).map_or(0, watch::Sender::receiver_count)
    }

    /// Listens for jobs of one kind.
    pub fn work<J: Job>(&self) -> Subscription {
        let mut work = self.0.work.lock().unwrap_or_else(PoisonError::into_inner);
        Subscription(work.entry(J::TABLE.name).or_insert_with(|| watch::channel(()).0).subscribe())
    }

    /// Wakes the workers of this process that run jobs of one kind.
    pub fn ring_work<J: Job>(&self) {
        self.ring_work_of(J::TABLE.name);
    }

    /// The same, by the name of the jobs' table.
    pub(super) fn ring_work_of(&self, table: &str) {
        if let Some(sender) = self.0.work.lock().unwrap_or_else(PoisonError::into_inner).get(table) {
            sender.send_replace(());
        }
    }

    /// Wakes them in so many seconds, for a job that is due then.
    pub(crate) fn ring_work_in<J: Job>(&self, seconds: i64) {
        let bell = self.clone();
        let wait = Duration::from_secs(u64::try_from(seconds).unwrap_or(0));
        tokio::spawn(async move {
            tokio::time::sleep(wait).await;
            bell.ring_work::<J>();
        });
    }

    /// Listens for changes that another process may have made to any search.
    pub fn anything(&self) -> Subscription {
        Subscription(self.0.anything.subscribe())
    }

    /// Rings for everything that another process may have changed.
    pub(super) fn ring_anything(&self) {
        self.0.anything.send_replace(());
    }

    /// The same, and wakes every worker of this process.
    pub(super) fn ring_everything(&self) {
        self.ring_anything();
        let work = self.0.work.lock().unwrap_or_else(PoisonError::into_inner);
        work.values().for_each(|sender| sender.send_replace(()));
    }

    /// How often a worker looks for work by itself.
    pub(super) fn look_every(&self) -> Duration {
        if self.hears_others() { LOOK_EVERY_HEARING } else { LOOK_EVERY_DEAF }
    }

    /// Whether changes by other processes ring this bell.
    pub fn hears_others(&self) -> bool {
        *self.0.hearing.borrow()
    }

    /// Turns as [`Bell::hears_others`] does.
    pub(super) fn hearing(&self) -> watch::Receiver<bool> {
        self.0.hearing.subscribe()
    }

    /// Notes whether others are heard. `false` when that was known.
    pub(super) fn set_hearing(&self, hears: bool) -> bool {
        self.0.hearing.send_replace(hears) != hears
    }

    fn searches(&self) -> MutexGuard<'_, HashMap<SearchId, watch::Sender<()>>> {
        self.0.searches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
