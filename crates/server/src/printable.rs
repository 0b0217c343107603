//! Sanitises external text (pages, listings, other servers) for a terminal: no character can move the cursor, change
//! colours, hide text or change its direction.

use std::borrow::Cow;
use std::fmt::Write;

/// Visible replacement for a control character.
const REPLACEMENT: char = '\u{fffd}';
/// Final byte of an escape sequence that only sets colours.
const COLOUR_END: char = 'm';

/// How a character is printed.
enum Shown {
    AsIs,
    As(char),
    Not,
}

/// Sanitises text of several lines, keeping line breaks.
pub fn text(text: &str) -> Cow<'_, str> {
    replaced(text, |c| if c == '\n' { Shown::AsIs } else { shown(c) })
}

/// Sanitises text for a single line, such as a table cell.
pub fn line(text: &str) -> Cow<'_, str> {
    replaced(text, shown)
}

/// Sanitises a log line. Sequences that set colours are kept, because the log itself writes them; those in a message were
/// escaped earlier.
pub fn log_line(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| c != '\u{1b}' && c != '\n' && is_unsafe(c)) && !text.contains('\u{1b}') {
        return text.into();
    }
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let colour = colour_length(rest);
        if colour > 0 {
            clean.push_str(&rest[..colour]);
        } else if first == '\n' {
            clean.push(first);
        } else {
            push(&mut clean, first, shown(first));
        }
        rest = &rest[colour.max(first.len_utf8())..];
    }
    clean.into()
}

/// JSON with terminal control characters written as escapes; it parses to the same values.
pub fn json(json: &str) -> Cow<'_, str> {
    // Outside strings the only control characters are white space; inside strings JSON allows none.
    let needs_escape = |c: char| c != '\n' && is_unsafe(c);
    if !json.contains(needs_escape) {
        return json.into();
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if needs_escape(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(c);
        }
    }
    escaped.into()
}

/// The length of a leading sequence that only sets colours.
fn colour_length(text: &str) -> usize {
    let Some(rest) = text.strip_prefix("\u{1b}[") else { return 0 };
    let parameters = rest.find(|c: char| !(c.is_ascii_digit() || c == ';')).unwrap_or(rest.len());
    if rest[parameters..].starts_with(COLOUR_END) { text.len() - rest.len() + parameters + 1 } else { 0 }
}

fn replaced(text: &str, shown: impl Fn(char) -> Shown) -> Cow<'_, str> {
    if text.chars().all(|c| matches!(shown(c), Shown::AsIs)) {
        return text.into();
    }
    let mut clean = String::with_capacity(text.len());
    text.chars().for_each(|c| push(&mut clean, c, shown(c)));
    clean.into()
}

fn push(clean: &mut String, c: char, shown: Shown) {
    match shown {
        Shown::AsIs => clean.push(c),
        Shown::As(other) => clean.push(other),
        Shown::Not => {}
    }
}

fn shown(c: char) -> Shown {
    match c {
        '\t' | '\n' | '\r' | '\u{2028}' | '\u{2029}' => Shown::As(' '),
        c if c.is_control() => Shown::As(REPLACEMENT),
        c if is_unsafe(c) => Shown::Not,
        _ => Shown::AsIs,
    }
}

/// Control characters, and invisible ones that change how others are displayed.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{61c}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}' // zero-width characters and direction marks
            | '\u{2028}'..='\u{202e}' // line and paragraph separators, direction embeddings and overrides
            | '\u{2060}'..='\u{206f}' // joiners, invisible operators, direction isolates
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}' // tags
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_reaches_the_terminal_as_a_command() {
        for (given, expected) in [
            ("Joe's Café 李 🦷", "Joe's Café 李 🦷"),
            ("\u{1b}[2J\u{1b}]0;owned\u{7}x", "\u{fffd}[2J\u{fffd}]0;owned\u{fffd}x"),
            ("a\u{9b}31mb\u{85}\u{7f}", "a\u{fffd}31mb\u{fffd}\u{fffd}"),
            ("evil\u{202e}gpj.exe\u{2066}\u{2069}", "evilgpj.exe"),
            ("zero\u{200b}\u{200d}\u{feff}\u{ad}width", "zerowidth"),
            ("one\r\ntwo\tthree", "one  two three"),
            ("\u{e0041}tag", "tag"),
        ] {
            assert_eq!(line(given), expected, "{given:?}");
        }
        assert_eq!(text("two\nlines\r\u{1b}"), "two\nlines \u{fffd}");
        assert!(matches!(line("plain"), Cow::Borrowed("plain")));
    }

    #[test]
    fn json_stays_the_same_json() {
        let values = ["\u{9b}31m\u{202e}\u{e0041}\u{7f} é 🦷", "\u{1b}[2J\n\t\"\\"];
        let written = serde_json::to_string_pretty(&values).unwrap();
        let escaped = json(&written);
        assert!(!escaped.contains(|c: char| c != '\n' && is_unsafe(c)), "{escaped:?}");
        assert_eq!(serde_json::from_str::<[String; 2]>(&escaped).unwrap(), values);
        assert!(escaped.contains("\\udb40\\udc41"), "{escaped}");
    }

    #[test]
    fn the_log_keeps_its_colours_and_nothing_else() {
        assert_eq!(log_line("\u{1b}[2m12:00\u{1b}[0m ok\n"), "\u{1b}[2m12:00\u{1b}[0m ok\n");
        assert_eq!(log_line("\u{1b}[2Jx\u{1b}]0;t\u{7}\u{202e}\n"), "\u{fffd}[2Jx\u{fffd}]0;t\u{fffd}\n");
        assert_eq!(log_line("\u{1b}[31"), "\u{fffd}[31");
    }
}
