//! Days in one or two letters: `M-F`, `L-V`, and several in a row without a sign between them: `MWF`, `TTh`.

use crate::hours::tokens::Token;

/// How days are written in such a row; the longer ones first.
const LETTERS: [(&str, usize); 9] =
    [("Th", 3), ("Tu", 1), ("Sa", 5), ("M", 0), ("T", 1), ("W", 2), ("R", 3), ("F", 4), ("S", 5)];

/// The first day of a row and the length of its letters. `is_within` says that the word goes on with a row that has begun.
pub(super) fn first_day(word: &str, is_within: bool) -> Option<(usize, usize)> {
    // `MF` is from Monday to Friday.
    if word.len() > 8 || word == "MF" {
        return None;
    }
    let mut days = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        let (letters, day) = LETTERS.iter().find(|(letters, _)| rest.starts_with(letters))?;
        if days.last().is_some_and(|(last, _)| last >= day) {
            return None;
        }
        days.push((*day, letters.len()));
        rest = &rest[letters.len()..];
    }
    (days.len() > 1 || is_within).then(|| days.first().copied()).flatten()
}

/// Whether a text begins with a number: what follows a row of days.
pub(super) fn is_before_time(after: &str) -> bool {
    after.trim_start_matches([':', ' ']).starts_with(|c: char| c.is_ascii_digit())
}

/// Days in one letter: `M-F`, `M/W/F`, `T/Th`, `L-V`. Only beside other days. Also zones in two capitals.
pub(super) fn day(word: &str, after: &str, before: &[Token]) -> Option<Token> {
    let last = before.last();
    let is_joined = matches!(last, Some(Token::To | Token::And));
    let has_day = before.iter().any(|token| matches!(token, Token::Day(_)));
    let next = after.trim_start_matches(['-', '–', '/', ',', '&', ' ']);
    let joins = after.starts_with(['-', '–', '/', ',', '&']);
    let goes_on = |letters: &[&str]| {
        joins
            && letters
                .iter()
                .any(|day| next.strip_prefix(day).is_some_and(|rest| !rest.starts_with(char::is_alphabetic)))
    };
    match word {
        "M" if after.starts_with(['-', '–']) || goes_on(&["T", "Tu", "W", "Th", "F"]) => Some(Token::Day(0)),
        "T" if goes_on(&["Th", "TH", "F", "R"]) || (has_day && is_joined && joins) => Some(Token::Day(1)),
        "W" if has_day && is_joined => Some(Token::Day(2)),
        "F" if last == Some(&Token::To)
            || (has_day && (is_joined || after.starts_with(|c: char| c.is_ascii_digit()))) =>
        {
            Some(Token::Day(4))
        }
        "S" | "Su" if last == Some(&Token::To) => Some(Token::Day(6)),
        // `M-F 8-5, S 9-1`
        "S" if has_day && !matches!(last, Some(Token::Day(_))) && after.starts_with(|c: char| c.is_ascii_digit()) => {
            Some(Token::Day(5))
        }
        "L" if goes_on(&["V"]) || after.strip_prefix("a ").is_some_and(|rest| rest.starts_with('V')) => {
            Some(Token::Day(0))
        }
        "V" if has_day && last == Some(&Token::To) => Some(Token::Day(4)),
        "ET" | "CT" | "MT" | "PT" => Some(Token::Zone),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_letters_is_read_day_by_day() {
        for (word, first) in [
            ("MWF", Some((0, 1))),
            ("TTh", Some((1, 1))),
            ("TuTh", Some((1, 2))),
            ("MTWThF", Some((0, 1))),
            ("MF", None),
            ("TM", None),
            ("MW2", None),
            ("F", None),
            ("", None),
        ] {
            assert_eq!(first_day(word, false), first, "{word}");
        }
        assert_eq!(first_day("F", true), Some((4, 1)));
    }
}
