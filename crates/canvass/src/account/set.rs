//! Changes an account's plan and add-ons.

use super::{Account, Email, store};
use crate::app::App;
use crate::db::DbError;
use crate::plan::{AddOn, Tier};

/// What to change; `None` and empty leave things as they are.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// The new plan.
    pub tier: Option<Tier>,
    /// Add-ons to give.
    pub add: Vec<AddOn>,
    /// Add-ons to take away.
    pub remove: Vec<AddOn>,
}

/// The account cannot be changed.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    /// No account has that address.
    #[error("there is no account for {0}; `canvass account list` shows all accounts")]
    NotFound(Email),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Changes an account and returns it as it is now.
pub async fn set(app: &App, email: &Email, change: Change) -> Result<Account, SetError> {
    let mut tx = app.db.begin().await?;
    let found = store::by_email(&mut tx, email).await?;
    let mut account = found.ok_or_else(|| SetError::NotFound(email.clone()))?;
    account.tier = change.tier.unwrap_or(account.tier);
    let after = |add_on, before: bool| (before || change.add.contains(&add_on)) && !change.remove.contains(&add_on);
    account.signals_plus = after(AddOn::SignalsPlus, account.signals_plus);
    account.radar = after(AddOn::Radar, account.radar);
    store::update(&mut tx, &account).await?;
    tx.commit().await?;
    Ok(account)
}
