//! Signing out: of this session, of another device, of all.

use super::{AuthenticatedSession, store};
use crate::activity::{self, Kind};
use crate::app::App;
use crate::db::DbError;
use crate::ids::SessionId;

/// Ends a person's own session.
pub async fn sign_out(app: &App, by: &AuthenticatedSession) -> Result<(), DbError> {
    let mut tx = app.db.begin().await?;
    store::end(&mut tx, by.account.id, by.session, app.clock.now()).await?;
    activity::record(&mut tx, app, by.account.id, Kind::SignedOut.by(&by.device)).await?;
    tx.commit().await
}

/// Ends another session of the same person. `false` when there is none with this id.
pub async fn sign_out_device(app: &App, by: &AuthenticatedSession, session: SessionId) -> Result<bool, DbError> {
    let mut tx = app.db.begin().await?;
    let Some(device) = store::end(&mut tx, by.account.id, session, app.clock.now()).await? else { return Ok(false) };
    activity::record(&mut tx, app, by.account.id, Kind::SignedOut.by(&by.device).about(&device)).await?;
    tx.commit().await?;
    Ok(true)
}

/// Ends every session of a person, this one too, and says how many there were.
pub async fn sign_out_everywhere(app: &App, by: &AuthenticatedSession) -> Result<u64, DbError> {
    let mut tx = app.db.begin().await?;
    let ended = store::end_all(&mut tx, by.account.id, app.clock.now()).await?;
    activity::record(&mut tx, app, by.account.id, Kind::SignedOutEverywhere.by(&by.device)).await?;
    tx.commit().await?;
    Ok(ended)
}
