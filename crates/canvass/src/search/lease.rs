//! Who works on a search: a lease that must be renewed, and an epoch that tells a late worker it has lost it.

use super::store;
use crate::app::App;
use crate::db::DbError;
use crate::ids::SearchId;

/// The longest a search waits for its next try.
pub(super) const RETRY_SECONDS_MAX: i64 = 60;

/// The right to work on a search, until it runs out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// Which search.
    pub search: SearchId,
    /// How often it has been taken: every write names this.
    pub epoch: i64,
}

/// Renews a lease. `false` when it is lost: the search has ended, or somebody else has it.
pub(super) async fn renew(app: &App, lease: &Lease) -> Result<bool, DbError> {
    let until = app.clock.now().plus_seconds(app.settings.lease_seconds);
    let mut tx = app.db.begin().await?;
    let renewed = store::renew(&mut tx, lease, until).await?;
    tx.commit().await?;
    Ok(renewed)
}

/// Gives a lease back, to be taken by anyone in so many seconds, at most [`RETRY_SECONDS_MAX`].
pub(super) async fn hand_back(app: &App, lease: &Lease, seconds: i64, troubles: i64) -> Result<(), DbError> {
    let mut tx = app.db.begin().await?;
    let from = app.clock.now().plus_seconds(seconds.min(RETRY_SECONDS_MAX));
    store::hand_back(&mut tx, lease, from, troubles).await?;
    tx.commit().await
}
