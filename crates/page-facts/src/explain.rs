//! Explains a value: which rules accepted or refused it, on which page. `canvass facts --explain` prints it, and a report of a
//! wrong lead starts from it.
//!
//! The rules note what they decide as they run. A note costs one branch unless this thread is explaining: in a search, never.
//! The recorder belongs to the thread, so that rules deep inside a finder need no further argument.

use std::cell::{Cell, RefCell};

use serde::Serialize;

use crate::extract::facts;
use crate::finders::Finder;
use crate::page::{Context, RawPage};

/// Decisions kept per value; a page may repeat a value thousands of times.
const DECISIONS_MAX: usize = 500;
/// Longest text kept with a decision, in characters.
const TEXT_CHARS_MAX: usize = 200;
/// Fewest digits that a number shares with the value: fewer are in too many numbers.
const DIGITS_MIN: usize = 6;

/// What a rule decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The rule found the value, or spoke for it.
    Accepted,
    /// The rule rejected the value.
    Refused,
}

/// One decision about a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Decision {
    /// The page; `None` for what was decided about the whole site.
    pub url: Option<String>,
    /// The finder that decided, by its name in `finders.toml`.
    pub finder: &'static str,
    /// The rule in a few words, such as `title below the name`.
    pub rule: &'static str,
    /// What it decided.
    pub verdict: Verdict,
    /// The text it decided about.
    pub text: String,
}

thread_local! {
    static IS_ON: Cell<bool> = const { Cell::new(false) };
    static RECORDER: RefCell<Recorder> = const { RefCell::new(Recorder::idle()) };
}

struct Recorder {
    wanted: Wanted,
    url: Option<String>,
    decisions: Vec<Decision>,
}

impl Recorder {
    const fn idle() -> Recorder {
        Recorder { wanted: Wanted { letters: String::new(), digits: String::new() }, url: None, decisions: Vec::new() }
    }
}

/// The value that is explained, reduced to what different spellings of it share.
struct Wanted {
    letters: String,
    digits: String,
}

impl Wanted {
    fn of(value: &str) -> Wanted {
        let letters: String = value.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        let digits: String = value.chars().filter(char::is_ascii_digit).collect();
        Wanted { letters, digits }
    }

    /// Whether a text is about the value: one contains the other, or a number ends in the same digits.
    fn is_in(&self, text: &str) -> bool {
        let other = Wanted::of(text);
        if self.letters.len() > 1 && other.letters.len() > 1 {
            let shorter = self.letters.len().min(other.letters.len());
            let contains = other.letters.contains(&self.letters) || self.letters.contains(&other.letters);
            if contains && shorter * 3 >= self.letters.len() {
                return true;
            }
        }
        let tail = |digits: &str| digits.get(digits.len().saturating_sub(DIGITS_MIN)..).unwrap_or("").to_owned();
        self.digits.len() >= DIGITS_MIN && other.digits.contains(&tail(&self.digits))
    }
}

/// Runs the finders and records every decision about `value`: an email, a phone number, a name, an address, a technology.
#[must_use]
pub fn explain(pages: &[RawPage<'_>], context: &Context<'_>, value: &str) -> Vec<Decision> {
    RECORDER.set(Recorder { wanted: Wanted::of(value), ..Recorder::idle() });
    IS_ON.set(true);
    let _ = facts(pages, context);
    IS_ON.set(false);
    RECORDER.replace(Recorder::idle()).decisions
}

/// Names the page that following decisions are about; `None` for the site.
pub(crate) fn enter(url: Option<&str>) {
    if IS_ON.get() {
        RECORDER.with_borrow_mut(|recorder| recorder.url = url.map(str::to_owned));
    }
}

/// Notes that a rule found `text`, or spoke for it.
pub(crate) fn accepted(finder: Finder, rule: &'static str, text: &str) {
    note(finder, rule, Verdict::Accepted, text);
}

/// Notes that a rule rejected `text`.
pub(crate) fn refused(finder: Finder, rule: &'static str, text: &str) {
    note(finder, rule, Verdict::Refused, text);
}

#[inline]
fn note(finder: Finder, rule: &'static str, verdict: Verdict, text: &str) {
    if IS_ON.get() {
        record(finder, rule, verdict, text);
    }
}

#[cold]
fn record(finder: Finder, rule: &'static str, verdict: Verdict, text: &str) {
    RECORDER.with_borrow_mut(|recorder| {
        if recorder.decisions.len() >= DECISIONS_MAX || !recorder.wanted.is_in(text) {
            return;
        }
        let text = text.chars().take(TEXT_CHARS_MAX).collect();
        let decision = Decision { url: recorder.url.clone(), finder: finder.name(), rule, verdict, text };
        if !recorder.decisions.contains(&decision) {
            recorder.decisions.push(decision);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_about_a_value_in_any_spelling() {
        let phone = Wanted::of("+1 512-555-0100");
        assert!(phone.is_in("(512) 555-0100") && phone.is_in("call 512.555.0100 now") && !phone.is_in("512-555-0199"));
        let name = Wanted::of("Jane Doe");
        assert!(name.is_in("JANE DOE, DDS") && !name.is_in("Joe Dane") && !name.is_in("e"));
    }

    #[test]
    fn nothing_is_recorded_unless_asked() {
        accepted(Finder::Emails, "mailto link", "a@b.com");
        assert!(RECORDER.with_borrow(|recorder| recorder.decisions.is_empty()));
    }
}
