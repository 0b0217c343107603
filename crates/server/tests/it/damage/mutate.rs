//! Damages text and JSON: as broken programs, hasty people and attackers do.

use rand::RngExt;
use rand::rngs::StdRng;
use serde_json::{Map, Value, json};

const LENGTH_MAX: usize = 64 * 1024;
/// Pieces that mean something to some parser on the way.
const PIECES: [&str; 28] = [
    "\"",
    "'",
    "\\",
    "\0",
    "%00",
    "%ff",
    "%",
    "&",
    "=",
    "..",
    "//",
    "\r\n",
    "\u{feff}",
    "\u{202e}",
    "\u{1f600}",
    "\\ud800",
    "1e999",
    "-0",
    "NaN",
    "null",
    "{",
    "[",
    "}",
    "<script>",
    "' or 1=1 --",
    "${jndi:ldap://x}",
    "=cmd|' /C calc'!A0",
    "\u{fffd}",
];

/// Text with one to three damages.
pub(super) fn damaged_text(text: &str, random: &mut StdRng) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..random.random_range(1..=3) {
        let at = random.random_range(0..=characters.len());
        let length = random.random_range(0..=8).min(characters.len() - at);
        match random.random_range(0..5) {
            0 => characters.truncate(at),
            1 => drop(characters.drain(at..at + length)),
            2 => {
                let repeated = characters[at..at + length].repeat(random.random_range(1..200));
                drop(characters.splice(at..at, repeated));
            }
            3 => drop(characters.splice(at..at, PIECES[random.random_range(0..PIECES.len())].chars())),
            _ => characters.iter_mut().skip(at).take(1).for_each(|character| {
                *character = char::from_u32(random.random_range(0..0x300)).unwrap_or('x');
            }),
        }
    }
    characters.into_iter().collect::<String>()
}

/// A document with another value somewhere, or its text damaged, or both.
pub(super) fn damaged_json(document: &Value, random: &mut StdRng) -> Vec<u8> {
    let mut document = document.clone();
    for _ in 0..random.random_range(1..=3) {
        damage(&mut document, random);
    }
    let text = document.to_string();
    let mut bytes = if random.random_bool(0.3) { damaged_text(&text, random) } else { text }.into_bytes();
    if random.random_bool(0.1) && !bytes.is_empty() {
        let at = random.random_range(0..bytes.len());
        bytes[at] ^= 1 << random.random_range(0..8);
    }
    bytes.truncate(LENGTH_MAX);
    bytes
}

/// Damages a value, or one inside of it.
fn damage(value: &mut Value, random: &mut StdRng) {
    let goes_deeper = random.random_bool(0.75);
    match value {
        Value::Object(members) if goes_deeper && !members.is_empty() => {
            let at = random.random_range(0..members.len());
            let name = members.keys().nth(at).unwrap().clone();
            match random.random_range(0..6) {
                0 => drop(members.remove(&name)),
                1 => {
                    let moved = members.remove(&name).unwrap();
                    members.insert(damaged_text(&name, random), moved);
                }
                _ => damage(members.get_mut(&name).unwrap(), random),
            }
        }
        Value::Array(items) if goes_deeper && !items.is_empty() => {
            let at = random.random_range(0..items.len());
            match random.random_range(0..3) {
                0 => *items = items.iter().cycle().take(items.len() * random.random_range(2..500)).cloned().collect(),
                _ => damage(&mut items[at], random),
            }
        }
        Value::String(text) if random.random_bool(0.6) => *text = damaged_text(text, random),
        _ => *value = unexpected(random),
    }
}

/// A value that is nobody's type, or at the edge of it.
fn unexpected(random: &mut StdRng) -> Value {
    match random.random_range(0..16) {
        0 => Value::Null,
        1 => json!(random.random_bool(0.5)),
        2 => json!(i64::MIN),
        3 => json!(u64::MAX),
        4 => json!(1e308),
        5 => json!(-0.0),
        6 => json!(0.1),
        7 => json!(random.random_range(-3..100_000)),
        8 => json!(""),
        9 => json!("x".repeat(random.random_range(1..20_000))),
        10 => json!("\0\u{202e}\u{feff}"),
        11 => json!([]),
        12 => Value::Object(Map::new()),
        13 => (0..random.random_range(1..200)).fold(json!(1), |inner, _| json!([inner])),
        14 => (0..random.random_range(1..200)).fold(json!(1), |inner, _| json!({"a": inner})),
        _ => json!("00000000-0000-0000-0000-000000000000"),
    }
}
