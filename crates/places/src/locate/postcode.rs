//! Postal codes of letters and digits behind the town, as in Britain and Canada: "London NW1 6XE", "Toronto, ON M5V 2T6".

use super::interpret::{addresses, plain};
use super::query::LocationQuery;
use super::{Located, located};

/// A location read without the postal code behind its town, which is kept; `None` when it has none.
pub(super) fn without_postcode(query: &LocationQuery<'_>) -> Option<Located> {
    let words = &query.words;
    let (at, country) = (1..words.len().checked_sub(1)?)
        .find_map(|at| Some((at, country_of(&words[at].text, &words[at + 1].text)?)))?;
    let code = query.typed_between(at, at + 2);
    let rest: Vec<_> = words[..at].iter().chain(&words[at + 2..]).cloned().collect();
    let rest = query.with_words(&rest);
    let mut found = located(&plain(&rest), &rest).or_else(|| located(&addresses(&rest), &rest))?;
    found.place.postal_code.get_or_insert_with(|| code.to_owned());
    (found.place.country == country).then_some(found)
}

/// The country whose postal codes have such halves.
fn country_of(first: &str, second: &str) -> Option<&'static str> {
    let shape = |text: &str| -> String {
        text.chars()
            .take(6)
            .map(|letter| {
                if letter.is_ascii_digit() {
                    '9'
                } else if letter.is_ascii_lowercase() {
                    'a'
                } else {
                    '?'
                }
            })
            .collect()
    };
    match (shape(first).as_str(), shape(second).as_str()) {
        ("a9" | "a99" | "aa9" | "aa99" | "a9a" | "aa9a", "9aa") => Some("GB"),
        ("a9a", "9a9") => Some("CA"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_postal_codes_are_told_by_their_shape() {
        for (first, second, expected) in [
            ("nw1", "6xe", Some("GB")),
            ("sw1a", "2aa", Some("GB")),
            ("m1", "1ae", Some("GB")),
            ("m5v", "2t6", Some("CA")),
            ("tx", "78701", None),
            ("12", "main", None),
        ] {
            assert_eq!(country_of(first, second), expected, "{first} {second}");
        }
    }
}
