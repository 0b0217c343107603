//! Who works on an enrichment: a lease that must be renewed, and an epoch that tells a late worker it has lost it.

use super::{Enrichment, store};
use crate::app::App;
use crate::db::DbError;
use crate::ids::EnrichmentId;

/// Enrichments looked at when one is to be taken.
const DUE_MAX: i64 = 16;

/// The right to work on an enrichment, until it runs out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// Which one.
    pub enrichment: EnrichmentId,
    /// How often it has been taken: every write names this.
    pub epoch: i64,
}

/// Takes an enrichment that nobody works on. `None` when there is none.
pub async fn take(app: &App, owner: &str) -> Result<Option<(Lease, Enrichment)>, DbError> {
    let now = app.clock.now();
    for due in store::due(&app.db, now, DUE_MAX).await? {
        let mut tx = app.db.begin().await?;
        let until = now.plus_seconds(app.settings.lease_seconds);
        // Another worker may have been faster; then the next one is tried.
        let Some((epoch, enrichment)) = store::take(&mut tx, due, owner, (now, until)).await? else { continue };
        tx.commit().await?;
        return Ok(Some((Lease { enrichment: due, epoch }, enrichment)));
    }
    Ok(None)
}

/// Renews a lease. `false` when it is lost.
pub(super) async fn renew(app: &App, lease: &Lease) -> Result<bool, DbError> {
    let until = app.clock.now().plus_seconds(app.settings.lease_seconds).micros();
    set(app, lease, until).await
}

/// Gives a lease back, to be taken by anyone at once.
pub(super) async fn hand_back(app: &App, lease: &Lease) -> Result<(), DbError> {
    set(app, lease, 0).await.map(|_| ())
}

async fn set(app: &App, lease: &Lease, until: i64) -> Result<bool, DbError> {
    let mut tx = app.db.begin().await?;
    let renewed = store::renew(&mut tx, lease, until).await?;
    tx.commit().await?;
    Ok(renewed)
}
