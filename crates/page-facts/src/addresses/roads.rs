//! Roads that have a number instead of a name: `Hwy 71 West`, `US-1`, `State Route 12 & County Road 5`.

use crate::addresses::words::{is_house_number, is_long_direction, is_short_direction, plain, stands_before_lead};

/// Words before the kind of a numbered road: `Old US`.
const BEFORE_MAX: usize = 6;

/// Where the numbered road ends that the words begin with, or the crossing of several.
pub(super) fn end(words: &[&str]) -> Option<usize> {
    let mut end = end_of_one(words, 0)?;
    while matches!(words.get(end), Some(&("&" | "and" | "at"))) {
        end = end_of_one(words, end + 1)?;
    }
    Some(end)
}

/// Where the numbered road that starts at `from` ends.
fn end_of_one(words: &[&str], from: usize) -> Option<usize> {
    let before = words[from..].iter().take(BEFORE_MAX).take_while(|word| stands_before_lead(&plain(word))).count();
    let at = from + before;
    let word = *words.get(at)?;
    if !word.starts_with(char::is_uppercase) || !words[from].starts_with(char::is_uppercase) {
        return None;
    }
    if is_road_with_number(word) {
        return Some(any_direction(words, at + 1));
    }
    let kind = plain(word);
    let is_road =
        matches!(kind.as_str(), "highway" | "hwy" | "route" | "rte" | "rt" | "fm" | "rm" | "cr" | "sr" | "interstate");
    let is_counted = before > 0 && matches!(kind.as_str(), "road" | "rd");
    let has_number =
        words.get(at + 1).is_some_and(|next| is_number_of_road(next) && next.bytes().any(|b| b.is_ascii_digit()));
    ((is_road || is_counted) && has_number).then(|| any_direction(words, at + 2))
}

/// Skips a direction after a numbered road.
fn any_direction(words: &[&str], end: usize) -> usize {
    end + usize::from(words.get(end).is_some_and(|word| is_direction(word)))
}

/// The number of a highway, or the letter of an avenue.
pub(super) fn is_number_of_road(word: &str) -> bool {
    let word = word.trim_end_matches([',', '.']);
    let is_letter = word.len() == 1 && word.starts_with(|c: char| c.is_ascii_uppercase()) && !is_short_direction(word);
    is_letter || (word.len() <= 5 && word.starts_with(|c: char| c.is_ascii_digit()) && is_house_number(word))
}

/// `US-1`, `I-35`, `SR-44`.
pub(super) fn is_road_with_number(word: &str) -> bool {
    let word = word.trim_end_matches([',', '.']);
    word.split_once('-').is_some_and(|(road, number)| {
        let is_road =
            matches!(road, "US" | "I" | "IH" | "SR" | "CR" | "FM" | "RM" | "Hwy" | "HWY" | "Route" | "RT" | "Rt");
        is_road && number.len() <= 4 && number.starts_with(|c: char| c.is_ascii_digit())
    })
}

pub(super) fn is_direction(word: &str) -> bool {
    is_short_direction(word) || is_long_direction(&plain(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_roads_end_behind_their_direction() {
        let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
        for (text, expect) in [
            ("Hwy 71 West Suite 4", Some(3)),
            ("US-1 South", Some(2)),
            ("Old US Highway 41", Some(4)),
            ("County Road 5 & Route 9", Some(6)),
            ("Route 9 and on", None),
            ("highway 61", None),
            ("Highway", None),
        ] {
            assert_eq!(end(&words(text)), expect, "{text}");
        }
    }
}
