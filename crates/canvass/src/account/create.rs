//! Opens an account with its first credits.

use super::local::is_local;
use super::{Account, Email, store};
use crate::app::App;
use crate::credits::{self, Entry, Reason};
use crate::db::DbError;
use crate::plan::{AddOn, Tier};

/// What an account starts with.
#[derive(Clone, Debug)]
pub struct NewAccount {
    /// Its address.
    pub email: Email,
    /// Its plan.
    pub tier: Tier,
    /// Its first credits; the plan's monthly ones when not said.
    pub credits: Option<i64>,
    /// What it has beside the plan.
    pub add_ons: Vec<AddOn>,
}

/// The account cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// Somebody has that address.
    #[error("there is already an account for {0}")]
    Taken(Email),
    /// The address is not for customers.
    #[error("{0} is reserved for `canvass find`; choose another address")]
    Reserved(Email),
    /// A balance is never below zero, nor beyond what can be counted.
    #[error("an account starts with 0 to {} credits", credits::BALANCE_MAX)]
    Credits,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Opens an account; the account and its first ledger line commit together.
pub async fn create(app: &App, new: NewAccount) -> Result<Account, CreateError> {
    if is_local(&new.email) {
        return Err(CreateError::Reserved(new.email));
    }
    open(app, new).await
}

/// The same, under any address.
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
        let entry = Entry { amount: first, reason: Reason::Grant, subject: None, note: Some("first credits".into()) };
        credits::store::add(&mut tx, account.id, entry, now).await?;
    }
    tx.commit().await?;
    Ok(account)
}
