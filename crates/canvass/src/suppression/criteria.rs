//! How rows of suppressed businesses are found in a large table: patterns for the database, and the set that decides.

use super::{Entry, Kind, SuppressedSet};
use crate::clock::Moment;
use crate::ids::Id;

/// Patterns that the database looks for in one pass. A longer list is decided on row by row, in one pass as well.
const PATTERNS_MAX: usize = 20;

/// What to look for among stored rows.
#[derive(Clone, Debug)]
pub(crate) struct Criteria {
    /// Decides.
    pub(crate) set: SuppressedSet,
    /// `like` patterns for text in lower case: a row that the set covers matches at least one. Empty: any row may be covered.
    pub(crate) patterns: Vec<String>,
    /// Only rows stored from then on.
    since: Option<Moment>,
}

impl Criteria {
    /// What to look for because of these entries.
    pub(crate) fn of(entries: &[Entry], since: Option<Moment>) -> Criteria {
        let few = entries.len() <= PATTERNS_MAX;
        let patterns = if few { entries.iter().map(pattern).collect() } else { Vec::new() };
        Criteria { set: entries.iter().cloned().collect(), patterns, since }
    }

    /// Whether a text, such as a stored lead, matches any pattern, as it would in the database.
    pub(crate) fn may_cover(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.patterns.is_empty() || self.patterns.iter().any(|pattern| is_like(&text, pattern))
    }

    /// The id behind which to begin.
    pub(crate) fn first_id<Of>(&self) -> String {
        self.since.map(|since| Id::<Of>::earliest_at(since).to_string()).unwrap_or_default()
    }
}

/// Whether a text has the pieces of a pattern between its wildcards, in order. A pattern begins and ends with a wildcard.
fn is_like(text: &str, pattern: &str) -> bool {
    let mut rest = text;
    pattern.split('%').all(|piece| match rest.find(piece) {
        Some(at) => {
            rest = &rest[at + piece.len()..];
            true
        }
        None => false,
    })
}

/// A pattern that matches more rather than less.
fn pattern(entry: &Entry) -> String {
    match entry.kind() {
        // An international domain stands in text in either of its two forms.
        Kind::Domain => format!("%{}%", labels(entry.value())),
        Kind::Email => match entry.value().rsplit_once('@') {
            Some((name, domain)) => format!("%{}@{}%", plain(name), labels(domain)),
            None => format!("%{}%", plain(entry.value())),
        },
        Kind::Phone => format!("%{}%", entry.value().trim_start_matches('+')),
    }
}

/// The text with a wildcard for every character whose lower case the database may not know.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii() { c } else { '%' }).collect()
}

/// The labels of a domain, with a wildcard for each that is not written in ASCII.
fn labels(domain: &str) -> String {
    let label = |label: &str| if label.starts_with("xn--") { "%".to_owned() } else { label.to_owned() };
    domain.split('.').map(label).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suppression::parse;

    #[test]
    fn a_text_is_looked_through_as_the_database_would() {
        let criteria = |typed: &str| Criteria::of(&[parse(typed, None).unwrap()], None);
        assert!(
            criteria("ada.com").may_cover("see HTTPS://www.ADA.com/x") && !criteria("ada.com").may_cover("ada.net")
        );
        assert!(
            criteria("müller.de").may_cover("https://müller.de") && criteria("müller.de").may_cover("xn--mller-kva.de")
        );
        assert!(
            criteria("+15125550100").may_cover("\"phone\":\"+15125550100\"")
                && !criteria("joe@ada.com").may_cover("ada.com joe@")
        );
    }

    #[test]
    fn patterns_find_every_form_of_an_entry() {
        let patterns = |typed: &[&str]| {
            let entries: Vec<Entry> = typed.iter().map(|typed| parse(typed, None).unwrap()).collect();
            Criteria::of(&entries, None).patterns
        };
        let expected = ["%ada.com%", "%%.de%", "%joe@ada.com%", "%15125550100%"];
        assert_eq!(patterns(&["ada.com", "müller.de", "joe@ada.com", "+15125550100"]), expected);
        let many: Vec<String> = (0..100).map(|number| format!("ada{number}.com")).collect();
        assert!(patterns(&many.iter().map(String::as_str).collect::<Vec<_>>()).is_empty());
    }
}
