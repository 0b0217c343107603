//! Reads opening hours from sentences: `Our shop is open Tuesday to Saturday from 10 to 6, and closed on Sunday`.

use crate::document::Document;
use crate::explain;
use crate::facts::Method;
use crate::finders::Finder;
use crate::hours::labels;
use crate::hours::languages::Language;
use crate::hours::season;
use crate::hours::tokens::{Token, lex};
use crate::hours::{BYTE_STEPS, HoursMention, LABELLED_STANDING, LINE_STEPS, mention};

/// Longest line and longest sentence that are read, in bytes.
const LINE_BYTES_MAX: usize = 3_000;
const SENTENCE_BYTES_MAX: usize = 300;
/// Words between the first day or time and the last one that are neither.
const WORDS_MAX: usize = 3;
/// Digits of a number that is no time but a phone number.
const PHONE_DIGITS_MIN: usize = 7;
/// Fewest days with hours.
const DAYS_MIN: usize = 2;

/// The opening hours that sentences of a line state: of one sentence, or of several that each name a season.
pub(super) fn read(document: &Document<'_>, index: usize, language: Language, is_english: bool) -> Vec<HoursMention> {
    let (line, _) = document.line(index);
    if line.len() > LINE_BYTES_MAX || !document.budget.spend(line.len()) || !labels::is_own(line) {
        return Vec::new();
    }
    let mut found = sentences(line).filter_map(|sentence| {
        let may_be = sentence.len() <= SENTENCE_BYTES_MAX && labels::is_own(sentence) && !labels::is_other(sentence);
        if !may_be || !document.budget.spend(LINE_STEPS + BYTE_STEPS * sentence.len()) {
            return None;
        }
        let mut found = of_sentence(sentence, language, is_english && !labels::is_foreign(sentence))?;
        found.season = season::of(sentence);
        explain::accepted(Finder::Hours, "a sentence about the opening hours", sentence);
        Some(found)
    });
    let Some(first) = found.next() else { return Vec::new() };
    match first.season {
        Some(_) => std::iter::once(first).chain(found.filter(|found| found.season.is_some())).collect(),
        None => vec![first],
    }
}

fn of_sentence(sentence: &str, language: Language, is_english: bool) -> Option<HoursMention> {
    let mut tokens = Vec::new();
    lex(sentence, false, language, &mut tokens);
    let is_day = |token: &Token| matches!(token, Token::Day(_) | Token::Days(..));
    let is_time = |token: &Token| matches!(token, Token::Time(..));
    let is_part = |token: &Token| is_day(token) || is_time(token) || *token == Token::Closed;
    let first = tokens.iter().position(is_part)?;
    let last = tokens.iter().rposition(is_part)?;
    let inside = &tokens[first..=last];
    let has_range = inside.windows(3).any(|w| is_time(&w[0]) && w[1] == Token::To && is_time(&w[2]));
    let words = inside.iter().filter(|token| **token == Token::Word).count();
    let is_apart = inside.contains(&Token::Number) || tokens.contains(&Token::Zone);
    if !has_range || !inside.iter().any(is_day) || words > WORDS_MAX || is_apart {
        return None;
    }
    mention(inside, sentence, (Method::Text, LABELLED_STANDING - 1), is_english).filter(|found| found.days >= DAYS_MIN)
}

/// The sentences of a line. A full stop ends one after a word of four letters or more, not after `a.m.` or `Mon.`; after a phone
/// number; and before the name of a season.
fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.match_indices(['.', '!', '?']).map(|(at, _)| at).find(|at| {
            let word = rest[..*at].rsplit(' ').next().unwrap_or("");
            let is_long = word.chars().filter(|c| c.is_alphabetic()).count() > 3;
            let is_phone = word.bytes().filter(u8::is_ascii_digit).count() >= PHONE_DIGITS_MIN;
            let next = rest[at + 1..].strip_prefix(' ');
            next.is_some_and(|next| is_long || is_phone || season::starts(next))
        });
        let (sentence, left) = end.map_or((rest, ""), |at| (&rest[..at], &rest[at + 2..]));
        rest = left;
        Some(sentence)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_into_sentences() {
        let found: Vec<&str> = sentences("We open at 8 a.m. Monday. Come in! Closed on Sun. and Mon. too").collect();
        assert_eq!(found, ["We open at 8 a.m. Monday", "Come in! Closed on Sun. and Mon. too"]);
    }
}
