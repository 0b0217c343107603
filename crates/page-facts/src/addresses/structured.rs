//! Reads the addresses of structured data: JSON-LD, microdata, h-card. Parts stand in the wrong field or in one text as often
//! as in their own.

use crate::addresses::codes::{self, Shape};
use crate::addresses::regions::{State, country_named, country_of_field};
use crate::addresses::{AddressMention, scan, without_state};
use crate::budget::StepBudget;
use crate::facts::Address;
use crate::structured::business::AddressNode;

/// Steps charged per address.
const NODE_STEPS: usize = 1_000;
/// Longest part that is read, in bytes.
const PART_BYTES_MAX: usize = 300;
/// Standing of the business's own address.
const OWN_STANDING: u8 = 20;
/// Standing of the address of a person or another place.
const OTHER_STANDING: u8 = 4;
/// Standing of where an event takes place: it counts only on a site that shows no other address.
pub(crate) const VENUE_STANDING: u8 = 0;

/// The address of a node, when it has enough parts.
pub(crate) fn read(node: &AddressNode, site: Option<&str>, budget: &StepBudget) -> Option<AddressMention> {
    if !budget.spend(NODE_STEPS) {
        return None;
    }
    let raw = &node.address;
    let parts = [&raw.street, &raw.city, &raw.state, &raw.postal_code, &raw.country];
    if parts.iter().any(|part| part.as_ref().is_some_and(|part| part.len() > PART_BYTES_MAX)) {
        return None;
    }
    let line = parts.iter().filter_map(|part| part.as_deref()).collect::<Vec<_>>().join(", ");
    let mut address = tidy(raw);
    if let Some(street) = &raw.street
        && let Some(whole) = whole(street, site, budget)
    {
        fill(&mut address, whole);
    }
    let is_enough = (address.street.is_some() && address.city.is_some())
        || (address.postal_code.is_some() && (address.street.is_some() || address.city.is_some()));
    if !is_enough || scan::is_sample(&address) {
        return None;
    }
    let standing = match node {
        _ if node.is_venue => VENUE_STANDING,
        _ if node.is_own => OWN_STANDING,
        _ => OTHER_STANDING,
    };
    Some(AddressMention {
        address,
        method: node.method,
        snippet: line,
        standing,
        is_own: node.is_own && !node.is_venue,
    })
}

/// The address that a text holds in one piece.
fn whole(text: &str, site: Option<&str>, budget: &StepBudget) -> Option<Address> {
    let mut found = None;
    scan::scan(text, site, budget, |address| found = found.take().or(Some(address)));
    found.or_else(|| without_state::read_whole(text)).map(|found| found.address)
}

/// A street that contains the whole address gives way to its parts; other fields keep what they say.
fn fill(address: &mut Address, whole: Address) {
    address.street = whole.street;
    address.city = address.city.take().or(whole.city);
    address.state = address.state.take().or(whole.state);
    address.postal_code = address.postal_code.take().or(whole.postal_code);
    address.country = address.country.take().or(whole.country);
}

/// Fields trimmed, state and country as codes.
fn tidy(raw: &Address) -> Address {
    let part = |field: &Option<String>| {
        let text = field.as_deref()?.trim().trim_matches([',', ';', '|']).trim();
        (!text.is_empty() && !matches!(text, "-" | "." | "N/A" | "null" | "undefined" | "0" | "00000"))
            .then(|| text.to_owned())
    };
    let (street, mut city, mut postal_code) = (part(&raw.street), part(&raw.city), part(&raw.postal_code));
    let street = street.filter(|street| !is_company(street));
    let mut written = part(&raw.state);
    // `TX 78701` in the field of the state, or `Austin, TX 78701` in that of the town.
    for field in [&mut written, &mut city] {
        if postal_code.is_none()
            && let Some((head, code)) = field.as_deref().and_then(american_code)
        {
            (postal_code, *field) = (Some(code.to_owned()), Some(head.to_owned()));
        }
    }
    let stated = part(&raw.country).and_then(|country| country_of_field(&country));
    // A country in the field of the state.
    let moved = written.as_deref().filter(|written| *written != "CA").and_then(country_named);
    let (written, stated) =
        if stated.is_none() && moved.is_some() { (None, moved.map(str::to_owned)) } else { (written, stated) };
    let state = written.as_deref().and_then(|written| state_of(written, stated.as_deref(), postal_code.as_deref()));
    let country = stated.or_else(|| country_of(state, postal_code.as_deref()));
    let is_american = matches!(country.as_deref(), Some("US"));
    let of_code = postal_code.as_deref().filter(|_| is_american).and_then(|code| State::of_code(code, "US"));
    let mut known = state.or(of_code);
    // `Austin, TX` in the field of the town.
    if let Some((head, last)) = city.as_deref().and_then(|name| name.rsplit_once(','))
        && let Some(named) = state_of(last, country.as_deref(), postal_code.as_deref())
        && known.is_none_or(|known| known.code == named.code)
    {
        known = Some(named);
        city = Some(head.trim().to_owned());
    }
    let country = country.or_else(|| country_of(known, postal_code.as_deref()));
    // A town in the field of the region.
    let state = match known {
        Some(state) => Some(state.code.to_owned()),
        None if city.is_none() => {
            city = written;
            None
        }
        None => written,
    };
    Address { street, city, state, postal_code, country }
}

/// State and ZIP of `TX 78701` or `Austin, TX 78701`, when they belong together.
fn american_code(field: &str) -> Option<(&str, &str)> {
    let (head, code) = field.rsplit_once(' ')?;
    let head = head.trim_end_matches([' ', ',']);
    let is_code = code.len() == 5 && code.bytes().all(|b| b.is_ascii_digit());
    let state = State::named(head.rsplit(',').next().unwrap_or("").trim(), "US").filter(|_| is_code)?;
    state.fits(code).then_some((head, code))
}

/// `Acme Media, Inc.` in the field of the street.
fn is_company(street: &str) -> bool {
    let last = street.rsplit([' ', ',']).next().unwrap_or("").trim_end_matches('.');
    matches!(last, "Inc" | "LLC" | "Ltd" | "Corp" | "GmbH") && !street.bytes().any(|b| b.is_ascii_digit())
}

fn state_of(written: &str, country: Option<&str>, postal_code: Option<&str>) -> Option<State> {
    let mut known = ["US", "CA", "AU"].into_iter().filter(|code| country.is_none_or(|country| country == *code));
    known.find_map(|country| {
        State::named(written, country).filter(|state| postal_code.is_none_or(|code| state.fits(code)))
    })
}

/// The country that a state and a code, or the shape of a code, makes certain.
fn country_of(state: Option<State>, postal_code: Option<&str>) -> Option<String> {
    if let (Some(state), Some(code)) = (state, postal_code)
        && state.fits(code)
    {
        return Some(state.country.to_owned());
    }
    let code = postal_code?.to_ascii_uppercase();
    match codes::next(&code, 0)?.1?.shape {
        Shape::British => Some("GB".to_owned()),
        Shape::Canadian => Some("CA".to_owned()),
        Shape::Eircode => Some("IE".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Method;

    #[test]
    fn parts_find_their_fields() {
        for (raw, expect) in [
            (["1 Elm St", "Austin", "Texas", "78701", "United States"], "1 Elm St|Austin|TX|78701|US"),
            (["1 Elm St", "Austin", "TX", "78701", ""], "1 Elm St|Austin|TX|78701|US"),
            (["1 Elm St, Austin, TX 78701, USA", "", "", "", ""], "1 Elm St|Austin|TX|78701|US"),
            (["1 Elm St, Suite 4, Austin, TX", "", "", "", ""], "1 Elm St, Suite 4|Austin|TX||US"),
            (["1 Elm St", "Austin, TX", "TX", "", ""], "1 Elm St|Austin|TX||"),
            (["1 Elm St", "Austin, TX", "", "78701", "US"], "1 Elm St|Austin|TX|78701|US"),
            (["1 Elm St", "Austin, TX", "", "", ""], "1 Elm St|Austin|TX||"),
            (["1 Elm St", "Paris, Ile", "", "75009", "FR"], "1 Elm St|Paris, Ile||75009|FR"),
            (["Acme Media, Inc.", "Needham", "MA", "02494", "US"], "|Needham|MA|02494|US"),
            (["Ringweg 4", "Stadt", "Bayern", "12345", "DE"], "Ringweg 4|Stadt|Bayern|12345|DE"),
            (["14 Bond St", "Bath", "", "BA1 1BE", ""], "14 Bond St|Bath||BA1 1BE|GB"),
            (["1 Elm St", "Orange", "US", "92867", ""], "1 Elm St|Orange|CA|92867|US"),
            (["1 Elm St", "Eagle", "", "81631", "USA"], "1 Elm St|Eagle|CO|81631|US"),
            (["Rua Nova, 5", "", "Porto", "4150-387", "Portugal"], "Rua Nova, 5|Porto||4150-387|PT"),
            (["1 Elm St", "Austin", "TX 78701", "", ""], "1 Elm St|Austin|TX|78701|US"),
            (["1 Elm St", "Austin, TX 78701", "", "", ""], "1 Elm St|Austin|TX|78701|US"),
            (["1 Elm St", "Austin", "TX 10001", "", ""], "1 Elm St|Austin|TX 10001||"),
            (["1 Elm St", "", "NJ", "", ""], "-"),
            (["", "Austin", "TX", "", "US"], "-"),
            (["Street Address", "City", "ST", "12345", ""], "-"),
            (["1 Elm St", "", "", "", ""], "-"),
            (["", "Austin", "TX", "00000", ""], "-"),
        ] {
            let [street, city, state, postal_code, country] =
                raw.map(|part| (!part.is_empty()).then(|| part.to_owned()));
            let address = Address { street, city, state, postal_code, country };
            let node = AddressNode { address, is_own: true, is_venue: false, method: Method::JsonLd };
            let found = read(&node, None, &StepBudget::default()).map(|mention| {
                let a = mention.address;
                [a.street, a.city, a.state, a.postal_code, a.country].map(Option::unwrap_or_default).join("|")
            });
            assert_eq!(found.unwrap_or("-".to_owned()), expect, "{raw:?}");
        }
    }
}
