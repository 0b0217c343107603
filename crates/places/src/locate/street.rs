//! Reads the street of a typed address: its house number, its name, and the unit within the house.

use crate::fold;

/// Bytes of a street that are read; anything longer is no street.
const TEXT_BYTES_MAX: usize = 200;
/// Digits of the longest house number.
const NUMBER_DIGITS_MAX: usize = 6;

/// Countries whose house numbers stand behind the street.
const NUMBER_LAST: &[&str] = &[
    "AD", "AL", "AR", "AT", "BA", "BE", "BG", "BO", "BR", "CH", "CL", "CO", "CR", "CY", "CZ", "DE", "DK", "EC", "EE",
    "ES", "FI", "GR", "GT", "HR", "HU", "IS", "IT", "LI", "LT", "LV", "ME", "MK", "MX", "NL", "NO", "PE", "PL", "PT",
    "PY", "RO", "RS", "RU", "SE", "SI", "SK", "SM", "TR", "UA", "UY", "VA", "VE",
];
/// Countries where `4/12 Smith St` is unit 4 of house 12.
const UNIT_BEFORE_SLASH: &[&str] = &["AU", "NZ"];
/// Words that a unit begins with. A unit has a value, so that "Ste Catherine" and "Floor St" are none.
const UNIT_WORDS: &[&str] = &[
    "suite",
    "ste",
    "apt",
    "apartment",
    "unit",
    "room",
    "rm",
    "floor",
    "fl",
    "flat",
    "bldg",
    "building",
    "lot",
    "office",
    "ofc",
    "dept",
    "space",
    "spc",
    "trlr",
    "wohnung",
    "whg",
    "etage",
    "stock",
    "piso",
    "interno",
    "int",
    "appartement",
    "appt",
];
/// Words behind which a number is the road's and not a house's.
const ROAD_WORDS: &[&str] = &[
    "highway",
    "hwy",
    "route",
    "rte",
    "rt",
    "us",
    "i",
    "ih",
    "interstate",
    "fm",
    "rm",
    "rr",
    "sr",
    "sh",
    "cr",
    "loop",
    "spur",
    "exit",
    "and",
    "at",
    "km",
    "road",
    "rd",
];
/// Words that, alone before a number, are a street with the number as its name.
const STREET_WORDS: &[&str] = &["avenue", "ave", "street", "st", "calle", "carrera", "rue", "via", "box"];
/// Words before a house number that say that it is one.
const NUMBER_MARKS: &[&str] = &["no", "nr", "n", "num", "numero", "number", "nummer"];
/// Words behind a house number that belong to it.
const NUMBER_ADDITIONS: &[&str] = &["bis", "ter", "quater"];
/// Beginnings of postal addresses that are no street.
const BOXES: &[&[&str]] = &[
    &["po", "box"],
    &["p", "o", "box"],
    &["pobox"],
    &["post", "office", "box"],
    &["box"],
    &["postfach"],
    &["postbus"],
    &["apartado"],
    &["apdo"],
    &["boite", "postale"],
    &["bp"],
    &["casella", "postale"],
    &["caixa", "postal"],
    &["gpo", "box"],
    &["pmb"],
];

/// A street as it was typed, in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreetText {
    /// The house number as typed, such as `12000`, `221B` or `12-14`; `None` for a street alone and for a crossing.
    pub number: Option<String>,
    /// The street without number and unit, such as `N Lamar Blvd` or `5th & Main`.
    pub street: String,
    /// The unit within the house, such as `Suite 200` or `#5`.
    pub unit: Option<String>,
}

impl StreetText {
    /// Reads what precedes the town in an address of this country (ISO 3166-1 alpha-2). `None` for a post office box and for
    /// whatever names no street.
    #[must_use]
    pub fn parse(text: &str, country: &str) -> Option<StreetText> {
        if text.len() > TEXT_BYTES_MAX {
            return None;
        }
        let (mut units, mut segments) = (Vec::new(), Vec::new());
        for segment in text.split([',', ';', '|', '\n', '\t']) {
            let mut words: Vec<&str> = segment.split_whitespace().filter(|word| has_letters(word)).collect();
            if is_box(&words) {
                continue;
            }
            units.extend(cut_unit(&mut words));
            if !words.is_empty() {
                segments.push(words);
            }
        }
        let mut found = best(&segments, country)?;
        if let Some((unit, number)) = unit_before_slash(found.number.as_deref(), country) {
            units.insert(0, unit);
            found.number = Some(number);
        }
        found.unit = (!units.is_empty()).then(|| units.join(" "));
        Some(found)
    }
}

/// The part that is a street with a number; otherwise a street beside a number, and otherwise the first that is a street.
fn best(segments: &[Vec<&str>], country: &str) -> Option<StreetText> {
    let read: Vec<Option<StreetText>> = segments.iter().map(|words| numbered(words, country)).collect();
    if let Some(whole) = read.into_iter().flatten().next() {
        return Some(whole);
    }
    let at = segments.iter().position(|words| is_street(words))?;
    let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|beside| segments.get(beside));
    let number = beside.filter_map(|words| number_alone(words)).next();
    Some(StreetText { number, street: joined(&segments[at]), unit: None })
}

/// A street with its number, in the order of the country or else in the other one.
fn numbered(words: &[&str], country: &str) -> Option<StreetText> {
    let is_last = NUMBER_LAST.contains(&country);
    let (first, last) = (|| number_first(words, country), || number_last(words));
    let (number, rest) = if is_last { last().or_else(first) } else { first().or_else(last) }?;
    is_street(rest).then(|| StreetText { number: Some(number), street: joined(rest), unit: None })
}

/// A number at the start, and what follows it.
fn number_first<'w, 't>(words: &'w [&'t str], country: &str) -> Option<(String, &'w [&'t str])> {
    let (first, rest) = words.split_first()?;
    let is_numbered_street = |next: &&str| matches!(folded(next).as_str(), "avenue" | "av" | "ave" | "rue" | "rang");
    let is_ordinal =
        is_ordinal(first) || (folded(first).ends_with('e') && rest.first().is_some_and(is_numbered_street));
    if !is_number(first) || is_ordinal || rest.first().is_some_and(|next| is_crossing(next)) {
        return None;
    }
    let first = trimmed(first);
    match rest {
        ["-" | "–", to, rest @ ..] if is_number(to) => Some((format!("{first}-{}", trimmed(to)), rest)),
        [addition, rest @ ..] if !rest.is_empty() && is_addition(addition) => {
            Some((format!("{first} {}", trimmed(addition)), rest))
        }
        [letter, rest @ ..] if country != "US" && rest.len() > 1 && is_suffix(letter) => {
            Some((format!("{first}{}", trimmed(letter)), rest))
        }
        _ => Some((first.to_owned(), rest)),
    }
}

/// A number at the end, and what precedes it.
fn number_last<'w, 't>(words: &'w [&'t str]) -> Option<(String, &'w [&'t str])> {
    let (last, before) = words.split_last()?;
    let (number, before) = match before {
        [before @ .., from, "-" | "–"] if is_number(from) && is_number(last) => {
            (format!("{}-{}", trimmed(from), trimmed(last)), before)
        }
        [before @ .., number] if is_number(number) && (is_suffix(last) || is_addition(last)) => {
            let gap = if is_addition(last) { " " } else { "" };
            (format!("{}{gap}{}", trimmed(number), trimmed(last)), before)
        }
        before if is_number(last) && !is_ordinal(last) => (trimmed(last).to_owned(), before),
        _ => return None,
    };
    let before = match before {
        [before @ .., mark] if !before.is_empty() && is_mark(mark) => before,
        before => before,
    };
    let (word, earlier) = before.split_last()?;
    let word_before = folded(word);
    let names_road = ROAD_WORDS.contains(&word_before.as_str()) || is_crossing(word);
    let names_street = earlier.is_empty() && STREET_WORDS.contains(&word_before.as_str());
    // "County Road 12" is a road; "Abbey Road 3" is a house.
    let is_house_on_road = matches!(word_before.as_str(), "road" | "rd")
        && earlier
            .last()
            .is_some_and(|kind| !matches!(folded(kind).as_str(), "county" | "ranch" | "market" | "state" | "co"));
    ((!names_road || is_house_on_road) && !names_street).then_some((number, before))
}

/// A part of an address that is only a number.
fn number_alone(words: &[&str]) -> Option<String> {
    match words {
        [number] if is_number(number) && !is_ordinal(number) => Some(trimmed(number).to_owned()),
        [mark, number] if is_mark(mark) && is_number(number) => Some(trimmed(number).to_owned()),
        [number, letter] if is_number(number) && (is_suffix(letter) || is_addition(letter)) => {
            Some(format!("{}{}", trimmed(number), trimmed(letter)))
        }
        _ => None,
    }
}

/// Cuts a unit off: at the start when a street follows, otherwise from its first word to the end.
fn cut_unit(words: &mut Vec<&str>) -> Option<String> {
    let unit_words = unit_at(words, 0);
    if unit_words > 0 {
        let unit = joined(&words[..unit_words]);
        words.drain(..unit_words);
        return Some(unit);
    }
    let at = (1..words.len()).find(|at| unit_at(words, *at) > 0)?;
    let unit = joined(&words[at..]);
    words.truncate(at);
    Some(unit)
}

/// How many words from here on are a unit: `Suite 200`, `#5`, `# 5`, `3rd floor`; 0 for none.
fn unit_at(words: &[&str], at: usize) -> usize {
    let Some(word) = words.get(at) else { return 0 };
    let next = words.get(at + 1).copied();
    let value = next.is_some_and(is_unit_value);
    if word.starts_with('#') {
        return if word.len() > 1 { 1 } else { 2 * usize::from(value) };
    }
    let name = folded(word);
    if UNIT_WORDS.contains(&name.as_str()) {
        return 2 * usize::from(value);
    }
    let is_floor = next.is_some_and(|next| matches!(folded(next).as_str(), "floor" | "fl" | "etage" | "stock"));
    2 * usize::from(is_floor && (is_ordinal(word) || is_number(word)) && at + 2 >= words.len())
}

fn is_unit_value(word: &str) -> bool {
    let plain = word.trim_start_matches('#');
    let letters = plain.trim_matches(|letter: char| !letter.is_alphanumeric()).chars().count();
    plain.chars().any(|letter| letter.is_ascii_digit()) || letters == 1
}

fn unit_before_slash(number: Option<&str>, country: &str) -> Option<(String, String)> {
    let (unit, number) = number.filter(|_| UNIT_BEFORE_SLASH.contains(&country))?.split_once('/')?;
    Some((unit.to_owned(), number.to_owned()))
}

fn is_box(words: &[&str]) -> bool {
    let folded: Vec<String> = fold::fold_words(&words.join(" "));
    let starts = |with: &&&[&str]| {
        folded.len() > with.len() && with.iter().zip(&folded).all(|(wanted, word)| *wanted == word.as_str())
    };
    BOXES.iter().find(starts).is_some_and(|with| folded[with.len()].starts_with(|first: char| first.is_ascii_digit()))
}

/// Whether words can name a street: with letters, or as an ordinal.
fn is_street(words: &[&str]) -> bool {
    words.iter().any(|word| word.chars().any(char::is_alphabetic))
}

/// `12`, `221B`, `12-14`, `12000-A`, `3/5`: digits, and little else.
fn is_number(word: &str) -> bool {
    let word = trimmed(word);
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > NUMBER_DIGITS_MAX {
        return false;
    }
    let rest = &word[digits..];
    let addition = rest.strip_prefix(['-', '–', '/']).unwrap_or(rest);
    let letters = addition.chars().filter(|letter| letter.is_alphabetic()).count();
    let plain = addition.chars().all(|letter| letter.is_ascii_digit() || letter.is_alphabetic() || letter == '/');
    rest.is_empty()
        || (plain
            && addition.len() <= NUMBER_DIGITS_MAX
            && (letters <= 1 || NUMBER_ADDITIONS.contains(&folded(rest).as_str())))
}

/// `5th`, `1er`, `17.`: the number of a street and not of a house.
fn is_ordinal(word: &str) -> bool {
    let word = word.trim_end_matches([',', ')']);
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let ending = word[digits..].to_lowercase();
    digits > 0
        && matches!(ending.as_str(), "st" | "nd" | "rd" | "th" | "er" | "ere" | "ère" | "eme" | "ème" | "º" | "ª" | ".")
}

fn is_crossing(word: &str) -> bool {
    matches!(word, "&" | "@" | "+" | "/") || matches!(folded(word).as_str(), "and" | "at" | "und" | "y" | "et")
}

/// A fraction or a word that belongs to the number before it.
fn is_addition(word: &str) -> bool {
    let is_fraction =
        |(over, under): (&str, &str)| over.len() == 1 && under.len() == 1 && is_number(over) && is_number(under);
    NUMBER_ADDITIONS.contains(&folded(word).as_str()) || word.split_once('/').is_some_and(is_fraction)
}

/// A single letter that is not a direction.
fn is_suffix(word: &str) -> bool {
    let mut letters = word.chars();
    let first = letters.next().filter(char::is_ascii_alphabetic).map(|letter| letter.to_ascii_lowercase());
    letters.next().is_none() && first.is_some_and(|letter| !matches!(letter, 'n' | 's' | 'e' | 'w' | 'y'))
}

fn is_mark(word: &str) -> bool {
    word == "#" || word == "№" || NUMBER_MARKS.contains(&folded(word.trim_end_matches(['°', 'º', '.'])).as_str())
}

fn has_letters(word: &str) -> bool {
    word.chars().any(char::is_alphanumeric) || matches!(word, "&" | "@" | "#" | "-" | "–" | "/" | "+")
}

fn folded(word: &str) -> String {
    fold::fold_words(word).concat()
}

fn trimmed(word: &str) -> &str {
    word.trim_matches(|letter: char| !letter.is_alphanumeric())
}

fn joined(words: &[&str]) -> String {
    let ends = |letter: char| matches!(letter, '-' | '–' | '/' | '&' | '@' | '+' | ' ' | '"' | '(' | ')');
    words.join(" ").trim_matches(ends).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, country: &str) -> String {
        let Some(StreetText { number, street, unit }) = StreetText::parse(text, country) else { return "-".into() };
        format!("{} | {street} | {}", number.unwrap_or_default(), unit.unwrap_or_default())
    }

    const STREETS: &[(&str, &str, &str)] = &[
        ("US", "12000 N Lamar Blvd", "12000 | N Lamar Blvd | "),
        ("US", "12000 N. Lamar Blvd., Suite 200", "12000 | N. Lamar Blvd. | Suite 200"),
        ("US", "12000 N Lamar Blvd Suite 200", "12000 | N Lamar Blvd | Suite 200"),
        ("US", "12000 N Lamar Blvd Bldg C Ste #200", "12000 | N Lamar Blvd | Bldg C Ste #200"),
        ("US", "12000 N Lamar Blvd #5", "12000 | N Lamar Blvd | #5"),
        ("US", "12000 N Lamar Blvd # 5", "12000 | N Lamar Blvd | # 5"),
        ("US", "12000 N Lamar Blvd Apt. 3B", "12000 | N Lamar Blvd | Apt. 3B"),
        ("US", "Suite 200, 12000 N Lamar Blvd", "12000 | N Lamar Blvd | Suite 200"),
        ("US", "350 5th Ave 3rd Floor", "350 | 5th Ave | 3rd Floor"),
        ("US", "N Lamar Blvd 12000", "12000 | N Lamar Blvd | "),
        ("US", "1600 Pennsylvania Ave NW", "1600 | Pennsylvania Ave NW | "),
        ("US", "12000-A N Lamar Blvd", "12000-A | N Lamar Blvd | "),
        ("US", "1234 1/2 Main St", "1234 1/2 | Main St | "),
        ("US", "12-14 Main St", "12-14 | Main St | "),
        ("US", "12 - 14 Main St", "12-14 | Main St | "),
        ("US", "5th & Main", " | 5th & Main | "),
        ("US", "5th and Main", " | 5th and Main | "),
        ("US", "N Lamar Blvd", " | N Lamar Blvd | "),
        ("US", "5th Ave", " | 5th Ave | "),
        ("US", "Highway 290", " | Highway 290 | "),
        ("US", "1200 Highway 290", "1200 | Highway 290 | "),
        ("US", "9000 US-183", "9000 | US-183 | "),
        ("US", "County Road 12", " | County Road 12 | "),
        ("US", "123 A St", "123 | A St | "),
        ("US", "123 E Main St", "123 | E Main St | "),
        ("US", "Joe's Pizza, 123 Main St", "123 | Main St | "),
        ("US", "123 Main St, PO Box 7", "123 | Main St | "),
        ("US", "PO Box 123", "-"),
        ("US", "P.O. Box 123", "-"),
        ("US", "12000", "-"),
        ("US", "", "-"),
        ("GB", "221B Baker Street", "221B | Baker Street | "),
        ("GB", "221 B Baker Street", "221B | Baker Street | "),
        ("GB", "Flat 3, 221B Baker Street", "221B | Baker Street | Flat 3"),
        ("GB", "Flat 3 221B Baker Street", "221B | Baker Street | Flat 3"),
        ("GB", "Abbey Road 3", "3 | Abbey Road | "),
        ("AU", "4/12 Smith St", "12 | Smith St | 4"),
        ("AU", "Unit 4, 12 Smith St", "12 | Smith St | Unit 4"),
        ("CA", "123 5e Avenue", "123 | 5e Avenue | "),
        ("CA", "5e Avenue", " | 5e Avenue | "),
        ("FR", "10 rue de la République", "10 | rue de la République | "),
        ("FR", "10, rue de la République", "10 | rue de la République | "),
        ("FR", "12 bis rue Victor Hugo", "12 bis | rue Victor Hugo | "),
        ("FR", "12bis rue Victor Hugo", "12bis | rue Victor Hugo | "),
        ("DE", "Musterstraße 12a", "12a | Musterstraße | "),
        ("DE", "Musterstraße 12 a", "12a | Musterstraße | "),
        ("DE", "Musterstr. 12-14", "12-14 | Musterstr. | "),
        ("DE", "12 Musterstraße", "12 | Musterstraße | "),
        ("DE", "Straße des 17. Juni 135", "135 | Straße des 17. Juni | "),
        ("DE", "Straße des 17. Juni", " | Straße des 17. Juni | "),
        ("DE", "Postfach 12 34", "-"),
        ("NL", "Damrak 1", "1 | Damrak | "),
        ("IT", "Via Roma, 10", "10 | Via Roma | "),
        ("ES", "C/ Mayor, 5", "5 | C/ Mayor | "),
        ("ES", "Calle Mayor nº 5", "5 | Calle Mayor | "),
        ("ES", "Calle Mayor 5, piso 3", "5 | Calle Mayor | piso 3"),
    ];

    #[test]
    fn streets_are_read_in_the_order_of_their_country_and_in_the_other() {
        for (country, text, parts) in STREETS {
            assert_eq!(shown(text, country), *parts, "{text} ({country})");
        }
    }

    proptest::proptest! {
        #[test]
        fn whatever_is_typed_is_a_street_or_none(text in ".{0,120}", words in "[0-9a-zA-Z#&/.,ßé-]{0,8}( [0-9a-zA-Z#&/.,-]{0,8}){0,6}") {
            for (text, country) in [(&text, "US"), (&words, "US"), (&words, "DE"), (&words, "AU")] {
                if let Some(found) = StreetText::parse(text, country) {
                    proptest::prop_assert!(found.street.chars().any(char::is_alphanumeric), "{found:?}");
                    proptest::prop_assert!(found.number.is_none_or(|number| !number.is_empty()));
                }
            }
        }
    }
}
