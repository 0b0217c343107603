//! Titles on no list: phrases that may be one where the other cards of a page have titles.

use crate::people::contact_lines::is_contact;
use crate::people::{page_words, titles};

/// Longest title on no list, in bytes and in words.
const TITLE_BYTES_MAX: usize = 60;
const TITLE_WORDS_MAX: usize = 8;
/// Shortest noun for somebody who does something, in bytes.
const AGENT_BYTES_MIN: usize = 6;

/// What nouns for somebody who does something end in: `Landscaper`, `coordinatrice`, `especialista`, `Kosmetikerin`.
const AGENT_ENDINGS: [&str; 24] = [
    "er", "or", "ist", "ian", "eur", "euse", "trice", "ière", "ier", "ère", "dor", "dora", "tor", "tora", "ero", "era",
    "ista", "tore", "iere", "iera", "erin", "istin", "orin", "aire",
];

/// Whether a phrase names somebody who does something: its first or its last word, or the last before `of`.
pub(super) fn names_an_agent(phrase: &str) -> bool {
    let is_agent = |word: &str| {
        let word = word.trim_matches([',', '.']).to_lowercase();
        word.len() >= AGENT_BYTES_MIN && AGENT_ENDINGS.iter().any(|end| word.ends_with(end))
    };
    let head = phrase.split([',', '&', '/']).next().unwrap_or(phrase);
    let first = head.split(' ').next().unwrap_or("");
    let last = head.trim_end().rsplit(' ').next().unwrap_or("");
    is_agent(first) || is_agent(last)
}

/// Whether a line may be a title that no list has: a few words, no sentence, no contact and no heading of a section.
pub(super) fn is_phrase(line: &str) -> bool {
    let is_letter = |c: char| c.is_alphabetic() || matches!(c, ' ' | '&' | '/' | '-' | ',' | '.' | '\'' | '’');
    (3..=TITLE_BYTES_MAX).contains(&line.len())
        && line.split(' ').count() <= TITLE_WORDS_MAX
        && line.starts_with(char::is_uppercase)
        && !line.ends_with('.')
        && line.chars().all(is_letter)
        && !is_contact(line)
        && !page_words::is_people_heading(line)
        && !titles::reads_as_sentence(&line.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_words_may_be_a_title() {
        for line in ["Lashes", "Accounts and operations", "Kinesiolgist"] {
            assert!(is_phrase(line), "{line}");
        }
        for line in ["Loves dogs.", "Call 555-0100", "Read more", "Austin, TX", "Meet the team", "she is great", ""] {
            assert!(!is_phrase(line), "{line}");
        }
    }

    #[test]
    fn an_agent_is_somebody_who_does_something() {
        for line in ["Senior Landscaper", "Coordinatrice de projet", "Especialista en Cardiología", "Kosmetikerin"] {
            assert!(names_an_agent(line), "{line}");
        }
        for line in ["Lashes", "Austin, Texas", "Waco", "Over the moon", ""] {
            assert!(!names_an_agent(line), "{line}");
        }
    }
}
