//! Which half of the day a time is in, as the words after it say.

/// How a time says which half of the day it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Half {
    Am,
    Pm,
    /// Of 24 hours: `14:30`, `08:00`, `8 Uhr`.
    Full,
    /// It does not: `9`, `9:30`.
    Unsaid,
}

/// Marks after a time.
const MARKS: [(&str, Half); 13] = [
    ("a.m.", Half::Am),
    ("a.m", Half::Am),
    ("a. m.", Half::Am),
    ("am", Half::Am),
    ("p.m.", Half::Pm),
    ("p.m", Half::Pm),
    ("p. m.", Half::Pm),
    ("pm", Half::Pm),
    ("uhr", Half::Full),
    ("h", Half::Full),
    ("u", Half::Full),
    ("a", Half::Am),
    ("p", Half::Pm),
];

/// Words after a time that mean the same.
const WORDS: [(&str, Half); 16] = [
    (" noon", Half::Pm),
    (" midnight", Half::Am),
    (" in the morning", Half::Am),
    (" in the afternoon", Half::Pm),
    (" in the evening", Half::Pm),
    (" at night", Half::Pm),
    (" de la mañana", Half::Am),
    (" de la tarde", Half::Pm),
    (" de la noche", Half::Pm),
    (" du matin", Half::Am),
    (" de l'après-midi", Half::Pm),
    (" du soir", Half::Pm),
    (" di mattina", Half::Am),
    (" del mattino", Half::Am),
    (" del pomeriggio", Half::Pm),
    (" di sera", Half::Pm),
];

/// What stands directly after a time, and its length.
pub(super) fn after_time(rest: &str) -> (Half, usize) {
    let blank = rest.len() - rest.trim_start_matches(' ').len();
    let text = &rest[blank..];
    let found = match text.as_bytes().first().map(u8::to_ascii_lowercase) {
        Some(b'a' | b'p' | b'u' | b'h') => MARKS.iter().find(|(mark, _)| is_mark(mark, text, blank)),
        _ => None,
    };
    if let Some((mark, half)) = found {
        return (*half, blank + mark.len());
    }
    let found = (blank == 1).then(|| WORDS.iter().find(|(words, _)| starts_with(rest, words))).flatten();
    found.map_or((Half::Unsaid, 0), |(words, half)| (*half, words.len()))
}

fn is_mark(mark: &str, text: &str, blank: usize) -> bool {
    // A lone `a` joined to the number only: in Spanish it means `to`.
    let may_stand_apart = mark.len() > 1 || blank == 0 || mark == "h";
    may_stand_apart && starts_with(text, mark) && ends(&text[..mark.len()], &text[mark.len()..])
}

fn starts_with(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

/// Whether a mark ends where the rest begins. The next cell may be joined to it: `9 AM - 5 PMTue`.
fn ends(mark: &str, rest: &str) -> bool {
    let mut next = rest.chars();
    match next.next() {
        Some(first) if first.is_alphabetic() => {
            mark.len() > 1 && first.is_uppercase() && next.next().is_some_and(char::is_lowercase)
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_the_day_are_read() {
        for (rest, expect) in [
            ("am", (Half::Am, 2)),
            (" p.m. to", (Half::Pm, 5)),
            (" Uhr", (Half::Full, 4)),
            (" a 18", (Half::Unsaid, 0)),
            ("amazing", (Half::Unsaid, 0)),
            (" PMThu", (Half::Pm, 3)),
            (" PMS", (Half::Unsaid, 0)),
            (" in the morning until", (Half::Am, 15)),
            (" de la tarde", (Half::Pm, 12)),
            (" noon to", (Half::Pm, 5)),
            ("", (Half::Unsaid, 0)),
        ] {
            assert_eq!(after_time(rest), expect, "{rest:?}");
        }
    }
}
