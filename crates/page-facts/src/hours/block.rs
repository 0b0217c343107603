//! Puts the days and times of neighbouring lines together to a week, and decides between morning and afternoon.

use crate::hours::assign::assign;
use crate::hours::meals::Meal;
use crate::hours::tokens::{Half, Token};
use crate::hours::week::{DAY_MINUTES, LATE, Span, Week};

/// Tokens of a block that are read.
const TOKENS_MAX: usize = 400;
/// Latest closing time after midnight, in minutes.
const NIGHT_MINUTES: u16 = 5 * 60;
/// Shortest break between two spans of a day, in minutes.
pub(super) const BREAK_MINUTES: u16 = 15;

/// Hours that apply to some days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Times {
    Spans(Vec<Span>),
    Closed,
}

/// A part of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// Days, and whether each stands on a line of its own.
    Days(Vec<usize>, bool),
    Times(Times),
}

/// Why a block gives no hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    NoHours,
    /// It cannot be decided whether a time is in the morning or in the afternoon.
    Undecided,
    /// A day has several different hours: a timetable of courses or services.
    Timetable,
}

impl Refusal {
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Refusal::NoHours => "days without opening hours",
            Refusal::Undecided => "morning or afternoon cannot be decided",
            Refusal::Timetable => "a day with several hours: a timetable",
        }
    }
}

/// The week that a block of tokens describes; `is_english` allows hours of half a day.
pub(crate) fn week(tokens: &[Token], is_english: bool) -> Result<Week, Refusal> {
    week_of(tokens, is_english, None)
}

/// The week in which a meal is served.
pub(super) fn week_of(tokens: &[Token], is_english: bool, meal: Option<Meal>) -> Result<Week, Refusal> {
    let tokens = &tokens[..tokens.len().min(TOKENS_MAX)];
    let has_full = tokens.iter().any(|token| matches!(token, Token::Time(minutes, Half::Full) if (*minutes > 12 * 60 && *minutes != LATE) || (*minutes < 600 && *minutes > 0)));
    let reader = BlockReader { tokens, at: 0, is_full: has_full || !is_english, meal };
    let parts = reader.parts()?;
    assign(&parts)
}

/// The days that tokens name, one bit each.
pub(crate) fn days_of(tokens: &[Token]) -> u8 {
    let mut reader = BlockReader { tokens, at: 0, is_full: true, meal: None };
    let mut days = 0;
    while reader.at < tokens.len() {
        match reader.tokens[reader.at] {
            Token::Day(_) | Token::Days(..) => {
                days |= reader.days().0.iter().fold(0, |days, day| days | 1 << day);
            }
            _ => reader.at += 1,
        }
    }
    days
}

pub(super) struct BlockReader<'t> {
    pub(super) tokens: &'t [Token],
    pub(super) at: usize,
    /// Times are of 24 hours.
    is_full: bool,
    meal: Option<Meal>,
}

impl BlockReader<'_> {
    fn parts(mut self) -> Result<Vec<Part>, Refusal> {
        let mut parts = Vec::new();
        // Days that are left out, and days that are closed besides.
        let (mut left_out, mut closed) = (Vec::new(), Vec::new());
        while let Some(token) = self.tokens.get(self.at) {
            match token {
                Token::Day(_) | Token::Days(..) => {
                    let (mut days, stacked) = self.days();
                    let excepted = self.excepted_days();
                    days.retain(|day| !excepted.contains(day));
                    parts.push(Part::Days(days, stacked));
                    left_out.extend(excepted);
                }
                // `every day from 10 to 6 except Tuesdays`
                Token::Except if matches!(parts.last(), Some(Part::Times(_))) => {
                    closed.extend(self.excepted_days());
                }
                Token::Time(..) => {
                    if let Some(times) = self.times()? {
                        parts.push(Part::Times(times));
                    }
                }
                Token::HalfDay => self.part_of_a_day(),
                // `Sunday: Holiday`
                Token::Holiday if self.is_day_off() => {
                    parts.push(Part::Times(Times::Closed));
                    self.at += 1;
                }
                // `Sundays and holidays closed` is about Sundays too.
                Token::Holiday if !self.is_joined_to_days() => self.part_of_a_day(),
                Token::Closed => {
                    self.at += 1;
                    if !self.is_of_some_days() && !self.is_break_of(parts.last_mut())? {
                        parts.push(Part::Times(Times::Closed));
                    }
                }
                Token::AllDay => {
                    parts.push(Part::Times(Times::Spans(vec![(0, DAY_MINUTES)])));
                    self.at += 1;
                }
                _ => self.at += 1,
            }
        }
        // `Mon-Sat except Wed 9-5, Wed 9-1`: not closed.
        left_out.retain(|day| !parts.iter().any(|part| matches!(part, Part::Days(days, _) if days.contains(day))));
        closed.extend(left_out);
        if !closed.is_empty() {
            let are_times_first = matches!(parts.first(), Some(Part::Times(_)));
            let (days, times) = (Part::Days(closed, false), Part::Times(Times::Closed));
            parts.extend(if are_times_first { [times, days] } else { [days, times] });
        }
        Ok(parts)
    }

    /// `Mon-Wed, Fri`, `Mo, Di und Do`, or days below each other, and whether each stands on a line of its own.
    pub(super) fn days(&mut self) -> (Vec<usize>, bool) {
        let mut found: Vec<usize> = Vec::new();
        let mut stacked = false;
        loop {
            match self.tokens.get(self.at) {
                Some(Token::Day(first)) => {
                    let range = (self.tokens.get(self.at + 1), self.tokens.get(self.at + 2));
                    if let (Some(Token::To), Some(Token::Day(last))) = range {
                        let length = (last + 7 - first) % 7;
                        found.extend((0..=length).map(|step| (first + step) % 7));
                        self.at += 3;
                    } else {
                        found.push(*first);
                        self.at += 1;
                    }
                }
                Some(Token::Days(first, last)) => {
                    found.extend(*first..=*last);
                    self.at += 1;
                }
                _ => break,
            }
            let mut next = self.at;
            while match self.tokens.get(next) {
                Some(Token::And | Token::Break) => true,
                // `le dimanche et le lundi`
                Some(Token::Filler) => next > self.at,
                _ => false,
            } {
                next += 1;
            }
            if next == self.at || !matches!(self.tokens.get(next), Some(Token::Day(_) | Token::Days(..))) {
                break;
            }
            stacked |= self.tokens[self.at..next].contains(&Token::Break);
            self.at = next;
        }
        found.dedup();
        (found, stacked)
    }

    /// `8-12, 14-18`.
    fn times(&mut self) -> Result<Option<Times>, Refusal> {
        let mut spans: Vec<Span> = Vec::new();
        // Where the last span ended.
        let mut at = self.at;
        while let (Some(Token::Time(open, first)), Some(Token::To), Some(Token::Time(close, second))) =
            (self.tokens.get(self.at), self.tokens.get(self.at + 1), self.tokens.get(self.at + 2))
        {
            let start = self.at;
            self.at += 3;
            let last = spans.last().map(|span| span.1);
            let span = self.span((*open, *first), (*close, *second), last)?;
            if last.is_some_and(|last| span.0 < last + BREAK_MINUTES) {
                // On a line of its own it may belong to another day.
                if self.tokens[at..start].contains(&Token::Break) {
                    self.at = start;
                    break;
                }
                return Err(Refusal::Timetable);
            }
            spans.push(span);
            at = self.at;
            let is_gap =
                |token: &Token| matches!(token, Token::And | Token::To | Token::Filler | Token::Zone | Token::Break);
            let gap = self.tokens[at..].iter().take_while(|token| is_gap(token)).count();
            if !matches!(self.tokens.get(at + gap), Some(Token::Time(..))) {
                break;
            }
            self.at += gap;
        }
        if spans.is_empty() {
            self.at += 1;
            return Ok(None);
        }
        Ok(Some(Times::Spans(spans)))
    }

    /// Decides between morning and afternoon. `last` is when the span before it on the same day ends.
    pub(super) fn span(&self, open: (u16, Half), close: (u16, Half), last: Option<u16>) -> Result<Span, Refusal> {
        let noon = 12 * 60;
        let ((from, first), (to, second)) = (open, close);
        let span = match (first, second) {
            (Half::Unsaid, Half::Am) => (from % noon, to),
            // `9-5pm` opens in the morning, `1-5pm` in the afternoon; `8-9pm` may be either.
            (Half::Unsaid, Half::Pm) if from >= to - noon => (from % noon + if from >= noon { noon } else { 0 }, to),
            (Half::Unsaid, Half::Pm) if from < 7 * 60 => (from + noon, to),
            (Half::Am | Half::Pm, Half::Unsaid) if first == Half::Am && to == noon => (from, noon),
            (Half::Am, Half::Unsaid) if to <= from => (from, to + noon),
            (Half::Pm, Half::Unsaid) if to + noon > from && to < noon => (from, to + noon),
            // `5 till late`: whoever opens before seven opens in the afternoon.
            (Half::Unsaid, Half::Full) if to == LATE && !self.is_full => match from < 7 * 60 {
                true => (from + noon, LATE),
                false => return Err(Refusal::Undecided),
            },
            (Half::Unsaid, Half::Unsaid) if !self.is_full && self.is_after_noon(from) => {
                (from + noon, if to < noon { to + noon } else { to })
            }
            (Half::Unsaid, Half::Unsaid) if !self.is_full => return unsaid(from, to, last),
            (Half::Unsaid, Half::Pm) | (Half::Am | Half::Pm, Half::Unsaid) => return Err(Refusal::Undecided),
            _ => (from, to),
        };
        check(span)
    }
}

impl BlockReader<'_> {
    /// Whether a meal tells that it is served from this time in the afternoon or evening.
    fn is_after_noon(&self, from: u16) -> bool {
        match self.meal {
            Some(Meal::Dinner) => from < 12 * 60,
            Some(Meal::Lunch) => from < 6 * 60,
            Some(Meal::Breakfast) | None => false,
        }
    }
}

/// `9-5`, `8-12`, `1-5` after a morning.
fn unsaid(from: u16, to: u16, last: Option<u16>) -> Result<Span, Refusal> {
    let noon = 12 * 60;
    let opens_early = (5 * 60..=noon).contains(&from);
    if last.is_some_and(|last| last <= 14 * 60) && from < 6 * 60 && from < to {
        return check((from + noon, to + noon));
    }
    if from == noon && to < noon {
        return check((from, to + noon));
    }
    if opens_early && to < from {
        return check((from, to + noon));
    }
    if (7 * 60..noon).contains(&from) && to == noon {
        return check((from, to));
    }
    Err(Refusal::Undecided)
}

/// A span must have a length, and end on the same day or early the next.
fn check((open, close): Span) -> Result<Span, Refusal> {
    if (open, close) == (0, 0) {
        return Ok((0, 0));
    }
    let close = if close == 0 || close == DAY_MINUTES - 1 { DAY_MINUTES } else { close };
    if open == DAY_MINUTES || open == close || (close < open && close > NIGHT_MINUTES) {
        return Err(Refusal::Undecided);
    }
    Ok((open, close))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hours::tokens::lex;

    fn read(text: &str) -> String {
        let mut tokens = Vec::new();
        for line in text.lines() {
            lex(line, false, crate::hours::languages::Language::default(), &mut tokens);
            tokens.push(Token::Break);
        }
        let is_english = !text.contains("Uhr") && !text.contains("Lun");
        week(&tokens, is_english).map_or_else(|refusal| format!("{refusal:?}"), |week| week.to_string())
    }

    #[test]
    fn blocks_become_weeks() {
        for (text, expect) in [
            ("Mon-Fri 8:30 am - 5:30 pm", "Mo-Fr 08:30-17:30"),
            ("Monday: 9-5", "Mo 09:00-17:00"),
            ("Mon-Fri 8-12", "Mo-Fr 08:00-12:00"),
            ("Mon-Fri 8-12, 1-5", "Mo-Fr 08:00-12:00,13:00-17:00"),
            ("Montag bis Freitag 8-12, 14-18 Uhr", "Mo-Fr 08:00-12:00,14:00-18:00"),
            ("Lun-Ven 9h-18h", "Mo-Fr 09:00-18:00"),
            ("8am to 6pm Mon to Fri\n9am to 1pm Sat", "Mo-Fr 08:00-18:00; Sa 09:00-13:00"),
            ("Mon-Fri: 7:30 am-5:00 pm\nSat: Closed\nSun: Closed", "Mo-Fr 07:30-17:00; Sa,Su off"),
            ("Monday\n7am - 5pm\nTuesday\n8am - 4pm", "Mo 07:00-17:00; Tu 08:00-16:00"),
            ("Monday\nTuesday\n7am - 5pm\n8am - 4pm", "Mo 07:00-17:00; Tu 08:00-16:00"),
            ("Mon - Sun 24 hours", "24/7"),
            ("Daily 11am - 2am", "Mo-Su 11:00-02:00"),
            ("Mon-Fri 9am-5\nSat 10-2pm", "Mo-Fr 09:00-17:00; Sa 10:00-14:00"),
            ("Mon,Tue,Thu 9:00-17:00", "Mo,Tu,Th 09:00-17:00"),
            ("Mo 09:00-18:00, Tu 09:00-18:00, , ", "Mo,Tu 09:00-18:00"),
            ("Mon-Fri 8am-12pm\nMon-Fri 1pm-5pm", "Mo-Fr 08:00-12:00,13:00-17:00"),
            ("Sa,Su 00:00-00:00\nMo-Fr 08:00-16:30", "Mo-Fr 08:00-16:30; Sa,Su off"),
            ("Mon-Fri 9am - midnight", "Mo-Fr 09:00-24:00"),
            ("Saturday by appointment\nSunday 9am-1pm", "Su 09:00-13:00"),
            ("Mon-Fri 8-5 Sat 9-1 Mon-Fri 7-4", "Mo-Fr 08:00-17:00; Sa 09:00-13:00"),
        ] {
            assert_eq!(read(text), expect, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_decided_is_refused() {
        for (text, expect) in [
            ("Mon-Fri 7-7", "Undecided"),
            ("Mon-Fri 6-10", "Undecided"),
            ("Mo-Sa 10:00-06:00", "Undecided"),
            ("Mon-Fri 8-9pm", "Undecided"),
            ("Sunday 1:00-3:00pm\nSunday 3:00-5:00pm", "Timetable"),
            ("Monday", "NoHours"),
            ("9am-5pm", "NoHours"),
            ("Mo-Su 00:00-00:00", "NoHours"),
        ] {
            assert_eq!(read(text), expect, "{text}");
        }
    }
}
