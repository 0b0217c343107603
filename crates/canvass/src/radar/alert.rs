//! Alerts: a feed that a client can resume where it left off without missing or repeating any.

use super::report::{Alert, Changes, Feed};
use super::{Change, Watch, store};
use crate::app::App;
use crate::db::{Db, DbError, Tx};
use crate::ids::AccountId;

/// A page of an account's alerts.
pub async fn alerts(db: &Db, account: AccountId, feed: Feed) -> Result<Vec<Alert>, DbError> {
    store::alerts(db, account, feed).await
}

/// What an alert says.
#[derive(Clone, Copy, Debug)]
pub struct Raised<'a> {
    /// At least one.
    pub changes: &'a [Change],
    /// The score after these changes.
    pub score: i64,
}

/// Stores an alert under a time of its own.
pub async fn raise(app: &App, tx: &mut Tx, watch: &Watch, raised: Raised<'_>) -> Result<(), DbError> {
    let created_at = store::next_alert_time(tx, watch.account, app.clock.now()).await?;
    let alert = Alert {
        id: app.ids.next(created_at),
        watch: watch.id,
        lead: watch.lead,
        business_name: watch.business.name.clone(),
        changes: Changes(raised.changes.to_vec()),
        score: raised.score,
        created_at,
    };
    store::insert_alert(tx, watch.account, &alert).await
}
