//! Brazilian addresses: `Av. Paulista, 1000 - Bela Vista, São Paulo - SP, CEP 01310-100`, and the code before the town.

use crate::addresses::Found;
use crate::addresses::codes::Code;
use crate::addresses::regions::State;
use crate::addresses::segments::{self, Segment, offset};
use crate::addresses::words::{plain, town};
use crate::facts::Address;
use crate::word_set::WordSet;

/// Parts of a street: suite, quarter, number, name.
const PARTS_MAX: usize = 6;
/// Longest part of a street, in bytes.
const PART_BYTES_MAX: usize = 60;

/// First words of the names of streets.
static STREETS: WordSet = WordSet::new(
    "rua r avenida av alameda al travessa tv praça pça rodovia rod estrada est largo ladeira via viela quadra servidão",
);

/// Reads the address around a code of five and three digits.
pub(super) fn read(text: &str, floor: usize, code: Code) -> Option<Found> {
    let head = without_label(&text[floor..code.start]);
    let found = segments::before(text, floor, floor + head.len());
    let postal = &text[code.start..code.end];
    let (city, state, street, end) = match town_and_state(&found, postal) {
        Some((city, state, rest)) => (city, state, street(rest)?, code.end),
        None => {
            let (city, state, end) = town_after(text, code.end, postal)?;
            (city, state, street(&found)?, end)
        }
    };
    let address = Address {
        street: Some(street.0),
        city: Some(city.to_owned()),
        state: Some(state.code.to_owned()),
        postal_code: Some(postal.to_owned()),
        country: Some("BR".to_owned()),
    };
    Some(Found { address, start: offset(text, street.1), end, has_sure_street: true })
}

/// The text before `CEP`, `CEP:` and what separates it.
fn without_label(head: &str) -> &str {
    let blanks = [' ', ',', '.', '\n', '-', '–', ':', '|', '•', '(', '/'];
    let rest = head.trim_end_matches(blanks);
    let bare = rest.strip_suffix("CEP").or_else(|| rest.strip_suffix("Cep")).unwrap_or(rest);
    bare.trim_end_matches(blanks)
}

/// Town and state at the end of the segments, and the segments before them: `São Paulo - SP`, `Campinas/SP`.
fn town_and_state<'s, 't>(found: &'s [Segment<'t>], postal: &str) -> Option<(&'t str, State, &'s [Segment<'t>])> {
    let (first, rest) = found.split_first()?;
    if let Some((name, state)) = joined(first.text, postal) {
        return Some((name, state, rest));
    }
    let state = state_named(first.text, postal)?;
    let (name, rest) = rest.split_first()?;
    Some((town(name.text)?, state, rest))
}

/// `Campinas/SP`, `Campinas-SP`, `Campinas SP`.
fn joined<'t>(text: &'t str, postal: &str) -> Option<(&'t str, State)> {
    let (name, state) = text.rsplit_once(['/', '-', ' '])?;
    Some((town(name.trim_end_matches([' ', '/', '-']))?, state_named(state.trim(), postal)?))
}

/// The state with this code or name to which the postal code belongs.
fn state_named(text: &str, postal: &str) -> Option<State> {
    let is_code = text.len() == 2 && text.bytes().all(|b| b.is_ascii_uppercase());
    let word = if is_code { text.to_owned() } else { text.to_lowercase() };
    State::of(&word, "BR").filter(|state| state.fits(postal))
}

/// Town and state behind a code, and where they end: `01310-100 - São Paulo - SP`.
fn town_after<'t>(text: &'t str, at: usize, postal: &str) -> Option<(&'t str, State, usize)> {
    let start = at + (text[at..].len() - text[at..].trim_start_matches([' ', ',', '-', '–', '\n', '|', '•']).len());
    let [first, second, _] = segments::after(text, start);
    if let Some((name, state)) = joined(first, postal) {
        return Some((name, state, offset(text, first) + first.len()));
    }
    Some((town(first)?, state_named(second, postal)?, offset(text, second) + second.len()))
}

/// The street that ends with the nearest of some segments, and its first part: the one that begins with `Rua` or the like.
fn street<'t>(found: &[Segment<'t>]) -> Option<(String, &'t str)> {
    let mut parts: Vec<&str> = Vec::new();
    for segment in found.iter().take(PARTS_MAX).take_while(|segment| segment.text.len() <= PART_BYTES_MAX) {
        let from = street_start(segment.text);
        parts.push(from.map_or(segment.text, |from| &segment.text[from..]));
        if from.is_some() {
            let first = *parts.last()?;
            parts.reverse();
            let text = parts.join(", ");
            return text
                .bytes()
                .any(|b| b.is_ascii_digit())
                .then_some((text, first))
                .or_else(|| unnumbered(&parts, first));
        }
    }
    None
}

/// `Rua Augusta, s/n`: a street whose houses have no numbers.
fn unnumbered<'t>(parts: &[&str], first: &'t str) -> Option<(String, &'t str)> {
    parts.iter().any(|part| part.to_ascii_lowercase().ends_with("s/n")).then(|| (parts.join(", "), first))
}

/// Where the street starts in a segment: `Loja 5 Rua Augusta 1500`.
fn street_start(text: &str) -> Option<usize> {
    let word = text.split(' ').find(|word| word.starts_with(char::is_uppercase) && STREETS.contains(&plain(word)))?;
    Some(offset(text, word))
}
