//! Sets the password of a signed-in person.

use super::{Password, WeakPassword, hash, store, verify};
use crate::activity::{self, Kind};
use crate::app::App;
use crate::db::DbError;
use crate::session::{self, AuthenticatedSession};

/// The password stays as it is.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    /// The new one would be guessed.
    #[error(transparent)]
    Weak(#[from] WeakPassword),
    /// The present one is not the one that was typed.
    #[error("that is not your present password; if you forgot it, sign out and ask for a link to set a new one")]
    Wrong,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Sets a password and ends all other sessions of the account. The present password is needed, unless there is none or a link
/// has just proved who this is.
pub async fn set(app: &App, by: &AuthenticatedSession, current: Option<String>, new: &str) -> Result<(), SetError> {
    let account = by.account.id;
    let new = Password::parse(new, by.account.email.as_str())?;
    let known = store::find(&app.db, account).await?;
    if known.is_some() && !by.may_set_password(app.clock.now()) && !verify(current.unwrap_or_default(), known).await {
        return Err(SetError::Wrong);
    }
    let hash = hash(new).await;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    store::update(&mut tx, account, &hash).await?;
    session::store::end_others(&mut tx, account, by.session, now).await?;
    session::store::forbid_set_password(&mut tx, by.session, now).await?;
    activity::record(&mut tx, app, account, Kind::PasswordChanged.by(&by.device)).await?;
    Ok(tx.commit().await?)
}
