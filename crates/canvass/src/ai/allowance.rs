//! What pays for AI features: the plan's monthly allowance, then packs, then the account's own key.

use super::metered::Feature;
use super::store;
use crate::account::Account;
use crate::app::App;
use crate::db::DbError;

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
    let month = app.clock.now().month();
    let used = store::used(&app.db, account.id, feature, &month).await?;
    let balance = store::balance(&app.db, account.id).await?;
    let included = feature.included(app.settings.plans.of(account.tier));
    Ok(Allowance {
        plan: (included - used).max(0),
        pack: balance.as_ref().map_or(0, |balance| balance.pack),
        has_own_key: balance.is_some_and(|balance| balance.own_key.is_some()),
    })
}
