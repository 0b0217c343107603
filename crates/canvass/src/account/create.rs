//! Opens an account with its first credits.

use super::{Account, Email, store};
use crate::app::App;
use crate::credits::{self, LedgerEntry, Reason};
use crate::db::DbError;
use crate::plan::{AddOn, Tier};

/// What an account starts with.
#[derive(Clone, Debug)]
pub struct NewAccount {
    /// Must not belong to another account.
    pub email: Email,
    /// Decides the plan.
    pub tier: Tier,
    /// Initial balance; the plan's monthly credits when `None`.
    pub credits: Option<i64>,
    /// Bought beside the plan.
    pub add_ons: Vec<AddOn>,
}

/// The account cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// Another account has that address.
    #[error("there is already an account for {0}")]
    Taken(Email),
    /// The address is reserved.
    #[error("{0} is reserved for `canvass find`; choose another address")]
    Reserved(Email),
    /// The initial balance is negative or above the maximum.
    #[error("an account starts with 0 to {} credits", credits::BALANCE_MAX)]
    Credits,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Opens an account; the account and its first ledger line commit together.
pub async fn create(app: &App, new: NewAccount) -> Result<Account, CreateError> {
    if new.email.is_local() {
        return Err(CreateError::Reserved(new.email));
    }
    open(app, new).await
}

/// Opens an account under any address, the reserved one included.
pub(super) async fn open(app: &App, new: NewAccount) -> Result<Account, CreateError> {
    let now = app.clock.now();
    let first = new.credits.unwrap_or(app.settings.plans.of(new.tier).monthly_credits);
    if !(0..=credits::BALANCE_MAX).contains(&first) {
        return Err(CreateError::Credits);
    }
    let account = Account {
        id: app.ids.next(now),
        signals_plus: new.add_ons.contains(&AddOn::SignalsPlus),
        radar: new.add_ons.contains(&AddOn::Radar),
        email: new.email,
        tier: new.tier,
        credits: first,
        refill_at: now.plus_month(),
        created_at: now,
    };
    let mut tx = app.db.begin().await?;
    if !store::insert(&mut tx, &account).await? {
        return Err(CreateError::Taken(account.email));
    }
    if first > 0 {
        let entry =
            LedgerEntry { amount: first, reason: Reason::Grant, subject: None, note: Some("first credits".into()) };
        credits::store::add(&mut tx, account.id, entry, now).await?;
    }
    tx.commit().await?;
    Ok(account)
}
