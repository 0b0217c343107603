//! Whether two names, titles, streets or opening hours are the same to a reader, however they are written.

use std::collections::BTreeSet;

/// Words of a street that have a short form.
const SHORT: [(&str, &str); 32] = [
    ("street", "st"),
    ("avenue", "ave"),
    ("road", "rd"),
    ("boulevard", "blvd"),
    ("drive", "dr"),
    ("lane", "ln"),
    ("court", "ct"),
    ("place", "pl"),
    ("square", "sq"),
    ("parkway", "pkwy"),
    ("highway", "hwy"),
    ("circle", "cir"),
    ("terrace", "ter"),
    ("trail", "trl"),
    ("suite", "ste"),
    ("floor", "fl"),
    ("building", "bldg"),
    ("north", "n"),
    ("south", "s"),
    ("east", "e"),
    ("west", "w"),
    ("northwest", "nw"),
    ("northeast", "ne"),
    ("southwest", "sw"),
    ("southeast", "se"),
    ("strasse", "str"),
    ("first", "1st"),
    ("second", "2nd"),
    ("third", "3rd"),
    ("улица", "ул"),
    ("centre", "center"),
    ("apartment", "apt"),
];

/// The letter without its accent.
fn plain(letter: char) -> char {
    match letter {
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'č' => 'c',
        'ď' | 'đ' => 'd',
        'è'..='ë' | 'ē' | 'ę' | 'ě' => 'e',
        'ì'..='ï' | 'ī' | 'ı' => 'i',
        'ł' => 'l',
        'ñ' | 'ń' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ő' => 'o',
        'ř' => 'r',
        'ś' | 'š' | 'ş' => 's',
        'ť' | 'ţ' => 't',
        'ù'..='ü' | 'ū' | 'ů' | 'ű' => 'u',
        'ý' | 'ÿ' => 'y',
        'ź' | 'ž' | 'ż' => 'z',
        other => other,
    }
}

/// The words in lower case, without accents and punctuation.
pub(crate) fn words(text: &str) -> Vec<String> {
    let text: String = text.to_lowercase().replace(['\'', '’', '.'], "").replace('ß', "ss");
    let plain: String = text.chars().map(plain).collect();
    plain.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The same person: first and last name agree; a middle name or an initial may be missing.
pub(crate) fn names(left: &str, right: &str) -> bool {
    let (left, right) = (words(left), words(right));
    if left == right {
        return true;
    }
    let ends = |name: &[String]| (name.first().cloned(), name.last().cloned());
    left.len() > 1 && right.len() > 1 && ends(&left) == ends(&right)
}

/// The same title: one contains the other.
pub(crate) fn titles(left: &str, right: &str) -> bool {
    let (left, right) = (format!(" {} ", words(left).join(" ")), format!(" {} ", words(right).join(" ")));
    left.trim().is_empty() == right.trim().is_empty() && (left.contains(&right) || right.contains(&left))
}

/// The same place name; one may also name its district.
pub(crate) fn places(left: &str, right: &str) -> bool {
    titles(left, right)
}

/// The same street and house number; a suite, a floor or the name of a building may be missing.
pub(crate) fn streets(left: &str, right: &str) -> bool {
    let short = |street: &str| -> BTreeSet<String> {
        let short = |word: String| SHORT.iter().find(|(long, _)| *long == word).map_or(word, |(_, s)| (*s).to_owned());
        words(street).into_iter().map(short).collect()
    };
    let (left, right) = (short(left), short(right));
    let (less, more) = if left.len() < right.len() { (left, right) } else { (right, left) };
    let has_number = |street: &BTreeSet<String>| street.iter().any(|word| word.bytes().any(|b| b.is_ascii_digit()));
    !less.is_empty() && less.is_subset(&more) && (less.len() == more.len() || has_number(&less) == has_number(&more))
}

/// The same postal code: the first five letters and digits agree.
pub(crate) fn postal_codes(left: &str, right: &str) -> bool {
    let code = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).take(5).collect::<String>().to_lowercase();
    !code(left).is_empty() && code(left) == code(right)
}

/// The times of day in the text, in minutes after midnight. A number counts if it has minutes, `am` or `pm`, or is one
/// end of a range whose other end has; `24` stands for the whole day.
fn times(text: &str) -> BTreeSet<u32> {
    let text = text.to_lowercase().replace("a.m", "am").replace("p.m", "pm").replace(['–', '—'], "-");
    let bytes = text.as_bytes();
    let mut found = BTreeSet::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let hour_end = at + bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
        let hour: u32 = text[at..hour_end].parse().unwrap_or(99);
        let minutes =
            text[hour_end..].strip_prefix([':', '.', 'h']).and_then(|rest| rest.get(..2)?.parse::<u32>().ok());
        let end = if minutes.is_some() { hour_end + 3 } else { hour_end };
        let rest = text[end..].trim_start();
        if hour <= 24 && hour_end - at <= 2 {
            let hour = if rest.starts_with("pm") && hour < 12 { hour + 12 } else { hour };
            found.insert(hour * 60 + minutes.unwrap_or(0));
        }
        at = end.max(at + 1);
    }
    found
}

/// The same opening hours as far as free text tells: most times of the shorter one are in the other.
pub(crate) fn hours(left: &str, right: &str) -> bool {
    let (left, right) = (times(left), times(right));
    let (less, more) = if left.len() < right.len() { (left, right) } else { (right, left) };
    let shared = less.intersection(&more).count();
    less.is_empty() || shared * 2 > less.len()
}

#[test]
fn what_a_reader_takes_for_the_same() {
    assert!(names("José A. Pérez", "Jose Perez") && !names("Ann Lee", "Ann Low") && !names("Ann", "Ann Lee"));
    assert!(titles("Owner", "Owner & Stylist") && !titles("Owner", "Co") && !titles("", "Owner"));
    assert!(streets("12 Main Street, Suite 4", "12 Main St.") && !streets("12 Main St", "14 Main St"));
    assert!(!streets("Main St", "12 Main St"));
    assert!(postal_codes("07738-1543", "07738") && !postal_codes("", "") && postal_codes("BH23 4HD", "bh23 4hd"));
    assert!(hours("Mon-Fri 9am to 5:30 pm", "Mo-Fr 09:00-17:30") && !hours("Mo 09:00-17:00", "Mo 10:00-18:00"));
}
