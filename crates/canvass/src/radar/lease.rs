//! Who checks a watch: a lease, and an epoch that tells a late worker it has lost it.

use super::check::wait_seconds_max;
use super::{Watch, store};
use crate::app::App;
use crate::clock::Moment;
use crate::db::DbError;
use crate::ids::WatchId;

/// How long a worker that checks a watch is believed to be alive, in seconds: longer than any check takes, so that no
/// lease needs to be renewed.
const LEASE_SECONDS: i64 = 300;

/// The right to write down one check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lease {
    /// Which watch.
    pub(super) watch: WatchId,
    /// How often it has been taken: the write names this.
    pub(super) epoch: i64,
}

/// From when to when a lease lasts, and what a stored time can be at the latest. A later one comes from a clock that was
/// ahead, and is not waited for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) now: Moment,
    pub(super) until: Moment,
    pub(super) until_max: Moment,
    pub(super) next_check_max: Moment,
}

/// A watch that is ours to check.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    pub(super) lease: Lease,
    pub(super) watch: Watch,
}

/// Takes watches that are due, at most so many.
pub(super) async fn take_due(app: &App, owner: &str, limit: i64) -> Result<Vec<Taken>, DbError> {
    let mut tx = app.db.begin().await?;
    store::wait_for_turn(&mut tx).await?;
    let taken = store::take_due(&mut tx, owner, &span(app), limit).await?;
    tx.commit().await?;
    Ok(taken)
}

/// Takes the watches from one id to another, due or not.
pub(super) async fn take_between(app: &App, owner: &str, ids: (WatchId, WatchId)) -> Result<Vec<Taken>, DbError> {
    let mut tx = app.db.begin().await?;
    store::wait_for_turn(&mut tx).await?;
    let taken = store::take_between(&mut tx, owner, &span(app), ids).await?;
    tx.commit().await?;
    Ok(taken)
}

/// Gives back everything a worker holds.
pub(super) async fn hand_back(app: &App, owner: &str) -> Result<(), DbError> {
    let mut tx = app.db.begin().await?;
    store::hand_back(&mut tx, owner).await?;
    tx.commit().await
}

fn span(app: &App) -> Span {
    let now = app.clock.now();
    Span {
        now,
        until: now.plus_seconds(LEASE_SECONDS),
        until_max: now.latest_ahead(LEASE_SECONDS),
        next_check_max: now.latest_ahead(wait_seconds_max(app)),
    }
}
