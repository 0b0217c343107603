//! Suppresses businesses: puts them on the list, then removes what is stored of them.

use super::Removed;
use super::blank::remove_stored;
use crate::app::App;
use crate::db::DbError;
use crate::suppression::{self, Criteria, Entry};

/// What suppressing did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suppressed {
    /// Entries that were not on the list before.
    pub added: u64,
    /// What was stored of them.
    pub removed: Removed,
}

/// Puts entries on the list, all or none, and then removes what is stored of the businesses they cover. When the removal is
/// interrupted, the list has them already; suppressing them again finishes it.
pub async fn suppress(app: &App, entries: &[Entry], note: Option<&str>) -> Result<Suppressed, DbError> {
    let added = suppression::add(&app.db, entries, note, app.clock.now()).await?;
    app.suppressions.forget().await;
    let removed = remove_stored(app, &Criteria::of(entries, None)).await?;
    Ok(Suppressed { added, removed })
}
