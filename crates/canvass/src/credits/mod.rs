//! The credit ledger: what an account was given and what it spent, line by line, append-only.
//!
//! A balance is the sum of its lines, always, and never below zero. `docs/ledger.md` says what holds at each crash
//! point. Nothing here knows what a search is: it sees an account, an amount, a reason and a subject.

mod audit;
mod charge;
mod grant;
pub(crate) mod store;

pub use audit::audit;
pub use charge::{Charge, charge};
pub use grant::{GrantError, grant};
pub use store::{count, page};

use crate::clock::Moment;
use crate::ids::AccountId;

/// The highest balance: far below what a JSON number represents exactly.
pub const BALANCE_MAX: i64 = 1_000_000_000_000;

/// Why a balance changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The operator gave or took credits.
    Grant,
    /// The plan's monthly credits.
    Refill,
    /// A lead was delivered.
    Lead,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Reason; 3] = [Reason::Grant, Reason::Refill, Reason::Lead];

    /// Its name in the ledger.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Grant => "grant",
            Reason::Refill => "refill",
            Reason::Lead => "lead",
        }
    }
}

/// A reason unknown to this version: a newer one wrote it.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0:?} is no reason this version knows")]
pub struct UnknownReason(String);

impl TryFrom<String> for Reason {
    type Error = UnknownReason;

    fn try_from(text: String) -> Result<Self, UnknownReason> {
        Reason::ALL.into_iter().find(|reason| reason.name() == text).ok_or(UnknownReason(text))
    }
}

/// A change of a balance before it is written.
#[derive(Clone, Debug)]
pub struct LedgerEntry {
    /// Credits gained, or spent when below zero.
    pub amount: i64,
    /// Together with the subject it is unique within a ledger.
    pub reason: Reason,
    /// What it is for, such as a lead's id; `None` for grants.
    pub subject: Option<String>,
    /// The operator's remark.
    pub note: Option<String>,
}

/// A written line of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, from_row::FromRow)]
pub struct LedgerLine {
    /// Sequence number within the account, from 1.
    pub line: i64,
    /// Credits gained, or spent when below zero.
    pub amount: i64,
    /// The balance after it.
    pub balance: i64,
    /// What changed the balance.
    #[row(try_from = "String")]
    pub reason: Reason,
    /// What it is for, such as a lead's id; `None` for grants.
    pub subject: Option<String>,
    /// The operator's remark.
    pub note: Option<String>,
    /// When it was written.
    pub created_at: Moment,
}

/// What is to be paid, one credit for each subject.
#[derive(Clone, Copy, Debug)]
pub struct Bill<'a> {
    /// Written into every line.
    pub reason: Reason,
    /// What is paid for, in the order of payment.
    pub subjects: &'a [String],
    /// Written into every line.
    pub at: Moment,
}

/// An account whose balance and ledger disagree. There must never be one.
#[derive(Clone, Debug, PartialEq, Eq, from_row::FromRow)]
pub struct Discrepancy {
    /// The account with the wrong balance.
    #[row(try_from = "String")]
    pub account: AccountId,
    /// As stored with the account.
    pub balance: i64,
    /// Sum of its lines.
    pub ledger: i64,
}
