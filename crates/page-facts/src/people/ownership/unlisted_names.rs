//! Names on no list beside a statement of owning: a page that goes on with the first name alone is about a person.

use memchr::memmem;

use crate::people::common_words::CommonWords;
use crate::people::names::{self, Trust};
use crate::people::owner_labels;
use crate::people::ownership::OwnerPage;

/// Words of such a name.
const WORDS_MAX: usize = 3;
/// Places at which the page is searched for the first name alone.
const PLACES_MAX: usize = 20;
/// Shortest first name, in bytes.
const FIRST_BYTES_MIN: usize = 3;

/// The name that ends at a verb: `Zxy Qwamble opened`.
pub(super) fn before(page: OwnerPage<'_, '_>, text: &str) -> Option<String> {
    let text = text.trim_end();
    let is_part = |word: &&str| word.starts_with(char::is_uppercase) && !word.ends_with([',', '.', ':', ';']);
    let count = text.rsplit(' ').take(WORDS_MAX).take_while(is_part).count();
    let start = |words: usize| text.rmatch_indices(' ').nth(words - 1).map_or(0, |(at, _)| at + 1);
    (2..=count).rev().find_map(|words| whole(page, &text[start(words)..]))
}

/// The name at the start of a text: `Zxy Qwamble in 2005`.
pub(super) fn after(page: OwnerPage<'_, '_>, text: &str) -> Option<String> {
    let is_end = |c: char| matches!(c, ' ' | ',' | '.' | ';' | '(');
    let ends: Vec<usize> = text.match_indices(is_end).map(|(at, _)| at).chain([text.len()]).take(WORDS_MAX).collect();
    let is_part = |word: &str| word.starts_with(char::is_uppercase);
    let is_name = |end: &usize| text[..*end].split(' ').all(is_part) && text[..*end].contains(' ');
    ends.into_iter().rev().filter(is_name).find_map(|end| whole(page, &text[..end]))
}

/// A text that is such a name.
pub(super) fn whole(page: OwnerPage<'_, '_>, text: &str) -> Option<String> {
    let name = names::parse_as(text, Trust::High).filter(owner_labels::is_plausible)?.name;
    let is_new = !page.site.is_named_in(&name) && page.site.similarity(&name) == 0;
    (is_new && is_told_of(page, &name) && !CommonWords::of(page.document).make_up(&name)).then_some(name)
}

/// Whether the page uses the first name alone.
fn is_told_of(page: OwnerPage<'_, '_>, name: &str) -> bool {
    let Some((first, rest)) = name.split_once(' ') else { return false };
    let text = &page.document.text;
    if first.len() < FIRST_BYTES_MIN || !page.document.budget.spend(text.len() / 8) {
        return false;
    }
    memmem::find_iter(text.as_bytes(), first.as_bytes()).take(PLACES_MAX).any(|at| {
        let after = &text[at + first.len()..];
        let is_word = !text[..at].ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric);
        let next = after.trim_start().split(' ').next().unwrap_or("");
        let goes_on = after.starts_with(['\'', '’']) || next.starts_with(char::is_lowercase);
        is_word && goes_on && !after.trim_start().starts_with(rest)
    })
}
