//! Opening hours in OpenStreetMap's notation.

use serde_json::Value;

const DAYS: [&str; 7] = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
const DAY_MINUTES: i64 = 24 * 60;
const WEEK_MINUTES: i64 = 7 * DAY_MINUTES;
/// Closing before this hour belongs to the day before.
const NIGHT_MINUTES: i64 = 12 * 60;
/// Periods that are read: a few a day.
const PERIODS_MAX: usize = 60;

/// A span on one day, in minutes since its midnight; the end may lie after the next one.
type Span = (i64, i64);

/// The regular hours such as `Mo-Fr 08:00-17:00; Sa 09:00-12:00` or `24/7`; `None` when nothing is said.
pub(super) fn notation(hours: &Value) -> Option<String> {
    let periods = hours.get("periods")?.as_array()?;
    let mut days: [Vec<Span>; 7] = Default::default();
    for period in periods.iter().take(PERIODS_MAX) {
        let open = minute_of_week(period.get("open"));
        let close = minute_of_week(period.get("close"));
        match (open, close, period.get("close")) {
            // A place that never closes has one period without an end.
            (Some(_), None, None | Some(Value::Null)) if periods.len() == 1 => return Some("24/7".to_owned()),
            (Some(open), Some(close), _) => add(&mut days, open, close),
            _ => {}
        }
    }
    for spans in &mut days {
        spans.sort_unstable();
        spans.dedup();
    }
    if days.iter().all(|spans| spans.as_slice() == [(0, DAY_MINUTES)]) {
        return Some("24/7".to_owned());
    }
    let rules = rules(&days);
    (!rules.is_empty()).then(|| rules.join("; "))
}

/// Minutes since Monday's midnight; `None` for a point that is no time. A zero may be left out.
fn minute_of_week(point: Option<&Value>) -> Option<i64> {
    let point = point?.as_object()?;
    let number = |name: &str, most: i64| {
        let value = point.get(name).map_or(Some(0), Value::as_i64)?;
        (0..=most).contains(&value).then_some(value)
    };
    // Google's week begins on Sunday.
    let day = (number("day", 6)? + 6) % 7;
    Some(day * DAY_MINUTES + number("hour", 24)? * 60 + number("minute", 59)?)
}

/// Adds a period, one span a day where it lasts longer than a night.
fn add(days: &mut [Vec<Span>; 7], open: i64, close: i64) {
    let mut length = (close - open).rem_euclid(WEEK_MINUTES);
    let mut start = open;
    while length > 0 {
        let (day, minute) = ((start / DAY_MINUTES).rem_euclid(7), start.rem_euclid(DAY_MINUTES));
        let left = DAY_MINUTES - minute;
        // A night out ends before noon; a longer span is that of several days.
        let is_night = minute > 0 && length > left && length - left <= NIGHT_MINUTES;
        let taken = if is_night { length } else { length.min(left) };
        if let Some(spans) = usize::try_from(day).ok().and_then(|day| days.get_mut(day)) {
            spans.push((minute, minute + taken));
        }
        start += taken;
        length -= taken;
    }
}

/// One rule for each run of days with the same hours.
fn rules(days: &[Vec<Span>; 7]) -> Vec<String> {
    let mut rules = Vec::new();
    let mut first = 0;
    while first < 7 {
        let same = days[first..].iter().take_while(|spans| **spans == days[first]).count();
        let last = first + same - 1;
        if !days[first].is_empty() {
            let name = if same == 1 { DAYS[first].to_owned() } else { format!("{}-{}", DAYS[first], DAYS[last]) };
            let spans: Vec<String> =
                days[first].iter().map(|(from, to)| format!("{}-{}", clock(*from), end(*to))).collect();
            rules.push(format!("{name} {}", spans.join(",")));
        }
        first = last + 1;
    }
    rules
}

fn end(minute: i64) -> String {
    if minute > DAY_MINUTES { clock(minute - DAY_MINUTES) } else { clock(minute) }
}

fn clock(minute: i64) -> String {
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Day 0 is Sunday; times as 800 or 1730.
    fn of(periods: &[(i64, i64, i64, i64)]) -> Option<String> {
        let at = |day: i64, time: i64| json!({ "day": day, "hour": time / 100, "minute": time % 100 });
        let periods: Vec<Value> = periods
            .iter()
            .map(|(day, open, until, close)| json!({ "open": at(*day, *open), "close": at(*until, *close) }))
            .collect();
        notation(&json!({ "periods": periods }))
    }

    #[test]
    fn hours_are_written_as_openstreetmap_does() {
        let week: Vec<_> = (1..=5).map(|day| (day, 800, day, 1700)).collect();
        assert_eq!(of(&week).as_deref(), Some("Mo-Fr 08:00-17:00"));
        let lunch: Vec<_> = (1..=2).flat_map(|day| [(day, 1330, day, 1800), (day, 800, day, 1200)]).collect();
        assert_eq!(of(&lunch).as_deref(), Some("Mo-Tu 08:00-12:00,13:30-18:00"));
        assert_eq!(of(&[(5, 1800, 6, 200), (6, 1800, 0, 200)]).as_deref(), Some("Fr-Sa 18:00-02:00"), "over night");
        assert_eq!(of(&[(6, 2000, 0, 0)]).as_deref(), Some("Sa 20:00-24:00"), "until midnight");
        assert_eq!(of(&[(0, 900, 0, 1200), (1, 900, 1, 1200)]).as_deref(), Some("Mo 09:00-12:00; Su 09:00-12:00"));
        assert_eq!(of(&[(6, 0, 1, 0)]).as_deref(), Some("Sa-Su 00:00-24:00"), "two whole days");
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn a_place_that_never_closes_is_open_all_week() {
        assert_eq!(
            notation(&json!({ "periods": [{ "open": { "day": 0, "hour": 0, "minute": 0 } }] })).as_deref(),
            Some("24/7")
        );
        assert_eq!(of(&(0..7).map(|day| (day, 0, (day + 1) % 7, 0)).collect::<Vec<_>>()).as_deref(), Some("24/7"));
    }

    #[test]
    fn times_that_are_none_are_left_out() {
        for periods in [
            json!([{ "open": { "day": 9, "hour": 8 }, "close": { "day": 1, "hour": 9 } }]),
            json!([{ "open": { "day": 1, "hour": -8 }, "close": { "day": 1, "hour": 9 } }]),
            json!([{ "open": { "day": "1" }, "close": [] }, 7]),
            json!("closed"),
        ] {
            assert_eq!(notation(&json!({ "periods": periods })), None);
        }
    }
}
