//! The spellings of streets that this geocoder understands, and the ones it answers in.

use places::fold_words;

/// Short and full forms of words that may stand anywhere but where they are the name.
const WORDS: &[(&str, &str)] = &[
    ("n", "North"),
    ("s", "South"),
    ("e", "East"),
    ("w", "West"),
    ("ne", "Northeast"),
    ("nw", "Northwest"),
    ("se", "Southeast"),
    ("sw", "Southwest"),
    ("ave", "Avenue"),
    ("av", "Avenue"),
    ("rd", "Road"),
    ("blvd", "Boulevard"),
    ("bd", "Boulevard"),
    ("dr", "Drive"),
    ("ln", "Lane"),
    ("pkwy", "Parkway"),
    ("hwy", "Highway"),
    ("pl", "Place"),
    ("ct", "Court"),
    ("r", "Rue"),
    ("c", "Calle"),
    ("avda", "Avenida"),
    ("pza", "Plaza"),
];
/// Ordinals that are also written out.
const ORDINALS: &[(&str, &str)] = &[
    ("first", "1st"),
    ("second", "2nd"),
    ("third", "3rd"),
    ("fourth", "4th"),
    ("fifth", "5th"),
    ("sixth", "6th"),
    ("seventh", "7th"),
    ("eighth", "8th"),
    ("ninth", "9th"),
    ("tenth", "10th"),
    ("eleventh", "11th"),
    ("twelfth", "12th"),
];

/// One form for all spellings of a street that are understood.
pub(super) fn key(street: &str) -> String {
    let mut words = fold_words(street);
    let count = words.len();
    for (at, word) in words.iter_mut().enumerate() {
        if let Some(full) = full(word, at + 1 == count).filter(|_| count > 1) {
            *word = fold_words(full).concat();
        } else if let Some((_, number)) = ORDINALS.iter().find(|(written, _)| written == word) {
            *word = (*number).to_owned();
        } else if word.ends_with("str") && word.len() > 5 {
            word.push_str("asse");
        }
    }
    let key = words.concat();
    if key.ends_with("str") { format!("{key}asse") } else { key }
}

/// The street as OpenStreetMap writes it, without abbreviations.
pub(super) fn in_full(street: &str) -> String {
    let words: Vec<&str> = street.split_whitespace().collect();
    let last = words.len().saturating_sub(1);
    let written = words.iter().enumerate().map(|(at, word)| {
        let folded = fold_words(word).concat();
        full(&folded, at == last).filter(|_| last > 0).unwrap_or(word)
    });
    written.collect::<Vec<&str>>().join(" ")
}

fn full(word: &str, is_last: bool) -> Option<&'static str> {
    if word == "st" {
        return Some(if is_last { "Street" } else { "Saint" });
    }
    WORDS.iter().find(|(short, _)| *short == word).map(|(_, full)| *full)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_have_one_key() {
        for (one, other) in [
            ("N Oak St", "north oak street"),
            ("5th Ave", "FIFTH AVENUE"),
            ("Hauptstraße", "Hauptstr."),
            ("Haupt Str.", "Hauptstrasse"),
            ("rue Pasteur", "r. Pasteur"),
            ("Calle Mayor", "C/ Mayor"),
        ] {
            assert_eq!(key(one), key(other), "{one} and {other}");
        }
        assert_ne!(key("Oak St"), key("Oak Ave"));
        assert_eq!(in_full("N St Johns Ave"), "North Saint Johns Avenue");
        assert_eq!(in_full("rue de l'Église"), "rue de l'Église");
    }
}
