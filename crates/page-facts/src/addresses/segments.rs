//! Splits the text around a postal code into the pieces of which addresses are made: between commas, lines and separators.

use crate::addresses::words::is_field_label;
use crate::page::floor_char;

/// Bytes before a postal code in which the other parts of its address are looked for.
const BEFORE_BYTES_MAX: usize = 220;
/// Bytes after it.
const AFTER_BYTES_MAX: usize = 80;
/// Lines before a postal code in which the other parts of its address are looked for.
const LINES_MAX: usize = 6;

/// Bytes of a remark in brackets that is left out.
const ASIDE_BYTES_MAX: usize = 40;

/// What stands between a segment and the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Border {
    /// Nothing but blanks: the segment ends where the postal code starts.
    None,
    Comma,
    /// A separator such as `|`, `•` or a dash between blanks.
    Mark,
    Line,
}

/// A piece of an address.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Segment<'t> {
    pub(crate) text: &'t str,
    /// What stands between it and the text to its right.
    pub(crate) border: Border,
}

/// How a character separates segments.
enum Cut {
    No,
    At(Border),
    /// Nothing to the left of it belongs to the same address.
    Hard,
}

/// The segments of `text[floor..at]`, the nearest first.
pub(crate) fn before(text: &str, floor: usize, at: usize) -> Vec<Segment<'_>> {
    let mut start = floor_char(text, at.saturating_sub(BEFORE_BYTES_MAX)).max(floor);
    if start > floor && text[..start].ends_with(char::is_alphanumeric) {
        let rest = &text[start..at];
        start += rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    }
    let window = &text[start..at];
    let mut found: Vec<Segment<'_>> = Vec::new();
    let mut from = 0;
    for (index, c) in candidates(window) {
        if index < from {
            continue;
        }
        let border = match cut(window, index, c) {
            Cut::No => continue,
            // `City: Austin`
            Cut::Hard if c == ':' && !found.is_empty() && is_part_label(window[from..index].trim()) => {
                from = index + 1;
                continue;
            }
            // `123 Main Street (rear)`
            Cut::Hard if c == '(' && aside(&window[index..]).is_some() => {
                push(&mut found, &window[from..index], Border::Comma);
                from = index + aside(&window[index..]).unwrap_or(1);
                continue;
            }
            Cut::Hard => {
                found.clear();
                from = index + c.len_utf8();
                continue;
            }
            Cut::At(border) => border,
        };
        push(&mut found, &window[from..index], border);
        from = index + c.len_utf8();
    }
    push(&mut found, &window[from..], Border::None);
    found.reverse();
    let mut lines = 0;
    let reach = found.iter().position(|segment| {
        lines += usize::from(segment.border == Border::Line);
        lines > LINES_MAX
    });
    found.truncate(reach.unwrap_or(found.len()));
    found
}

/// The characters at which a text may be cut: all but letters, digits and blanks, tested by byte.
fn candidates(text: &str) -> impl Iterator<Item = (usize, char)> {
    let is_one = |b: u8| !(b.is_ascii_alphanumeric() || b == b' ' || (0x80..0xc0).contains(&b));
    text.bytes()
        .enumerate()
        .filter(move |(_, b)| is_one(*b))
        .filter_map(|(at, _)| Some((at, text[at..].chars().next()?)))
}

/// `City` of `City: Austin`; with `Address` another address starts.
fn is_part_label(text: &str) -> bool {
    is_field_label(text) && !text.to_ascii_lowercase().ends_with("address") && !text.eq_ignore_ascii_case("street")
}

/// The length of a remark in brackets that says nothing but where the door is.
fn aside(text: &str) -> Option<usize> {
    let end = text.bytes().take(ASIDE_BYTES_MAX).position(|b| b == b')')?;
    let inside = &text[1..end];
    let digits = inside.bytes().filter(u8::is_ascii_digit).count();
    let ends = text[end + 1..].chars().next().is_none_or(|c| matches!(c, ',' | '\n' | ' '));
    let is_said = digits < 3 && inside.bytes().any(|b| b.is_ascii_alphabetic()) && !inside.contains(['\n', '(', '@']);
    (is_said && ends).then_some(end + 1)
}

/// Adds a segment; an empty one only widens the border of the one before it.
fn push<'t>(found: &mut Vec<Segment<'t>>, text: &'t str, border: Border) {
    let text = text.trim().trim_start_matches(['-', '–', '.']).trim_start();
    if text.is_empty() || is_field_label(text) {
        if let Some(last) = found.last_mut()
            && border == Border::Line
        {
            last.border = border;
        }
        return;
    }
    found.push(Segment { text, border });
}

fn cut(window: &str, index: usize, c: char) -> Cut {
    match c {
        // `Martin Luther King, Jr. Blvd`
        ',' if window[index + 1..].starts_with(" Jr") => Cut::No,
        ',' => Cut::At(Border::Comma),
        '\n' => Cut::At(Border::Line),
        '|' | '•' | '·' | ';' | '●' | '»' | '‣' | '∙' | '◦' | '¦' | '❖' | '*' | '~' | '\u{80}'..='\u{9f}' => {
            Cut::At(Border::Mark)
        }
        '-' | '–' | '—' | '/' | '.' => {
            let rest = &window[index + c.len_utf8()..];
            // `86 - 90 Paul Street`
            let digits = rest.trim_start_matches(' ').bytes().take_while(u8::is_ascii_digit).count();
            let joins = (1..5).contains(&digits)
                && window[..index].trim_end_matches(' ').ends_with(|c: char| c.is_ascii_digit());
            let is_apart = window[..index].ends_with([' ', '\n']) && rest.starts_with([' ', '\n']) && !joins;
            // `Main St—Austin`
            let is_long = c == '—' && !joins && window[..index].ends_with(|c: char| c.is_ascii_lowercase());
            if is_apart || is_long { Cut::At(Border::Mark) } else { Cut::No }
        }
        ':' | '(' | ')' | '[' | ']' | '{' | '}' | '"' | '“' | '”' | '„' | '©' | '?' | '!' | '→' | '►' | '=' | '@'
        | '<' | '>' | '$' | '€' | '£' | '%' => Cut::Hard,
        _ => Cut::No,
    }
}

/// The segments of a line up to the first character that ends an address, from left to right.
pub(crate) fn up_to_hard(line: &str) -> Vec<Segment<'_>> {
    let mut found = Vec::new();
    let mut from = 0;
    for (index, c) in candidates(line) {
        match cut(line, index, c) {
            Cut::No => continue,
            Cut::At(border) => push(&mut found, &line[from..index], border),
            Cut::Hard => {
                push(&mut found, &line[from..index], Border::Line);
                return found;
            }
        }
        from = index + c.len_utf8();
    }
    push(&mut found, &line[from..], Border::Line);
    found
}

/// The text from `at` to the end of the segment, and to the end of the next two.
pub(crate) fn after(text: &str, at: usize) -> [&str; 3] {
    let window = &text[at..floor_char(text, at + AFTER_BYTES_MAX)];
    let mut parts = [""; 3];
    let mut rest = window;
    for part in &mut parts {
        let end = candidates(rest).find_map(|(index, c)| match cut(rest, index, c) {
            Cut::No => None,
            _ => Some((index, index + c.len_utf8())),
        });
        let (end, next) = end.unwrap_or((rest.len(), rest.len()));
        *part = rest[..end].trim();
        rest = &rest[next..];
    }
    parts
}

/// Where a part of `text` starts in it.
pub(crate) fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_split_where_addresses_are() {
        let of = |text: &str| before(text, 0, text.len()).iter().map(|s| s.text.to_owned()).collect::<Vec<_>>();
        assert_eq!(of("1 Elm St., Suite 2\nAustin, "), ["Austin", "Suite 2", "1 Elm St."]);
        assert_eq!(of("a: 1 Elm | Austin - "), ["Austin", "1 Elm"]);
        assert_eq!(of("Via Verdi, 8 - "), ["8", "Via Verdi"]);
        assert_eq!(of("12-14 High St / "), ["12-14 High St"]);
        assert_eq!(of("12 Elm St (rear), Austin, "), ["Austin", "12 Elm St"]);
        assert_eq!(of("1 Elm St (512) 555-0100 Austin, "), ["555-0100 Austin"]);
        assert_eq!(of("Street: 12 Elm St\nCity: Austin\nState: "), ["Austin", "12 Elm St"]);
        assert_eq!(of("Street\n12 Elm St\nCity\nAustin\nState\n"), ["Austin", "12 Elm St"]);
        assert_eq!(of(""), Vec::<String>::new());
        assert_eq!(of(&"é, ".repeat(500)).len(), 55);
        assert_eq!(after(" Paris, France\nTel", 0), ["Paris", "France", "Tel"]);
    }
}
