//! What people are to each other, where a sentence says it beside their names: `husband and wife team Ann and Bob Lee`.

use crate::people::names::{self, Trust};
use crate::people::sentences::name_at_end;
use crate::word_set::WordSet;

/// Skips what two people are to each other: `husband and wife team Ann and Bob Lee`.
pub(super) fn kin(text: &str) -> &str {
    const KIN: &[&str] = &[
        "husband and wife team ",
        "husband-and-wife team ",
        "husband and wife ",
        "husband & wife ",
        "brothers ",
        "sisters ",
        "the husband and wife team of ",
        "father and son ",
        "mother and daughter ",
        "partners ",
        "friends ",
        "its owner ",
        "our owner ",
        "chef ",
        "owner ",
        "local ",
        "entrepreneur ",
        "twins ",
        "siblings ",
        "couple ",
    ];
    let text = KIN.iter().find_map(|kin| text.strip_prefix(kin)).unwrap_or(text).trim_start_matches([',', ' ']);
    described(text).unwrap_or(text)
}

/// Words that do not describe the person after them: `by the family of Ann Lee`.
static NO_DESCRIPTION: WordSet =
    WordSet::new("of for with from to in at on and or former late famous original legendary a an as until who");
/// Words with which a sentence may describe a person before the name.
const DESCRIPTION_WORDS_MAX: usize = 4;

/// `his great-granddaughter Ann Lee`, `master plumber Ann Lee`: a name after a description in lower case.
fn described(text: &str) -> Option<&str> {
    let mut rest = text;
    for _ in 0..DESCRIPTION_WORDS_MAX {
        let (word, after) = rest.split_once(' ')?;
        let is_plain =
            word.starts_with(char::is_lowercase) && word.chars().all(|c| c.is_alphanumeric() || "-’'".contains(c));
        if !is_plain || NO_DESCRIPTION.contains(word) {
            return None;
        }
        rest = after;
        if rest.starts_with(char::is_uppercase) {
            return names::starts_with_first_name(rest).then_some(rest);
        }
    }
    None
}

/// What names the family of the person before it.
const FAMILY: &[&str] = &[
    " and her husband",
    " and his wife",
    " and her partner",
    " and his partner",
    " and her son",
    " and his son",
    " and her daughter",
    " and his daughter",
    " and her family",
    " and his family",
    " along with her husband",
    " along with his wife",
    " together with her husband",
    " together with his wife",
];
/// Bytes from there to the end of a text.
const FAMILY_BYTES_MAX: usize = 45;

/// `Jane Doe and her husband, Tom,` without the husband, whose full name is not given.
pub(super) fn without_kin(text: &str) -> &str {
    let at = FAMILY.iter().find_map(|words| text.rfind(words)).filter(|at| text.len() - at <= FAMILY_BYTES_MAX);
    match at {
        Some(at) if name_at_end(text, Trust::Low).is_none() => text[..at].trim_end_matches(','),
        _ => text,
    }
}
