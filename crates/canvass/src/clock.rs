//! Time, as everything else here sees it: microseconds in UTC, from a clock that tests can set.
//!
//! Servers that share a PostgreSQL go by its clock ([`DatabaseClock`]), not by their machines': leases, retries and refills
//! mean the same moment to all of them. On SQLite the machine's clock is the database's.

use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use jiff::{Timestamp, ToSpan, civil::DateTime, tz::TimeZone};

use crate::db::{self, Db, DbError, ServerTime, Value};

/// How far apart the clocks of servers that work together may be, in seconds.
const SKEW_SECONDS_MAX: i64 = 60;

/// A point in time, to the microsecond. Shown as `2026-11-15T02:03:04.123456+00:00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct Moment(i64);

impl Moment {
    /// From microseconds since 1970.
    pub fn from_micros(micros: i64) -> Self {
        Moment(micros.clamp(Timestamp::MIN.as_second() * 1_000_000, Timestamp::MAX.as_second() * 1_000_000))
    }

    /// Reads a time as RFC 3339 writes it. Without an offset it is UTC, and a date alone is its midnight.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let stamp = match text.parse::<Timestamp>() {
            Ok(stamp) => stamp,
            // An offset that is there but wrong must not be passed over.
            Err(_) if names_offset(text) => return None,
            Err(_) => text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp(),
        };
        Some(Moment(stamp.as_microsecond()))
    }

    /// Microseconds since 1970.
    pub fn micros(self) -> i64 {
        self.0
    }

    /// This moment and so many seconds.
    #[must_use]
    pub fn plus_seconds(self, seconds: i64) -> Self {
        Moment::from_micros(self.0.saturating_add(seconds.saturating_mul(1_000_000)))
    }

    /// The latest that a time at most so many seconds ahead can be when it was written just now by any server. Clocks differ a
    /// little; a time beyond this one was written by a clock that was wrong.
    #[must_use]
    pub fn latest_ahead(self, seconds: i64) -> Self {
        self.plus_seconds(seconds.saturating_add(SKEW_SECONDS_MAX))
    }

    /// The same day and time one calendar month on; the month's last day when it is shorter.
    #[must_use]
    pub fn plus_month(self) -> Self {
        let here = self.timestamp().to_zoned(TimeZone::UTC);
        here.checked_add(1.month()).map_or(self, |next| Moment(next.timestamp().as_microsecond()))
    }

    /// The same day and time one calendar month before; the month's last day when it is shorter.
    #[must_use]
    pub fn minus_month(self) -> Self {
        let here = self.timestamp().to_zoned(TimeZone::UTC);
        here.checked_sub(1.month()).map_or(self, |before| Moment(before.timestamp().as_microsecond()))
    }

    /// The year, in UTC.
    pub fn year(self) -> i16 {
        self.timestamp().to_zoned(TimeZone::UTC).year()
    }

    fn timestamp(self) -> Timestamp {
        Timestamp::from_microsecond(self.0).unwrap_or(Timestamp::UNIX_EPOCH)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.timestamp().strftime("%Y-%m-%dT%H:%M:%S%.6f+00:00"))
    }
}

impl serde::Serialize for Moment {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Moment {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Timestamp::deserialize(deserializer).map(|stamp| Moment(stamp.as_microsecond()))
    }
}

impl schemars::JsonSchema for Moment {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Moment".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "format": "date-time"})
    }
}

impl From<Moment> for Value {
    fn from(moment: Moment) -> Self {
        Value::from(moment.0)
    }
}

/// Tells the time.
pub trait Clock: Send + Sync + fmt::Debug {
    /// Now.
    fn now(&self) -> Moment;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock everyone else is given")]
    fn now(&self) -> Moment {
        Moment(Timestamp::now().as_microsecond())
    }
}

/// How often the database's clock is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// An answer that took longer says too little about the time.
const LOOK_TIME_MAX: Duration = Duration::from_secs(1);
/// From how many seconds on it is worth a warning that the machine's clock and the database's differ.
const DIFFERENCE_SECONDS_WARNED: i64 = 10;

/// The clock of the database server, as last looked at, carried on by this process's steady clock in between.
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
        Moment::from_micros(looked.moment.0.saturating_add(since))
    }
}

/// The clock that everyone who shares this database goes by. On PostgreSQL it is looked at again every few seconds, for as
/// long as somebody uses it.
pub async fn of_database(db: &Db) -> Result<Arc<dyn Clock>, DbError> {
    let Some(looked) = db::server_time(db).await? else { return Ok(Arc::new(SystemClock)) };
    let clock = Arc::new(DatabaseClock(RwLock::new(looked)));
    let ahead = (SystemClock.now().0 - clock.now().0) / 1_000_000;
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

/// A clock that stands still until it is moved.
#[derive(Debug)]
pub struct SetClock(AtomicI64);

impl SetClock {
    /// A clock that shows this.
    pub fn at(moment: Moment) -> Self {
        SetClock(AtomicI64::new(moment.0))
    }

    /// Moves it on.
    pub fn advance_seconds(&self, seconds: i64) {
        self.0.fetch_add(seconds * 1_000_000, Ordering::SeqCst);
    }
}

impl Clock for SetClock {
    fn now(&self) -> Moment {
        Moment(self.0.load(Ordering::SeqCst))
    }
}

/// Whether a time says how far it is from UTC: something other than digits, colons and a fraction behind its date.
fn names_offset(text: &str) -> bool {
    let time = text.split_once(['T', 't', ' ']).map_or("", |(_, time)| time);
    time.contains(|c: char| !c.is_ascii_digit() && !":.,".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(micros: i64, expected: &str) {
        assert_eq!(Moment::from_micros(micros).to_string(), expected);
    }

    #[test]
    fn a_moment_always_shows_six_digits_and_an_offset() {
        check(1_794_708_184_123_456, "2026-11-15T02:03:04.123456+00:00");
        check(1_794_708_184_000_000, "2026-11-15T02:03:04.000000+00:00");
        check(-1, "1969-12-31T23:59:59.999999+00:00");
        check(i64::MAX, "9999-12-30T22:00:00.000000+00:00");
    }

    #[test]
    fn a_time_without_an_offset_is_utc() {
        let read = |text: &str| Moment::parse(text).map(|moment| moment.to_string());
        for utc in ["2026-11-15T02:03:04Z", "2026-11-15T02:03:04", "2026-11-15 02:03:04", "2026-11-15T03:03:04+01:00"] {
            assert_eq!(read(utc).as_deref(), Some("2026-11-15T02:03:04.000000+00:00"), "{utc}");
        }
        assert_eq!(read("2026-11-15T02:03").as_deref(), Some("2026-11-15T02:03:00.000000+00:00"));
        assert_eq!(read("2026-11-15").as_deref(), Some("2026-11-15T00:00:00.000000+00:00"));
        for wrong in ["", "now", "2026-13-01", "2026-02-30T00:00:00", "2026-11-15T02:03:04+99:00", "2026-11-15T25:00"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_month_after_the_thirty_first_is_the_last_of_the_month() {
        let january_31: Timestamp = "2027-01-31T10:00:00Z".parse().unwrap();
        let next = Moment(january_31.as_microsecond()).plus_month();
        assert_eq!(next.to_string(), "2027-02-28T10:00:00.000000+00:00");
    }
}
