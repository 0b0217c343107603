//! Digit groups that are dates, times, year ranges or network addresses, and so no phone numbers.

/// How many groups at the start of `groups` are a date with its time, a range of years or of times; 0 if none.
pub(crate) fn date_groups(text: &str, groups: &[(usize, usize)]) -> usize {
    if let Some(range) = years(text, groups).or_else(|| times(text, groups)) {
        return range;
    }
    if !is_date(text, groups) {
        return 0;
    }
    // `05.03.2024 10:30`, `05.03.2024 - 10h30`
    let is_hour = |(from, to): &(usize, usize)| to - from <= 2 && text[*to..].starts_with([':', 'h']);
    3 + usize::from(groups.get(3).is_some_and(is_hour))
}

/// Whether a group is the hour of a time: `9:00`, `9h30`.
pub(crate) fn is_hour(text: &str, (from, to): (usize, usize)) -> bool {
    let after = text.as_bytes().get(to..).unwrap_or(&[]);
    to - from <= 2 && matches!(after, [b':' | b'h', digit, ..] if digit.is_ascii_digit())
}

/// Whether the first three groups are a date: `05.03.2024`, `2024-03-05`, `5/3/24`.
pub(crate) fn is_date(text: &str, groups: &[(usize, usize)]) -> bool {
    let [first, second, third, rest @ ..] = groups else { return false };
    let Some(mark) = mark_between(text, *first, *second) else { return false };
    if mark_between(text, *second, *third) != Some(mark) {
        return false;
    }
    let [a, b, c] = [*first, *second, *third].map(|group| value(text, group));
    let day_and_month =
        |one: usize, two: usize| (1..=31).contains(&one) && (1..=31).contains(&two) && one.min(two) <= 12;
    match [*first, *second, *third].map(|(from, to)| to - from) {
        [1 | 2, 1 | 2, 4] => day_and_month(a, b) && is_year(c),
        [4, 1 | 2, 1 | 2] => is_year(a) && (1..=12).contains(&b) && (1..=31).contains(&c),
        // `01.02.03.04.05` is a French number.
        [1 | 2, 1 | 2, 2] => {
            let goes_on = rest.first().is_some_and(|next| mark_between(text, *third, *next) == Some(mark));
            day_and_month(a, b) && !goes_on && rest.len() <= 1
        }
        _ => false,
    }
}

/// `2001 - 2014`, `2014/2015`: two groups.
fn years(text: &str, groups: &[(usize, usize)]) -> Option<usize> {
    let [first, second, ..] = groups else { return None };
    let four = |(from, to): (usize, usize)| to - from == 4;
    let (one, two) = (value(text, *first), value(text, *second));
    (four(*first) && four(*second) && is_year(one) && is_year(two) && two >= one && two - one < 80).then_some(2)
}

/// `9.00 - 18.00`: four groups.
fn times(text: &str, groups: &[(usize, usize)]) -> Option<usize> {
    let [open, open_minutes, close, close_minutes, ..] = groups else { return None };
    let minutes = |group: (usize, usize)| {
        group.1 - group.0 == 2 && value(text, group).is_multiple_of(15) && value(text, group) < 60
    };
    let hour = |group: (usize, usize)| group.1 - group.0 <= 2 && value(text, group) <= 24;
    let dotted = mark_between(text, *open, *open_minutes) == Some('.')
        && mark_between(text, *close, *close_minutes) == Some('.');
    let dashed = matches!(mark_between(text, *open_minutes, *close), Some('-'));
    (dotted && dashed && hour(*open) && hour(*close) && minutes(*open_minutes) && minutes(*close_minutes)).then_some(4)
}

/// Whether the groups are an address such as `192.168.0.1`.
pub(crate) fn is_network_address(text: &str, groups: &[(usize, usize)]) -> bool {
    let [a, b, c, d] = groups else { return false };
    let is_part = |group: &(usize, usize)| group.1 - group.0 <= 3 && value(text, *group) <= 255;
    let dotted = [(a, b), (b, c), (c, d)].iter().all(|(one, next)| text[one.1..next.0] == *".");
    dotted && [a, b, c, d].into_iter().all(is_part)
}

/// The dot, slash or hyphen between two groups, when it is the only mark there.
fn mark_between(text: &str, one: (usize, usize), next: (usize, usize)) -> Option<char> {
    match text[one.1..next.0].trim() {
        "." => Some('.'),
        "/" => Some('/'),
        "-" | "\u{2010}" | "\u{2011}" | "\u{2012}" | "\u{2013}" | "\u{2014}" => Some('-'),
        _ => None,
    }
}

fn value(text: &str, (from, to): (usize, usize)) -> usize {
    text.get(from..to).and_then(|digits| digits.parse().ok()).unwrap_or(usize::MAX)
}

fn is_year(value: usize) -> bool {
    (1900..2100).contains(&value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::StepBudget;
    use crate::phones::runs;

    fn check(text: &str, expect: usize) {
        let mut found = 0;
        runs::scan(text, &StepBudget::default(), |run| found = found.max(date_groups(text, &run.groups)));
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn dates_and_times_are_recognised() {
        for (text, expect) in [
            ("05.03.2024 10:30", 4),
            ("05.03.2024, x", 3),
            ("09/12/2015 - 08h34", 4),
            ("2014-12-09 07", 3),
            ("5/3/24", 3),
            ("2001 - 2014", 2),
            ("9.00 - 18.00", 4),
            ("12.24.2023", 3),
            ("01.02.03.04.05", 0),
            ("02 54 58 41 41", 0),
            ("030 901820", 0),
            ("55.55.2020", 0),
            ("5550 0100", 0),
        ] {
            check(text, expect);
        }
    }

    #[test]
    fn network_addresses_are_recognised() {
        let groups = |text: &str| {
            let mut found = Vec::new();
            runs::scan(text, &StepBudget::default(), |run| found = run.groups.clone());
            found
        };
        for (text, expect) in [("192.168.0.1", true), ("331.65.66.55", false), ("192.168.0", false), ("1 2 3 4", false)]
        {
            assert_eq!(is_network_address(text, &groups(text)), expect, "{text}");
        }
    }
}
