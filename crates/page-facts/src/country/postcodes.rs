//! Postcodes and phone numbers of a form that one country uses, recognised at a run of digits.

use rlibphonenumber::Region;

use super::{Clue, CountryClues, cities};
use crate::page::around;
use crate::phones::runs::DigitRun;
use crate::word_set::WordSet;

/// States and territories of the United States before a ZIP code; full names by their last word.
static STATES: WordSet = WordSet::new(
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND
     OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR
     Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Georgia Hawaii Idaho
     Illinois Indiana Iowa Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan Minnesota
     Mississippi Missouri Montana Nebraska Nevada Hampshire Jersey Mexico York Carolina Dakota Ohio Oklahoma
     Oregon Pennsylvania Island Tennessee Texas Utah Vermont Virginia Washington Wisconsin Wyoming",
);

/// States of Australia before a postcode of four digits.
static AUSTRALIAN: WordSet = WordSet::new("NSW VIC QLD SA WA TAS ACT NT Victoria Queensland Tasmania");

/// Letters that stand before a postcode and name its country: `D-10115`, `CH-8001`.
const PREFIXES: &[(&str, &str, usize)] = &[
    ("D", "DE", 5),
    ("DE", "DE", 5),
    ("A", "AT", 4),
    ("AT", "AT", 4),
    ("CH", "CH", 4),
    ("F", "FR", 5),
    ("FR", "FR", 5),
    ("I", "IT", 5),
    ("IT", "IT", 5),
    ("B", "BE", 4),
    ("BE", "BE", 4),
    ("L", "LU", 4),
    ("NL", "NL", 4),
    ("DK", "DK", 4),
    ("E", "ES", 5),
    ("ES", "ES", 5),
    ("PL", "PL", 2),
    ("CZ", "CZ", 3),
    ("FI", "FI", 5),
    ("FIN", "FI", 5),
    ("LT", "LT", 5),
    ("LV", "LV", 4),
];

/// Notes the postcodes and numbers of a run of digits.
pub(crate) fn note(text: &str, run: &DigitRun, clues: &mut CountryClues) {
    for (index, (from, to)) in run.groups.iter().enumerate() {
        if let Some(region) = postcode(text, *from, *to) {
            clues.add(region, Clue::Postcode);
        } else if let Some(region) = two_part_postcode(text, &run.groups[index..]) {
            clues.add(region, Clue::Postcode);
        }
    }
    if !run.plus {
        shape(text, &run.groups, clues);
    }
}

/// The country of a postcode whose digits are one group, at `from..to`.
fn postcode(text: &str, from: usize, to: usize) -> Option<Region> {
    let bytes = text.as_bytes();
    match to - from {
        1 => british(bytes, from).or_else(|| canadian(bytes, from)),
        5 if !bytes[from..to].starts_with(b"000") && STATES.contains(word_before(text, from)) => Some(Region::US),
        4 if AUSTRALIAN.contains(word_before(text, from)) => Some(Region::AU),
        4 if dutch(text, to) => Some(Region::NL),
        6 if word_before(text, from) == "Singapore" => Some(Region::SG),
        2..=5 => prefixed(text, from, to).or_else(|| before_city(text, from, to)),
        6 => before_city(text, from, to),
        _ => None,
    }
}

/// The word before a position, after at most a comma or full stop and a space.
fn word_before(text: &str, at: usize) -> &str {
    let before = around(text, at, 24, 0);
    let Some(before) = before.strip_suffix(' ').or_else(|| before.strip_suffix('\n')) else { return "" };
    let before = before.trim_end_matches([',', '.']);
    &before[before
        .rfind(|c: char| !c.is_ascii_alphabetic())
        .map_or(0, |p| p + before[p..].chars().next().map_or(1, char::len_utf8))..]
}

/// `SW1A 1AA`: the digit at `at` starts the second part.
fn british(bytes: &[u8], at: usize) -> Option<Region> {
    let upper = |index: usize| bytes.get(index).is_some_and(u8::is_ascii_uppercase);
    let ends = !bytes.get(at + 3).is_some_and(u8::is_ascii_alphanumeric);
    if !(upper(at + 1) && upper(at + 2) && ends) || at < 3 || bytes[at - 1] != b' ' {
        return None;
    }
    let head = &bytes[at.saturating_sub(6)..at - 1];
    let word = head.rsplit(|b| !b.is_ascii_alphanumeric()).next().unwrap_or(head);
    let letters = word.iter().take_while(|b| b.is_ascii_uppercase()).count();
    let rest = &word[letters..];
    let is_area = (1..=2).contains(&letters)
        && rest.first().is_some_and(u8::is_ascii_digit)
        && (rest.len() == 1 || (rest.len() == 2 && (rest[1].is_ascii_digit() || rest[1].is_ascii_uppercase())));
    is_area.then_some(Region::GB)
}

/// `K1A 0B1`: the digit at `at` is the first one.
fn canadian(bytes: &[u8], at: usize) -> Option<Region> {
    let code = bytes.get(at.checked_sub(1)?..at + 6)?;
    let free = at < 2 || !bytes[at - 2].is_ascii_alphanumeric();
    let ends = !bytes.get(at + 6).is_some_and(u8::is_ascii_alphanumeric);
    let is_code = code[0].is_ascii_uppercase()
        && code[2].is_ascii_uppercase()
        && code[3] == b' '
        && code[4].is_ascii_digit()
        && code[5].is_ascii_uppercase()
        && code[6].is_ascii_digit();
    (is_code && free && ends).then_some(Region::CA)
}

/// `1012 AB Amsterdam`: two letters and a place follow.
fn dutch(text: &str, to: usize) -> bool {
    let bytes = text.as_bytes();
    bytes.get(to) == Some(&b' ')
        && bytes.get(to + 1..to + 3).is_some_and(|pair| pair.iter().all(u8::is_ascii_uppercase))
        && matches!(bytes.get(to + 3), Some(b' ' | b',' | b'\n'))
        && around(text, to + 4, 0, 8).trim_start().starts_with(|c: char| c.is_uppercase() || c == '\'')
}

/// `D-10115`, `CH - 8001`, `〒150-0001`, `CEP 09892-120`, `C.P. 06600`.
fn prefixed(text: &str, from: usize, to: usize) -> Option<Region> {
    let before = around(text, from, 8, 0);
    if before.trim_end().ends_with('〒') {
        return Some(Region::JP);
    }
    if before.ends_with("CEP ") || before.ends_with("CEP: ") {
        return (to - from == 5).then_some(Region::BR);
    }
    if before.ends_with("C.P. ") {
        return (to - from == 5).then_some(Region::MX);
    }
    let letters = before.trim_end().strip_suffix(['-', '–'])?.trim_end();
    let word = &letters[letters
        .rfind(|c: char| !c.is_ascii_uppercase())
        .map_or(0, |p| p + letters[p..].chars().next().map_or(1, char::len_utf8))..];
    let free = !letters[..letters.len() - word.len()].ends_with(|c: char| c.is_alphanumeric() || c == '-');
    let (_, code, _) = PREFIXES.iter().find(|(prefix, _, digits)| free && *prefix == word && *digits == to - from)?;
    code.parse().ok()
}

/// `1060 Wien`, `8001 Zürich`: a city after four to six digits that nothing precedes.
fn before_city(text: &str, from: usize, to: usize) -> Option<Region> {
    let free = !text[..from]
        .ends_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '/' | '+' | '.' | '$' | '€' | '£' | '#'));
    let city = around(text, to, 0, 40).strip_prefix(' ').filter(|_| free && to - from >= 4)?;
    let may_be = city.starts_with(char::is_uppercase) && cities::may_start(city);
    may_be.then(|| cities::at_start(city)).flatten().map(|(region, _)| region)
}

/// `4745-330 Trofa` and `30-011 Kraków`: two groups joined by a hyphen, and a place.
fn two_part_postcode(text: &str, groups: &[(usize, usize)]) -> Option<Region> {
    let [(from, first), (second, to), ..] = groups else { return None };
    let region = match (first - from, to - second) {
        (4, 3) => Region::PT,
        (2, 3) => Region::PL,
        _ => return None,
    };
    let is_joined = &text[*first..*second] == "-";
    let free = !text[..*from].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '/' | '+' | '.'));
    let place = around(text, *to, 0, 8).strip_prefix(' ').and_then(|rest| rest.chars().next());
    (is_joined && free && place.is_some_and(char::is_uppercase)).then_some(region)
}

/// Notes a number by its form: `(512) 555-0100` is North American; a leading zero is not.
fn shape(text: &str, groups: &[(usize, usize)], clues: &mut CountryClues) {
    let bytes = text.as_bytes();
    let lengths = |at: usize| groups.get(at).map_or(0, |(from, to)| to - from);
    let first = usize::from(lengths(0) == 1 && bytes[groups[0].0] == b'1');
    if (lengths(first), lengths(first + 1), lengths(first + 2)) == (3, 3, 4) {
        let (area, exchange) = (groups[first].0, groups[first + 1].0);
        let between = &text[groups[first].1..exchange];
        let after = &text[groups[first + 1].1..groups[first + 2].0];
        let marked = after.contains(['-', '.', '\u{2010}', '\u{2011}', '\u{2013}']) || between.contains(')');
        if marked && !between.contains('/') && bytes[area] >= b'2' && bytes[exchange] >= b'2' {
            // Few others put three digits in brackets and then write three and four.
            let points = if between.contains(')') { 8 } else { 5 };
            clues.add_points(Region::US, Clue::NumberShape, points);
            return;
        }
    }
    let digits: usize = groups.iter().map(|(from, to)| to - from).sum();
    let is_zero = bytes[groups[0].0] == b'0' && bytes.get(groups[0].0 + 1) != Some(&b'0') && lengths(0) > 1;
    // `05.03.2024` has a leading zero too, and so has an article number.
    let is_number = (9..=12).contains(&digits) && groups.len() > 1 && !crate::phones::dates::is_date(text, groups);
    if !(is_zero && is_number) || text[..groups[0].0].ends_with(|c: char| c.is_alphanumeric() || "$€£#-.,/".contains(c))
    {
        return;
    }
    clues.add_zero();
    let end = groups[groups.len() - 1].1;
    clues.add_sample(&text[groups[0].0..end]);
    let pairs = groups.len() == 5 && groups.iter().all(|(from, to)| to - from == 2);
    match (digits, lengths(0), lengths(1)) {
        (10, 2, 2) if pairs => clues.add_points(Region::FR, Clue::NumberShape, 4),
        (10, 2, 4) | (10, 4, 3) => clues.add_points(Region::AU, Clue::NumberShape, 1),
        (11, 3, 4) | (11, 4, 3) | (11, 5, 6 | 3) => clues.add_points(Region::GB, Clue::NumberShape, 1),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::StepBudget;
    use crate::phones::runs;

    fn check(text: &str, expect: &[(Region, Clue)]) {
        let mut clues = CountryClues::default();
        runs::scan(text, &StepBudget::default(), |run| note(text, run, &mut clues));
        let found: Vec<(Region, Clue)> = clues.points.iter().map(|(region, clue, _)| (*region, *clue)).collect();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn postcodes_name_their_country() {
        for text in ["Austin, TX 78701", "Albany, NY 12231-0001", "Denver, Colorado, 80203", "New York 10007"] {
            check(text, &[(Region::US, Clue::Postcode)]);
        }
        for text in ["London SW1A 1AA", "Oxford, OX1 3DZ,", "M1 1AE"] {
            check(text, &[(Region::GB, Clue::Postcode)]);
        }
        // The regions of the North American plan are counted together.
        check("Ottawa ON K1A 0B1", &[(Region::US, Clue::Postcode)]);
        check("Sydney NSW 2000", &[(Region::AU, Clue::Postcode)]);
        check("D-10115 Berlin", &[(Region::DE, Clue::Postcode)]);
        check("A-1010 Wien", &[(Region::AT, Clue::Postcode)]);
        check("1012 AB Amsterdam", &[(Region::NL, Clue::Postcode)]);
        check("4745-330 Trofa", &[(Region::PT, Clue::Postcode)]);
        check("30-011 Kraków", &[(Region::PL, Clue::Postcode)]);
        check("〒150-0001", &[(Region::JP, Clue::Postcode)]);
        check("Singapore 238801", &[(Region::SG, Clue::Postcode)]);
        check("CEP 09892-120", &[(Region::BR, Clue::Postcode)]);
    }

    #[test]
    fn other_digits_are_no_postcode() {
        for text in [
            "model TX78701",
            "in 2024 AD and later",
            "OF 78701",
            "1920-108 pixels",
            "ISO 100-51200",
            "COVID-19123",
            "9 AM",
            "1AA",
            "A4 3DX2",
            "05.03.2024 10:30",
            "2014-12-09",
        ] {
            check(text, &[]);
        }
    }

    #[test]
    fn numbers_of_a_known_form_name_their_country() {
        check("(512) 555-0100", &[(Region::US, Clue::NumberShape)]);
        check("1-512-555-0100", &[(Region::US, Clue::NumberShape)]);
        check("01 70 18 99 00", &[(Region::FR, Clue::NumberShape)]);
        check("020 7946 0958", &[(Region::GB, Clue::NumberShape)]);
        check("500/600/1200", &[]);
    }
}
