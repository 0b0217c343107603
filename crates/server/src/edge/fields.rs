//! Reads the fields of a request one by one, and says everything that is wrong with them at once.
//!
//! A JSON body and a query string are read the same way. No-code tools often send every value as a string, and an empty
//! string for a field that was left empty: both are read as meant, although the API document stays strict. What is left
//! over when all known fields are read is an unknown field, and is answered with the name that was probably meant.

mod lists;

use std::ops::RangeInclusive;

use axum::extract::FromRequestParts;
use canvass::account::{Email, NotAnEmail};
use canvass::clock::Moment;
use canvass::config::nearest;
use http::request::Parts;
use serde_json::{Map, Value};

use super::credential::KEY_PARAMETER;
use super::problem::{FieldError, Problem};
use crate::log::{hide_secrets, holds_secret};

/// Query parameters read before a request counts as abuse.
const PARAMETERS_MAX: usize = 100;
/// Faults reported at once.
const ERRORS_MAX: usize = 20;
/// What is said of a value that would be stored or repeated, and must not be.
const HOLDS_KEY: &str = "holds an API key, which belongs in the X-API-Key header only";
/// Characters of a name a client made up that an answer repeats.
const ECHOED_CHARS_MAX: usize = 60;

/// Characters of an e-mail address.
const EMAIL_CHARS_MAX: usize = 254;

/// What is said of a value that should be text.
const NOT_A_STRING: &str = "must be a string";

/// The fields of one object.
#[derive(Debug)]
pub struct Fields {
    values: Map<String, Value>,
    known: Vec<&'static str>,
    /// Fields that hold an empty string, which counts as not given.
    blank: Vec<&'static str>,
    errors: Vec<FieldError>,
    form: Form,
    /// What stands before a field's name in errors: the object it is in.
    within: &'static str,
}

/// How the fields were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// As JSON: an object may hold further objects.
    Json,
    /// In a query string: one level, and everything is text.
    Query,
}

/// An id that cannot be one, which is answered like one that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MalformedId;

impl Fields {
    /// The fields of a JSON object.
    pub fn of_json(values: Map<String, Value>) -> Fields {
        Fields { values, known: Vec::new(), blank: Vec::new(), errors: Vec::new(), form: Form::Json, within: "" }
    }

    /// The parameters of a query string.
    pub fn of_query(query: &str) -> Result<Fields, Problem> {
        let mut fields = Fields { form: Form::Query, ..Fields::of_json(Map::new()) };
        for (number, (name, value)) in url::form_urlencoded::parse(query.as_bytes()).enumerate() {
            if number >= PARAMETERS_MAX {
                let message = format!("must have at most {PARAMETERS_MAX} parameters");
                return Err(Problem::fields(vec![error("query", message, "too_many")]));
            }
            if name == KEY_PARAMETER {
                continue;
            }
            if fields.values.insert(name.to_string(), Value::String(value.into_owned())).is_some() {
                fields.fault(&shown(&name), "is given more than once; send it once".into(), "repeated");
            }
        }
        Ok(fields)
    }

    /// A text of bounded length without control characters.
    pub fn text(&mut self, name: &'static str, chars: RangeInclusive<usize>) -> Option<String> {
        let text = match self.take(name)? {
            Value::String(text) => text.trim().to_owned(),
            _ => return self.refuse(name, NOT_A_STRING.into(), "wrong_type"),
        };
        if text.chars().any(char::is_control) {
            return self.refuse(name, "must not contain control characters".into(), "bad_characters");
        }
        if holds_secret(&text) {
            return self.refuse(name, HOLDS_KEY.into(), "holds_key");
        }
        if !chars.contains(&text.chars().count()) {
            let message = format!("must be {} to {} characters long", chars.start(), chars.end());
            return self.refuse(name, message, "out_of_range");
        }
        Some(text)
    }

    /// A password or a token, exactly as it was typed. It is neither stored nor repeated.
    pub fn secret(&mut self, name: &'static str, chars_max: usize) -> Option<String> {
        match self.take(name)? {
            Value::String(text) if text.chars().count() <= chars_max => Some(text),
            Value::String(_) => {
                self.refuse(name, format!("must be at most {chars_max} characters long"), "out_of_range")
            }
            _ => self.refuse(name, NOT_A_STRING.into(), "wrong_type"),
        }
    }

    /// An e-mail address.
    pub fn email(&mut self, name: &'static str) -> Option<Email> {
        let text = self.text(name, 1..=EMAIL_CHARS_MAX)?;
        Email::parse(&text).ok().or_else(|| self.refuse(name, NotAnEmail.to_string(), "not_an_email"))
    }

    /// A word of bounded length that is only compared with words we know: whatever it holds, it does no harm.
    pub fn word(&mut self, name: &'static str, chars_max: usize) -> Option<String> {
        match self.take(name)? {
            Value::String(text) if holds_secret(&text) => self.refuse(name, HOLDS_KEY.into(), "holds_key"),
            Value::String(text) if text.chars().count() <= chars_max => Some(text),
            Value::String(_) => {
                self.refuse(name, format!("must be at most {chars_max} characters long"), "out_of_range")
            }
            _ => self.refuse(name, NOT_A_STRING.into(), "wrong_type"),
        }
    }

    /// An id of whatever form; one that is malformed is simply not found later.
    pub fn id(&mut self, name: &'static str) -> Option<String> {
        match self.take(name)? {
            Value::String(text) => Some(text),
            _ => self.refuse(name, NOT_A_STRING.into(), "wrong_type"),
        }
    }

    /// A whole number in a range.
    pub fn integer(&mut self, name: &'static str, range: RangeInclusive<i64>) -> Option<i64> {
        let message = format!("must be a whole number from {} to {}", range.start(), range.end());
        let number = match self.take(name)? {
            Value::Number(number) => number.as_i64().or_else(|| whole(number.as_f64()?)),
            Value::String(text) => match text.trim().parse().ok().or_else(|| whole(read_number(&text)?)) {
                None => return self.refuse(name, message, self.not_a_number()),
                number => number,
            },
            _ => return self.refuse(name, message, "wrong_type"),
        };
        match number {
            Some(number) if range.contains(&number) => Some(number),
            _ => self.refuse(name, message, "out_of_range"),
        }
    }

    /// A number in a range.
    pub fn number(&mut self, name: &'static str, range: RangeInclusive<f64>) -> Option<f64> {
        let message = format!("must be a number from {} to {}", range.start(), range.end());
        let number = match self.take(name)? {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => match read_number(&text) {
                None => return self.refuse(name, message, self.not_a_number()),
                number => number,
            },
            _ => return self.refuse(name, message, "wrong_type"),
        };
        match number {
            Some(number) if range.contains(&number) => Some(number),
            _ => self.refuse(name, message, "out_of_range"),
        }
    }

    /// Yes or no.
    pub fn boolean(&mut self, name: &'static str) -> Option<bool> {
        match self.take(name)? {
            Value::Bool(yes) => Some(yes),
            Value::String(text) => match text.trim().to_lowercase().as_str() {
                "true" | "1" => Some(true),
                "false" | "0" => Some(false),
                _ => self.refuse(name, "must be true or false".into(), "wrong_type"),
            },
            _ => self.refuse(name, "must be true or false".into(), "wrong_type"),
        }
    }

    /// A moment, such as `2026-11-15T02:03:04.123456+00:00`. Without an offset it is UTC.
    pub fn moment(&mut self, name: &'static str) -> Option<Moment> {
        let message =
            "must be a time such as 2026-11-15T02:03:04Z or 2026-11-15T02:03:04+01:00; without an offset it is UTC";
        let Value::String(text) = self.take(name)? else { return self.refuse(name, message.into(), "wrong_type") };
        // A plus in an address is a space once it is decoded, unless the client took care.
        let text = if text.contains('T') { text.trim().replace(' ', "+") } else { text };
        Moment::parse(&text).or_else(|| self.refuse(name, message.into(), "bad_date"))
    }

    /// One of several words.
    pub fn choice<T: Copy>(&mut self, name: &'static str, all: &[T], word: impl Fn(T) -> &'static str) -> Option<T> {
        let words: Vec<&str> = all.iter().copied().map(&word).collect();
        let message = format!("must be one of {}", words.join(", "));
        let Value::String(text) = self.take(name)? else { return self.refuse(name, message, "wrong_type") };
        let found = all.iter().copied().find(|one| word(*one) == text.trim());
        found.or_else(|| self.refuse(name, message, "unknown_value"))
    }

    /// An object in this one, read by `read`. In a query string its fields stand beside the others.
    pub fn object<T: Default>(&mut self, name: &'static str, read: impl FnOnce(&mut Fields) -> T) -> T {
        if self.form == Form::Query {
            return read(self);
        }
        let mut inner = match self.take(name) {
            None => return T::default(),
            Some(Value::Object(values)) => Fields { within: name, ..Fields::of_json(values) },
            Some(_) => {
                self.fault(name, "must be a JSON object".into(), "wrong_type");
                return T::default();
            }
        };
        let value = read(&mut inner);
        if let Err(problem) = inner.finish() {
            self.errors.extend(problem.errors);
        }
        value
    }

    /// Reports a required field that was not given; `what` says what to send.
    pub fn require<T>(&mut self, name: &'static str, value: Option<T>, what: &str) -> Option<T> {
        // A value that was wrong has been reported already.
        if value.is_none() && !self.errors.iter().any(|error| error.field == name) {
            let (fault, code) =
                if self.blank.contains(&name) { ("is empty", "out_of_range") } else { ("is missing", "missing") };
            self.fault(name, format!("{fault}; send {what}"), code);
        }
        value
    }

    /// Says what is wrong with a field that is acceptable by itself.
    pub fn contradict(&mut self, name: &str, why: &str) {
        if self.errors.len() < ERRORS_MAX {
            self.errors.push(error(name, why.to_owned(), "contradiction"));
        }
    }

    /// Whether everything was in order; reports unknown fields.
    pub fn finish(mut self) -> Result<(), Problem> {
        let left: Vec<String> = std::mem::take(&mut self.values).into_iter().map(|(name, _)| name).collect();
        let kind = if self.form == Form::Query { "parameter" } else { "field" };
        for name in left {
            let message = match nearest(&name, self.known.iter().copied()) {
                Some(known) => format!("is not a known {kind}; did you mean {known}?"),
                None if self.known.is_empty() => format!("is not a known {kind}; this request takes none"),
                None => format!("is not a known {kind}; the known ones are {}", self.known.join(", ")),
            };
            self.fault(&shown(&name), message, "unknown_field");
        }
        if self.errors.is_empty() { Ok(()) } else { Err(Problem::fields(self.errors)) }
    }

    fn take(&mut self, name: &'static str) -> Option<Value> {
        self.known.push(name);
        let value = self.values.remove(name).filter(|value| !value.is_null())?;
        if value.as_str().is_some_and(|text| text.trim().is_empty()) {
            self.blank.push(name);
            return None;
        }
        Some(value)
    }

    /// The code of a text that should be a number: in a query everything is text, so its type is never wrong.
    fn not_a_number(&self) -> &'static str {
        if self.form == Form::Query { "out_of_range" } else { "wrong_type" }
    }

    fn refuse<T>(&mut self, name: &str, message: String, code: &'static str) -> Option<T> {
        self.fault(name, message, code);
        None
    }

    fn fault(&mut self, name: &str, message: String, code: &'static str) {
        if self.errors.len() < ERRORS_MAX {
            let name = if self.within.is_empty() { name.to_owned() } else { format!("{}.{name}", self.within) };
            self.errors.push(error(&name, message, code));
        }
    }
}

impl<S: Sync> FromRequestParts<S> for Fields {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Fields::of_query(parts.uri.query().unwrap_or_default())
    }
}

/// For requests that take no parameter: whatever stands there is a mistake worth telling.
#[derive(Clone, Copy, Debug)]
pub struct NoParameters;

impl<S: Sync> FromRequestParts<S> for NoParameters {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        Fields::from_request_parts(parts, state).await?.finish().map(|()| NoParameters)
    }
}

fn error(field: &str, message: String, code: &'static str) -> FieldError {
    FieldError { field: field.to_owned(), message, code }
}

/// 25.0 is a whole number too; 2.5 and 1e300 are not.
fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
}

/// A number written as text; nothing that is infinite or not a number.
fn read_number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// A name a client made up, as far as an answer repeats it. It may be a key in the wrong place.
fn shown(name: &str) -> String {
    hide_secrets(name).chars().filter(|c| !c.is_control()).take(ECHOED_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(body: Value, expected: &[(&str, &str)]) {
        let Value::Object(values) = body.clone() else { panic!("an object") };
        let mut fields = Fields::of_json(values);
        let _ = (fields.text("industry", 1..=5), fields.integer("requested_count", 1..=2500));
        let errors = fields.finish().err().map(|problem| problem.errors).unwrap_or_default();
        let found: Vec<(&str, &str)> = errors.iter().map(|error| (error.field.as_str(), error.code)).collect();
        assert_eq!(found, expected, "{body}");
    }

    #[test]
    fn everything_wrong_is_said_at_once() {
        check(json!({"industry": "roof", "requested_count": 25}), &[]);
        check(json!({"industry": "roof", "requested_count": 25.0}), &[]);
        check(json!({"industry": null}), &[]);
        check(
            json!({"industry": 5, "requested_count": [25], "indusrty": 1}),
            &[("industry", "wrong_type"), ("requested_count", "wrong_type"), ("indusrty", "unknown_field")],
        );
        check(
            json!({"industry": "roofer", "requested_count": 2501}),
            &[("industry", "out_of_range"), ("requested_count", "out_of_range")],
        );
        check(
            json!({"industry": "a\u{0}b", "requested_count": 1e300}),
            &[("industry", "bad_characters"), ("requested_count", "out_of_range")],
        );
        check(json!({"industry": " "}), &[]);
    }

    #[test]
    fn values_written_as_strings_are_read_as_meant() {
        let read = |text: &str| {
            let mut fields = Fields::of_json(json!({"i": text, "n": text, "b": text}).as_object().unwrap().clone());
            let read = (fields.integer("i", 0..=100), fields.number("n", 0.0..=100.0), fields.boolean("b"));
            let errors = fields.finish().err().map(|problem| problem.errors).unwrap_or_default();
            (read, errors.len())
        };
        assert_eq!(read("25"), ((Some(25), Some(25.0), None), 1));
        assert_eq!(read(" 25.0 "), ((Some(25), Some(25.0), None), 1));
        assert_eq!(read("2.5"), ((None, Some(2.5), None), 2));
        assert_eq!(read("TRUE"), ((None, None, Some(true)), 2));
        assert_eq!(read("0"), ((Some(0), Some(0.0), Some(false)), 0));
        assert_eq!(read(""), ((None, None, None), 0), "an empty string is not given");
        for nonsense in ["abc", "1e400", "nan", "inf", "٣", "0x10", "1,000", "25 leads", "101", "-1"] {
            assert_eq!(read(nonsense), ((None, None, None), 3), "{nonsense}");
        }
    }

    #[test]
    fn a_required_field_says_what_to_send() {
        let required = |body: Value| {
            let mut fields = Fields::of_json(body.as_object().unwrap().clone());
            let value = fields.text("model", 1..=5);
            fields.require("model", value, "the name of the model");
            fields.finish().unwrap_err()
        };
        for (body, detail, code) in [
            (json!({}), "model is missing; send the name of the model", "missing"),
            (json!({"model": null}), "model is missing; send the name of the model", "missing"),
            (json!({"model": " "}), "model is empty; send the name of the model", "out_of_range"),
            (json!({"model": 7}), "model must be a string", "wrong_type"),
        ] {
            let problem = required(body);
            assert_eq!((problem.detail.as_str(), problem.errors[0].code), (detail, code));
        }
    }

    #[test]
    fn a_query_is_read_as_text_and_bounded() {
        let mut fields = Fields::of_query("limit=7&api_key=x").unwrap();
        assert_eq!(fields.integer("limit", 1..=10), Some(7));
        assert!(fields.finish().is_ok());
        let mut fields = Fields::of_query("limit=&sort=").unwrap();
        assert_eq!((fields.integer("limit", 1..=10), fields.word("sort", 9)), (None, None));
        assert!(fields.finish().is_ok(), "an empty parameter counts as absent");
        assert!(Fields::of_query("a=1&a=2").unwrap().finish().is_err());
        assert!(Fields::of_query(&"a=1&".repeat(500)).is_err());
    }
}
