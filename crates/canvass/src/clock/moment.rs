//! A point in time as everything here stores, compares and shows it.

use std::fmt;

use jiff::{Timestamp, ToSpan, civil::DateTime, tz::TimeZone};
use sqlx::error::BoxDynError;
use sqlx::{Database, Decode, Type};

use crate::db::Value;

/// The beginning of the year 0, in seconds since 1970. Earlier years would be written with a sign.
const YEAR_ZERO_SECONDS: i64 = -62_167_219_200;
/// How far apart the clocks of servers that work together may be, in seconds.
const SKEW_SECONDS_MAX: i64 = 60;

/// A point in time, to the microsecond. Shown as `2026-11-15T02:03:04.123456+00:00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(i64);

impl Moment {
    /// From microseconds since 1970.
    pub fn from_micros(micros: i64) -> Self {
        Moment(micros.clamp(YEAR_ZERO_SECONDS * 1_000_000, Timestamp::MAX.as_second() * 1_000_000))
    }

    /// Reads a time as RFC 3339 writes it. Without an offset it is UTC, and a date alone is its midnight.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let stamp = match text.parse::<Timestamp>() {
            Ok(stamp) => stamp,
            // A wrong offset must not be ignored.
            Err(_) if names_offset(text) => return None,
            Err(_) => text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp(),
        };
        Some(Moment::from_micros(stamp.as_microsecond()))
    }

    /// Microseconds since 1970.
    pub fn micros(self) -> i64 {
        self.0
    }

    /// So many seconds later, or earlier when negative.
    #[must_use]
    pub fn plus_seconds(self, seconds: i64) -> Self {
        Moment::from_micros(self.0.saturating_add(seconds.saturating_mul(1_000_000)))
    }

    /// The latest value of a time that any server wrote just now as at most `seconds` ahead, given how far clocks may differ.
    /// A later one was written by a clock that was wrong.
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

    /// The calendar month, in UTC: `2026-11`.
    pub fn month(self) -> String {
        self.to_string().chars().take("2026-11".len()).collect()
    }

    /// The day, in UTC: `2026-11-15`.
    pub fn date(self) -> String {
        self.to_string().chars().take("2026-11-15".len()).collect()
    }

    fn timestamp(self) -> Timestamp {
        Timestamp::from_microsecond(self.0).unwrap_or(Timestamp::UNIX_EPOCH)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = TimeZone::UTC.to_datetime(self.timestamp());
        let mut text = *b"0000-00-00T00:00:00.000000+00:00";
        // By hand: a response may have thousands of times, and a pattern takes several times as long.
        write_number(&mut text[..4], time.year().unsigned_abs().into());
        write_number(&mut text[5..7], time.month().unsigned_abs().into());
        write_number(&mut text[8..10], time.day().unsigned_abs().into());
        write_number(&mut text[11..13], time.hour().unsigned_abs().into());
        write_number(&mut text[14..16], time.minute().unsigned_abs().into());
        write_number(&mut text[17..19], time.second().unsigned_abs().into());
        write_number(&mut text[20..26], time.subsec_nanosecond().unsigned_abs() / 1_000);
        f.write_str(std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

/// Writes a number in decimal digits, with zeros before it.
fn write_number(digits: &mut [u8], mut number: u32) {
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
}

impl serde::Serialize for Moment {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Moment {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Timestamp::deserialize(deserializer).map(|stamp| Moment::from_micros(stamp.as_microsecond()))
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

impl<D: Database> Type<D> for Moment
where
    i64: Type<D>,
{
    fn type_info() -> D::TypeInfo {
        i64::type_info()
    }

    fn compatible(column: &D::TypeInfo) -> bool {
        i64::compatible(column)
    }
}

impl<'r, D: Database> Decode<'r, D> for Moment
where
    i64: Decode<'r, D>,
{
    fn decode(value: D::ValueRef<'r>) -> Result<Moment, BoxDynError> {
        i64::decode(value).map(Moment)
    }
}

/// Whether a time names an offset from UTC: anything but digits, colons and a fraction after its date.
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
        check(i64::MIN, "0000-01-01T00:00:00.000000+00:00");
        let early = Moment::parse("-000001-05-06T07:08:09Z").unwrap();
        assert_eq!(early.to_string(), "0000-01-01T00:00:00.000000+00:00");
    }

    #[test]
    fn a_month_and_a_day_are_in_utc() {
        let moment = Moment::parse("2026-11-15T23:30:00-02:00").unwrap();
        assert_eq!((moment.month().as_str(), moment.date().as_str()), ("2026-11", "2026-11-16"));
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
