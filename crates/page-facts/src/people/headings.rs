//! Headings that announce one person by title: `Meet the Owner`, `About Our Founder`, `A message from our president`.

use crate::page::lower_in_place;
use crate::people::titles;
use crate::word_set::WordSet;

/// Longest heading, in bytes.
const HEADING_BYTES_MAX: usize = 60;
/// Longest title in one, in words.
const TITLE_WORDS_MAX: usize = 4;

/// What such headings begin with; longer beginnings first.
const STARTS: &[&str] = &[
    "a message from our ",
    "a message from the ",
    "a word from our ",
    "a word from the ",
    "a letter from our ",
    "a letter from the ",
    "a note from our ",
    "a note from the ",
    "from our ",
    "from the ",
    "meet our ",
    "meet the ",
    "meet your ",
    "about our ",
    "about the ",
    "about your ",
    "our ",
    "your ",
];

/// Titles of those who made an article, a talk or a work.
static OF_WORKS: WordSet = WordSet::new("author artist speaker guest host contributor writer illustrator");

/// The title that a heading announces. `Our Attorneys` announces several people and is read elsewhere.
pub(super) fn announced(line: &str) -> Option<String> {
    if line.len() > HEADING_BYTES_MAX || !line.contains(' ') {
        return None;
    }
    let lower = lower_in_place(line);
    let start = STARTS.iter().find(|start| lower.starts_with(**start))?;
    let title = line[start.len()..].trim_end_matches([':', ' ', '.', '!']);
    let is_title = title.split(' ').count() <= TITLE_WORDS_MAX
        && !title.is_empty()
        && titles::is_all_title(&title.to_lowercase())
        && titles::is_alone_enough(&title.to_lowercase(), title.split(' ').count())
        && !OF_WORKS.contains(title.rsplit(' ').next().unwrap_or("").to_lowercase().as_str())
        && titles::singular_title(title).is_none();
    is_title.then(|| in_capitals(title))
}

/// The title of whom a letter is from: `A message from our owner`.
pub(super) fn letter_from(line: &str) -> Option<String> {
    let is_letter = line.len() <= HEADING_BYTES_MAX && lower_in_place(line).contains("from ");
    announced(line).filter(|_| is_letter)
}

fn in_capitals(title: &str) -> String {
    let mut chars = title.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_announce_one_person() {
        for (line, title) in [
            ("Meet the Owner", Some("Owner")),
            ("About Our Founder", Some("Founder")),
            ("A message from our president", Some("President")),
            ("Meet The Head Chef:", Some("Head Chef")),
            ("Our Attorneys", None),
            ("Meet the Team", None),
            ("About the Author's Book", None),
            ("The Office", None),
            ("About the Author", None),
            ("Owner", None),
        ] {
            assert_eq!(announced(line).as_deref(), title, "{line}");
        }
    }
}
