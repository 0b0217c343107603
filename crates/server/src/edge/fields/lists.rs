//! Fields with more than one value: lists, texts of several lines, objects that are kept as they are.

use std::ops::RangeInclusive;

use canvass::ids::Id;
use serde_json::{Map, Value};

use super::{Fields, Form, MalformedId, NOT_A_STRING};

impl Fields {
    /// A list of texts, each of bounded length and without control characters.
    pub fn texts(
        &mut self,
        name: &'static str,
        count: RangeInclusive<usize>,
        chars: RangeInclusive<usize>,
    ) -> Option<Vec<String>> {
        let list = match self.take(name)? {
            Value::Array(list) => list,
            // In a query string a list is one text, with semicolons between its entries.
            Value::String(text) if self.form == Form::Query => text.split(';').map(|part| part.trim().into()).collect(),
            _ => return self.refuse(name, "must be a list of texts".into(), "wrong_type"),
        };
        if !count.contains(&list.len()) {
            let message = format!("must have {} to {} entries", count.start(), count.end());
            return self.refuse(name, message, "out_of_range");
        }
        let is_text = |entry: &Value| {
            let text = entry.as_str().map(str::trim)?;
            (chars.contains(&text.chars().count()) && !text.chars().any(char::is_control)).then(|| text.to_owned())
        };
        let mut texts = Vec::with_capacity(list.len());
        for (place, entry) in list.iter().enumerate() {
            let Some(text) = is_text(entry) else {
                let message = format!("must be a text of {} to {} characters", chars.start(), chars.end());
                return self.refuse(&format!("{name}[{place}]"), message, "out_of_range");
            };
            texts.push(text);
        }
        Some(texts)
    }

    /// A list of so many ids. Ids that are malformed are no fault of a field: they are not found.
    pub fn ids<Of>(
        &mut self,
        name: &'static str,
        count: RangeInclusive<usize>,
    ) -> Option<Result<Vec<Id<Of>>, MalformedId>> {
        let Value::Array(list) = self.take(name)? else {
            return self.refuse(name, "must be a list of ids".into(), "wrong_type");
        };
        if !count.contains(&list.len()) {
            let message = format!("must have {} to {} entries", count.start(), count.end());
            return self.refuse(name, message, "out_of_range");
        }
        if let Some(place) = list.iter().position(|entry| !entry.is_string()) {
            return self.refuse(&format!("{name}[{place}]"), NOT_A_STRING.into(), "wrong_type");
        }
        let ids = list.iter().map(|entry| entry.as_str().and_then(Id::parse).ok_or(MalformedId));
        Some(ids.collect())
    }

    /// A text of bounded length in which lines may break. An empty one is given, not left out: it clears what was there.
    pub fn lines(&mut self, name: &'static str, chars_max: usize) -> Option<String> {
        if self.values.get(name).and_then(Value::as_str).is_some_and(|text| text.trim().is_empty()) {
            self.known.push(name);
            self.values.remove(name);
            return Some(String::new());
        }
        let text = match self.take(name)? {
            Value::String(text) => text.replace("\r\n", "\n").trim().to_owned(),
            _ => return self.refuse(name, NOT_A_STRING.into(), "wrong_type"),
        };
        if text.chars().any(|letter| letter.is_control() && letter != '\n' && letter != '\t') {
            return self.refuse(name, "must not contain control characters".into(), "bad_characters");
        }
        if text.chars().count() > chars_max {
            return self.refuse(name, format!("must be at most {chars_max} characters long"), "out_of_range");
        }
        Some(text)
    }

    /// An object that is kept as it is.
    pub fn anything(&mut self, name: &'static str) -> Option<Map<String, Value>> {
        match self.take(name)? {
            Value::Object(values) => Some(values),
            _ => self.refuse(name, "must be an object".into(), "wrong_type"),
        }
    }
}
