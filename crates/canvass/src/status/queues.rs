//! The lengths of the queues, for metrics: counted when somebody asks, and at most every few seconds.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use tokio::time::timeout;

use super::store;
use crate::app::App;
use crate::clock::Moment;
use crate::db::{Db, DbError};
use crate::measure::{self, QueueLengths};

/// How long a count is reused, however often metrics are asked for.
const COUNT_AGE_MAX: Duration = Duration::from_secs(5);
/// How long the database may take. Metrics are most wanted when it is slow, and then do without this.
const COUNT_TIME_MAX: Duration = Duration::from_secs(2);

/// The lengths of the queues of a database now.
pub async fn queue_lengths(db: &Db, now: Moment) -> Result<QueueLengths, DbError> {
    let searches = store::searches(db, now).await?;
    Ok(QueueLengths {
        searches_running: searches.running,
        searches_waiting: searches.waiting,
        oldest_waiting_seconds: searches.oldest_waiting_seconds,
        radar_due: store::watches(db, now).await?.due,
        mails_waiting: store::mails(db, now).await?.waiting + store::letters(db, now).await?.waiting,
    })
}

/// Keeps the gauges of the queues up to date.
#[derive(Debug, Default)]
pub struct QueueWatch {
    counted_at: Mutex<Option<Instant>>,
}

impl QueueWatch {
    /// Counts the queues, unless that was done a moment ago, and sets their gauges.
    pub async fn update(&self, app: &App) {
        if !self.is_due() {
            return;
        }
        match timeout(COUNT_TIME_MAX, queue_lengths(&app.db, app.clock.now())).await {
            Ok(Ok(lengths)) => measure::queues(lengths),
            Ok(Err(_)) | Err(_) => measure::queues_unknown(),
        }
    }

    /// Whether a count is due. Whoever is told so does it; others go on with the last one.
    fn is_due(&self) -> bool {
        let mut counted_at = self.counted_at.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = counted_at.is_none_or(|at| at.elapsed() >= COUNT_AGE_MAX);
        if is_due {
            *counted_at = Some(Instant::now());
        }
        is_due
    }
}
