//! Addresses put together by a script: `'joe' + '@' + 'acme.com'`, character codes, percent codes, joined arrays.

use std::borrow::Cow;
use std::sync::LazyLock;

use aho_corasick::packed;
use memchr::memmem;

use crate::emails::address::{Address, around_at, percent_decode};
use crate::text::unescape;

/// Places looked at in one script, for each kind of trick.
const PLACES_MAX: usize = 200;
/// Bytes looked at on either side of a quoted `@`.
const REACH_BYTES_MAX: usize = 400;

/// Every address that a script joins from pieces.
pub(crate) fn joined(script: &str) -> Vec<Address> {
    let mut found = Vec::new();
    // Joomla hides letters as entities inside the pieces.
    let decoded = if script.contains("&#64;") { unescape(script) } else { Cow::Borrowed(script) };
    for at in memchr::memchr_iter(b'@', decoded.as_bytes()).take(PLACES_MAX) {
        if touches_quote(&decoded, at) {
            found.extend(joined_around(&decoded, at).or_else(|| joined_array(&decoded, at)));
        }
    }
    found.extend(char_codes(script));
    found.extend(base64_coded(script));
    found.extend(percent_coded(script));
    found
}

/// What shows that a script may hold an address in codes.
const CODES: [&str; 6] = ["fromCharCode", "%40", "&#64;", "\\x40", "\\u0040", "atob("];

static CODE_SEARCH: LazyLock<Option<packed::Searcher>> = LazyLock::new(|| packed::Searcher::new(CODES));

/// Whether a script may hold an address in codes.
pub(crate) fn is_coded(script: &str) -> bool {
    match CODE_SEARCH.as_ref() {
        Some(search) => search.find(script.as_bytes()).is_some(),
        None => CODES.iter().any(|code| script.contains(code)),
    }
}

/// A script with every single coded `@` undone.
pub(crate) fn plain(script: &str) -> String {
    script.replace("String.fromCharCode(64)", "'@'").replace("\\x40", "@").replace("\\u0040", "@")
}

/// `atob('am9lQGFjbWUuY29t')`.
fn base64_coded(script: &str) -> Vec<Address> {
    let mut found = Vec::new();
    for at in memmem::find_iter(script.as_bytes(), "atob(").take(PLACES_MAX) {
        let rest = crate::page::around(script, at + 5, 0, REACH_BYTES_MAX).trim_start_matches(['"', '\'', '`', ' ']);
        let text = base64(rest);
        found.extend(text.find('@').and_then(|sign| around_at(&text, sign)).map(|a| Address {
            start: at,
            end: at,
            ..a
        }));
    }
    found
}

/// Decodes the base64 that starts a text, as far as it is text.
fn base64(text: &str) -> String {
    let (mut bits, mut held, mut out) = (0u32, 0, Vec::new());
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => break,
        };
        bits = (bits << 6) | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push(((bits >> held) & 0xFF) as u8);
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn touches_quote(script: &str, at: usize) -> bool {
    let quote = |b: Option<&u8>| b.is_some_and(|b| matches!(b, b'"' | b'\'' | b'`'));
    let bytes = script.as_bytes();
    quote(bytes.get(at + 1)) || (at > 0 && quote(bytes.get(at - 1)))
}

/// Reads string pieces outward from the `@`, skipping `' + '` and the names of variables known by value.
fn joined_around(script: &str, at: usize) -> Option<Address> {
    let left = pieces_left(script, at);
    let right = pieces_right(script, at + 1);
    let text = format!("{left}@{right}");
    let found = around_at(&text, left.len())?;
    Some(Address { email: found.email, start: at, end: at + 1 })
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._-+".contains(&byte)
}

fn pieces_right(script: &str, from: usize) -> String {
    let window = &script[from..crate::page::floor_char(script, from + REACH_BYTES_MAX)];
    let mut out = String::new();
    let mut rest = window;
    loop {
        let run = rest.bytes().take_while(|b| is_part(*b)).count();
        out.push_str(&rest[..run]);
        rest = &rest[run..];
        let Some(next) = next_piece(rest, script, &mut out) else { return out };
        rest = next;
    }
}

/// Steps over `' + '`, or `' + name` when the script says what `name` holds.
fn next_piece<'s>(rest: &'s str, script: &str, out: &mut String) -> Option<&'s str> {
    let after = rest.strip_prefix(['"', '\'', '`'])?.trim_start();
    let after = skip_self_assignment(after);
    let after = after.strip_prefix('+')?.trim_start();
    if let Some(inner) = after.strip_prefix(['"', '\'', '`']) {
        return Some(inner);
    }
    let name = identifier(after);
    out.push_str(value_of(script, name)?);
    // What follows the name is read as if a string had just ended.
    let after = after[name.len()..].trim_start();
    let after = after.strip_prefix('+')?.trim_start();
    after.strip_prefix(['"', '\'', '`'])
}

/// `; addy1 = addy1 ` between two pieces, as Joomla writes it.
fn skip_self_assignment(text: &str) -> &str {
    let Some(rest) = text.strip_prefix(';').map(str::trim_start) else { return text };
    let name = identifier(rest);
    let Some(rest) = rest[name.len()..].trim_start().strip_prefix('=').map(str::trim_start) else { return text };
    match rest.strip_prefix(name) {
        Some(rest) if !name.is_empty() => rest.trim_start(),
        _ => text,
    }
}

fn pieces_left(script: &str, at: usize) -> String {
    let from = crate::page::floor_char(script, at.saturating_sub(REACH_BYTES_MAX));
    let mut rest = &script[from..at];
    let mut parts: Vec<&str> = Vec::new();
    loop {
        let run = rest.bytes().rev().take_while(|b| is_part(*b)).count();
        parts.push(&rest[rest.len() - run..]);
        rest = &rest[..rest.len() - run];
        let Some(before) =
            rest.strip_suffix(['"', '\'', '`']).map(str::trim_end).and_then(|r| r.strip_suffix('+')).map(str::trim_end)
        else {
            break;
        };
        match before.strip_suffix(['"', '\'', '`']) {
            Some(inner) => rest = inner,
            None => {
                let name = last_identifier(before);
                parts.extend(value_of(script, name));
                break;
            }
        }
    }
    parts.into_iter().rev().collect()
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

fn identifier(text: &str) -> &str {
    &text[..text.find(|c: char| !is_name(c)).unwrap_or(text.len())]
}

fn last_identifier(text: &str) -> &str {
    &text[text.rfind(|c: char| !is_name(c)).map_or(0, |p| p + text[p..].chars().next().map_or(1, char::len_utf8))..]
}

/// The string a variable is set to, looked for once from the top of the script.
fn value_of<'s>(script: &'s str, name: &str) -> Option<&'s str> {
    if name.is_empty() || name.len() > 40 {
        return None;
    }
    memmem::find_iter(script.as_bytes(), name).take(8).find_map(|at| {
        let rest = script[at + name.len()..].trim_start().strip_prefix('=')?.trim_start();
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
        let end = rest[1..].find(quote).filter(|end| *end < 100)?;
        Some(&rest[1..=end])
    })
}

/// `['joe', 'acme.com'].join('@')`.
fn joined_array(script: &str, at: usize) -> Option<Address> {
    let before = &script[crate::page::floor_char(script, at.saturating_sub(REACH_BYTES_MAX))..at];
    let list = before.trim_end_matches(['"', '\'', '`']).strip_suffix(".join(")?.strip_suffix(']')?;
    let list = &list[list.rfind('[')? + 1..];
    let (local, domain) = list.split_once(',')?;
    let bare = |piece: &str| piece.trim().trim_matches(['"', '\'', '`']).to_owned();
    let text = format!("{}@{}", bare(local), bare(domain));
    around_at(&text, text.find('@')?).map(|a| Address { start: at, end: at + 1, ..a })
}

/// `String.fromCharCode(106,111,101,64,...)`.
fn char_codes(script: &str) -> Vec<Address> {
    let mut found = Vec::new();
    for at in memmem::find_iter(script.as_bytes(), "fromCharCode(").take(PLACES_MAX) {
        let rest = crate::page::around(script, at + 13, 0, 4 * REACH_BYTES_MAX);
        let list = &rest[..rest.find(')').unwrap_or(0)];
        let text: String =
            list.split(',').filter_map(|n| n.trim().parse::<u32>().ok().and_then(char::from_u32)).collect();
        found.extend(text.find('@').and_then(|sign| around_at(&text, sign)).map(|a| Address {
            start: at,
            end: at,
            ..a
        }));
    }
    found
}

/// `unescape('%6a%6f%65%40...')`.
fn percent_coded(script: &str) -> Vec<Address> {
    let mut found = Vec::new();
    for at in memmem::find_iter(script.as_bytes(), "%40").take(PLACES_MAX) {
        let is_coded = |b: &u8| b.is_ascii_alphanumeric() || b"%._-+".contains(b);
        let bytes = script.as_bytes();
        let left = bytes[..at].iter().rev().take(REACH_BYTES_MAX).take_while(|b| is_coded(b)).count();
        let right = bytes[at..].iter().take(REACH_BYTES_MAX).take_while(|b| is_coded(b)).count();
        let text = percent_decode(script.get(at - left..at + right).unwrap_or(""));
        found.extend(text.find('@').and_then(|sign| around_at(&text, sign)).map(|a| Address {
            start: at,
            end: at,
            ..a
        }));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(script: &str, expect: &str) {
        let found = joined(script).into_iter().map(|a| a.email).collect::<Vec<_>>().join(" ");
        assert_eq!(found, expect, "{script}");
    }

    #[test]
    fn pieces_are_joined() {
        check("document.write('<a href=mailto:' + 'joe' + '@' + 'acme' + '.' + 'com' + '>')", "joe@acme.com");
        check("var u = \"joe\"; var d = 'acme.com'; w(u + '@' + d)", "joe@acme.com");
        check("var a = 'mai'+'lto'; a = 'joe' + \"@\" + 'acme.com';", "joe@acme.com");
        check("var addy1 = '&#106;oe' + '&#64;';\n addy1 = addy1 + 'acme' + '&#46;' + 'com';", "joe@acme.com");
        check("['joe', 'acme.com'].join('@')", "joe@acme.com");
        check("String.fromCharCode(106,111,101,64,97,99,109,101,46,99,111,109)", "joe@acme.com");
        check("eval(unescape('%6a%6f%65%40%61%63%6d%65%2e%63%6f%6d'))", "joe@acme.com");
    }

    #[test]
    fn ordinary_code_is_left() {
        for script in [
            "x['@type'] = '@'",
            "'@' + name",
            "a = '@media' + '@'",
            "@",
            "'@",
            "é'@'é",
            "fromCharCode(",
            "fromCharCode(99999999999)",
        ] {
            check(script, "");
        }
    }
}
