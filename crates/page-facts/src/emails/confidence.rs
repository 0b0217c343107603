//! The confidence of an email address: one documented formula.

use crate::facts::Method;

/// The inputs of the confidence formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EmailOrigin {
    /// The most reliable method that found it.
    pub method: Method,
    /// How its domain relates to the site's.
    pub domain: DomainKind,
    /// Number of distinct pages and methods that found it.
    pub times_seen: u32,
}

/// How the domain of an email relates to the site it was found on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DomainKind {
    /// The site's own registrable domain, or the same label under another suffix.
    Own,
    /// A provider of free mailboxes.
    Free,
    /// Any other domain.
    Other,
    /// Any domain, on a page that lists the addresses of others.
    Stranger,
}

/// The highest confidence without proof that the domain accepts mail.
const UNPROVEN_MAX: f64 = 0.95;

/// The confidence of an email address, from 0 to 1.
///
/// `base(method) + domain + repetition`, at most 0.95; then adjusted by the mail servers, when they were looked up:
///
/// | part | value |
/// |---|---|
/// | base | mailto, JSON-LD, microdata, h-card, Cloudflare 0.80; text 0.72; spelled, reversed, joined, ROT13 0.66; attribute, meta 0.60; script 0.50 |
/// | domain | the site's own +0.12, a free mailbox +0.02, any other -0.15, on a page that lists addresses of others -0.45 |
/// | repetition | +0.03 when found twice, +0.05 from three times on |
/// | `mx` | not looked up: no change; accepts mail: +0.05, up to 1.0; accepts none: times 0.1 |
pub fn confidence(origin: &EmailOrigin, mx: Option<bool>) -> f64 {
    let base: f64 = match origin.method {
        Method::Mailto | Method::JsonLd | Method::Microdata | Method::HCard | Method::Cloudflare => 0.80,
        Method::Text | Method::Link => 0.72,
        Method::Spelled | Method::Reversed | Method::Joined | Method::Rot13 => 0.66,
        Method::Attribute | Method::Meta | Method::OpenGraph => 0.60,
        _ => 0.50,
    };
    let domain = match origin.domain {
        DomainKind::Own => 0.12,
        DomainKind::Free => 0.02,
        DomainKind::Other => -0.15,
        DomainKind::Stranger => -0.45,
    };
    let repetition = match origin.times_seen {
        0 | 1 => 0.0,
        2 => 0.03,
        _ => 0.05,
    };
    with_mail_servers((base + domain + repetition).clamp(0.0, UNPROVEN_MAX), mx)
}

/// The last step of [`confidence`] on its own, for when the mail servers are looked up later.
pub fn with_mail_servers(found: f64, mx: Option<bool>) -> f64 {
    let sure = match mx {
        None => found,
        Some(true) => (found + 0.05).min(1.0),
        Some(false) => found * 0.1,
    };
    (sure * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(method: Method, domain: DomainKind, times_seen: u32, expect: [f64; 3]) {
        let origin = EmailOrigin { method, domain, times_seen };
        assert_eq!([None, Some(true), Some(false)].map(|mx| confidence(&origin, mx)), expect);
    }

    #[test]
    fn the_formula_matches_its_documentation() {
        check(Method::Mailto, DomainKind::Own, 1, [0.92, 0.97, 0.09]);
        check(Method::Mailto, DomainKind::Own, 9, [0.95, 1.0, 0.1]);
        check(Method::Text, DomainKind::Free, 1, [0.74, 0.79, 0.07]);
        check(Method::Spelled, DomainKind::Own, 2, [0.81, 0.86, 0.08]);
        check(Method::Script, DomainKind::Other, 1, [0.35, 0.4, 0.03]);
        check(Method::Text, DomainKind::Stranger, 1, [0.27, 0.32, 0.03]);
    }

    #[test]
    fn no_address_is_certain_before_its_mail_servers_are_known() {
        for method in [Method::Mailto, Method::JsonLd, Method::Cloudflare] {
            assert!(confidence(&EmailOrigin { method, domain: DomainKind::Own, times_seen: u32::MAX }, None) < 1.0);
        }
    }
}
