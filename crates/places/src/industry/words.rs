//! The words of an industry, in the singular and without stop words.

use crate::fold;

/// Words that apply to every kind of business.
const STOP_WORDS: &[&str] = &[
    "a",
    "an",
    "and",
    "agency",
    "all",
    "area",
    "best",
    "business",
    "center",
    "centre",
    "certified",
    "cheap",
    "clinic",
    "co",
    "commercial",
    "company",
    "contractor",
    "corporation",
    "expert",
    "firm",
    "for",
    "good",
    "in",
    "inc",
    "independent",
    "industry",
    "licensed",
    "llc",
    "local",
    "me",
    "my",
    "near",
    "nearby",
    "of",
    "office",
    "outlet",
    "place",
    "practice",
    "professional",
    "provider",
    "residential",
    "service",
    "shop",
    "small",
    "specialist",
    "store",
    "studio",
    "supplier",
    "the",
    "top",
    "trade",
];
/// Words that look like a plural but are not.
const NO_PLURAL: &[&str] = &[
    "aerobics",
    "braces",
    "business",
    "cosmetics",
    "crossfit",
    "electronics",
    "eyeglasses",
    "fitness",
    "gas",
    "glass",
    "glasses",
    "graphics",
    "gymnastics",
    "lens",
    "logistics",
    "optics",
    "pilates",
    "texas",
    "us",
    "news",
    "paralysis",
    "tennis",
    "wellness",
    "bus",
    "campus",
    "cactus",
];
/// Irregular plurals.
const IRREGULAR: &[(&str, &str)] = &[
    ("men", "man"),
    ("women", "woman"),
    ("handymen", "handyman"),
    ("children", "child"),
    ("knives", "knife"),
    ("kids", "kid"),
    ("midwives", "midwife"),
];

/// The words of a text, folded and in the singular.
pub(super) fn words(text: &str) -> Vec<String> {
    // "A/C" and "B&B" are words of two letters; "&" is "and".
    let text = text.replace('&', " and ").replace("A/C", "AC").replace("a/c", "ac");
    fold::words(&text).into_iter().map(|word| singular(word.text)).collect()
}

/// Whether none of the words names a kind of business.
pub(super) fn are_stop_words(words: &[String]) -> bool {
    words.iter().all(|word| STOP_WORDS.contains(&word.as_str()))
}

/// The words without stop words; all of them when there is nothing else.
pub(super) fn significant(words: &[String]) -> Vec<String> {
    let kept: Vec<String> = words.iter().filter(|word| !STOP_WORDS.contains(&word.as_str())).cloned().collect();
    if kept.is_empty() { words.to_vec() } else { kept }
}

fn singular(word: String) -> String {
    if let Some((_, single)) = IRREGULAR.iter().find(|(plural, _)| *plural == word) {
        return (*single).to_owned();
    }
    if word.len() <= 3 || NO_PLURAL.contains(&word.as_str()) || word.ends_with("ss") || word.ends_with("us") {
        // "vets" has four letters; "gps" and "bus" are not plurals.
        return word;
    }
    // The singular of "pies" is "pie", that of "agencies" is "agency".
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    }
    for ending in ["ches", "shes", "sses", "xes"] {
        if word.ends_with(ending) {
            return word[..word.len() - 2].to_owned();
        }
    }
    word.strip_suffix('s').map(str::to_owned).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_become_singulars() {
        for (plural, single) in [
            ("dentists", "dentist"),
            ("agencies", "agency"),
            ("churches", "church"),
            ("handymen", "handyman"),
            ("fitness", "fitness"),
            ("glass", "glass"),
            ("vets", "vet"),
            ("car washes", "car wash"),
            ("pies", "pie"),
        ] {
            assert_eq!(words(plural).join(" "), words(single).join(" "), "{plural}");
        }
    }
}
