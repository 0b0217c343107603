//! Labels that only whoever owns or runs a business has: `Inhaber: Zxy Meier`. The name after one need not be on a list.

use crate::page::around;
use crate::people::capitals::is_capitalised;
use crate::people::names::{self, PersonName, Trust};
use crate::people::{name_words, owners, placeholders, titles};
use crate::word_set::WordSet;

/// Longest label and longest name after it, in bytes.
const LABEL_BYTES_MAX: usize = 24;
const NAME_BYTES_MAX: usize = 40;
/// Longest title, in bytes.
const TITLE_BYTES_MAX: usize = 60;
/// Most words of a name on no list.
const NAME_WORDS_MAX: usize = 4;

/// Labels of imprints, after which no company stands but under its legal form.
static IMPRINT: WordSet = WordSet::new(
    "inhaber inhaberin geschäftsinhaber geschäftsinhaberin geschäftsführer geschäftsführerin gérant gérante propriétaire
     titolare eigenaar eigenaresse zaakvoerder propietario propietaria dueño dueña proprietário proprietária fondateur
     fondatrice gründer gründerin ägare innehavare indehaver ejer innehaver omistaja yrittäjä właściciel właścicielka majitel majitelka
     jednatel jednatelka konateľ konateľka proprietar proprietară kurucu vlasnik vlasnica lastnik lastnica",
);
/// Labels after which brands and firms stand too.
static ENGLISH: WordSet = WordSet::new("owner proprietor founder owner/operator co-owner co-founder");

/// What the names of companies end in.
static LEGAL_FORMS: WordSet = WordSet::new(
    "gmbh mbh ag kg ug ohg gbr e.k. ltd inc llc srl s.r.l. sarl sas snc bv b.v. nv vof e.v. co ab aps a/s as oy tmi s.r.o. zoo kft d.o.o.",
);

/// Whether a text is such a label and nothing else.
pub(super) fn is_label(text: &str) -> bool {
    text.len() <= LABEL_BYTES_MAX && (IMPRINT.contains_any_case(text) || ENGLISH.contains_any_case(text))
}

/// Whether a short line has such a label among its words: `Owner & Founder`.
pub(super) fn names_owner(line: &str) -> bool {
    let is_one = |word: &str| IMPRINT.contains_any_case(word) || ENGLISH.contains_any_case(word);
    line.len() <= TITLE_BYTES_MAX && line.split(|c: char| !c.is_alphanumeric()).any(is_one)
}

/// Whether a line may begin with such a label. Most lines are rejected by the place of their colon.
pub(super) fn may_begin(line: &str) -> bool {
    memchr::memchr(b':', line.as_bytes())
        .filter(|at| *at <= LABEL_BYTES_MAX)
        .and_then(|at| line.get(..at)?.trim_end().rsplit(' ').next())
        .is_some_and(is_label)
}

/// The name on no list that follows a label: after an English one its surname must be known.
pub(super) fn name(label: &str, rest: &str) -> Option<PersonName> {
    let end = rest.find([',', '(', '|', ';', '·', '•']).unwrap_or(rest.len());
    let text = rest[..end].trim();
    if text.len() > NAME_BYTES_MAX || text.bytes().any(|b| b.is_ascii_digit() || b == b'&') {
        return None;
    }
    let label = label.rsplit(' ').next().unwrap_or(label);
    let Some(name) = names::parse_as(text, Trust::High).filter(is_plausible) else {
        return IMPRINT.contains_any_case(label).then(|| by_shape(text)).flatten();
    };
    let surname = name.name.rsplit(' ').next().unwrap_or("").to_lowercase();
    (IMPRINT.contains_any_case(label) || (ENGLISH.contains_any_case(label) && names::is_surname(&surname)))
        .then_some(name)
}

/// Three or four words on no list, each of which may be part of a name: `Zxy Qwa Rtzor` after `Inhaber:`.
fn by_shape(text: &str) -> Option<PersonName> {
    let words: Vec<&str> = text.split(' ').collect();
    let is_part = |word: &&str| {
        is_capitalised(word)
            && word.len() > 1
            && !word.bytes().all(|byte| byte.is_ascii_uppercase())
            && !LEGAL_FORMS.contains_any_case(word)
            && !name_words::is_business_word(&word.to_lowercase())
            && !name_words::is_abstract(&word.to_lowercase())
    };
    let name = PersonName { name: text.to_owned(), prefix: None, credentials: None };
    let is_name = (3..=NAME_WORDS_MAX).contains(&words.len()) && words.iter().all(is_part) && is_plausible(&name);
    is_name.then_some(name)
}

/// The name on no list after `founded by`, and where it ends: two or three capitalised words, the last a known surname.
pub(super) fn founder(text: &str) -> Option<(PersonName, usize)> {
    let near = around(text, 0, 0, NAME_BYTES_MAX);
    let ends = near
        .match_indices([' ', ',', '.', ';'])
        .map(|(at, _)| at)
        .chain((near.len() == text.len()).then_some(near.len()));
    ends.take(NAME_WORDS_MAX + 1).find_map(|end| {
        let name = names::parse_as(&near[..end], Trust::High).filter(is_plausible)?;
        let words = || name.name.split(' ');
        let is_whole = name.name.len() == end && words().all(|word| word.len() > 1 || word.ends_with('.'));
        let goes_on = text[end..].strip_prefix(' ').is_some_and(|rest| rest.starts_with(char::is_uppercase));
        let surname = words().next_back().unwrap_or("").to_lowercase();
        (is_whole && !goes_on && names::is_surname(&surname)).then_some((name, end))
    })
}

/// Whether a name on no list consists of words that are no titles and no placeholders.
pub(super) fn is_plausible(name: &PersonName) -> bool {
    let is_title = |word: &str| titles::is_title_word(&word.to_lowercase());
    // `Zxy Baker`: some titles are surnames.
    let (rest, last) = name.name.rsplit_once(' ').unwrap_or((&name.name, ""));
    name.name.split(' ').count() <= NAME_WORDS_MAX
        && !rest.split(' ').any(is_title)
        && (!is_title(last) || names::is_surname(&last.to_lowercase()))
        && !placeholders::is_placeholder(&name.name)
}

/// The label without the business's name before it: `Acme Inhaber`.
pub(super) fn bare(label: &str) -> &str {
    match label.rsplit_once(' ') {
        Some((business, last)) if is_label(last) && !titles::is_title_phrase(label) && is_short(business) => last,
        _ => label,
    }
}

/// Whether words before a label may be the name of a business rather than a sentence: `Rex, 4 years old. Owner`.
fn is_short(words: &str) -> bool {
    words.split(' ').count() <= NAME_WORDS_MAX && !words.contains(", ") && !words.ends_with('.')
}

/// The title after the name, when it says more of ownership than the label: `Publisher: Ann Lee, owner`.
pub(super) fn title_after(label: &str, rest: &str) -> Option<String> {
    let (_, title) = rest.split_once(", ")?;
    let title = title.trim_end_matches(['.', ' ']);
    (titles::is_title(title) && owners::rank(title) > owners::rank(label)).then(|| title.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_founder_on_no_list_has_a_known_surname() {
        for (text, expect) in [
            ("Zxy Nguyen in 2005", Some("Zxy Nguyen")),
            ("Zxy Qwa Miller, a keen archer", Some("Zxy Qwa Miller")),
            ("Zxy Miller", Some("Zxy Miller")),
            ("Zxy Miller Roofing in 2005", None),
            ("Zxy Qwamble in 2005", None),
            ("a group of friends", None),
        ] {
            assert_eq!(founder(text).map(|(name, _)| name.name).as_deref(), expect, "{text}");
        }
    }

    #[test]
    fn the_label_of_an_owner_vouches_for_the_name() {
        for (label, rest, expect) in [
            ("Inhaber", "Zxy Meiersdorf", Some("Zxy Meiersdorf")),
            ("Inhaberin", "Qwa Rtz, Hauptstr. 5", Some("Qwa Rtz")),
            ("Owner", "Zxy Miller", Some("Zxy Miller")),
            ("Owner", "Blue Skyline", None),
            ("Inhaber", "Meier Media", None),
            ("Inhaber", "Max Mustermann", None),
            ("Phone", "Zxy Meiersdorf", None),
            ("Inhaber", "Zxy & Qwa", None),
        ] {
            assert_eq!(name(label, rest).map(|name| name.name).as_deref(), expect, "{label}: {rest}");
        }
        assert!(may_begin("Inhaber: Zxy Meier") && may_begin("Acme Inhaber: Zxy Meier") && may_begin("OWNER: ZXY LEE"));
        assert!(!may_begin("Phone: 555-0100") && !may_begin("Inhaber Zxy Meier"));
        assert_eq!(bare("Rex, 4 years old. Owner"), "Rex, 4 years old. Owner");
        assert_eq!((bare("ACME Inhaber"), bare("Shop Owner"), bare("Owner")), ("Inhaber", "Shop Owner", "Owner"));
    }
}
