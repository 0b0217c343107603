//! What a listing adds to what its website says: emails, profiles, and where its values come from.

use std::collections::BTreeMap;

use page_facts::listed_email;

use super::{Email, Evidence};
use crate::clock::Moment;
use crate::listing::Listing;

/// The method of evidence that is a listing's.
pub(super) const METHOD: &str = "listing";

/// Adds the emails of a listing behind those of its website. Without any of the website's, the surest one is the primary one.
pub(super) fn add_emails(emails: &mut Vec<Email>, listing: &Listing) {
    let has_primary = emails.iter().any(|email| email.is_primary);
    let first = emails.len();
    for field in &listing.emails {
        let Some(found) = listed_email(field, listing.website.as_deref()) else { continue };
        if emails.iter().all(|known| known.email != found.email) {
            emails.push(Email {
                email: found.email,
                kind: found.kind,
                confidence: found.confidence,
                is_primary: false,
            });
        }
    }
    emails[first..].sort_by(|one, other| other.confidence.total_cmp(&one.confidence));
    if let Some(best) = emails.get_mut(first).filter(|_| !has_primary) {
        best.is_primary = true;
    }
}

/// The profiles of a listing; those of its website, which its owner keeps, win.
pub(super) fn add_socials(socials: &mut BTreeMap<String, String>, listing: &Listing) {
    for (network, profile) in &listing.socials {
        socials.entry(network.clone()).or_insert_with(|| profile.clone());
    }
}

/// Where the values of a listing come from.
pub(super) fn evidence(listing: &Listing, seen_at: Moment) -> impl Iterator<Item = Evidence> {
    listing.origins.iter().map(move |origin| Evidence {
        field: origin.field.clone(),
        value: origin.value.clone(),
        url: origin.business_id.clone(),
        method: METHOD.to_owned(),
        snippet: origin.source.clone(),
        seen_at,
    })
}

#[cfg(test)]
mod tests {
    use page_facts::EmailType;

    use super::*;

    fn listing(emails: &[&str]) -> Listing {
        Listing {
            website: Some("https://ada.com/".into()),
            emails: emails.iter().map(|email| (*email).to_owned()).collect(),
            ..Listing::default()
        }
    }

    #[test]
    fn emails_of_a_listing_follow_those_of_the_website() {
        let of_site = Email { email: "hi@ada.com".into(), kind: EmailType::Role, confidence: 0.9, is_primary: true };
        let mut emails = vec![of_site.clone()];
        add_emails(&mut emails, &listing(&["hi@ada.com", "office@ada.com", "nonsense"]));
        assert_eq!(emails[0], of_site);
        assert_eq!(emails.len(), 2);
        assert!(!emails[1].is_primary);
    }

    #[test]
    fn without_a_website_the_surest_email_of_the_listing_is_primary() {
        let mut emails = Vec::new();
        add_emails(&mut emails, &listing(&["ada@other.net", "office@ada.com"]));
        let primary: Vec<(&str, bool)> = emails.iter().map(|email| (email.email.as_str(), email.is_primary)).collect();
        assert_eq!(primary, [("office@ada.com", true), ("ada@other.net", false)]);
    }
}
