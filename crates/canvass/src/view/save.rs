//! Keeps a view, or replaces the one of the same name.

use super::{SETTINGS_BYTES_MAX, VIEWS_MAX, View, store};
use crate::account::Account;
use crate::app::App;
use crate::db::DbError;

/// Why a view cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The settings take too much room.
    #[error("a view may take {SETTINGS_BYTES_MAX} bytes at most, and this one takes {0}")]
    TooLarge(usize),
    /// There are too many.
    #[error("an account may keep {VIEWS_MAX} views; delete one first")]
    TooMany,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Keeps a view.
pub async fn save(app: &App, account: &Account, view: &View) -> Result<(), SaveError> {
    if view.settings.len() > SETTINGS_BYTES_MAX {
        return Err(SaveError::TooLarge(view.settings.len()));
    }
    let mut tx = app.db.begin().await?;
    store::put(&mut tx, account.id, view, app.clock.now()).await?;
    // Counted after the write, under its locks: two requests at once cannot both be the last.
    if store::count(&mut tx, account.id).await? > VIEWS_MAX {
        return Err(SaveError::TooMany);
    }
    Ok(tx.commit().await?)
}
