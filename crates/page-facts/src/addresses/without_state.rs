//! Addresses of which the state or the postal code is missing: `123 Main Street, Springfield 62701`, `123 Main St, Austin, TX`,
//! `14 Queen Street, Auckland 1010`.

use crate::addresses::Found;
use crate::addresses::codes::Code;
use crate::addresses::regions::{State, country_named};
use crate::addresses::segments::{self, offset};
use crate::addresses::with_state::{place, skip_gap, state_before, tidy_code};
use crate::country::cities;
use crate::facts::Address;

/// Countries where a code of four digits follows the town.
const SOUTHERN: [&str; 3] = ["NZ", "ZA", "AU"];

/// Whether a code of four digits follows the town in a country.
pub(super) fn is_southern(country: &str) -> bool {
    SOUTHERN.contains(&country)
}

/// Provinces of South Africa, which may stand between town and code.
const PROVINCES: [&str; 9] = [
    "Gauteng",
    "Western Cape",
    "KwaZulu-Natal",
    "Eastern Cape",
    "Free State",
    "Limpopo",
    "Mpumalanga",
    "North West",
    "Northern Cape",
];

/// `14 Queen Street, Auckland 1010`: of New Zealand, South Africa or Australia, when the site is, when the country follows, or
/// when the town is a large one of theirs and nothing follows.
pub(super) fn read_southern(text: &str, floor: usize, code: Code, site: Option<&str>) -> Option<Found> {
    let parts = segments::after(text, code.end);
    let named = parts.iter().find(|part| !part.is_empty()).and_then(|part| country_named(part));
    let head = skip_gap(text, floor, code.start)?;
    let province = PROVINCES.into_iter().find(|province| head.ends_with(province));
    let head = province.map_or(Some(head), |province| skip_gap(text, floor, floor + head.len() - province.len()))?;
    let southern = |country: &&str| is_southern(country);
    let stated = named.or(site).filter(southern).or(province.and(Some("ZA")));
    // Elsewhere most numbers of four digits are years.
    if stated.is_none() && (named.is_some() || !parts[0].is_empty() || !ends_with_city(head)) {
        return None;
    }
    let place = place(&segments::before(text, floor, floor + head.len()), false)?;
    let name = place.town.filter(|_| place.is_sure)?;
    let country = stated.or_else(|| cities::code_of(name).filter(southern))?;
    let postal = &text[code.start..code.end];
    let state = if country == "AU" { State::of_code(postal, "AU").map(|state| state.code) } else { province };
    if country == "AU" && state.is_none() {
        return None;
    }
    let start = place.start(text)?;
    let address = Address {
        street: Some(place.street?),
        city: Some(name.to_owned()),
        state: state.map(str::to_owned),
        postal_code: Some(postal.to_owned()),
        country: Some(country.to_owned()),
    };
    Some(Found { address, start, end: code.end, has_sure_street: true })
}

/// Whether a text ends with the name of a large city of these countries; a cheap look.
fn ends_with_city(head: &str) -> bool {
    let mut starts = head.rmatch_indices([' ', ',', '\n']).map(|(at, _)| at + 1).take(2);
    starts.any(|start| cities::code_of(&head[start..]).is_some_and(is_southern))
}

/// `123 Main Street, Springfield 62701`: the ZIP says the state. Only with a street, at the end of a line.
pub(super) fn read(text: &str, floor: usize, code: Code, country: &'static str) -> Option<Found> {
    let postal = &text[code.start..code.end];
    let state = State::of_code(postal, country)?;
    let head = skip_gap(text, floor, code.start)?;
    if !head.ends_with(char::is_alphabetic) || country == "AU" || code.is_joined {
        return None;
    }
    let [rest, ..] = segments::after(text, code.end);
    if !(rest.is_empty() || country_named(rest) == Some(country)) {
        return None;
    }
    let place = place(&segments::before(text, floor, floor + head.len()), false)?;
    let name = place.town?;
    if !place.is_sure
        || !text[offset(text, name)..].starts_with(name)
        || text[offset(text, name)..code.start].contains('\n')
    {
        return None;
    }
    let start = place.start(text)?;
    let address = Address {
        street: Some(place.street?),
        city: Some(name.to_owned()),
        state: Some(state.code.to_owned()),
        postal_code: Some(tidy_code(postal, country)),
        country: Some(country.to_owned()),
    };
    Some(Found { address, start, end: code.end, has_sure_street: true })
}

/// Reads `123 Main St, Austin, TX` from a text that is an address and nothing else, such as that of a maps link.
pub(crate) fn read_whole(text: &str) -> Option<Found> {
    let text = text.trim();
    ["US", "CA", "AU"].into_iter().find_map(|country| {
        let trimmed = match text.rsplit_once([',', '\n']) {
            Some((head, last)) if country_named(last) == Some(country) => head,
            _ => text,
        };
        let placed = state_before(trimmed, 0, trimmed.len(), country).filter(|placed| !placed.is_weak)?;
        let place = place(&segments::before(trimmed, 0, placed.start), false)?;
        let name = place.town.filter(|_| place.is_sure)?;
        let start = place.start(trimmed)?;
        let address = Address {
            street: Some(place.street?),
            city: Some(name.to_owned()),
            state: Some(placed.state.code.to_owned()),
            postal_code: None,
            country: Some(country.to_owned()),
        };
        Some(Found { address, start, end: trimmed.len(), has_sure_street: true })
    })
}
