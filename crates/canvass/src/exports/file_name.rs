//! File names such as `leads-dentist-austin-tx-2026-11-15.csv`.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::Shape;
use crate::clock::Moment;

/// Characters of one part of a file name.
const PART_CHARS_MAX: usize = 60;
/// Characters of a date, such as `2026-11-15`.
const DATE_CHARS: usize = 10;

/// A file name in two forms, for the two parameters of `Content-Disposition`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileName {
    /// ASCII letters, digits and hyphens only.
    pub ascii: String,
    /// With letters of other alphabets; none when that makes no difference.
    pub whole: Option<String>,
}

/// Names a file after its channel, the search's industry and location, and the day the search began.
pub fn file_name(shape: Shape, industry: &str, location: &str, begun: Moment) -> FileName {
    let date: String = begun.to_string().chars().take(DATE_CHARS).collect();
    let channel = shape.channel().map(|channel| channel.name()).unwrap_or_default();
    let named = |slug: fn(&str) -> String| {
        let parts = ["leads".to_owned(), slug(channel), slug(industry), slug(location), date.clone()];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        format!("{}.csv", parts.join("-"))
    };
    let (ascii, whole) = (named(|text| slug(&unaccented(text))), named(slug));
    FileName { whole: (whole != ascii).then_some(whole), ascii }
}

/// Letters and digits in lower case, with a hyphen for everything between them.
fn slug(text: &str) -> String {
    let lower = text.chars().flat_map(char::to_lowercase);
    let spaced: String = lower.map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    let joined = spaced.split_whitespace().collect::<Vec<_>>().join("-");
    let short: String = joined.chars().take(PART_CHARS_MAX).collect();
    short.trim_end_matches('-').to_owned()
}

/// Transliterated to ASCII; letters without a counterpart become spaces.
fn unaccented(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.nfkd().filter(|c| !is_combining_mark(*c)) {
        match c {
            'ß' => plain.push_str("ss"),
            'æ' | 'Æ' => plain.push_str("ae"),
            'ø' | 'Ø' => plain.push('o'),
            'ł' | 'Ł' => plain.push('l'),
            '\'' | '’' => {}
            _ => plain.push(if c.is_ascii() { c } else { ' ' }),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exports::{AudienceForm, Platform};

    fn check(shape: Shape, words: [&str; 2], ascii: &str, whole: Option<&str>) {
        let name = file_name(shape, words[0], words[1], Moment::from_micros(1_794_708_184_123_456));
        assert_eq!((name.ascii.as_str(), name.whole.as_deref()), (ascii, whole), "{words:?}");
    }

    #[test]
    fn a_name_says_what_where_and_when_in_letters_any_system_takes() {
        check(Shape::Full, ["dentist", "Austin, TX"], "leads-dentist-austin-tx-2026-11-15.csv", None);
        check(Shape::CallList, ["dentist", "Austin, TX"], "leads-call-list-dentist-austin-tx-2026-11-15.csv", None);
        let audience = Shape::AdAudience(Platform::Meta, AudienceForm::Hashed);
        check(audience, ["Hair Salon", "78701"], "leads-ad-audience-hair-salon-78701-2026-11-15.csv", None);
        let zurich = Some("leads-zahnarzt-zürich-2026-11-15.csv");
        check(Shape::Full, ["Zahnarzt", "Zürich"], "leads-zahnarzt-zurich-2026-11-15.csv", zurich);
        check(
            Shape::Full,
            ["dentist", "東京"],
            "leads-dentist-2026-11-15.csv",
            Some("leads-dentist-東京-2026-11-15.csv"),
        );
        check(Shape::Full, ["../..\\x", "\"\r\nSet-Cookie: a=b"], "leads-x-set-cookie-a-b-2026-11-15.csv", None);
        let long = "a".repeat(10_000);
        let name = file_name(Shape::Full, &long, &long, Moment::from_micros(0));
        assert!(name.ascii.len() < 200);
    }
}
