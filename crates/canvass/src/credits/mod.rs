//! The ledger: what an account was given and what it spent, line by line, never changed afterwards.
//!
//! A balance is the sum of its lines, always, and never below zero. `docs/ledger.md` says what holds at each crash
//! point. Nothing here knows what a search is: it sees an account, an amount, a reason and a subject.

mod audit;
mod charge;
mod grant;
pub(crate) mod store;

pub use audit::{Discrepancy, audit};
pub use charge::{Bill, Charge, charge};
pub use grant::{GrantError, grant};
pub use store::{count, page};

use crate::clock::Moment;

/// The most an account can hold: whatever reads JSON can count to it exactly.
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

/// A reason the ledger does not know; only a newer version could have written it.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0:?} is no reason this version knows")]
pub struct UnknownReason(String);

impl TryFrom<String> for Reason {
    type Error = UnknownReason;

    fn try_from(text: String) -> Result<Self, UnknownReason> {
        Reason::ALL.into_iter().find(|reason| reason.name() == text).ok_or(UnknownReason(text))
    }
}

/// A line before it is written.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Credits gained, or spent when below zero.
    pub amount: i64,
    /// Why.
    pub reason: Reason,
    /// What for; the same reason and subject cannot stand in a ledger twice.
    pub subject: Option<String>,
    /// A word from the operator.
    pub note: Option<String>,
}

/// A line of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Line {
    /// Its number within the account, from 1.
    pub line: i64,
    /// Credits gained, or spent when below zero.
    pub amount: i64,
    /// The balance after it.
    pub balance: i64,
    /// Why.
    #[sqlx(try_from = "String")]
    pub reason: Reason,
    /// What for.
    pub subject: Option<String>,
    /// A word from the operator.
    pub note: Option<String>,
    /// When.
    pub created_at: Moment,
}
