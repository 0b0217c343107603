//! E-mails: at the end of a search that was started with `notify`, and those that carry a link to sign in.
//!
//! The transaction that ends the search puts it into the outbox, so that no end is missed and none is announced twice. A
//! worker sends it under a lease, retries when that fails, and gives up after a night. When a process dies between the
//! mail server's acceptance and its own note of it, the same e-mail is sent again, under the same Message-ID.

mod announce;
mod compose;
mod compose_letter;
mod post;
mod send;
mod store;

pub use announce::announce;
pub use post::{PostError, roots};
pub use send::{TRIES_MAX, send, send_letter};
pub use store::{MailProgress, MailState, OutboxMail, UnknownState, find};

use crate::ids::{AccountId, SearchId};

/// How long an e-mail is leased: longer than sending it may take, so that the lease need not be renewed.
const LEASE_SECONDS: i64 = 120;
/// The longest wait between two tries.
const WAIT_SECONDS_MAX: i64 = 60 * 60;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndingKind {
    /// It found what it was asked for, or all there is.
    Done,
    /// A request stopped it.
    Cancelled,
    /// An error ended it; see `failure_reason`.
    Failed,
}

/// The end of a search: what the e-mail says.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Ending {
    /// Each search has one ending.
    pub search: SearchId,
    /// The account whose address the e-mail goes to.
    pub account: AccountId,
    /// Decides subject and first line.
    pub outcome: EndingKind,
    /// As it was typed.
    pub industry: String,
    /// As it was typed.
    pub location: String,
    /// Leads it could deliver at most.
    pub requested: i64,
    /// Leads delivered, each for one credit.
    pub leads_found: i64,
    /// Leads with at least one email address.
    pub emails_found: i64,
    /// A sentence for the customer; only when it failed.
    pub failure_reason: Option<String>,
}

/// The folder for e-mails, inside the data folder, when no mail server is set.
pub const OUTBOX_FOLDER: &str = "outbox";
