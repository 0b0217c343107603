//! The part of the year that hours are of: `Summer hours`, `May – October`, `1. November bis 31. März`.

use crate::word_set::WordSet;

/// Longest line that names a season, in bytes.
const LINE_BYTES_MAX: usize = 90;
/// Words of a line that are examined.
const WORDS_MAX: usize = 16;

/// A part of the year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Season {
    /// From and to, each a month from 0 and a day.
    Months((usize, u8), (usize, u8)),
    /// A word, where the months are not said.
    Named(&'static str),
}

const NAMES: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The months in the main languages. Short forms that are words of their own are left out.
static MONTHS: [WordSet; 12] = [
    WordSet::new("january jan januar jänner janvier enero gennaio januari janeiro"),
    WordSet::new("february feb februar février fevrier febrero febbraio februari fevereiro"),
    WordSet::new("march märz maerz mars marzo maart março"),
    WordSet::new("april apr avril abril aprile"),
    WordSet::new("may mai mayo maggio mei maio"),
    WordSet::new("june jun juni juin junio giugno junho"),
    WordSet::new("july jul juli juillet julio luglio julho"),
    WordSet::new("august aug août aout agosto augustus"),
    WordSet::new("september sep sept septembre septiembre settembre setembro"),
    WordSet::new("october oct oktober okt octobre octubre ottobre outubro"),
    WordSet::new("november nov novembre noviembre novembro"),
    WordSet::new("december dec dezember dez décembre decembre diciembre dicembre dezembro"),
];

/// Words between two months.
static JOINTS: WordSet = WordSet::new("to through thru until till bis au à a al hasta tot en met t m fino até ao");

/// Starts of words that name half of the year.
const HALVES: [(&str, &str); 11] = [
    ("summer", "summer"),
    ("sommer", "summer"),
    ("zomer", "summer"),
    ("verano", "summer"),
    ("été", "summer"),
    ("estiv", "summer"),
    ("winter", "winter"),
    ("hiver", "winter"),
    ("invierno", "winter"),
    ("inverno", "winter"),
    ("invernal", "winter"),
];

/// What German and Dutch join to the name of a season; a `Wintergarten` is none.
const JOINED: [&str; 6] = ["öffnung", "zeit", "saison", "halbjahr", "tijd", "seizoen"];

/// Words after the name of a season that make it a label; `Winter Park` is a town.
static AFTER: WordSet = WordSet::new(
    "hours hour opening schedule season times timetable open months horaires horario horarios orari orario öffnungszeiten
     saison openingstijden seizoen from ab vom von",
);

/// The season that a line names.
pub(crate) fn of(line: &str) -> Option<Season> {
    if line.len() > LINE_BYTES_MAX {
        return None;
    }
    let words: Vec<&str> =
        line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).take(WORDS_MAX).collect();
    months(&words).or_else(|| half(line, &words))
}

/// Whether a text starts with the name of a season or of a month.
pub(crate) fn starts(text: &str) -> bool {
    let word = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    month(word).is_some() || name(word).is_some()
}

/// Whether a line names more than one season.
pub(crate) fn are_several(line: &str) -> bool {
    let mut names = line.split(|c: char| !c.is_alphanumeric()).filter_map(name);
    names.next().is_some_and(|first| names.any(|other| other != first))
}

/// The half of the year that a word names.
fn name(word: &str) -> Option<&'static str> {
    let lower = word.to_lowercase();
    HALVES.iter().find(|(start, _)| lower.starts_with(start)).map(|(_, name)| *name)
}

fn month(word: &str) -> Option<usize> {
    // `we may close`: in English months are written with a capital.
    (word != "may").then(|| MONTHS.iter().position(|names| names.contains_any_case(word))).flatten()
}

/// `Nov-Mar`: alone `Mar` is a Tuesday in other languages.
fn march(words: &[&str], at: usize) -> Option<usize> {
    let is_beside = |at: Option<usize>| at.and_then(|at| words.get(at)).is_some_and(|word| month(word).is_some());
    (words[at] == "Mar" && (is_beside(at.checked_sub(1)) || is_beside(Some(at + 1)))).then_some(2)
}

/// `May – October`, `from May 1 to September 30`, `1. November bis 31. März`.
fn months(words: &[&str]) -> Option<Season> {
    let places: Vec<(usize, usize)> = (0..words.len())
        .filter_map(|at| month(words[at]).or_else(|| march(words, at)).map(|month| (at, month)))
        .collect();
    let [(first_at, first), (last_at, last)] = places[..] else { return None };
    let is_between = |word: &&str| day(word).is_some() || JOINTS.contains_any_case(word);
    if first == last && last_at == first_at + 1 || !words[first_at + 1..last_at].iter().all(is_between) {
        return None;
    }
    let from = first_at.checked_sub(1).and_then(|at| day(words[at]));
    // `June 1 to August 31` has days after the months, `1 juin au 31 août` before them.
    let is_after = from.is_none() && words.get(first_at + 1).is_some_and(|word| day(word).is_some());
    let (from, to) = if is_after {
        (words.get(first_at + 1).and_then(|word| day(word)), words.get(last_at + 1).and_then(|word| day(word)))
    } else {
        (from, day(words[last_at - 1]).filter(|_| last_at > first_at + 1))
    };
    Some(Season::Months((first, from.unwrap_or(1)), (last, to.unwrap_or(31))))
}

/// A day of a month: `1`, `1st`, `1er`.
fn day(word: &str) -> Option<u8> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    (digits.len() <= 2 && word.len() <= digits.len() + 2)
        .then(|| digits.parse().ok())
        .flatten()
        .filter(|day| (1..=31).contains(day))
}

/// `Summer hours`, `Winteröffnungszeiten`, `im Winter`.
fn half(line: &str, words: &[&str]) -> Option<Season> {
    words.iter().enumerate().find_map(|(at, word)| {
        let lower = word.to_lowercase();
        let (start, name) = HALVES.iter().find(|(start, _)| lower.starts_with(start))?;
        let is_joined = JOINED.iter().any(|end| lower[start.len()..].starts_with(end));
        let is_label = words.get(at + 1).is_none_or(|next| AFTER.contains_any_case(next) || month(next).is_some());
        let is_before_sign = || {
            let after = line.split_once(*word).map_or("", |(_, after)| after.trim_start());
            after.starts_with([':', '(', '–', '-'])
        };
        (is_joined || is_label || is_before_sign()).then_some(Season::Named(name))
    })
}

/// The hours of each season of a page, in the order shown.
#[derive(Debug, Default)]
pub(crate) struct Seasons(Vec<(Season, String)>);

/// Seasons kept per page.
const SEASONS_MAX: usize = 8;

impl Seasons {
    /// Adds the hours of a season, unless it has some.
    pub(crate) fn add(&mut self, season: Season, hours: &str) {
        if self.0.len() < SEASONS_MAX && self.0.iter().all(|(known, _)| *known != season) {
            self.0.push((season, season.limit(hours)));
        }
    }

    /// The hours of all seasons.
    pub(crate) fn join(&self) -> String {
        self.0.iter().map(|(_, hours)| hours.as_str()).collect::<Vec<_>>().join("; ")
    }
}

impl Season {
    /// The hours of a week, said of this season only.
    pub(crate) fn limit(self, hours: &str) -> String {
        let rules: Vec<String> = hours.split("; ").map(|rule| self.limit_rule(rule)).collect();
        rules.join("; ")
    }

    fn limit_rule(self, rule: &str) -> String {
        match self {
            Season::Months((first, 1), (last, 28..)) => format!("{}-{} {rule}", NAMES[first], NAMES[last]),
            Season::Months((first, from), (last, to)) => {
                format!("{} {from:02}-{} {to:02} {rule}", NAMES[first], NAMES[last])
            }
            Season::Named(name) => format!("{rule} \"{name}\""),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_name_seasons() {
        for (line, expect) in [
            ("Summer Hours: May – October", "May-Oct Mo 09:00-17:00"),
            ("Geöffnet vom 1. November bis 31. März:", "Nov-Mar Mo 09:00-17:00"),
            ("Open May 15 to October 15", "May 15-Oct 15 Mo 09:00-17:00"),
            ("du 1er avril au 30 septembre", "Apr-Sep Mo 09:00-17:00"),
            ("07. Juli - 22. August", "Jul 07-Aug 22 Mo 09:00-17:00"),
            ("Winteröffnungszeiten", "Mo 09:00-17:00 \"winter\""),
            ("Summer", "Mo 09:00-17:00 \"summer\""),
            ("Summer: Mon-Fri 9am-6pm", "Mo 09:00-17:00 \"summer\""),
            ("Horaires d'été", "Mo 09:00-17:00 \"summer\""),
        ] {
            assert_eq!(of(line).map(|season| season.limit("Mo 09:00-17:00")).as_deref(), Some(expect), "{line}");
        }
        for line in
            ["Winter Park, FL 32789", "We may close in June", "Opening hours", "Mon-Fri 9-5", "Summerlin Animal Clinic"]
        {
            assert_eq!(of(line), None, "{line}");
        }
    }
}
