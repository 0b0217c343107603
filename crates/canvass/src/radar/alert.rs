//! What watches had to tell: a feed that can be read on from where one was, losing and repeating nothing.

use super::history::Changes;
use super::{Change, Watch, store};
use crate::app::App;
use crate::clock::Moment;
use crate::db::{Db, DbError, Tx};
use crate::ids::{AccountId, AlertId, LeadId, WatchId};

/// Something a watch had to tell.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct Alert {
    /// Its id.
    #[sqlx(try_from = "String")]
    pub id: AlertId,
    /// The watch that told it; it may be gone by now.
    #[sqlx(try_from = "String", rename = "watch_id")]
    pub watch: WatchId,
    /// The lead that watch was made from.
    #[sqlx(try_from = "String", rename = "lead_id")]
    pub lead: LeadId,
    /// Which business.
    pub business_name: String,
    /// What changed.
    #[sqlx(try_from = "String")]
    pub changes: Changes,
    /// The score after it.
    pub score: i64,
    /// When it was told: unique and increasing within an account.
    pub created_at: Moment,
}

/// Which alerts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feed {
    /// Only those after this, oldest first; the newest first when not said.
    pub since: Option<Moment>,
    /// At most so many.
    pub limit: i64,
}

impl Feed {
    /// Alerts on a page when nobody says.
    pub const ALERTS_DEFAULT: i64 = 50;
    /// Alerts on a page at most.
    pub const ALERTS_MAX: i64 = 200;
}

/// A page of an account's alerts.
pub async fn alerts(db: &Db, account: AccountId, feed: Feed) -> Result<Vec<Alert>, DbError> {
    store::alerts(db, account, feed).await
}

/// Tells what changed, with the score after it, under a time of its own.
pub async fn tell(app: &App, tx: &mut Tx, watch: &Watch, told: (&[Change], i64)) -> Result<(), DbError> {
    let created_at = store::next_alert_time(tx, watch.account, app.clock.now()).await?;
    let (changes, score) = told;
    let alert = Alert {
        id: app.ids.next(created_at),
        watch: watch.id,
        lead: watch.lead,
        business_name: watch.business.name.clone(),
        changes: Changes(changes.to_vec()),
        score,
        created_at,
    };
    store::insert_alert(tx, watch.account, &alert).await
}
