//! AI enrichment: who owns a business, and which email reaches whoever decides, from the text its website left behind.
//!
//! A search-wide enrichment is a job like a search: the row is the job, whoever holds its lease works on it, and every
//! write names the lease's epoch. Each lead is paid for once, whatever happens: the use that pays for it is a row with
//! the lead's id, and it is spent in the transaction that saves what was found.

mod check;
mod enrich;
mod improve;
mod run;
mod show;
mod start;
mod store;
#[cfg(test)]
pub(crate) mod truth;
mod wait;

pub use enrich::{EnrichError, Enriched, enrich};
pub use run::run;
pub use show::{Line, State, show};
pub use start::{LEADS_MAX, Request, StartError, start};
pub use wait::wait;

use crate::clock::Moment;
use crate::config::{LEASE_SECONDS_MAX, Settings};
use crate::ids::{AccountId, EnrichmentId, SearchId, of};
use crate::jobs::{self, Job, Table, Terms};

/// The right to work on an enrichment.
pub type Lease = jobs::Lease<Enrichment>;

/// Where an enrichment stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Nobody has asked for one.
    None,
    /// Leads are still looked at.
    Running,
    /// It has ended.
    Done,
}

impl Status {
    /// Every status.
    pub const ALL: [Status; 3] = [Status::None, Status::Running, Status::Done];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Status::None => "none",
            Status::Running => "running",
            Status::Done => "done",
        }
    }
}

/// Something only a newer version could have written.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0:?} is nothing this version knows")]
pub struct Unknown(String);

impl TryFrom<String> for Status {
    type Error = Unknown;

    fn try_from(text: String) -> Result<Self, Unknown> {
        Status::ALL.into_iter().find(|status| status.name() == text).ok_or(Unknown(text))
    }
}

/// What became of one lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is better than before.
    Enriched,
    /// Looked at, and nothing better was found.
    Unchanged,
    /// Not looked at, and not paid for.
    Skipped(Skip),
    /// The provider failed; not paid for.
    Failed,
}

/// Why a lead was not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skip {
    /// Nothing was kept of its website, and there are no reviews.
    NoText,
    /// The same engine has looked at it before.
    AlreadyEnriched,
    /// Another request is looking at it right now.
    InProgress,
    /// The allowance is used up.
    Allowance,
}

impl Verdict {
    /// Every name a verdict goes by.
    pub const NAMES: [&'static str; 4] = ["enriched", "unchanged", "skipped", "failed"];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Enriched => "enriched",
            Verdict::Unchanged => "unchanged",
            Verdict::Skipped(_) => "skipped",
            Verdict::Failed => "failed",
        }
    }

    /// Why, in one word, when that is not plain.
    pub fn reason(self) -> Option<&'static str> {
        match self {
            Verdict::Enriched | Verdict::Unchanged => None,
            Verdict::Skipped(Skip::NoText) => Some("no_site_text"),
            Verdict::Skipped(Skip::AlreadyEnriched) => Some("already_enriched"),
            Verdict::Skipped(Skip::InProgress) => Some("in_progress"),
            Verdict::Skipped(Skip::Allowance) => Some(ALLOWANCE),
            Verdict::Failed => Some("provider_failed"),
        }
    }
}

/// Why an enrichment stops before its end.
const ALLOWANCE: &str = "allowance_used_up";

/// An enrichment of a search, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Enrichment {
    /// Its id.
    #[sqlx(try_from = "String")]
    pub id: EnrichmentId,
    /// Whose it is.
    #[sqlx(try_from = "String", rename = "account_id")]
    pub account: AccountId,
    /// Of which search.
    #[sqlx(try_from = "String", rename = "search_id")]
    pub search: SearchId,
    /// Where it stands.
    #[sqlx(try_from = "String")]
    pub status: Status,
    /// Why it ended before all leads were looked at.
    pub stopped_because: Option<String>,
    /// Who answers.
    pub engine: String,
    /// What was said and did not stand in the text.
    pub rejected_ungrounded: i64,
    /// When it was asked for.
    pub created_at: Moment,
}

impl Job for Enrichment {
    type Of = of::Enrichment;

    const TABLE: Table = Table {
        name: "enrichment",
        id: "id",
        open: "status = 'running'",
        takeable: "true",
        due_at: "try_at",
        on_take: "",
    };

    fn id(&self) -> EnrichmentId {
        self.id
    }

    fn terms(settings: &Settings) -> Terms {
        Terms { lease: settings.lease_seconds, lease_max: LEASE_SECONDS_MAX, wait_max: 0 }
    }
}
