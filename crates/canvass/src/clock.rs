//! Time in UTC with microseconds, from a clock that tests can set.
//!
//! Servers that share a PostgreSQL go by its clock ([`DatabaseClock`]), not by their machines': leases, retries and refills
//! mean the same moment to all of them. On SQLite the machine's clock is the database's.

mod moment;

pub use moment::Moment;

use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use jiff::Timestamp;

use crate::db::{self, Db, DbError, ServerTime};

/// Tells the time.
pub trait Clock: Send + Sync + fmt::Debug {
    /// The current time.
    fn now(&self) -> Moment;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the machine's clock")]
    fn now(&self) -> Moment {
        Moment::from_micros(Timestamp::now().as_microsecond())
    }
}

/// How often the database's clock is read.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// A reading that took longer is too inaccurate to use.
const LOOK_TIME_MAX: Duration = Duration::from_secs(1);
/// Difference between the machine's clock and the database's, in seconds, from which on a warning is logged.
const DIFFERENCE_SECONDS_WARNED: i64 = 10;

/// The clock of the database server as last read, advanced by this process's monotonic clock in between.
#[derive(Debug)]
pub struct DatabaseClock(RwLock<ServerTime>);

impl DatabaseClock {
    fn set(&self, looked: ServerTime) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = looked;
    }
}

impl Clock for DatabaseClock {
    fn now(&self) -> Moment {
        let looked = *self.0.read().unwrap_or_else(PoisonError::into_inner);
        let since = i64::try_from(looked.at.elapsed().as_micros()).unwrap_or(i64::MAX);
        Moment::from_micros(looked.moment.micros().saturating_add(since))
    }
}

/// The clock shared by all who use this database. On PostgreSQL it is read again every few seconds, for as long as the clock
/// is in use.
pub async fn of_database(db: &Db) -> Result<Arc<dyn Clock>, DbError> {
    let Some(looked) = db::server_time(db).await? else { return Ok(Arc::new(SystemClock)) };
    let clock = Arc::new(DatabaseClock(RwLock::new(looked)));
    let ahead = (SystemClock.now().micros() - clock.now().micros()) / 1_000_000;
    if ahead.abs() > DIFFERENCE_SECONDS_WARNED {
        tracing::warn!(
            clock.ahead_seconds = ahead,
            "this machine's clock is {ahead} seconds ahead of the database's; the database's is used. Set the machine's"
        );
    }
    let (db, kept) = (db.clone(), Arc::downgrade(&clock));
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            let Some(clock) = kept.upgrade() else { return };
            match db::server_time(&db).await {
                Ok(Some(looked)) if looked.took < LOOK_TIME_MAX => clock.set(looked),
                // Until the next look the steady clock carries on.
                Ok(_) => {}
                Err(error) => {
                    tracing::debug!(error = &error as &dyn std::error::Error, "the database's clock is unread");
                }
            }
        }
    });
    Ok(clock)
}

/// A clock for tests: it stands still until it is moved.
#[derive(Debug)]
pub struct SetClock(AtomicI64);

impl SetClock {
    /// Starts at this moment.
    pub fn at(moment: Moment) -> Self {
        SetClock(AtomicI64::new(moment.micros()))
    }

    /// Moves it forward.
    pub fn advance_seconds(&self, seconds: i64) {
        self.0.fetch_add(seconds * 1_000_000, Ordering::SeqCst);
    }
}

impl Clock for SetClock {
    fn now(&self) -> Moment {
        Moment::from_micros(self.0.load(Ordering::SeqCst))
    }
}
