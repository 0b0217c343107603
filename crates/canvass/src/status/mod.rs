//! How things stand: queues, workers, the day's work, providers, and the size of the database. For operators and metrics.
//!
//! Every statement behind this reads an index or a few rows, however much there is: see `store.rs`.

mod look;
mod queues;
mod store;

pub use look::look;
pub use queues::{QueueWatch, queue_lengths};
pub use store::{DayCount, Worker};

use crate::provider::CallCount;

/// The jobs of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, from_row::FromRow)]
pub struct Queue {
    /// With a worker.
    pub running: i64,
    /// Without one: not taken yet, or to be tried again.
    pub waiting: i64,
    /// Of the waiting ones, those that were tried before.
    pub retried: i64,
    /// How long the oldest of the waiting ones has waited.
    pub oldest_waiting_seconds: i64,
}

/// Watches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, from_row::FromRow)]
pub struct Watches {
    /// Being checked.
    pub checking: i64,
    /// Due and free; counted up to [`COUNTED_MAX`].
    pub due: i64,
}

/// How many rows are counted at most where there may be very many.
pub const COUNTED_MAX: i64 = 100_000;

/// How things stand on one database.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Overview {
    /// `SQLite` or `PostgreSQL`.
    pub database: &'static str,
    /// Its size on disk.
    pub database_bytes: i64,
    /// Searches in progress.
    pub searches: Queue,
    /// Enrichments in progress.
    pub enrichments: Queue,
    /// Emails about searches.
    pub mails: Queue,
    /// Emails with a link.
    pub letters: Queue,
    /// Watched businesses.
    pub radar: Watches,
    /// Workers that hold searches.
    pub workers: Vec<Worker>,
    /// What was done since midnight, UTC.
    pub today: Today,
    /// Calls to map providers in this month, UTC.
    pub provider_calls: Vec<ProviderCalls>,
}

/// What was done since midnight, UTC.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Today {
    /// Leads delivered.
    pub leads: i64,
    /// Searches started, by their status now; the latest [`COUNTED_MAX`].
    pub searches: Vec<DayCount>,
}

/// Calls of one kind to a map provider.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ProviderCalls {
    /// The provider's name.
    pub provider: String,
    /// What it counts them as.
    pub kind: String,
    /// How many.
    pub calls: i64,
}

impl From<CallCount> for ProviderCalls {
    fn from(count: CallCount) -> ProviderCalls {
        ProviderCalls { provider: count.provider, kind: count.kind, calls: count.calls }
    }
}
