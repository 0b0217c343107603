//! The hours of a restaurant that gives them by meals: it is open when one of them is served.
//!
//! `Lunch: Tue-Fri 11:30-2` alone says nothing of the evening; two meals or more say when it is open.

use crate::document::Document;
use crate::explain;
use crate::facts::Method;
use crate::finders::Finder;
use crate::hours::block;
use crate::hours::labels::{self, Label};
use crate::hours::tokens::Token;
use crate::hours::week::Week;
use crate::hours::{HoursMention, LABELLED_STANDING, Line, TextReader, mentioned};

/// Lines above the first time in which a meal, or the days of several, may be named.
const ABOVE_LINES: usize = 2;
/// Lines that are read.
const LINES_MAX: usize = 16;
/// Days that make hours without a label those of the business.
const DAYS_MIN: usize = 5;

/// When a meal is served; this decides between morning and afternoon where the times do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meal {
    Breakfast,
    Lunch,
    Dinner,
}

const MEALS: [(&str, Meal); 14] = [
    ("breakfast", Meal::Breakfast),
    ("brunch", Meal::Breakfast),
    ("lunch", Meal::Lunch),
    ("dinner", Meal::Dinner),
    ("supper", Meal::Dinner),
    ("desayuno", Meal::Breakfast),
    ("almuerzo", Meal::Lunch),
    ("colazione", Meal::Breakfast),
    ("pranzo", Meal::Lunch),
    ("cena", Meal::Dinner),
    ("déjeuner", Meal::Lunch),
    ("dejeuner", Meal::Lunch),
    ("dîner", Meal::Dinner),
    ("diner", Meal::Dinner),
];

/// Longest of their names in any case, in bytes.
const NAME_BYTES_MAX: usize = 9;

/// The meal that a line begins with, and what follows its name.
fn meal(line: &str) -> Option<(Meal, &str)> {
    let end = line.find(|c: char| !c.is_alphabetic()).unwrap_or(line.len());
    // Most lines begin with a longer word, with a shorter one or with none.
    let word = line.get(..end).filter(|word| (4..=NAME_BYTES_MAX).contains(&word.len()))?.to_lowercase();
    MEALS.iter().find(|(name, _)| *name == word).map(|(_, meal)| (*meal, &line[end..]))
}

/// The hours of the meals around the line with a time, and the line after them.
pub(super) fn read(reader: &mut TextReader<'_>, index: usize, is_english: bool) -> Option<(HoursMention, usize)> {
    let document = reader.document;
    let floor = index.saturating_sub(ABOVE_LINES).max(reader.floor);
    let mut first = (floor..=index).find(|line| meal(document.line(*line).0).is_some())?;
    let mut served = Served::default();
    if first > floor
        && let Some(above) =
            reader.split(first - 1).filter(|line| line.has_days && !line.has_times && line.is_of_hours())
    {
        first -= 1;
        served.days = above.tokens;
    }
    let mut next = first + usize::from(!served.days.is_empty());
    while next < document.lines.len() && next - first < LINES_MAX && served.take(reader, next) {
        next += 1;
    }
    let week = served.week(is_english)?;
    let text = text_of(document, first, next)?;
    let standing = match labels::of(document, first, "") {
        Label::Own => LABELLED_STANDING,
        // Hotels serve breakfast and dinner.
        Label::None if week.known() >= DAYS_MIN && served.has(Meal::Lunch) && served.has(Meal::Dinner) => {
            LABELLED_STANDING - 1
        }
        _ => return None,
    };
    explain::accepted(Finder::Hours, "the hours of several meals", text);
    Some((mentioned(&week, text, Method::Text, standing), next))
}

fn text_of<'d>(document: &'d Document<'_>, first: usize, next: usize) -> Option<&'d str> {
    let end = document.lines.get(next).map_or(document.text.len(), |line| line.start);
    document.text.get(document.lines[first].start..end)
}

/// What was read so far.
#[derive(Default)]
struct Served {
    /// Days that stand alone above meals.
    days: Vec<Token>,
    meals: Vec<(Meal, Vec<Token>)>,
}

impl Served {
    /// Takes a line; `false` if it is no part of the hours.
    fn take(&mut self, reader: &mut TextReader<'_>, index: usize) -> bool {
        let text = reader.document.line(index).0;
        if let Some((meal, rest)) = meal(text) {
            let line = Line::of(rest, reader.language);
            let belongs = line.tokens.is_empty() || line.is_of_hours();
            if belongs {
                self.meals.push((meal, Vec::new()));
                self.add(&line);
            }
            return belongs;
        }
        let Some(line) = reader.split(index).filter(Line::is_of_hours) else { return false };
        let Some((_, tokens)) = self.meals.last() else { return false };
        if line.has_days && !line.has_times && tokens.iter().any(is_time) {
            self.days = line.tokens;
        } else {
            self.add(&line);
        }
        true
    }

    fn add(&mut self, line: &Line) {
        let Some((_, tokens)) = self.meals.last_mut() else { return };
        if tokens.is_empty() && !line.has_days && line.has_times {
            tokens.extend(&self.days);
        }
        tokens.extend(&line.tokens);
        tokens.push(Token::Break);
    }

    fn has(&self, meal: Meal) -> bool {
        self.meals.iter().any(|(served, _)| *served == meal)
    }

    /// The week in which the business is open for one meal or another.
    fn week(&self, is_english: bool) -> Option<Week> {
        let served: Vec<&(Meal, Vec<Token>)> =
            self.meals.iter().filter(|(_, tokens)| tokens.iter().any(is_time)).collect();
        let (first, _) = served.first()?;
        if served.iter().all(|(meal, _)| meal == first) {
            return None;
        }
        let mut week = Week::default();
        for (meal, tokens) in served {
            week.join(&block::week_of(tokens, is_english, Some(*meal)).ok()?);
        }
        Some(week)
    }
}

fn is_time(token: &Token) -> bool {
    matches!(token, Token::Time(..))
}
