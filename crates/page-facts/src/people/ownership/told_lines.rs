//! Which lines of a page are read for sentences about its owner.

use std::sync::LazyLock;

use crate::literals::Literals;
use crate::page::around;
use crate::people::ownership::OwnerPage;
use crate::people::ownership::business_words;
use crate::people::ownership::english_phrases::{MORE_TRIGGERS, TRIGGERS};
use crate::people::ownership::foreign_phrases::{GERMAN_TRIGGERS, ROMANCE_TRIGGERS};

/// Lines read per page.
const LINES_MAX: usize = 150;
/// Longest line that is a label, in bytes: `Owned and operated by Ann Lee`.
pub(super) const LABEL_BYTES_MAX: usize = 70;
/// Bytes of a page in which its language shows, and words that show it.
const SAMPLE_BYTES: usize = 8_000;
const SAMPLE_WORDS_MIN: usize = 8;

/// Whether a line of a front page may tell of this business: it says `our`, names it or an owner, or is a label with `by`.
pub(super) fn may_tell(page: OwnerPage<'_, '_>, line: &str) -> bool {
    OURS_OR_OWNERS.as_ref().is_some_and(|words| words.occur_in(line))
        || line.starts_with("We ")
        || line.starts_with("Our ")
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
    let is_english = page.document.lang.is_some_and(|lang| lang.starts_with("en")) && !reads_foreign(page);
    let english = [TRIGGERS.as_ref(), MORE_TRIGGERS.as_ref()];
    let foreign = [GERMAN_TRIGGERS.as_ref(), ROMANCE_TRIGGERS.as_ref()];
    let foreign = foreign.into_iter().filter(|_| !is_english);
    for triggers in english.into_iter().chain(foreign).flatten() {
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

/// Whether a page is in another language than it says: many templates say `en`.
fn reads_foreign(page: OwnerPage<'_, '_>) -> bool {
    let mut count = 0;
    let start = around(&page.document.text, 0, 0, SAMPLE_BYTES);
    FOREIGN.iter().for_each(|words| words.each(start, SAMPLE_WORDS_MIN, |_| count += 1));
    count >= SAMPLE_WORDS_MIN
}

/// Words that no English text has.
static FOREIGN: LazyLock<Option<Literals>> = LazyLock::new(|| {
    let words = [
        " und ", " der ", " mit ", " il ", " lo ", " della ", " nel ", " che ", " les ", " des ", " et ", " dans ",
        " el ", " los ", " una ", " het ", " een ", " van ", " è ",
    ];
    Literals::new(words.into_iter())
});
