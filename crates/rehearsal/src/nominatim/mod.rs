//! A geocoder of the sandbox's world, in the shapes of Nominatim (`/search`, `/status`), Photon (`/api`) and the geocoder of the
//! US Census Bureau (`/geocoder/locations/address`, `/geocoder/benchmarks`).
//!
//! A business's address lies where the business lies; any other address lies on a line that follows from the street's name. A
//! street with the word "Nowhere" in its name is in no town.

mod ask;
mod fail;
mod shape;
mod spell;
mod streets;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::header::{CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, StatusCode, Uri};
use places::Point;
use sandbox::{Business, World};
use serde_json::Value;
use tokio::time::Instant;

use ask::Asked;
pub use fail::Fault;
use shape::Shape;
use streets::TownStreets;
pub(crate) use streets::{Address, Kind};

/// Towns whose streets are kept.
const TOWNS_KEPT_MAX: usize = 32;

/// What the geocoder knows besides the world, and how it misbehaves.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Businesses beside those of the world.
    pub extra: Vec<Business>,
    /// Which requests fail and how, by their number from 0; the first range with a request's number decides.
    pub faults: Vec<(Range<u64>, Fault)>,
    /// The least time between two requests; those that come sooner are refused as by the public server.
    pub interval_min: Option<Duration>,
}

/// A request as it was answered.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedRequest {
    /// In the order of arrival, from 0.
    pub number: u64,
    /// `search`, `status`, `photon`, `census` or `benchmarks`.
    pub kind: &'static str,
    /// When it arrived.
    pub started: Instant,
    /// When it was answered; `None` while it is under way or when the client gave up.
    pub ended: Option<Instant>,
    /// The status of the answer; 0 without one.
    pub status: u16,
    /// How the client introduced itself.
    pub user_agent: Option<String>,
}

/// The geocoder; clones share their log.
#[derive(Clone, Debug)]
pub struct Rehearsal {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    world: World,
    options: Options,
    log: Mutex<Vec<LoggedRequest>>,
    towns: Mutex<HashMap<String, Arc<TownStreets>>>,
}

impl Rehearsal {
    /// A geocoder of this world.
    #[must_use]
    pub fn new(world: World, options: Options) -> Rehearsal {
        Rehearsal { inner: Arc::new(Inner { world, options, log: Mutex::default(), towns: Mutex::default() }) }
    }

    /// Its routes.
    pub fn router(&self) -> Router {
        Router::new()
            .route("/search", get(|state, headers, uri| respond(Shape::Nominatim, state, headers, uri)))
            .route("/status", get(|state, headers, uri| respond(Shape::Status, state, headers, uri)))
            .route("/api", get(|state, headers, uri| respond(Shape::Photon, state, headers, uri)))
            .route(
                "/geocoder/locations/address",
                get(|state, headers, uri| respond(Shape::Census, state, headers, uri)),
            )
            .route("/geocoder/benchmarks", get(|state, headers, uri| respond(Shape::Benchmarks, state, headers, uri)))
            .with_state(self.clone())
    }

    /// Every request so far, in the order of arrival.
    #[must_use]
    pub fn log(&self) -> Vec<LoggedRequest> {
        self.inner.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes a request, and says its number and how long the one before it is ago.
    fn arrived(&self, shape: Shape, user_agent: Option<String>) -> (u64, Option<Duration>) {
        let started = Instant::now();
        let mut log = self.inner.log.lock().unwrap_or_else(PoisonError::into_inner);
        let since = log.last().map(|last| started.saturating_duration_since(last.started));
        let number = log.len() as u64;
        log.push(LoggedRequest { number, kind: shape.kind(), started, ended: None, status: 0, user_agent });
        (number, since)
    }

    fn answered(&self, number: u64, status: StatusCode) {
        let mut log = self.inner.log.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(request) = usize::try_from(number).ok().and_then(|at| log.get_mut(at)) {
            (request.ended, request.status) = (Some(Instant::now()), status.as_u16());
        }
    }

    fn fault(&self, number: u64, since: Option<Duration>) -> Option<Fault> {
        let Options { faults, interval_min, .. } = &self.inner.options;
        let set = faults.iter().find(|(numbers, _)| numbers.contains(&number)).map(|(_, fault)| fault.clone());
        let is_hasty = interval_min.zip(since).is_some_and(|(least, since)| since < least);
        set.or_else(|| is_hasty.then_some(Fault::OverLimit { retry_after_secs: None }))
    }

    /// The answer to a question, as JSON.
    fn answer(&self, shape: Shape, asked: &Asked, fault: Option<&Fault>) -> (StatusCode, Value) {
        if matches!(shape, Shape::Status | Shape::Benchmarks) {
            return (StatusCode::OK, shape.written(asked, &[]));
        }
        if shape == Shape::Census && asked.street.trim().is_empty() {
            return (StatusCode::BAD_REQUEST, shape::census_error());
        }
        let mut found = self.town(asked).map(|town| town.find(asked)).unwrap_or_default();
        if matches!(fault, Some(Fault::OtherTown)) {
            found.iter_mut().for_each(fail::move_away);
        } else {
            found.retain(|found| asked.within.is_none_or(|within| within.contains(found.point)));
        }
        (StatusCode::OK, shape.written(asked, &found))
    }

    /// What is known of an address on one line: the point of its town, and the best match there.
    pub(crate) fn locate(&self, line: &str) -> Option<(Point, Option<Address>)> {
        let asked = Asked::on_one_line(line);
        let town = self.town(&asked)?;
        Some((asked.area()?.centre(), town.find(&asked).pop()))
    }

    /// The streets of the town that is asked about.
    fn town(&self, asked: &Asked) -> Option<Arc<TownStreets>> {
        let area = asked.area()?;
        let mut towns = self.inner.towns.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = towns.get(area.name()) {
            return Some(known.clone());
        }
        let Inner { world, options, .. } = self.inner.as_ref();
        let town = Arc::new(TownStreets::of(world, &area, &options.extra));
        if towns.len() >= TOWNS_KEPT_MAX {
            towns.clear();
        }
        towns.insert(area.name().to_owned(), town.clone());
        Some(town)
    }
}

async fn respond(shape: Shape, State(rehearsal): State<Rehearsal>, headers: HeaderMap, uri: Uri) -> Response {
    let agent = headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok()).map(str::to_owned);
    let (number, since) = rehearsal.arrived(shape, agent);
    let fault = rehearsal.fault(number, since);
    if let Some(Fault::Slow(pause)) = &fault {
        tokio::time::sleep(*pause).await;
    }
    let response = match fault.as_ref().and_then(|fault| fail::response(shape, fault)) {
        Some(response) => response,
        None => {
            let asked = Asked::of(shape, uri.query().unwrap_or_default());
            let (status, body) = rehearsal.answer(shape, &asked, fault.as_ref());
            (status, [(CONTENT_TYPE, "application/json")], body.to_string()).into_response()
        }
    };
    rehearsal.answered(number, response.status());
    response
}
