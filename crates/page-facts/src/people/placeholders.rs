//! Names and texts that a template came with, in place of which nobody has put any yet.

use std::sync::LazyLock;

use crate::document::Document;
use crate::literals::Literals;
use crate::word_set::WordSet;

/// Surnames that only samples have.
static SAMPLE_SURNAMES: WordSet = WordSet::new("mustermann musterfrau muster lastname surname nachname");
/// Words that stand for a name yet to be written.
static BLANKS: WordSet = WordSet::new("name firstname lastname vorname nachname fullname your xyz");
/// Names that samples use, and hardly anyone has.
const SAMPLES: &[&str] = &["Joe Bloggs", "John Q. Public"];

/// Texts that stand where nobody has written anything yet.
const TEXTS: [&str; 12] = [
    "orem ipsum dolor",
    "orem Ipsum dolor",
    "OREM IPSUM DOLOR",
    "Some quick example text",
    "will be displayed here",
    "Short bio about",
    "Short bio or description",
    "hort description of the person",
    "Add a short bio",
    "Your bio goes here",
    "Insert your text here",
    "This is dummy copy",
];

/// Whether a name is that of a sample: `Max Mustermann`, `Owner Name`.
pub(super) fn is_placeholder(name: &str) -> bool {
    SAMPLES.contains(&name)
        || name.rsplit(' ').next().is_some_and(|surname| SAMPLE_SURNAMES.contains_any_case(surname))
        || name.split(' ').any(|word| BLANKS.contains_any_case(word))
}

/// Whether the page still has the text that a template came with: its people are of the template too.
pub(super) fn is_template(document: &Document<'_>) -> bool {
    static SEARCH: LazyLock<Option<Literals>> = LazyLock::new(|| Literals::new(TEXTS.into_iter()));
    SEARCH.as_ref().is_some_and(|search| search.occur_in(&document.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_told_from_people() {
        for name in
            ["Max Mustermann", "Erika Musterfrau", "Joe Bloggs", "Owner Name", "Your Name", "Firstname Lastname"]
        {
            assert!(is_placeholder(name), "{name}");
        }
        for name in ["Jane Doe", "Ann Lee", "Max Meier", "John Dole"] {
            assert!(!is_placeholder(name), "{name}");
        }
    }
}
