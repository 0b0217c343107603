//! Phone numbers in E.164.

use place_data::phone;
pub use place_data::phone::has_phones;

/// The country of numbers that do not say theirs.
const COUNTRY: &str = "US";

/// A phone number in E.164, such as `+15125550100`. `None` when no such number can exist. A number without a country code is
/// one of `country`, or else of the US.
pub fn e164(text: &str, country: Option<&str>) -> Option<String> {
    phone::e164(text, Some(country.filter(|country| has_phones(country)).unwrap_or(COUNTRY)))
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
}
