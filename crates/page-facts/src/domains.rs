//! Hosts and registrable domains by the public suffix list, and the providers of free mailboxes.

use memchr::memchr_iter;

use crate::word_set::WordSet;

/// Names of free mailbox providers, without the top-level domain.
static FREE_MAIL: WordSet = WordSet::new(
    "gmail googlemail yahoo ymail rocketmail hotmail outlook live msn aol aim icloud me mac protonmail
     proton pm gmx web t-online freenet mail yandex zoho comcast verizon att sbcglobal bellsouth cox charter
     earthlink btinternet virginmedia sky talktalk orange wanadoo free laposte libero hushmail fastmail
     tutanota",
);

/// Provider names too common to match under any top-level domain, with the domains they really use.
const FREE_MAIL_EXACT: &[(&str, &[&str])] = &[
    ("live", &["live.com", "live.co.uk", "live.de", "live.fr", "live.nl", "live.ca", "live.com.au"]),
    ("me", &["me.com"]),
    ("mac", &["mac.com"]),
    ("aim", &["aim.com"]),
    ("mail", &["mail.com", "mail.ru"]),
    ("web", &["web.de"]),
    ("pm", &["pm.me"]),
    ("proton", &["proton.me"]),
    ("free", &["free.fr"]),
    ("orange", &["orange.fr"]),
    ("sky", &["sky.com"]),
    ("att", &["att.net"]),
    ("cox", &["cox.net"]),
    ("charter", &["charter.net"]),
    ("verizon", &["verizon.net"]),
];

/// The host of a URL without port, user info or a leading `www.`; case is kept.
pub(crate) fn host_of(url: &str) -> &str {
    let after = after_scheme(url);
    let is_end = |b: &u8| matches!(b, b'/' | b'?' | b'#' | b'\\' | b'"' | b'\'' | b' ' | b'<' | b'>');
    let end = after.as_bytes().iter().position(is_end).unwrap_or(after.len());
    let host = &after[..end];
    let host = host.rsplit_once('@').map_or(host, |(_, h)| h);
    let host = host.split(':').next().unwrap_or(host);
    strip_www(host)
}

/// The part after the first `//`.
fn after_scheme(url: &str) -> &str {
    let bytes = url.as_bytes();
    let slashes = memchr_iter(b'/', bytes).find(|at| bytes.get(at + 1) == Some(&b'/'));
    slashes.map_or(url, |at| &url[at + 2..])
}

fn strip_www(host: &str) -> &str {
    match host.get(..4) {
        Some(www) if www.eq_ignore_ascii_case("www.") => &host[4..],
        _ => host,
    }
}

/// The path, query and fragment of a URL, starting with `/`; empty when there is none.
pub(crate) fn path_of(url: &str) -> &str {
    let after = after_scheme(url);
    after.bytes().position(|b| matches!(b, b'/' | b'?' | b'#')).map_or("", |at| &after[at..])
}

/// The registrable domain in lower case: `shop.example.co.uk` gives `example.co.uk`.
pub(crate) fn registrable(host: &str) -> Option<String> {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    public_suffix::domain(&host).map(str::to_owned)
}

/// Whether the top-level domain is reserved for tests and examples (RFC 2606).
pub(crate) fn is_reserved(domain: &str) -> bool {
    matches!(domain.rsplit('.').next(), Some("example" | "test" | "localhost" | "invalid"))
}

/// Whether the domain ends in a known public suffix and has a label before it.
pub(crate) fn is_real(domain: &str) -> bool {
    is_reserved(domain) && domain.contains('.')
        || public_suffix::has_known_suffix(domain) && public_suffix::domain(domain).is_some()
}

/// The registrable domain without its suffix: `example` of `example.co.uk`.
pub(crate) fn label(domain: &str) -> &str {
    domain.split('.').next().unwrap_or(domain)
}

/// Whether the registrable domain belongs to a provider of free mailboxes, such as `gmail.com`.
#[must_use]
pub fn is_free_mail(domain: &str) -> bool {
    let name = label(domain);
    if let Some((_, exact)) = FREE_MAIL_EXACT.iter().find(|(n, _)| *n == name) {
        return exact.contains(&domain);
    }
    FREE_MAIL.contains(name) && domain.split('.').count() <= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_registrable_domains_are_extracted() {
        assert_eq!(host_of("https://www.Shop.Example.co.uk:8080/x?y#z"), "Shop.Example.co.uk");
        assert_eq!(host_of("//user:pw@cdn.x.com/a"), "cdn.x.com");
        assert_eq!(registrable("Shop.Example.co.uk").as_deref(), Some("example.co.uk"));
        assert_eq!(registrable("joe.wixsite.com").as_deref(), Some("joe.wixsite.com"));
        assert_eq!(registrable("com"), None);
        assert_eq!(path_of("https://a.de/b?c"), "/b?c");
        assert_eq!(path_of("https://a.de"), "");
    }

    #[test]
    fn free_mail_providers_are_known_under_their_domains() {
        for domain in ["gmail.com", "yahoo.co.uk", "hotmail.fr", "gmx.net", "me.com", "live.com", "web.de"] {
            assert!(is_free_mail(domain), "{domain}");
        }
        for domain in ["live.events", "mail.house", "free.com", "acme.com", "orange.com"] {
            assert!(!is_free_mail(domain), "{domain}");
        }
    }

    #[test]
    fn only_names_under_public_suffixes_are_real() {
        for domain in ["a.com", "a.co.uk", "a.photography", "a.b.de"] {
            assert!(is_real(domain), "{domain}");
        }
        for domain in ["2x.png", "a.jpg", "co.uk", "localhost", "a.b", "1.2.3", "x.webp"] {
            assert!(!is_real(domain), "{domain}");
        }
    }
}
