//! The e-mail at the end of a search, when somebody asked for one.
//!
//! It is put into the outbox by the transaction that ends the search, so no end goes untold and none is told twice. A
//! worker sends it under a lease, tries again when that fails, and gives up after a night. A process that dies behind the
//! mail server's yes and before its own note of it sends the same e-mail again, under the same Message-ID.

mod announce;
mod compose;
mod post;
mod send;
mod store;

pub use announce::announce;
pub use post::{PostError, roots};
pub use send::{TRIES_MAX, send_due};
pub use store::{Posted, State, find};

use crate::ids::{AccountId, SearchId};

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// By itself.
    Done,
    /// Somebody stopped it.
    Cancelled,
    /// It could not go on.
    Failed,
}

/// The end of a search, as it is told.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Ending {
    /// Which search.
    pub search: SearchId,
    /// Whose it is.
    pub account: AccountId,
    /// How it ended.
    pub outcome: Outcome,
    /// What was looked for.
    pub industry: String,
    /// Where.
    pub location: String,
    /// Leads it was to deliver at most.
    pub requested: i64,
    /// Leads delivered.
    pub leads_found: i64,
    /// Those with an email.
    pub emails_found: i64,
    /// What went wrong.
    pub failure_reason: Option<String>,
}

/// The folder for e-mails, inside the data folder, when no mail server is set.
pub const OUTBOX_FOLDER: &str = "outbox";
