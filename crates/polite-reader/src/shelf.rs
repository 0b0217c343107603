//! A small memory with two bounds, age and weight: reports, robots rules, mail domains. Time is
//! tokio's, so tests can move it.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Keeps values by name until they are too old, or the least used of too many.
#[derive(Debug)]
pub(crate) struct Shelf<V> {
    ttl: Duration,
    weight_max: usize,
    kept: Mutex<Kept<V>>,
}

#[derive(Debug)]
struct Kept<V> {
    entries: HashMap<String, Entry<V>>,
    /// Names in the order of their last use.
    order: BTreeMap<u64, String>,
    weight: usize,
    uses: u64,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    weight: usize,
    until: Instant,
    used: u64,
}

impl<V: Clone> Shelf<V> {
    pub(crate) fn new(ttl: Duration, weight_max: usize) -> Self {
        let kept = Kept { entries: HashMap::new(), order: BTreeMap::new(), weight: 0, uses: 0 };
        Self { ttl, weight_max, kept: Mutex::new(kept) }
    }

    /// The value under this name, if it is still good.
    pub(crate) fn get(&self, name: &str) -> Option<V> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let until = kept.entries.get(name)?.until;
        if until <= Instant::now() {
            kept.remove(name);
            return None;
        }
        kept.touch(name)
    }

    /// Keeps a value, dropping what is used least to make room.
    pub(crate) fn put(&self, name: &str, value: V, weight: usize) {
        if self.ttl.is_zero() || weight > self.weight_max {
            return;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.remove(name);
        kept.insert(name, Entry { value, weight, until: Instant::now() + self.ttl, used: 0 });
        while kept.weight > self.weight_max {
            let Some(oldest) = kept.order.first_key_value().map(|(_, name)| name.clone()) else { break };
            kept.remove(&oldest);
        }
    }

    #[cfg(test)]
    fn weight(&self) -> usize {
        self.kept.lock().unwrap().weight
    }
}

impl<V: Clone> Kept<V> {
    fn insert(&mut self, name: &str, mut entry: Entry<V>) {
        self.uses += 1;
        entry.used = self.uses;
        self.weight += entry.weight;
        self.order.insert(self.uses, name.to_owned());
        self.entries.insert(name.to_owned(), entry);
    }

    fn remove(&mut self, name: &str) {
        if let Some(entry) = self.entries.remove(name) {
            self.order.remove(&entry.used);
            self.weight -= entry.weight;
        }
    }

    fn touch(&mut self, name: &str) -> Option<V> {
        self.uses += 1;
        let entry = self.entries.get_mut(name)?;
        if let Some(name) = self.order.remove(&entry.used) {
            self.order.insert(self.uses, name);
        }
        entry.used = self.uses;
        Some(entry.value.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Duration = Duration::from_secs(86_400);

    #[tokio::test(start_paused = true)]
    async fn values_grow_old() {
        let shelf = Shelf::new(DAY, 100);
        shelf.put("a", 1, 10);
        tokio::time::advance(DAY - Duration::from_secs(1)).await;
        assert_eq!(shelf.get("a"), Some(1));
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(shelf.get("a"), None);
        assert_eq!(shelf.weight(), 0);
    }

    #[tokio::test]
    async fn the_least_used_makes_room() {
        let shelf = Shelf::new(DAY, 100);
        shelf.put("a", 1, 40);
        shelf.put("b", 2, 40);
        assert_eq!(shelf.get("a"), Some(1));
        shelf.put("c", 3, 40);
        assert_eq!((shelf.get("a"), shelf.get("b"), shelf.get("c")), (Some(1), None, Some(3)));
        shelf.put("d", 4, 101);
        assert_eq!(shelf.get("d"), None);
        assert_eq!(shelf.weight(), 80);
    }

    #[tokio::test]
    async fn a_value_put_twice_weighs_once() {
        let shelf = Shelf::new(DAY, 100);
        shelf.put("a", 1, 40);
        shelf.put("a", 2, 50);
        assert_eq!((shelf.get("a"), shelf.weight()), (Some(2), 50));
    }

    #[tokio::test]
    async fn a_shelf_without_a_lifetime_keeps_nothing() {
        let shelf = Shelf::new(Duration::ZERO, 100);
        shelf.put("a", 1, 1);
        assert_eq!(shelf.get("a"), None);
    }
}
