//! Splits a line of opening hours into days, times and the words between them.

use std::borrow::Cow;

use crate::hours::half;
pub(crate) use crate::hours::half::Half;
use crate::hours::joints::{join_between, open_ends};
use crate::hours::languages::{Language, phrase};
use crate::hours::letters;
use crate::word_set::WordSet;

/// A piece of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    /// Monday is 0.
    Day(usize),
    /// Several days in one word, as first and last: `daily`, `weekdays`.
    Days(usize, usize),
    /// Minutes after midnight, within the half of the day.
    Time(u16, Half),
    /// `-`, `to`, `bis`.
    To,
    /// `,`, `and`, `&`.
    And,
    Closed,
    /// `by appointment`: neither open nor closed.
    Appointment,
    /// `24 hours`, `24/7`.
    AllDay,
    /// `morning`, `Nachmittag`.
    HalfDay,
    /// `holidays`, on which nothing is known.
    Holiday,
    /// A word that may stand anywhere: `from`, `open`.
    Filler,
    /// `between`: the next `and` means `to`.
    Between,
    /// `except`: the days after it are no part of those before it.
    Except,
    /// `ab 17 Uhr`: the time after it has no end.
    After,
    /// `late`, `close`: an end that has no time.
    Late,
    /// A time zone, as customers far away need it.
    Zone,
    /// Any other word.
    Word,
    /// A number that is no time: a date, a price, a phone number.
    Number,
    /// The end of a line.
    Break,
}

/// Abbreviations of days that are common words when written small.
static CAPITALISED: WordSet =
    WordSet::new("mo tu we th fr sa su di mi do so ma wo vr za zo mer dim sam sat sun mar die en gio ven dom");

/// Longest word that is looked up, in bytes.
const WORD_BYTES_MAX: usize = 24;
/// Longest note in brackets that is looked at, in bytes.
const NOTE_BYTES_MAX: usize = 60;

/// Splits a line.
#[derive(Debug)]
pub(crate) struct Lexer<'t> {
    line: &'t str,
    at: usize,
    /// `800` and `1730` are times, as in structured data.
    packed: bool,
    language: Language,
    /// The next `/` joins two times: `9:00/13:00`.
    slash: bool,
    /// The next word goes on with a row of days: `MWF`.
    row: bool,
}

/// The tokens of a line.
pub(crate) fn lex(line: &str, packed: bool, language: Language, into: &mut Vec<Token>) {
    let first = into.len();
    let mut lexer = Lexer { line, at: 0, packed, language, slash: false, row: false };
    while let Some(c) = lexer.rest().chars().next() {
        if lexer.row {
            into.push(Token::And);
        }
        if c == '('
            && let Some(length) = some_weeks(lexer.rest())
        {
            lexer.at += length;
            continue;
        }
        let token = if c.is_ascii_digit() {
            Some(lexer.number())
        } else if c.is_alphabetic() {
            Some(lexer.word(&into[first..]))
        } else {
            lexer.at += c.len_utf8();
            if c == '/' && lexer.slash { Some(Token::To) } else { sign(c) }
        };
        into.extend(token);
    }
    join_between(&mut into[first..]);
    open_ends(into, first);
}

/// `(closed 1st Saturday of each month)`: a note on some weeks of a month, and its length.
fn some_weeks(text: &str) -> Option<usize> {
    let end = text.find(')').filter(|end| *end <= NOTE_BYTES_MAX)? + 1;
    let is_week = |word: &str| matches!(word, "1st" | "2nd" | "3rd" | "4th" | "first" | "second" | "third" | "last");
    text[1..end - 1].split(' ').any(is_week).then_some(end)
}

fn sign(c: char) -> Option<Token> {
    match c {
        '-' | '–' | '—' | '−' | '‑' | '~' => Some(Token::To),
        ',' | '&' | '+' | '/' | ';' | '|' | '·' | '•' => Some(Token::And),
        '$' | '€' | '£' | '%' | '#' | '@' => Some(Token::Number),
        _ => None,
    }
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.line[self.at..]
    }

    fn word(&mut self, before: &[Token]) -> Token {
        let last = before.last().copied();
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_alphabetic() && c != '\'' && c != '’').unwrap_or(rest.len());
        let end = self.joined(&rest[..end]).unwrap_or(end);
        let word = &rest[..end];
        self.at += end;
        if word.len() > WORD_BYTES_MAX {
            return Token::Word;
        }
        let after = rest[end..].trim_start_matches(['.', ' ']);
        if let Some(token) = self.row_of_days(word, after).or_else(|| letters::day(word, after, before)) {
            return token;
        }
        let mut buffer = [0; WORD_BYTES_MAX];
        let lower = lower_case(word, &mut buffer);
        let lower = lower.as_ref();
        if let Some((token, length)) = phrase(lower, &rest[end..]) {
            self.at += length;
            return token;
        }
        // `every day but Sunday`
        if lower == "but" && matches!(last, Some(Token::Days(0, 6))) {
            return Token::Except;
        }
        // `dalle 9 alle 18`
        if lower == "alle" && matches!(last, Some(Token::Time(..))) {
            return Token::To;
        }
        // `Mittwochnachmittag`
        if lower.strip_suffix('s').unwrap_or(lower).ends_with("mittag") && lower.len() > "mittags".len() {
            return Token::HalfDay;
        }
        let (known, is_local) = self.language.token(lower).unwrap_or((Token::Word, false));
        if matches!(known, Token::Day(_)) && rest[end..].starts_with("-feira") {
            self.at += "-feira".len();
        }
        let is_capital = word.starts_with(char::is_uppercase) || is_local;
        match known {
            Token::Day(_) if !is_capital && CAPITALISED.contains(lower) => Token::Word,
            Token::Day(_) if last == Some(Token::Number) => Token::Word,
            // `Le magasin est ouvert`: short names of zones are written in capitals.
            Token::Zone if word.len() <= 3 && !word.bytes().all(|b| b.is_ascii_uppercase()) => Token::Filler,
            // `We are open`: an abbreviation of two letters needs a sign, a number or a word such as `to` after it.
            Token::Day(_)
                if word.len() <= 2
                    && after.starts_with(char::is_alphabetic)
                    && !matches!(before, [.., Token::Day(_), Token::To])
                    && !self.is_joining(after) =>
            {
                Token::Word
            }
            known => known,
        }
    }

    /// The first day of a row such as `MWF`; the next word goes on behind it.
    fn row_of_days(&mut self, word: &str, after: &str) -> Option<Token> {
        let is_within = std::mem::take(&mut self.row);
        if !letters::is_before_time(after) {
            return None;
        }
        let (day, length) = letters::first_day(word, is_within)?;
        self.at -= word.len() - length;
        self.row = length < word.len();
        Some(Token::Day(day))
    }

    /// Where a day or `Closed` ends to which the next word is joined: `SunClosed`, as pages write it whose cells a style separates.
    fn joined(&self, word: &str) -> Option<usize> {
        let end =
            word.as_bytes().windows(2).position(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())?
                + 1;
        let known = self.language.token(&word.get(..end)?.to_lowercase());
        matches!(known, Some((Token::Day(_) | Token::Days(..) | Token::Closed, _))).then_some(end)
    }

    /// A time, `24 hours`, or another number.
    fn number(&mut self) -> Token {
        let start = self.at;
        let digits = self.take_digits();
        let rest = self.rest();
        if digits == "24"
            && let Some(length) = all_day(rest)
        {
            self.at += length;
            return Token::AllDay;
        }
        if digits == "7" && rest.get(..5).is_some_and(|next| next.eq_ignore_ascii_case(" days")) {
            self.at += 5;
            return Token::Days(0, 6);
        }
        if let [day @ b'2'..=b'6'] = digits.as_bytes()
            && self.language.numbers_days()
            && let Some(after) = rest.strip_prefix('ª')
        {
            let feira = [" feira", "-feira"].iter().find(|word| after.starts_with(**word));
            self.at += 'ª'.len_utf8() + feira.map_or(0, |word| word.len());
            return Token::Day(usize::from(day - b'2'));
        }
        if self.packed && (3..=4).contains(&digits.len()) {
            let (hour, minute) = digits.split_at(digits.len() - 2);
            return time(hour, minute, Half::Full);
        }
        if digits.len() == 4 && self.is_packed(start) {
            let (hour, minute) = digits.split_at(2);
            return time(hour, minute, Half::Full);
        }
        let is_joined = is_joined(self.line, start) && !std::mem::take(&mut self.slash);
        if digits.len() > 2 || is_joined {
            return self.not_a_time();
        }
        let mut minute = "0";
        let mut is_clock = false;
        if let Some(mark) = rest.chars().next().filter(|c| matches!(c, ':' | '.' | 'h' | 'H' | 'u' | '：'))
            && rest[mark.len_utf8()..].bytes().take(3).take_while(u8::is_ascii_digit).count() == 2
        {
            self.at += mark.len_utf8();
            minute = self.take_digits();
            is_clock = mark != '.';
        }
        self.slash = is_clock && is_clock_after_slash(self.rest());
        if !self.slash && self.is_number_still() {
            return self.not_a_time();
        }
        let half = self.half();
        let is_full =
            digits.starts_with('0') && is_clock || digits.parse::<u16>().is_ok_and(|hour| hour > 12 || hour == 0);
        time(digits, minute, if half == Half::Unsaid && is_full { Half::Full } else { half })
    }

    /// `0800 - 1700`: four digits on both sides of a dash. Years fail because of their minutes or come too late in the day.
    fn is_packed(&self, start: usize) -> bool {
        let is_dash = |c: char| matches!(c, '-' | '–' | '—' | ' ');
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (before, rest) = (&self.line[..start], self.rest());
        let left = before.strip_suffix(" to ").unwrap_or(before).trim_end_matches(is_dash);
        let left = left.strip_suffix("hrs").unwrap_or(left).trim_end_matches(' ');
        let right = rest.trim_start_matches(' ');
        let right = right.strip_prefix("hrs").unwrap_or(right).trim_start_matches(' ');
        let right = right.strip_prefix("to ").unwrap_or(right).trim_start_matches(is_dash);
        let is_first = right.len() < rest.len() && digits(right) == 4 && self.line[start..].starts_with(['0', '1']);
        let is_second = left.len() < before.len() && left.bytes().rev().take_while(u8::is_ascii_digit).count() == 4;
        (is_first && !before.ends_with(['-', '.', '/', '+']))
            || (is_second && left[left.len() - 4..].starts_with(['0', '1']))
    }

    fn take_digits(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Whether the number goes on: a date, a price, an ordinal.
    fn is_number_still(&self) -> bool {
        let rest = self.rest();
        let mut chars = rest.chars();
        let (first, second) = (chars.next(), chars.next());
        let digit_follows = second.is_some_and(|c| c.is_ascii_digit());
        let is_ordinal = ["st", "nd", "rd", "th"].iter().any(|end| {
            rest.get(..2).is_some_and(|head| head.eq_ignore_ascii_case(end))
                && !rest[2..].starts_with(char::is_alphabetic)
        });
        // Seconds are zero when a time has any: `09:00:00`.
        let seconds = rest.starts_with(":00");
        is_ordinal
            || matches!(first, Some('%' | '$' | '€' | '£' | '°'))
            || (matches!(first, Some('.' | '/' | ':')) && digit_follows && !seconds)
    }

    fn not_a_time(&mut self) -> Token {
        let rest = self.rest();
        let end =
            rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '/' | ':' | '-'))).unwrap_or(rest.len());
        self.at += end;
        Token::Number
    }

    /// Reads `am`, `p.m.`, `Uhr` or `in the morning` after a time.
    fn half(&mut self) -> Half {
        if self.rest().starts_with(":00") {
            self.at += 3;
        }
        let (half, length) = half::after_time(self.rest());
        self.at += length;
        half
    }

    /// Whether a text starts with a word that stands between days, or after them.
    fn is_joining(&self, text: &str) -> bool {
        let end = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
        let word = &text[..end];
        if phrase(word, &text[end..]).is_some() {
            return true;
        }
        let known = (word.len() <= WORD_BYTES_MAX).then(|| self.language.token(&word.to_lowercase())).flatten();
        matches!(
            known,
            Some((Token::To | Token::And | Token::After | Token::Closed | Token::Day(_) | Token::Time(..), _))
        )
    }
}

/// A word in lower case; ASCII words need no allocation.
fn lower_case<'b>(word: &str, buffer: &'b mut [u8; WORD_BYTES_MAX]) -> Cow<'b, str> {
    match buffer.get_mut(..word.len()) {
        Some(lower) if word.is_ascii() => {
            lower.copy_from_slice(word.as_bytes());
            lower.make_ascii_lowercase();
            String::from_utf8_lossy(lower)
        }
        _ => Cow::Owned(word.to_lowercase()),
    }
}

/// Whether a number is joined to what stands before it: a price, a longer number.
fn is_joined(line: &str, start: usize) -> bool {
    let before = &line[..start];
    before.ends_with(['$', '€', '£', '#', '.', '/'])
        || (before.ends_with([':', ',']) && before[..before.len() - 1].ends_with(|c: char| c.is_ascii_digit()))
}

/// Whether a text goes on as `/13:00`.
fn is_clock_after_slash(rest: &str) -> bool {
    let Some(after) = rest.strip_prefix('/') else { return false };
    let hour = after.bytes().take_while(u8::is_ascii_digit).count();
    let minute = after.get(hour..).and_then(|rest| rest.strip_prefix([':', '.']));
    (1..=2).contains(&hour) && minute.is_some_and(|rest| rest.bytes().take_while(u8::is_ascii_digit).count() == 2)
}

/// The rest of `24 hours`, `24/7`, `24h` or `24 Stunden` after the number.
fn all_day(rest: &str) -> Option<usize> {
    let lower: String = rest.chars().take(9).map(|c| c.to_ascii_lowercase()).collect();
    ["/7", " hours", " hrs", "-hour", "hours", "hrs", " stunden", " heures", "h/24", " horas", " ore"]
        .iter()
        .find(|end| lower.starts_with(**end))
        .map(|end| end.len())
}

fn time(hour: &str, minute: &str, half: Half) -> Token {
    let (Ok(hour), Ok(minute)) = (hour.parse::<u16>(), minute.parse::<u16>()) else { return Token::Number };
    let most = if matches!(half, Half::Am | Half::Pm) { 12 } else { 24 };
    if hour > most || minute > 59 || (hour == 24 && minute > 0) {
        return Token::Number;
    }
    let hour = match half {
        Half::Am => hour % 12,
        Half::Pm => hour % 12 + 12,
        _ => hour,
    };
    Token::Time(hour * 60 + minute, half)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expect: &[Token]) {
        let mut found = Vec::new();
        lex(line, false, Language::default(), &mut found);
        assert_eq!(found, expect, "{line}");
    }

    #[test]
    fn lines_are_split() {
        use Token::{AllDay, And, Closed, Day, Filler, Number, Time, To, Word, Zone};
        check("Mon-Fri 8:30 am - 5pm", &[Day(0), To, Day(4), Time(510, Half::Am), To, Time(1020, Half::Pm)]);
        check(
            "Montag bis Freitag 8-18 Uhr",
            &[Day(0), To, Day(4), Time(480, Half::Unsaid), To, Time(1080, Half::Full)],
        );
        check("Lun-Ven 9h-18h30", &[Day(0), To, Day(4), Time(540, Half::Full), To, Time(1110, Half::Full)]);
        check("M–F 7am-7pm", &[Day(0), To, Day(4), Time(420, Half::Am), To, Time(1140, Half::Pm)]);
        check("Sat & Sun closed", &[Day(5), And, Day(6), Closed]);
        check("open 24/7", &[Filler, AllDay]);
        check("12.11.2014", &[Number]);
        check("Call 555-0100", &[Word, Number]);
        check("so we do it on Fr", &[Word, Word, Word, Word, Filler, Day(4)]);
        check("May 5th", &[Word, Number, Word]);
        check("09:00:00", &[Time(540, Half::Full)]);
        check("maandag t/m vrijdag", &[Day(0), To, Day(4)]);
        check("$12", &[Number, Number]);
        check("We are open", &[Word, Filler, Filler]);
        check("9am ET", &[Time(540, Half::Am), Zone]);
        check("between 9am and 5pm", &[Filler, Time(540, Half::Am), To, Time(1020, Half::Pm)]);
        check("We bis Su", &[Day(2), To, Day(6)]);
    }
}
