//! What verbs and nouns of sentences say of who began, owns or left a business, and where they stand in a line.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::people::ownership::{english_phrases, germanic_phrases, romance_phrases};

/// What a phrase says of its subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    /// Began or owns what the object names; the title that this implies.
    Verb(&'static str),
    /// Bought the business or took it over from others, who own it no longer.
    Takes(&'static str),
    /// The same in languages that put the subject on either side and the object anywhere: `übernahm Hans Meier den Betrieb`.
    Around(&'static str),
    /// Began or owns it, with the person after the phrase: `founded by`.
    Passive(&'static str),
    /// The same of a business that has come into somebody's hands.
    Passes(&'static str),
    /// Leads what the object names.
    Leads,
    /// The same with the person after the phrase: `led by`.
    LedBy,
    /// Makes by hand what the business sells, with the person after the phrase.
    Makes,
    /// Is of the second or a later generation of those who have the business.
    Heir,
    /// Works with a team of their own: `Ann Lee and her team`.
    Team,
    /// Is `the force behind` what follows.
    Behind,
    /// Turned something `into` the business.
    Turns,
    /// Has a business of their own, whatever it is called: `went into business for herself`.
    Independent,
    /// What the business was: the person is whom the page tells of.
    Born,
    /// Is what the noun says.
    Role(&'static str),
    /// Retired or died.
    Leaves,
    /// Sold what the object names.
    Sells,
    /// Joined or works for what the object names.
    Joins,
}

/// Phrases that say the same, each between the spaces that bound it.
pub(super) type Phrases = (Act, &'static [&'static str]);

fn phrases() -> impl Iterator<Item = (&'static str, Act)> {
    let groups = [english_phrases::PHRASES, germanic_phrases::PHRASES, romance_phrases::PHRASES].into_iter().flatten();
    groups.flat_map(|(act, phrases)| phrases.iter().map(|phrase| (*phrase, *act)))
}

static ACTS: LazyLock<Vec<Act>> = LazyLock::new(|| phrases().map(|(_, act)| act).collect());
static SEARCH: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::new(phrases().map(|(phrase, _)| phrase)).ok());

/// The phrases that occur in a line in lower case with a space on both sides: where each begins and ends in the line.
pub(super) fn find(padded: &str) -> Vec<(usize, usize, Act)> {
    let found = SEARCH.iter().flat_map(|search| search.find_overlapping_iter(padded));
    let acts = found.filter_map(|found| {
        let act = ACTS.get(found.pattern().as_usize())?;
        let ends_in_space = padded[..found.end()].ends_with(' ');
        let goes_on = padded[found.end()..].starts_with(|c: char| c.is_alphanumeric() || c == '-');
        let is_elided = padded[..found.end()].ends_with(['\'', '’']);
        let is_whole = ends_in_space || is_elided || !goes_on;
        // The first space of the phrase stands before its first letter, and the text begins with one that the line lacks.
        let end = found.end() - usize::from(ends_in_space) - 1;
        is_whole.then_some((found.start(), end, *act))
    });
    acts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::ownership::english_triggers;

    #[test]
    fn phrases_are_found_whole() {
        let acts = |line: &str| -> Vec<String> {
            let padded = format!(" {} ", line.to_lowercase());
            find(&padded).into_iter().map(|(at, end, _)| line.get(at..end).unwrap_or("?").to_owned()).collect()
        };
        assert_eq!(acts("Ann opened it, owns it and is the owner."), ["opened", "owns", "owner"]);
        assert!(acts("Ownership and ownerships of openedness").is_empty());
    }

    #[test]
    fn every_phrase_holds_a_trigger() {
        let triggers = [
            &english_triggers::TRIGGERS,
            &english_triggers::MORE_TRIGGERS,
            &germanic_phrases::TRIGGERS,
            &romance_phrases::TRIGGERS,
        ];
        for (phrase, _) in phrases() {
            let is_seen = triggers
                .iter()
                .any(|parts| parts.iter().any(|search| search.occur_in(&format!("{} ", phrase.trim_end()))));
            assert!(is_seen, "{phrase}");
        }
    }
}
