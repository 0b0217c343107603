//! Opens a link: once, in time, by whoever holds it.

use super::link::{AccessLink, LinkToken, Purpose};
use super::store;
use crate::account::{self, Account, Email, NewAccount};
use crate::activity::{self, Kind};
use crate::app::App;
use crate::db::{DbError, Tx};
use crate::ids::AccountId;
use crate::password;
use crate::plan::Tier;
use crate::session::{self, NewSession, SessionToken};

/// What a link opened.
#[derive(Clone, Debug)]
pub struct Redeemed {
    /// What it was for.
    pub purpose: Purpose,
    /// The address of the account now.
    pub email: Email,
    /// Whether the account has a password.
    pub has_password: bool,
    /// The session that it opened.
    pub token: SessionToken,
}

/// A link that opens nothing.
#[derive(Debug, thiserror::Error)]
pub enum RedeemError {
    /// It was not made by this server, or was deleted long after it expired.
    #[error("this link is not known here; check that it was copied whole, or ask for a new one")]
    Unknown,
    /// It was opened before.
    #[error("this link was used already, and works once; sign in, or ask for a new one")]
    Used,
    /// Its time has passed.
    #[error("this link has expired; ask for a new one")]
    Expired,
    /// The address got an account since the link was made.
    #[error("there is already an account for {0}; sign in, or ask for a new password")]
    Taken(Email),
    /// The server's secret cannot be read.
    #[error("the server's secret cannot be read")]
    Secret(#[from] std::io::Error),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Opens a link, and with it a session.
pub async fn redeem(app: &App, token: &str, device: &str) -> Result<Redeemed, RedeemError> {
    let id = LinkToken::open(app, token)?.ok_or(RedeemError::Unknown)?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let Some(link) = store::use_link(&mut tx, id, now).await? else {
        return Err(match store::find_link(&mut tx, id).await? {
            None => RedeemError::Unknown,
            Some(link) if link.used_at.is_some() => RedeemError::Used,
            Some(_) => RedeemError::Expired,
        });
    };
    let account = match link.account() {
        None => open_account(&mut tx, app, &link).await?,
        Some(account) => account::find(&mut tx, account).await?.ok_or(RedeemError::Unknown)?,
    };
    let email = match link.purpose {
        Purpose::Email => change_email(&mut tx, app, &account, &link).await?,
        _ => account.email.clone(),
    };
    let token = signed_in(&mut tx, app, account.id, device).await?;
    let has_password = password::is_set(&mut tx, account.id).await?;
    tx.commit().await?;
    Ok(Redeemed { purpose: link.purpose, email, has_password, token })
}

async fn signed_in(tx: &mut Tx, app: &App, account: AccountId, device: &str) -> Result<SessionToken, DbError> {
    activity::record(tx, app, account, Kind::SignedInByLink.by(device)).await?;
    session::open(tx, app, NewSession { account, device, by_link: true }).await
}

async fn open_account(tx: &mut Tx, app: &App, link: &AccessLink) -> Result<Account, RedeemError> {
    let new = NewAccount { email: link.email.clone(), tier: Tier::Free, credits: None, add_ons: Vec::new() };
    let account = account::open_in(tx, app, new).await?.ok_or_else(|| RedeemError::Taken(link.email.clone()))?;
    if let Some(hash) = &link.password_hash {
        password::store::update(tx, account.id, hash).await?;
    }
    Ok(account)
}

async fn change_email(tx: &mut Tx, app: &App, account: &Account, link: &AccessLink) -> Result<Email, RedeemError> {
    if account::by_email(&mut *tx, &link.email).await?.is_some() {
        return Err(RedeemError::Taken(link.email.clone()));
    }
    account::store::update_email(tx, account.id, &link.email).await?;
    let changed = format!("{} to {}", account.email, link.email);
    activity::record(tx, app, account.id, Kind::EmailChanged.about(&changed)).await?;
    Ok(link.email.clone())
}
