//! Addresses assembled by a script: `'joe' + '@' + 'acme.com'`, character codes, percent escapes, joined arrays.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::LazyLock;

use aho_corasick::packed;
use memchr::memmem;
use rustc_hash::FxHashMap;

use crate::budget::StepBudget;
use crate::emails::address::{EmailAddress, around_at, percent_decode};
use crate::text::unescape;

/// Places examined per script for each obfuscation.
const PLACES_MAX: usize = 200;
/// Bytes read on either side of a quoted `@`.
const REACH_BYTES_MAX: usize = 400;

/// Longest variable name that is looked up, in bytes.
const NAME_BYTES_MAX: usize = 40;
/// Longest string value of a variable that can be part of an address, in bytes.
const VALUE_BYTES_MAX: usize = 100;
/// Steps charged for an `@` next to a quote: the pieces on both sides.
const PIECES_STEPS: usize = 1_500;
/// Steps charged per `=` while string variables are collected.
const EQUALS_STEPS: usize = 8;
const KEPT_STEPS: usize = 64;

/// A script and the string values of its variables.
struct ScriptSource<'s> {
    text: &'s str,
    /// Value by variable name, collected in one pass on first use.
    strings: OnceCell<FxHashMap<&'s str, &'s str>>,
    budget: &'s StepBudget,
}

impl<'s> ScriptSource<'s> {
    /// The string a variable is first set to.
    fn value_of(&self, name: &str) -> Option<&'s str> {
        if name.is_empty() || name.len() > NAME_BYTES_MAX {
            return None;
        }
        self.strings.get_or_init(|| self.gather()).get(name).copied()
    }

    /// Every `name = 'string'` of the script; the first one wins.
    fn gather(&self) -> FxHashMap<&'s str, &'s str> {
        let mut strings = FxHashMap::default();
        for at in memchr::memchr_iter(b'=', self.text.as_bytes()) {
            if !self.budget.spend(EQUALS_STEPS) {
                break;
            }
            let Some((name, value)) = assignment(self.text, at) else { continue };
            if !self.budget.spend(KEPT_STEPS) {
                break;
            }
            strings.entry(name).or_insert(value);
        }
        strings
    }
}

/// The name before the `=` at `at`, and the string after it.
fn assignment(text: &str, at: usize) -> Option<(&str, &str)> {
    let after = crate::page::around(text, at + 1, 0, VALUE_BYTES_MAX + 8).trim_start();
    let quote = after.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let value = &after[1..];
    let value = &value[..value.find(quote).filter(|end| *end < VALUE_BYTES_MAX)?];
    let before = crate::page::around(text, at, NAME_BYTES_MAX + 8, 0).trim_end();
    let name = last_identifier(before);
    (!name.is_empty() && name.len() <= NAME_BYTES_MAX).then_some((name, value))
}

/// Addresses that a script concatenates from pieces.
pub(crate) fn joined(script: &str, budget: &StepBudget) -> Vec<EmailAddress> {
    let mut found = Vec::new();
    // One search tells that most scripts have none of the codes.
    let is_coded = is_coded(script);
    // Joomla writes characters of the pieces as entities.
    let is_escaped = is_coded && memmem::find(script.as_bytes(), b"&#64;").is_some();
    let decoded = if is_escaped { unescape(script) } else { Cow::Borrowed(script) };
    let source = ScriptSource { text: &decoded, strings: OnceCell::new(), budget };
    for at in memchr::memchr_iter(b'@', decoded.as_bytes()).take(PLACES_MAX) {
        if touches_quote(&decoded, at) {
            if !budget.spend(PIECES_STEPS) {
                return found;
            }
            found.extend(joined_around(&source, at).or_else(|| joined_array(&decoded, at)));
        } else if decoded[..at].ends_with('}') && decoded[at + 1..].starts_with("${") {
            if !budget.spend(PIECES_STEPS) {
                return found;
            }
            found.extend(template(&source, at));
        }
    }
    if !is_coded {
        return found;
    }
    found.extend(char_codes(script, budget));
    if memmem::find(script.as_bytes(), b"fromCharCode").is_some() {
        found.extend(code_lists(script, budget));
    }
    found.extend(base64_coded(script, budget));
    found.extend(percent_coded(script, budget));
    found
}

/// Literals of scripts that may contain an encoded address.
const CODES: [&str; 6] = ["fromCharCode", "%40", "&#64;", "\\x40", "\\u0040", "atob("];

static CODE_SEARCH: LazyLock<Option<packed::Searcher>> = LazyLock::new(|| packed::Searcher::new(CODES));

/// Whether a script may contain an encoded address.
pub(crate) fn is_coded(script: &str) -> bool {
    match CODE_SEARCH.as_ref() {
        Some(search) => search.find(script.as_bytes()).is_some(),
        None => CODES.iter().any(|code| script.contains(code)),
    }
}

/// The script with every encoded `@` decoded, and with it the other escapes of a script that has one.
pub(crate) fn plain(script: &str) -> String {
    let script = script.replace("String.fromCharCode(64)", "'@'");
    if !(script.contains("\\x40") || script.contains("\\u0040")) {
        return script;
    }
    let mut plain = String::with_capacity(script.len());
    let mut rest = script.as_str();
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match rest.as_bytes().get(1) {
            Some(b'x') => 4,
            Some(b'u') => 6,
            _ => 0,
        };
        let code = rest.get(2..length).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match code.filter(|code| code.is_ascii_alphanumeric() || b"@._-+".contains(code)) {
            Some(code) => {
                plain.push(char::from(code));
                rest = &rest[length..];
            }
            None => {
                plain.push('\\');
                rest = &rest[1..];
            }
        }
    }
    plain.push_str(rest);
    plain
}

/// Reads `atob('am9lQGFjbWUuY29t')`.
fn base64_coded(script: &str, budget: &StepBudget) -> Vec<EmailAddress> {
    let mut found = Vec::new();
    for at in memmem::find_iter(script.as_bytes(), "atob(").take(PLACES_MAX) {
        if !budget.spend(2 * REACH_BYTES_MAX) {
            break;
        }
        let rest = crate::page::around(script, at + 5, 0, REACH_BYTES_MAX).trim_start_matches(['"', '\'', '`', ' ']);
        let text = base64(rest);
        found.extend(text.find('@').and_then(|sign| around_at(&text, sign)).map(|a| EmailAddress {
            start: at,
            end: at,
            ..a
        }));
    }
    found
}

/// Decodes the base64 at the start of a text, as far as it is valid text.
pub(super) fn base64(text: &str) -> String {
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

/// Reads `${user}@${domain}`.
fn template(source: &ScriptSource<'_>, at: usize) -> Option<EmailAddress> {
    let before = crate::page::around(source.text, at, NAME_BYTES_MAX + 4, 0).strip_suffix('}')?;
    let local = source.value_of(before[before.rfind("${")? + 2..].trim())?;
    let after = crate::page::around(source.text, at + 3, 0, NAME_BYTES_MAX + 4);
    let domain = source.value_of(after[..after.find('}')?].trim())?;
    let text = format!("{local}@{domain}");
    around_at(&text, local.len()).map(|a| EmailAddress { start: at, end: at + 1, ..a })
}

fn touches_quote(script: &str, at: usize) -> bool {
    let quote = |b: Option<&u8>| b.is_some_and(|b| matches!(b, b'"' | b'\'' | b'`'));
    let bytes = script.as_bytes();
    quote(bytes.get(at + 1)) || (at > 0 && quote(bytes.get(at - 1)))
}

/// Reads string pieces outward from the `@`, skipping `' + '` and substituting variables with known values.
fn joined_around(source: &ScriptSource<'_>, at: usize) -> Option<EmailAddress> {
    let left = pieces_left(source, at);
    let right = pieces_right(source, at + 1);
    let text = format!("{left}@{right}");
    let found = around_at(&text, left.len())?;
    Some(EmailAddress { email: found.email, start: at, end: at + 1 })
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._-+".contains(&byte)
}

fn pieces_right(source: &ScriptSource<'_>, from: usize) -> String {
    let window = crate::page::around(source.text, from, 0, REACH_BYTES_MAX);
    let mut out = String::new();
    let mut rest = window;
    loop {
        let run = rest.bytes().take_while(|b| is_part(*b)).count();
        out.push_str(&rest[..run]);
        rest = &rest[run..];
        let Some(next) = next_piece(rest, source, &mut out) else { return out };
        rest = next;
    }
}

/// Steps over `' + '`, or over `' + name` when the value of `name` is known.
fn next_piece<'s>(rest: &'s str, source: &ScriptSource<'_>, out: &mut String) -> Option<&'s str> {
    let after = rest.strip_prefix(['"', '\'', '`'])?.trim_start();
    let after = skip_self_assignment(after);
    let after = after.strip_prefix('+')?.trim_start();
    if let Some(inner) = after.strip_prefix(['"', '\'', '`']) {
        return Some(inner);
    }
    let name = identifier(after);
    out.push_str(source.value_of(name)?);
    // What follows the name is read as if a string had just ended.
    let after = after[name.len()..].trim_start();
    let after = after.strip_prefix('+')?.trim_start();
    after.strip_prefix(['"', '\'', '`'])
}

/// Skips `; addy1 = addy1 ` between two pieces, as Joomla writes it.
fn skip_self_assignment(text: &str) -> &str {
    let Some(rest) = text.strip_prefix(';').map(str::trim_start) else { return text };
    let name = identifier(rest);
    let Some(rest) = rest[name.len()..].trim_start().strip_prefix('=').map(str::trim_start) else { return text };
    match rest.strip_prefix(name) {
        Some(rest) if !name.is_empty() => rest.trim_start(),
        _ => text,
    }
}

fn pieces_left(source: &ScriptSource<'_>, at: usize) -> String {
    let mut rest = crate::page::around(source.text, at, REACH_BYTES_MAX, 0);
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
                parts.extend(source.value_of(name));
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

/// Reads `['joe', 'acme.com'].join('@')`.
fn joined_array(script: &str, at: usize) -> Option<EmailAddress> {
    let before = &script[crate::page::floor_char(script, at.saturating_sub(REACH_BYTES_MAX))..at];
    let list = before.trim_end_matches(['"', '\'', '`']).strip_suffix(".join(")?.strip_suffix(']')?;
    let list = &list[list.rfind('[')? + 1..];
    let (local, domain) = list.split_once(',')?;
    let bare = |piece: &str| piece.trim().trim_matches(['"', '\'', '`']).to_owned();
    let text = format!("{}@{}", bare(local), bare(domain));
    around_at(&text, text.find('@')?).map(|a| EmailAddress { start: at, end: at + 1, ..a })
}

/// Reads `String.fromCharCode(106,111,101,64,...)`.
fn char_codes(script: &str, budget: &StepBudget) -> Vec<EmailAddress> {
    let mut found = Vec::new();
    for at in memmem::find_iter(script.as_bytes(), "fromCharCode(").take(PLACES_MAX) {
        let rest = crate::page::around(script, at + 13, 0, 4 * REACH_BYTES_MAX);
        let list = &rest[..rest.find(')').unwrap_or(0)];
        if !budget.spend(4 * REACH_BYTES_MAX + 4 * list.len()) {
            break;
        }
        let text: String =
            list.split(',').filter_map(|n| n.trim().parse::<u32>().ok().and_then(char::from_u32)).collect();
        found.extend(text.find('@').and_then(|sign| around_at(&text, sign)).map(|a| EmailAddress {
            start: at,
            end: at,
            ..a
        }));
    }
    found
}

/// Reads `[106,111,101,64,...]` in a script that turns codes into characters.
fn code_lists(script: &str, budget: &StepBudget) -> Vec<EmailAddress> {
    let is_list = |b: &u8| b.is_ascii_digit() || matches!(b, b',' | b' ');
    let bytes = script.as_bytes();
    let mut found = Vec::new();
    let mut done = 0;
    for at in memmem::find_iter(bytes, ",64,").take(PLACES_MAX) {
        if at < done {
            continue;
        }
        if !budget.spend(4 * REACH_BYTES_MAX) {
            break;
        }
        let left = bytes[done..at].iter().rev().take(REACH_BYTES_MAX).take_while(|b| is_list(b)).count();
        let right = bytes[at..].iter().take(REACH_BYTES_MAX).take_while(|b| is_list(b)).count();
        done = at + right;
        // The arguments of a call were read before.
        if script[..at - left].ends_with("fromCharCode(") {
            continue;
        }
        let list = script.get(at - left..done).unwrap_or("");
        let text: String =
            list.split(',').filter_map(|n| n.trim().parse::<u32>().ok().and_then(char::from_u32)).collect();
        let address = text.find('@').and_then(|sign| around_at(&text, sign));
        found.extend(address.map(|a| EmailAddress { start: at, end: at, ..a }));
    }
    found
}

/// Reads `unescape('%6a%6f%65%40...')`. Each run of escapes is decoded once, however many `@` it contains.
fn percent_coded(script: &str, budget: &StepBudget) -> Vec<EmailAddress> {
    let is_coded = |b: &u8| b.is_ascii_alphanumeric() || b"%._-+".contains(b);
    let bytes = script.as_bytes();
    let mut found = Vec::new();
    let mut done = 0;
    for at in memmem::find_iter(bytes, "%40").take(PLACES_MAX) {
        if at < done {
            continue;
        }
        let left = bytes[done..at].iter().rev().take(REACH_BYTES_MAX).take_while(|b| is_coded(b)).count();
        let right = bytes[at..].iter().take(REACH_BYTES_MAX).take_while(|b| is_coded(b)).count();
        done = at + right;
        let text = percent_decode(script.get(at - left..done).unwrap_or(""));
        for sign in memchr::memchr_iter(b'@', text.as_bytes()) {
            if !budget.spend(PIECES_STEPS) {
                return found;
            }
            found.extend(around_at(&text, sign).map(|a| EmailAddress { start: at, end: at, ..a }));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(script: &str, expect: &str) {
        let found = joined(script, &StepBudget::default()).into_iter().map(|a| a.email).collect::<Vec<_>>().join(" ");
        assert_eq!(found, expect, "{script}");
    }

    #[test]
    fn pieces_are_concatenated() {
        check("document.write('<a href=mailto:' + 'joe' + '@' + 'acme' + '.' + 'com' + '>')", "joe@acme.com");
        check("var u = \"joe\"; var d = 'acme.com'; w(u + '@' + d)", "joe@acme.com");
        check("var a = 'mai'+'lto'; a = 'joe' + \"@\" + 'acme.com';", "joe@acme.com");
        check("var addy1 = '&#106;oe' + '&#64;';\n addy1 = addy1 + 'acme' + '&#46;' + 'com';", "joe@acme.com");
        check("['joe', 'acme.com'].join('@')", "joe@acme.com");
        check("String.fromCharCode(106,111,101,64,97,99,109,101,46,99,111,109)", "joe@acme.com");
        check("eval(unescape('%6a%6f%65%40%61%63%6d%65%2e%63%6f%6d'))", "joe@acme.com");
    }

    #[test]
    fn ordinary_code_yields_no_address() {
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
