//! Who works on a search: a lease that must be renewed, and an epoch that tells a late worker it has lost it.

use super::{Search, store};
use crate::app::App;
use crate::db::DbError;
use crate::ids::SearchId;
use crate::listing::Cursor;

/// Searches looked at when one is to be taken.
const DUE_SEARCHES_MAX: i64 = 16;

/// The longest a search waits for its next try.
pub(super) const RETRY_SECONDS_MAX: i64 = 60;

/// The right to work on a search, until it runs out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// Which search.
    pub search: SearchId,
    /// Who took it.
    pub owner: String,
    /// How often it has been taken: every write names this.
    pub epoch: i64,
}

/// Takes a search that nobody works on. `None` when there is none.
pub async fn take(app: &App, owner: &str) -> Result<Option<(Lease, Search)>, DbError> {
    let now = app.clock.now();
    for due in store::due(&app.db, now, DUE_SEARCHES_MAX).await? {
        let mut tx = app.db.begin().await?;
        let until = now.plus_seconds(app.settings.lease_seconds);
        // Another worker may have been faster; then the next one is tried.
        let Some((epoch, search)) = store::take(&mut tx, due, owner, (now, until)).await? else { continue };
        tx.commit().await?;
        return Ok(Some((Lease { search: due, owner: owner.to_owned(), epoch }, search)));
    }
    Ok(None)
}

/// Renews a lease. `false` when it is lost: the search has ended, or somebody else has it.
pub(super) async fn renew(app: &App, lease: &Lease) -> Result<bool, DbError> {
    let until = app.clock.now().plus_seconds(app.settings.lease_seconds);
    let mut tx = app.db.begin().await?;
    let renewed = store::renew(&mut tx, lease, until).await?;
    tx.commit().await?;
    Ok(renewed)
}

/// How a search is given back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HandBack {
    /// Until it may be taken again; at most [`RETRY_SECONDS_MAX`].
    pub(super) seconds: i64,
    /// Attempts in a row that brought nothing.
    pub(super) failures: i64,
    /// Where its source goes on, when that is not where the search has stored it.
    pub(super) resume_at: Option<Cursor>,
}

/// Gives a lease back, to be taken by anyone.
pub(super) async fn hand_back(app: &App, lease: &Lease, how: HandBack) -> Result<(), DbError> {
    let mut tx = app.db.begin().await?;
    let from = app.clock.now().plus_seconds(how.seconds.min(RETRY_SECONDS_MAX));
    store::hand_back(&mut tx, lease, from, &how).await?;
    tx.commit().await
}
