//! All open connections of this server, and which of them is closed to make room for a new one.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{Connection, ConnectionState};
use crate::limits::Limits;

/// Of all connections, one in so many is kept for clients without a key, and so many idle ones without a key are closed
/// at once when room is needed: looking through all of them for each newcomer would be work for a flood to cause.
const SHARE: usize = 32;
/// Time to wait for a connection that was told to close before closing another.
const ROOM_WAIT: Duration = Duration::from_millis(50);

/// The open connections of one server.
#[derive(Debug)]
pub struct Connections {
    capacity: usize,
    per_address: Option<usize>,
    /// One permit per connection, released when its socket is closed.
    places: Arc<Semaphore>,
    keyed: AtomicUsize,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    next: u64,
    connections: HashMap<u64, (Arc<Connection>, Option<IpAddr>)>,
    of_address: HashMap<IpAddr, usize>,
}

/// A connection's entry in the table, held until it is closed.
#[derive(Debug)]
pub(crate) struct ConnectionPlace {
    pub(crate) connection: Arc<Connection>,
    id: u64,
    _permit: OwnedSemaphorePermit,
}

impl Connections {
    /// None yet.
    pub fn new(limits: &Limits) -> Arc<Connections> {
        Arc::new(Connections {
            capacity: limits.connections,
            per_address: limits.connections_per_address,
            places: Arc::new(Semaphore::new(limits.connections)),
            keyed: AtomicUsize::new(0),
            open: Mutex::default(),
        })
    }

    /// Open connections with and without an accepted key.
    pub fn count(&self) -> (usize, usize) {
        let keyed = self.keyed.load(Ordering::Relaxed);
        (keyed, self.lock().connections.len().saturating_sub(keyed))
    }

    /// A place for a new connection, for which others are closed where needed. `None` when its address has as many as
    /// it may, all of them in use.
    pub(crate) async fn admit(self: &Arc<Self>, peer: IpAddr) -> Option<ConnectionPlace> {
        let address = counted(peer).filter(|_| self.per_address.is_some());
        if !self.make_room_for(address) {
            return None;
        }
        loop {
            if let Ok(permit) = self.places.clone().try_acquire_owned() {
                return Some(self.enter(peer, address, permit));
            }
            self.evict(|_| true);
            // Its task has to run before the permit is released.
            if let Ok(Ok(permit)) = tokio::time::timeout(ROOM_WAIT, self.places.clone().acquire_owned()).await {
                return Some(self.enter(peer, address, permit));
            }
        }
    }

    /// Closes idle connections without a key when the system cannot provide more.
    pub(crate) fn make_room(&self) {
        self.evict(|_| true);
    }

    /// Resolves when every connection is closed.
    pub(crate) async fn all_closed(&self) {
        let _ = self.places.acquire_many(u32::try_from(self.capacity).unwrap_or(u32::MAX)).await;
    }

    /// Counts a connection among those with a key, unless there are as many as there may be.
    pub(super) fn take_keyed(&self, keyed: &AtomicBool) -> bool {
        let most = self.capacity - self.capacity.div_ceil(SHARE).min(self.capacity);
        let counted =
            self.keyed.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| (count < most).then_some(count + 1));
        // Two requests on one connection may get here concurrently; it counts once.
        if counted.is_ok() && keyed.swap(true, Ordering::Relaxed) {
            self.keyed.fetch_sub(1, Ordering::Relaxed);
        }
        counted.is_ok()
    }

    /// Whether this address may open one more connection, after closing others of it if necessary.
    fn make_room_for(&self, address: Option<IpAddr>) -> bool {
        let (Some(address), Some(most)) = (address, self.per_address) else { return true };
        let is_full = |open: &Open| open.of_address.get(&address).is_some_and(|count| *count >= most);
        if is_full(&self.lock()) {
            self.evict(|of| of == Some(address));
        }
        !is_full(&self.lock())
    }

    fn enter(self: &Arc<Self>, peer: IpAddr, address: Option<IpAddr>, permit: OwnedSemaphorePermit) -> ConnectionPlace {
        let connection = Arc::new(Connection::new(peer, self.clone()));
        let mut open = self.lock();
        let id = open.next;
        open.next += 1;
        open.connections.insert(id, (connection.clone(), address));
        if let Some(address) = address {
            *open.of_address.entry(address).or_default() += 1;
        }
        ConnectionPlace { connection, id, _permit: permit }
    }

    /// Tells the first connections in eviction order to close: several if they are idle without a key, otherwise one.
    fn evict(&self, of: impl Fn(Option<IpAddr>) -> bool) {
        let mut open = self.lock();
        let candidates = open.connections.iter().filter(|(_, (_, address))| of(*address));
        let mut candidates: Vec<(ConnectionState, Instant, u64)> = candidates
            .map(|(id, (connection, _))| (connection.standing(), connection.changed(), *id))
            .filter(|(standing, ..)| *standing < ConnectionState::KeyedBusy)
            .collect();
        candidates.sort_unstable();
        let idle_keyless = candidates.iter().filter(|(standing, ..)| *standing == ConnectionState::KeylessIdle).count();
        let count = idle_keyless.min(candidates.len().div_ceil(SHARE)).max(1);
        for (_, _, id) in candidates.into_iter().take(count) {
            if let Some(connection) = open.remove(id) {
                connection.evicted.notify_one();
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    fn remove(&mut self, id: u64) -> Option<Arc<Connection>> {
        let (connection, address) = self.connections.remove(&id)?;
        if let Some(address) = address
            && let Some(count) = self.of_address.get_mut(&address)
        {
            *count -= 1;
            if *count == 0 {
                self.of_address.remove(&address);
            }
        }
        Some(connection)
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        let table = &self.connection.table;
        table.lock().remove(self.id);
        if self.connection.keyed.load(Ordering::Relaxed) {
            table.keyed.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// The key under which an address is counted; `None` for this machine's own, because a local proxy connects for everyone. An
/// IPv6 network counts as one client, which could otherwise use any number of addresses.
fn counted(address: IpAddr) -> Option<IpAddr> {
    match address.to_canonical() {
        address if address.is_loopback() => None,
        IpAddr::V4(address) => Some(address.into()),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Some(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(connections: usize, per_address: Option<usize>) -> Arc<Connections> {
        Connections::new(&Limits { connections, connections_per_address: per_address, ..Limits::default() })
    }

    async fn admit(table: &Arc<Connections>, address: &str) -> Option<ConnectionPlace> {
        table.admit(address.parse().unwrap()).await
    }

    /// Whether a connection was told to close.
    fn is_evicted(place: &ConnectionPlace) -> bool {
        use futures::FutureExt;
        place.connection.evicted.notified().now_or_never().is_some()
    }

    #[tokio::test]
    async fn an_address_has_only_so_many_connections_and_idle_ones_give_way() {
        let table = table(100, Some(2));
        let first = admit(&table, "203.0.113.9").await.unwrap();
        let second = admit(&table, "203.0.113.9").await.unwrap();
        let other = admit(&table, "203.0.113.10").await.unwrap();
        assert!(second.connection.accept_caller());
        let _request = second.connection.begin_request();
        let third = admit(&table, "203.0.113.9").await.unwrap();
        assert_eq!([&first, &second, &other].map(is_evicted), [true, false, false]);
        assert!(third.connection.accept_caller());
        let _other_request = third.connection.begin_request();
        assert!(admit(&table, "203.0.113.9").await.is_none(), "both are in use");
        drop(third);
        assert!(admit(&table, "203.0.113.9").await.is_some(), "a place that was left is free");
    }

    #[tokio::test]
    async fn this_machine_has_no_limit_and_a_network_of_ipv6_is_one_client() {
        let table = table(100, Some(1));
        let _own = [admit(&table, "127.0.0.1").await.unwrap(), admit(&table, "::1").await.unwrap()];
        let first = admit(&table, "2001:db8::1").await.unwrap();
        let _second = admit(&table, "2001:db8::2").await.unwrap();
        assert!(is_evicted(&first));
        let elsewhere = admit(&table, "2001:db8:0:1::1").await.unwrap();
        assert!(!is_evicted(&elsewhere));
    }

    #[tokio::test]
    async fn keyless_clients_give_way_before_customers_and_a_customer_being_served_never_does() {
        let table = table(4, None);
        let busy = admit(&table, "127.0.0.1").await.unwrap();
        assert!(busy.connection.accept_caller());
        let _request = busy.connection.begin_request();
        let idle = admit(&table, "127.0.0.1").await.unwrap();
        assert!(idle.connection.accept_caller());
        let slow = admit(&table, "127.0.0.1").await.unwrap();
        let _slow_request = slow.connection.begin_request();
        let silent = admit(&table, "127.0.0.1").await.unwrap();
        for (evicted, place) in [("silent", silent), ("slow", slow), ("idle", idle)] {
            let waiting = tokio::spawn({
                let table = table.clone();
                async move { admit(&table, "127.0.0.1").await.unwrap() }
            });
            place.connection.evicted.notified().await;
            assert!(!is_evicted(&busy), "{evicted} goes first");
            drop(place);
            let newcomer = waiting.await.unwrap();
            // The new connection serves a request with a key from now on.
            newcomer.connection.keyed.store(true, Ordering::Relaxed);
            std::mem::forget(newcomer.connection.begin_request());
            std::mem::forget(newcomer);
        }
    }

    #[tokio::test]
    async fn customers_leave_some_connections_to_keyless_clients() {
        let table = table(64, None);
        let mut places = Vec::new();
        for _ in 0..64 {
            places.push(admit(&table, "127.0.0.1").await.unwrap());
        }
        let accepted = places.iter().filter(|place| place.connection.accept_caller()).count();
        assert_eq!((accepted, table.count()), (62, (62, 2)));
        assert!(places[0].connection.accept_caller(), "one that was accepted stays so");
    }
}
