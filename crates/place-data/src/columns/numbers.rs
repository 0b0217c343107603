//! Numbers as people write them.

/// Ratings are out of five.
const RATING_MAX: f64 = 5.0;

/// A decimal number, with a point or a comma.
pub(super) fn decimal(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.,eE".contains(&byte));
    let text = if text.contains('.') { text.to_owned() } else { text.replacen(',', ".", 1) };
    text.parse().ok().filter(|number: &f64| is_number && number.is_finite())
}

/// A rating, 0 to 5: `4.5`, `4,5`, `4.5 stars`, `4.5/5`, `9/10`.
pub(super) fn rating(text: &str) -> Option<f64> {
    let (given, best) = text.split_once('/').map_or((text, None), |(given, best)| (given, Some(best)));
    let given = decimal(given.split_whitespace().next()?)?;
    let best = best.map_or(Some(RATING_MAX), |best| decimal(best.split_whitespace().next()?))?;
    let rating = if best == RATING_MAX { given } else { given / best * RATING_MAX };
    (best >= 1.0 && (0.0..=RATING_MAX).contains(&rating)).then_some(rating)
}

/// A count: `1,234`, `1.234`, `1 234`, `(12)`, `12 reviews`, `12.0`.
pub(super) fn count(text: &str) -> Option<i64> {
    let text = text.trim_matches(|letter: char| letter.is_whitespace() || "()+".contains(letter));
    let is_part = |letter: char| letter.is_ascii_digit() || ".,' \u{a0}\u{202f}\u{2019}".contains(letter);
    let end = text.find(|letter| !is_part(letter)).unwrap_or(text.len());
    let number = text[..end].trim_end();
    let whole = number.rsplit_once('.').filter(|(_, rest)| rest.bytes().all(|byte| byte == b'0') && rest.len() != 3);
    let number = whole.map_or(number, |(whole, _)| whole);
    let mut groups = number.split(|letter: char| !letter.is_ascii_digit());
    let first = groups.next().filter(|group| !group.is_empty())?;
    let rest: Vec<&str> = groups.collect();
    let is_grouped = rest.is_empty() || (first.len() <= 3 && rest.iter().all(|group| group.len() == 3));
    is_grouped.then(|| format!("{first}{}", rest.concat()).parse().ok()).flatten()
}

/// A share, 0 to 1: `0.95`, `95%`.
pub(super) fn share(text: &str) -> Option<f64> {
    let share = match text.strip_suffix('%') {
        Some(percent) => decimal(percent)? / 100.0,
        None => decimal(text)?,
    };
    (0.0..=1.0).contains(&share).then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_read_in_all_their_spellings() {
        for (text, expected) in [
            ("4.5", Some(4.5)),
            ("4,5", Some(4.5)),
            ("4.5 stars", Some(4.5)),
            ("4.5/5", Some(4.5)),
            ("9/10", Some(4.5)),
            ("0", Some(0.0)),
            ("5.1", None),
            ("-1", None),
            ("inf", None),
            ("4/0", None),
            ("good", None),
            ("", None),
        ] {
            assert_eq!(rating(text), expected, "{text}");
        }
    }

    #[test]
    fn counts_are_read_with_and_without_separators() {
        for (text, expected) in [
            ("12", Some(12)),
            ("1,234", Some(1234)),
            ("1.234", Some(1234)),
            ("1.234.567", Some(1_234_567)),
            ("1 234", Some(1234)),
            ("1'234", Some(1234)),
            ("12.0", Some(12)),
            ("(12)", Some(12)),
            ("12 reviews", Some(12)),
            ("0", Some(0)),
            ("12,34", None),
            ("4.5", None),
            ("many", None),
            ("-3", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(count(text), expected, "{text}");
        }
        assert_eq!((share("95%"), share("0,5"), share("1.5")), (Some(0.95), Some(0.5), None));
    }
}
