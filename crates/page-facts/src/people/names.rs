//! Recognises personal names. The lists contain common first names of many countries and the 6,000 most common
//! surnames of the 1990 US census (public domain).

use std::sync::LazyLock;

use memchr::memchr;

use crate::people::capitals::{in_title_case, is_capitalised};
use crate::people::credentials;
use crate::people::name_words::{
    FIRST_NAMES, INITIALS_AS_NAME, NOT_IN_NAMES, NOT_SURNAMES, PARTICLES, PLACES, PREFIXES, SUFFIXES, SURNAMES,
    ends_in_surname_word, is_abstract, without_last_initial,
};
use crate::people::titles;
use crate::word_set::{WORD_BYTES_MAX, Words};

/// Longest initials, in bytes: `J.R.`.
const INITIALS_BYTES_MAX: usize = 4;
/// Longest first name or prefix at the start of a line, in bytes.
const FIRST_BYTES_MAX: usize = 20;

/// A personal name, separated from what precedes and follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PersonName {
    /// First name, optional initials, surname.
    pub(crate) name: String,
    /// What preceded it, such as `Dr.` or `Attorney`.
    pub(crate) prefix: Option<String>,
    /// What followed it, such as `DDS` or `Esq.`.
    pub(crate) credentials: Option<String>,
}

/// Whether a word, given in lower case, is a known first name.
pub(crate) fn is_first_name(word: &str) -> bool {
    FIRST_NAMES.contains(word)
}

/// Whether a word in any case is a known first name.
pub(crate) fn is_first_name_in_any_case(word: &str) -> bool {
    FIRST_NAMES.contains_any_case(word)
}

/// Whether a word, given in lower case, is a common surname.
pub(crate) fn is_surname(word: &str) -> bool {
    SURNAMES.contains(word)
}

/// Cheap check of how a line starts: whether it can be a name, alone or followed by something.
pub(crate) fn may_start(text: &str) -> bool {
    let is_letter_first = text.starts_with(|c: char| c.is_ascii_alphabetic());
    // Most begin with a letter.
    let text = if is_letter_first {
        text
    } else {
        text.trim_start_matches(['-', '–', '—', '"', '“', '*', '•', '|', ' '])
    };
    let word = first_word(text);
    if word.is_empty() || word.len() > FIRST_BYTES_MAX || !word.starts_with(char::is_uppercase) {
        return false;
    }
    let bare = word.trim_end_matches('.');
    let is_letter = bare.len() == 1 || (!bare.is_ascii() && bare.to_lowercase().chars().count() == 1);
    let is_known = is_letter
        || FIRST_NAMES.contains_any_case(bare)
        || PREFIXES.contains_any_case(word)
        || (word.len() == INITIALS_BYTES_MAX && word.ends_with('.') && is_initials(&word.to_lowercase()))
        || INITIALS_AS_NAME.contains_any_case(word);
    is_known || memchr(b',', text.as_bytes()).is_some()
}

/// The letters and full stops at the start of a text.
fn first_word(text: &str) -> &str {
    let end = text.bytes().position(|byte| !(byte.is_ascii_alphabetic() || byte == b'.')).unwrap_or(text.len());
    if text.as_bytes().get(end).is_none_or(u8::is_ascii) {
        return &text[..end];
    }
    &text[..text.find(|c: char| !(c.is_alphabetic() || c == '.')).unwrap_or(text.len())]
}

/// Words without which a text contains no name: first names, initials used as one, what precedes and what follows a name.
static SIGNS: LazyLock<Words> = LazyLock::new(|| {
    let lists = [&FIRST_NAMES, &INITIALS_AS_NAME, &PREFIXES, &SUFFIXES];
    lists.iter().flat_map(|list| list.iter()).map(|word| word.trim_end_matches('.')).collect()
});

/// Cheap check of a whole line: whether any part of it may parse as a name.
pub(crate) fn may_contain(line: &str) -> bool {
    let bytes = line.as_bytes();
    let mut end = 0;
    while let Some(start) = bytes[end..].iter().position(is_letter).map(|at| end + at) {
        end = bytes[start..].iter().position(|byte| !is_letter(byte)).map_or(bytes.len(), |at| start + at);
        let word = &line[start..end];
        let next = bytes.get(end).copied().unwrap_or(b' ');
        let is_initial = word.len() == 1 && next == b'.';
        // `Ph.D`, `OTR/L`
        let is_joined = next != b' ' && bytes.get(end + 1).is_some_and(is_letter);
        let is_shouted = || word.bytes().filter(u8::is_ascii_uppercase).count() > 1;
        if is_initial || is_joined || !word.is_ascii() || is_shouted() || SIGNS.contains_any_case(word) {
            return true;
        }
    }
    false
}

fn is_letter(byte: &u8) -> bool {
    byte.is_ascii_alphabetic() || !byte.is_ascii()
}

/// Whether a text begins with a known first name or a title before one, and another capitalised word.
pub(crate) fn starts_with_first_name(text: &str) -> bool {
    let Some(end) = memchr(b' ', text.as_bytes()) else { return false };
    let (first, rest) = (&text[..end], &text[end + 1..]);
    first.len() <= FIRST_BYTES_MAX
        && first.starts_with(char::is_uppercase)
        && rest.starts_with(char::is_uppercase)
        && (FIRST_NAMES.contains_any_case(first) || PREFIXES.contains_any_case(first))
}

/// Whether two lines are a first name and a surname: two words, one below the other.
pub(crate) fn is_name_of_lines(text: &str) -> bool {
    let Some((first, last)) = text.split_once('\n').filter(|_| text.len() <= 2 * FIRST_BYTES_MAX) else { return false };
    let is_word =
        |word: &str| word.starts_with(char::is_uppercase) && word.chars().all(|c| c.is_alphabetic() || c == '-');
    is_word(first)
        && is_word(last)
        && is_first_name_in_any_case(first)
        && !titles::is_plain_head(last)
        && parse(&format!("{first} {last}")).is_some()
}

/// Parses `text` as exactly one name.
pub(crate) fn parse(text: &str) -> Option<PersonName> {
    parse_as(text, Trust::Low)
}

/// How much the context of a name supports its being one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Not at all: the first name must be a known one.
    Low,
    /// It is listed among people with titles.
    High,
}

/// Parses `text` as exactly one name; the higher the trust, the fewer checks.
pub(crate) fn parse_as(text: &str, trust: Trust) -> Option<PersonName> {
    let text = bare(text);
    if text.len() > 60 || text.len() < 4 || !may_begin(text) {
        return None;
    }
    // The year in which a graduate left: `Ann Lee '08`.
    let text = if text.ends_with(|c: char| c.is_ascii_digit()) { without_class_year(text) } else { text };
    let (bare, credentials) = credentials::split(without_pronouns(text));
    let mut rest = bare.split_whitespace().peekable();
    let mut prefix = None;
    while let Some(first) = rest.next_if(|word| PREFIXES.contains_any_case(word)) {
        prefix = Some(first);
    }
    // `M. Jean Martin`: what the French write for `Mr`, or an initial that can be spared.
    if rest.peek() == Some(&"M.") {
        let mut ahead = rest.clone().skip(1);
        rest.next_if(|_| ahead.next().is_some_and(may_be_first_name) && ahead.next().is_some());
    }
    let strong = prefix.is_some() || credentials.is_some() || trust == Trust::High;
    if !rest.peek().is_some_and(|first| is_capitalised(first) && (strong || may_be_first_name(first))) {
        return None;
    }
    let words: Vec<&str> = rest.collect();
    is_name(without_last_initial(&words), (strong, prefix.is_some())).then(|| PersonName {
        name: words.iter().map(|w| in_title_case(w)).collect::<Vec<_>>().join(" "),
        prefix: prefix.map(str::to_owned),
        credentials: credentials.map(str::to_owned),
    })
}

/// Cheap check of how a text begins: names begin with a capital, or with what precedes one.
fn may_begin(text: &str) -> bool {
    text.starts_with(char::is_uppercase)
        || text.split_whitespace().next().is_some_and(|first| PREFIXES.contains_any_case(first))
}

/// Cheap check by which most texts are rejected: a longer word is no initial and must be on the list.
fn may_be_first_name(word: &str) -> bool {
    let bare = word.trim_matches('.');
    let first = &bare[..memchr(b'-', bare.as_bytes()).unwrap_or(bare.len())];
    word.len() <= INITIALS_BYTES_MAX
        || !word.is_ascii()
        || word.len() > WORD_BYTES_MAX
        || FIRST_NAMES.contains_any_case(first)
}

/// `Ann Lee (she/her)` without the pronouns.
fn without_pronouns(text: &str) -> &str {
    if !text.contains('(') {
        return text;
    }
    let Some((name, inner)) = text.split_once(" (") else { return text };
    let is_pronouns =
        inner.contains('/') && inner.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'/' | b' ' | b')'));
    if is_pronouns && inner.len() < 20 { name } else { text }
}

/// A text without the signs around it.
fn bare(text: &str) -> &str {
    // Most begin and end with a letter.
    if let [first, .., last] = text.as_bytes()
        && first.is_ascii_alphanumeric()
        && last.is_ascii_alphanumeric()
    {
        return text;
    }
    text.trim().trim_matches(['-', '–', '—', '"', '“', '”', '*', '•', '|', ':', '.', ' '])
}

fn without_class_year(text: &str) -> &str {
    let is_year = |word: &str| {
        word.strip_prefix(['\'', '’', '‘'])
            .is_some_and(|year| year.len() == 2 && year.bytes().all(|b| b.is_ascii_digit()))
    };
    text.rsplit_once(' ').filter(|(_, year)| is_year(year)).map_or(text, |(name, _)| name)
}

/// Whether a word in lower case may be part of a name here. Behind a surname, `den` is an article: `Ann Lee den Betrieb`.
fn may_link(words: &[&str], at: usize) -> bool {
    let is_linked = |before: &str| PARTICLES.contains_any_case(before) || is_first_name(&before.to_lowercase());
    let is_article = matches!(words[at], "den" | "der") && at > 0 && !is_linked(words[at - 1]);
    PARTICLES.contains_any_case(words[at]) && !is_article
}

/// Whether words are a name, `strong` if something supports that, and `is_addressed` if a title such as `Dr.` precedes it.
fn is_name(words: &[&str], (strong, is_addressed): (bool, bool)) -> bool {
    if !has_length_of_name(words) {
        return false;
    }
    let fits = words.iter().enumerate().all(|(at, word)| {
        let inner = at > 0 && at + 1 < words.len();
        is_capitalised(word) || (inner && (may_link(words, at) || is_nickname(word)))
    });
    if !fits {
        return false;
    }
    let lower: Vec<String> = words.iter().map(|w| w.to_lowercase()).collect();
    let last = lower.last().map_or("", |w| w.trim_matches('.'));
    if has_abstract(&lower, is_addressed) || lower[0] == "u.s." {
        return false;
    }
    // `Ann Lee Managing Director`, `Youth Minister Ann Lee`: a title is part of it.
    let is_job = |word: &String| titles::is_plain_head(word) && !is_surname(word) && !is_first_name(word);
    if lower[1..].iter().any(is_job) {
        return false;
    }
    // `Freddy AI` is a product; a surname may be in capitals.
    let is_mixed = words.iter().any(|word| word.chars().any(char::is_lowercase) && !PARTICLES.contains(word));
    let is_initialled = INITIALS_AS_NAME.contains(lower[0].as_str()) && is_surname(last);
    let has_letters = words.iter().zip(&lower).skip(usize::from(is_initialled)).any(|(word, lower)| {
        (2..=3).contains(&word.len())
            && word.bytes().all(|b| b.is_ascii_uppercase())
            && !is_surname(lower)
            && !is_first_name(lower)
    });
    if is_mixed && has_letters {
        return false;
    }
    // With credentials after it a surname is accepted, whatever else the word may mean; so is `Lane` after `Diane`.
    let first = lower[0].trim_matches('.');
    let checked = if (strong && is_surname(last)) || ends_in_surname_word(words, first, last) {
        &lower[..lower.len() - 1]
    } else {
        &lower[..]
    };
    let is_other =
        checked.iter().any(|w| w.trim_matches('.').len() > 1 && NOT_IN_NAMES.contains(w.trim_matches(['.', ','])));
    if last.chars().count() < 2 || is_other || (NOT_SURNAMES.contains(last) && !is_surname(last)) {
        return false;
    }
    let first_part = first.split('-').next().unwrap_or(first);
    // `J. Smith` needs more evidence than an initial.
    let is_initial = first.chars().count() == 1 || is_initials(&lower[0]);
    let known_first = is_first_name(first_part)
        || (words.len() > 2 && is_initial && is_first_name(lower[1].as_str()))
        || (words.len() > 2 && is_initial && is_dotted(words[0]) && is_dotted(words[1]) && is_surname(last))
        || (words.len() == 2 && is_initials(&lower[0]) && is_surname(last))
        || is_initialled;
    // Among people with titles, one initial is enough for a known surname.
    let is_short = strong && is_dotted(words[0]) && is_surname(last);
    known_first || is_short || (strong && first.chars().count() > 1 && (is_surname(last) || words.len() == 2))
}

/// Two to five words, besides the particles of a surname such as `de la Cruz`.
fn has_length_of_name(words: &[&str]) -> bool {
    let full = || words.iter().filter(|word| !PARTICLES.contains(word)).count();
    (2..=5).contains(&words.len()) || (2..=5).contains(&full())
}

/// Whether a noun stands where a surname should: `Merrill Guided Investing`, but `Dr. Ann Paling`.
fn has_abstract(lower: &[String], is_addressed: bool) -> bool {
    let may_be_surname = |word: &str| is_addressed && lower.len() == 2 && word.ends_with("ing");
    lower[1..].iter().any(|word| is_abstract(word) && !may_be_surname(word))
}

/// Whether a word, given in lower case, is several initials: `j.r.`.
fn is_initials(lower: &str) -> bool {
    lower.len() == 4
        && lower
            .bytes()
            .enumerate()
            .all(|(at, byte)| if at % 2 == 0 { byte.is_ascii_lowercase() } else { byte == b'.' })
        && lower != "u.s."
        && lower != "p.o."
        && lower != "d.c."
}

/// Whether a word is one initial with its full stop.
fn is_dotted(word: &str) -> bool {
    word.len() == 2 && word.ends_with('.')
}

/// Parses `Lee, Ann M.`, as in directories.
pub(crate) fn parse_reversed(text: &str) -> Option<PersonName> {
    let (surname, first) = text.trim().split_once(", ")?;
    let mut words = first.split(' ');
    let lower = words.next()?.to_lowercase();
    let is_initial = words.next().is_none_or(|word| word.trim_end_matches('.').chars().count() == 1);
    let is_plain = surname.len() > 1 && surname.split(' ').count() <= 2 && surname.split(' ').all(is_capitalised);
    let is_first = is_first_name(&lower) && !PLACES.contains(lower.as_str()) && !SUFFIXES.contains(lower.as_str());
    if !is_plain || !is_first || !is_initial || words.next().is_some() {
        return None;
    }
    parse_as(&format!("{first} {surname}"), Trust::High)
}

/// Splits `Ann and Bob Lee` into both people, who share the surname, and `Ann Lee & Bob Ray` likewise.
pub(crate) fn parse_couple(text: &str) -> Option<[PersonName; 2]> {
    let text = text.trim();
    if text.len() > 80 {
        return None;
    }
    let (one, two) = split_couple(text)?;
    let two = parse(two)?;
    if let Some(one) = parse(one) {
        return Some([one, two]);
    }
    let bare = one.trim_start_matches("Dr. ").trim_start_matches("Drs. ");
    let is_first = !bare.is_empty() && bare.split(' ').count() <= 2 && bare.split(' ').all(is_capitalised);
    let first = bare.split([' ', '-']).next().unwrap_or("").to_lowercase();
    let surname = surname_with_particles(&two.name)?;
    (is_first && is_first_name(&first)).then(|| {
        let name = format!("{} {surname}", in_title_case(bare));
        [PersonName { name, prefix: None, credentials: None }, two.clone()]
    })
}

/// The surname of a name with what belongs to it: `De Ruyck`, `van der Berg`.
pub(crate) fn surname_with_particles(name: &str) -> Option<&str> {
    let (_, rest) = name.split_once(' ')?;
    let is_particle =
        |word: &&str| PARTICLES.contains_any_case(word) || matches!(*word, "Dalla" | "Dal" | "Della" | "Lo");
    let mut starts = std::iter::once(0).chain(rest.match_indices(' ').map(|(at, _)| at + 1));
    let start = starts.find(|at| rest[*at..].split(' ').next().as_ref().is_some_and(is_particle));
    Some(start.map_or_else(|| rest.rsplit(' ').next().unwrap_or(rest), |at| &rest[at..]))
}

/// `and` between two people, in the languages of the finders.
pub(crate) const AND: [&str; 7] = [" and ", " & ", " und ", " et ", " y ", " en ", " e "];

/// Splits a text at the first `and`; only without one at the first `&`, and so on.
fn split_couple(text: &str) -> Option<(&str, &str)> {
    const SIGNS: [&str; 8] = ["and", "&", "+", "und", "et", "y", "en", "e"];
    let spaces = || memchr::memchr_iter(b' ', text.as_bytes());
    let signs = spaces().zip(spaces().skip(1)).filter_map(|(before, after)| {
        let sign = SIGNS.iter().position(|sign| *sign == &text[before + 1..after])?;
        Some((sign, before, after))
    });
    let (_, before, after) = signs.min_by_key(|(sign, ..)| *sign)?;
    Some((&text[..before], &text[after + 1..]))
}

fn is_nickname(word: &str) -> bool {
    let inner = word.trim_matches(['"', '“', '”', '(', ')', '\'', '‘', '’']);
    inner.len() + 2 <= word.len() && is_capitalised(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &str) {
        let found = parse(text)
            .map(|n| format!("{}|{}|{}", n.name, n.prefix.unwrap_or_default(), n.credentials.unwrap_or_default()));
        assert_eq!(found.unwrap_or_default(), expect, "{text}");
    }

    #[test]
    fn names_are_recognised() {
        check("Jane Doe", "Jane Doe||");
        check("Dr. Jane A. Doe, DDS, MS", "Jane A. Doe|Dr.|DDS, MS");
        check("JANE O'NEIL", "Jane O'Neil||");
        check("José de la Cruz", "José de la Cruz||");
        check("Robert \"Bob\" Smith Jr.", "Robert \"Bob\" Smith||Jr");
        check("Mary-Ann McDonald", "Mary-Ann McDonald||");
        check("Dr. Zxy Smith", "Zxy Smith|Dr.|");
        check("John Smith (CPA)", "John Smith||CPA");
        check("J. R. Smith", "J. R. Smith||");
        check("Ann Lee '08", "Ann Lee||");
        check("J.R. Smith", "J.R. Smith||");
        check("Mary K. O'Neil", "Mary K. O'Neil||");
        check("Diane Lane", "Diane Lane||");
        check("Larry House", "Larry House||");
        check("Zoë Ångström-Day", "Zoë Ångström-Day||");
        check("Ann Lee (she/her)", "Ann Lee||");
        check("Ann Lee, M.A., LPC-S", "Ann Lee||M.A., LPC-S");
        check("Ann Lee, Psy.D.", "Ann Lee||Psy.D");
        check("TJ Moss", "TJ Moss||");
        check("Ann Moss E", "Ann Moss E||");
        check("Father John Moss", "John Moss|Father|");
    }

    #[test]
    fn other_words_are_not_names() {
        for text in [
            "Our Team",
            "Contact Us",
            "Summer Sale",
            "Austin Plumbing",
            "Jane",
            "iPhone Pro",
            "Read More",
            "Home Care Services",
            "Joy of Yoga",
            "San Antonio",
            "New York",
            "April 2024",
            "Grace Street",
            "A B",
            "Virginia Beach",
            "U.S. Smith",
            "Grace Church",
            "P. O. Box Number",
            "Freddy AI",
            "Chief Executive Officer",
            "Austin Texas",
            "Chelsea Manor",
            "Paul Smith Jacket",
            "AI Moss",
            "J. Moss",
            "",
        ] {
            check(text, "");
        }
    }

    #[test]
    fn directories_put_the_surname_first() {
        let shown = |text: &str| parse_reversed(text).map(|name| name.name).unwrap_or_default();
        for (text, expect) in [
            ("Barnes, Amy", "Amy Barnes"),
            ("O'Neil, Mary K.", "Mary K. O'Neil"),
            ("Austin, Texas", ""),
            ("Jackson, Georgia", ""),
            ("Lee, DDS", ""),
            ("Ann Lee, Owner", ""),
            ("Fast, friendly", ""),
        ] {
            assert_eq!(shown(text), expect, "{text}");
        }
    }

    #[test]
    fn couples_share_a_surname() {
        let shown = |text: &str| parse_couple(text).map(|both| both.map(|one| one.name).join(", ")).unwrap_or_default();
        for (text, expect) in [
            ("Ann and Bob Lee", "Ann Lee, Bob Lee"),
            ("Jane & Charlie Stanley", "Jane Stanley, Charlie Stanley"),
            ("Ann Lee and Bob Ray", "Ann Lee, Bob Ray"),
            ("Terms and Conditions", ""),
            ("Smith and Sons", ""),
            ("Ann Lee", ""),
        ] {
            assert_eq!(shown(text), expect, "{text}");
        }
    }
}
