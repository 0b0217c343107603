//! One search: from a request to its last delivered lead.
//!
//! The row is the job. The worker that holds its lease works on it, and every write of a worker is guarded by the search still
//! running and by the lease's epoch: a worker that wakes up after its lease has expired can do no harm.

mod area;
mod batch;
mod coverage;
mod deliver;
mod end;
mod events;
mod finish;
mod frontier;
mod halt;
mod history;
mod listing_filter;
mod location;
mod notes;
mod page;
mod parse;
mod pipeline;
mod quote;
mod read;
mod request;
mod resolved;
mod resume;
mod run;
mod spec;
mod start;
mod stop;
pub(crate) mod store;
mod suggest;
mod wait;

pub use area::{AreaRequest, area};
pub use coverage::{Coverage, StoppedBecause};
pub use events::{Event, Follower, Reads, Resume, follow, notice_others};
pub use history::history;
pub use parse::{NotListed, StartError, parse};
pub use quote::{Quote, quote};
pub use request::{Filters, LOCATIONS_MAX, RADIUS_MILES, RATING, REQUESTED_DEFAULT, REQUESTED_MAX, StartRequest};
pub use run::run;
pub use spec::SearchSpec;
pub use start::{Started, start};
pub use stop::{Stopped, stop};
pub use store::find;
pub use suggest::{PlaceSuggestion, suggest_industries, suggest_places};
pub use wait::{Waiter, wait};

use crate::clock::Moment;
use crate::config::{LEASE_SECONDS_MAX, Settings};
use crate::ids::{AccountId, SearchId, of};
use crate::jobs::{self, Job, Table, Terms};
use crate::plan::Scope;

/// The right to work on a search.
pub type Lease = jobs::Lease<Search>;

/// The longest a search waits for its next attempt.
const RETRY_SECONDS_MAX: i64 = 60;

const DAY_MICROS: i64 = 24 * 60 * 60 * 1_000_000;

/// The status of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Leads may still come.
    Running,
    /// It delivered what it could.
    Done,
    /// A request stopped it.
    Cancelled,
    /// An error ended it.
    Failed,
}

impl Status {
    /// Every status.
    pub const ALL: [Status; 4] = [Status::Running, Status::Done, Status::Cancelled, Status::Failed];

    /// Its name in responses and in the database.
    pub fn name(self) -> &'static str {
        match self {
            Status::Running => "running",
            Status::Done => "done",
            Status::Cancelled => "cancelled",
            Status::Failed => "failed",
        }
    }
}

/// A stored value that this version does not know.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0:?} is not known to this version")]
pub struct Unknown(String);

impl TryFrom<String> for Status {
    type Error = Unknown;

    fn try_from(text: String) -> Result<Self, Unknown> {
        Status::ALL.into_iter().find(|status| status.name() == text).ok_or(Unknown(text))
    }
}

/// Which searches to list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// Only those with this status.
    pub status: Option<Status>,
    /// Only those created after this.
    pub since: Option<Moment>,
    /// At most this many; all up to the maximum when not set.
    pub limit: Option<i64>,
}

impl History {
    /// Searches listed at most.
    pub const SEARCHES_MAX: i64 = 100;
}

/// A search, as it is stored.
#[derive(Clone, Debug, PartialEq, from_row::FromRow)]
pub struct Search {
    /// UUIDv7: later searches have greater ids.
    #[row(try_from = "String")]
    pub id: SearchId,
    /// The account that pays for it.
    #[row(try_from = "String", rename = "account_id")]
    pub account: AccountId,
    /// The request that started it.
    #[row(try_from = "String")]
    pub request: StartRequest,
    /// How wide its area is.
    #[row(try_from = "String")]
    pub scope: Scope,
    /// Leads it may deliver: the count asked for, lowered to cap and balance.
    pub requested: i64,
    /// Changes once, from running to how it ended.
    #[row(try_from = "String")]
    pub status: Status,
    /// The name of a [`StoppedBecause`]; `None` while it runs.
    pub stopped_because: Option<String>,
    /// For the customer: what went wrong, and whether trying again helps.
    pub failure_reason: Option<String>,
    /// When the request was accepted.
    pub created_at: Moment,
    /// `None` while it runs.
    pub completed_at: Option<Moment>,
    /// What it looks for, as JSON; see `resolved.rs`. `None` when an earlier version started it.
    pub(crate) resolved: Option<String>,
    /// Where its source goes on. `None` when an earlier version started it.
    pub(crate) cursor: Option<String>,
    /// Listings taken from its source: the rank of the last one.
    pub(crate) listed: i64,
    /// Every listing up to this rank is settled; later ones may be.
    pub(crate) position: i64,
    /// Leads delivered; each is charged one credit.
    pub leads_found: i64,
    /// Leads with an email address.
    pub emails_found: i64,
    /// What it looked at and left out.
    #[row(try_from = "String")]
    pub coverage: Coverage,
    /// Grows with every change of the search or its leads.
    pub revision: i64,
    /// Attempts in a row that failed without settling anything.
    #[row(rename = "troubles")]
    pub failures: i64,
    /// When its leads were deleted, by the setting `keep_searches_days`.
    pub leads_deleted_at: Option<Moment>,
}

/// The leads of a search were deleted some time after it ended, as the operator has set it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the leads of this search were deleted {days} days after it ended, as this server is set up; the search itself, its charges and the businesses to skip with skip_owned are kept"
)]
pub struct LeadsDeleted {
    days: i64,
}

impl Search {
    /// Whether leads may still come.
    pub fn is_running(&self) -> bool {
        self.status == Status::Running
    }

    /// Listings that were settled: each became a lead or was left out.
    pub fn candidates(&self) -> i64 {
        self.leads_found + self.coverage.filtered.values().sum::<i64>()
    }

    /// How many listings were settled, when an earlier version did that: it stored no cursor, so they are listed once more.
    fn settled_without_cursor(&self) -> Option<i64> {
        (self.cursor.is_none() || self.position > self.listed).then_some(self.position)
    }

    /// An error once its leads are deleted.
    pub fn still_has_leads(&self) -> Result<(), LeadsDeleted> {
        let Some(deleted_at) = self.leads_deleted_at else { return Ok(()) };
        let ended_at = self.completed_at.unwrap_or(deleted_at);
        Err(LeadsDeleted { days: (deleted_at.micros() - ended_at.micros()) / DAY_MICROS })
    }

    /// The path at which it is watched.
    pub fn poll(&self) -> String {
        format!("/searches/{}", self.id)
    }
}

impl Job for Search {
    type Of = of::Search;

    const TABLE: Table =
        Table { name: "search", id: "id", open: "status = 'running'", takeable: "true", due_at: "try_at", on_take: "" };

    fn id(&self) -> SearchId {
        self.id
    }

    fn terms(settings: &Settings) -> Terms {
        Terms { lease: settings.lease_seconds, lease_max: LEASE_SECONDS_MAX, wait_max: RETRY_SECONDS_MAX }
    }
}
