//! Addresses in links: the parts of a `mailto:`, Cloudflare's encoding, and an `@` between spaces.

use memchr::memchr_iter;

use crate::budget::StepBudget;
use crate::emails::address::{EmailAddress, around_at, percent_decode};
use crate::emails::{kind, obfuscated};
use crate::page::around;
use crate::site::Site;
use crate::word_set::WordSet;

/// `@` characters examined per attribute.
pub(super) const ATTRIBUTE_SIGNS_MAX: usize = 20;
/// Steps charged for reading around one `@`.
pub(super) const SIGN_STEPS: usize = 600;

/// The code after `/cdn-cgi/l/email-protection#`. Few links have a `#` at all.
pub(super) fn cloudflare_part(href: &str) -> Option<&str> {
    let at = memchr::memchr(b'#', href.as_bytes())?;
    href[..at].ends_with("/cdn-cgi/l/email-protection").then(|| &href[at + 1..])
}

pub(super) fn mailto_part(href: &str) -> Option<&str> {
    let href = href.trim_start();
    match href.get(..7) {
        Some(scheme) if scheme.eq_ignore_ascii_case("mailto:") => Some(&href[7..]),
        _ => None,
    }
}

/// `mailto:a@x.com,b@x.com?subject=...&cc=c@x.com`: the recipients, including those of `to`, `cc` and `bcc`.
pub(super) fn addresses_of_mailto(rest: &str, budget: &StepBudget, site: &Site) -> Vec<EmailAddress> {
    let (to, query) = rest.split_once('?').unwrap_or((rest, ""));
    let mut fields = vec![to];
    for pair in query.split('&').take(20) {
        if let Some((name, value)) = pair.split_once('=')
            && ["to", "cc", "bcc"].iter().any(|n| name.eq_ignore_ascii_case(n))
        {
            fields.push(value);
        }
    }
    let mut found = Vec::new();
    for field in fields {
        let plain = percent_decode(field).replace("mailto:", "").replace("%20", "");
        for at in memchr_iter(b'@', plain.as_bytes()).take(ATTRIBUTE_SIGNS_MAX) {
            if !budget.spend(SIGN_STEPS) {
                return found;
            }
            let turned = || obfuscated::rot13_around(&plain, at).filter(|address| site.owns(address.domain()));
            found.extend(around_at(&plain, at).or_else(|| with_blanks(&plain, at)).or_else(turned));
        }
    }
    found
}

/// The code of `javascript:linkTo_UnCryptMailto('...')`, as TYPO3 writes links.
pub(super) fn turned_part(href: &str) -> Option<&str> {
    // Few links have a parenthesis at all.
    memchr::memchr(b'(', href.as_bytes())?;
    let code = &href[href.find("UnCryptMailto(")? + 14..];
    let code = code.trim_start_matches(['\'', '"']).trim_start_matches("%27");
    let end = code.find(['\'', '"', ')']).unwrap_or(code.len());
    Some(code[..end].trim_end_matches("%27"))
}

/// Words after which an `@` between spaces is part of an address.
const EMAIL_WORDS: &[&str] =
    &["email", "e-mail", "mail", "mail us", "email us", "write to", "contact", "kontakt", "correo", "courriel"];
/// Words before an `@` that means "at".
static ORDINARY_WORDS: WordSet = WordSet::new(
    "us me we you open opens live now here visit find see meet join shop online today work works working founder ceo
     owner manager editor dinner lunch party event concert team out order more news blog book",
);

/// Whether an `@` between spaces belongs to an address: on the site's own domain or at a free provider, in lower case, and
/// as the only thing on its line or after a word such as `Email:`. "Ann @ Acme.com" is a person at a company.
pub(super) fn is_written_apart(text: &str, at: usize, address: &EmailAddress, site: &Site) -> bool {
    let line = around(text, at, BLANKS_REACH_BYTES, 0);
    let line = line.rsplit('\n').next().unwrap_or("").trim_end();
    let word = line.rsplit(|c: char| c.is_whitespace() || c == ':').next().unwrap_or("");
    let lead = line[..line.len() - word.len()].trim_end();
    let label = lead.trim_end_matches(':').trim_end().to_lowercase();
    let is_labelled = EMAIL_WORDS.iter().any(|known| label.ends_with(known));
    let is_own = site.owns(address.domain()) || crate::domains::is_free_mail(address.domain());
    let is_lower = !word.contains(|c: char| c.is_uppercase());
    is_own && (is_labelled || (is_lower && lead.is_empty() || kind::is_role(word)) && !ORDINARY_WORDS.contains(word))
}

/// Bytes read on either side of an `@` between spaces; no address is longer.
const BLANKS_REACH_BYTES: usize = 120;

/// Reads `joe @ acme.com`.
pub(super) fn with_blanks(text: &str, at: usize) -> Option<EmailAddress> {
    let before = text[..at].strip_suffix(' ').unwrap_or(&text[..at]);
    let after = text[at + 1..].strip_prefix(' ').unwrap_or(&text[at + 1..]);
    if before.len() == at && after.len() == text.len() - at - 1 {
        return None;
    }
    let near = around(before, before.len(), BLANKS_REACH_BYTES, 0);
    let word = near.rsplit(|c: char| c.is_whitespace() || c == ':').next().unwrap_or("");
    let next = around(after, 0, 0, BLANKS_REACH_BYTES).split(char::is_whitespace).next().unwrap_or("");
    let joined = format!("{word}@{next}");
    let found = around_at(&joined, word.len())?;
    // A stray `@` between words, as in "open @ acme.com", would turn any verb into a local part.
    (word.len() > 2 && before.len() + 1 == at && after.len() + 2 == text.len() - at
        || word.len() > 2 && kind::is_role(word))
    .then_some(EmailAddress { start: at, end: at + 1, email: found.email })
}
