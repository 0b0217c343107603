//! Reads a street and its town from the house number to the right, where no postal code ends the address:
//! `185 S. Main Street Thiensville`, `4410 N. Broadway in Chicago`, `12 Elm St, Suite 4, Austin, Texas`.

use crate::addresses::regions::{State, country_named};
use crate::addresses::segments::{self, Border, Segment, offset};
use crate::addresses::street::{self, Certainty};
use crate::addresses::words::{
    is_area, is_building_name, is_lead_word, is_name_word, is_no_name, is_street_word, is_weak_street_word, plain, town,
};
use crate::addresses::{british, irish};
use crate::country::cities;
use crate::facts::Address;
use crate::page::floor_char;
use crate::word_set::WordSet;

/// Bytes of a line that are read from the house number on.
const LINE_BYTES_MAX: usize = 140;
/// Words behind a house number of which one must be one for a street.
const LOOK_WORDS_MAX: usize = 8;
/// Words of a town's name.
const TOWN_WORDS_MAX: usize = 3;
/// Words written small between `in` and a town: `in the heart of downtown Boise`.
const ASIDE_WORDS_MAX: usize = 5;
/// Pieces of a building or suite between street and town.
const UNITS_MAX: usize = 3;

/// Countries whose states may follow a town.
const WITH_STATES: [&str; 3] = ["US", "CA", "AU"];

/// Words that begin a sentence, a menu or a description, not the name of a town.
static NOT_TOWNS: WordSet = WordSet::new(
    "the our we us this that it you your he she they come stop drop join meet for from with home about services service shop menu gallery
     blog news map maps get read more learn follow facebook instagram twitter linkedin youtube yelp google sign log book
     order free parking next near opposite behind across between corner off just downtown upstairs downstairs inside
     phase lot block unit all by appointment only closed daily today now see view find click here faq careers store
     stores search login cart account am pm noon weekdays weekends privacy terms quick useful sitemap cookie cookies
     accessibility legal disclaimer powered designed created hosted team resources subscribe newsletter apply request",
);

/// Words that are in the name of no town.
static NEVER_IN_TOWNS: WordSet = WordSet::new(
    "family families residents homes houses apartments condos units people students policy links use menu directions dental law
     clinic salon roofing plumbing group services fund magazine association foundation",
);

/// What was read from a house number on.
pub(super) struct FromNumber<'t> {
    pub(super) address: Address,
    /// Where it ends in the text.
    pub(super) end: usize,
    /// What follows on the same line.
    pub(super) rest: &'t str,
}

/// A street, and what follows it up to the end of the line or sentence.
pub(super) struct StreetRead<'t> {
    pub(super) street: String,
    /// Where it ends in the text.
    pub(super) end: usize,
    /// A town or anything else follows without a comma.
    pub(super) is_joined: bool,
    following: Vec<Segment<'t>>,
}

/// A cheap look at the words behind a house number.
pub(super) fn may_be_street(text: &str, at: usize) -> bool {
    line_from(text, at).split(' ').skip(1).take(LOOK_WORDS_MAX).any(|word| {
        let word = plain(word.trim_end_matches([';', ':', ')', '|']));
        is_street_word(&word)
            || is_weak_street_word(&word)
            || is_lead_word(&word)
            || word.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// The street whose house number stands at `at`. It must have a word such as `Street`.
pub(super) fn street_at(text: &str, at: usize) -> Option<StreetRead<'_>> {
    let line = sentence(line_from(text, at));
    let mut found = segments::up_to_hard(line);
    found.reverse();
    let first = found.pop()?;
    let street = street::find(first.text).filter(|street| street.certainty == Certainty::Sure && !street.is_box)?;
    if offset(first.text, street.text) != 0 {
        return None;
    }
    let is_joined = !street.rest.is_empty() && !street.rest.starts_with("in ");
    let (name, end) = (street.text.to_owned(), end_of(text, street.text));
    let mut read = StreetRead { street: name, end, is_joined, following: Vec::new() };
    if street.rest.is_empty() {
        take_units(text, &mut read, &mut found);
    } else {
        found.push(Segment { text: street.rest, ..first });
    }
    found.reverse();
    read.following = found;
    Some(read)
}

/// Adds suites and buildings, which stand between a street and its town; `rest` holds the nearest last.
fn take_units<'t>(text: &str, read: &mut StreetRead<'t>, rest: &mut Vec<Segment<'t>>) {
    for _ in 0..UNITS_MAX {
        let Some(next) = rest.pop() else { return };
        let unit = match street::unit_start(next.text) {
            Some((unit, after)) => {
                if !after.is_empty() {
                    rest.push(Segment { text: after, ..next });
                }
                unit
            }
            None if is_quarter(next.text) => next.text,
            // `1 Elm St, Acme Tower, Austin`
            None if is_building_name(next.text) && rest.last().is_some_and(|last| town(last.text).is_some()) => {
                next.text
            }
            None => {
                rest.push(next);
                return;
            }
        };
        read.street = format!("{}, {unit}", read.street);
        read.end = end_of(text, unit);
    }
}

/// `NW`: the part of a town in which a street lies.
fn is_quarter(text: &str) -> bool {
    matches!(text.trim_end_matches('.'), "NW" | "NE" | "SW" | "SE" | "N.W" | "N.E" | "S.W" | "S.E")
}

impl<'t> StreetRead<'t> {
    /// Whether nothing follows the street on its line.
    pub(super) fn ends_line(&self) -> bool {
        self.following.is_empty()
    }

    /// The street with a town that was found elsewhere.
    pub(super) fn in_town(&self, name: &str, state: Option<State>, end: usize) -> FromNumber<'t> {
        let address = Address {
            street: Some(self.street.clone()),
            city: Some(name.to_owned()),
            state: state.map(|state| state.code.to_owned()),
            postal_code: None,
            country: state.map(|state| state.country.to_owned()),
        };
        FromNumber { address, end, rest: "" }
    }

    /// The street with the town that follows it on the line of `text`.
    pub(super) fn with_town(&self, text: &'t str) -> Option<FromNumber<'t>> {
        let (first, more) = self.following.split_first()?;
        let (name, rest) = town_at(first.text)?;
        // `12 High Street, Headington, Oxford`
        if let Some(next) = more.first()
            && rest.is_empty()
            && first.border == Border::Comma
            && cities::code_of(next.text).is_some()
            && cities::code_of(name).is_none()
        {
            let street = format!("{}, {name}", self.street);
            return complete(text, street, (next.text, ""), &more[1..]);
        }
        let is_apart = first.border == Border::Mark && !rest.is_empty();
        if is_apart { None } else { complete(text, self.street.clone(), (name, rest), more) }
    }
}

/// The address of a street and a town, with the state or country behind the town.
fn complete<'t>(
    text: &'t str,
    street: String,
    (name, rest): (&'t str, &'t str),
    more: &[Segment<'t>],
) -> Option<FromNumber<'t>> {
    let (name, mut state) = split_state(name);
    let (mut rest, mut end) = (rest, end_of(text, name));
    let mut country = None;
    let next = if rest.is_empty() { more.first().map_or("", |segment| segment.text) } else { "" };
    if state.is_none() {
        let behind = if next.is_empty() { rest } else { next };
        if let Some((found, after)) = state_at(behind) {
            // A postal code that does not belong to the state was refused before.
            if after.starts_with(|c: char| c.is_ascii_digit()) {
                return None;
            }
            (state, rest, end) = (Some(found), after, offset(text, behind) + (behind.len() - after.len()));
        } else if let Some(named) = country_named(next) {
            (country, end) = (Some(named), end_of(text, next));
        }
    }
    // `12 High Street, Naas, Co. Kildare`
    let county = Some(next).filter(|next| state.is_none() && (irish::is_county(next) || british::is_county(next)));
    let address = Address {
        street: Some(street),
        city: Some(name.trim_end_matches('.').to_owned()),
        state: state.map(|state| state.code).or(county).map(str::to_owned),
        postal_code: None,
        country: state.map(|state| state.country).or(country).map(str::to_owned),
    };
    Some(FromNumber { address, end, rest })
}

/// A town above or below a street, on a line that holds nothing else: `Naples, Florida`, `Oxford`.
pub(super) fn town_alone(line: &str) -> Option<(&str, Option<State>)> {
    let (name, state) = match line.split_once(',') {
        Some((name, state)) => (name, Some(state_at(state.trim()).filter(|(_, rest)| rest.is_empty())?.0)),
        None => split_state(line),
    };
    let (name, rest) = town_at(name)?;
    rest.is_empty().then_some((name, state))
}

/// The name of a town at the start of a text, and what follows it.
fn town_at(text: &str) -> Option<(&str, &str)> {
    let text = after_in(text);
    if let Some(district) = irish::district(text) {
        return Some((district, text[district.len()..].trim_start()));
    }
    let mut end = 0;
    let mut words = 0;
    for word in text.split_ascii_whitespace() {
        let simple = plain(word);
        let is_first = words == 0;
        if !is_name_word(word) || word.bytes().any(|b| b.is_ascii_digit()) || is_no_name(&simple) {
            break;
        }
        if is_first && (NOT_TOWNS.contains(&simple) || !word.starts_with(char::is_uppercase)) {
            return None;
        }
        words += 1;
        if words > TOWN_WORDS_MAX + 1 {
            return None;
        }
        // A word inside of names ends none: `Austin and`
        if word.contains(char::is_uppercase) {
            end = offset(text, word) + word.len();
        }
    }
    let name = &text[..end];
    let rest = text[end..].trim_start();
    let bare = name.trim_end_matches(['.', ',']);
    let is_followed = rest.starts_with(|c: char| c.is_ascii_digit() && c != '0');
    (!is_followed && is_town(bare)).then_some((bare, rest))
}

/// The text behind `in`, with words written small before the town left out: `in beautiful downtown Austin`.
fn after_in(text: &str) -> &str {
    let Some(mut rest) = text.strip_prefix("in ").or_else(|| text.strip_prefix("In ")) else { return text };
    for _ in 0..ASIDE_WORDS_MAX {
        match rest.split_once(' ') {
            Some((word, more)) if word.starts_with(|c: char| c.is_ascii_lowercase()) => rest = more,
            _ => break,
        }
    }
    rest
}

fn is_town(name: &str) -> bool {
    let words: Vec<&str> = name.split(' ').collect();
    let last = plain(words[words.len() - 1]);
    let ends_as_street = words.len() > 1 && is_street_word(&last) && !is_weak_street_word(&last);
    let is_state = State::named(name, "US").is_some_and(|state| state.code != "NY" && state.code != "DC");
    town(name).is_some()
        && words.len() <= TOWN_WORDS_MAX + 1
        && name.chars().filter(|c| c.is_alphabetic()).count() > 2
        && !words.iter().any(|word| NEVER_IN_TOWNS.contains(&plain(word)))
        && !(ends_as_street || is_state || is_area(name) || is_building_name(name) || country_named(name).is_some())
}

/// `Austin TX`, `Austin Texas`: the state that ends the name of a town without a comma.
fn split_state(name: &str) -> (&str, Option<State>) {
    for words in [2, 1] {
        let Some((at, _)) = name.rmatch_indices(' ').nth(words - 1) else { continue };
        let (head, last) = (&name[..at], name[at + 1..].trim_end_matches('.'));
        let is_code = last.len() == 2 && last.bytes().all(|b| b.is_ascii_uppercase());
        // `Port Washington`, `Lake Virginia`
        let is_full = last.len() > 3 && !matches!(last, "Washington" | "New York" | "Virginia" | "Victoria");
        if !(is_code || is_full) {
            continue;
        }
        let word = if is_code { last.to_owned() } else { last.to_lowercase() };
        if let Some(state) = WITH_STATES.into_iter().find_map(|country| State::of(&word, country)) {
            return (head, Some(state));
        }
    }
    (name, None)
}

/// The state that a text starts with, and what follows it: `Texas. We`, `TX or call`.
fn state_at(text: &str) -> Option<(State, &str)> {
    let mut ends: Vec<usize> = text.match_indices(' ').map(|(at, _)| at).take(3).collect();
    ends.truncate(3);
    ends.push(text.len());
    ends.into_iter().rev().find_map(|end| {
        let word = text[..end].trim_end_matches(['.', ',']);
        let is_code = (2..=3).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_uppercase());
        let is_name = word.len() > 3 && word.starts_with(|c: char| c.is_ascii_uppercase());
        let word = if is_code { word.to_owned() } else { word.to_lowercase() };
        let state =
            WITH_STATES.into_iter().find_map(|country| State::of(&word, country).filter(|_| is_code || is_name))?;
        Some((state, text[end..].trim_start()))
    })
}

/// The rest of the line from `at` on.
fn line_from(text: &str, at: usize) -> &str {
    let rest = &text[at..floor_char(text, at + LINE_BYTES_MAX)];
    rest.split('\n').next().unwrap_or(rest)
}

/// The text up to where its sentence ends; abbreviations such as `St.` end none.
fn sentence(line: &str) -> &str {
    let is_short = |before: &str| {
        let word = plain(before.rsplit([' ', ',']).next().unwrap_or(""));
        word.chars().count() <= 4 || (is_street_word(&word) && word.len() <= 5)
    };
    let end = line
        .match_indices(". ")
        .map(|(at, _)| at)
        .find(|at| !is_short(&line[..*at]) && line[at + 2..].starts_with(char::is_uppercase));
    match end {
        Some(end) => &line[..end],
        None => line.strip_suffix('.').filter(|before| !is_short(before)).unwrap_or(line),
    }
}

fn end_of(text: &str, part: &str) -> usize {
    offset(text, part) + part.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let Some(read) = street_at(text, 0) else { return "-".to_owned() };
        let Some(found) = read.with_town(text) else { return format!("{}|-", read.street) };
        let a = found.address;
        let parts = [a.street, a.city, a.state, a.country].map(Option::unwrap_or_default).join("|");
        assert!(text.is_char_boundary(found.end) && found.end <= text.len());
        parts
    }

    #[test]
    fn streets_and_towns_are_read_to_the_right() {
        for (text, expect) in [
            ("185 S. Main Street Thiensville. The phone is", "185 S. Main Street|Thiensville||"),
            ("4410 N. Broadway in Chicago and open daily", "4410 N. Broadway|Chicago||"),
            ("12 High Street, Oxford", "12 High Street|Oxford||"),
            ("12 High Street, Headington, Bristol", "12 High Street, Headington|Bristol||"),
            ("12 Elm St, Suite 4, Austin, Texas. We", "12 Elm St, Suite 4|Austin|TX|US"),
            ("12 Elm St Suite 4 Austin TX or call", "12 Elm St Suite 4|Austin|TX|US"),
            ("12 Elm St. in the heart of downtown Boise!", "12 Elm St.|Boise||"),
            ("12 Elm St, Acme Tower, Boise, Idaho", "12 Elm St, Acme Tower|Boise|ID|US"),
            ("12 Elm St, St. Louis, MO.", "12 Elm St|St. Louis|MO|US"),
            ("12 Elm Street, Coeur d'Alene", "12 Elm Street|Coeur d'Alene||"),
            ("12 Elm St, Port Washington", "12 Elm St|Port Washington||"),
            ("12 Elm Road, Leeds • 0113 555 0100", "12 Elm Road|Leeds||"),
            ("12 Elm Road, Leeds, United Kingdom", "12 Elm Road|Leeds||GB"),
            ("1420 L Street, NW, Washington", "1420 L Street, NW|-"),
        ] {
            assert_eq!(shown(text), expect, "{text}");
        }
    }

    #[test]
    fn what_follows_a_street_is_not_always_a_town() {
        for text in [
            "12 Elm Street, Open Daily",
            "12 Elm Street, Home, About",
            "12 Elm Street, Next to the Bank",
            "12 Elm St. The shop is open",
            "12 Elm Street, All Rights Reserved",
            "12 Elm Street, Texas",
            "12 Elm Street, USA",
            "12 Elm Street, Oak Avenue",
            "12 Elm Street, Austin 78701",
            "12 Elm Street, Dallas, TX 10001",
            "12 Elm Street and Oak",
            "12 Elm Street",
        ] {
            let read = street_at(text, 0).unwrap();
            assert!(read.with_town(text).is_none(), "{text}");
        }
        assert_eq!(
            town_alone("Naples, Florida").map(|(name, state)| (name, state.unwrap().code)),
            Some(("Naples", "FL"))
        );
        assert!(town_alone("Naples, Pizza").is_none() && town_alone("Contact").is_none());
    }
}
