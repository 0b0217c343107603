//! House numbers: `12`, `221B`, `12-14`, `12 bis`.

/// Digits of the longest house number.
const DIGITS_MAX: usize = 7;

/// A house number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HouseNumber {
    first: u32,
    /// The greater end of a range such as `12-14`.
    last: Option<u32>,
    /// What follows, in lower case without punctuation: `b`, `bis`, `1/2`.
    suffix: String,
}

/// How a known house number agrees with the one that is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NumberMatch {
    /// The same house.
    Same,
    /// The same number with another letter: next door, or a part of the house.
    Beside,
    /// Another house.
    Other,
}

impl HouseNumber {
    /// Reads a number; `None` for what does not begin with a digit.
    #[must_use]
    pub fn of(text: &str) -> Option<HouseNumber> {
        let text = text.trim().trim_start_matches('#').trim_start();
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        if !(1..=DIGITS_MAX).contains(&digits) {
            return None;
        }
        let first: u32 = text[..digits].parse().ok()?;
        let rest = text[digits..].trim();
        let to = rest.strip_prefix(['-', '–']).map(str::trim).filter(|to| to.len() <= DIGITS_MAX);
        // "34-12 31st Ave" is no range: the part behind the hyphen is the house, the part before it the block.
        let last = to.and_then(|to| to.parse().ok()).filter(|last| *last > first);
        let suffix = if last.is_some() { String::new() } else { suffix(rest) };
        Some(HouseNumber { first, last, suffix })
    }

    /// The number itself, the first of a range.
    #[must_use]
    pub fn value(&self) -> u32 {
        self.first
    }

    /// Whether both are even or both odd: in most places, on the same side of the street.
    #[must_use]
    pub fn is_on_side_of(&self, other: &HouseNumber) -> bool {
        self.first % 2 == other.first % 2
    }

    /// How this number, which is known, agrees with the one that is looked for.
    #[must_use]
    pub fn compared_to(&self, wanted: &HouseNumber) -> NumberMatch {
        if self == wanted {
            return NumberMatch::Same;
        }
        let has = |range: &HouseNumber, one: &HouseNumber| {
            range.last.is_some_and(|last| (range.first..=last).contains(&one.first)) && range.is_on_side_of(one)
        };
        let in_range = (has(self, wanted) && wanted.suffix.is_empty()) || (has(wanted, self) && self.suffix.is_empty());
        match (in_range, self.first == wanted.first) {
            (true, _) => NumberMatch::Same,
            (false, true) => NumberMatch::Beside,
            (false, false) => NumberMatch::Other,
        }
    }
}

fn suffix(rest: &str) -> String {
    let kept = rest.chars().filter(|letter| letter.is_alphanumeric() || *letter == '/').take(8);
    kept.flat_map(char::to_lowercase).collect::<String>().trim_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn house_numbers_are_compared_by_value_suffix_and_range() {
        use NumberMatch::{Beside, Other, Same};
        for (known, wanted, expected) in [
            ("12000", "12000", Same),
            ("221b", "221B", Same),
            ("221-B", "221 b", Same),
            ("12 bis", "12bis", Same),
            ("1234 1/2", "1234 1/2", Same),
            ("12-14", "12", Same),
            ("12-16", "14", Same),
            ("12", "12-14", Same),
            ("12-16", "13", Other),
            ("34-12", "34", Beside),
            ("34-12", "34-14", Beside),
            ("12", "12a", Beside),
            ("12a", "12", Beside),
            ("12", "14", Other),
            ("012", "12", Same),
        ] {
            let of = |text: &str| HouseNumber::of(text).expect(text);
            assert_eq!(of(known).compared_to(&of(wanted)), expected, "{known} and {wanted}");
        }
        for text in ["", "-", "B12", "s/n", "123456789"] {
            assert_eq!(HouseNumber::of(text), None, "{text}");
        }
        assert!(HouseNumber::of("12").unwrap().is_on_side_of(&HouseNumber::of("14a").unwrap()));
    }

    proptest::proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in ".{0,24}", number in "[0-9]{1,8}[a-z/ -]{0,4}[0-9]{0,9}") {
            for text in [&text, &number] {
                if let Some(found) = HouseNumber::of(text) {
                    proptest::prop_assert_eq!(found.compared_to(&found), NumberMatch::Same);
                }
            }
        }
    }
}
