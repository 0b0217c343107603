//! Obfuscated addresses: Cloudflare's encoding, `[at]` and `(dot)`, reversed text, ROT13.

use std::sync::LazyLock;

use crate::budget::StepBudget;
use crate::domains;
use crate::emails::address::{EmailAddress, around_at, may_be_around, percent_decode};
use crate::literals::Literals;
use crate::word_set::WordSet;

/// Words for a full stop and for `@` between others, and a search for all of them: most pages contain none.
const DOTS: [&str; 3] = [" dot ", " DOT ", " punkt "];
const SIGNS: [&str; 5] = [" AT ", "_AT_", "-AT-", "(at)", "_at_"];
static SPELLED: LazyLock<Option<Literals>> = LazyLock::new(|| Literals::new(DOTS.into_iter().chain(SIGNS)));

/// Brackets examined per page.
const BRACKETS_MAX: usize = 20_000;
/// Steps charged for a bracket that follows a word.
const WORD_STEPS: usize = 60;
/// Steps charged for reading around a spelled-out `@`.
const SPELLED_STEPS: usize = 900;
/// Bytes read on either side of an `[at]`.
const REACH_BYTES_MAX: usize = 120;

/// Bytes decoded of one encoded text.
const CODE_BYTES_MAX: usize = 1_000;
/// Addresses read from one encoded text.
const ADDRESSES_MAX: usize = 10;

/// Words for `@` inside brackets.
const AT_WORDS: &[&str] = &[
    "at",
    "@",
    "ät",
    "æt",
    "a",
    "ad",
    "arroba",
    "arobase",
    "arobas",
    "chiocciola",
    "klammeraffe",
    "affe",
    "apenstaartje",
    "snabel-a",
    "snabela",
    "małpa",
    "malpa",
    "собака",
    "kukac",
    "zavinac",
    "zavináč",
    "at sign",
    "at-sign",
    "bei",
    "et",
    "_at_",
    "-at-",
];
/// Words for `.` inside brackets.
const DOT_WORDS: &[&str] = &[
    "dot",
    ".",
    "punkt",
    "point",
    "punto",
    "ponto",
    "punt",
    "piste",
    "tecka",
    "kropka",
    "точка",
    "pkt",
    "dt",
    "_dot_",
    "-dot-",
];
/// Words that precede a plain `at` in ordinary sentences.
static ORDINARY: WordSet = WordSet::new(
    "us me them him her look looking online find visit here out available located is are be shop more
     contact email e-mail website web site now today anytime reach work and or page blog team",
);

/// Decodes Cloudflare's hexadecimal encoding: the first byte is the XOR key for the others. The code of a `mailto:` link
/// contains the subject too, and may contain several addresses; what is too long or broken is dropped from its end.
pub(crate) fn cloudflare(hex: &str) -> Vec<EmailAddress> {
    let hex = hex.trim();
    if hex.len() < 8 {
        return Vec::new();
    }
    let mut bytes = hex
        .as_bytes()
        .chunks_exact(2)
        .take(CODE_BYTES_MAX)
        .map_while(|pair| std::str::from_utf8(pair).ok().and_then(|p| u8::from_str_radix(p, 16).ok()));
    let Some(key) = bytes.next() else { return Vec::new() };
    let plain: Vec<u8> = bytes.map(|byte| byte ^ key).collect();
    let text = percent_decode(&String::from_utf8_lossy(&plain));
    let to = text.split('?').next().unwrap_or("");
    memchr::memchr_iter(b'@', to.as_bytes()).take(ADDRESSES_MAX).filter_map(|at| around_at(to, at)).collect()
}

/// Addresses spelled with bracketed words: `joe [at] acme (dot) com`.
pub(crate) fn bracketed(text: &str, budget: &StepBudget) -> Vec<EmailAddress> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let brackets = memchr::memchr3_iter(b'[', b'(', b'{', bytes).chain(memchr::memchr_iter(b'<', bytes));
    for at in brackets.take(BRACKETS_MAX) {
        // Most brackets do not follow anything that could be a local part.
        if !text[..at].trim_end().ends_with(is_local) {
            continue;
        }
        if !budget.spend(WORD_STEPS) {
            break;
        }
        let Some(end) = bracket_word(text, at, AT_WORDS) else { continue };
        if !budget.spend(SPELLED_STEPS) {
            break;
        }
        found.extend(spelled_around(text, at, end));
    }
    found
}

fn is_local(c: char) -> bool {
    c.is_ascii_alphanumeric() || "._+-".contains(c)
}

/// Addresses spelled with plain words: `joe at acme dot com`, `joe AT acme.com`.
pub(crate) fn in_words(text: &str, budget: &StepBudget) -> Vec<EmailAddress> {
    let mut found = Vec::new();
    if SPELLED.as_ref().is_some_and(|words| !words.occur_in(text)) {
        return found;
    }
    for word in DOTS {
        for at in memchr::memmem::find_iter(text.as_bytes(), word).take(100) {
            if !budget.spend(SPELLED_STEPS) {
                return found;
            }
            let before = &text[crate::page::floor_char(text, at.saturating_sub(REACH_BYTES_MAX))..at];
            let Some(sign) = before.rfind(" at ").or_else(|| before.rfind(" AT ")) else { continue };
            if at - (at - before.len() + sign) > 64 {
                continue;
            }
            let sign = at - before.len() + sign;
            found.extend(spelled_around(text, sign, sign + 4).filter(|a| !ORDINARY.contains(a.local())));
        }
    }
    for word in SIGNS {
        for at in memchr::memmem::find_iter(text.as_bytes(), word).take(100) {
            if !budget.spend(SPELLED_STEPS) {
                return found;
            }
            found.extend(spelled_around(text, at, at + word.len()).filter(|a| !ORDINARY.contains(a.local())));
        }
    }
    found
}

/// The end of the bracketed word at `at`, when it is one of `words`.
fn bracket_word(text: &str, at: usize, words: &[&str]) -> Option<usize> {
    let close = match text.as_bytes().get(at)? {
        b'[' => b']',
        b'(' => b')',
        b'{' => b'}',
        b'<' => b'>',
        _ => return None,
    };
    let inside = &text.as_bytes()[at + 1..text.len().min(at + 20)];
    let length = memchr::memchr(close, inside)?;
    let word = text.get(at + 1..at + 1 + length)?.trim();
    let is_word = if word.is_ascii() {
        words.iter().any(|known| known.eq_ignore_ascii_case(word))
    } else {
        words.contains(&word.to_lowercase().as_str())
    };
    is_word.then_some(at + 2 + length)
}

/// Reads the local part before `at` and the domain from `end` on; dots may be spelled out in both.
fn spelled_around(text: &str, at: usize, end: usize) -> Option<EmailAddress> {
    let before = &text[crate::page::floor_char(text, at.saturating_sub(REACH_BYTES_MAX))..at];
    let local = local_before(before)?;
    let mut joined = format!("{local}@");
    let sign = local.len();
    let after = &text[end..crate::page::floor_char(text, end + REACH_BYTES_MAX)];
    let used = domain_after(after, &mut joined);
    let address = around_at(&joined, sign)?;
    Some(EmailAddress { email: address.email, start: at.saturating_sub(local.len()), end: end + used })
}

/// The last word before the `@`, with `(dot)` read as a dot.
fn local_before(before: &str) -> Option<String> {
    let mut rest = before.trim_end();
    let mut local = String::new();
    // A local part has few dotted parts.
    for _ in 0..4 {
        let start =
            rest.rfind(|c: char| !is_local(c)).map_or(0, |p| p + rest[p..].chars().next().map_or(1, char::len_utf8));
        local.insert_str(0, &rest[start..]);
        rest = rest[..start].trim_end();
        let open = rest.rfind(['[', '(', '{']);
        match open.filter(|open| bracket_word(rest, *open, DOT_WORDS) == Some(rest.len())) {
            Some(open) => {
                local.insert(0, '.');
                rest = rest[..open].trim_end();
            }
            None => break,
        }
    }
    (!local.is_empty()).then_some(local)
}

/// Appends the domain at the start of `after` to `joined`; returns the bytes consumed.
fn domain_after(after: &str, joined: &mut String) -> usize {
    let mut at = 0;
    // Labels alternate with dots; a domain has few.
    for _ in 0..6 {
        at += after[at..].len() - after[at..].trim_start().len();
        let label =
            after[at..].find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '.')).unwrap_or(after.len() - at);
        let word = after[at..at + label].trim_end_matches('.');
        joined.push_str(word);
        at += word.len();
        match dot_after(&after[at..]) {
            Some(used) if !word.is_empty() => {
                joined.push('.');
                at += used;
            }
            _ => break,
        }
    }
    at
}

/// Length of a spelled-out dot: ` (dot) `, ` dot `, `[.]`.
fn dot_after(text: &str) -> Option<usize> {
    let blank = text.len() - text.trim_start().len();
    let rest = &text[blank..];
    if let Some(end) = bracket_word(rest, 0, DOT_WORDS) {
        return Some(blank + end);
    }
    if blank == 0 && !rest.starts_with(['_', '-']) {
        return None;
    }
    let words = ["dot ", "DOT ", "punkt ", "punto ", "point ", "_dot_", "-dot-", "_DOT_", ". "];
    words.iter().find(|word| rest.starts_with(**word)).map(|word| blank + word.len())
}

/// The address around an `@` in reversed text: `moc.emca@eoj`.
pub(crate) fn reversed_around(text: &str, at: usize) -> Option<EmailAddress> {
    let bytes = text.as_bytes();
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || b"._-+".contains(b);
    let left = bytes[..at].iter().rev().take(REACH_BYTES_MAX).take_while(|b| is_part(b)).count();
    let right = bytes[at + 1..].iter().take(REACH_BYTES_MAX).take_while(|b| is_part(b)).count();
    let (start, end) = (at - left, at + 1 + right);
    let run = text.get(start..end)?;
    let turned: String = run.chars().rev().collect();
    let found = around_at(&turned, right)?;
    // Only common top-level domains: reversed, almost anything could be one.
    let common = [
        "com", "net", "org", "uk", "de", "fr", "it", "es", "nl", "eu", "ca", "au", "info", "biz", "us", "ch", "at",
        "be",
    ];
    let ending = found.domain().rsplit('.').next().unwrap_or("");
    (common.contains(&ending) && found.end == turned.len()).then_some(EmailAddress { email: found.email, start, end })
}

/// The address around a plain `@` whose domain has spelled-out dots: `joe@acme(dot)com`.
pub(crate) fn dotted_around(text: &str, at: usize) -> Option<EmailAddress> {
    let after = crate::page::around(text, at + 1, 0, REACH_BYTES_MAX);
    let label = after.trim_start();
    let dot = &label[label.find(|c: char| !(c.is_alphanumeric() || c == '-')).filter(|end| *end > 0)?..];
    dot_after(dot)?;
    spelled_around(text, at, at + 1).filter(|found| !ORDINARY.contains(found.local()))
}

/// The ranges of characters that TYPO3 turns by an offset, each within itself.
const TURNED_RANGES: [(u8, u8); 3] = [(0x2B, 0x3A), (0x40, 0x5A), (0x61, 0x7A)];
/// The largest offset in use.
const TURNED_OFFSET_MAX: i16 = 26;

/// Decodes TYPO3's encoding of `mailto:` links, whatever the offset.
pub(crate) fn turned_mailto(code: &str) -> Option<String> {
    (-TURNED_OFFSET_MAX..=TURNED_OFFSET_MAX)
        .find(|offset| code.bytes().take(7).map(|byte| turn(byte, *offset)).eq("mailto:".bytes()))
        .map(|offset| code.bytes().skip(7).map(|byte| char::from(turn(byte, offset))).collect())
}

fn turn(byte: u8, offset: i16) -> u8 {
    let Some((low, high)) = TURNED_RANGES.iter().find(|(low, high)| (*low..=*high).contains(&byte)) else {
        return byte;
    };
    let width = i16::from(high - low) + 1;
    let place = (i16::from(byte - low) + offset).rem_euclid(width);
    low + u8::try_from(place).unwrap_or(0)
}

/// Applies ROT13, which is its own inverse.
pub(crate) fn rot13(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            'a'..='m' | 'A'..='M' => char::from(c as u8 + 13),
            'n'..='z' | 'N'..='Z' => char::from(c as u8 - 13),
            other => other,
        })
        .collect()
}

/// The address around an `@` in ROT13 text.
pub(crate) fn rot13_around(text: &str, at: usize) -> Option<EmailAddress> {
    // Letters stay letters; style sheets and scripts are full of other signs at an `@`.
    if !may_be_around(text, at) {
        return None;
    }
    let from = crate::page::floor_char(text, at.saturating_sub(80));
    let plain = rot13(crate::page::around(text, at, 80, 120));
    let found = around_at(&plain, at - from)?;
    let ending = found.domain().rsplit('.').next().unwrap_or("");
    let common = ["com", "net", "org", "uk", "de", "fr", "it", "es", "nl", "eu", "ca", "au", "info", "biz", "us"];
    (common.contains(&ending) && domains::is_real(found.domain())).then_some(EmailAddress {
        email: found.email,
        start: from + found.start,
        end: from + found.end,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn emails(list: Vec<EmailAddress>) -> String {
        list.into_iter().map(|a| a.email).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn cloudflare_encoding_is_decoded() {
        assert_eq!(emails(cloudflare("543931142127353931262c7a373b39")), "me@usamerx.com");
        for bad in ["", "zz", "5439", "54é3", &"5".repeat(500)] {
            assert_eq!(cloudflare(bad), []);
        }
        let coded =
            |text: &str| text.bytes().fold("54".to_owned(), |code, byte| code + &format!("{:02x}", byte ^ 0x54));
        let subject = "x".repeat(2_000);
        assert_eq!(emails(cloudflare(&coded(&format!("joe@acme.com?subject={subject}")))), "joe@acme.com");
        assert_eq!(emails(cloudflare(&coded("joe@acme.com,ann@acme.com?cc=x@y.com"))), "joe@acme.com ann@acme.com");
        assert_eq!(emails(cloudflare(&(coded("joe@acme.com") + "zz"))), "joe@acme.com");
    }

    #[test]
    fn many_spellings_of_an_address_are_read() {
        for text in [
            "joe [at] acme (dot) com",
            "joe(at)acme.com",
            "Joe{at}acme[dot]com!",
            "joe [ AT ] acme [ DOT ] com",
            "mail: joe(a)acme.com",
            "joe [arroba] acme [punto] com",
            "joe (ät) acme (punkt) com",
            "joe [@] acme.com",
            "joe[at]acme . com",
            "x joe (chiocciola) acme.com,",
            "joe(at)acme(.)com",
        ] {
            assert_eq!(emails(bracketed(text, &StepBudget::default())), "joe@acme.com", "{text}");
        }
        assert_eq!(
            emails(bracketed("first (dot) last [at] shop (dot) co (dot) uk", &StepBudget::default())),
            "first.last@shop.co.uk"
        );
        for text in ["joe at acme dot com", "mail joe AT acme DOT com now", "joe AT acme.com"] {
            assert!(emails(in_words(text, &StepBudget::default())).starts_with("joe@acme.com"), "{text}");
        }
    }

    #[test]
    fn ordinary_sentences_are_not_addresses() {
        for text in [
            "visit us at acme dot com",
            "see (a) the form (b) the fee",
            "we open (at) nine",
            "meet [at] the corner dot",
            "shop AT acme.com",
        ] {
            assert_eq!(
                emails(bracketed(text, &StepBudget::default())) + &emails(in_words(text, &StepBudget::default())),
                "",
                "{text}"
            );
        }
    }

    #[test]
    fn turned_links_are_decoded() {
        assert_eq!(turned_mailto("ocknvq,lqgBceog0eqo").as_deref(), Some("joe@acme.com"));
        assert_eq!(turned_mailto("mailto:joe@acme.com").as_deref(), Some("joe@acme.com"));
        assert_eq!(turned_mailto("javascript"), None);
    }

    #[test]
    fn spelled_dots_after_a_plain_sign_are_read() {
        for (text, expect) in [
            ("joe@acme(dot)com", "joe@acme.com"),
            ("joe@acme[.]com", "joe@acme.com"),
            ("joe @ acme [dot] com", "joe@acme.com"),
            ("visit us @ acme dot com", ""),
            ("joe@acme", ""),
            ("see you @ noon (not later)", ""),
        ] {
            let found = dotted_around(text, text.find('@').unwrap()).map(|a| a.email).unwrap_or_default();
            assert_eq!(found, expect, "{text}");
        }
    }

    #[test]
    fn reversed_and_rot13_text_is_read() {
        let text = "x moc.emca@eoj y";
        assert_eq!(reversed_around(text, text.find('@').unwrap()).unwrap().email, "joe@acme.com");
        assert_eq!(rot13_around("wbr@npzr.pbz", 3).unwrap().email, "joe@acme.com");
        assert_eq!(rot13_around("joe@acme.xyzzy", 3), None);
        assert_eq!(reversed_around("joe@acme.xyzzy", 3), None);
    }
}
