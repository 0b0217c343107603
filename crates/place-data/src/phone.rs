//! Phone numbers in E.164.

use rlibphonenumber::{PHONE_NUMBER_UTIL, PhoneNumberFormat, Region};

/// Longest text that is parsed as a phone number.
const PHONE_BYTES_MAX: usize = 60;

/// A phone number in E.164, such as `+15125550100`, written as in this country, an ISO 3166-1 alpha-2 code. `None` when no such
/// number can exist, or when it has no country code and the country is not known.
#[must_use]
pub fn e164(phone: &str, country: Option<&str>) -> Option<String> {
    if phone.len() > PHONE_BYTES_MAX {
        return None;
    }
    let number = PHONE_NUMBER_UTIL.parse(phone, country.and_then(region)).ok()?;
    let possible = PHONE_NUMBER_UTIL.is_possible_number(&number);
    possible.then(|| PHONE_NUMBER_UTIL.format(&number, PhoneNumberFormat::E164).into_owned())
}

/// Whether phone numbers of a country with this two-letter code are known.
#[must_use]
pub fn has_phones(country: &str) -> bool {
    region(country).is_some_and(|region| PHONE_NUMBER_UTIL.get_country_code_for_region(region).is_some())
}

fn region(country: &str) -> Option<Region> {
    Region::from_code(&country.trim().to_ascii_uppercase()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_needs_its_country() {
        assert_eq!(e164("(512) 555-0100", Some("us")).as_deref(), Some("+15125550100"));
        assert_eq!(e164("+44 20 7946 0958", None).as_deref(), Some("+442079460958"));
        assert_eq!(e164("(512) 555-0100", None), None);
        assert_eq!(e164(&"5".repeat(1_000), Some("US")), None);
    }

    #[test]
    fn a_country_is_known_by_its_code() {
        assert!(has_phones("gb") && has_phones(" DE "));
        assert!(!has_phones("UK") && !has_phones("") && !has_phones("Germany"));
    }
}
