//! People whom a site builder leaves in the structured data of a page as an example of how to fill it in.

use serde_json::{Map, Value};

use crate::emails::junk;
use crate::structured::values::text;
use crate::word_set::WordSet;

/// Signs, apart from the text of a sample, that make a sample together.
const SIGNS_MIN: usize = 2;
/// Fewest digits of a number that may be made up.
const DIGITS_MIN: usize = 7;

/// What the fields of a sample say of their own content: `Company Name`, `Your Title`.
static BLANKS: WordSet = WordSet::new("name your title company business organization email phone lorem placeholder");

/// Whether a person is a sample: placeholder text, or a made-up number, a domain of samples and fields that name
/// themselves, two of which are more than chance.
pub(super) fn is_sample(fields: &Map<String, Value>) -> bool {
    let is_text = |key: &str| text(fields, key).is_some_and(|text| is_filler(&text));
    if is_text("description") || is_text("jobTitle") || is_text("name") {
        return true;
    }
    let has_email = text(fields, "email").is_some_and(|email| junk::is_of_sample_domain(&email));
    let has_number = ["telephone", "faxNumber"].iter().any(|key| text(fields, key).is_some_and(|it| is_made_up(&it)));
    let has_blank = ["affiliation", "worksFor"].iter().any(|key| text(fields, key).is_some_and(|it| is_blank(&it)));
    [has_email, has_number, has_blank].iter().filter(|sign| **sign).count() >= SIGNS_MIN
}

fn is_filler(text: &str) -> bool {
    text.get(..12).is_some_and(|start| start.eq_ignore_ascii_case("lorem ipsum ")) || text.contains("orem ipsum")
}

/// `Company Name`: every word says what belongs here.
fn is_blank(text: &str) -> bool {
    text.split_whitespace().all(|word| BLANKS.contains_any_case(word))
}

/// `11 22 33 44 55`, `000-000-0000`, `123 456 7890`: no number anyone has.
fn is_made_up(number: &str) -> bool {
    let digits: Vec<u8> = number.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').take(16).collect();
    let follows = |step: u8| digits.windows(2).all(|pair| (pair[0] + step) % 10 == pair[1]);
    let is_paired = digits.len().is_multiple_of(2) && digits.chunks(2).all(|pair| pair[0] == pair[1]);
    digits.len() >= DIGITS_MIN && (follows(0) || follows(1) || follows(9) || is_paired)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_told_from_a_person() {
        let check = |json: &str, expect: bool| {
            let value: Value = serde_json::from_str(json).unwrap();
            assert_eq!(is_sample(value.as_object().unwrap()), expect, "{json}");
        };
        check(r#"{"name":"Ann Lee","description":"Lorem ipsum dolor sit amet"}"#, true);
        check(r#"{"name":"Ann Lee","telephone":"11 22 33 44 55","email":"ann@business.com"}"#, true);
        check(r#"{"name":"Ann Lee","telephone":"123-456-7890","affiliation":"Company Name"}"#, true);
        check(r#"{"name":"Ann Lee","worksFor":{"name":"Your Company"},"email":"ann@yourdomain.com"}"#, true);
        check(r#"{"name":"Ann Lee","jobTitle":"Owner","email":"ann@company.com"}"#, false);
        check(r#"{"name":"Ann Lee","telephone":"512 555 0142","affiliation":"Acme"}"#, false);
        check(r#"{"name":"Ann Lee"}"#, false);
    }

    #[test]
    fn numbers_in_order_or_in_pairs_are_made_up() {
        for number in ["11 22 33 44 55", "000-000-0000", "123 456 7890", "9876543210", "55 66 77 88 99"] {
            assert!(is_made_up(number), "{number}");
        }
        for number in ["512 555 0142", "12345", "01 44 55 66 78", "+49 7141 911787"] {
            assert!(!is_made_up(number), "{number}");
        }
    }
}
