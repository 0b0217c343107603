//! Phone numbers in E.164.

use rlibphonenumber::{PHONE_NUMBER_UTIL, PhoneNumberFormat, Region};

/// Longest text that is parsed as a phone number.
const PHONE_BYTES_MAX: usize = 60;

/// A phone number in E.164, such as `+15125550100`. `None` when no such number can exist. A number without a country code is
/// one of `country`, or else of the US.
pub fn e164(phone: &str, country: Option<&str>) -> Option<String> {
    if phone.len() > PHONE_BYTES_MAX {
        return None;
    }
    let region = country.and_then(region).unwrap_or(Region::US);
    let number = PHONE_NUMBER_UTIL.parse(phone, Some(region)).ok()?;
    let possible = PHONE_NUMBER_UTIL.is_possible_number(&number);
    possible.then(|| PHONE_NUMBER_UTIL.format(&number, PhoneNumberFormat::E164).into_owned())
}

/// Whether phone numbers of a country with this two-letter code are known.
pub fn has_phones(country: &str) -> bool {
    region(country).is_some_and(|region| PHONE_NUMBER_UTIL.get_country_code_for_region(region).is_some())
}

fn region(country: &str) -> Option<Region> {
    Region::from_code(&country.trim().to_uppercase()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phones_are_written_in_e164() {
        let check = |phone: &str, country, expected: Option<&str>| {
            assert_eq!(e164(phone, country).as_deref(), expected, "{phone:?}");
        };
        check("+15125550100", Some("US"), Some("+15125550100"));
        check("(512) 555-0100", None, Some("+15125550100"));
        check("1-512-555-0100 ext. 12", Some("us"), Some("+15125550100"));
        check("020 7946 0958", Some("GB"), Some("+442079460958"));
        check("+44 20 7946 0958", Some("US"), Some("+442079460958"));
        check("030 901820", Some("DE"), Some("+4930901820"));
        for wrong in ["", "call us", "12", "=1+1", &"5".repeat(1_000)] {
            check(wrong, Some("US"), None);
        }
        check("(512) 555-0100", Some("no such country"), Some("+15125550100"));
    }

    #[test]
    fn a_country_is_known_by_its_code() {
        assert!(has_phones("gb") && has_phones(" DE "));
        assert!(!has_phones("UK") && !has_phones("") && !has_phones("Germany"));
    }
}
