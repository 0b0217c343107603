//! Streets written as a list of parts, with or without a number: `Shop No. 5, 2nd Floor, Acme Complex, MG Road, Indiranagar`.
//! Read where a postal code, a town and a state or country make certain that an address ends.

use crate::addresses::segments::{Border, Segment};
use crate::addresses::words::{is_name_word, is_no_name, is_ordinal, is_phone_alone, plain};
use crate::word_set::WordSet;

/// Parts of a street that are read, and lines on which they stand.
const PARTS_MAX: usize = 6;
const LINES_MAX: usize = 3;
/// Longest part, in bytes and words.
const PART_BYTES_MAX: usize = 60;
const WORDS_MAX: usize = 8;

/// Words for roads, buildings and parts of towns. The first part of a street has one of them or a number.
static PLACES: WordSet = WordSet::new(
    "road rd street st avenue ave lane ln drive dr way close terrace row quay place square mall crescent court park
     marg nagar chowk bazaar gali cross main circle colony layout enclave vihar sector phase block complex tower towers
     floor plot flat shop house building bldg chambers plaza centre center estate industrial society residency opp no
     junction hills salai street, blk jalan lorong unit suite office level",
);

/// Words that end the name of a company, which stands before its street.
static COMPANIES: WordSet =
    WordSet::new("ltd limited pvt llp inc llc corp company co plc pte enterprises industries solutions technologies");

/// Small words inside the parts of a street.
static SMALL: WordSet = WordSet::new("no opp near behind beside off and of the next above below");

/// The street that ends with the nearest of some segments, and its first part.
pub(super) fn street<'t>(found: &[Segment<'t>]) -> Option<(String, &'t str)> {
    let mut lines = 0;
    let parts: Vec<&'t str> = found
        .iter()
        .take(PARTS_MAX)
        .take_while(|segment| {
            lines += usize::from(segment.border == Border::Line);
            lines <= LINES_MAX && is_part(segment.text)
        })
        .map(|segment| segment.text.trim_end_matches(['.', '-', ' ']))
        .collect();
    let last = parts.iter().rposition(|part| starts_street(part))?;
    let text = parts[..=last].iter().rev().copied().collect::<Vec<_>>().join(", ");
    Some((text, parts[last]))
}

/// Whether a text may be a part of a street: names and numbers, not a sentence, a company or a phone number.
fn is_part(text: &str) -> bool {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let is_word = |word: &&str| {
        let simple = plain(word);
        let has_digit = word.bytes().any(|b| b.is_ascii_digit()) && word.len() <= 12;
        let is_name = (is_name_word(word) || is_ordinal(word)) && (!is_no_name(&simple) || PLACES.contains(&simple));
        has_digit || is_name || SMALL.contains(&simple) || matches!(*word, "&" | "-" | "/" | "#")
    };
    let is_company = words.last().is_some_and(|word| COMPANIES.contains(&plain(word)));
    text.len() <= PART_BYTES_MAX
        && (1..=WORDS_MAX).contains(&words.len())
        && words.iter().all(is_word)
        && !(is_company || is_phone_alone(text) || is_year(text))
}

/// `2019` and nothing else.
fn is_year(text: &str) -> bool {
    text.len() == 4 && (text.starts_with("19") || text.starts_with("20")) && text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a part has a number or a word for a road or building, so that it is no mere name.
fn starts_street(text: &str) -> bool {
    text.bytes().any(|b| b.is_ascii_digit()) || text.split(' ').any(|word| PLACES.contains(&plain(word)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::addresses::segments;

    #[test]
    fn parts_of_streets_are_told_from_names_and_sentences() {
        for (text, expect) in [
            (
                "Acme Pvt Ltd, Shop No. 5, 2nd Floor, MG Road, Indiranagar",
                "Shop No. 5, 2nd Floor, MG Road, Indiranagar",
            ),
            ("Acme\nMain Street", "Main Street"),
            ("We deliver to homes on Park Road", "-"),
            ("Call 022 5550 0100, Park Road", "Park Road"),
            ("Ann Lee, Bob Ray", "-"),
            ("", "-"),
        ] {
            let found = street(&segments::before(text, 0, text.len()));
            assert_eq!(found.as_ref().map_or("-", |(street, _)| street.as_str()), expect, "{text}");
        }
    }
}
