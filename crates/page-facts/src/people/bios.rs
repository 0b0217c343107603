//! Reads the role of a person from what is said about them: a name as a heading, and below it "Jane joined the firm in
//! 2004 as a hygienist".

use crate::page::around;
use crate::people::affiliation::{self, NamedCompany};
use crate::people::names::PersonName;
use crate::people::titles;
use crate::site::Site;
use crate::word_set::WordSet;

/// Bytes of a biography that are read: the role is named at its start.
const BIO_BYTES_MAX: usize = 400;
/// Sentences of it.
const SENTENCES_MAX: usize = 4;
/// Bytes between the subject of a sentence and its verb.
const SUBJECT_BYTES_MAX: usize = 60;

/// What is said about people of renown rather than staff: an actress on a page about films.
static RENOWN: WordSet = WordSet::new(
    "author writer artist musician historian player pianist violinist journalist columnist illustrator sculptor leader
     expert professional novelist naturalist mathematician physicist priest minister animator composer editor producer
     host fellow master mentor member",
);

/// What a biography calls the business: `the firm's office manager`.
static HOUSES: WordSet = WordSet::new(
    "firm company business practice clinic office shop store salon studio school church hospital restaurant agency team
     group organization organisation department association club bakery dealership brokerage",
);

/// Verbs and phrases after which a sentence names the role of its subject.
const CUES: &[&str] = &[
    " is ",
    " serves as ",
    " works as ",
    " has been ",
    " has worked as ",
    " has served as ",
    " currently serves as ",
    " acts as ",
    " role as ",
    " position as ",
    " position of ",
    " role of ",
    " am ",
    "'m ",
    "’m ",
];

/// Words skipped before a title.
const SKIPPED: &[&str] = &[
    "a ",
    "an ",
    "the ",
    "our ",
    "your ",
    "one of our ",
    "one of the ",
    "currently ",
    "now ",
    "also ",
    "proud ",
    "as ",
    "both ",
    "presently ",
    "working as ",
    "serving as ",
    "part of our team as ",
];

/// The role that the text below a name states. `is_tied` says that the page presents the people of the business.
pub(super) fn role(name: &PersonName, bio: &str, site: &Site, is_tied: bool) -> Option<String> {
    let bio = around(bio, 0, 0, BIO_BYTES_MAX);
    for sentence in sentences(bio).take(SENTENCES_MAX) {
        let is_ours = affiliation::says_ours(sentence) || site.is_named_in(sentence);
        let phrase = as_role(sentence).or_else(|| of_subject(sentence, name));
        let Some((phrase, after)) = phrase else { continue };
        let last = phrase.rsplit([' ', '-', '/']).next().unwrap_or("").to_lowercase();
        let company = affiliation::company_after(after, &[" of ", " at ", " with ", " for "], site);
        let is_outsider = company == NamedCompany::Another && !is_tied;
        if is_outsider {
            return None;
        }
        if let Some(title) = owned(sentence, site) {
            return Some(title.to_owned());
        }
        if RENOWN.contains(last.as_str()) && !is_ours {
            continue;
        }
        let is_one_of_many = sentence.contains("one of our") || sentence.contains("one of the");
        let one = titles::singular_title(phrase).filter(|_| is_one_of_many).map(|one| capitalised(&one));
        return Some(one.unwrap_or_else(|| capitalised(phrase)));
    }
    None
}

/// `... and the owner of Acme`: what a sentence says after the profession.
fn owned(sentence: &str, site: &Site) -> Option<&'static str> {
    let of_site = |word: &str| {
        let after = sentence.find(word).map(|at| &sentence[at + word.len() - " of ".len()..]);
        after.is_some_and(|after| affiliation::company_after(after, &[" of "], site) == NamedCompany::Own)
    };
    [(" owner of ", "Owner"), (" founder of ", "Founder"), (" co-owner of ", "Co-Owner")]
        .into_iter()
        .find_map(|(words, title)| of_site(words).then_some(title))
}

/// Whether a biography begins with `Matt is a Managing Director`: there are others.
pub(super) fn is_one_of_several(bio: &str) -> bool {
    let start = around(bio, 0, 0, 80);
    [" is a ", " is an ", " is one of "].iter().any(|words| start.contains(words))
}

/// The sentences of a text; the stop in `Dr. Lee` and `J. Lee` ends none.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.match_indices(". ").map(|(at, _)| at).find(|at| {
            let word = rest[..*at].rsplit(' ').next().unwrap_or("");
            word.chars().count() > 2 && !matches!(word, "Mrs" | "Asst" | "Prof")
        });
        let (sentence, left) = end.map_or((rest, ""), |at| (&rest[..at], &rest[at + 2..]));
        rest = left;
        Some(sentence)
    })
}

/// `As office manager, she ...`.
fn as_role(sentence: &str) -> Option<(&str, &str)> {
    let rest = sentence.strip_prefix("As ").map(skip)?;
    let phrase = titles::phrase(rest)?;
    let after = &rest[phrase.len()..];
    // `As a child, she ...` has no title; `As office manager she` does without the comma.
    let near = around(after, 0, 0, 60);
    (near.contains(',') || near.contains(" she ") || near.contains(" he ")).then_some((phrase, after))
}

/// `Jane is a broker`, `She joined the firm in 2004 as a hygienist`, `Max, a senior partner, qualified in 1980`.
fn of_subject<'s>(sentence: &'s str, name: &PersonName) -> Option<(&'s str, &'s str)> {
    if !begins_with_person(sentence, name) {
        return None;
    }
    let read = |rest: &'s str| {
        let rest = skip(rest);
        titles::phrase(rest).map(|phrase| (phrase, &rest[phrase.len()..]))
    };
    if let Some((subject, rest)) = sentence.split_once(", ")
        && subject.len() < SUBJECT_BYTES_MAX / 2
        && ["a ", "an ", "our ", "the "].iter().any(|article| rest.starts_with(article))
        && let Some(found) = read(rest)
    {
        return Some(found);
    }
    let joined = ["joined ", "came to ", "started with ", "started at ", "began with ", "works with ", "works for "]
        .iter()
        .find_map(|verb| sentence.find(verb).filter(|at| *at < SUBJECT_BYTES_MAX).map(|at| at + verb.len()));
    if let Some(from) = joined
        && let Some(at) = sentence[from..].find(" as ").filter(|at| *at < 90)
        && let Some(found) = read(&sentence[from + at + 4..])
    {
        return Some(found);
    }
    CUES.iter()
        .filter_map(|cue| sentence.find(cue).map(|at| (at, at + cue.len())))
        .filter(|(at, _)| *at < SUBJECT_BYTES_MAX * 2)
        .find_map(|(at, end)| {
            let rest = &sentence[end..];
            // The verb `is` must follow its subject closely: in "Jane says time is a teacher" it does not.
            let is_near = at < name.name.len() + 20 && !sentence[..at].contains(" that ");
            // `has been practice manager since 2009` needs no article.
            let is_bare = || titles::phrase(rest).is_some_and(titles::is_all_title);
            let is_stated =
                SKIPPED.iter().any(|word| rest.starts_with(word)) || rest.starts_with(char::is_uppercase) || is_bare();
            let is_verb =
                [" is ", " am ", "'m ", "’m ", " has been "].iter().any(|cue| sentence[at..].starts_with(cue));
            (!is_verb || (is_near && is_stated)).then(|| read(rest)).flatten()
        })
}

/// Whether a sentence is about the person: it begins with the name, a part of it, or a pronoun.
fn begins_with_person(sentence: &str, name: &PersonName) -> bool {
    let sentence = [
        "Dr. ",
        "Dr ",
        "Mr. ",
        "Mrs. ",
        "Ms. ",
        "Chef ",
        "Attorney ",
        "Pastor ",
        "Hi, ",
        "Hi! ",
        "Hello! ",
        "Hello, ",
        "Welcome! ",
        "Meet ",
    ]
    .iter()
    .fold(sentence.trim_start(), |text, prefix| text.strip_prefix(prefix).unwrap_or(text));
    let first = sentence.split(|c: char| !c.is_alphanumeric() && c != '-').next().unwrap_or("");
    matches!(first, "She" | "He" | "They" | "I")
        || (first.len() > 1 && name.name.split(' ').any(|part| part.eq_ignore_ascii_case(first)))
        // A short form: `Kim` of Kimberly.
        || (first.len() > 2 && first.starts_with(char::is_uppercase) && name.name.starts_with(first))
}

fn skip(text: &str) -> &str {
    let mut rest = text.trim_start();
    for _ in 0..3 {
        let Some(next) = SKIPPED.iter().find_map(|word| rest.strip_prefix(word)) else { break };
        rest = next;
    }
    without_house(rest)
}

/// `firm's office manager` without the firm.
fn without_house(text: &str) -> &str {
    let Some((owner, rest)) = text.split_once(' ') else { return text };
    let house = owner.strip_suffix("'s").or_else(|| owner.strip_suffix("’s"));
    if house.is_some_and(|house| HOUSES.contains(house)) { rest } else { text }
}

/// A title as it stands in a list: `office manager` becomes `Office manager`.
pub(super) fn capitalised(phrase: &str) -> String {
    let mut chars = phrase.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::names;

    #[test]
    fn a_biography_states_a_role() {
        let (name, site) = (names::parse("Kimberly Lee").unwrap(), Site::of("https://acme.com/"));
        for (bio, expect) in [
            ("Kimberly Lee is a broker with us since 2004.", Some("Broker")),
            ("Kim joined the firm in 2004 as a hygienist, and loves it.", Some("Hygienist")),
            ("As office manager, she keeps everything running.", Some("Office manager")),
            ("She is our lead designer.", Some("Lead designer")),
            ("Ms. Lee serves as Director of Operations for the firm.", Some("Director of Operations")),
            ("Kim, a senior partner at the clinic, qualified in 1980.", Some("Senior partner")),
            ("Born in Austin. Kim has been the practice manager here for years.", Some("Practice manager")),
            ("I am the owner and head stylist of the salon.", Some("Owner and head stylist")),
            ("Kim is one of our dental assistants.", Some("Dental assistant")),
            ("Kimberly is a comprehensive, fee-only advisor.", Some("Comprehensive, fee-only advisor")),
            ("Hello! I am the owner and a florist since 1999.", Some("Owner")),
            ("Kim has been practice owner since 2009.", Some("Practice owner")),
            ("Kim is the school's head gardener and grows pears.", Some("Head gardener")),
            ("Kimberly is the shop’s head baker and a mother of two.", Some("Head baker")),
            ("Kim is the king's gardener.", None),
            ("Kim is great with people.", None),
            ("Kimberly is a graduate of the university.", None),
            ("Kimberly is a British author. She writes novels.", None),
            ("She is one of the kindest people. As a child, she was a teacher to her dolls.", None),
            ("Call our office manager for an appointment.", None),
            ("Kimberly thinks that time is a great teacher.", None),
            ("Kimberly is the CEO of Other Corp.", None),
        ] {
            assert_eq!(role(&name, bio, &site, false).as_deref(), expect, "{bio}");
        }
    }
}
