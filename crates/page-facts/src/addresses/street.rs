//! Recognises a street with its house number, suite and floor in a segment: `325 Cherry Street #2`, `PO Box 12`.

use crate::addresses::roads::{self, is_direction, is_number_of_road, is_road_with_number};
use crate::addresses::segments::offset;
use crate::addresses::words::{
    are_names, is_bare_unit, is_floor_word, is_house_number, is_lead_word, is_long_direction, is_name_word,
    is_number_word, is_ordinal, is_ordinal_word, is_short_direction, is_side_road_word, is_street_word, is_unit_word,
    is_weak_street_word, plain, stands_before_lead,
};

/// Words of a segment that are examined.
const WORDS_MAX: usize = 24;
/// Words between a house number and the word that ends the street's name.
const NAME_WORDS_MAX: usize = 6;

/// How certain it is that a text is a street.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Certainty {
    /// A house number and a word such as `Street`, or a post-office box.
    Sure,
    /// A house number and a name.
    Likely,
}

/// A street in a segment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Street<'t> {
    /// From the house number to the end of the suite.
    pub(crate) text: &'t str,
    /// What follows: often the town.
    pub(crate) rest: &'t str,
    pub(crate) certainty: Certainty,
    pub(crate) is_box: bool,
}

/// Finds a street whose house number comes first.
pub(crate) fn find(segment: &str) -> Option<Street<'_>> {
    let words: Vec<&str> = segment.split_ascii_whitespace().take(WORDS_MAX).collect();
    if let Some(found) = post_box(segment, &words) {
        return Some(found);
    }
    let mut start = 0;
    while start + 1 < words.len() {
        if may_start(&words, start)
            && let Some(end) = end_of_street(&words, start)
        {
            // `4500 & 4502 Main St`
            let is_pair = start >= 2 && matches!(words[start - 1], "&" | "and") && is_house_number(words[start - 2]);
            // `Level 2/45 King Street`
            let is_level = start > 0 && words[start].contains('/') && is_unit_word(&plain(words[start - 1]));
            let from = if is_pair { start - 2 } else { start - usize::from(is_level) };
            return Some(cut(segment, &words, (from, end), Certainty::Sure));
        }
        start += 1;
    }
    if let Some((start, end)) = weak_street(&words) {
        return Some(cut(segment, &words, (start, end), Certainty::Sure));
    }
    if let Some(end) = spanish_street(&words) {
        return Some(cut(segment, &words, (0, end), Certainty::Sure));
    }
    let is_road = || roads::end(&words).is_some_and(|end| units(&words, end) == words.len());
    (is_plain_street(&words) || is_road()).then(|| cut(segment, &words, (0, words.len()), Certainty::Likely))
}

/// Where `Calle San Francisco 255` ends: the house number comes last.
fn spanish_street(words: &[&str]) -> Option<usize> {
    let is_street = words.first().is_some_and(|word| {
        let word = plain(word);
        matches!(word.as_str(), "calle" | "avenida" | "carretera" | "carr" | "paseo" | "camino")
    });
    let names = words.iter().skip(1).take(NAME_WORDS_MAX).take_while(|word| is_name_word(word)).count();
    let number = words.get(1 + names).map(|word| word.trim_start_matches('#')).filter(|word| is_house_number(word))?;
    (is_street && names > 0 && number.len() <= 5).then(|| units(words, 2 + names))
}

/// `1420 Elm Ridge`, `1420 W 6th`, `1420 S. Lamar`: a street without a sure word for its kind, as a range of words. Only a
/// number of three digits or more that is no year starts it, for `12 Oak Trees` are no street.
fn weak_street(words: &[&str]) -> Option<(usize, usize)> {
    let start = words.iter().position(|word| is_sure_number(word))?;
    let name = start + 1;
    let is_kind = |at: usize| words.get(at).is_some_and(|word| is_weak_street_word(&plain(word)));
    let first = *words.get(name)?;
    if is_direction(first) && words.get(name + 1).is_some_and(|word| is_ordinal(word)) {
        return Some((start, units(words, direction(words, name + 2))));
    }
    // `4500 Camino del Rio`
    if matches!(plain(first).as_str(), "calle" | "camino" | "paseo" | "avenida") {
        let small = words[name + 1..].iter().take(2).take_while(|word| is_small_word(word)).count();
        let end = name + 1 + small;
        return words
            .get(end)
            .filter(|word| is_name_word(word))
            .map(|_| (start, units(words, direction(words, end + 1))));
    }
    let names = words[name..].iter().take(NAME_WORDS_MAX).take_while(|word| is_name_word(word)).count();
    let mut end = (name + 1..name + names).find(|at| is_kind(*at))? + 1;
    while is_kind(end) {
        end += 1;
    }
    // `1420 Elm Park City`: the kind starts the name of a town.
    let starts_town = words.get(end).is_some_and(|word| matches!(plain(word).as_str(), "city" | "beach" | "township"));
    (!starts_town).then(|| (start, units(words, direction(words, end))))
}

fn is_small_word(word: &str) -> bool {
    matches!(plain(word).as_str(), "de" | "del" | "la" | "las" | "los" | "el" | "san" | "santa")
}

/// A house number of three digits or more that is no year.
fn is_sure_number(word: &str) -> bool {
    let is_year = word.len() == 4 && (word.starts_with("19") || word.starts_with("20"));
    (3..=5).contains(&word.len()) && !is_year && word.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a house number stands at `start`, or a number word such as `One Commerce Plaza`.
fn may_start(words: &[&str], start: usize) -> bool {
    let word = words[start];
    let number = if start == 0 { word.trim_start_matches('#') } else { word };
    let is_number = is_house_number(number) && !word.ends_with(',');
    is_number || (word.starts_with(char::is_uppercase) && is_number_word(&plain(word)))
}

fn cut<'t>(segment: &'t str, words: &[&'t str], (start, end): (usize, usize), certainty: Certainty) -> Street<'t> {
    let from = offset(segment, words[start]);
    let to = offset(segment, words[end - 1]) + words[end - 1].len();
    Street {
        text: segment[from..to].trim_end_matches(','),
        rest: segment[to..].trim_start_matches([' ', ',']),
        certainty,
        is_box: false,
    }
}

/// Where the name of a street starts after its house number.
fn name_start(words: &[&str], start: usize) -> usize {
    let mut name = start + 1;
    // `123 1/2 Main St`, `12 - 14 Main St`.
    if words.get(name).is_some_and(|word| matches!(*word, "1/2" | "½")) {
        name += 1;
    }
    if words.get(name).is_some_and(|word| matches!(*word, "-" | "–"))
        && words.get(name + 1).is_some_and(|word| is_house_number(word))
    {
        // `1420 - 50 Avenue`: the second number is the street's.
        name += if is_numbered_street(words, name + 1) { 1 } else { 2 };
    }
    name
}

/// `50 Street` of `1420 50 Street`.
fn is_numbered_street(words: &[&str], at: usize) -> bool {
    let is_number = words.get(at).is_some_and(|word| word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit()));
    let kind = words.get(at + 1).map(|word| plain(word));
    is_number && kind.is_some_and(|kind| matches!(kind.as_str(), "street" | "st" | "avenue" | "ave"))
}

/// Where the street that starts with the house number at `start` ends, with its direction and suite.
fn end_of_street(words: &[&str], start: usize) -> Option<usize> {
    let name = name_start(words, start);
    let mut end = None;
    for index in name..words.len().min(name + NAME_WORDS_MAX) {
        let word = plain(words[index]);
        let stands_before = |word: &&str| is_direction(word) || stands_before_lead(&plain(word));
        let leads = words[name..index].iter().all(stands_before);
        if leads && is_lead_word(&word) && words.get(index + 1).is_some_and(|next| is_number_of_road(next)) {
            end = Some(index + 2);
            break;
        }
        // `Farm to Market Road 1431`
        if leads && word.as_str() == "to" && words.get(index + 1).is_some_and(|next| *plain(next) == *"market") {
            continue;
        }
        // `1234 rue Saint-Paul`: the name follows the kind.
        if index == name && matches!(word.as_str(), "rue" | "boul" | "chemin" | "montée" | "rang" | "côte") {
            let names = words[index + 1..].iter().take(NAME_WORDS_MAX).take_while(|word| is_name_word(word)).count();
            end = (names > 0).then_some(index + 1 + names);
            break;
        }
        // `1234 South 700 East`: the grid of Utah.
        if index == name && is_direction(words[name]) && is_grid(words, name + 1) {
            end = Some(index + 3);
            break;
        }
        if index == name && is_numbered_street(words, name) && is_sure_number(words[start]) {
            end = Some(index + 2);
            break;
        }
        // `100 US-1`
        if is_road_with_number(words[index]) {
            end = Some(index + 1);
            break;
        }
        if index > name && is_street_word(&word) || (index == name && word.as_str() == "broadway") {
            end = Some(index + 1);
            break;
        }
        if !(is_name_word(words[index]) || is_ordinal(words[index]) || is_street_word(&word)) {
            return None;
        }
    }
    Some(units(words, direction(words, end_of_kind(words, end?))))
}

/// Where the words end that belong to the kind of a street: more such words, a side road, the number of a highway.
fn end_of_kind(words: &[&str], mut end: usize) -> usize {
    // `Center Point Dr`: the last of several such words ends the street, but `Main St St Louis` goes on with a town.
    while words
        .get(end)
        .is_some_and(|word| is_street_word(&plain(word)) && !matches!(plain(word).as_str(), "st" | "ext"))
    {
        end += 1;
    }
    // `I-35 Frontage Road`
    while words.get(end).is_some_and(|word| is_side_road_word(&plain(word)))
        && words.get(end + 1).is_some_and(|word| is_street_word(&plain(word)))
    {
        end += 2;
    }
    let is_numbered = matches!(
        plain(words[end - 1]).as_str(),
        "highway" | "hwy" | "route" | "rte" | "road" | "rd" | "rt" | "avenue" | "ave"
    );
    if is_numbered && words.get(end).is_some_and(|word| is_number_of_road(word)) {
        end += 1;
    }
    end
}

/// `700 East`.
fn is_grid(words: &[&str], at: usize) -> bool {
    let number =
        words.get(at).is_some_and(|word| (3..=5).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit()));
    number && words.get(at + 1).is_some_and(|word| is_direction(word) && word.starts_with(char::is_uppercase))
}

/// Skips a direction after the street: `St NW`. One in full (`South`) may start the town's name instead.
fn direction(words: &[&str], end: usize) -> usize {
    let Some(word) = words.get(end) else { return end };
    let next = words.get(end + 1);
    let is_last = next.is_none_or(|next| next.starts_with('#') || is_unit_word(&plain(next)));
    let taken = is_short_direction(word) || (is_last && is_long_direction(&plain(word)));
    end + usize::from(taken)
}

/// Skips suites, floors and buildings: `Suite 200 2nd Floor`.
fn units(words: &[&str], from: usize) -> usize {
    let mut end = from;
    while let Some(next) = unit(words, end) {
        end = next;
    }
    end
}

/// Where the suite or floor that starts at `at` ends.
fn unit(words: &[&str], at: usize) -> Option<usize> {
    let word = *words.get(at)?;
    let simple = plain(word);
    let next = words.get(at + 1).copied();
    if word.starts_with('#') {
        return Some(if word.len() == 1 && next.is_some() { at + 2 } else { at + 1 });
    }
    let is_counted = is_ordinal(word) || is_ordinal_word(&simple);
    if is_counted && next.is_some_and(|next| is_floor_word(&plain(next))) {
        return Some(at + 2);
    }
    if is_bare_unit(&simple) && !next.is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit())) {
        return Some(at + 1);
    }
    // `Garden Level`
    if matches!(simple.as_str(), "garden" | "plaza" | "lobby" | "street")
        && next.is_some_and(|next| *plain(next) == *"level")
    {
        return Some(at + 2);
    }
    if !is_unit_word(&simple) {
        return None;
    }
    let next = next?;
    // `Suite No. 200`
    if matches!(next, "No." | "No" | "no.") && words.get(at + 2).is_some_and(|word| is_house_number(word)) {
        return Some(at + 3);
    }
    let id = next.trim_matches(['#', ',', '.']);
    let has_digit = id.bytes().any(|b| b.is_ascii_digit()) && id.len() <= 14;
    let is_letters = (1..=2).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_uppercase());
    let is_word = is_number_word(&plain(next));
    if next == "#" {
        return Some((at + 3).min(words.len()));
    }
    if !(has_digit || is_letters || is_word) {
        return None;
    }
    // `Suite A & B`
    let is_pair = words.get(at + 2) == Some(&"&") && words.get(at + 3).is_some_and(|word| word.len() <= 5);
    Some(if is_pair { at + 4 } else { at + 2 })
}

/// The suite or floor that a segment starts with, and what follows it.
pub(crate) fn unit_start(segment: &str) -> Option<(&str, &str)> {
    let words: Vec<&str> = segment.split_ascii_whitespace().take(WORDS_MAX).collect();
    let end = units(&words, 0);
    let last = words.get(end.checked_sub(1)?)?;
    let to = offset(segment, last) + last.len();
    Some((&segment[..to], segment[to..].trim_start()))
}

/// `PO Box 12`, `P. O. Box 608`, `Post Office Box 9`.
fn post_box<'t>(segment: &'t str, words: &[&'t str]) -> Option<Street<'t>> {
    let at = words.iter().position(|word| is_box_word(word))?;
    let number = words.get(at + 1).filter(|word| word.bytes().any(|b| b.is_ascii_digit()) && word.len() <= 10)?;
    // `Box 12` and nothing else.
    let is_alone = words.len() == 2 && number.bytes().all(|b| b.is_ascii_digit()) && words[at].starts_with('B');
    let is_joined = is_alone || !matches!(plain(words[at]).as_str(), "box" | "drawer");
    let mut letters = String::new();
    let mut start = at;
    if let Some(route) = (!is_joined).then(|| rural_route(words, at)).flatten() {
        start = route;
        letters.push_str("po");
    }
    while !is_joined && start > 0 && letters.len() < 12 && !matches!(letters.as_str(), "po" | "postoffice" | "gpo") {
        start -= 1;
        let part: String = plain(words[start]).chars().filter(char::is_ascii_alphabetic).collect();
        letters.insert_str(0, &part);
    }
    let is_box = is_joined || matches!(letters.as_str(), "po" | "postoffice" | "gpo");
    let from = offset(segment, words[start]);
    let to = offset(segment, number) + number.len();
    let (text, rest) = (segment[from..to].trim_end_matches(','), segment[to..].trim_start());
    is_box.then_some(Street { text, rest, certainty: Certainty::Sure, is_box: true })
}

/// `Box`, `P.O.Box`, `POB`.
fn is_box_word(word: &str) -> bool {
    if word.len() > 8 || !word.starts_with(['B', 'b', 'D', 'd', 'P', 'p', 'G']) {
        return false;
    }
    let letters: String = word.chars().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_lowercase()).collect();
    matches!(letters.as_str(), "box" | "drawer" | "pobox" | "gpobox")
        || (letters == "pob" && word.starts_with('P') && !word.ends_with(':'))
}

/// Where `RR 2` or `Rural Route 2` starts that stands before the box at `at`; also `HC 64` and `PSC 3`.
fn rural_route(words: &[&str], at: usize) -> Option<usize> {
    let number = at.checked_sub(1)?;
    if !is_house_number(words[number]) {
        return None;
    }
    let route = number.checked_sub(1)?;
    match words[route].trim_matches(',') {
        "RR" | "R.R." | "HC" | "PSC" | "HCR" | "RFD" | "CMR" => Some(route),
        "Route" | "Rt." | "Rt" => Some(route - usize::from(route > 0 && words[route - 1] == "Rural")),
        _ => None,
    }
}

/// `6B Liberty`: nothing but a house number and a name. A year before a name is none: `2024 Acme`.
fn is_plain_street(words: &[&str]) -> bool {
    let Some((number, name)) = words.split_first() else { return false };
    let is_year = number.len() == 4 && (number.starts_with("19") || number.starts_with("20"));
    let has_name = name.iter().any(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 2);
    let named = &name[..name.len().min(units_start(name))];
    is_house_number(number) && !is_year && has_name && (1..=5).contains(&named.len()) && are_names(named)
}

/// Where the suite starts in the words after a house number.
fn units_start(words: &[&str]) -> usize {
    (0..words.len()).find(|at| unit(words, *at).is_some()).unwrap_or(words.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streets_end_where_the_town_starts() {
        for (segment, street, rest) in [
            ("325 Cherry Street Bridgeport", "325 Cherry Street", "Bridgeport"),
            ("2151 Harvey Mitchell Rd #219 College Station", "2151 Harvey Mitchell Rd #219", "College Station"),
            ("3390 De La Cruz Blvd Santa Clara", "3390 De La Cruz Blvd", "Santa Clara"),
            ("98 Patterson Rd SW Lawrenceville", "98 Patterson Rd SW", "Lawrenceville"),
            ("123 Main St St. Louis", "123 Main St", "St. Louis"),
            ("123 Main St South Bend", "123 Main St", "South Bend"),
            ("287 Park Avenue South", "287 Park Avenue South", ""),
            ("5501 U.S. Hwy 30 W", "5501 U.S. Hwy 30 W", ""),
            ("80 South 8th Street", "80 South 8th Street", ""),
            ("3065 Brighton 2nd St #1077 Brooklyn", "3065 Brighton 2nd St #1077", "Brooklyn"),
            ("located at 1364 Beverly Road Suite 105", "1364 Beverly Road Suite 105", ""),
            ("LLC 81 Prospect St. Brooklyn", "81 Prospect St.", "Brooklyn"),
            ("Six Concourse Parkway", "Six Concourse Parkway", ""),
            ("500 Broadway Floor 2 Denver", "500 Broadway Floor 2", "Denver"),
            ("12 Highway 6 South", "12 Highway 6 South", ""),
            ("120 St. Charles Ave 31st Floor", "120 St. Charles Ave 31st Floor", ""),
            ("P. O. Box 608", "P. O. Box 608", ""),
            ("PO Box 12 Austin", "PO Box 12", "Austin"),
            ("P.O.Box 12", "P.O.Box 12", ""),
            ("POB 12 Austin", "POB 12", "Austin"),
            ("RR 2 Box 45", "RR 2 Box 45", ""),
            ("Rural Route 2 Box 45A Canton", "Rural Route 2 Box 45A", "Canton"),
            ("HC 64 Box 12", "HC 64 Box 12", ""),
            ("1234 S 700 E Provo", "1234 S 700 E", "Provo"),
            ("1234 South 700 East, Suite 4", "1234 South 700 East, Suite 4", ""),
            ("1234 rue Saint-Paul O", "1234 rue Saint-Paul O", ""),
            ("1234 boul. des Laurentides", "1234 boul. des Laurentides", ""),
            ("6B Liberty", "6B Liberty", ""),
            ("1 Apple Park Way", "1 Apple Park Way", ""),
            ("100 Avenue A", "100 Avenue A", ""),
            ("7155 Post Rd", "7155 Post Rd", ""),
            ("100 US-1", "100 US-1", ""),
            ("W3249 County Rd K", "W3249 County Rd K", ""),
            ("86 - 90 Paul Street", "86 - 90 Paul Street", ""),
        ] {
            let found = find(segment).map(|street| (street.text, street.rest));
            assert_eq!(found, Some((street, rest)), "{segment}");
        }
    }

    #[test]
    fn rarer_kinds_of_streets_and_roads_are_known() {
        for (segment, street, rest) in [
            ("4500 & 4502 Main St", "4500 & 4502 Main St", ""),
            ("1420 Elm Ridge Austin", "1420 Elm Ridge", "Austin"),
            ("1420 Elm Ridge Dr Austin", "1420 Elm Ridge Dr", "Austin"),
            ("1420 Forest Park Village Suite 4", "1420 Forest Park Village Suite 4", ""),
            ("1200 W 6th Austin", "1200 W 6th", "Austin"),
            ("4500 Camino del Rio South", "4500 Camino del Rio South", ""),
            ("4500 Calle Real Austin", "4500 Calle Real", "Austin"),
            ("4500 RM 620", "4500 RM 620", ""),
            ("4500 IH-35 Frontage Road Austin", "4500 IH-35 Frontage Road", "Austin"),
            ("4500 Old US 41", "4500 Old US 41", ""),
            ("4500 Ranch to Market Road 620", "4500 Ranch to Market Road 620", ""),
            ("4500 Loop 360 S", "4500 Loop 360 S", ""),
            ("12 Elm St Suite No. 200 Austin", "12 Elm St Suite No. 200", "Austin"),
            ("12 Elm St Suite A & B Austin", "12 Elm St Suite A & B", "Austin"),
            ("12 Elm St Rear Austin", "12 Elm St Rear", "Austin"),
            ("12 Elm St Garden Level", "12 Elm St Garden Level", ""),
            ("Box 120", "Box 120", ""),
            ("1420 50 Street Edmonton", "1420 50 Street", "Edmonton"),
            ("1420 - 50 Avenue SE", "1420 - 50 Avenue SE", ""),
            ("Hwy 71 West", "Hwy 71 West", ""),
            ("US Highway 290 E Suite 4", "US Highway 290 E Suite 4", ""),
            ("State Route 12 & County Road 5", "State Route 12 & County Road 5", ""),
            ("Calle San Francisco 255", "Calle San Francisco 255", ""),
            ("#5 Village Square", "#5 Village Square", ""),
            ("Level 2/45 King Street", "Level 2/45 King Street", ""),
        ] {
            let found = find(segment).map(|street| (street.text, street.rest));
            assert_eq!(found, Some((street, rest)), "{segment}");
        }
    }

    #[test]
    fn other_numbers_are_no_streets() {
        for segment in [
            "",
            "Austin",
            "2024 Acme",
            "3 beds 2 baths",
            "in 2013 we moved to the street",
            "12",
            "Box of 12",
            "Xbox 360",
            "Lunch Box 12",
            "4 Box 12",
            "12 South 3 East",
            "Gift Box 120",
            "12 people moved to the hill",
            "2019 to Market",
            "4 Offices Inc",
            "10 of the best ways",
            "Suite 200",
            "Route planner",
            "Highway 61 Revisited",
            "Old Road",
            "Calle Ocho",
        ] {
            assert!(find(segment).is_none(), "{segment}");
        }
        assert_eq!(unit_start("Floor 4 Denver"), Some(("Floor 4", "Denver")));
        assert_eq!(unit_start("Suite 2450"), Some(("Suite 2450", "")));
        assert_eq!(unit_start("Denver"), None);
    }
}
