//! Which lines of a page are read for sentences about its owner.

use std::sync::LazyLock;

use crate::literals::Literals;
use crate::page::around;
use crate::people::ownership::OwnerPage;
use crate::people::ownership::business_words;
use crate::people::ownership::english_triggers::{MORE_TRIGGERS, TRIGGERS};
use crate::people::ownership::{germanic_phrases, romance_phrases};
use crate::people::sentences;
use crate::word_set::WordSet;

/// Lines read per page.
const LINES_MAX: usize = 150;
/// Longest line that is a label, in bytes: `Owned and operated by Ann Lee`.
pub(super) const LABEL_BYTES_MAX: usize = 70;
/// Places at which a first name is looked for.
const PLACES_MAX: usize = 20;
/// Bytes of a page in which its language shows, and words that show it.
const SAMPLE_BYTES: usize = 8_000;
const SAMPLE_WORDS_MIN: usize = 8;
/// The same on a front page that says none.
const FEW_WORDS_MIN: usize = 3;

/// Whether a line of a front page may tell of this business: it says `our`, names it or an owner, or is a label with `by`.
pub(super) fn may_tell(page: OwnerPage<'_, '_>, line: &str) -> bool {
    OURS_OR_OWNERS.as_ref().is_some_and(|words| words.occur_in(line))
        || line.starts_with("We ")
        || line.starts_with("Our ")
        || line.starts_with("Welcome to ")
        || business_words::may_name_this(line, page.site)
        || (line.len() <= LABEL_BYTES_MAX && line.contains(" by "))
}

/// Words of the business about itself, and for owners, without first letters.
static OURS_OR_OWNERS: LazyLock<Option<Literals>> = LazyLock::new(|| {
    let words = [
        " our ",
        " we ",
        " us ",
        " us.",
        " us,",
        " We ",
        " Our ",
        "wner",
        "ounder",
        "roprietor",
        "nnkeeper",
        "our host",
        " behind ",
        "etired",
        " died ",
        "passed away",
        " sold ",
        "nhaber",
        "ründer",
        "schäftsführer",
        "érant",
        "ondateur",
        "ondatrice",
        "ropriétaire",
        "itolar",
        "ondator",
        "opietari",
        "undador",
        "dueñ",
        "igenaar",
        "prichter",
        " unser",
        " wir ",
        " notre ",
        " nous ",
        " nostr",
        " nuestr",
        " onze ",
        " wij ",
    ];
    Literals::new(words.into_iter())
});

/// The lines that hold a trigger, in order.
pub(super) fn with_phrases(page: OwnerPage<'_, '_>) -> Vec<usize> {
    let mut lines: Vec<usize> = Vec::new();
    // What else is said of owners is rarely said on a front page, which is long.
    let more = Some(&MORE_TRIGGERS).filter(|_| !page.is_front);
    let is_foreign = is_foreign(page);
    let foreign =
        [&germanic_phrases::TRIGGERS, &romance_phrases::TRIGGERS].map(|parts| Some(parts).filter(|_| is_foreign));
    let parts = [Some(&TRIGGERS), more].into_iter().chain(foreign).flatten();
    for triggers in parts.flat_map(|parts| parts.iter()) {
        triggers.each(&page.document.text, LINES_MAX, |found| {
            let line = page.document.line_at(found.start());
            if lines.last() != Some(&line) {
                lines.push(line);
            }
        });
    }
    lines.sort_unstable();
    lines.dedup();
    lines.truncate(LINES_MAX);
    lines
}

/// Whether a page may be in another language: many say none, and many templates say `en`.
fn is_foreign(page: OwnerPage<'_, '_>) -> bool {
    let enough = match page.document.lang {
        Some(lang) if lang.starts_with("en") => SAMPLE_WORDS_MIN,
        None if page.is_front => FEW_WORDS_MIN,
        _ => return true,
    };
    let mut count = 0;
    let start = around(&page.document.text, 0, 0, SAMPLE_BYTES);
    FOREIGN.iter().for_each(|words| words.each(start, enough, |_| count += 1));
    count >= enough
}

/// Words that no English text has.
static FOREIGN: LazyLock<Option<Literals>> = LazyLock::new(|| {
    let words = [
        " und ", " der ", " mit ", " il ", " lo ", " della ", " nel ", " che ", " les ", " des ", " et ", " dans ",
        " el ", " los ", " una ", " het ", " een ", " van ", " è ",
    ];
    Literals::new(words.into_iter())
});

/// Whether a sentence is in a language whose verbs need no subject.
pub(super) fn is_pro_drop(sentence: &str) -> bool {
    let words = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| PRO_DROP.contains(word));
    words.take(PRO_DROP_WORDS_MIN).count() == PRO_DROP_WORDS_MIN
}

/// Words of Italian, Spanish and Portuguese that are of no other language of the finders.
static PRO_DROP: WordSet = WordSet::new(
    "il lo della del nel nella che per con suo sua di una così el los las su y por desde en una con para como da do em e seu",
);
/// How many of them show the language.
const PRO_DROP_WORDS_MIN: usize = 2;

/// The name of whom a page calls by a first name, where it names them in full: `Ann Lee lives in Waco`.
pub(super) fn full_name(page: OwnerPage<'_, '_>, first: &str) -> Option<String> {
    let text = &page.document.text;
    if page.is_front || !page.document.budget.spend(text.len() / 8) {
        return None;
    }
    memchr::memmem::find_iter(text.as_bytes(), first).take(PLACES_MAX).find_map(|at| {
        let index = page.document.line_at(at);
        let start = page.document.lines.get(index).map_or(0, |line| line.start);
        let rest = page.line(index)?.get(at.checked_sub(start)?..)?;
        let is_whole = !text[..at].ends_with(char::is_alphanumeric)
            && rest[first.len()..].strip_prefix(' ').is_some_and(|rest| rest.starts_with(char::is_uppercase));
        let (name, _) = sentences::name_and_end(rest).filter(|_| is_whole)?;
        Some(name.name)
    })
}
