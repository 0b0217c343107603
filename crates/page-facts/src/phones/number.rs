//! Validates a phone number and formats it as E.164 and nationally.

use std::cell::RefCell;

use rlibphonenumber::{PHONE_NUMBER_UTIL, PhoneNumberFormat, Region};
use rustc_hash::FxHashMap;

/// Longest text that is parsed as a number, in bytes.
const NUMBER_BYTES_MAX: usize = 60;

/// Parse results cached per thread. A site repeats its number on every page, in text and in links.
const PARSE_CACHE_MAX: usize = 256;

/// Parse result by text, with the region it was parsed for and how.
type ParseCache = FxHashMap<String, ((Region, Form), Option<PhoneNumber>)>;

/// What a number may look like besides the national form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A number of the region, or one that starts with a plus sign or `00`.
    National,
    /// Also one that starts with a country code alone, as links have it.
    Bare,
}

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
    /// The country code, such as 1 or 44, which several regions may share.
    pub(crate) country_code: i32,
}

/// The country code of a region.
pub(crate) fn country_code(region: Region) -> Option<i32> {
    PHONE_NUMBER_UTIL.get_country_code_for_region(region)
}

impl PhoneNumber {
    /// Parses a number of a link or of structured data: written for `region`, or with its country code.
    pub(crate) fn parse(raw: &str, region: Region) -> Option<PhoneNumber> {
        Self::cached(raw, region, Form::Bare)
    }

    /// Parses a number of a text, where any long number could be taken for one with a country code.
    pub(crate) fn parse_national(raw: &str, region: Region) -> Option<PhoneNumber> {
        Self::cached(raw, region, Form::National)
    }

    fn cached(raw: &str, region: Region, form: Form) -> Option<PhoneNumber> {
        let raw = raw.trim();
        if raw.len() > NUMBER_BYTES_MAX
            || raw.bytes().filter(u8::is_ascii_digit).count() < 3
            || raw.bytes().filter(u8::is_ascii_alphanumeric).count() < 6
        {
            return None;
        }
        // With a plus sign the region plays no part.
        let key = if raw.starts_with('+') { (Region::US, Form::Bare) } else { (region, form) };
        PARSE_CACHE.with_borrow_mut(|known| match known.get(raw) {
            Some((within, number)) if *within == key => number.clone(),
            _ => {
                if known.len() >= PARSE_CACHE_MAX {
                    known.clear();
                }
                let number = Self::check(raw, region, form);
                known.insert(raw.to_owned(), (key, number.clone()));
                number
            }
        })
    }

    /// Parses with the library, without the cache.
    fn check(raw: &str, region: Region, form: Form) -> Option<PhoneNumber> {
        let parsed = PHONE_NUMBER_UTIL.parse(raw, Some(region)).ok().filter(|n| PHONE_NUMBER_UTIL.is_valid_number(n));
        // `442079460958` and `0015125550100` have a country code but no plus sign.
        let parsed = parsed.or_else(|| {
            let digits: String = raw.chars().filter(char::is_ascii_digit).collect();
            let prefixed = digits.strip_prefix("00").or_else(|| digits.strip_prefix("011"));
            let digits = prefixed.or_else(|| (form == Form::Bare).then_some(&digits))?;
            let with_plus = PHONE_NUMBER_UTIL.parse(format!("+{digits}"), None).ok()?;
            (digits.len() >= 10 && !digits.starts_with('8') && PHONE_NUMBER_UTIL.is_valid_number(&with_plus))
                .then_some(with_plus)
        })?;
        let parsed = with_own_code(raw, &parsed).unwrap_or(parsed);
        let e164 = PHONE_NUMBER_UTIL.format(&parsed, PhoneNumberFormat::E164).into_owned();
        if is_made_up(&e164) {
            return None;
        }
        let mut bare = parsed.clone();
        bare.extension = None;
        let national = PHONE_NUMBER_UTIL.format(&bare, PhoneNumberFormat::National).into_owned();
        let region = PHONE_NUMBER_UTIL.get_region_for_number(&parsed);
        let country_code = parsed.country_code;
        let extension = parsed.extension.filter(|e| !e.is_empty());
        Some(PhoneNumber { e164, national, extension, region, country_code })
    }
}

/// `49 1512 5550100` in Germany, where numbers may be long enough to begin with 49: without a leading zero it is the
/// country code.
fn with_own_code(raw: &str, parsed: &rlibphonenumber::PhoneNumber) -> Option<rlibphonenumber::PhoneNumber> {
    if raw.starts_with('+') {
        return None;
    }
    let digits: String = raw.chars().filter(char::is_ascii_digit).collect();
    let code = parsed.country_code.to_string();
    let national = parsed.national_number.to_string();
    if digits != national || !digits.starts_with(&code) || code == "1" {
        return None;
    }
    let has_zero = PHONE_NUMBER_UTIL.format(parsed, PhoneNumberFormat::National).starts_with(['0', '(']);
    let with_code = PHONE_NUMBER_UTIL.parse(format!("+{digits}"), None).ok().filter(|_| has_zero)?;
    PHONE_NUMBER_UTIL.is_valid_number(&with_code).then_some(with_code)
}

/// Recognises fictitious numbers such as `888-888-8888` and `234-567-8901`.
fn is_made_up(e164: &str) -> bool {
    let digits = e164.as_bytes();
    let tail = &digits[digits.len().saturating_sub(7)..];
    let same = tail.windows(2).all(|pair| pair[0] == pair[1]);
    let counting = tail.windows(2).all(|pair| pair[1] == pair[0] + 1 || (pair[0] == b'9' && pair[1] == b'0'));
    let sample = ["5551234", "5551212", "5556789", "5554567"].iter().any(|tail| e164.ends_with(tail));
    same || counting || sample || has_counted_digits(digits)
}

/// Eight digits counted up or down, as in `+49 123 456789` and `98765 43210`.
fn has_counted_digits(digits: &[u8]) -> bool {
    let is_run =
        |step: fn(u8, u8) -> bool| digits.windows(8).any(|run| run.windows(2).all(|pair| step(pair[0], pair[1])));
    is_run(|one, next| next == one + 1) || is_run(|one, next| one == next + 1)
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
    fn a_long_number_in_a_text_is_not_read_as_one_with_a_country_code() {
        let found = |raw, region| PhoneNumber::parse_national(raw, region).map(|n| n.e164);
        assert_eq!(found("80055501001", Region::FR), None);
        assert_eq!(found("442079460958", Region::US), None);
        assert_eq!(found("0044 20 7946 0958", Region::US).as_deref(), Some("+442079460958"));
        assert_eq!(found("011 44 20 7946 0958", Region::US).as_deref(), Some("+442079460958"));
        assert_eq!(found("(787) 555-0100", Region::US).as_deref(), Some("+17875550100"));
        assert_eq!(found("(512) 555-0100", Region::JM).as_deref(), Some("+15125550100"));
    }

    #[test]
    fn numbers_are_validated_and_formatted() {
        check("(512) 555-0100", Region::US, "+15125550100|(512) 555-0100|");
        check("1-512-555-0100 ext. 12", Region::US, "+15125550100|(512) 555-0100|12");
        check("020 7946 0958", Region::GB, "+442079460958|020 7946 0958|");
        check("+44 20 7946 0958", Region::US, "+442079460958|020 7946 0958|");
        check("442079460958", Region::US, "+442079460958|020 7946 0958|");
        check("4915125550100", Region::DE, "+4915125550100|01512 5550100|");
        check("0491 5550100", Region::DE, "+494915550100|0491 5550100|");
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
            "234-567-8900",
            "+91 98765 43210",
            "+49 123 456789",
        ] {
            check(bad, Region::US, "");
        }
    }
}
