//! AI enrichment: finds a business's owner and the email that best reaches the decision-maker, in its stored website text.
//!
//! A search-wide enrichment is a job like a search. Each lead is paid for once, whatever happens: the use that pays for it is
//! a row with the lead's id, and it is spent in the transaction that saves what was found.

mod check;
mod enrich;
mod improve;
#[cfg(test)]
mod recorded;
mod run;
mod show;
mod start;
mod store;
#[cfg(test)]
pub(crate) mod truth;
mod wait;

pub use enrich::{EnrichError, enrich};
pub use improve::added;
pub use run::run;
pub use show::{EnrichmentProgress, LeadProgress, show};
pub use start::{EnrichmentRequest, LEADS_MAX, StartError, start};
pub use wait::wait;

use crate::clock::Moment;
use crate::config::{LEASE_SECONDS_MAX, Settings};
use crate::ids::{AccountId, EnrichmentId, LeadId, SearchId, of};
use crate::jobs::{self, Job, Table, Terms};

/// The right to work on an enrichment.
pub type Lease = jobs::Lease<Enrichment>;

/// Where an enrichment stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// None was requested.
    None,
    /// Leads are still being looked at.
    Running,
    /// It has ended.
    Done,
}

impl Status {
    /// In the order of the API's enumeration.
    pub const ALL: [Status; 3] = [Status::None, Status::Running, Status::Done];

    /// The name used in the database and in API responses.
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
    /// It was looked at; nothing better was found.
    Unchanged,
    /// It was neither looked at nor paid for.
    Skipped(Skip),
    /// The provider failed; nothing was paid.
    Failed,
}

/// Why a lead was not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skip {
    /// Nothing was kept of its website, and there are no reviews.
    NoText,
    /// What was kept of its website was deleted, by the setting `keep_site_text_days`: it has to be read again, by a new search.
    TextDeleted,
    /// The same engine has looked at it before.
    AlreadyEnriched,
    /// Another request is looking at it right now.
    InProgress,
    /// The allowance is used up.
    Allowance,
}

impl Verdict {
    /// In the order of the API's enumeration.
    pub const NAMES: [&'static str; 4] = ["enriched", "unchanged", "skipped", "failed"];

    /// The name used in the database and in API responses.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Enriched => "enriched",
            Verdict::Unchanged => "unchanged",
            Verdict::Skipped(_) => "skipped",
            Verdict::Failed => "failed",
        }
    }

    /// Why a lead was skipped or failed, as one word.
    pub fn reason(self) -> Option<&'static str> {
        match self {
            Verdict::Enriched | Verdict::Unchanged => None,
            Verdict::Skipped(Skip::NoText) => Some("no_site_text"),
            Verdict::Skipped(Skip::TextDeleted) => Some("site_text_deleted"),
            Verdict::Skipped(Skip::AlreadyEnriched) => Some("already_enriched"),
            Verdict::Skipped(Skip::InProgress) => Some("in_progress"),
            Verdict::Skipped(Skip::Allowance) => Some(ALLOWANCE),
            Verdict::Failed => Some("provider_failed"),
        }
    }
}

/// What enriching a lead did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enriched {
    /// What it did to the lead.
    pub verdict: Verdict,
    /// Names and addresses that were not found in the text, and dropped.
    pub rejected: i64,
    /// `rules`, or a model's name.
    pub engine: String,
}

/// A lead's row in a job: it is settled in the transaction that saves the lead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<'a> {
    pub(super) lease: &'a Lease,
    pub(super) lead: LeadId,
}

/// Why an enrichment stops before its end.
const ALLOWANCE: &str = "allowance_used_up";

/// An enrichment of a search, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, from_row::FromRow)]
pub struct Enrichment {
    /// Also the holder of the uses that it reserves.
    #[row(try_from = "String")]
    pub id: EnrichmentId,
    /// The account that pays.
    #[row(try_from = "String", rename = "account_id")]
    pub account: AccountId,
    /// The search whose leads it enriches.
    #[row(try_from = "String", rename = "search_id")]
    pub search: SearchId,
    /// Never [`Status::None`].
    #[row(try_from = "String")]
    pub status: Status,
    /// Why it ended before every lead was looked at; `None` otherwise.
    pub stopped_because: Option<String>,
    /// `rules`, or the model that answered last.
    pub engine: String,
    /// Names and addresses that the model made up: they were not found in the text.
    pub rejected_ungrounded: i64,
    /// The time of the request.
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
