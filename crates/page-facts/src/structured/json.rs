//! A lenient JSON parser: tolerates trailing and missing commas, raw line breaks, comments, truncation and entities,
//! because half of the JSON-LD on the web contains one of them.

use serde_json::{Map, Value};

use crate::budget::StepBudget;

/// Nesting depth that is read; deeper values become null.
const DEPTH_MAX: usize = 48;
/// Values read per script.
const VALUES_MAX: usize = 50_000;

/// Steps charged per key.
const KEY_STEPS: usize = 20;
/// Steps charged per value: allocating it, and interpreting it later.
const VALUE_STEPS: usize = 80;

/// Parses every JSON value in `text`, one after the other.
pub(crate) fn read_all(text: &str, budget: &StepBudget) -> Vec<Value> {
    let mut reader = JsonReader { bytes: text.as_bytes(), text, at: 0, values: 0, budget };
    let mut found = Vec::new();
    while let Some(start) = memchr::memchr3(b'{', b'[', b'/', &reader.bytes[reader.at..]) {
        reader.at += start;
        reader.skip(b"");
        match reader.peek() {
            Some(b'{' | b'[') => found.push(reader.value(0)),
            _ => reader.at += 1,
        }
        if reader.values >= VALUES_MAX || reader.at >= reader.bytes.len() {
            break;
        }
    }
    found
}

struct JsonReader<'t> {
    bytes: &'t [u8],
    text: &'t str,
    at: usize,
    values: usize,
    budget: &'t StepBudget,
}

impl JsonReader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips white space, comments and stray separators.
    fn skip(&mut self, also: &[u8]) {
        while let Some(byte) = self.peek() {
            let rest = &self.bytes[self.at..];
            if byte.is_ascii_whitespace() || also.contains(&byte) {
                self.at += 1;
            } else if rest.starts_with(b"/*") {
                self.at += memchr::memmem::find(rest, b"*/").map_or(rest.len(), |p| p + 2);
            } else if rest.starts_with(b"//") {
                self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            } else if rest.starts_with("\u{a0}".as_bytes()) || rest.starts_with("\u{feff}".as_bytes()) {
                self.at += 2 + usize::from(byte == 0xEF);
            } else {
                return;
            }
        }
    }

    fn value(&mut self, depth: usize) -> Value {
        self.skip(b"");
        self.values += 1;
        if depth > DEPTH_MAX || self.values > VALUES_MAX || !self.budget.spend(VALUE_STEPS) {
            self.at = self.bytes.len();
            return Value::Null;
        }
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(quote @ (b'"' | b'\'')) => Value::String(self.string(quote)),
            Some(_) => self.bare(),
            None => Value::Null,
        }
    }

    fn object(&mut self, depth: usize) -> Value {
        self.at += 1;
        let mut map = Map::new();
        loop {
            self.skip(b",;");
            let key = match self.peek() {
                None => break,
                Some(b'}') => {
                    self.at += 1;
                    break;
                }
                Some(b']') => break,
                Some(quote @ (b'"' | b'\'')) => self.string(quote),
                Some(_) => self.bare_key(),
            };
            if !self.budget.spend(KEY_STEPS) {
                self.at = self.bytes.len();
            }
            self.skip(b"");
            if self.peek() == Some(b':') {
                self.at += 1;
                let value = self.value(depth + 1);
                map.entry(key).or_insert(value);
            } else if key.is_empty() {
                self.at += 1;
            }
        }
        Value::Object(map)
    }

    fn array(&mut self, depth: usize) -> Value {
        self.at += 1;
        let mut list = Vec::new();
        loop {
            self.skip(b",;");
            match self.peek() {
                None | Some(b'}') => break,
                Some(b']') => {
                    self.at += 1;
                    break;
                }
                Some(b':') => self.at += 1,
                Some(_) => list.push(self.value(depth + 1)),
            }
        }
        Value::Array(list)
    }

    fn bare_key(&mut self) -> String {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_alphanumeric() || b"_@$-.".contains(&b)) {
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or("").to_owned()
    }

    fn bare(&mut self) -> Value {
        let start = self.at;
        while self.peek().is_some_and(|b| !b",;]}:\n".contains(&b)) {
            self.at += 1;
        }
        let word = self.text.get(start..self.at).unwrap_or("").trim();
        match word {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" | "undefined" | "" => {
                // Always advance, or a stray separator would loop forever.
                if self.at == start {
                    self.at += 1;
                }
                Value::Null
            }
            _ => serde_json::from_str::<serde_json::Number>(word)
                .map_or_else(|_| Value::String(word.to_owned()), Value::Number),
        }
    }

    fn string(&mut self, quote: u8) -> String {
        self.at += 1;
        let mut out = String::new();
        let mut from = self.at;
        while let Some(found) = memchr::memchr2(quote, b'\\', &self.bytes[self.at..]) {
            self.at += found;
            if self.bytes[self.at] == b'\\' {
                out.push_str(self.text.get(from..self.at).unwrap_or(""));
                self.escape(&mut out);
                from = self.at;
            } else if self.ends_here() {
                out.push_str(self.text.get(from..self.at).unwrap_or(""));
                self.at += 1;
                return out;
            } else {
                self.at += 1;
            }
        }
        self.at = self.bytes.len();
        out.push_str(self.text.get(from..).unwrap_or(""));
        out
    }

    /// A quote ends the string when a separator follows; `"a "b" c"` contains unescaped quotes.
    fn ends_here(&self) -> bool {
        let rest = &self.bytes[self.at + 1..];
        let after = rest.iter().take(64).position(|b| !b.is_ascii_whitespace());
        after.is_none_or(|p| matches!(rest[p], b',' | b':' | b'}' | b']' | b'"' | b';' | b'/' | b'\''))
    }

    fn escape(&mut self, out: &mut String) {
        let kind = self.bytes.get(self.at + 1).copied().unwrap_or(b'\\');
        self.at = (self.at + 2).min(self.bytes.len());
        match kind {
            b'n' | b'r' => out.push('\n'),
            b't' => out.push(' '),
            b'b' | b'f' => {}
            b'u' => out.push(self.unicode()),
            kind if kind.is_ascii() => out.push(char::from(kind)),
            // A backslash before a multi-byte character: step back and keep the character.
            _ => self.at -= 1,
        }
    }

    fn unicode(&mut self) -> char {
        let Some(high) = self.hex4() else { return '\u{FFFD}' };
        if (0xD800..0xDC00).contains(&high) && self.bytes[self.at..].starts_with(b"\\u") {
            self.at += 2;
            let low = self.hex4().unwrap_or(0);
            let joined = 0x10000 + ((high - 0xD800) << 10) + (low.wrapping_sub(0xDC00) & 0x3FF);
            return char::from_u32(joined).unwrap_or('\u{FFFD}');
        }
        char::from_u32(high).unwrap_or('\u{FFFD}')
    }

    fn hex4(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        let value = u32::from_str_radix(digits, 16).ok()?;
        self.at += 4;
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &str) {
        let found = Value::Array(read_all(text, &StepBudget::default())).to_string();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn valid_json_is_parsed() {
        check(r#"{"a":[1,-2.5,true,null,"x\u00e9\n\ud83d\ude00"]}"#, "[{\"a\":[1,-2.5,true,null,\"xé\\n😀\"]}]");
        check("", "[]");
        check(r#"{"a":{}}{"b":[]}"#, r#"[{"a":{}},{"b":[]}]"#);
    }

    #[test]
    fn broken_json_is_parsed_as_far_as_possible() {
        check(r#"{"a":1,}"#, r#"[{"a":1}]"#);
        check(r#"{"a":"x" "b":"y"}"#, r#"[{"a":"x","b":"y"}]"#);
        check("{\"a\":\"x\ny\"}", r#"[{"a":"x\ny"}]"#);
        check(r#"/* <![CDATA[ */ {"a":1} // ]]>"#, r#"[{"a":1}]"#);
        check(r#"{"a":"he said "hi" to me","b":2}"#, r#"[{"a":"he said \"hi\" to me","b":2}]"#);
        check(r#"{"a":["x","y""#, r#"[{"a":["x","y"]}]"#);
        check("{'a': 'b', c: undefined}", r#"[{"a":"b","c":null}]"#);
        check(r#"{"a":"b\"#, r#"[{"a":"b\\"}]"#);
        check(r#"{"a":,"b":1}"#, r#"[{"a":null,"b":1}]"#);
        check("{}}}", "[{}]");
        check(r#"{"é\é":"ü"}"#, r#"[{"éé":"ü"}]"#);
    }

    #[test]
    fn depth_and_size_are_limited() {
        assert_eq!(read_all(&"[".repeat(100_000), &StepBudget::default()).len(), 1);
        assert_eq!(read_all(&"{\"a\":".repeat(100_000), &StepBudget::default()).len(), 1);
        assert!(read_all(&"[],".repeat(200_000), &StepBudget::default()).len() <= VALUES_MAX + 1);
    }
}
