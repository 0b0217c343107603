//! Takes, renews and hands back leases, each in a transaction of its own.

use std::time::Duration;

use super::{Job, Lease, Taken, store};
use crate::app::App;
use crate::db::DbError;
use crate::ids::Id;

/// How often a worker tries when there are due jobs and others have them all locked.
const TAKE_TRIES_MAX: usize = 5;
/// How long it waits between those tries: transactions that lock a job are short.
const TAKE_WAIT: Duration = Duration::from_millis(20);

/// Takes jobs that are due and not leased, at most `limit`.
pub async fn take<J: Job>(app: &App, owner: &str, limit: i64) -> Result<Vec<Taken<J>>, DbError> {
    for _ in 0..TAKE_TRIES_MAX {
        let claim = claim::<J>(app, owner);
        if !store::is_any_due::<J>(&app.db, claim).await? {
            break;
        }
        let mut tx = app.db.begin().await?;
        let taken = store::take(&mut tx, claim, limit).await?;
        tx.commit().await?;
        if !taken.is_empty() {
            return Ok(taken);
        }
        tokio::time::sleep(TAKE_WAIT).await;
    }
    Ok(Vec::new())
}

/// Takes the jobs from one id to another, due or not, unless they are leased.
pub(super) async fn take_between<J: Job>(
    app: &App,
    owner: &str,
    first: Id<J::Of>,
    last: Id<J::Of>,
) -> Result<Vec<Taken<J>>, DbError> {
    let mut tx = app.db.begin().await?;
    let taken = store::take_between(&mut tx, claim::<J>(app, owner), first, last).await?;
    tx.commit().await?;
    Ok(taken)
}

fn claim<'a, J: Job>(app: &App, owner: &'a str) -> store::Claim<'a> {
    store::Claim { owner, now: app.clock.now(), terms: J::terms(&app.settings) }
}

/// Renews a lease. `false` when it is lost: the job is finished, or another worker has it.
pub async fn renew<J: Job>(app: &App, lease: &Lease<J>) -> Result<bool, DbError> {
    let until = app.clock.now().plus_seconds(J::terms(&app.settings).lease);
    let mut tx = app.db.begin().await?;
    let renewed = store::renew(&mut tx, lease, until).await?;
    tx.commit().await?;
    Ok(renewed)
}

/// Gives back everything a worker holds, to be taken by anyone at once.
pub(super) async fn hand_back_all<J: Job>(app: &App, owner: &str) -> Result<(), DbError> {
    let mut tx = app.db.begin().await?;
    store::hand_back_all::<J>(&mut tx, owner).await?;
    tx.commit().await
}
