//! Takes entries off the list.

use super::{Entry, store};
use crate::app::App;
use crate::db::DbError;

/// Entries stay on the list.
#[derive(Debug, thiserror::Error)]
pub enum RemoveError {
    /// Some are not on it. Nothing was removed.
    #[error("not on the suppression list: {}; `canvass suppress list` shows it", .0.join(", "))]
    NotListed(Vec<String>),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Takes all of these entries off the list, or none. What was removed because of them stays removed.
pub async fn remove(app: &App, entries: &[Entry]) -> Result<(), RemoveError> {
    let mut tx = app.db.begin().await?;
    store::change(&mut tx).await?;
    let mut missing = Vec::new();
    for entry in entries {
        if !store::delete(&mut tx, entry).await? {
            missing.push(entry.to_string());
        }
    }
    if !missing.is_empty() {
        return Err(RemoveError::NotListed(missing));
    }
    tx.commit().await?;
    app.suppressions.forget().await;
    Ok(())
}
