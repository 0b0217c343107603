//! Coalesces concurrent reads: one read serves everyone who was waiting when it began.
//!
//! Under load many requests ask the same question at once. Each must see the state at or after its own arrival, so
//! a read already under way is too old for a newcomer, but the next one serves all who arrived meanwhile. A busy key thus
//! costs one read per round trip instead of one per request. On SQLite an answer is also kept until somebody commits, which can be
//! told without asking the database. Nothing is ever stale.

use std::collections::HashMap;
use std::future::Future;
use std::hash::Hash;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::Db;
use super::generation::{Generation, Generations};

/// Answers that are kept at once.
const KEPT_MAX: usize = 1000;
/// How long one is kept. On a file system that does not show what SQLite shares among processes, it is stale for no longer.
const KEPT_AGE_MAX: Duration = Duration::from_secs(1);

type Reading<V> = Pin<Box<dyn Future<Output = V> + Send>>;
type Waiting<K, V> = Mutex<HashMap<K, Vec<oneshot::Sender<V>>>>;

/// Shares reads among all who wait for the same key.
pub struct Coalesce<K, V> {
    read: Arc<dyn Fn(K) -> Reading<V> + Send + Sync>,
    /// A key is present while a read for it runs; its list holds the callers that came after that read began.
    waiting: Arc<Waiting<K, V>>,
    kept: Option<Arc<Kept<K, V>>>,
}

impl<K, T, E> Coalesce<K, Result<T, E>>
where
    K: Clone + Eq + Hash + Send + 'static,
    T: Clone + Send + 'static,
    E: Clone + Send + 'static,
{
    /// Uses `read` to look a key up in `db`, where nothing but the key decides what is found.
    pub fn keeping<F, A>(db: &Db, read: F) -> Self
    where
        F: Fn(K) -> A + Send + Sync + 'static,
        A: Future<Output = Result<T, E>> + Send + 'static,
    {
        let kept = Generations::of(db).map(|generations| Kept {
            generations,
            answers: Mutex::default(),
            keeps: Result::is_ok,
        });
        Coalesce { kept: kept.map(Arc::new), ..Coalesce::new(read) }
    }
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
        Coalesce { read: Arc::new(move |key| Box::pin(read(key))), waiting: Arc::default(), kept: None }
    }

    /// The result of a read that began now or later, or what it would be. `None` only when the runtime is shutting down.
    pub async fn ask(&self, key: K) -> Option<V> {
        if let Some(answer) = self.kept.as_ref().and_then(|kept| kept.answer(&key)) {
            return Some(answer);
        }
        let (sender, receiver) = oneshot::channel();
        let first = {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let first = !waiting.contains_key(&key);
            waiting.entry(key.clone()).or_default().push(sender);
            first
        };
        if first {
            tokio::spawn(serve(self.read.clone(), self.waiting.clone(), self.kept.clone(), key));
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
async fn serve<K, V>(
    read: Arc<dyn Fn(K) -> Reading<V> + Send + Sync>,
    waiting: Arc<Waiting<K, V>>,
    kept: Option<Arc<Kept<K, V>>>,
    key: K,
) where
    K: Clone + Eq + Hash,
    V: Clone,
{
    let _unlock = RemoveOnPanic { waiting: waiting.clone(), key: key.clone() };
    loop {
        // Requests that have arrived but were not looked at yet get here first, and share the read.
        tokio::task::yield_now().await;
        let Some(askers) = next_askers(&waiting, &key) else { return };
        let generation = kept.as_ref().and_then(|kept| kept.generations.now());
        let answer = read(key.clone()).await;
        if let Some((kept, generation)) = kept.as_ref().zip(generation) {
            kept.keep(generation, &key, &answer);
        }
        for asker in askers {
            // Receivers that are gone need no result.
            let _ = asker.send(answer.clone());
        }
    }
}

/// Answers that stand until somebody commits.
struct Kept<K, V> {
    generations: Generations,
    answers: Mutex<HashMap<K, KeptAnswer<V>>>,
    /// Whether an answer is worth it: no error is.
    keeps: fn(&V) -> bool,
}

struct KeptAnswer<V> {
    answer: V,
    /// The state of the database before it was read.
    generation: Generation,
    until: Instant,
}

impl<K: Clone + Eq + Hash, V: Clone> Kept<K, V> {
    fn answer(&self, key: &K) -> Option<V> {
        let generation = self.generations.now()?;
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = answers.get(key).filter(|kept| kept.generation == generation && kept.until > Instant::now())?;
        Some(kept.answer.clone())
    }

    fn keep(&self, generation: Generation, key: &K, answer: &V) {
        if !(self.keeps)(answer) {
            return;
        }
        let now = Instant::now();
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.len() >= KEPT_MAX {
            answers.retain(|_, kept| kept.until > now);
        }
        if answers.len() >= KEPT_MAX {
            answers.clear();
        }
        let kept = KeptAnswer { answer: answer.clone(), generation, until: now + KEPT_AGE_MAX };
        answers.insert(key.clone(), kept);
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
    use crate::db::{open, sql};

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

    #[tokio::test]
    async fn an_answer_is_kept_until_somebody_commits() {
        let folder = tempfile::tempdir().unwrap();
        let db = open(None, folder.path()).await.unwrap();
        write(&db, "create table note (text text)").await;
        let reads = Arc::new(AtomicUsize::new(0));
        let (counted, reader) = (reads.clone(), db.clone());
        let count = Coalesce::keeping(&db, move |(): ()| {
            counted.fetch_add(1, Ordering::SeqCst);
            let db = reader.clone();
            async move { sql("select count(*) from note").one::<(i64,)>(&db).await.map_err(Arc::new) }
        });
        for _ in 0..3 {
            assert_eq!(count.ask(()).await.unwrap().unwrap(), (0,));
        }
        assert_eq!(reads.load(Ordering::SeqCst), 1);
        for written in 1..=20 {
            write(&db, "insert into note values ('a')").await;
            assert_eq!(count.ask(()).await.unwrap().unwrap(), (written,), "nothing is stale");
        }
        write(&db, "drop table note").await;
        for _ in 0..2 {
            assert!(count.ask(()).await.unwrap().is_err());
        }
        assert_eq!(reads.load(Ordering::SeqCst), 1 + 20 + 2, "errors are not kept");
    }

    async fn write(db: &Db, statement: &'static str) {
        let mut tx = db.begin().await.unwrap();
        sql(statement).run(&mut tx).await.unwrap();
        tx.commit().await.unwrap();
    }
}
