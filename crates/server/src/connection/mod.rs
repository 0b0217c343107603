//! The state of connections, and when they are closed.
//!
//! Two properties matter: whether a key has been accepted on a connection, and whether a request is in flight. Connections
//! without an accepted key have short timeouts and are closed first when connections run out.

mod table;

pub(crate) use table::ConnectionPlace;
pub use table::Connections;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::limits::Limits;

/// One open connection.
#[derive(Debug)]
pub struct Connection {
    opened: Instant,
    /// The address at the other end.
    peer: IpAddr,
    /// Milliseconds from `opened` to the last start or end of a request.
    changed_millis: AtomicU64,
    in_flight: AtomicUsize,
    keyed: AtomicBool,
    evicted: Notify,
    table: Arc<Connections>,
}

/// Eviction order of connections; the first variant is evicted first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ConnectionState {
    /// No key, no request.
    KeylessIdle,
    /// No key, but a request. These take milliseconds, unless the client does not read.
    KeylessBusy,
    /// A key, no request.
    KeyedIdle,
    /// A key and a request.
    KeyedBusy,
}

impl Connection {
    fn new(peer: IpAddr, table: Arc<Connections>) -> Connection {
        Connection {
            opened: Instant::now(),
            peer,
            changed_millis: AtomicU64::new(0),
            in_flight: AtomicUsize::new(0),
            keyed: AtomicBool::new(false),
            evicted: Notify::new(),
            table,
        }
    }

    /// The address at the other end: a client's, or that of a proxy.
    pub fn peer(&self) -> IpAddr {
        self.peer
    }

    /// Notes that a caller was authenticated on this connection. `false` when callers hold every connection they may: a few
    /// are kept for clients without a key, so that a health check always gets in.
    pub fn accept_caller(&self) -> bool {
        if self.keyed.load(Ordering::Relaxed) {
            return true;
        }
        self.table.take_keyed(&self.keyed)
    }

    /// Whether more requests are in flight than a connection may have before a key is accepted on it.
    pub fn is_crowded(&self, limits: &Limits) -> bool {
        !self.keyed.load(Ordering::Relaxed) && self.in_flight.load(Ordering::Relaxed) > limits.keyless_streams
    }

    pub(crate) fn begin_request(self: &Arc<Self>) -> InFlight {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        self.note_change();
        InFlight(self.clone())
    }

    fn note_change(&self) {
        let millis = u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.changed_millis.store(millis, Ordering::Relaxed);
    }

    /// When a request last began or ended, or the connection was opened.
    fn changed(&self) -> Instant {
        self.opened + Duration::from_millis(self.changed_millis.load(Ordering::Relaxed))
    }

    fn standing(&self) -> ConnectionState {
        let busy = self.in_flight.load(Ordering::Relaxed) > 0;
        match (self.keyed.load(Ordering::Relaxed), busy) {
            (false, false) => ConnectionState::KeylessIdle,
            (true, false) => ConnectionState::KeyedIdle,
            (false, true) => ConnectionState::KeylessBusy,
            (true, true) => ConnectionState::KeyedBusy,
        }
    }

    /// Resolves when the connection has to make room for another.
    pub(crate) fn evicted(&self) -> impl Future<Output = ()> + Send + '_ {
        self.evicted.notified()
    }

    /// Resolves when the connection has timed out.
    pub(crate) async fn overdue(&self, limits: &Limits) {
        loop {
            let deadline = match self.standing() {
                ConnectionState::KeylessIdle => self.changed() + limits.keyless_idle,
                ConnectionState::KeyedIdle => self.changed() + limits.idle,
                ConnectionState::KeylessBusy => self.changed() + limits.keyless_stall,
                // Requests with a key may take any time: check again later.
                ConnectionState::KeyedBusy => Instant::now() + limits.idle,
            };
            if deadline <= Instant::now() {
                return;
            }
            tokio::time::sleep_until(deadline.into()).await;
        }
    }
}

/// A request in flight, until its answer has been handed over or given up.
#[derive(Debug)]
pub(crate) struct InFlight(Arc<Connection>);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
        self.0.note_change();
    }
}
