//! Waits for an enrichment to end, for as long as a client may.

use std::time::Duration;

use super::store;
use crate::app::App;
use crate::db::DbError;
use crate::ids::EnrichmentId;
use crate::owned::Owned;
use crate::search::Search;

/// How often a waiter looks by itself, while other processes' changes are not heard.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// How often it looks while they are heard, in case one was missed.
const LOOK_EVERY_HEARING: Duration = Duration::from_secs(5);

/// Waits until an enrichment of a search has ended, at most `at_most`. `false` when it still runs then. One that has already
/// ended is seen even with no time to wait.
pub async fn wait(app: &App, search: &Owned<Search>, id: EnrichmentId, at_most: Duration) -> Result<bool, DbError> {
    if !store::is_running(&app.db, search.id, id).await? {
        return Ok(true);
    }
    let waited = tokio::time::timeout(at_most, async {
        let (mut moved, mut anything) = (app.bell.listen(search.id), app.bell.anything());
        while store::is_running(&app.db, search.id, id).await? {
            let every = if app.bell.hears_others() { LOOK_EVERY_HEARING } else { LOOK_EVERY };
            tokio::select! {
                () = moved.rung() => {}
                () = anything.rung() => {}
                () = tokio::time::sleep(every) => {}
            }
        }
        Ok(())
    });
    match waited.await {
        Ok(ended) => ended.map(|()| true),
        Err(_) => Ok(false),
    }
}
