//! Whether a page says that its organisation is one that nobody owns.

use std::sync::LazyLock;

use crate::literals::Literals;
use crate::page::around;
use crate::people::ownership::business_words::{bare, last_sentence};
use crate::word_set::WordSet;

/// Statements that are examined.
const STATEMENTS_MAX: usize = 20;
/// Bytes and words before one that tell of whom it is.
const BEFORE_BYTES: usize = 80;
const BEFORE_WORDS: usize = 6;

/// What organisations that nobody owns say of themselves.
static STATEMENTS: LazyLock<Option<Literals>> = LazyLock::new(|| {
    let words = [
        "501(c)",
        "501c3",
        "a nonprofit",
        "a non-profit",
        "our nonprofit",
        "our non-profit",
        "profit organization",
        "egistered charity",
        "charity number",
        "emeinnützig",
        "sans but lucratif",
        "senza scopo di lucro",
        "sin ánimo de lucro",
        "zonder winstoogmerk",
    ];
    Literals::new(words.into_iter())
});

/// Right before it: `goes to a nonprofit`.
static PREPOSITIONS: WordSet = WordSet::new(
    "to with for at of by from like für mit bei von zugunsten à pour avec per con di para de voor met aan",
);
/// Words between such a word and a statement.
static ARTICLES: WordSet = WordSet::new("a an the our r local eine einen einer einem une un una een ein");
/// What a business does for others: `volunteers with Safe Haven, a nonprofit`.
static FAVOURS: WordSet = WordSet::new(
    "support supports supporting supported donate donates donated donating donation donations volunteer volunteers volunteered
     volunteering benefit benefits benefiting benefitting partner partners partnered partnering sponsor sponsors sponsored
     sponsoring help helps helped helping proceeds board fundraiser fundraisers fundraising give gives gave giving raise raises
     raised raising unterstützt unterstützen spendet spenden spende soutient soutenons sostiene sosteniamo apoya apoyamos steunt
     steunen",
);
/// `is a nonprofit`, whatever comes before.
static BEING: WordSet = WordSet::new("is are as we're it's was am ist sind als est sommes è siamo es somos");

/// Whether a text says so of the organisation itself, not of one that it does something for.
pub(super) fn is_said_in(text: &str) -> bool {
    let mut is_said = false;
    if let Some(statements) = STATEMENTS.as_ref() {
        statements.each(text, STATEMENTS_MAX, |found| is_said |= !is_of_another(text, found.start()));
    }
    is_said
}

/// Whether what stands before a statement tells that it is about somebody else.
fn is_of_another(text: &str, at: usize) -> bool {
    let line = around(text, at, BEFORE_BYTES, 0).rsplit('\n').next().unwrap_or("");
    let sentence = &line[last_sentence(line)..];
    let words: Vec<String> = sentence.split_whitespace().rev().take(BEFORE_WORDS).map(bare).collect();
    let before = words.iter().find(|word| !ARTICLES.contains(word));
    if before.is_some_and(|word| BEING.contains(word)) {
        return false;
    }
    before.is_some_and(|word| PREPOSITIONS.contains(word)) || words.iter().any(|word| FAVOURS.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_organisation_is_told_from_those_it_helps() {
        for said in [
            "Acme Dog Rescue is a nonprofit led by Ann Lee.",
            "We are a 501(c)(3) organization.",
            "We help dogs as a nonprofit.",
            "Acme, a non-profit for the town, was founded in 2001.",
            "A registered charity in England and Wales.",
            "Wir sind ein gemeinnütziger Verein.",
            "Registered charity number 12345",
            "We support families.\nAcme is a nonprofit.",
        ] {
            assert!(is_said_in(said), "{said}");
        }
        for other in [
            "Ten percent of every loaf goes to a nonprofit that feeds children.",
            "Ann volunteers with Safe Haven, a nonprofit for dogs.",
            "All proceeds benefit the Acme Fund, a 501(c)(3).",
            "She sits on the board of a non-profit.",
            "Wir spenden an gemeinnützige Vereine.",
            "Nobody says anything.",
        ] {
            assert!(!is_said_in(other), "{other}");
        }
    }
}
