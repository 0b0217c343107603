//! Stops a running search. Once this has answered, nothing more is delivered or charged.

use super::{Status, StoppedBecause, finish, store};
use crate::app::App;
use crate::db::DbError;
use crate::ids::{AccountId, SearchId};

/// What stopping did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// Which search.
    pub search: SearchId,
    /// Whether this is what ended it.
    pub stopped: bool,
    /// Where it stands now.
    pub status: Status,
}

/// Stops a search of the account. `None` when it has no such search.
pub async fn stop(app: &App, account: AccountId, search: SearchId) -> Result<Option<Stopped>, DbError> {
    let mut tx = app.db.begin().await?;
    let Some(found) = store::find_in(&mut tx, account, search).await? else { return Ok(None) };
    let end = finish::End {
        status: Status::Cancelled,
        because: StoppedBecause::Cancelled,
        failure_reason: None,
        at: app.clock.now(),
    };
    // The guard, not what was read before it, says who ended the search.
    let stopped = store::end(&mut tx, search, None, &end).await?;
    let status = if stopped {
        Status::Cancelled
    } else {
        store::find_in(&mut tx, account, search).await?.map_or(found.status, |found| found.status)
    };
    tx.commit().await?;
    if stopped {
        app.bell.ring(search);
    }
    Ok(Some(Stopped { search, stopped, status }))
}
