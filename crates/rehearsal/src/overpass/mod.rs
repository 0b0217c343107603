//! An Overpass server whose map has the businesses of the sandbox.
//!
//! It understands the queries that `map-providers` writes, has slots as the real one has, and misbehaves on request.
//! [`osm_id`] tells the id that a business of the sandbox has on this map, as an import of OpenStreetMap writes it; each object also
//! carries the sandbox's own id in the tag `ref:sandbox`.

mod objects;
mod query;
mod respond;
mod slots;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::routing::get;
pub use objects::osm_id;
use sandbox::{Business, World};
use slots::Slots;
use tokio::time::Instant;

/// How the server behaves.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Queries that may run at once; zero for any number.
    pub slots: u32,
    /// How long a slot stays taken after its query.
    pub cool_down: Duration,
    /// How long each query takes.
    pub work: Duration,
    /// Businesses beside those of the world.
    pub extra: Vec<Business>,
    /// The port on which the sandbox serves its websites; zero for none in their addresses.
    pub sites_port: u16,
    /// A query about a box with a longer side, in degrees, takes the server too long.
    pub side_degrees_max: Option<f64>,
    /// A query with more results needs more memory than the server has.
    pub results_max: Option<usize>,
    /// From this request on, queries and status alike, the server breaks every connection.
    pub outage_from: Option<u64>,
    /// What goes wrong with single queries, by their number from zero.
    pub faults: BTreeMap<u64, QueryFault>,
    /// What goes wrong with every other query.
    pub every_query: Option<QueryFault>,
    /// What goes wrong with every request for the status.
    pub status: StatusPage,
}

/// What goes wrong with a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueryFault {
    /// Status 429, with a `Retry-After` of so many seconds.
    TooManyRequests(Option<u64>),
    /// Status 504, with the page of a server that has too much to do.
    TooBusy,
    /// Status 200, no objects, and this as the remark.
    Remark(&'static str),
    /// Status 200 and a web page.
    Page,
    /// This status and an empty body.
    Status(u16),
    /// The answer takes this long.
    Slow(Duration),
    /// The answer has fifty megabytes.
    Huge,
    /// Elements of all kinds of wrong types stand between the right ones.
    WrongTypes,
    /// The answer ends in the middle.
    Truncated,
    /// Since the last query, the first object has got another name.
    Changed,
    /// Since the last query, the first object has been deleted.
    Vanished,
    /// Each object occurs twice.
    Doubled,
    /// The connection breaks in the middle of the answer.
    Disconnected,
}

/// What the status page is like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StatusPage {
    /// As it should be.
    #[default]
    Right,
    /// Of a server that limits nobody, whatever it does in truth.
    Unlimited,
    /// Says that there are free slots, whatever is true.
    Lying,
    /// There is none.
    Missing,
    /// A web page.
    Garbled,
}

/// What kind of request it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestKind {
    /// A query.
    Query,
    /// The status page.
    Status,
}

/// A request, as it was answered.
#[derive(Clone, Debug)]
pub struct LoggedRequest {
    /// What was asked for.
    pub kind: RequestKind,
    /// When it arrived.
    pub started: Instant,
    /// When the answer was ready or the client gone; `None` while it is under way.
    pub ended: Option<Instant>,
    /// The status of the answer; zero while there is none.
    pub status: u16,
    /// The text of a query.
    pub query: String,
}

/// The server.
#[derive(Clone, Debug)]
pub struct Rehearsal {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    world: World,
    options: Options,
    slots: Slots,
    log: Mutex<Vec<LoggedRequest>>,
    /// From when the server's clock counts.
    start: Instant,
}

impl Rehearsal {
    /// A server whose map has this world.
    #[must_use]
    pub fn new(world: World, options: Options) -> Rehearsal {
        let slots = Slots::new(options.slots, options.cool_down);
        let (log, start) = (Mutex::default(), Instant::now());
        Rehearsal { inner: Arc::new(Inner { world, options, slots, log, start }) }
    }

    /// Its routes: `/api/interpreter` and `/api/status`.
    pub fn router(&self) -> Router {
        Router::new()
            .route("/api/interpreter", get(respond::query).post(respond::query))
            .route("/api/status", get(respond::status))
            .with_state(self.inner.clone())
    }

    /// All requests so far, in the order in which they arrived.
    #[must_use]
    pub fn log(&self) -> Vec<LoggedRequest> {
        self.inner.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The most queries that ran at the same time.
    #[must_use]
    pub fn concurrent_max(&self) -> u32 {
        self.inner.slots.most()
    }
}

impl Inner {
    /// Notes a request; what is returned notes its end when it is dropped.
    fn begin(self: &Arc<Inner>, kind: RequestKind, query: String) -> Entry {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let number = log.len();
        let queries = log.iter().filter(|request| request.kind == RequestKind::Query).count() as u64;
        log.push(LoggedRequest { kind, started: Instant::now(), ended: None, status: 0, query });
        Entry { inner: self.clone(), number, queries, status: 0 }
    }
}

/// A request under way.
struct Entry {
    inner: Arc<Inner>,
    number: usize,
    /// Queries before it.
    queries: u64,
    status: u16,
}

impl Drop for Entry {
    fn drop(&mut self) {
        let mut log = self.inner.log.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(request) = log.get_mut(self.number) {
            request.ended = Some(Instant::now());
            request.status = self.status;
        }
    }
}
