//! Reads an entry as an operator types or pastes it.

use std::net::Ipv4Addr;

use url::Host;

use super::shared_sites::is_shared;
use super::{Entry, Kind};
use crate::listing::{e164, has_phones};

/// Bytes of an entry as typed; the longest email has fewer, a pasted address rarely more.
const TYPED_BYTES_MAX: usize = 2_000;
/// Bytes of an email (RFC 5321).
const EMAIL_BYTES_MAX: usize = 254;
/// Digits from which on something without letters is a phone.
const PHONE_DIGITS_MIN: usize = 5;
/// Top-level domains for tests and examples, such as those of the sandbox (RFC 2606).
const RESERVED: [&str; 4] = ["example", "test", "localhost", "invalid"];

/// What was typed is no entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// Nothing, or far too much.
    #[error("{0:?} is no domain, email or phone")]
    Nothing(String),
    /// No such email can exist.
    #[error("{0:?} is no email; write it like joe@ada.com")]
    Email(String),
    /// No such phone can exist.
    #[error(
        "{0:?} is no phone number that can exist; write it with + and its country code, or name its country with --country"
    )]
    Phone(String),
    /// No such country is known.
    #[error("{0:?} is no country; use its two-letter code, such as US or GB")]
    Country(String),
    /// It is the address of a machine.
    #[error("{0:?} is the address of a machine, not a domain; suppress the email or the phone of the business instead")]
    Address(String),
    /// Nobody can register it.
    #[error("{0:?} is no domain that a business can have; write it like ada.com")]
    Domain(String),
    /// Many businesses share it.
    #[error("many businesses share {0}; suppress the email address or the phone of the business instead")]
    Shared(String),
}

/// Reads a domain or a web address, an email or a phone. A phone without its country code is one of `country`, or else of the
/// US.
pub fn parse(typed: &str, country: Option<&str>) -> Result<Entry, EntryError> {
    let text = typed.trim().trim_matches(|c: char| "\"'<>,;".contains(c));
    if text.is_empty() || text.len() > TYPED_BYTES_MAX {
        return Err(EntryError::Nothing(typed.chars().take(80).collect()));
    }
    if let Some(country) = country.filter(|country| !has_phones(country)) {
        return Err(EntryError::Country(country.to_owned()));
    }
    let lower = text.to_lowercase();
    if let Some(phone) = lower.strip_prefix("tel:") {
        return parse_phone(phone, country);
    }
    let email = lower.strip_prefix("mailto:").unwrap_or(&lower);
    if email.contains('@') && !email.contains("://") {
        return parse_email(email);
    }
    if is_phone(&lower) { parse_phone(&lower, country) } else { parse_domain(&lower) }
}

fn is_phone(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let has_letters = text.chars().any(char::is_alphabetic);
    let is_written_as_one = text.starts_with(['+', '(']) || (!has_letters && digits >= PHONE_DIGITS_MIN);
    is_written_as_one && text.parse::<Ipv4Addr>().is_err() && !text.contains("://")
}

fn parse_phone(text: &str, country: Option<&str>) -> Result<Entry, EntryError> {
    let value = e164(text, country).ok_or_else(|| EntryError::Phone(text.to_owned()))?;
    Ok(Entry { kind: Kind::Phone, value })
}

fn parse_email(text: &str) -> Result<Entry, EntryError> {
    let wrong = || EntryError::Email(text.to_owned());
    let text_of_link = text.split('?').next().unwrap_or_default();
    let (name, domain) = text_of_link.rsplit_once('@').ok_or_else(wrong)?;
    let is_strange = |c: char| c.is_whitespace() || c.is_control() || "\"\\<>()[],;:@".contains(c);
    let host = host_of(domain).filter(|host| is_registrable(host)).ok_or_else(wrong)?;
    let value = format!("{name}@{host}");
    if name.is_empty() || name.contains(is_strange) || value.len() > EMAIL_BYTES_MAX {
        return Err(wrong());
    }
    Ok(Entry { kind: Kind::Email, value })
}

fn parse_domain(text: &str) -> Result<Entry, EntryError> {
    let wrong = || EntryError::Domain(text.to_owned());
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if authority.starts_with('[') || without_port(authority).parse::<Ipv4Addr>().is_ok() {
        return Err(EntryError::Address(text.to_owned()));
    }
    let host = host_of(without_port(authority)).ok_or_else(wrong)?;
    let bare = host.strip_prefix("www.").filter(|bare| is_registrable(bare)).unwrap_or(&host);
    // First, because a suffix such as github.io is shared, and no domain either.
    if is_shared(bare) {
        return Err(EntryError::Shared(bare.to_owned()));
    }
    if !is_registrable(bare) {
        return Err(wrong());
    }
    Ok(Entry { kind: Kind::Domain, value: bare.to_owned() })
}

fn without_port(authority: &str) -> &str {
    authority.split(':').next().unwrap_or(authority)
}

/// A host name in the form that DNS has: lower case, in ASCII, without a dot at the end.
pub(super) fn host_of(text: &str) -> Option<String> {
    match Host::parse(text.trim_end_matches('.')) {
        Ok(Host::Domain(host)) => Some(host),
        _ => None,
    }
}

/// Whether a business can have this domain: something in front of a public suffix.
fn is_registrable(host: &str) -> bool {
    let is_reserved =
        host.rsplit_once('.').is_some_and(|(before, last)| !before.is_empty() && RESERVED.contains(&last));
    let is_known = public_suffix::has_known_suffix(host);
    public_suffix::domain(host).is_some() && (is_known || is_reserved)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(typed: &str, expected: &str) {
        let entry = parse(typed, None).unwrap_or_else(|error| panic!("{typed:?}: {error}"));
        assert_eq!(entry.key(), expected, "{typed:?}");
        assert_eq!(Entry::try_from(entry.key()).unwrap(), entry);
    }

    #[test]
    fn domains_are_read_from_whatever_is_pasted() {
        for typed in [
            "ada.com",
            " Ada.COM. ",
            "www.ada.com",
            "https://www.ada.com:8443/a?b#c",
            "http://user@ada.com/",
            "<ada.com>",
        ] {
            check(typed, "domain:ada.com");
        }
        check("shop.ada.co.uk/contact", "domain:shop.ada.co.uk");
        check("MÜLLER.de", "domain:xn--mller-kva.de");
        check("https://xn--mller-kva.de/", "domain:xn--mller-kva.de");
        check("joes.wixsite.com", "domain:joes.wixsite.com");
        check("4711.de", "domain:4711.de");
        check("12345678.com", "domain:12345678.com");
        check("http://joes-plumbing.localhost:8080/", "domain:joes-plumbing.localhost");
        check("www.de", "domain:www.de");
    }

    #[test]
    fn emails_are_read_in_lower_case() {
        check("Joe.Miller+x@Ada.com", "email:joe.miller+x@ada.com");
        check("mailto:joe@gmail.com?subject=Hello", "email:joe@gmail.com");
        check("joe@müller.de", "email:joe@xn--mller-kva.de");
    }

    #[test]
    fn phones_are_read_as_numbers_of_their_country() {
        for typed in ["+1 (512) 555-0100", "(512) 555-0100", "512.555.0100", "tel:+1-512-555-0100", "15125550100"] {
            check(typed, "phone:+15125550100");
        }
        assert_eq!(parse("020 7946 0958", Some("gb")).unwrap().value(), "+442079460958");
        assert_eq!(parse("ada.com", Some("UK")), Err(EntryError::Country("UK".into())));
    }

    #[test]
    fn what_would_hide_many_or_nobody_is_refused() {
        let shared = |host: &str| EntryError::Shared(host.into());
        let cases = [
            ("gmail.com", shared("gmail.com")),
            ("https://www.facebook.com/joes", shared("facebook.com")),
            ("github.io", shared("github.io")),
            ("co.uk", EntryError::Domain("co.uk".into())),
            ("localhost", EntryError::Domain("localhost".into())),
            ("ada", EntryError::Domain("ada".into())),
            ("ada.notatld", EntryError::Domain("ada.notatld".into())),
            ("ada plumbing.com", EntryError::Domain("ada plumbing.com".into())),
            ("8.8.8.8", EntryError::Address("8.8.8.8".into())),
            ("http://127.0.0.1:80/", EntryError::Address("http://127.0.0.1:80/".into())),
            ("http://[::1]/", EntryError::Address("http://[::1]/".into())),
            ("@ada.com", EntryError::Email("@ada.com".into())),
            ("joe@ada", EntryError::Email("joe@ada".into())),
            ("a b@ada.com", EntryError::Email("a b@ada.com".into())),
            ("+12", EntryError::Phone("+12".into())),
            ("", EntryError::Nothing(String::new())),
        ];
        for (typed, expected) in cases {
            assert_eq!(parse(typed, None), Err(expected), "{typed:?}");
        }
        assert!(parse(&"a".repeat(100_000), None).is_err());
        assert!(parse(&format!("joe@{}.com", "a".repeat(1_000)), None).is_err());
    }
}
