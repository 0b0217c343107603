//! Hours in cells of their own: `Monday | 8:00 | to | 5:00`, or opening and closing times below `Open` and `Close`.

use crate::document::Document;
use crate::hours::tokens::Token;
use crate::word_set::WordSet;

/// Rows of a day and two times that show without a heading what the times are.
const ROWS_MIN: usize = 3;

/// First words of headings above opening times, and above closing times.
static OPENS: WordSet =
    WordSet::new("open opens opening opened from start von öffnet ouverture ouvre apertura apre abre abertura");
static CLOSES: WordSet = WordSet::new(
    "close closes closing closed to until till end bis schließt fermeture ferme chiusura chiude cierre cierra",
);

/// Whether a line is nothing but one time, `to`, a dash or another sign.
pub(super) fn is_piece(tokens: &[Token]) -> bool {
    let is_sign = |token: &Token| matches!(token, Token::To | Token::And);
    let times = tokens.iter().filter(|token| matches!(token, Token::Time(..))).count();
    times <= 1 && tokens.iter().all(|token| is_sign(token) || matches!(token, Token::Time(..)))
}

/// Whether a line is a sign without a time.
pub(super) fn is_sign(tokens: &[Token]) -> bool {
    is_piece(tokens) && !tokens.iter().any(|token| matches!(token, Token::Time(..)))
}

/// Whether the lines above a block head columns of opening and closing times.
pub(super) fn are_headed(document: &Document<'_>, first: usize) -> bool {
    let heads = |above: usize, words: &WordSet| {
        let line = first.checked_sub(above).map_or("", |index| document.line(index).0);
        let word = line.split([' ', ':']).next().unwrap_or("");
        line.len() <= 24 && words.contains(&word.to_lowercase())
    };
    heads(1, &CLOSES) && heads(2, &OPENS)
}

/// Joins the pieces of a block: `8:00`, `to`, `5:00` on three lines, and the two times of each day.
pub(super) fn join(tokens: &mut Vec<Token>, are_headed: bool) {
    join_ranges(tokens);
    let rows: Vec<usize> = (0..tokens.len()).filter(|at| is_row(tokens, *at)).collect();
    let has_ranges = tokens.windows(2).any(|pair| matches!(pair, [Token::To, Token::Time(..)]));
    if are_headed || (rows.len() >= ROWS_MIN && !has_ranges) {
        rows.into_iter().for_each(|at| tokens[at + 1] = Token::To);
    }
}

/// Whether two times on lines of their own start here: after a day, and before another day or the end.
fn is_row(tokens: &[Token], at: usize) -> bool {
    let is_day = |token: Option<&Token>| matches!(token, None | Some(Token::Day(_) | Token::Days(..)));
    let before = at.checked_sub(2).and_then(|before| tokens.get(before..at));
    matches!(before, Some([Token::Day(_) | Token::Days(..), Token::Break]))
        && matches!(tokens.get(at..at + 4), Some([Token::Time(..), Token::Break, Token::Time(..), Token::Break]))
        && is_day(tokens.get(at + 4))
}

/// Takes away the ends of lines around a `to` that ends a line between two times or two days.
fn join_ranges(tokens: &mut Vec<Token>) {
    let kind = |token: Option<&Token>| match token {
        Some(Token::Time(..)) => 1,
        Some(Token::Day(_)) => 2,
        _ => 0,
    };
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        if *token == Token::To && tokens.get(at) == Some(&Token::Break) {
            let left = joined.iter().rposition(|token| *token != Token::Break);
            let side = kind(left.and_then(|left| joined.get(left)));
            if side > 0 && side == kind(tokens.get(at + 1)) {
                joined.truncate(left.map_or(0, |left| left + 1));
                at += 1;
            }
        }
        joined.push(*token);
    }
    *tokens = joined;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hours::languages::Language;
    use crate::hours::tokens::lex;

    fn tokens(text: &str) -> Vec<Token> {
        let mut tokens = Vec::new();
        for line in text.lines() {
            lex(line, false, Language::default(), &mut tokens);
            tokens.push(Token::Break);
        }
        tokens
    }

    #[test]
    fn pieces_are_joined() {
        for (text, are_headed, expect) in [
            ("Mon\n8:00\nto\n5:00", false, "Mon\n8:00 to 5:00"),
            ("Mo\n–\nFr\n8:00 – 18:00", false, "Mo – Fr\n8:00 – 18:00"),
            ("Mon\n8am\n5pm", true, "Mon\n8am - 5pm"),
            ("Mon\n8am\n5pm\nTue\n8am\n5pm\nWed\n9am\n1pm", false, "Mon\n8am - 5pm\nTue\n8am - 5pm\nWed\n9am - 1pm"),
            ("Sun\n9am\n11am\nWed\n7pm\n8pm", false, "Sun\n9am\n11am\nWed\n7pm\n8pm"),
            ("Wed 8:00 - 12:00\n-\nThu 8:00 - 12:00", false, "Wed 8:00 - 12:00\n-\nThu 8:00 - 12:00"),
        ] {
            let mut found = tokens(text);
            join(&mut found, are_headed);
            assert_eq!(found, tokens(expect), "{text}");
        }
    }

    #[test]
    fn headings_of_columns_are_recognised() {
        let are_headed = |html: &str| are_headed(&Document::parse(html), 3);
        assert!(are_headed("<p>Day<p>Open<p>Close<p>Monday"));
        assert!(are_headed("<p>Tag<p>Von:<p>Bis:<p>Montag"));
        assert!(!are_headed("<p>Day<p>Departs<p>Arrives<p>Monday"));
        assert!(!are_headed("<p>Day<p>Close<p>Open<p>Monday"));
    }
}
