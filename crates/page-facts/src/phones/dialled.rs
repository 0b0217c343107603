//! Links that dial a number or open a chat with it, with the slips of the pen that browsers and people forgive.

use std::sync::LazyLock;

use memchr::{memchr_iter, memmem};

use crate::domains;
use crate::emails::address::percent_decode;

/// Longest `href` that is searched for a scheme in a wrong place, in bytes.
const MISPLACED_BYTES_MAX: usize = 100;
/// Most digits of a chat link's number that may lack its country code.
const NATIONAL_DIGITS_MAX: usize = 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scheme {
    Tel,
    Fax,
    /// A WhatsApp or Viber link with a number.
    Chat,
}

const SCHEMES: [(&str, Scheme); 9] = [
    ("tel:", Scheme::Tel),
    ("callto:", Scheme::Tel),
    ("phone:", Scheme::Tel),
    ("sms:", Scheme::Tel),
    ("fax:", Scheme::Fax),
    ("call:", Scheme::Tel),
    ("tel;", Scheme::Tel),
    ("tel :", Scheme::Tel),
    ("skype:+", Scheme::Tel),
];

/// What links to a chat on the web contain.
static CHATS: LazyLock<[memmem::Finder<'static>; 2]> =
    LazyLock::new(|| ["wa.me/", "whatsapp.com/send"].map(memmem::Finder::new));

/// The number of a link, as written.
pub(super) fn number_of_link(href: &str) -> Option<(Scheme, String)> {
    // Most links start with `http` or `/`.
    let may_dial = href.starts_with(|c: char| matches!(c.to_ascii_lowercase(), 't' | 'c' | 'p' | 's' | 'f'));
    for (prefix, scheme) in SCHEMES.into_iter().filter(|_| may_dial) {
        if href.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix)) {
            let rest = &href[prefix.len() - usize::from(prefix.ends_with('+'))..];
            return Some((scheme, dialled(rest)?));
        }
    }
    chat(href).or_else(|| misplaced(href))
}

fn dialled(rest: &str) -> Option<String> {
    let raw = percent_decode(rest);
    let raw = raw.trim_start_matches('/').split(['?', '&']).next()?.trim();
    // `tel:tel:512...` and `tel:+ 44...` are slips of the pen.
    let raw = raw.trim_start_matches("tel:").trim_start();
    Some(raw.strip_prefix("+ ").map_or_else(|| raw.to_owned(), |rest| format!("+{rest}")))
}

/// `http://tel:512...`, `/tel:512...`: an editor took the number for an address of the site.
fn misplaced(href: &str) -> Option<(Scheme, String)> {
    if href.len() > MISPLACED_BYTES_MAX {
        return None;
    }
    let colon = memchr_iter(b':', href.as_bytes()).find(|colon| href[..*colon].ends_with("/tel"))?;
    let rest = &href[colon + 1..];
    let digits = rest.bytes().filter(u8::is_ascii_digit).count();
    ((7..=16).contains(&digits)).then(|| dialled(rest)).flatten().map(|raw| (Scheme::Tel, raw))
}

fn chat(href: &str) -> Option<(Scheme, String)> {
    let after = if let Some(query) = href.strip_prefix("whatsapp://send").or_else(|| href.strip_prefix("viber://")) {
        ["phone=", "number="].iter().find_map(|mark| query.split_once(mark))?.1
    } else {
        if !CHATS.iter().any(|chat| chat.find(href.as_bytes()).is_some()) {
            return None;
        }
        let host = domains::host_of(href);
        if host == "wa.me" || host.ends_with(".wa.me") {
            href.split_once("wa.me/")?.1
        } else if host.ends_with("whatsapp.com") {
            href.split_once("whatsapp.com/send")?.1.split_once("phone=")?.1
        } else {
            return None;
        }
    };
    let after = percent_decode(after);
    let written = after.trim_start_matches(['/', '+', ' ']);
    let written = written.split(|c: char| !(c.is_ascii_digit() || " -().".contains(c))).next()?;
    let digits: String = written.chars().filter(char::is_ascii_digit).collect();
    if digits.len() < 8 {
        return None;
    }
    // A chat needs the country code, but some write the number as they dial it.
    let has_no_code = digits.starts_with('0') || (digits.len() <= NATIONAL_DIGITS_MAX && !after.starts_with('+'));
    Some((Scheme::Chat, if has_no_code { digits } else { format!("+{digits}") }))
}

/// The first of several numbers in one link: `512... or 512...`, `512... / 512...`.
pub(super) fn first_of_several(raw: &str) -> Option<&str> {
    let at = [" or ", " / ", " - ", ",", "/", "|"].iter().filter_map(|mark| raw.find(mark)).min()?;
    let first = &raw[..at];
    (first.bytes().filter(u8::is_ascii_digit).count() >= 7).then_some(first)
}

/// Whether a number is written as `512-555-0100` or `(512) 555-0100`.
pub(super) fn has_north_american_form(raw: &str) -> bool {
    let mut lengths = raw.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).map(str::len);
    [lengths.next(), lengths.next(), lengths.next(), lengths.next()] == [Some(3), Some(3), Some(4), None]
}

/// Whether a number has the ten digits of a North American one, or eleven with the 1 of long-distance calls.
pub(super) fn has_north_american_length(raw: &str) -> bool {
    let digits: Vec<u8> = raw.bytes().filter(u8::is_ascii_digit).collect();
    let national = if digits.len() == 11 && digits[0] == b'1' { &digits[1..] } else { &digits[..] };
    !raw.trim_start().starts_with('+') && national.len() == 10 && national[0] >= b'2' && national[3] >= b'2'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_with_numbers_are_recognised() {
        for (href, expect) in [
            ("tel:+15125550100", Some("+15125550100")),
            ("tel;5125550100", Some("5125550100")),
            ("tel :5125550100", Some("5125550100")),
            ("TEL://5125550100", Some("5125550100")),
            ("skype:+15125550100?call", Some("+15125550100")),
            ("http://tel:5125550100", Some("5125550100")),
            ("https://acme.com/tel:+15125550100", Some("+15125550100")),
            ("/tel:5125550100", Some("5125550100")),
            ("https://wa.me/15125550100", Some("+15125550100")),
            ("https://wa.me//15125550100", Some("+15125550100")),
            ("https://wa.me/+1%20512-555-0100", Some("+15125550100")),
            ("https://wa.me/07911123457", Some("07911123457")),
            ("https://api.whatsapp.com/send?l=en&phone=15125550100&text=7", Some("+15125550100")),
            ("https://api.whatsapp.com/send/?phone=%2B15125550100", Some("+15125550100")),
            ("whatsapp://send?text=hi&phone=+15125550100", Some("+15125550100")),
            ("viber://chat?number=%2B15125550100", Some("+15125550100")),
            ("skype:acme.support?call", None),
            ("https://wa.me/message/ABC123", None),
            ("https://api.whatsapp.com/send?text=5125550100", None),
            ("https://acme.com/hotel:5125550100", None),
            ("/tel:contact", None),
            ("/p/5125550100", None),
            ("https://acme.com/?phone=5125550100", None),
        ] {
            assert_eq!(number_of_link(href).map(|(_, raw)| raw).as_deref(), expect, "{href}");
        }
    }

    #[test]
    fn the_first_of_several_numbers_is_taken() {
        for (raw, expect) in [
            ("5125550100 or 5125550101", Some("5125550100")),
            ("512-555-0100 / 0101", Some("512-555-0100")),
            ("089/5550100", None),
            ("5125550100", None),
        ] {
            assert_eq!(first_of_several(raw), expect, "{raw}");
        }
    }
}
