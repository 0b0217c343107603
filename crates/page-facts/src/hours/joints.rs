//! What words between times, before and after them mean for the times: `between 9 and 5`, `5pm till late`, `ab 17 Uhr`.

use crate::hours::tokens::{Half, Token};
use crate::hours::week::LATE;

/// Gives times without an end the time [`LATE`]: `5pm till late`, `5pm onwards`, `ab 17 Uhr`.
pub(super) fn open_ends(tokens: &mut Vec<Token>, first: usize) {
    let is_time = |token: Option<&Token>| matches!(token, Some(Token::Time(..)));
    let late = Token::Time(LATE, Half::Full);
    let mut at = first;
    while at < tokens.len() {
        match tokens[at] {
            Token::Late if at > first + 1 && tokens[at - 1] == Token::To && is_time(tokens.get(at - 2)) => {
                tokens[at] = late;
            }
            Token::Late if at > first && is_time(tokens.get(at - 1)) => {
                tokens.splice(at..=at, [Token::To, late]);
            }
            Token::Late => tokens[at] = Token::Word,
            Token::After => {
                tokens[at] = Token::Filler;
                let end = at + 2 + usize::from(tokens.get(at + 2) == Some(&Token::Filler));
                if is_time(tokens.get(at + 1)) && tokens.get(end) != Some(&Token::To) {
                    tokens.splice(at + 2..at + 2, [Token::To, late]);
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// Turns `between 9 and 5` into `from 9 to 5`.
pub(super) fn join_between(tokens: &mut [Token]) {
    let mut is_between = false;
    for at in 0..tokens.len() {
        let is_time = |token: Option<&Token>| matches!(token, Some(Token::Time(..)));
        let joins = at > 0 && is_time(tokens.get(at - 1)) && is_time(tokens.get(at + 1));
        match tokens[at] {
            Token::Between => (is_between, tokens[at]) = (true, Token::Filler),
            Token::And if is_between && joins => (is_between, tokens[at]) = (false, Token::To),
            _ => {}
        }
    }
}
