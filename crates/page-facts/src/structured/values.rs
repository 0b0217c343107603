//! Reads single values of structured data in their many notations.

use serde_json::{Map, Value};

use crate::facts::Address;

/// The value itself, or the first element of a list.
pub(crate) fn first(value: &Value) -> &Value {
    match value {
        Value::Array(list) => list.first().unwrap_or(&Value::Null),
        other => other,
    }
}

/// Longest raw text that is read, in bytes; white space and entities make it longer than the result.
const RAW_BYTES_MAX: usize = 16 * 1024;

/// Decodes entities and collapses white space; `None` when the result is empty or too long.
pub(crate) fn clean(raw: &str) -> Option<String> {
    if raw.len() > RAW_BYTES_MAX {
        return None;
    }
    let text = crate::text::unescape(raw);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty() && text.len() < 2_000).then_some(text)
}

/// The text of a field.
pub(crate) fn text(fields: &Map<String, Value>, key: &str) -> Option<String> {
    match first(fields.get(key)?) {
        Value::String(text) => clean(text),
        Value::Number(number) => Some(number.to_string()),
        Value::Object(inner) => {
            inner.get("name").or_else(|| inner.get("@value")).and_then(Value::as_str).and_then(clean)
        }
        _ => None,
    }
}

/// Texts read per list.
const TEXTS_MAX: usize = 50;

/// All texts of a field.
pub(crate) fn texts(fields: &Map<String, Value>, key: &str) -> Vec<String> {
    match fields.get(key) {
        Some(Value::Array(list)) => list.iter().take(TEXTS_MAX).filter_map(Value::as_str).filter_map(clean).collect(),
        Some(Value::String(text)) => clean(text).into_iter().collect(),
        Some(Value::Number(number)) => vec![number.to_string()],
        _ => Vec::new(),
    }
}

/// A number, which may be written as text.
pub(crate) fn number(value: Option<&Value>) -> Option<f64> {
    match value? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().replace(',', ".").parse().ok(),
        _ => None,
    }
    .filter(|n: &f64| n.is_finite())
}

/// A postal address, in parts or as one text.
pub(crate) fn address(value: Option<&Value>) -> Option<Address> {
    match first(value?) {
        Value::String(text) => Some(Address { street: Some(clean(text)?), ..Address::default() }),
        Value::Object(fields) => {
            let found = address_of(fields);
            (found != Address::default()).then_some(found)
        }
        _ => None,
    }
}

/// The parts of an address that a node holds.
pub(crate) fn address_of(fields: &Map<String, Value>) -> Address {
    Address {
        street: text(fields, "streetAddress"),
        city: text(fields, "addressLocality"),
        state: text(fields, "addressRegion"),
        postal_code: text(fields, "postalCode"),
        country: text(fields, "addressCountry"),
    }
}

/// Opening hours as short rules.
pub(crate) fn opening_hours(fields: &Map<String, Value>) -> Vec<String> {
    let mut hours = texts(fields, "openingHours");
    let rules = match fields.get("openingHoursSpecification") {
        Some(Value::Array(list)) => list.iter().collect(),
        Some(one) => vec![one],
        None => Vec::new(),
    };
    for rule in rules.into_iter().take(30).filter_map(Value::as_object) {
        let days: Vec<String> = days(rule).iter().map(|day| short_day(day)).collect();
        if let (false, Some(opens), Some(closes)) = (days.is_empty(), text(rule, "opens"), text(rule, "closes")) {
            hours.push(format!("{} {}-{}", days.join(","), local_time(&opens), local_time(&closes)));
        }
    }
    hours
}

/// The days of a rule, as texts or as nodes: `{"@id": "https://schema.org/Monday"}`.
fn days(rule: &Map<String, Value>) -> Vec<String> {
    let list = match rule.get("dayOfWeek") {
        Some(Value::Array(list)) => list.as_slice(),
        Some(one) => std::slice::from_ref(one),
        None => &[],
    };
    let text = |day: &Value| match day {
        Value::Object(node) => {
            ["name", "@id", "@value"].iter().find_map(|key| node.get(*key)?.as_str().and_then(clean))
        }
        day => day.as_str().and_then(clean),
    };
    list.iter().take(TEXTS_MAX).filter_map(text).collect()
}

/// A time without a date before it and a zone after it: `09:00` of `2026-01-05T09:00:00-05:00`.
fn local_time(time: &str) -> &str {
    let time = time.rsplit_once('T').map_or(time, |(_, time)| time);
    let end = time.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(time.len());
    match time[end..].starts_with(['+', '-', 'Z', '.']) && time[..end].contains(':') {
        true => &time[..end],
        false => time,
    }
}

fn short_day(day: &str) -> String {
    let name = day.rsplit('/').next().unwrap_or(day);
    // `Mo-Fr`, `Monday, Tuesday`
    let ends = |part: &str| part.split('-').map(|end| end.trim().chars().take(2).collect()).collect::<Vec<String>>();
    name.split(',').map(|part| ends(part).join("-")).collect::<Vec<_>>().join(",")
}

/// The average rating scaled to 5, and the number of reviews.
pub(crate) fn rating(value: Option<&Value>) -> (Option<f64>, Option<u64>) {
    let Some(Value::Object(fields)) = value.map(first) else { return (None, None) };
    let best = number(fields.get("bestRating")).filter(|best| *best > 0.0).unwrap_or(5.0);
    let rating = number(fields.get("ratingValue"))
        .map(|r| (r / best * 5.0 * 100.0).round() / 100.0)
        .filter(|r| (0.0..=5.0).contains(r));
    (rating, count(fields.get("reviewCount")).or_else(|| count(fields.get("ratingCount"))))
}

/// An integer, which may contain separators: `1,204`.
fn count(value: Option<&Value>) -> Option<u64> {
    match value? {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => {
            text.chars().filter(|c| !matches!(c, ',' | '.' | ' ' | '+')).collect::<String>().parse().ok()
        }
        _ => None,
    }
}
