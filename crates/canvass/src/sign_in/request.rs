//! Requests that are answered by a letter. What they answer never says whether an address has an account.

use super::issue::send;
use super::link::{AccessLink, Purpose};
use super::throttle::{self, Throttled};
use super::{Client, Letter};
use crate::account::{self, Email};
use crate::activity::{self, Kind};
use crate::app::App;
use crate::config::SignUp;
use crate::db::DbError;
use crate::password::{self, Password, WeakPassword};
use crate::session::AuthenticatedSession;

/// Nobody can sign up this way.
#[derive(Debug, thiserror::Error)]
pub enum SignUpError {
    /// The operator does not want it.
    #[error("accounts on this server are opened by its operator; ask them for a link")]
    NotOpen,
    /// The password would be guessed.
    #[error(transparent)]
    Weak(#[from] WeakPassword),
    /// There were too many requests.
    #[error(transparent)]
    Throttled(#[from] Throttled),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Nobody has proved that it is the owner who asks.
#[derive(Debug, thiserror::Error)]
pub enum ConfirmError {
    /// The password is wrong.
    #[error("that is not your password")]
    Wrong,
    /// There were too many requests.
    #[error(transparent)]
    Throttled(#[from] Throttled),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Sends a link that opens an account with this password. An address that has one gets a link to sign in instead.
pub async fn sign_up(app: &App, email: &Email, password: &str, client: &Client<'_>) -> Result<(), SignUpError> {
    if app.settings.sign_up != SignUp::Open {
        return Err(SignUpError::NotOpen);
    }
    let password = Password::parse(password, email.as_str())?;
    throttle::count(app, email, client).await??;
    let password_hash = Some(password::hash(password).await);
    let link = match account::by_email(&app.db, email).await? {
        Some(account) => AccessLink::new(app, Purpose::SignIn, Some(account.id), email),
        None => AccessLink { password_hash, ..AccessLink::new(app, Purpose::SignUp, None, email) },
    };
    Ok(queue(app, &link, None).await?)
}

/// Sends a link to set a new password, if the address has an account.
pub async fn forgot(app: &App, email: &Email, client: &Client<'_>) -> Result<Result<(), Throttled>, DbError> {
    if let Err(throttled) = throttle::count(app, email, client).await? {
        return Ok(Err(throttled));
    }
    if let Some(account) = account::by_email(&app.db, email).await? {
        let link = AccessLink::new(app, Purpose::Reset, Some(account.id), email);
        queue(app, &link, Some(Kind::ResetRequested.by(client.device))).await?;
    }
    Ok(Ok(()))
}

/// Sends a link to a new address; opening it gives the account that address.
pub async fn change_email(
    app: &App,
    by: &AuthenticatedSession,
    email: &Email,
    password: String,
) -> Result<(), ConfirmError> {
    confirm(app, by, password).await?;
    let link = AccessLink::new(app, Purpose::Email, Some(by.account.id), email);
    Ok(queue(app, &link, None).await?)
}

/// Checks the password of a signed-in person before something that cannot be undone.
pub async fn confirm(app: &App, by: &AuthenticatedSession, password: String) -> Result<(), ConfirmError> {
    // Whoever found a browser open may guess no better than elsewhere.
    let session = by.session.to_string();
    let client = &Client { address: &session, device: &by.device };
    throttle::count(app, &by.account.email, client).await??;
    let hash = password::store::find(&app.db, by.account.id).await?;
    if !password::verify(password, hash).await {
        return Err(ConfirmError::Wrong);
    }
    Ok(throttle::forgive(app, &by.account.email, client).await?)
}

async fn queue(app: &App, link: &AccessLink, happened: Option<activity::NewActivity<'_>>) -> Result<(), DbError> {
    let mut tx = app.db.begin().await?;
    send(&mut tx, link).await?;
    if let (Some(happened), Some(account)) = (happened, link.account()) {
        activity::record(&mut tx, app, account, happened).await?;
    }
    tx.commit().await?;
    app.bell.ring_work::<Letter>();
    Ok(())
}
