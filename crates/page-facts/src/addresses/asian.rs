//! Addresses of India, Singapore and Japan in Latin letters: the town and often the state stand before the postal code.

use crate::addresses::codes::{Code, Shape};
use crate::addresses::regions::{State, country_named};
use crate::addresses::segments::{self, Segment, offset};
use crate::addresses::words::town;
use crate::addresses::{Found, parts};
use crate::country::cities;
use crate::facts::Address;
use crate::word_set::WordSet;

/// Bytes between a town and its postal code: ` - `, ` - Pin Code: `.
const GAP_BYTES_MAX: usize = 16;
/// Bytes of the last word before a code.
const WORD_BYTES_MAX: usize = 16;

/// Last words of the names of Indian states and large cities, and `Singapore`: what stands before a code of six digits.
static BEFORE_SIX: WordSet = WordSet::new(
    "karnataka maharashtra nadu kerala telangana gujarat rajasthan bengal haryana punjab odisha assam bihar jharkhand
     chhattisgarh uttarakhand goa delhi chandigarh pradesh kashmir sikkim tripura meghalaya manipur mizoram nagaland
     puducherry india mumbai bangalore bengaluru hyderabad ahmedabad chennai kolkata surat pune jaipur lucknow kanpur
     nagpur indore bhopal visakhapatnam patna vadodara ghaziabad ludhiana coimbatore kochi gurgaon gurugram noida thane
     mysore mysuru nashik faridabad rajkot madurai trivandrum thiruvananthapuram singapore",
);

/// Prefectures and large cities of Japan.
static JAPANESE: WordSet = WordSet::new(
    "tokyo osaka kyoto kanagawa hokkaido aichi fukuoka hyogo saitama chiba hiroshima okinawa nagano nara kobe yokohama
     nagoya sapporo shizuoka miyagi sendai ibaraki gunma tochigi niigata okayama kumamoto kagoshima ishikawa gifu mie",
);

/// Whether the word before a code may be the end of an address; a cheap look. `site` is the country of the site.
pub(super) fn may_be(text: &str, code: Code, site: Option<&str>) -> bool {
    let head = &text.as_bytes()[..code.start];
    let gap = head.iter().rev().take(GAP_BYTES_MAX).take_while(|b| !b.is_ascii_alphabetic()).count();
    let end = head.len() - gap;
    let length = head[..end].iter().rev().take(WORD_BYTES_MAX).take_while(|b| b.is_ascii_alphabetic()).count();
    let Some(word) = text.get(end - length..end).filter(|word| word.len() > 2) else { return false };
    let is_pin = ["pin", "code", "pincode"].iter().any(|label| word.eq_ignore_ascii_case(label));
    let is_capital = word.starts_with(|c: char| c.is_ascii_uppercase());
    match code.shape {
        Shape::Six if is_pin || (is_capital && site == Some("IN")) => true,
        Shape::Six => is_capital && BEFORE_SIX.contains_any_case(word),
        _ => is_capital && JAPANESE.contains_any_case(word),
    }
}

/// Reads the address that ends with a code of six digits.
pub(super) fn read_six(text: &str, floor: usize, code: Code, site: Option<&str>) -> Option<Found> {
    let head = without_label(text.get(floor..code.start)?)?;
    let found = segments::before(text, floor, floor + head.len());
    let (first, rest) = found.split_first()?;
    if matches!(first.text, "Singapore" | "SINGAPORE") {
        return of_parts(text, rest, &code, Placed { city: first.text, state: None, country: "SG" });
    }
    let postal = &text[code.start..code.end];
    let (state, rest) = match state_of(first.text) {
        Some((written, known)) if known.fits(postal) => (Some(written), after_state(&found, written)),
        Some(_) => return None,
        None => (None, found.clone()),
    };
    let (first, rest) = rest.split_first()?;
    let city = town(first.text).filter(|name| name.split(' ').count() <= 3)?;
    let is_known =
        state.is_some() || cities::code_of(city) == Some("IN") || site == Some("IN") || names_india(text, code.end);
    if !is_known || postal.starts_with(['0', '9']) {
        return None;
    }
    of_parts(text, rest, &code, Placed { city, state, country: "IN" })
}

/// Town, state and country of an address of which the street is still to be read.
struct Placed<'t> {
    city: &'t str,
    state: Option<&'t str>,
    country: &'static str,
}

fn of_parts(text: &str, rest: &[Segment<'_>], code: &Code, placed: Placed<'_>) -> Option<Found> {
    let (street, first) = parts::street(rest)?;
    let start = offset(text, first);
    let address = Address {
        street: Some(street),
        city: Some(placed.city.to_owned()),
        state: placed.state.map(str::to_owned),
        postal_code: Some(text[code.start..code.end].replace(' ', "")),
        country: Some(placed.country.to_owned()),
    };
    Some(Found { address, start, end: code.end, has_sure_street: true })
}

/// The text before the blanks, marks and labels that precede a code: `Pune - Pin Code: `.
fn without_label(head: &str) -> Option<&str> {
    let blanks = [' ', ',', '.', '\n', '-', '–', ':'];
    let mut rest = head.trim_end_matches(blanks);
    for label in ["pincode", "pin code", "pin", "india"] {
        let start = rest.len().saturating_sub(label.len());
        if rest.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(label)) {
            rest = rest[..start].trim_end_matches(blanks);
        }
    }
    (head.len() - rest.len() <= 2 * GAP_BYTES_MAX && !rest.is_empty()).then_some(rest)
}

/// The Indian state that a segment ends with, as written: `Karnataka`, `Chennai Tamil Nadu`.
fn state_of(text: &str) -> Option<(&str, State)> {
    let starts = text.rmatch_indices(' ').map(|(at, _)| at + 1).take(2);
    let starts: Vec<usize> = std::iter::once(0).filter(|_| text.len() <= 24).chain(starts).collect();
    starts.into_iter().find_map(|start| {
        let word = &text[start..];
        let is_name = word.len() > 2 && word.starts_with(char::is_uppercase);
        State::of(&word.to_lowercase(), "IN").filter(|_| is_name).map(|state| (word, state))
    })
}

/// The segments without the state at the end of the nearest.
fn after_state<'t>(found: &[Segment<'t>], state: &str) -> Vec<Segment<'t>> {
    let mut rest = found.to_vec();
    let text = rest[0].text;
    let city = text[..offset(text, state)].trim_end();
    if city.is_empty() {
        rest.remove(0);
    } else {
        rest[0].text = city;
    }
    rest
}

fn names_india(text: &str, end: usize) -> bool {
    segments::after(text, end).iter().any(|part| country_named(part) == Some("IN"))
}

/// Reads `1-2-3 Dogenzaka, Shibuya-ku, Tokyo 150-0002`.
pub(super) fn read_japanese(text: &str, floor: usize, code: Code) -> Option<Found> {
    let head = text.get(floor..code.start)?.trim_end_matches([' ', ',', '\n', '〒']);
    let found = segments::before(text, floor, floor + head.len());
    let (prefecture, rest) = found.split_first()?;
    if !JAPANESE.contains_any_case(prefecture.text.trim_end_matches("-to").trim_end_matches("-ken")) {
        return None;
    }
    let [after, ..] = segments::after(text, code.end);
    if !after.is_empty() && country_named(after) != Some("JP") {
        return None;
    }
    // `Shibuya-ku`, `Kamakura-shi`: the ward or town within the prefecture.
    let is_town =
        |text: &str| ["-ku", "-shi", "-machi", "-cho"].iter().any(|end| text.ends_with(end)) && town(text).is_some();
    let (city, state, rest) = match rest.split_first() {
        Some((first, more)) if is_town(first.text) => (first.text, Some(prefecture.text), more),
        _ => (prefecture.text, None, rest),
    };
    of_parts(text, rest, &code, Placed { city, state, country: "JP" })
}
