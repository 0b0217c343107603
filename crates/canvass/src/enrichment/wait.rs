//! Waits for an enrichment to end, for as long as a client may.

use std::time::Duration;

use super::store;
use crate::app::App;
use crate::db::DbError;
use crate::ids::EnrichmentId;
use crate::owned::Owned;
use crate::search::Search;

/// How often a waiter looks by itself: another process may do the work.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Waits until an enrichment of a search has ended, at most so long. `false` when it still runs then. One that has ended
/// already is seen even by those who do not wait.
pub async fn wait(app: &App, search: &Owned<Search>, id: EnrichmentId, at_most: Duration) -> Result<bool, DbError> {
    if !store::is_running(&app.db, search.id, id).await? {
        return Ok(true);
    }
    let waited = tokio::time::timeout(at_most, async {
        let mut listener = app.bell.listen(search.id);
        while store::is_running(&app.db, search.id, id).await? {
            tokio::select! {
                () = listener.rung() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
        }
        Ok(())
    });
    match waited.await {
        Ok(ended) => ended.map(|()| true),
        Err(_) => Ok(false),
    }
}
