//! Goes through a text from postal code to postal code and reads the address of each.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use crate::addresses::codes::{self, Code, Shape};
use crate::addresses::{
    Found, asian, brazilian, british, continental, explain_refused, irish, with_state, without_state,
};
use crate::budget::StepBudget;
use crate::facts::Address;
use crate::page::around;

/// Tokens with digits that are examined per text.
const TOKENS_MAX: usize = 40_000;
/// Bytes before a code in which a house number is looked for.
const STREET_BYTES_MAX: usize = 70;
/// Steps charged per token with a digit.
const TOKEN_STEPS: usize = 12;
/// Steps charged for looking at what stands before a code.
const LOOK_STEPS: usize = 30;
/// Steps charged for reading the address around a code.
const READ_STEPS: usize = 1_500;

/// Reads every address of a text; `site` is the country of the site.
pub(crate) fn scan(text: &str, site: Option<&str>, budget: &StepBudget, mut each: impl FnMut(Found)) {
    let (mut at, mut floor, mut tokens) = (0, 0, 0);
    while let Some((end, code)) = codes::next(text, at) {
        tokens += 1;
        if tokens > TOKENS_MAX {
            budget.note_cut();
            return;
        }
        if !budget.spend(TOKEN_STEPS) {
            return;
        }
        let Some(code) = code else {
            at = end;
            continue;
        };
        if may_be(text, code, site) {
            if !budget.spend(READ_STEPS) {
                return;
            }
            if let Some(found) = read(text, floor, code, site).filter(|found| !is_sample(&found.address)) {
                at = found.end.max(end);
                floor = at;
                each(found);
                continue;
            }
        } else if !budget.spend(LOOK_STEPS) {
            return;
        }
        // `5501 12345`: what follows the first digits may be a code of its own.
        let has_gap = text.as_bytes().get(code.start + 3) == Some(&b' ');
        let is_pair = matches!(code.shape, Shape::ThreeTwo | Shape::Dutch) || (code.shape == Shape::Six && has_gap);
        at = if is_pair { code.start + 3 } else { end };
    }
}

/// A cheap look at the letters around a code.
fn may_be(text: &str, code: Code, site: Option<&str>) -> bool {
    let bytes = text.as_bytes();
    let before =
        bytes[..code.start].iter().rev().take(8).find(|b| !b" ,.\n|-*():".contains(b) && b.is_ascii()).copied();
    let after = text[code.end..].trim_start_matches([' ', ',', '\n']).chars().next();
    let capital_follows = after.is_some_and(|c| c.is_uppercase() || c == '\'' || c == '’');
    let letter_before = before.is_some_and(|b| b.is_ascii_alphabetic());
    match code.shape {
        Shape::Five => letter_before || (capital_follows && may_have_street(bytes, code.start)),
        Shape::Four => {
            let ends_address =
                || letter_before && ends_line(bytes, code.end) && !is_year(&text[code.start..code.end], site);
            (letter_before && is_state_letter(bytes, code.start))
                || ((capital_follows || ends_address()) && may_have_street(bytes, code.start))
        }
        Shape::ThreeTwo | Shape::TwoThree | Shape::FourThree | Shape::Dutch => capital_follows,
        Shape::Six | Shape::ThreeFour => asian::may_be(text, code, site),
        Shape::Canadian | Shape::British | Shape::BritishJoined | Shape::Eircode | Shape::FiveThree => true,
    }
}

/// `12 Long Street, Cape Town, 8001` and nothing more on the line.
fn ends_line(bytes: &[u8], end: usize) -> bool {
    matches!(bytes.get(end), None | Some(b'\n' | b'.' | b',' | b'|'))
}

/// Whether four digits are more likely a year than a code.
fn is_year(digits: &str, site: Option<&str>) -> bool {
    (digits.starts_with("19") || digits.starts_with("20")) && !site.is_some_and(without_state::is_southern)
}

/// Whether a house number or a prefix such as `D-` may stand before a code that means little by itself.
fn may_have_street(bytes: &[u8], at: usize) -> bool {
    let near = &bytes[at.saturating_sub(STREET_BYTES_MAX)..at];
    let is_prefix = near.ends_with(b"-") || near.ends_with(b"- ");
    is_prefix || near.iter().any(u8::is_ascii_digit)
}

/// Whether a capital or a long word stands before a number of four digits: `NSW 2000`, `Victoria 3000`.
fn is_state_letter(bytes: &[u8], at: usize) -> bool {
    let word =
        bytes[..at].iter().rev().skip_while(|b| b" ,.\n".contains(b)).take_while(|b| b.is_ascii_alphabetic()).take(9);
    let (mut length, mut upper, mut last) = (0, 0, 0);
    for letter in word {
        length += 1;
        upper += usize::from(letter.is_ascii_uppercase());
        last = *letter;
    }
    // `Vic`, `Qld` and `Tas` are written with one capital too.
    let is_short =
        (length == upper && (2..=3).contains(&length)) || (length == 3 && upper == 1 && last.is_ascii_uppercase());
    is_short || (length >= 8 && last != 0)
}

fn read(text: &str, floor: usize, code: Code, site: Option<&str>) -> Option<Found> {
    match code.shape {
        Shape::Five if code.is_joined => with_state::read(text, floor, code, "US"),
        Shape::Five => with_state::read(text, floor, code, "US").or_else(|| continental::read(text, floor, code, site)),
        Shape::Four => with_state::read(text, floor, code, "AU")
            .or_else(|| without_state::read_southern(text, floor, code, site))
            .or_else(|| continental::read(text, floor, code, site)),
        Shape::Canadian => with_state::read(text, floor, code, "CA"),
        Shape::British | Shape::BritishJoined => british::read(text, floor, code),
        Shape::Eircode => irish::read(text, floor, code),
        Shape::FiveThree => brazilian::read(text, floor, code),
        Shape::Six => asian::read_six(text, floor, code, site),
        Shape::ThreeFour => asian::read_japanese(text, floor, code),
        Shape::ThreeTwo | Shape::TwoThree | Shape::FourThree | Shape::Dutch => {
            continental::read(text, floor, code, site)
        }
    }
}

/// Words of towns in sample addresses.
const SAMPLE_TOWNS: [&str; 11] = [
    "anytown",
    "any town",
    "your city",
    "your town",
    "sample city",
    "city town",
    "musterstadt",
    "musterhausen",
    "[",
    "{",
    "lorem",
];
/// Words of streets in sample addresses.
const SAMPLE_STREETS: [&str; 11] = [
    "street address",
    "your street",
    "your address",
    "example st",
    "123 street",
    "street name",
    "sample st",
    "musterstr",
    "[",
    "{",
    "lorem ipsum",
];

static SAMPLE_TOWN: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| any_of(&SAMPLE_TOWNS));
static SAMPLE_STREET: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| any_of(&SAMPLE_STREETS));

/// Searches for any of several words at once, in any case.
pub(crate) fn any_of(words: &[&str]) -> Option<AhoCorasick> {
    AhoCorasick::builder().kind(Some(AhoCorasickKind::DFA)).ascii_case_insensitive(true).build(words).ok()
}

/// Whether a text contains one of the words.
pub(crate) fn says(words: &LazyLock<Option<AhoCorasick>>, text: &str) -> bool {
    words.as_ref().is_some_and(|words| words.is_match(text))
}

/// Addresses that stand for an example.
pub(crate) fn is_sample(address: &Address) -> bool {
    let city = address.city.as_deref().unwrap_or("");
    let street = address.street.as_deref().unwrap_or("");
    let sample = says(&SAMPLE_TOWN, city) || says(&SAMPLE_STREET, street) || matches!(city, "City" | "Town" | "CITY");
    if sample {
        explain_refused("a sample address", if street.is_empty() { city } else { street });
    }
    sample
}

/// The text around a finding, on one line.
pub(crate) fn snippet(text: &str, start: usize, end: usize) -> String {
    around(text, start, 20, end.saturating_sub(start) + 20).replace('\n', " ")
}
