//! Coalesces concurrent reads: one read serves everyone who was waiting when it began.
//!
//! Under load many requests ask the same question at once. Each must see the state at or after its own arrival, so
//! a read already under way is too old for a newcomer, but the next one serves all who arrived meanwhile. A busy key thus
//! costs one read per round trip instead of one per request, with nothing cached and nothing stale.

use std::collections::HashMap;
use std::future::Future;
use std::hash::Hash;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

type Reading<V> = Pin<Box<dyn Future<Output = V> + Send>>;
type Waiting<K, V> = Mutex<HashMap<K, Vec<oneshot::Sender<V>>>>;

/// Shares reads among all who wait for the same key.
pub struct Coalesce<K, V> {
    read: Arc<dyn Fn(K) -> Reading<V> + Send + Sync>,
    /// A key is present while a read for it runs; its list holds the callers that came after that read began.
    waiting: Arc<Waiting<K, V>>,
}

impl<K, V> Coalesce<K, V>
where
    K: Clone + Eq + Hash + Send + 'static,
    V: Clone + Send + 'static,
{
    /// Uses `read` to look a key up.
    pub fn new<F, A>(read: F) -> Self
    where
        F: Fn(K) -> A + Send + Sync + 'static,
        A: Future<Output = V> + Send + 'static,
    {
        Coalesce { read: Arc::new(move |key| Box::pin(read(key))), waiting: Arc::default() }
    }

    /// The result of a read that began now or later. `None` only when the runtime is shutting down.
    pub async fn ask(&self, key: K) -> Option<V> {
        let (sender, receiver) = oneshot::channel();
        let first = {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let first = !waiting.contains_key(&key);
            waiting.entry(key.clone()).or_default().push(sender);
            first
        };
        if first {
            tokio::spawn(serve(self.read.clone(), self.waiting.clone(), key));
        }
        receiver.await.ok()
    }
}

impl<K, V> std::fmt::Debug for Coalesce<K, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Coalesce")
    }
}

/// Reads for one key until no caller waits for it. Runs as a task of its own, so that a caller that goes away does not stop it.
async fn serve<K, V>(read: Arc<dyn Fn(K) -> Reading<V> + Send + Sync>, waiting: Arc<Waiting<K, V>>, key: K)
where
    K: Clone + Eq + Hash,
    V: Clone,
{
    let _unlock = RemoveOnPanic { waiting: waiting.clone(), key: key.clone() };
    while let Some(askers) = next_askers(&waiting, &key) {
        let answer = read(key.clone()).await;
        for asker in askers {
            // Receivers that are gone need no result.
            let _ = asker.send(answer.clone());
        }
    }
}

/// Frees the key of a read that panics.
struct RemoveOnPanic<K: Eq + Hash, V> {
    waiting: Arc<Waiting<K, V>>,
    key: K,
}

impl<K: Eq + Hash, V> Drop for RemoveOnPanic<K, V> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
        }
    }
}

fn next_askers<K: Eq + Hash, V>(waiting: &Waiting<K, V>, key: &K) -> Option<Vec<oneshot::Sender<V>>> {
    let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
    let askers = std::mem::take(waiting.get_mut(key)?);
    if askers.is_empty() {
        waiting.remove(key);
        return None;
    }
    Some(askers)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn those_who_come_during_a_read_share_the_next_one() {
        let reads = Arc::new(AtomicUsize::new(0));
        let counted = reads.clone();
        let shared = Arc::new(Coalesce::new(move |_: u8| {
            let counted = counted.clone();
            async move {
                let number = counted.fetch_add(1, Ordering::SeqCst) + 1;
                tokio::time::sleep(Duration::from_millis(10)).await;
                number
            }
        }));
        let first = tokio::spawn({
            let shared = shared.clone();
            async move { shared.ask(1).await }
        });
        tokio::time::sleep(Duration::from_millis(5)).await;
        let late: Vec<_> = (0..100)
            .map(|_| {
                let shared = shared.clone();
                tokio::spawn(async move { shared.ask(1).await })
            })
            .collect();
        assert_eq!(first.await.unwrap(), Some(1));
        for asker in late {
            assert_eq!(asker.await.unwrap(), Some(2), "a read that began before they came must not serve them");
        }
        assert_eq!(reads.load(Ordering::SeqCst), 2);
        assert!(shared.waiting.lock().unwrap().is_empty());
    }
}
