//! A cache bounded by age and by weight, with least-recently-used eviction: reports, pages, robots rules, mail domains.
//! Expiry follows tokio's clock, so tests can advance it.

use std::time::Duration;

use moka::policy::EvictionPolicy;
use tokio::time::Instant;

/// Longest lifetime that moka accepts is 1,000 years; anything beyond this one never expires in practice.
const TTL_MAX: Duration = Duration::from_secs(100 * 366 * 86_400);

/// Caches values by name until they expire, or are evicted to keep the total weight within its limit.
#[derive(Debug)]
pub(crate) struct Cache<V: Clone + Send + Sync + 'static> {
    ttl: Duration,
    weight_max: usize,
    entries: moka::sync::Cache<String, CacheEntry<V>>,
}

#[derive(Debug, Clone)]
struct CacheEntry<V> {
    value: V,
    weight: u32,
    until: Instant,
}

impl<V: Clone + Send + Sync + 'static> Cache<V> {
    pub(crate) fn new(ttl: Duration, weight_max: usize) -> Self {
        let ttl = ttl.min(TTL_MAX);
        let entries = moka::sync::Cache::builder()
            .max_capacity(weight_max as u64)
            .weigher(|_: &String, entry: &CacheEntry<V>| entry.weight)
            .eviction_policy(EvictionPolicy::lru())
            .time_to_live(ttl)
            .build();
        Self { ttl, weight_max, entries }
    }

    /// The value under this name, unless it has expired.
    pub(crate) fn get(&self, name: &str) -> Option<V> {
        let entry = self.entries.get(name)?;
        if entry.until <= Instant::now() {
            self.entries.invalidate(name);
            return None;
        }
        Some(entry.value)
    }

    /// Adds a value, evicting the least recently used ones to make room. A value heavier than the whole cache is not added,
    /// and with a lifetime of zero nothing is.
    pub(crate) fn put(&self, name: &str, value: V, weight: usize) {
        let Some(weight) = u32::try_from(weight).ok().filter(|_| !self.ttl.is_zero() && weight <= self.weight_max)
        else {
            return;
        };
        self.entries.insert(name.to_owned(), CacheEntry { value, weight, until: Instant::now() + self.ttl });
        // moka evicts lazily; doing it now keeps the weight within its limit at all times.
        self.entries.run_pending_tasks();
    }

    #[cfg(test)]
    fn weight(&self) -> u64 {
        self.entries.run_pending_tasks();
        self.entries.weighted_size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Duration = Duration::from_secs(86_400);

    #[tokio::test(start_paused = true)]
    async fn values_expire() {
        let cache = Cache::new(DAY, 100);
        cache.put("a", 1, 10);
        tokio::time::advance(DAY - Duration::from_secs(1)).await;
        assert_eq!(cache.get("a"), Some(1));
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(cache.get("a"), None);
        assert_eq!(cache.weight(), 0);
    }

    #[tokio::test]
    async fn the_least_recently_used_value_is_evicted() {
        let cache = Cache::new(DAY, 100);
        cache.put("a", 1, 40);
        cache.put("b", 2, 40);
        assert_eq!(cache.get("a"), Some(1));
        cache.put("c", 3, 40);
        assert_eq!((cache.get("a"), cache.get("b"), cache.get("c")), (Some(1), None, Some(3)));
        cache.put("d", 4, 101);
        assert_eq!(cache.get("d"), None);
        assert_eq!(cache.weight(), 80);
    }

    #[tokio::test]
    async fn a_heavy_value_evicts_as_many_as_it_needs_to() {
        let cache = Cache::new(DAY, 100);
        for name in ["a", "b", "c", "d"] {
            cache.put(name, 1, 25);
        }
        cache.put("e", 2, 60);
        assert_eq!(["a", "b", "c", "d", "e"].map(|name| cache.get(name)), [None, None, None, Some(1), Some(2)]);
        assert_eq!(cache.weight(), 85);
    }

    #[tokio::test]
    async fn a_value_put_twice_weighs_once() {
        let cache = Cache::new(DAY, 100);
        cache.put("a", 1, 40);
        cache.put("a", 2, 50);
        assert_eq!((cache.get("a"), cache.weight()), (Some(2), 50));
    }

    #[tokio::test]
    async fn a_cache_with_zero_lifetime_stores_nothing() {
        let cache = Cache::new(Duration::ZERO, 100);
        cache.put("a", 1, 1);
        assert_eq!(cache.get("a"), None);
    }
}
