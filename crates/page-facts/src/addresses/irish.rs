//! Irish addresses: street, locality, town or district of Dublin, county, and an Eircode or none.

use crate::addresses::codes::Code;
use crate::addresses::regions::country_named;
use crate::addresses::segments::{self, offset};
use crate::addresses::words::town;
use crate::addresses::{Found, parts};
use crate::facts::Address;

/// Reads the address that ends with an Eircode: `45 Camden Street Lower, Dublin 2, D02 XE80`.
pub(super) fn read(text: &str, floor: usize, code: Code) -> Option<Found> {
    let found = segments::before(text, floor, code.start);
    let mut rest: &[_] = &found;
    let mut county = None;
    while let [first, more @ ..] = rest
        && (is_county(first.text) || country_named(first.text) == Some("IE"))
    {
        county = county.or(is_county(first.text).then_some(first.text));
        rest = more;
    }
    let (first, rest) = rest.split_first()?;
    let city = district(first.text).or_else(|| town(first.text))?;
    let (street, start) = parts::street(rest)?;
    let address = Address {
        street: Some(street),
        city: Some(city.to_owned()),
        state: county.map(str::to_owned),
        postal_code: Some(tidy(&text[code.start..code.end])),
        country: Some("IE".to_owned()),
    };
    Some(Found { address, start: offset(text, start), end: code.end, has_sure_street: true })
}

/// `D02XE80` in its usual form.
fn tidy(code: &str) -> String {
    if code.len() == 7 { format!("{} {}", &code[..3], &code[3..]) } else { code.to_owned() }
}

/// `Co. Kildare`, `County Cork`.
pub(super) fn is_county(text: &str) -> bool {
    let name = ["Co. ", "Co ", "County "].iter().find_map(|prefix| text.strip_prefix(prefix));
    name.is_some_and(|name| town(name).is_some() && name.split(' ').count() <= 2)
}

/// `Dublin 2`, `Dublin 6W`: a district of Dublin at the start of a text.
pub(super) fn district(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("Dublin ")?;
    let number = rest.split([' ', ',', '.']).next().unwrap_or("");
    let digits = number.trim_end_matches(['W', 'w']);
    let is_number = (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| &text[.."Dublin ".len() + number.len()])
}
