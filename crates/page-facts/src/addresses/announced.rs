//! Streets and towns without a postal code, on pages that show no other address, where words or the place on the page say
//! that they are this business's: `Acme is located at 185 S. Main Street Thiensville.`, `12 High Street, Oxford` in a footer.

use crate::addresses::from_number::{self, FromNumber, StreetRead};
use crate::addresses::others::{self, Whose};
use crate::addresses::own_words::{self, Announced};
use crate::addresses::structured::VENUE_STANDING;
use crate::addresses::words::is_phone_alone;
use crate::addresses::{AddressMention, LINE_STEPS, PageKind, TEXT_STANDING, says_own, scan};
use crate::country::cities;
use crate::digits::next_digit;
use crate::document::Document;
use crate::explain;
use crate::facts::{Address, Method};
use crate::finders::Finder;
use crate::page::around;

/// Countries whose addresses begin with the house number.
const NUMBER_FIRST: [&str; 15] =
    ["US", "CA", "AU", "GB", "IE", "NZ", "ZA", "IN", "SG", "HK", "PH", "NG", "KE", "GH", "JM"];
/// Numbers that are looked at per page, steps charged for each, and for the words behind one.
const NUMBERS_MAX: usize = 4_000;
const LOOK_STEPS: usize = 40;
const STREET_STEPS: usize = 300;
/// Numbers with a word for a street behind them of which the words before are read.
const READ_MAX: usize = 60;
/// Bytes of a line before a house number that are read.
const HEAD_BYTES_MAX: usize = 100;
/// Longest line that holds an address in one of its parts, in bytes.
const PARTS_BYTES_MAX: usize = 400;
/// Longest line above a street that is its label or its town, in bytes.
const ABOVE_BYTES_MAX: usize = 40;
/// A page with more streets than this lists those of others.
const PLACES_MAX: usize = 3;

/// Reads such addresses of a page; `site` is the country of the site.
pub(super) fn find(url: &str, document: &Document<'_>, site: Option<&str>, kind: PageKind) -> Vec<AddressMention> {
    if kind == PageKind::OfOthers || site.is_some_and(|site| !NUMBER_FIRST.contains(&site)) {
        return Vec::new();
    }
    let mut found: Vec<AddressMention> = Vec::new();
    let mut read = 0;
    for at in house_numbers(document).take(NUMBERS_MAX) {
        if !document.budget.spend(LOOK_STEPS) {
            break;
        }
        let Some(place) = place_of(document, at) else { continue };
        // Prices and lists have many numbers; they must not use up the limit before the foot of the page.
        if !document.budget.spend(STREET_STEPS) {
            break;
        }
        if !from_number::may_be_street(&document.text, at) {
            continue;
        }
        read += 1;
        if read > READ_MAX || !document.budget.spend(LINE_STEPS) {
            break;
        }
        let Some(mention) = read_at((url, kind), document, at, place) else { continue };
        if found.iter().any(|other| other.address.street == mention.address.street) {
            continue;
        }
        if found.len() >= PLACES_MAX {
            return Vec::new();
        }
        found.push(mention);
    }
    for mention in &found {
        explain::accepted(Finder::Addresses, "a street and a town, announced as the business's own", &mention.snippet);
    }
    found
}

/// Where numbers of one to five digits stand that a capital or another number follows: `12 High`, `12B High`, `5017 127 Ave`.
fn house_numbers(document: &Document<'_>) -> impl Iterator<Item = usize> {
    let bytes = document.text.as_bytes();
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let at = next_digit(bytes, from)?;
            let digits = bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
            from = at + digits;
            let starts = at == 0 || matches!(bytes[at - 1], b' ' | b'\n' | b'(') || bytes[at - 1] >= 0x80;
            if starts && digits <= 5 && goes_on_as_street(&bytes[from..]) {
                return Some(at);
            }
        }
    })
}

/// `B High`, `-14 High`, ` High`: what may follow the first digits of a house number.
fn goes_on_as_street(rest: &[u8]) -> bool {
    let number = rest.iter().take(6).take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'/')).count();
    let is_name = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b >= 0x80;
    number < 6 && rest.get(number) == Some(&b' ') && rest.get(number + 1).is_some_and(is_name)
}

/// `2005-2025`, as behind a copyright sign.
fn is_span_of_years(number: &str) -> bool {
    let is_year = |part: &str| part.len() == 4 && (part.starts_with("19") || part.starts_with("20"));
    number.split_once(['-', '–', '/']).is_some_and(|(from, to)| is_year(from) && is_year(to))
}

/// How a number stands on its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// It begins a line or a part of it.
    Apart,
    /// Words lead to it.
    Sentence,
}

/// A cheap look at what stands before a number.
fn place_of(document: &Document<'_>, at: usize) -> Option<Place> {
    let bytes = document.text.as_bytes();
    let before = at.checked_sub(2).map_or(b'\n', |index| bytes[index]);
    let is_start = at == 0 || bytes[at - 1] == b'\n';
    if is_start || matches!(before, b',' | b':' | b';' | b'|' | b'-' | b'.') || before >= 0x80 {
        return Some(Place::Apart);
    }
    // `at 12`, `is 12`, `visit us 12`, `stop by 12`, `on 12`
    let ends = |word: &[u8]| bytes[..at - 1].ends_with(word);
    [&b"at"[..], b"is", b"us", b"by", b"on"].into_iter().any(ends).then_some(Place::Sentence)
}

/// A number on its line.
struct Spot<'d> {
    index: usize,
    /// The line up to the number.
    head: &'d str,
    announced: Option<Announced>,
    /// The page or this part of it is where a business says where it is.
    is_own_place: bool,
}

fn read_at((url, kind): (&str, PageKind), document: &Document<'_>, at: usize, place: Place) -> Option<AddressMention> {
    let text = &document.text;
    let street = from_number::street_at(text, at)
        .filter(|read| !is_span_of_years(read.street.split(' ').next().unwrap_or("")))?;
    let index = document.line_at(at);
    let context = document.line(index).1;
    if context.quote || context.testimonial {
        return None;
    }
    let line_start = document.lines.get(index)?.start.min(at);
    let head = around(text, at, (at - line_start).min(HEAD_BYTES_MAX), 0);
    let announced = own_words::announced(head, url, &document.title);
    let in_foot = (context.footer || context.address) && own_words::are_names_only(head);
    let is_contact = kind == PageKind::Contact && head.is_empty() && !url.contains("about");
    let spot = Spot { index, head, announced, is_own_place: in_foot || is_contact };
    let found = match place {
        Place::Sentence => of_sentence(text, &street, &spot)?,
        Place::Apart => of_line(document, &street, &spot)?,
    };
    if scan::is_sample(&found.address) || others::whose(document, at, true) != Whose::Open {
        return None;
    }
    let snippet = scan::snippet(text, at, found.end);
    let method = if context.address { Method::AddressElement } else { Method::Text };
    // What a sentence says counts only on a site that shows no other address.
    let standing = if place == Place::Sentence { VENUE_STANDING } else { TEXT_STANDING };
    Some(AddressMention { address: found.address, method, snippet, standing, is_own: false })
}

/// The address that a sentence leads to.
fn of_sentence<'t>(text: &'t str, street: &StreetRead<'t>, spot: &Spot<'t>) -> Option<FromNumber<'t>> {
    let announced = spot.announced?;
    let Some(found) = street.with_town(text) else {
        let (name, state) = from_number::town_alone(own_words::town_before(spot.head)?)?;
        let is_whole = announced == Announced::Own && street.ends_line();
        return is_whole.then(|| street.in_town(name, state, street.end));
    };
    // `Located at 12 Elm Street, Boise, this house`
    let is_own = announced == Announced::Own || (found.rest.is_empty() && ends_sentence(text, found.end));
    is_own.then_some(found)
}

/// Whether nothing of the sentence follows.
fn ends_sentence(text: &str, end: usize) -> bool {
    text[end..].starts_with(['.', '\n', '!']) || text.len() == end
}

/// The address on a line of its own, or in a part of one.
fn of_line<'t>(document: &'t Document<'_>, street: &StreetRead<'t>, spot: &Spot<'t>) -> Option<FromNumber<'t>> {
    let text = document.text.as_str();
    let line = document.line(spot.index).0;
    if line.len() > PARTS_BYTES_MAX || own_words::names_a_day(line) {
        return None;
    }
    let is_labelled = spot.announced == Some(Announced::Own) || is_below_label(document, spot);
    if let Some(found) = street.with_town(text) {
        let is_beside =
            (spot.head.is_empty() || own_words::are_names_only(spot.head)) && is_beside_phone(document, spot.index);
        let is_sure =
            is_labelled || is_beside || (spot.is_own_place && (is_known(&found.address) || !street.is_joined));
        return (is_sure && (found.rest.is_empty() || starts_contact(found.rest))).then_some(found);
    }
    if !street.ends_line() || !spot.head.is_empty() {
        return None;
    }
    below(document, street, spot, is_labelled).or_else(|| above(document, street, spot.index))
}

/// Whether the state is named, or the town is a large one.
fn is_known(address: &Address) -> bool {
    address.state.is_some() || address.city.as_deref().is_some_and(|city| cities::code_of(city).is_some())
}

/// The town on the line below a street, where a label, a phone number or the part of the page says that it is an address.
fn below<'t>(
    document: &'t Document<'_>,
    street: &StreetRead<'t>,
    spot: &Spot<'t>,
    is_labelled: bool,
) -> Option<FromNumber<'t>> {
    let (line, context) = document.line(spot.index + 1);
    let after = line_near(document, spot.index + 2);
    // Towns that are each followed by their street stand above it.
    let is_of_next = after.starts_with(|c: char| c.is_ascii_digit()) && !is_phone_alone(after);
    if line.len() > ABOVE_BYTES_MAX || is_of_next || context.heading {
        return None;
    }
    let (name, state) = from_number::town_alone(line)?;
    let found = street.in_town(name, state, street.end + 1 + line.len());
    let is_sure = is_labelled || is_phone(after) || context.address || (spot.is_own_place && is_known(&found.address));
    is_sure.then_some(found)
}

/// The town and state on the line above a street: `Naples, Florida`.
fn above<'t>(document: &'t Document<'_>, street: &StreetRead<'t>, index: usize) -> Option<FromNumber<'t>> {
    let (name, state) = from_number::town_alone(line_near(document, index.checked_sub(1)?))?;
    state?;
    Some(street.in_town(name, state, street.end))
}

/// A short line that may hold a label or a town; empty for any other.
fn line_near<'d>(document: &'d Document<'_>, index: usize) -> &'d str {
    let line = document.line(index).0;
    if line.len() <= ABOVE_BYTES_MAX { line } else { "" }
}

/// Whether the line above is a label such as `Address`, and nothing stands before the street on its own line.
fn is_below_label(document: &Document<'_>, spot: &Spot<'_>) -> bool {
    let line = spot.index.checked_sub(1).map_or("", |above| line_near(document, above));
    spot.head.is_empty() && !line.bytes().any(|b| b.is_ascii_digit()) && (says_own(line) || own_words::is_label(line))
}

/// Whether a phone number stands on the same line behind a mark, or alone on the line below or above.
fn is_beside_phone(document: &Document<'_>, index: usize) -> bool {
    let is_near = |index: Option<usize>| index.is_some_and(|index| is_phone(line_near(document, index)));
    let line = around(document.line(index).0, 0, 0, 2 * HEAD_BYTES_MAX);
    line.split(['|', '•', '·', '–', '●', '*']).any(is_phone)
        || is_near(Some(index + 1))
        || is_near(index.checked_sub(1))
}

/// `(512) 555-0100`, `Tel. 0113 555 0100`, and nothing else.
fn is_phone(text: &str) -> bool {
    is_phone_alone(text.trim().trim_start_matches(|c: char| c.is_ascii_alphabetic() || matches!(c, '.' | ':' | ' ')))
}

/// `(512) 555-0100`, `Tel 0113`: a contact may follow a town without a separator.
fn starts_contact(rest: &str) -> bool {
    let word = rest.split([' ', ':', '.']).next().unwrap_or("").to_ascii_lowercase();
    rest.starts_with(['0', '+'])
        || matches!(word.as_str(), "tel" | "t" | "phone" | "ph" | "call" | "telephone" | "email")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_price_list_does_not_hide_the_foot_of_the_page() {
        let list = "<p>12 Roses</p>".repeat(2 * READ_MAX);
        let page = format!("{list}<footer>Acme • 185 S. Main Street, Thiensville • 262-555-0142</footer>");
        let found = find("https://acme.com/", &Document::parse(&page), Some("US"), PageKind::Any);
        let towns: Vec<&str> = found.iter().filter_map(|mention| mention.address.city.as_deref()).collect();
        assert_eq!(towns, ["Thiensville"]);
    }
}
