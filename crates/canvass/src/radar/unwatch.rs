//! Stops watching a business.

use super::store;
use crate::app::App;
use crate::db::DbError;
use crate::ids::{AccountId, WatchId};

/// Stops watching, and says how many businesses are still watched. `None` when the account has no such watch. A check
/// that is under way finds its watch gone and tells nothing; alerts told before stay.
pub async fn unwatch(app: &App, account: AccountId, watch: WatchId) -> Result<Option<i64>, DbError> {
    let mut tx = app.db.begin().await?;
    if !store::delete(&mut tx, account, watch).await? {
        return Ok(None);
    }
    let used = store::count(&mut tx, account).await?;
    tx.commit().await?;
    Ok(Some(used))
}
