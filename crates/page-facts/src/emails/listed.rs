//! An email address that a listing names: judged like one that was found on the business's website.

use super::address::around_at;
use super::confidence::{EmailOrigin, confidence};
use super::junk::is_contact;
use super::kind::kind_of;
use super::merge::domain_kind;
use crate::DomainKind;
use crate::facts::{EmailType, Method};
use crate::site::Site;

/// An email address of a listing.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedEmail {
    /// In lower case.
    pub email: String,
    /// Whose mailbox it is.
    pub kind: EmailType,
    /// From 0 to 1, by the formula of [`confidence`].
    pub confidence: f64,
}

/// The email address in a field of a listing; `None` when there is none, or none of the business. `website` is the
/// business's own site, where it has one.
#[must_use]
pub fn listed_email(field: &str, website: Option<&str>) -> Option<ListedEmail> {
    let field = field.trim();
    let field = field.get(..7).filter(|start| start.eq_ignore_ascii_case("mailto:")).map_or(field, |_| &field[7..]);
    let found = around_at(field, field.find('@')?)?;
    let site = Site::named(website.unwrap_or_default(), None);
    if !is_contact(found.local(), found.domain(), &site) {
        return None;
    }
    let domain = domain_kind(&found.email, &site);
    let kind = kind_of(&found.email, domain == DomainKind::Own, None);
    let confidence = confidence(&EmailOrigin { method: Method::Text, domain, times_seen: 1 }, None);
    Some(ListedEmail { email: found.email, kind, confidence })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listed_address_is_judged_like_a_found_one() {
        let check = |field: &str, website, expected: Option<(&str, EmailType, f64)>| {
            let found = listed_email(field, website);
            let found = found.as_ref().map(|found| (found.email.as_str(), found.kind, found.confidence));
            assert_eq!(found, expected, "{field}");
        };
        let own = Some("https://joes-plumbing.com/");
        check("Info@Joes-Plumbing.com", own, Some(("info@joes-plumbing.com", EmailType::Role, 0.84)));
        check("mailto:joe.miller@gmail.com ", None, Some(("joe.miller@gmail.com", EmailType::Personal, 0.74)));
        for nothing in ["", "@", "call us", "noreply@joes-plumbing.com", "you@example.com", &"@".repeat(100_000)] {
            check(nothing, own, None);
        }
    }
}
