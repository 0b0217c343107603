//! Lines and cells of CSV: no spreadsheet runs a cell as a formula, and every CSV reader reads back what was meant.

use std::borrow::Cow;

/// What a spreadsheet takes for the beginning of a formula, full-width forms included.
const FORMULA_STARTS: [char; 12] = ['=', '+', '-', '@', '\t', '\r', '\n', '|', '＝', '＋', '－', '＠'];

/// Separators that other programs split a line at: opened with one of these, a cell starts behind each of them.
const OTHER_SEPARATORS: [char; 4] = [';', '\t', '\r', '\n'];

/// A line of CSV: its cells guarded and quoted, ended by CRLF.
pub fn line<C: AsRef<str>>(cells: impl IntoIterator<Item = C>) -> String {
    let mut line = String::new();
    for (place, cell) in cells.into_iter().enumerate() {
        if place > 0 {
            line.push(',');
        }
        write(&mut line, cell.as_ref());
    }
    line.push_str("\r\n");
    line
}

/// Writes a cell, guarded and quoted where it must be.
fn write(line: &mut String, text: &str) {
    // A NUL ends the file for some readers and is an error for others. It is dropped before the formula check, because
    // what follows it becomes the start of the cell.
    let text: Cow<'_, str> = if text.contains('\0') { text.replace('\0', "").into() } else { text.into() };
    let text = guarded(&text);
    let quoted = text.contains(['"', ',', '\r', '\n']) || text.starts_with(' ') || text.ends_with(' ');
    if quoted {
        line.push('"');
    }
    for c in text.chars() {
        if c == '"' {
            line.push('"');
        }
        line.push(c);
    }
    if quoted {
        line.push('"');
    }
}

/// The text with an apostrophe before everything a spreadsheet would run: the cell itself, and each part of it that
/// becomes a cell under another separator. Apostrophes in the original do not count as guards, so that removing one
/// apostrophe from each guarded place gives the original text.
fn guarded(text: &str) -> Cow<'_, str> {
    let is_whole = is_formula(text);
    if !is_whole && !text.contains(OTHER_SEPARATORS) {
        return text.into();
    }
    let mut guarded = String::with_capacity(text.len() + 2);
    if is_whole {
        guarded.push('\'');
    }
    for (at, part) in text.split_inclusive(OTHER_SEPARATORS).enumerate() {
        if at > 0 && is_formula_part(part) {
            guarded.push('\'');
        }
        guarded.push_str(part);
    }
    guarded.into()
}

fn is_formula(text: &str) -> bool {
    let bare = text.trim_start_matches('\'');
    // Some programs trim a cell before they interpret it.
    let seen = bare.trim_start_matches(is_unseen);
    (bare.starts_with(FORMULA_STARTS) || seen.starts_with(FORMULA_STARTS)) && !is_number(seen)
}

/// The same for text behind another separator, where the program also strips a quote.
fn is_formula_part(part: &str) -> bool {
    let seen = part.trim_start_matches(|c| is_unseen(c) || c == '\'' || c == '"');
    seen.starts_with(FORMULA_STARTS) && !is_number(seen.trim_end_matches(OTHER_SEPARATORS))
}

/// White space, control characters and zero-width characters.
fn is_unseen(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// A phone number or any other number: it begins with a sign and cannot be a formula.
fn is_number(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(['+', '-']) else { return false };
    // Digits with the usual separators, and no second sign: `+1-2` would be a sum.
    let plain = rest.chars().all(|c| c.is_ascii_digit() || " .()".contains(c));
    plain && rest.chars().any(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut line = String::new();
        write(&mut line, text);
        assert_eq!(line, expected, "{text:?}");
    }

    #[test]
    fn formulas_are_disarmed_and_numbers_are_left_alone() {
        check("=1+1", "'=1+1");
        check("=HYPERLINK(\"http://evil.test\",\"x\")", "\"'=HYPERLINK(\"\"http://evil.test\"\",\"\"x\"\")\"");
        check("+SUM(A1)", "'+SUM(A1)");
        check("-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0");
        check("@SUM(A1)", "'@SUM(A1)");
        check("\t=1", "'\t'=1");
        check("\0\r.", "\"'\r.\"");
        check("＝1+1", "'＝1+1");
        check("+15125550100", "+15125550100");
        check("+1 (512) 555 0100", "+1 (512) 555 0100");
        check("-97.5", "-97.5");
        check("+1-2", "'+1-2");
        check("+", "'+");
        check("\u{feff}=1+1", "'\u{feff}=1+1");
        check("\u{200b}@x", "'\u{200b}@x");
        check("\0=1", "'=1");
        check("\0\rx", "\"'\rx\"");
        check("\0+1\0", "+1");
    }

    #[test]
    fn formulas_behind_another_separator_are_disarmed_too() {
        check("a;=1+1", "a;'=1+1");
        check("x\t=cmd|' /C calc'!A0", "x\t'=cmd|' /C calc'!A0");
        check("a; @SUM(A1); b", "a;' @SUM(A1); b");
        check("a;\"=1\"", "\"a;'\"\"=1\"\"\"");
        check("two\n=1+1", "\"two\n'=1+1\"");
        check("=1;=2", "'=1;'=2");
        check("a;\u{200b}=1", "a;'\u{200b}=1");
        check("+15125550100; +15125550101", "'+15125550100; +15125550101");
        check("phones: 1; +15125550101;-97.5", "phones: 1; +15125550101;-97.5");
        check("info@a.example; sales@a.example", "info@a.example; sales@a.example");
        check("Has a website (+10); No booking (-5)", "Has a website (+10); No booking (-5)");
    }

    #[test]
    fn an_apostrophe_that_was_there_is_kept_beside_the_guard() {
        check("'=1", "''=1");
        check("a;'=1", "a;''=1");
        check("'tis; 'twas", "'tis; 'twas");
        check("'+15125550100", "'+15125550100");
    }

    #[test]
    fn quotes_commas_and_lines_are_quoted() {
        check("Smith, Jones & Co", "\"Smith, Jones & Co\"");
        check("the \"best\"", "\"the \"\"best\"\"\"");
        check("two\nlines", "\"two\nlines\"");
        check(" spaced ", "\" spaced \"");
        check("plain", "plain");
        check("", "");
    }
}
