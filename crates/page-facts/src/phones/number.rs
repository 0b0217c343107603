//! Validates a phone number and formats it as E.164 and nationally.

use std::cell::RefCell;

use rlibphonenumber::{PHONE_NUMBER_UTIL, PhoneNumberFormat, Region};
use rustc_hash::FxHashMap;

/// Longest text that is parsed as a number, in bytes.
const NUMBER_BYTES_MAX: usize = 60;

/// Parse results cached per thread. A site repeats its number on every page, in text and in links.
const PARSE_CACHE_MAX: usize = 256;

/// Parse result by text, with the region it was parsed for.
type ParseCache = FxHashMap<String, (Region, Option<PhoneNumber>)>;

thread_local! {
    static PARSE_CACHE: RefCell<ParseCache> = RefCell::default();
}

/// A valid phone number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PhoneNumber {
    /// Such as `+15125550100`.
    pub(crate) e164: String,
    /// Such as `(512) 555-0100`.
    pub(crate) national: String,
    pub(crate) extension: Option<String>,
    /// The region it belongs to.
    pub(crate) region: Option<Region>,
}

impl PhoneNumber {
    /// Parses a number written for `region` or with its country code.
    pub(crate) fn parse(raw: &str, region: Region) -> Option<PhoneNumber> {
        let raw = raw.trim();
        if raw.len() > NUMBER_BYTES_MAX
            || raw.bytes().filter(u8::is_ascii_digit).count() < 3
            || raw.bytes().filter(u8::is_ascii_alphanumeric).count() < 6
        {
            return None;
        }
        PARSE_CACHE.with_borrow_mut(|known| match known.get(raw) {
            Some((within, number)) if *within == region => number.clone(),
            _ => {
                if known.len() >= PARSE_CACHE_MAX {
                    known.clear();
                }
                let number = Self::check(raw, region);
                known.insert(raw.to_owned(), (region, number.clone()));
                number
            }
        })
    }

    /// Parses with the library, without the cache.
    fn check(raw: &str, region: Region) -> Option<PhoneNumber> {
        let parsed = PHONE_NUMBER_UTIL.parse(raw, Some(region)).ok().filter(|n| PHONE_NUMBER_UTIL.is_valid_number(n));
        // `442079460958` and `0015125550100` have a country code but no plus sign.
        let parsed = parsed.or_else(|| {
            let digits: String = raw.chars().filter(char::is_ascii_digit).collect();
            let digits = digits.strip_prefix("00").unwrap_or(&digits);
            let with_plus = PHONE_NUMBER_UTIL.parse(format!("+{digits}"), None).ok()?;
            (digits.len() >= 11 && PHONE_NUMBER_UTIL.is_valid_number(&with_plus)).then_some(with_plus)
        })?;
        let e164 = PHONE_NUMBER_UTIL.format(&parsed, PhoneNumberFormat::E164).into_owned();
        if is_made_up(&e164) {
            return None;
        }
        let mut bare = parsed.clone();
        bare.extension = None;
        let national = PHONE_NUMBER_UTIL.format(&bare, PhoneNumberFormat::National).into_owned();
        let region = PHONE_NUMBER_UTIL.get_region_for_number(&parsed);
        Some(PhoneNumber { e164, national, extension: parsed.extension.filter(|e| !e.is_empty()), region })
    }
}

/// Recognises fictitious numbers such as `888-888-8888` and `234-567-8901`.
fn is_made_up(e164: &str) -> bool {
    let digits = e164.as_bytes();
    let tail = &digits[digits.len().saturating_sub(7)..];
    let same = tail.windows(2).all(|pair| pair[0] == pair[1]);
    let counting = tail.windows(2).all(|pair| pair[1] == pair[0] + 1 || (pair[0] == b'9' && pair[1] == b'0'));
    let sample = ["5551234", "5551212", "5556789", "5554567"].iter().any(|tail| e164.ends_with(tail));
    same || counting || sample
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, region: Region, expect: &str) {
        let found = PhoneNumber::parse(raw, region)
            .map(|n| format!("{}|{}|{}", n.e164, n.national, n.extension.unwrap_or_default()));
        assert_eq!(found.unwrap_or_default(), expect, "{raw}");
    }

    #[test]
    fn numbers_are_validated_and_formatted() {
        check("(512) 555-0100", Region::US, "+15125550100|(512) 555-0100|");
        check("1-512-555-0100 ext. 12", Region::US, "+15125550100|(512) 555-0100|12");
        check("020 7946 0958", Region::GB, "+442079460958|020 7946 0958|");
        check("+44 20 7946 0958", Region::US, "+442079460958|020 7946 0958|");
        check("442079460958", Region::US, "+442079460958|020 7946 0958|");
        check("1-800-GOT-JUNK", Region::US, "+18004685865|(800) 468-5865|");
        for bad in [
            "",
            "123",
            "123-456-7890",
            "(555) 555-5555",
            "000-000-0000",
            "512-888-8888",
            "9999999999999999",
            "800-555-1234",
            "(123) 555-6789",
            "512-555-010",
        ] {
            check(bad, Region::US, "");
        }
    }
}
