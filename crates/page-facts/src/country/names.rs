//! Countries named in the text, and currencies.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use rlibphonenumber::Region;
use rustc_hash::FxHashMap;

use super::{Clue, CountryClues, cities, endings};
use crate::budget::StepBudget;
use crate::page::{around, floor_char};
use crate::word_set::Words;

/// Bytes searched at the start and at the end of a text, where contact data stand.
const HEAD_BYTES: usize = 6 * 1024;
const TAIL_BYTES: usize = 16 * 1024;
/// More currencies than this are a choice offered to customers abroad.
const CURRENCIES_MAX: usize = 2;
/// More countries than this are a list.
const COUNTRIES_MAX: usize = 4;
/// Steps charged per byte that is searched for names, words and scripts.
const TEXT_STEPS: usize = 4;
/// Matches examined per text.
const MATCHES_MAX: usize = 400;

/// Names of countries as written in addresses and before phone numbers.
const NAMES: &[(&str, &str)] = &[
    ("United States", "US"),
    ("USA", "US"),
    ("U.S.A.", "US"),
    ("North America", "US"),
    ("New Mexico", "US"),
    ("New England", "US"),
    ("Puerto Rico", "PR"),
    ("Canada", "CA"),
    ("United Kingdom", "GB"),
    ("Great Britain", "GB"),
    ("Northern Ireland", "GB"),
    ("England", "GB"),
    ("Scotland", "GB"),
    ("Wales", "GB"),
    ("UK", "GB"),
    ("U.K.", "GB"),
    ("Ireland", "IE"),
    ("Germany", "DE"),
    ("Deutschland", "DE"),
    ("Austria", "AT"),
    ("Österreich", "AT"),
    ("Switzerland", "CH"),
    ("Schweiz", "CH"),
    ("Suisse", "CH"),
    ("Svizzera", "CH"),
    ("France", "FR"),
    ("Belgium", "BE"),
    ("Belgique", "BE"),
    ("België", "BE"),
    ("Netherlands", "NL"),
    ("Nederland", "NL"),
    ("Luxembourg", "LU"),
    ("Italy", "IT"),
    ("Italia", "IT"),
    ("Spain", "ES"),
    ("España", "ES"),
    ("Portugal", "PT"),
    ("Denmark", "DK"),
    ("Danmark", "DK"),
    ("Sweden", "SE"),
    ("Sverige", "SE"),
    ("Norway", "NO"),
    ("Norge", "NO"),
    ("Finland", "FI"),
    ("Suomi", "FI"),
    ("Iceland", "IS"),
    ("Poland", "PL"),
    ("Polska", "PL"),
    ("Czech Republic", "CZ"),
    ("Czechia", "CZ"),
    ("Slovakia", "SK"),
    ("Slovensko", "SK"),
    ("Slovenia", "SI"),
    ("Hungary", "HU"),
    ("Magyarország", "HU"),
    ("Romania", "RO"),
    ("România", "RO"),
    ("Bulgaria", "BG"),
    ("Greece", "GR"),
    ("Croatia", "HR"),
    ("Serbia", "RS"),
    ("Estonia", "EE"),
    ("Latvia", "LV"),
    ("Lithuania", "LT"),
    ("Ukraine", "UA"),
    ("Украина", "UA"),
    ("Україна", "UA"),
    ("Россия", "RU"),
    ("Turkey", "TR"),
    ("Türkiye", "TR"),
    ("Israel", "IL"),
    ("Cyprus", "CY"),
    ("Malta", "MT"),
    ("United Arab Emirates", "AE"),
    ("UAE", "AE"),
    ("Dubai", "AE"),
    ("Saudi Arabia", "SA"),
    ("Qatar", "QA"),
    ("Egypt", "EG"),
    ("South Africa", "ZA"),
    ("Nigeria", "NG"),
    ("Kenya", "KE"),
    ("Ghana", "GH"),
    ("Morocco", "MA"),
    ("India", "IN"),
    ("Pakistan", "PK"),
    ("Bangladesh", "BD"),
    ("Sri Lanka", "LK"),
    ("Nepal", "NP"),
    ("China", "CN"),
    ("Hong Kong", "HK"),
    ("Taiwan", "TW"),
    ("Japan", "JP"),
    ("South Korea", "KR"),
    ("Korea", "KR"),
    ("Singapore", "SG"),
    ("Malaysia", "MY"),
    ("Indonesia", "ID"),
    ("Philippines", "PH"),
    ("Thailand", "TH"),
    ("Vietnam", "VN"),
    ("New South Wales", "AU"),
    ("Australia", "AU"),
    ("New Zealand", "NZ"),
    ("Mexico", "MX"),
    ("México", "MX"),
    ("CDMX", "MX"),
    ("Brazil", "BR"),
    ("Brasil", "BR"),
    ("Argentina", "AR"),
    ("Chile", "CL"),
    ("Colombia", "CO"),
    ("Peru", "PE"),
    ("Perú", "PE"),
    ("Ecuador", "EC"),
    ("Venezuela", "VE"),
    ("Uruguay", "UY"),
    ("Costa Rica", "CR"),
    ("Panama", "PA"),
    ("Guatemala", "GT"),
];

/// Frequent words that no other of these languages has.
const FREQUENT: &[(&str, &[&str])] = &[
    ("en", &["the", "and", "of", "you", "your", "our", "with", "for"]),
    ("de", &["und", "der", "nicht", "für", "mit", "wir", "eine", "Sie"]),
    ("fr", &["les", "des", "pour", "une", "dans", "nous", "vous", "avec"]),
    ("it", &["della", "che", "sono", "gli", "il", "di", "per"]),
    ("es", &["los", "las", "por", "con", "una", "el", "para"]),
    ("pt", &["não", "uma", "os", "com", "em", "você", "das"]),
    ("nl", &["het", "een", "van", "voor", "niet", "onze"]),
    ("sv", &["och", "att", "för", "inte", "är"]),
    ("da", &["og", "ikke", "til", "af", "er"]),
    ("pl", &["się", "nie", "jest", "dla", "oraz"]),
    ("cs", &["jsou", "pro", "při", "které"]),
    ("sk", &["sú", "pre", "pri", "ktoré"]),
    ("fi", &["ja", "ei", "tai", "sekä"]),
    ("hu", &["és", "az", "egy", "nem"]),
    ("ro", &["și", "pentru", "este", "din"]),
    ("tr", &["ve", "bir", "için", "ile"]),
];
/// Longest of these words, in bytes.
const FREQUENT_BYTES_MAX: usize = 6;
/// Index in [`FREQUENT`] by word.
static FREQUENT_INDEX: LazyLock<FxHashMap<&[u8], usize>> = LazyLock::new(|| {
    let words = |(index, words): (usize, &'static [&str])| words.iter().map(move |word| (word.as_bytes(), index));
    FREQUENT.iter().map(|(_, words)| *words).enumerate().flat_map(words).collect()
});
/// The same words, by which most others are rejected.
static FREQUENT_WORDS: LazyLock<Words> =
    LazyLock::new(|| FREQUENT.iter().flat_map(|(_, words)| *words).copied().collect());
/// Frequent words that make a language.
const WORDS_MIN: usize = 8;

/// Currencies of one country, next to a price.
const CURRENCIES: &[(&str, &str)] = &[
    ("£", "GB"),
    ("₴", "UA"),
    ("грн", "UA"),
    ("₽", "RU"),
    ("руб", "RU"),
    ("zł", "PL"),
    ("Kč", "CZ"),
    ("₹", "IN"),
    ("₩", "KR"),
    ("円", "JP"),
    ("R$", "BR"),
    ("лв.", "BG"),
    ("₺", "TR"),
    ("₪", "IL"),
    ("฿", "TH"),
    ("₫", "VN"),
    ("₱", "PH"),
    ("₦", "NG"),
    ("CHF", "CH"),
    ("MXN", "MX"),
    ("AUD", "AU"),
    ("NZD", "NZ"),
];

static SEARCH: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .kind(Some(AhoCorasickKind::DFA))
        .build(NAMES.iter().chain(CURRENCIES).map(|(word, _)| word))
        .ok()
});

/// Cities of more countries than this are a list.
const CITIES_MAX: usize = 2;

/// Whether neither a letter nor a digit touches a name.
fn is_word(text: &str, start: usize, end: usize) -> bool {
    let free = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
    free(text[..start].chars().next_back()) && free(text[end..].chars().next())
}

/// Notes the countries that lines end in, cities, and currencies. Long lists of them say nothing.
pub(crate) fn note(text: &str, clues: &mut CountryClues, budget: &StepBudget) {
    let head = floor_char(text, HEAD_BYTES);
    let tail = floor_char(text, text.len().saturating_sub(TAIL_BYTES)).max(head);
    let (mut countries, mut currencies, mut cities) = (Vec::new(), Vec::new(), Vec::new());
    for part in [&text[..head], &text[tail..]] {
        if !budget.spend(TEXT_STEPS * part.len()) {
            return;
        }
        let Some(search) = SEARCH.as_ref() else { return };
        for found in search.find_iter(part).take(MATCHES_MAX) {
            let index = found.pattern().as_usize();
            let currency = index.checked_sub(NAMES.len()).and_then(|index| CURRENCIES.get(index));
            let (list, region) = match (NAMES.get(index), currency) {
                (Some((_, code)), _) if ends_line(part, found.start(), found.end()) => {
                    (&mut countries, code.parse().ok())
                }
                (None, Some((_, code))) if touches_digit(part, found.start(), found.end()) => {
                    (&mut currencies, code.parse().ok())
                }
                _ => continue,
            };
            if let Some(region) = region
                && !list.contains(&region)
            {
                list.push(region);
            }
        }
        for (region, _) in cities::named_in(part).take(MATCHES_MAX) {
            if !cities.contains(&region) {
                cities.push(region);
            }
        }
    }
    if countries.len() <= COUNTRIES_MAX {
        countries.iter().for_each(|region| clues.add(*region, Clue::Name));
    }
    if cities.len() <= CITIES_MAX {
        cities.iter().for_each(|region| clues.add(*region, Clue::City));
    }
    if currencies.len() <= CURRENCIES_MAX {
        currencies.iter().for_each(|region| clues.add(*region, Clue::Currency));
    }
    let start = around(text, 0, 0, HEAD_BYTES);
    if let Some(region) = of_script(start) {
        clues.add(region, Clue::Script);
    } else if let Some((region, points)) = language_of(start).and_then(endings::of_language) {
        clues.add_points(region, Clue::Script, points);
    }
}

/// The language most of the frequent words of a text belong to; a template may declare another one.
fn language_of(text: &str) -> Option<&'static str> {
    let mut counts = [0_usize; FREQUENT.len()];
    let mut count = |word: &[u8]| {
        if (2..=FREQUENT_BYTES_MAX).contains(&word.len())
            && FREQUENT_WORDS.contains(word)
            && let Some(index) = FREQUENT_INDEX.get(word)
        {
            counts[*index] += 1;
        }
    };
    let bytes = text.as_bytes();
    let mut start = 0;
    for at in 0..=bytes.len() {
        if bytes.get(at).is_some_and(|byte| byte.is_ascii_alphabetic() | !byte.is_ascii()) {
            continue;
        }
        // Letters of other scripts may have signs between them.
        let words = &bytes[start..at];
        start = at + 1;
        if words.is_ascii() {
            count(words);
        } else if let Ok(words) = std::str::from_utf8(words) {
            words.split(|c: char| !c.is_alphabetic()).for_each(|word| count(word.as_bytes()));
        }
    }
    let (index, count) = counts.iter().enumerate().max_by_key(|(_, count)| **count)?;
    let others: usize = counts.iter().sum::<usize>() - count;
    (*count >= WORDS_MIN && *count > 2 * others).then(|| FREQUENT[index].0)
}

/// Whether a name closes a line, as in an address: alone on it, or after a comma or a digit.
fn ends_line(text: &str, start: usize, end: usize) -> bool {
    let after = text[end..].trim_start_matches(['.', ' ', ')']);
    let before = text[..start].trim_end_matches([' ', '(']);
    (after.is_empty() || after.starts_with(['\n', '|']) || after.starts_with("Tel") || after.starts_with("Phone"))
        && (before.is_empty()
            || before.ends_with(|c: char| matches!(c, '\n' | ',' | '-' | '–' | '|') || c.is_ascii_digit()))
}

fn touches_digit(text: &str, start: usize, end: usize) -> bool {
    let after = text[end..].trim_start_matches(' ');
    let before = text[..start].trim_end_matches(' ');
    after.starts_with(|c: char| c.is_ascii_digit()) || before.ends_with(|c: char| c.is_ascii_digit())
}

/// The country of a script or of letters that one language alone uses.
fn of_script(text: &str) -> Option<Region> {
    if text.is_ascii() {
        return None;
    }
    let mut counts = [0_u32; 8];
    for c in text.chars().filter(|c| !c.is_ascii()) {
        let index = match c {
            'ぁ'..='ヿ' => 0,
            '가'..='힣' => 1,
            'א'..='ת' => 2,
            'α'..='ω' => 3,
            'ก'..='๛' => 4,
            'پ' | 'چ' | 'ژ' | 'گ' => 5,
            'ї' | 'є' | 'ґ' => 6,
            'ư' | 'ơ' | 'ạ' => 7,
            _ => continue,
        };
        counts[index] += 1;
    }
    let regions = [Region::JP, Region::KR, Region::IL, Region::GR, Region::TH, Region::IR, Region::UA, Region::VN];
    let (index, count) = counts.iter().enumerate().max_by_key(|(_, count)| **count)?;
    // The last three are single letters of an alphabet.
    (*count >= if index < 5 { 20 } else { 8 }).then(|| regions[index])
}

/// A country that the text names before a position, and where the name ends.
pub(crate) fn last_before(text: &str) -> Option<(Region, usize)> {
    let found = SEARCH.as_ref()?.find_iter(text).filter(|found| is_word(text, found.start(), found.end()));
    let country =
        found.filter_map(|found| Some((NAMES.get(found.pattern().as_usize())?.1.parse().ok()?, found.end()))).last();
    let city = cities::named_in(text).last();
    [country, city].into_iter().flatten().max_by_key(|(_, end)| *end)
}

/// The country with this name or two-letter code, as structured data gives it.
pub(crate) fn named(name: &str) -> Option<Region> {
    let name = name.trim();
    if name.len() == 2 {
        return super::endings::parse(if name.eq_ignore_ascii_case("uk") { "GB" } else { name });
    }
    let exact = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    let inside = || last_before(around(name, 0, 0, 60)).map(|(region, _)| region);
    exact.and_then(|(_, code)| code.parse().ok()).or_else(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[(Region, Clue)]) {
        let mut clues = CountryClues::default();
        note(text, &mut clues, &StepBudget::default());
        let found: Vec<(Region, Clue)> = clues.points.iter().map(|(region, clue, _)| (*region, *clue)).collect();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn no_frequent_word_is_longer_than_the_limit() {
        assert!(FREQUENT.iter().flat_map(|(_, words)| *words).all(|word| word.len() <= FREQUENT_BYTES_MAX));
    }

    #[test]
    fn countries_of_addresses_and_currencies_of_prices_count() {
        check("Rua do Sol 1\n4745-330 Trofa\nPortugal\nhome", &[(Region::PT, Clue::Name)]);
        check("12 High St, London, United Kingdom", &[(Region::GB, Clue::Name), (Region::GB, Clue::City)]);
        check("A salon in Graz, open daily", &[(Region::AT, Clue::City)]);
        check("only £12 today", &[(Region::GB, Clue::Currency)]);
        check("86.0 грн", &[(Region::UA, Clue::Currency)]);
    }

    #[test]
    fn mentions_and_lists_do_not() {
        check("We love Italy and France, and India is next", &[]);
        check("London, Paris, Berlin, Tokyo", &[]);
        check("Germany\nFrance\nItaly\nSpain\nPortugal\nSweden", &[]);
        check("£1 ₹2 ₽3 zł 4", &[]);
        check("the £ sign", &[]);
    }

    #[test]
    fn the_language_of_a_text_is_a_clue() {
        check(&"wir sind für Sie da und mit der Bahn ".repeat(3), &[(Region::DE, Clue::Script)]);
        check(&"tutti i tetti della città che sono per gli ".repeat(3), &[(Region::IT, Clue::Script)]);
        check(&"電話でのおといあわせ".repeat(4), &[(Region::JP, Clue::Script)]);
        check(&"the roofs of the town and your home ".repeat(3), &[]);
        check("und der die", &[]);
    }

    #[test]
    fn countries_are_known_by_name_and_code() {
        for (name, expect) in [
            ("GB", Some(Region::GB)),
            ("uk", Some(Region::GB)),
            ("united states", Some(Region::US)),
            ("Germany (DE)", Some(Region::DE)),
            ("Northern Ireland", Some(Region::GB)),
            ("Atlantis", None),
            ("", None),
        ] {
            assert_eq!(named(name), expect, "{name}");
        }
    }
}
