//! Addresses of which the state or the postal code is missing: `123 Main Street, Springfield 62701`, `123 Main St, Austin, TX`,
//! `14 Queen Street, Auckland 1010`.

use crate::addresses::Found;
use crate::addresses::codes::Code;
use crate::addresses::regions::{State, country_named};
use crate::addresses::segments::{self, offset};
use crate::addresses::with_state::{place, skip_gap, state_before, tidy_code};
use crate::facts::Address;

/// `14 Queen Street, Auckland 1010`: of New Zealand, when the site is or when the country follows.
pub(super) fn read_new_zealand(text: &str, floor: usize, code: Code, site: Option<&str>) -> Option<Found> {
    let parts = segments::after(text, code.end);
    let named = parts.iter().find(|part| !part.is_empty()).and_then(|part| country_named(part));
    if named.or(site) != Some("NZ") {
        return None;
    }
    let head = skip_gap(text, floor, code.start)?;
    let place = place(&segments::before(text, floor, floor + head.len()), false)?;
    let name = place.town.filter(|_| place.is_sure)?;
    let start = place.start(text)?;
    let address = Address {
        street: Some(place.street?),
        city: Some(name.to_owned()),
        state: None,
        postal_code: Some(text[code.start..code.end].to_owned()),
        country: Some("NZ".to_owned()),
    };
    Some(Found { address, start, end: code.end, has_sure_street: true })
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
