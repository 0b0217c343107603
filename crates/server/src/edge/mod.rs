//! What the API, the streams, the connector and the web pages share: authentication, reading requests, errors, limits.
//! [`frame`] surrounds every route; [`Edge`] is the state that handlers ask for.

pub mod auth;
pub mod body;
pub mod caller;
pub mod client;
pub(crate) mod compress;
pub mod cookie;
pub mod credential;
mod database_problem;
pub mod drain;
pub mod etag;
pub mod fields;
pub mod frame;
pub mod idempotency;
pub mod openapi;
pub(crate) mod packed;
pub mod path;
pub mod problem;
pub mod rate_limit;
pub(crate) mod render_cache;
mod same_site;
pub mod schema;
pub mod share_rates;
pub mod upload;
pub mod via;

pub use problem::Problem;

use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRef;
use canvass::App;
use canvass::status::QueueWatch;
use tokio::sync::{Semaphore, watch};
use url::Url;

use self::rate_limit::RateLimits;
use self::upload::BodyBudget;
use crate::connection::Connections;
use crate::limits::Limits;

/// The state of every handler. Cheap to clone: clones share their parts.
#[derive(Clone)]
pub struct Edge(Arc<Parts>);

/// What an [`Edge`] is made of.
pub struct Parts {
    /// The nouns, and everything their verbs need.
    pub app: App,
    /// How often each caller may ask; none when the operator set no limit.
    pub rate_limits: Option<RateLimits>,
    /// The URL at which clients reach this server, without a trailing slash.
    pub base_url: String,
    /// Bounds on connections, time and memory per client.
    pub limits: Limits,
    /// Every open connection.
    pub connections: Arc<Connections>,
    /// Memory held by request bodies that are still arriving.
    pub bodies: Arc<BodyBudget>,
    /// Counts the queues for metrics.
    pub queues: QueueWatch,
    /// Permits to drain refused request bodies.
    pub(crate) drains: Semaphore,
    /// Whether the sandbox's websites are served on this server's own port.
    pub(crate) serves_sites: bool,
    closing: watch::Sender<bool>,
}

impl Edge {
    /// The edges of an application that clients reach under `base_url`.
    pub fn new(app: App, base_url: &Url) -> Edge {
        let limits = Limits::of(&app.settings);
        Edge::with_limits(app, base_url, limits)
    }

    /// The same with other limits.
    pub fn with_limits(app: App, base_url: &Url, limits: Limits) -> Edge {
        Edge(Arc::new(Parts {
            rate_limits: app.settings.rate_limit.map(RateLimits::per_minute),
            base_url: base_url.as_str().trim_end_matches('/').to_owned(),
            connections: Connections::new(&limits),
            bodies: BodyBudget::new(&limits),
            drains: Semaphore::new(limits.drains),
            serves_sites: app.sandbox.as_ref().is_some_and(|sandbox| sandbox.shares_port()),
            limits,
            queues: QueueWatch::default(),
            closing: watch::Sender::new(false),
            app,
        }))
    }

    /// Announces shutdown.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    /// Resolves when shutdown begins, for whatever would otherwise run on for hours.
    pub fn closed(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut closing = self.closing.subscribe();
        async move {
            // The sender only goes away with the server itself.
            let _ = closing.wait_for(|closing| *closing).await;
        }
    }

    /// Whether shutdown has begun.
    pub fn is_closing(&self) -> bool {
        *self.closing.borrow()
    }
}

impl Deref for Edge {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl FromRef<Edge> for App {
    fn from_ref(edge: &Edge) -> App {
        edge.app.clone()
    }
}
