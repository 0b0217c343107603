//! Revokes an API key, at once and for good.

use super::{Key, store};
use crate::activity::{self, Kind};
use crate::app::App;
use crate::db::DbError;
use crate::ids::KeyId;
use crate::session::AuthenticatedSession;

/// Revokes any key, for the operator. `None` when there is none with this id.
pub async fn revoke(app: &App, key: KeyId) -> Result<Option<Key>, DbError> {
    let mut tx = app.db.begin().await?;
    let revoked = store::revoke(&mut tx, key, None, app.clock.now()).await?;
    tx.commit().await?;
    Ok(revoked)
}

/// Revokes a key of a signed-in person. `false` when none of theirs has this id.
pub async fn revoke_by(app: &App, by: &AuthenticatedSession, key: KeyId) -> Result<bool, DbError> {
    let mut tx = app.db.begin().await?;
    let account = by.account.id;
    let Some(revoked) = store::revoke(&mut tx, key, Some(account), app.clock.now()).await? else { return Ok(false) };
    activity::record(&mut tx, app, account, Kind::KeyRevoked.by(&by.device).about(&revoked.name)).await?;
    tx.commit().await?;
    Ok(true)
}
