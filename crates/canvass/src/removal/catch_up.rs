//! Removes what other processes stored of a business in the very moment in which it was suppressed.

use super::Removed;
use super::blank::remove_stored;
use crate::app::App;
use crate::db::DbError;
use crate::suppression::{self, Criteria, Entry};

/// How long after an entry was added stored rows are looked through for it again, in seconds: far longer than another process
/// takes to notice the entry, and to deliver what it had read before.
const RECENT_SECONDS: i64 = 10 * 60;

/// Removes what was stored of recently suppressed businesses since shortly before they were.
pub async fn catch_up(app: &App) -> Result<Removed, DbError> {
    let recent = suppression::added_since(&app.db, app.clock.now().plus_seconds(-RECENT_SECONDS)).await?;
    let Some(oldest) = recent.first().map(|listed| listed.added_at) else { return Ok(Removed::default()) };
    let entries: Vec<Entry> = recent.into_iter().map(|listed| listed.entry).collect();
    remove_stored(app, &Criteria::of(&entries, Some(oldest.plus_seconds(-RECENT_SECONDS)))).await
}
