//! Google's Places API (New) and Geocoding API, answered from the sandbox's world.

mod fault;
mod geocode;
mod place;
mod search;
mod world;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::routing::{get, post};
use places::Area;
use sandbox::{Business, World};
use tokio::time::Instant;

pub use self::fault::Faults;
use crate::nominatim;

/// How the rehearsal answers.
#[derive(Clone, Debug)]
pub struct Options {
    /// The only key that is accepted.
    pub key: String,
    /// Businesses besides those of the world.
    pub extra: Vec<Business>,
    /// Areas whose businesses are listed besides those of the test places.
    pub areas: Vec<Area>,
    /// The port that websites are served on.
    pub site_port: u16,
    /// How long after it was given a page token becomes valid.
    pub token_delay: Duration,
    /// Every so many-th business has closed for good, or for now.
    pub closed_every: Option<usize>,
    /// What goes wrong.
    pub faults: Faults,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            key: "rehearsal-key".to_owned(),
            extra: Vec::new(),
            areas: Vec::new(),
            site_port: 80,
            token_delay: Duration::from_secs(2),
            closed_every: None,
            faults: Faults::default(),
        }
    }
}

/// A request that was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedRequest {
    /// In the order of arrival, from 1.
    pub number: u32,
    /// What it is charged as, such as `text_search_enterprise`.
    pub kind: String,
    /// The status of the answer.
    pub status: u16,
    /// When it arrived.
    pub started: Instant,
    /// When it was answered.
    pub ended: Instant,
}

/// A stand-in for Google. Clones share everything.
#[derive(Clone, Debug)]
pub struct Rehearsal {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    world: World,
    options: Options,
    /// Who knows where addresses lie.
    streets: nominatim::Rehearsal,
    /// Businesses by category, made on first use.
    businesses: Mutex<HashMap<&'static str, Arc<Vec<Business>>>>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    requests: u32,
    log: Vec<LoggedRequest>,
    /// What was asked for, in the order of arrival.
    asked: Vec<String>,
    /// When each page token was given.
    tokens: HashMap<String, Instant>,
}

impl Rehearsal {
    /// Answers from this world.
    #[must_use]
    pub fn new(world: World, options: Options) -> Rehearsal {
        let known = nominatim::Options { extra: options.extra.clone(), ..nominatim::Options::default() };
        let streets = nominatim::Rehearsal::new(world.clone(), known);
        let (businesses, state) = (Mutex::default(), Mutex::default());
        Rehearsal { inner: Arc::new(Inner { world, options, streets, businesses, state }) }
    }

    /// Serves the APIs.
    pub fn router(&self) -> Router {
        Router::new()
            .route("/v1/places:searchText", post(search::text))
            .route("/v1/places:searchNearby", post(search::nearby))
            .route("/maps/api/geocode/json", get(geocode::geocode))
            .with_state(self.clone())
    }

    /// Every request so far, in the order in which they were answered.
    #[must_use]
    pub fn log(&self) -> Vec<LoggedRequest> {
        self.state().log.clone()
    }

    /// What was asked for by every request that arrived, in order, answered or not: the same text means the same request.
    #[must_use]
    pub fn asked(&self) -> Vec<String> {
        self.state().asked.clone()
    }

    /// Requests that were answered with success, by what they are charged as.
    #[must_use]
    pub fn charged(&self) -> BTreeMap<String, u32> {
        let mut counts = BTreeMap::new();
        for request in self.state().log.iter().filter(|request| request.status == 200) {
            *counts.entry(request.kind.clone()).or_default() += 1;
        }
        counts
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.inner.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn options(&self) -> &Options {
        &self.inner.options
    }

    /// Counts a request for this.
    fn arrive(&self, asked: String) -> (u32, Instant) {
        let mut state = self.state();
        state.requests += 1;
        state.asked.push(asked);
        (state.requests, Instant::now())
    }

    fn leave(&self, (number, started): (u32, Instant), kind: &str, status: u16) {
        let request = LoggedRequest { number, kind: kind.to_owned(), status, started, ended: Instant::now() };
        self.state().log.push(request);
    }
}
