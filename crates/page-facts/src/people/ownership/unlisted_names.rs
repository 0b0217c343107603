//! Names on no list beside a statement of owning: a page that goes on with the first name alone is about a person.

use memchr::memmem;

use crate::byte_set::{ByteSet, Separator};
use crate::page::around;
use crate::people::common_words::CommonWords;
use crate::people::names::{self, Trust};
use crate::people::ownership::OwnerPage;
use crate::people::ownership::namesakes;
use crate::people::ownership::persons;
use crate::people::ownership::phrases::Act;
use crate::people::{other_companies, owner_labels, owners, titles};
use crate::word_set::WordSet;

/// Words of such a name.
const WORDS_MAX: usize = 3;
/// Bytes between such a name and a phrase after it, and one before it.
const BEFORE_BYTES_MAX: usize = 60;
const AFTER_BYTES_MAX: usize = 30;
/// Bytes after a name in which a pronoun tells that it is a person's.
const PRONOUN_BYTES_MAX: usize = 120;
/// Shortest surname that vouches for a name, and bytes between a name and a noun for an owner.
const SURNAME_BYTES_MIN: usize = 4;
const CALLED_BYTES_MAX: usize = 24;
/// What stands between them.
const CALLED: &[&str] = &[
    "",
    ",",
    ":",
    "–",
    "(",
    ", the",
    ", our",
    "is",
    "is the",
    "is our",
    "is the proud",
    "is the sole",
    "is the current",
    "is also the",
    "is proud to be the",
    "has been the",
    "became",
    "became the",
];
/// Longest line that is a name and a title, in bytes.
const CARD_BYTES_MAX: usize = 80;
/// What separates the name from the title in it.
static SEPARATORS: [Separator; 7] = Separator::all([" - ", " – ", " — ", " | ", ", ", ": ", " ("]);
/// Names examined per line.
const RUNS_MAX: usize = 4;
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
    let goes_on = |end: usize| speaks_of_person(&text[end..]);
    let name = |end: usize| if goes_on(end) { of_person(page, &text[..end]) } else { whole(page, &text[..end]) };
    ends(text).into_iter().rev().find_map(name)
}

/// The name that somebody says is theirs: `I'm Zxy Qwamble, and`.
pub(super) fn introduced(page: OwnerPage<'_, '_>, text: &str) -> Option<String> {
    ends(text).into_iter().rev().find_map(|end| of_person(page, &text[..end]))
}

/// Where two or three words in capitals at the start of a text end.
fn ends(text: &str) -> Vec<usize> {
    let is_end = |c: char| matches!(c, ' ' | ',' | '.' | ';' | '(' | '!');
    let ends = text.match_indices(is_end).map(|(at, _)| at).chain([text.len()]).take(WORDS_MAX);
    let is_part = |word: &str| word.starts_with(char::is_uppercase);
    ends.filter(|end| text[..*end].contains(' ') && text[..*end].split(' ').all(is_part)).collect()
}

/// Names in a line beside phrases of owning, of people whom the line goes on about: `founded by Zxy Qwamble, who`.
pub(super) fn in_line(page: OwnerPage<'_, '_>, line: &str, found: &[(usize, usize, Act)]) -> Vec<String> {
    let runs = runs(line).into_iter().filter(|(at, end)| {
        let is_near = |(start, stop, _): &(usize, usize, Act)| {
            (*start >= *end && start - end <= BEFORE_BYTES_MAX) || (*at >= *stop && at - stop <= AFTER_BYTES_MAX)
        };
        let is_first = line[..*at].trim_end().is_empty();
        (is_first || found.iter().any(is_near)) && may_precede(&line[..*at])
    });
    let named = runs.take(RUNS_MAX).filter_map(|(at, end)| {
        let text = &line[at..end];
        let is_addressed = line[..at].trim_end().rsplit(' ').next().is_some_and(|word| HONORIFICS.contains(word));
        let is_person = is_addressed
            || has_surname(text)
            || is_called_owner(line, (at, end), found)
            || speaks_of_person(&line[end..]);
        // What a front page goes on about is not searched for: it is long, and tells of anyone.
        match is_person {
            true => of_person(page, text),
            false if page.is_front => None,
            false => whole(page, text),
        }
    });
    named.collect()
}

/// Whether the last word is a known surname, and none of places: `Oak Hill`.
fn has_surname(text: &str) -> bool {
    let last = text.rsplit(' ').next().unwrap_or("").to_lowercase();
    last.len() >= SURNAME_BYTES_MIN && names::is_surname(&last) && !namesakes::is_place_word(&last)
}

/// A name on no list beside an owner's title, alone in a line: `Zxy Miller - Owner/Teacher`, `Founder: Zxy Miller`.
pub(super) fn titled(page: OwnerPage<'_, '_>, line: &str) -> Option<String> {
    if line.len() > CARD_BYTES_MAX {
        return None;
    }
    let bare = line.trim_start_matches(['-', '–', '—', '~', ' ']);
    let (left, right) = ByteSet::of(bare).split_once_at(bare, &SEPARATORS)?;
    let right = right.trim_end_matches([')', '.']);
    let is_title = |text: &str| {
        titles::is_title(text) && owners::rank(text) > 0 && !other_companies::names_another(text, page.site)
    };
    let name = if is_title(right) { left } else { right };
    let is_card = is_title(right) || (is_title(left) && line.contains(": "));
    (is_card && has_surname(name)).then(|| of_person(page, name)).flatten()
}

/// Whether a line calls somebody the owner: `Founder Zxy Qwamble`, `Zxy Qwamble is the owner`, `Zxy Qwamble, owner`.
fn is_called_owner(line: &str, (at, end): (usize, usize), found: &[(usize, usize, Act)]) -> bool {
    let is_beside = |between: &str| between.len() <= CALLED_BYTES_MAX && CALLED.contains(&between.trim());
    found.iter().filter(|(.., act)| matches!(act, Act::Role(_))).any(|(start, stop, _)| {
        // `Owner, Acme Soap` is a title and a business.
        let is_title = *start == 0 && line.get(*stop..at) == Some(", ");
        !is_title && line.get(*stop..at).is_some_and(is_beside) || line.get(end..*start).is_some_and(is_beside)
    })
}

/// Where two or three words in capitals follow each other, the first of them no known first name.
fn runs(line: &str) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    let (mut from, mut end, mut count) = (0, 0, 0);
    let mut close = |from: usize, end: usize, count: usize| {
        let first = line[from..end].split(' ').next().unwrap_or("");
        if (2..=WORDS_MAX).contains(&count) && !names::is_first_name_in_any_case(first) {
            runs.push((from, end));
        }
    };
    for (at, word) in persons::words(line) {
        let is_next = count > 0 && line[end..at] == *" ";
        // `Zxy QWAMBLE`: many write surnames in capitals.
        let is_small = word.chars().any(char::is_lowercase) || is_next && word.len() > 2;
        let is_part = word.starts_with(char::is_uppercase) && word.len() > 1 && is_small;
        if !is_next || !is_part {
            close(from, end, count);
            count = 0;
        }
        // `When Zxy Qwamble opened`
        if is_part && !(count == 0 && STARTERS.contains(word)) {
            if count == 0 {
                from = at;
            }
            count += 1;
            end = at + word.len();
        }
    }
    close(from, end, count);
    runs
}

/// Whether a sentence may name a person after a text: not `in Fort Worth`, nor `The Blue Door`.
fn may_precede(before: &str) -> bool {
    let before = before.trim_end();
    let last = before.rsplit(' ').next().unwrap_or("");
    let is_start = before.is_empty() || before.ends_with(['.', ',', ':', '!', '–', '-', '(']);
    // `In 2009 Zxy Qwamble took over`
    let is_year = last.len() == 4 && last.bytes().all(|byte| byte.is_ascii_digit());
    is_start || is_year || HONORIFICS.contains(last) || STARTERS.contains(last) || PRECEDING.contains(last)
}

/// Words that begin a sentence before a name, and titles.
static STARTERS: WordSet = WordSet::new(
    "When In Since After Before Today Now Chef Dr Owner Owners Founder Founders Proprietor Proprietors Meet Attorney Captain
     Master Sensei Miss Mr Mrs Ms Coach Farmer Co-owner Co-owners Co-founder Innkeeper Innkeepers Inhaber Inhaberin Als Eigenaar Titolare",
);
/// What stands before the names of professionals.
static HONORIFICS: WordSet = WordSet::new(
    "Dr Dr. Maître Me Docteur Dott. Dott.ssa Dra. Avv. Herr Frau Mr. Mrs. Ms. Mme Chef Captain Attorney Sensei med.",
);
/// Words before a name within a sentence.
static PRECEDING: WordSet = WordSet::new(
    "when by that which dr chef and owner owners founder founders proprietor fondatore fondatrice titolare
     proprietario proprietaria inhaber inhaberin gründer gründerin fondateur gérant gérante propriétaire propietario propietaria
     fundador fundadora dueño dueña eigenaar oprichter patron signor signora is am are to of von durch par da por door als
     ist est bin name",
);

/// Whether a text goes on about a person.
pub(super) fn speaks_of_person(after: &str) -> bool {
    let near = around(after, 0, 0, PRONOUN_BYTES_MAX);
    near.split(|c: char| !c.is_alphabetic()).any(|word| PRONOUNS.contains(word))
}

static PRONOUNS: WordSet = WordSet::new("she She her Her he He his His who I my My");

/// A text that is a name, where something else says that it is a person's.
pub(super) fn of_person(page: OwnerPage<'_, '_>, text: &str) -> Option<String> {
    let name = names::parse_as(text, Trust::High).filter(owner_labels::is_plausible)?.name;
    let is_new = !page.site.is_named_in(&name) && page.site.similarity(&name) == 0;
    (is_new && !CommonWords::of(page.document).make_up(&name)).then(|| first_name_first(name))
}

/// `Rossi Mario` as `Mario Rossi`: the last of two words is a first name, the first is none.
fn first_name_first(name: String) -> String {
    match name.split(' ').collect::<Vec<_>>()[..] {
        [surname, first]
            if names::is_first_name_in_any_case(first)
                && !names::is_surname(&first.to_lowercase())
                && !names::is_first_name_in_any_case(surname) =>
        {
            format!("{first} {surname}")
        }
        _ => name,
    }
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
