//! Says of the words before a house number whether they lead to the place of this business: `Visit our showroom at`,
//! `Acme is located at`, and not `our event at` or `the house at`.

use crate::addresses::words::plain;
use crate::domains::host_of;
use crate::word_set::WordSet;

/// Words before a house number that are read.
const WORDS_MAX: usize = 10;
/// Words of a name in front of a street.
const NAME_WORDS_MAX: usize = 6;
/// Letters that a word of the business's name in the site's host has at least.
const NAME_BYTES_MIN: usize = 4;

/// What the words before a house number say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Announced {
    /// The place of the business.
    Own,
    /// That something is there: `Located at`.
    Somewhere,
}

/// Words for the premises of a business.
static PREMISES: WordSet = WordSet::new(
    "office offices shop store showroom studio salon clinic practice restaurant bakery gallery factory warehouse
     headquarters company firm business facility dealership garage workshop café cafe bar spa gym brewery boutique
     branch nursery pharmacy agency location locations place",
);

/// Words of sentences about events, customers, projects, earlier places and whatever else is not the place of the business.
static NOT_OWN: WordSet = WordSet::new(
    "event events join joined meeting meet meets class classes tickets show shows held listing listings home homes house
     houses project projects client clients customer customers exhibit exhibits booth fair party ceremony was were former
     formerly began started opened opening founded originally first previous previously original old moved moving until
     sold bought listed completed built installed job fire crash accident sister partner partners friend friends vendor
     vendors supplier suppliers lender landlord host hosts hosted hosting works worked working born lives lived grew
     died buried wedding reception funeral service services concert game match property properties apartment
     apartments building lot land remodel remodeled renovation renovated not mail checks donations neighbor
     neighbors competitor soon will website event's over just parking market festival venue show sale near across behind next between",
);

/// Verbs between the name of a place and its street.
static PLACED: WordSet = WordSet::new("located situated headquartered based");

/// Words that say nothing about whose a place is.
static SMALL: WordSet = WordSet::new(
    "is are conveniently centrally now currently at in the on of and & inc llc ltd co - – | • visit open today here
     person directly anytime",
);

/// Labels that stand directly before a street.
static LABELS: WordSet = WordSet::new(
    "address location showroom office store shop studio headquarters visit adresse find salon clinic
     restaurant warehouse factory workshop",
);

static DAYS: WordSet = WordSet::new(
    "monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
     october november december jan feb mar apr jun jul aug sept oct nov dec",
);

/// What the words before a house number say; `head` is its line up to the number.
pub(super) fn announced(head: &str, url: &str, title: &str) -> Option<Announced> {
    let sentence = last_sentence(head.trim_end());
    let bare = sentence.trim_end_matches([' ', ':', ',', '-', '–', '|', '•', '·']);
    let mut words: Vec<&str> = bare.split_ascii_whitespace().rev().take(WORDS_MAX).collect();
    words.reverse();
    let lower: Vec<String> = words.iter().map(|word| plain(word).as_str().replace('’', "'")).collect();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    let (last, before) = lower.split_last()?;
    if lower.iter().any(|word| NOT_OWN.contains(word)) {
        return None;
    }
    let is_separated = bare.len() < sentence.len();
    if is_separated {
        let is_label = before.len() <= 3 && (LABELS.contains(last) || is_us(&lower));
        return (is_label || names_business(&words, url, title)).then_some(Announced::Own);
    }
    match *last {
        "at" | "on" => at(&words, &lower, url, title),
        "is" if matches!(before, [.., "our", "address"]) => Some(Announced::Own),
        // `Stop by 12 Elm Street`
        "by" if matches!(before, [.., "stop" | "come" | "drop" | "swing"]) => Some(Announced::Own),
        "us" if is_us(&lower) => Some(Announced::Own),
        _ => None,
    }
}

/// `visit us`, `find us`.
fn is_us(words: &[&str]) -> bool {
    matches!(words, [.., "visit" | "find" | "see" | "reach", "us"])
}

/// The words before a street end with `at`: what the nearest word of meaning before it says.
fn at(words: &[&str], lower: &[&str], url: &str, title: &str) -> Option<Announced> {
    let before = &lower[..lower.len() - 1];
    let is_placed = before.iter().any(|word| PLACED.contains(word));
    let is_filler = |word: &&str| PLACED.contains(word) || SMALL.contains(word);
    let end = before.len() - before.iter().rev().take_while(|word| is_filler(word)).count();
    let subject = &before[..end];
    let is_own = match subject.last() {
        None if is_placed => return Some(Announced::Somewhere),
        None => false,
        Some(&"we" | &"we're") => is_placed || lower.ends_with(&["at"]),
        Some(&"us") => is_us(subject),
        Some(word) if PREMISES.contains(word) => {
            let is_ours = subject.contains(&"our") || before.contains(&"visit");
            is_ours || (is_placed && matches!(subject, ["the" | "this", _]))
        }
        // `Our office in Boise, Idaho is located at`
        Some(_) => is_placed && matches!(subject, ["our", word, "in", ..] if PREMISES.contains(word)),
    };
    (is_own || names_business(&words[..before.len()], url, title)).then_some(Announced::Own)
}

/// The town that a sentence names before its street: `Our office in Boise, Idaho is located at`.
pub(super) fn town_before(head: &str) -> Option<&str> {
    let (_, rest) = last_sentence(head).split_once(" in ")?;
    let end = [" is ", " at ", " located "].iter().filter_map(|word| rest.find(word)).min()?;
    Some(&rest[..end])
}

/// Whether words that stand before a street in the foot of a page are names, such as that of the company.
pub(super) fn are_names_only(head: &str) -> bool {
    head.split_ascii_whitespace().all(|word| {
        let simple = plain(word.trim_end_matches(':'));
        let is_name =
            !word.starts_with(|c: char| c.is_ascii_lowercase()) || LABELS.contains(&simple) || SMALL.contains(&simple);
        is_name && !NOT_OWN.contains(&simple)
    })
}

/// Whether the words are the name of the business and nothing else: all of them are in the page's title or the site's host,
/// and one of them in the host.
fn names_business(words: &[&str], url: &str, title: &str) -> bool {
    let host = host_of(url).to_ascii_lowercase();
    let title = title.to_lowercase();
    let names: Vec<String> = words
        .iter()
        .map(|word| plain(word).as_str().to_owned())
        .filter(|word| {
            !(SMALL.contains(word) || PLACED.contains(word) || word.starts_with('©') || word.starts_with("20"))
        })
        .collect();
    let in_host = |name: &str| host.contains(name);
    let in_title = |name: &str| title.split(|c: char| !c.is_alphanumeric() && c != '\'').any(|word| word == name);
    (1..=NAME_WORDS_MAX).contains(&names.len())
        && names.iter().all(|name| in_title(name) || (name.len() >= NAME_BYTES_MIN && in_host(name)))
        && names.iter().any(|name| name.len() >= NAME_BYTES_MIN && in_host(name))
}

/// Whether a line is a label and nothing else: `Visit`, `Where to find us`, `Showroom:`.
pub(super) fn is_label(line: &str) -> bool {
    let line = line.trim_end_matches([' ', ':']).to_ascii_lowercase();
    LABELS.contains(&line)
        || matches!(line.as_str(), "where to find us" | "where we are" | "how to find us" | "come visit")
}

/// The last sentence of a text, without its end.
fn last_sentence(text: &str) -> &str {
    let start = text.rmatch_indices(['.', '!', '?', ';']).find(|(at, _)| text[at + 1..].starts_with(' '));
    start.map_or(text, |(at, _)| text[at + 1..].trim_start())
}

/// Whether a line names a day or a month, as those about events do.
pub(super) fn names_a_day(line: &str) -> bool {
    line.split([' ', ',', ':', '.']).any(|word| (3..=9).contains(&word.len()) && DAYS.contains(&plain(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_before_a_street_say_whose_it_is() {
        for (head, expect) in [
            ("Acme is located at ", Some(Announced::Own)),
            ("The Acme Company is conveniently located at ", None),
            ("Visit our showroom at ", Some(Announced::Own)),
            ("Call first. Find us at ", Some(Announced::Own)),
            ("The office is located at ", Some(Announced::Own)),
            ("Our office in Boise, Idaho is located at ", Some(Announced::Own)),
            ("Our new showroom is now open at ", Some(Announced::Own)),
            ("We are on ", None),
            ("We're at ", Some(Announced::Own)),
            ("We perform at ", None),
            ("See our latest installation at ", None),
            ("Donate to us at ", None),
            ("Address: ", Some(Announced::Own)),
            ("Visit us: ", Some(Announced::Own)),
            ("Stop by ", Some(Announced::Own)),
            ("Acme, ", Some(Announced::Own)),
            ("Acme • ", Some(Announced::Own)),
            ("Located at ", Some(Announced::Somewhere)),
            ("Join us at ", None),
            ("We began at ", None),
            ("Our client at ", None),
            ("The museum is located at ", None),
            ("Ann Lee, ", None),
            ("We remodeled a kitchen at ", None),
            ("Over ", None),
            ("", None),
        ] {
            assert_eq!(announced(head, "https://www.acme.com/", "Acme | Home"), expect, "{head}");
        }
        assert_eq!(town_before("Our office in Boise, Idaho is located at "), Some("Boise, Idaho"));
        assert!(are_names_only("© 2024 Acme Ltd, ") && !are_names_only("Open House: ") && !are_names_only("Top ten "));
        assert!(names_a_day("Saturday, June 5 at 12 Elm Street") && !names_a_day("12 Maple Street, Marion"));
    }
}
