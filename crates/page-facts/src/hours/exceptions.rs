//! What a block of hours says of parts of days, of holidays and of breaks, beside the hours of the week.

use crate::hours::block::{BlockReader, Part, Refusal, Times};
use crate::hours::tokens::Token;

/// Tokens between `closed` and the time of a break.
const BREAK_TOKENS_MAX: usize = 6;

impl BlockReader<'_> {
    /// `daily except Mondays`: the days after the word, if it comes next.
    pub(super) fn excepted_days(&mut self) -> Vec<usize> {
        let count = |from: usize| self.tokens[from..].iter().take_while(|token| **token == Token::Filler).count();
        let word = self.at + count(self.at);
        if self.tokens.get(word) != Some(&Token::Except) {
            return Vec::new();
        }
        let days = word + 1 + count(word + 1);
        if !matches!(self.tokens.get(days), Some(Token::Day(_) | Token::Days(..))) {
            self.at = word + 1;
            return Vec::new();
        }
        self.at = days;
        self.days().0
    }

    /// `Wednesday afternoon closed`, `holidays closed`: says nothing of whole days of every week.
    pub(super) fn part_of_a_day(&mut self) {
        self.at += 1;
        let gap = self.tokens[self.at..].iter().take_while(|token| **token == Token::Filler).count();
        if self.tokens.get(self.at + gap) == Some(&Token::Closed) {
            self.at += gap + 1;
        }
    }

    /// Whether the holiday is a day of the week, which stands before it, and nothing else of it is said.
    pub(super) fn is_day_off(&self) -> bool {
        let is_end = matches!(self.tokens.get(self.at + 1), None | Some(Token::Break));
        is_end && matches!(self.tokens[..self.at].last(), Some(Token::Day(_)))
    }

    /// Whether `and` stands before the holidays: `Sundays and bank holidays`.
    pub(super) fn is_joined_to_days(&self) -> bool {
        let mut before = self.tokens[..self.at].iter().rev();
        before.find(|token| !matches!(token, Token::Word | Token::Filler)) == Some(&Token::And)
    }

    /// `closed Wednesday afternoons`, `closed all major holidays`, after the first word: skips the days.
    pub(super) fn is_of_some_days(&mut self) -> bool {
        let is_day = |token: &Token| matches!(token, Token::Day(_) | Token::Days(..) | Token::Filler | Token::And);
        let count = |is: &dyn Fn(&Token) -> bool| self.tokens[self.at..].iter().take_while(|token| is(token)).count();
        let days = count(&is_day);
        let words = count(&|token| matches!(token, Token::Word | Token::Filler));
        let end = if self.tokens.get(self.at + days) == Some(&Token::HalfDay) {
            days
        } else if self.tokens.get(self.at + words) == Some(&Token::Holiday) {
            words
        } else {
            return false;
        };
        self.at += end + 1;
        true
    }

    /// `closed for lunch 12-1`, after the first word: takes the break out of the hours before it.
    pub(super) fn is_break_of(&mut self, hours: Option<&mut Part>) -> Result<bool, Refusal> {
        let is_gap = |token: &Token| matches!(token, Token::Filler | Token::Word | Token::Break);
        let gap = self.tokens[self.at..].iter().take(BREAK_TOKENS_MAX).take_while(|token| is_gap(token)).count();
        let range = self.tokens.get(self.at + gap..self.at + gap + 3);
        let (
            Some(Part::Times(Times::Spans(spans))),
            Some([Token::Time(open, first), Token::To, Token::Time(close, second)]),
        ) = (hours, range)
        else {
            return Ok(false);
        };
        let [(from, to)] = spans[..] else { return Ok(false) };
        let (pause, resume) = self.span((*open, *first), (*close, *second), Some(12 * 60))?;
        if from < pause && pause < resume && resume < to {
            *spans = vec![(from, pause), (resume, to)];
            self.at += gap + 3;
            return Ok(true);
        }
        Ok(false)
    }
}
