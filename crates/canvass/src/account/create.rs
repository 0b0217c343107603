//! Opens an account with its first credits.

use super::{Account, Email, store};
use crate::app::App;
use crate::credits::{self, LedgerEntry, Reason};
use crate::db::{DbError, Tx};
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
    let account = prepared(app, new);
    if !(0..=credits::BALANCE_MAX).contains(&account.credits) {
        return Err(CreateError::Credits);
    }
    let mut tx = app.db.begin().await?;
    if !insert(&mut tx, &account).await? {
        return Err(CreateError::Taken(account.email));
    }
    tx.commit().await?;
    Ok(account)
}

/// Opens an account with its plan's first credits, as part of another transaction. `None` when the address is taken or
/// reserved.
pub(crate) async fn open_in(tx: &mut Tx, app: &App, new: NewAccount) -> Result<Option<Account>, DbError> {
    let account = prepared(app, new);
    let is_new = !account.email.is_local() && insert(tx, &account).await?;
    Ok(is_new.then_some(account))
}

/// The account before it is stored.
fn prepared(app: &App, new: NewAccount) -> Account {
    let now = app.clock.now();
    Account {
        id: app.ids.next(now),
        signals_plus: new.add_ons.contains(&AddOn::SignalsPlus),
        radar: new.add_ons.contains(&AddOn::Radar),
        email: new.email,
        tier: new.tier,
        credits: new.credits.unwrap_or(app.settings.plans.of(new.tier).monthly_credits),
        refill_at: now.plus_month(),
        created_at: now,
    }
}

/// Stores an account with its first credits. `false` when the address is taken.
async fn insert(tx: &mut Tx, account: &Account) -> Result<bool, DbError> {
    if !store::insert(tx, account).await? {
        return Ok(false);
    }
    if account.credits > 0 {
        let note = Some("first credits".into());
        let entry = LedgerEntry { amount: account.credits, reason: Reason::Grant, subject: None, note };
        credits::store::add(tx, account.id, entry, account.created_at).await?;
    }
    Ok(true)
}
