//! What pays for AI features: the plan's monthly allowance, then packs, then the account's own key.

use super::store;
use crate::account::Account;
use crate::app::App;
use crate::clock::Moment;
use crate::db::DbError;
use crate::ids::AccountId;
use crate::plan::Plan;

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
pub enum Source {
    /// The plan's monthly allowance.
    Plan,
    /// A pack that the operator granted.
    Pack,
    /// The customer, at the provider: nothing is metered.
    Own,
}

impl Source {
    /// Every source, in the order in which they are asked.
    pub const ALL: [Source; 3] = [Source::Plan, Source::Pack, Source::Own];

    /// Its name in the database.
    pub fn name(self) -> &'static str {
        match self {
            Source::Plan => "plan",
            Source::Pack => "pack",
            Source::Own => "own",
        }
    }
}

/// Something only a newer version could have written.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0:?} is no source this version knows")]
pub struct UnknownSource(String);

impl TryFrom<String> for Source {
    type Error = UnknownSource;

    fn try_from(text: String) -> Result<Self, UnknownSource> {
        Source::ALL.into_iter().find(|source| source.name() == text).ok_or(UnknownSource(text))
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
    pub source: Source,
    pub(super) holder: String,
    pub(super) month: String,
}

/// What is left of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Uses left of the plan's allowance this month.
    pub plan: i64,
    /// Uses left of granted packs.
    pub pack: i64,
    /// Whether the account has a key of its own for what goes beyond.
    pub has_own_key: bool,
}

impl Allowance {
    /// Uses left of plan and packs.
    pub fn left(self) -> i64 {
        self.plan + self.pack
    }

    /// Whether one more use is possible.
    pub fn allows_more(self) -> bool {
        self.left() > 0 || self.has_own_key
    }
}

/// What an account has left of a feature.
pub async fn remaining(app: &App, account: &Account, feature: Feature) -> Result<Allowance, DbError> {
    let month = month_of(app.clock.now());
    let used = store::used(&app.db, account.id, feature, &month).await?;
    let balance = store::balance(&app.db, account.id).await?;
    let included = feature.included(app.settings.plans.of(account.tier));
    Ok(Allowance {
        plan: (included - used).max(0),
        pack: balance.as_ref().map_or(0, |balance| balance.pack),
        has_own_key: balance.is_some_and(|balance| balance.own_key.is_some()),
    })
}

/// The calendar month of a moment, in UTC: `2026-11`.
pub(super) fn month_of(moment: Moment) -> String {
    moment.to_string().chars().take(7).collect()
}
