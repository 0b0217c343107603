//! Extracts one email address from the characters around an `@`.

use crate::domains;

/// Longest local part, by RFC 5321.
const LOCAL_BYTES_MAX: usize = 64;
/// Fewest digits of a phone number.
const PHONE_DIGITS_MIN: usize = 7;
/// Longest domain that is accepted; real ones are far shorter than DNS allows.
const DOMAIN_BYTES_MAX: usize = 100;

/// An email address and its byte range in the text it was found in.
#[derive(Debug, PartialEq, Eq, Clone)]
pub(crate) struct EmailAddress {
    /// In lower case.
    pub(crate) email: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl EmailAddress {
    pub(crate) fn local(&self) -> &str {
        self.email.split_once('@').map_or("", |(local, _)| local)
    }

    pub(crate) fn domain(&self) -> &str {
        self.email.split_once('@').map_or("", |(_, domain)| domain)
    }
}

/// The address around the `@` at byte `at`, when there is one.
pub(crate) fn around_at(text: &str, at: usize) -> Option<EmailAddress> {
    let start = local_start(text, at)?;
    let domain = cut_domain(domain_run(text, at + 1)?)?;
    let end = at + 1 + domain.len();
    let email = format!("{}@{}", &text[start..at], domain).to_lowercase();
    Some(EmailAddress { email, start, end })
}

/// Cheap check of the signs around the `@` at byte `at`, whatever the letters: `false` is certain.
pub(crate) fn may_be_around(text: &str, at: usize) -> bool {
    let is_after_local = at.checked_sub(1).is_some_and(|before| is_local(text.as_bytes()[before]));
    is_after_local && domain_run(text, at + 1).is_some_and(|run| run.contains('.'))
}

fn is_local(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._%+-'&=/".contains(&byte)
}

fn local_start(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let floor = at.saturating_sub(LOCAL_BYTES_MAX + 16);
    let mut start = at;
    while start > floor && is_local(bytes[start - 1]) {
        start -= 1;
    }
    if start == floor && floor > 0 {
        return None;
    }
    start += name_start(&text[start..at]);
    start += leading_escape(&text[..start], &text[start..at]);
    let run = &text[start..at];
    start += run.len() - run.trim_start_matches(['.', '-', '_', '+', '%']).len();
    start += joined_phone(&text[start..at]);
    let local = &text[start..at];
    let foreign = text[..start].chars().next_back().is_some_and(|c| c.is_alphabetic() && !c.is_ascii());
    let bad = local.is_empty()
        || local.len() > LOCAL_BYTES_MAX
        || local.ends_with('.')
        || local.contains("..")
        || local.contains('%');
    (!bad && !foreign).then_some(start)
}

/// Where the name begins: `=`, `/`, `&`, `'` are legal in an address but nearly always precede it: `?to=joe@`, `'joe@`.
/// `'j.o'brien@` is the exception.
fn name_start(run: &str) -> usize {
    let word = run.rsplit(['=', '/', '&']).next().unwrap_or(run);
    let Some((before, name)) = word.rsplit_once('\'') else { return run.len() - word.len() };
    let before = before.rsplit('\'').next().unwrap_or(before);
    let is_part = matches!(before.rsplit(['.', '-', '_']).next(), Some("o" | "O"));
    run.len() - name.len() - if is_part { before.len() + 1 } else { 0 }
}

/// Length of a phone number that is joined to the address, because only a style separates the two: `512-555-0142info@`.
fn joined_phone(run: &str) -> usize {
    let number = run.find(|c: char| !c.is_ascii_digit() && c != '-' && c != '.').unwrap_or(run.len());
    let digits = run[..number].bytes().filter(u8::is_ascii_digit).count();
    let is_phone = digits >= PHONE_DIGITS_MIN && digits < number && run[number..].starts_with(char::is_alphabetic);
    if is_phone { number } else { 0 }
}

/// Length of an escape sequence before the address: `\ninfo@`, `\u003einfo@`, `%20info@`, `%3Ainfo@`.
fn leading_escape(before: &str, run: &str) -> usize {
    if let Some(percent) = run.rfind('%') {
        return (percent + 3).min(run.len());
    }
    if !before.ends_with('\\') {
        return 0;
    }
    match run.as_bytes().first() {
        Some(b'n' | b't' | b'r') => 1,
        Some(b'u') if run.len() > 5 && run.as_bytes()[1..5].iter().all(u8::is_ascii_hexdigit) => 5,
        Some(b'x') if run.len() > 3 && run.as_bytes()[1..3].iter().all(u8::is_ascii_hexdigit) => 3,
        _ => 0,
    }
}

fn domain_run(text: &str, from: usize) -> Option<&str> {
    let rest = text.get(from..)?;
    let mut end = 0;
    for c in rest.chars() {
        if !(c.is_alphanumeric() || c == '.' || c == '-') || end > DOMAIN_BYTES_MAX {
            break;
        }
        end += c.len_utf8();
    }
    Some(&rest[..end])
}

/// The longest valid domain at the start of a run of domain characters.
fn cut_domain(run: &str) -> Option<&str> {
    if run.starts_with(['.', '-']) || run.is_empty() || run.len() > DOMAIN_BYTES_MAX {
        return None;
    }
    // An empty label ends the domain, as in `a.com...`.
    let run = run.find("..").map_or(run, |at| &run[..at]);
    let mut domain = run.trim_end_matches(['.', '-']);
    // Each round drops one label, so few rounds suffice.
    for _ in 0..5 {
        if is_domain(domain) {
            return Some(domain);
        }
        if let Some(cut) = cut_glued_word(domain).filter(|cut| is_domain(cut)) {
            return Some(cut);
        }
        domain = domain.rsplit_once('.')?.0;
    }
    None
}

fn is_domain(domain: &str) -> bool {
    let lower = domain.to_lowercase();
    domain.contains('.')
        && domain
            .split('.')
            .all(|label| !label.is_empty() && label.len() < 64 && !label.starts_with('-') && !label.ends_with('-'))
        && domains::is_real(&lower)
}

/// Handles `acme.comCall` and `acme.com512`, where the space before the next word is missing.
fn cut_glued_word(domain: &str) -> Option<&str> {
    let dot = domain.rfind('.')?;
    let last = &domain[dot + 1..];
    let mut before_is_lower = false;
    for (at, c) in last.char_indices() {
        if at > 1 && ((before_is_lower && c.is_uppercase()) || c.is_ascii_digit()) {
            return Some(&domain[..dot + 1 + at]);
        }
        before_is_lower = c.is_lowercase();
    }
    None
}

/// Decodes `%40` and the like; invalid escapes are left as they are.
pub(crate) fn percent_decode(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &str) {
        let at = text.find('@').unwrap();
        let found = around_at(text, at).map(|a| a.email).unwrap_or_default();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn addresses_end_where_they_should() {
        check("write to Joe.O-Neil+x@Acme.co.uk.", "joe.o-neil+x@acme.co.uk");
        check("info@acme.com.Please call", "info@acme.com");
        check("info@acme.comCall us", "info@acme.com");
        check("info@acme.com512-555", "info@acme.com");
        check("'info@acme.com'", "info@acme.com");
        check("?email=info@acme.com&x", "info@acme.com");
        check(r"a\ninfo@acme.com\n", "info@acme.com");
        check(r"\u003einfo@acme.com\u003c", "info@acme.com");
        check("%20info@acme.com", "info@acme.com");
        check("info@müller.de", "info@müller.de");
        check("E:info@acme.photography,", "info@acme.photography");
        check("_info@acme.com_", "info@acme.com");
        check("512-555-0142info@acme.com", "info@acme.com");
        check("(512) 555.0142info@acme.com", "info@acme.com");
        check("19800115ann@acme.com", "19800115ann@acme.com");
        check("4-5ann@acme.com", "4-5ann@acme.com");
        check("info@acme.com...", "info@acme.com");
        check("o'neil@acme.com", "o'neil@acme.com");
        check("x='J.O'Neil@acme.com'", "j.o'neil@acme.com");
        check("l'info@acme.com", "info@acme.com");
    }

    #[test]
    fn lookalikes_are_ignored() {
        for text in [
            "logo@2x.png",
            "jquery@3.6.0",
            "@media",
            "a@b",
            "x@.com",
            "é@a.com",
            "é.é@acme.com",
            "a..b@acme.com",
            "a@co.uk",
        ] {
            check(text, "");
        }
        check(&format!("{}@acme.com", "a".repeat(65)), "");
        check(&format!("{}@acme.com", "a".repeat(500)), "");
    }

    #[test]
    fn percent_escapes_are_decoded() {
        assert_eq!(percent_decode("a%40b%2Ecom%zz%4"), "a@b.com%zz%4");
        assert_eq!(percent_decode("%ff%é"), "\u{fffd}%é");
    }
}
