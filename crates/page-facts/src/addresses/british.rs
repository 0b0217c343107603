//! British addresses: street, locality, post town, county, postcode. House numbers are often missing.

use crate::addresses::Found;
use crate::addresses::codes::{Code, Shape};
use crate::addresses::regions::country_named;
use crate::addresses::segments::{self, Border, Segment, offset};
use crate::addresses::street;
use crate::addresses::words::{is_house_number, is_street_word, plain, town};
use crate::facts::Address;
use crate::word_set::WordSet;

/// Segments before a postcode that are read.
const SEGMENTS_MAX: usize = 7;
/// Segments of a street: building, estate, street.
const STREET_SEGMENTS_MAX: usize = 5;

/// Counties, which stand between post town and postcode. Of two words, the last.
static COUNTIES: WordSet = WordSet::new(
    "avon bedfordshire berkshire buckinghamshire cambridgeshire cheshire cleveland cornwall cumbria derbyshire devon
     dorset durham essex gloucestershire hampshire hants herefordshire hertfordshire herts kent lancashire lancs
     leicestershire lincolnshire merseyside middlesex midlands norfolk northamptonshire northumberland
     nottinghamshire notts oxfordshire oxon rutland shropshire somerset staffordshire staffs suffolk surrey sussex
     warwickshire wiltshire worcestershire yorkshire gwynedd powys dyfed gwent glamorgan fife lothian aberdeenshire
     ayrshire lanarkshire antrim armagh down fermanagh tyrone bucks beds berks",
);

/// Words of buildings and estates, which may replace a house number.
static BUILDINGS: WordSet = WordSet::new(
    "house centre center park estate manor court building buildings mill works farm hall tower studios unit suite
     floor flat granary barn yard office offices business industrial trading chambers arcade wharf",
);

/// Reads the address around a postcode; nothing before `floor` belongs to it.
pub(crate) fn read(text: &str, floor: usize, code: Code) -> Option<Found> {
    let found = segments::before(text, floor, code.start);
    let (found, county) = without_county(&found);
    let at = found
        .iter()
        .take(SEGMENTS_MAX)
        .enumerate()
        .position(|(at, segment)| is_street(segment.text) || is_estate(segment, found.get(at + 1)));
    // `Unit 3B, The Quays, Manchester`: whatever the estate is called.
    let at =
        at.or_else(|| (1..found.len().min(SEGMENTS_MAX)).find(|at| is_behind_unit(&found[*at], found.get(at + 1))));
    let is_first = at == Some(0);
    let (name, start_of_town) = match at {
        Some(0) => (town_within(found[0].text).or_else(|| town_after(text, code.end)), 0),
        _ => (found.first().and_then(|segment| town(segment.text)), 1),
    };
    let name = name?;
    let at = at.filter(|at| {
        *at <= 3 && found[..*at].iter().skip(1).all(|segment| town(segment.text).is_some() || is_unit(segment.text))
    });
    let street = at.map(|at| street_of(&found[at..], if is_first { Some(name) } else { None }));
    let joined = code.shape == Shape::BritishJoined;
    let is_alone = found.first().is_some_and(|segment| segment.border != Border::Line || segment.text.len() < 25);
    if street.is_none() && (joined || !is_alone || start_of_town == 0) {
        return None;
    }
    let (street, first) = street.map_or((None, None), |(street, first)| (Some(street), Some(first)));
    let postal = &text[code.start..code.end];
    let address = Address {
        street,
        city: Some(name.to_owned()),
        state: county.map(str::to_owned),
        postal_code: Some(if joined {
            format!("{} {}", &postal[..postal.len() - 3], &postal[postal.len() - 3..])
        } else {
            postal.to_owned()
        }),
        country: Some("GB".to_owned()),
    };
    let start = offset(text, first.unwrap_or(name)).min(code.start);
    Some(Found { address, start, end: code.end, has_sure_street: at.is_some() })
}

/// Leaves out counties and nations next to the postcode, and returns the county. In `Yalding, Kent` it is a segment of its own.
fn without_county<'s, 't>(found: &'s [Segment<'t>]) -> (&'s [Segment<'t>], Option<&'t str>) {
    let mut rest = found;
    let mut county = None;
    while let [first, more @ ..] = rest {
        let is_county = is_county(first.text);
        if more.is_empty() || !(is_county || country_named(first.text).is_some() || first.text == "Greater London") {
            break;
        }
        county = county.or(is_county.then_some(first.text.trim_end_matches('.')));
        rest = more;
    }
    (rest, county)
}

/// `Kent`, `West Yorkshire`.
pub(super) fn is_county(text: &str) -> bool {
    COUNTIES.contains(&plain(text.rsplit(' ').next().unwrap_or(""))) && text.split(' ').count() <= 2
}

/// A segment with a street: a house number first, or a word such as `Lane` last or before the town.
fn is_street(text: &str) -> bool {
    if street::find(text).is_some() {
        return true;
    }
    let words: Vec<&str> = text.split(' ').collect();
    let last = words.len() - 1;
    // `L5 Commerce Park`: the number of a unit, and an estate.
    let is_numbered = words[0].len() <= 4 && words[0].bytes().any(|b| b.is_ascii_digit());
    if (2..=4).contains(&last) && is_numbered && BUILDINGS.contains(&plain(words[last])) {
        return words[1..].iter().all(|word| word.starts_with(char::is_uppercase));
    }
    // `Unit 5 Riverside Business Park`
    if let Some((_, estate)) = street::unit_start(text)
        && estate.contains(' ')
        && BUILDINGS.contains(&plain(words[last]))
    {
        return town(estate).is_some();
    }
    (1..=5).contains(&last) && is_street_word(&plain(words[last])) && town(text).is_some()
}

/// `Riverside Business Park` behind `Unit 5`: an estate that needs no street.
fn is_estate(segment: &Segment<'_>, left: Option<&Segment<'_>>) -> bool {
    let last = plain(segment.text.rsplit(' ').next().unwrap_or(""));
    let is_named = segment.text.contains(' ') && BUILDINGS.contains(&last) && town(segment.text).is_some();
    is_named && is_behind_unit(segment, left)
}

/// `The Quays` behind `Unit 3B`.
fn is_behind_unit(segment: &Segment<'_>, left: Option<&Segment<'_>>) -> bool {
    town(segment.text).is_some() && left.is_some_and(|left| left.border != Border::Mark && is_unit(left.text))
}

/// `14 New Bond St Bath`: the town that follows the street in its segment.
fn town_within(text: &str) -> Option<&str> {
    street::find(text).and_then(|found| town(found.rest))
}

/// `Paul Street EC2A 4NE, London`: the town after the postcode.
fn town_after(text: &str, end: usize) -> Option<&str> {
    let parts = segments::after(text, end);
    parts[..2].iter().find(|part| !part.is_empty()).copied().and_then(town).filter(|name| name.split(' ').count() <= 2)
}

/// The street in `segments[0]` with the building before it, and where it starts.
fn street_of<'t>(found: &[Segment<'t>], name: Option<&'t str>) -> (String, &'t str) {
    let nearest = found[0].text;
    let own = match (street::find(nearest), name) {
        (Some(found), Some(name)) if found.rest == name => found.text,
        (Some(found), _) => &nearest[offset(nearest, found.text)..],
        _ => nearest,
    };
    let mut parts = vec![own.trim_end_matches(',')];
    for (index, segment) in found.iter().enumerate().skip(1).take(STREET_SEGMENTS_MAX - 1) {
        let has_number = parts.iter().any(|part| part.starts_with(|c: char| c.is_ascii_digit()));
        let words: Vec<&str> = segment.text.split(' ').collect();
        // `2nd Floor, Imperial Place, Maxwell Road`: what has a floor is a building, whatever it is called.
        let has_floor = found.get(index + 1).is_some_and(|left| left.border != Border::Mark && is_unit(left.text));
        let is_named = has_floor && !has_number && town(segment.text).is_some();
        let is_building = is_named || (words.len() <= 5 && words.iter().any(|word| BUILDINGS.contains(&plain(word))));
        let starts_with_number =
            words.first().is_some_and(|word| is_house_number(word)) && street::find(segment.text).is_some();
        if segment.border == Border::Mark
            || !(is_unit(segment.text) || is_building || (!has_number && starts_with_number))
        {
            break;
        }
        parts.push(segment.text);
    }
    let first = parts.last().copied().unwrap_or(nearest);
    parts.reverse();
    (parts.join(", "), first)
}

/// `Unit 9`, `2nd Floor`, and nothing else.
fn is_unit(text: &str) -> bool {
    street::unit_start(text).is_some_and(|(_, rest)| rest.is_empty())
}
