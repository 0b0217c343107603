//! Metered features, what pays for a use of one, and the hold under which a use is reserved.

use crate::ids::AccountId;
use crate::plan::Plan;

/// How long a holder is believed to be alive without renewing its hold.
pub(super) const HELD_SECONDS: i64 = 15;

/// A metered feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// Owner and best email of a lead.
    Enrich,
    /// The opening of an email.
    Intro,
}

impl Feature {
    /// Its name in the database.
    pub fn name(self) -> &'static str {
        match self {
            Feature::Enrich => "enrich",
            Feature::Intro => "intro",
        }
    }

    /// Uses that a plan includes each month.
    pub fn included(self, plan: &Plan) -> i64 {
        match self {
            Feature::Enrich => plan.ai_enrich,
            Feature::Intro => plan.ai_intro,
        }
    }
}

/// What pays for a use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaidBy {
    /// The plan's monthly allowance.
    Plan,
    /// A pack that the operator granted.
    Pack,
    /// The customer, at the provider: nothing is metered.
    Own,
}

impl PaidBy {
    /// Every source, in the order in which they are asked.
    pub const ALL: [PaidBy; 3] = [PaidBy::Plan, PaidBy::Pack, PaidBy::Own];

    /// Its name in the database.
    pub fn name(self) -> &'static str {
        match self {
            PaidBy::Plan => "plan",
            PaidBy::Pack => "pack",
            PaidBy::Own => "own",
        }
    }
}

/// A stored value that this version does not know.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0:?} is not known to this version")]
pub struct UnknownSource(String);

impl TryFrom<String> for PaidBy {
    type Error = UnknownSource;

    fn try_from(text: String) -> Result<Self, UnknownSource> {
        PaidBy::ALL.into_iter().find(|source| source.name() == text).ok_or(UnknownSource(text))
    }
}

/// The right to one use, until it is spent or given back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// The account that pays.
    pub account: AccountId,
    /// Decides which allowance pays.
    pub feature: Feature,
    /// A lead's id, or one request's: paid for once.
    pub subject: String,
    /// What pays for it.
    pub source: PaidBy,
    pub(super) holder: String,
    pub(super) month: String,
}
