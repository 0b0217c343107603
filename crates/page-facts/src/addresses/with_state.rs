//! Addresses of the United States, Canada and Australia: street, town, state and postal code, read from right to left.

use crate::addresses::codes::Code;
use crate::addresses::regions::{State, country_named};
use crate::addresses::segments::{self, Border, Segment, offset};
use crate::addresses::street::{self, Certainty};
use crate::addresses::words::{
    is_area, is_building_name, is_corner, is_crossing, is_number_alone, is_phone_alone, is_small_street,
    is_street_without_number, small_town, town,
};
use crate::addresses::{Found, explain_refused, without_state};
use crate::facts::Address;
use crate::page::around;
use crate::word_set::WordSet;

/// Bytes between a state and its postal code.
const GAP_BYTES_MAX: usize = 8;
/// Bytes of the longest name of a state.
const STATE_BYTES_MAX: usize = 30;
/// Segments between the town and the street that are read.
const STREET_SEGMENTS_MAX: usize = 5;

/// Codes of states that are words when written small.
static WORD_STATES: WordSet = WordSet::new("in or me hi ok oh la ma pa id de co al as mi ms mo");

/// A state that stands before a postal code.
pub(super) struct Placed {
    pub(super) state: State,
    /// Where it starts.
    pub(super) start: usize,
    /// Written in full, so that `New York` may be the town as well.
    is_name: bool,
    /// Written small: a street must confirm it.
    pub(super) is_weak: bool,
    /// Written small throughout, as the town may be too.
    is_small: bool,
}

/// Reads the address that ends with `code`; nothing before `floor` belongs to it.
pub(crate) fn read(text: &str, floor: usize, code: Code, country: &'static str) -> Option<Found> {
    let postal = &text[code.start..code.end];
    let Some(placed) = state_before(text, floor, code.start, country) else {
        return without_state::read(text, floor, code, country);
    };
    if !placed.state.fits(postal) {
        explain_refused("the postal code does not belong to the state", around(text, code.start, 40, 10));
        return None;
    }
    let segments = segments::before(text, floor, placed.start);
    let mut place = place(&segments, placed.is_small)?;
    if place.town.is_none() && placed.is_name && matches!(placed.state.code, "NY" | "DC" | "WA") {
        place.town = Some(capital(&text[placed.start..]));
    }
    let sits_alone = !placed.is_weak && !code.is_joined && stands_alone(text, &place, placed.start, code.end);
    if place.street.is_none() && !(place.town.is_some() && sits_alone) {
        explain_refused("no street, and the town stands inside a sentence", around(text, code.start, 40, 20));
        return None;
    }
    if place.town.is_none() && !place.is_sure && place.street.as_deref().is_some_and(is_count) {
        explain_refused("a number of things, not a street", around(text, code.start, 40, 20));
        return None;
    }
    let start = place.start(text).unwrap_or(placed.start);
    let address = Address {
        street: place.street,
        city: place.town.map(str::to_owned),
        state: Some(placed.state.code.to_owned()),
        postal_code: Some(tidy_code(postal, country)),
        country: Some(country.to_owned()),
    };
    Some(Found { address, start, end: code.end, has_sure_street: place.is_sure })
}

/// `12 Bulbs`: a small number and one or two words. Also `78703 in Austin`.
fn is_count(street: &str) -> bool {
    if street.split(' ').nth(1).is_some_and(|word| matches!(word, "in" | "and" | "or" | "to" | "near" | "for")) {
        return true;
    }
    let digits = street.bytes().take_while(u8::is_ascii_digit).count();
    (1..=2).contains(&digits) && street.split(' ').count() <= 3
}

/// `New York` or `Washington`, as written at the start of a text.
fn capital(text: &str) -> &str {
    let end = if text.get(..3).is_some_and(|head| head.eq_ignore_ascii_case("new")) { 8 } else { 10 };
    text.get(..end).unwrap_or(text)
}

/// The code in its usual form: `78701-1234`, `K1A 0B6`.
pub(crate) fn tidy_code(code: &str, country: &str) -> String {
    if country == "CA" && code.len() == 6 {
        return format!("{} {}", &code[..3], &code[3..]);
    }
    if country == "US" {
        return code.replace(" - ", "-").replace('–', "-");
    }
    code.replace('-', if country == "CA" { " " } else { "-" })
}

/// The state directly before `at`, with at most a country between: `TX 78701`, `Texas, 78701`, `TX, USA 78701`.
pub(super) fn state_before(text: &str, floor: usize, at: usize, country: &'static str) -> Option<Placed> {
    let mut head = skip_gap(text, floor, at)?;
    let last = head.rsplit([' ', '\n', ',']).next().unwrap_or("");
    if matches!(last, "USA" | "U.S.A" | "US" | "States" | "Canada" | "Australia" | "America") {
        let name = ["United States of America", "United States"].into_iter().find(|name| head.ends_with(name));
        let end = head.len() - name.unwrap_or(last).len();
        head = skip_gap(text, floor, floor + end)?;
    }
    let word = head.rsplit([' ', '\n', ',', '(', '|', '.', '·', '•']).next().unwrap_or(head);
    let is_upper = word.bytes().all(|b| b.is_ascii_uppercase());
    if (2..=3).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_alphabetic()) {
        let has_capital = word.starts_with(|c: char| c.is_ascii_uppercase());
        let is_weak = !has_capital || (!is_upper && WORD_STATES.contains(word.to_ascii_lowercase().as_str()));
        let may_be = has_capital || !WORD_STATES.contains(word);
        let is_written = is_upper || country == "US" || matches!(word, "Vic" | "Qld" | "Tas");
        if let Some(state) = State::of(&word.to_ascii_uppercase(), country).filter(|_| may_be && is_written) {
            let start = before_bracket(text, floor + offset(head, word));
            return Some(Placed { state, start, is_name: false, is_weak, is_small: !has_capital });
        }
    }
    state_with_points(text, floor, head, country).or_else(|| {
        let placed = state_in_full(floor, head, country)?;
        Some(Placed { start: before_bracket(text, placed.start), ..placed })
    })
}

/// Where a state starts, with the bracket before it: `Montréal (Québec)`.
fn before_bracket(text: &str, start: usize) -> usize {
    start - usize::from(text[..start].ends_with('('))
}

/// `N.Y.`, `D.C.`: the points were skipped at the end.
fn state_with_points(text: &str, floor: usize, head: &str, country: &'static str) -> Option<Placed> {
    let tail = head.get(head.len().checked_sub(3)?..)?;
    let letters = tail.as_bytes();
    let is_pair = letters[0].is_ascii_uppercase() && letters[1] == b'.' && letters[2].is_ascii_uppercase();
    let starts_word = !head[..head.len() - 3].ends_with(char::is_alphanumeric);
    if !is_pair || !starts_word || text.as_bytes().get(floor + head.len()) != Some(&b'.') {
        return None;
    }
    let state = State::of(&tail.replace('.', ""), country)?;
    Some(Placed { state, start: floor + head.len() - 3, is_name: false, is_weak: false, is_small: false })
}

fn state_in_full(floor: usize, head: &str, country: &'static str) -> Option<Placed> {
    let from = crate::page::floor_char(head, head.len().saturating_sub(STATE_BYTES_MAX));
    let tail = &head[from..];
    // From the longest to the shortest, so that `West Virginia` is not `Virginia`.
    for words in (1..=4).rev() {
        let mut starts = tail.rmatch_indices([' ', '\n', ',', '(']).map(|(at, _)| at + 1);
        let start = starts.nth(words - 1).or_else(|| (from == 0 && words == 1).then_some(0));
        let Some(start) = start else { continue };
        let name = &tail[start..];
        if !name.starts_with(char::is_uppercase) {
            continue;
        }
        if let Some(state) = State::of(&name.to_lowercase().replace('\n', " "), country) {
            return Some(Placed { state, start: floor + from + start, is_name: true, is_weak: false, is_small: false });
        }
    }
    None
}

/// The text before the blanks, commas and separators that precede `at`.
pub(super) fn skip_gap(text: &str, floor: usize, at: usize) -> Option<&str> {
    let blanks = [' ', ',', '.', '\n', '|', '•', '·', '-', '–', '—', '*', '(', ')', ':'];
    let head = text.get(floor..at)?;
    let rest = head.trim_end_matches(blanks);
    let unlabelled = without_label(rest).trim_end_matches(blanks);
    (head.len() - rest.len() <= GAP_BYTES_MAX && !unlabelled.is_empty()).then_some(unlabelled)
}

/// A text without the label of a postal code at its end: `TX Zip:`.
fn without_label(text: &str) -> &str {
    let bare = text.strip_suffix(':').unwrap_or(text);
    if !bare.ends_with(['p', 'P', 'e', 'E']) {
        return text;
    }
    let label = ["zip", "zip code", "zipcode", "postal code", "postcode"].into_iter().find(|label| {
        let start = bare.len().saturating_sub(label.len());
        bare.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(label))
            && !bare[..start].ends_with(char::is_alphanumeric)
    });
    label.map_or(text, |label| &bare[..bare.len() - label.len()])
}

/// Town and street of an address.
#[derive(Default)]
pub(super) struct Place<'t> {
    pub(super) town: Option<&'t str>,
    pub(super) street: Option<String>,
    pub(super) is_sure: bool,
    /// The first piece of it on the page.
    first: Option<&'t str>,
}

impl Place<'_> {
    pub(super) fn start(&self, text: &str) -> Option<usize> {
        self.first.or(self.town).map(|first| offset(text, first))
    }
}

/// Reads town and street from the segments before a state.
pub(super) fn place<'t>(segments: &[Segment<'t>], is_small: bool) -> Option<Place<'t>> {
    let mut rest = segments;
    // `Boston, USA` above `MA 02111`
    while let [first, more @ ..] = rest
        && (is_area(first.text) || matches!(first.text, "USA" | "U.S.A." | "United States" | "Canada" | "Australia"))
    {
        rest = more;
    }
    let (nearest, before) = rest.split_first()?;
    if let Some(found) = street::find(nearest.text)
        && (found.certainty == Certainty::Sure || found.rest.is_empty())
    {
        if found.rest.is_empty() {
            return Some(with_street(None, &[], rest));
        }
        if let Some(name) = town(found.rest).or_else(|| town_in_sentence(found.rest)) {
            let mut place = with_street(Some(name), &[], before_box(found.is_box, before));
            let own = found.text;
            place.street = Some(place.street.map_or(own.to_owned(), |street| format!("{street}, {own}")));
            place.first = place.first.or(Some(own));
            place.is_sure = true;
            return Some(place);
        }
    }
    if let Some((unit, name)) = street::unit_start(nearest.text)
        && let Some(name) = town(name)
    {
        return Some(with_street(Some(name), &[unit], before));
    }
    match town(nearest.text).or_else(|| is_small.then(|| small_town(nearest.text)).flatten()) {
        Some(name) if is_small && name.starts_with(char::is_lowercase) => {
            let street = before.first().map(|segment| segment.text).filter(|text| is_small_street(text))?;
            let (town, first, street) = (Some(name), Some(street), Some(street.to_owned()));
            Some(Place { town, street, is_sure: true, first })
        }
        Some(name) => Some(with_street(Some(name), &[], before)),
        // `1 Elm St, Suite 4, in downtown Austin`
        None if let Some(name) = town_in_sentence(nearest.text) => Some(with_street(Some(name), &[], before)),
        None => Some(Place { town: last_name(nearest.text), first: Some(nearest.text), ..Place::default() }),
    }
}

/// `in beautiful downtown Austin`, after a street.
fn town_in_sentence(text: &str) -> Option<&str> {
    (text.len() <= 48 && text.starts_with("in ")).then(|| last_name(text)).flatten()
}

/// A street may stand before a post-office box, but not before another street.
fn before_box<'s, 't>(is_box: bool, segments: &'s [Segment<'t>]) -> &'s [Segment<'t>] {
    if is_box { &segments[..segments.len().min(1)] } else { &[] }
}

/// The capitalised words that a sentence ends with: `located in Orem`.
fn last_name(text: &str) -> Option<&str> {
    let start = text
        .rmatch_indices(' ')
        .map(|(at, _)| at + 1)
        .take(3)
        .take_while(|at| text[*at..].starts_with(char::is_uppercase));
    start.last().and_then(|start| town(&text[start..]))
}

/// Looks for the street in the segments before the town, the nearest first.
fn with_street<'t>(name: Option<&'t str>, units: &[&'t str], segments: &[Segment<'t>]) -> Place<'t> {
    let mut place = Place { town: name, ..Place::default() };
    let mut parts: Vec<&str> = units.to_vec();
    let mut has_box = false;
    for (index, segment) in segments.iter().take(STREET_SEGMENTS_MAX).enumerate() {
        let found = street::find(segment.text).filter(|found| found.certainty == Certainty::Sure || index < 2);
        if let Some(found) = found {
            if has_box && (found.is_box || found.certainty == Certainty::Likely) {
                break;
            }
            let end = if found.rest.is_empty() || found.rest.len() > 30 {
                found.text.len()
            } else {
                segment.text.len() - offset(segment.text, found.text)
            };
            let from = offset(segment.text, found.text);
            parts.push(segment.text[from..from + end].trim());
            place.first = Some(found.text);
            if let Some(unit) = unit_before(segments, index).filter(|_| from == 0 && !found.is_box) {
                parts.push(unit);
                place.first = Some(unit);
            }
            (place.is_sure, place.street) = (place.is_sure || found.certainty == Certainty::Sure, Some(join(&parts)));
            if !found.is_box {
                break;
            }
            has_box = true;
            continue;
        }
        if has_box {
            break;
        }
        if let Some(number) = number_before(segments, index) {
            parts.extend([segment.text, number]);
            (place.first, place.is_sure, place.street) = (Some(number), true, Some(join(&parts)));
            break;
        }
        if index < 2 && is_corner(segment.text) {
            parts.push(segment.text);
            (place.first, place.street) = (Some(segment.text), Some(join(&parts)));
            break;
        }
        if is_area(segment.text) || is_crossing(segment.text) || is_phone_alone(segment.text) {
            continue;
        }
        if !(is_unit(segment.text) || is_quadrant(segment.text) || is_building(segment, parts.len())) {
            break;
        }
        parts.push(segment.text);
    }
    place
}

/// `Suite 300` and nothing else.
fn is_unit(text: &str) -> bool {
    street::unit_start(text).is_some_and(|(_, rest)| rest.is_empty())
}

/// The suite before a street on the same line: `Suite 300, 1200 Congress Ave`.
fn unit_before<'t>(segments: &[Segment<'t>], index: usize) -> Option<&'t str> {
    let unit = segments.get(index + 1).filter(|unit| unit.border != Border::Line && is_unit(unit.text));
    unit.map(|unit| unit.text)
}

/// The part of a town that a comma separates from the street: `1420 L Street, NW`.
fn is_quadrant(text: &str) -> bool {
    matches!(text.trim_end_matches('.'), "NW" | "NE" | "SW" | "SE" | "N.W" | "N.E" | "S.W" | "S.E")
}

/// The house number in the segment before a street: `1420, Elm Street`.
fn number_before<'t>(segments: &[Segment<'t>], index: usize) -> Option<&'t str> {
    let number = segments.get(index + 1).filter(|next| is_number_alone(next.text))?;
    is_street_without_number(segments[index].text).then_some(number.text)
}

/// A name between street and town, such as a building, on the same line: `1 Elm St, Acme Tower, Austin`.
fn is_building(segment: &Segment<'_>, parts: usize) -> bool {
    let is_named = segment.border == Border::Comma && town(segment.text).is_some() && segment.text.len() <= 40;
    parts <= 1 && (is_named || is_building_name(segment.text))
}

/// Joins the parts of a street, which were found from right to left.
fn join(parts: &[&str]) -> String {
    parts.iter().rev().map(|part| part.trim_matches([' ', ','])).collect::<Vec<_>>().join(", ")
}

/// Whether town, state and code stand on a line of their own or between separators, not inside a sentence.
fn stands_alone(text: &str, place: &Place<'_>, state: usize, end: usize) -> bool {
    let Some(name) = place.town else { return false };
    let start = offset(text, name);
    if start > state {
        return false;
    }
    let before = around(text, start, 60, 0);
    let line = before.rsplit('\n').next().unwrap_or("");
    let starts = line.trim_end().chars().next_back().is_none_or(|c| "|•·,:;*©-–—/".contains(c));
    // Areas served are no addresses.
    let is_served = line.split(' ').any(|word| {
        let word = word.to_ascii_lowercase();
        ["serv", "deliver", "near", "ship"].iter().any(|start| word.starts_with(start))
    });
    let starts = starts && line.len() < 60 && !is_served;
    let [rest, ..] = segments::after(text, end);
    let rest = rest.trim_start_matches(['.', ' ']);
    let is_list = text[end..].trim_start_matches([',', ' ', '/']).starts_with(|c: char| c.is_ascii_digit())
        && text[end..].starts_with(',');
    let ends = rest.is_empty()
        || country_named(rest).is_some()
        || rest.starts_with(|c: char| c.is_ascii_digit() || c == '+' || c == '(');
    starts && ends && !is_list
}
