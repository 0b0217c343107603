//! Deletes an account with everything that is stored of it.

use super::store;
use crate::app::App;
use crate::db::DbError;
use crate::search::{self, History, Status};
use crate::session::AuthenticatedSession;
use crate::sign_in::{self, ConfirmError};

/// The account stays.
#[derive(Debug, thiserror::Error)]
pub enum DeleteError {
    /// Nobody has proved that this is the owner.
    #[error(transparent)]
    Unconfirmed(#[from] ConfirmError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Deletes the account of a signed-in person, for good. Whoever has just come by a link needs no password.
pub async fn delete(app: &App, by: &AuthenticatedSession, password: Option<String>) -> Result<(), DeleteError> {
    if !by.may_set_password(app.clock.now()) {
        sign_in::confirm(app, by, password.unwrap_or_default()).await?;
    }
    // Workers of these searches find nothing to write to, and go on to others.
    let running = History { status: Some(Status::Running), ..History::default() };
    for search in search::history(&app.db, by.account.id, running).await? {
        search::stop(app, by.account.id, search.id).await?;
    }
    let mut tx = app.db.begin().await?;
    store::delete(&mut tx, by.account.id).await?;
    tx.commit().await?;
    tracing::info!(account.id = %by.account.id, "an account was deleted by its owner");
    Ok(())
}
