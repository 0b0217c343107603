//! What a block of hours says of parts of days, of holidays and of breaks, beside the hours of the week.

use crate::hours::block::{BlockReader, Part, Refusal, Times};
use crate::hours::tokens::Token;

/// Tokens between `closed` and the time of a break.
const BREAK_TOKENS_MAX: usize = 6;

impl BlockReader<'_> {
    /// `Wednesday afternoon closed`, `holidays closed`: says nothing of whole days of every week.
    pub(super) fn part_of_a_day(&mut self) {
        self.at += 1;
        let gap = self.tokens[self.at..].iter().take_while(|token| **token == Token::Filler).count();
        if self.tokens.get(self.at + gap) == Some(&Token::Closed) {
            self.at += gap + 1;
        }
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
