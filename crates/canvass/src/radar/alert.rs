//! Alerts: a feed that a client can resume where it left off without missing or repeating any.

use super::history::Changes;
use super::{Change, Watch, store};
use crate::app::App;
use crate::clock::Moment;
use crate::db::{Db, DbError, Tx};
use crate::ids::{AccountId, AlertId, LeadId, WatchId};

/// What changed on one watched website in one check.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct Alert {
    /// Identifies it for good.
    #[sqlx(try_from = "String")]
    pub id: AlertId,
    /// The watch that raised it; it may have been deleted since.
    #[sqlx(try_from = "String", rename = "watch_id")]
    pub watch: WatchId,
    /// The lead that watch was made from.
    #[sqlx(try_from = "String", rename = "lead_id")]
    pub lead: LeadId,
    /// As the lead named it.
    pub business_name: String,
    /// At least one.
    #[sqlx(try_from = "String")]
    pub changes: Changes,
    /// The opportunity score after these changes.
    pub score: i64,
    /// Unique and increasing within an account.
    pub created_at: Moment,
}

/// Which alerts to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feed {
    /// Only alerts after this time, oldest first; without it, the newest first.
    pub since: Option<Moment>,
    /// Alerts on the page, at most [`Feed::ALERTS_MAX`].
    pub limit: i64,
}

impl Feed {
    /// Alerts on a page unless the client asks for another number.
    pub const ALERTS_DEFAULT: i64 = 50;
    /// The most that a client can ask for.
    pub const ALERTS_MAX: i64 = 200;
}

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
