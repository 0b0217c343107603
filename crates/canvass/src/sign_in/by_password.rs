//! Signs a person in by e-mail address and password.

use super::Client;
use super::throttle::{self, Throttled};
use crate::account::{self, Email};
use crate::activity::{self, Kind};
use crate::app::App;
use crate::db::DbError;
use crate::password;
use crate::session::{self, NewSession, SessionToken};

/// Nobody was signed in.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// No account has this address, or this is not its password; which of the two is not said.
    #[error("the e-mail address or the password is wrong")]
    Wrong,
    /// There were too many attempts.
    #[error(transparent)]
    Throttled(#[from] Throttled),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Opens a session for whoever knows the password. An unknown address takes as long as a wrong password.
pub async fn sign_in(
    app: &App,
    email: &Email,
    password: String,
    client: &Client<'_>,
) -> Result<SessionToken, SignInError> {
    throttle::count(app, email, client).await??;
    let account = account::by_email(&app.db, email).await?;
    let hash = match &account {
        Some(account) => password::store::find(&app.db, account.id).await?,
        None => None,
    };
    let is_right = password::verify(password, hash).await;
    let Some(account) = account else { return Err(SignInError::Wrong) };
    let mut tx = app.db.begin().await?;
    if !is_right {
        activity::record(&mut tx, app, account.id, Kind::SignInFailed.by(client.device)).await?;
        tx.commit().await?;
        return Err(SignInError::Wrong);
    }
    let new = NewSession { account: account.id, device: client.device, by_link: false };
    let token = session::open(&mut tx, app, new).await?;
    activity::record(&mut tx, app, account.id, Kind::SignedIn.by(client.device)).await?;
    tx.commit().await?;
    throttle::forgive(app, email, client).await?;
    Ok(token)
}
