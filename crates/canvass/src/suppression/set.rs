//! Which businesses the list covers: the rules, without I/O.

use std::collections::HashSet;

use url::Url;

use super::parse::host_of;
use super::{Entry, Kind};
use crate::lead::Lead;
use crate::listing::{Listing, e164};
use crate::website::Website;

/// Begins a line of a lead's stored text that names the page it was read from.
const PAGE_HEADING: &str = "# ";
/// Fields of evidence whose value is an email, or a phone.
const EMAIL_FIELD: &str = "emails";
const PHONE_FIELD: &str = "phone";

/// The entries of the list, so that each question takes a few lookups however long the list is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuppressedSet {
    domains: HashSet<String>,
    emails: HashSet<String>,
    phones: HashSet<String>,
}

impl FromIterator<Entry> for SuppressedSet {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> SuppressedSet {
        let mut set = SuppressedSet::default();
        for Entry { kind, value } in entries {
            let values = match kind {
                Kind::Domain => &mut set.domains,
                Kind::Email => &mut set.emails,
                Kind::Phone => &mut set.phones,
            };
            values.insert(value);
        }
        set
    }
}

impl SuppressedSet {
    /// Whether nobody is on it.
    pub fn is_empty(&self) -> bool {
        self.domains.is_empty() && self.emails.is_empty() && self.phones.is_empty()
    }

    /// Whether a web address, with or without a scheme, is at a domain of the list.
    pub fn covers_website(&self, address: &str) -> bool {
        !self.domains.is_empty() && website_host(address).is_some_and(|host| self.covers_host(&host))
    }

    /// Whether an email is on the list, or at a domain of it.
    pub fn covers_email(&self, email: &str) -> bool {
        if self.domains.is_empty() && self.emails.is_empty() {
            return false;
        }
        let email = email.trim().to_lowercase();
        let Some((name, domain)) = email.rsplit_once('@') else { return false };
        let host = host_of(domain).unwrap_or_else(|| domain.to_owned());
        self.emails.contains(&format!("{name}@{host}")) || self.covers_host(&host)
    }

    /// Whether a phone is on the list; one without its country code is of `country`.
    pub fn covers_phone(&self, phone: &str, country: Option<&str>) -> bool {
        let is_listed = |phone: &str| self.phones.contains(phone);
        !self.phones.is_empty() && (is_listed(phone) || e164(phone, country).is_some_and(|phone| is_listed(&phone)))
    }

    /// Whether the host is a domain of the list, or below one.
    fn covers_host(&self, host: &str) -> bool {
        let mut rest = Some(host);
        while let Some(domain) = rest {
            if self.domains.contains(domain) {
                return true;
            }
            rest = domain.split_once('.').map(|(_, parent)| parent);
        }
        false
    }

    /// Whether a listing alone shows that its business is covered.
    pub fn covers_listing(&self, listing: &Listing) -> bool {
        let Listing { website, phone, address, emails, .. } = listing;
        emails.iter().any(|email| self.covers_email(email))
            || website.as_deref().is_some_and(|website| self.covers_website(website))
            || phone.as_deref().is_some_and(|phone| self.covers_phone(phone, address.country.as_deref()))
    }

    /// Whether a website that was read shows that its business is covered: where it redirects to, and what it says.
    pub fn covers_site(&self, website: &Website, country: Option<&str>) -> bool {
        if self.is_empty() {
            return false;
        }
        let Website { url, facts, .. } = website;
        self.covers_website(url)
            || facts.emails.iter().any(|email| self.covers_email(&email.email))
            || facts.phones.iter().any(|phone| self.covers_phone(&phone.phone, country))
    }

    /// Whether anything in a lead shows that its business is covered, evidence and its pages included.
    pub fn covers_lead(&self, lead: &Lead) -> bool {
        if self.is_empty() {
            return false;
        }
        let country = lead.country.as_deref();
        let is_covered = |field: &str, value: &str| match field {
            EMAIL_FIELD => self.covers_email(value),
            PHONE_FIELD => self.covers_phone(value, country),
            _ => false,
        };
        lead.website.as_deref().is_some_and(|website| self.covers_website(website))
            || lead.phone.as_deref().is_some_and(|phone| self.covers_phone(phone, country))
            || lead
                .primary_email
                .iter()
                .chain(lead.emails.iter().map(|one| &one.email))
                .any(|one| self.covers_email(one))
            || lead.evidence.iter().any(|one| is_covered(&one.field, &one.value) || self.covers_website(&one.url))
    }

    /// Whether a lead's stored text was read from pages at a domain of the list.
    pub fn covers_text(&self, site_text: &str) -> bool {
        let mut pages = site_text.lines().filter_map(|line| line.strip_prefix(PAGE_HEADING));
        !self.domains.is_empty() && pages.any(|page| self.covers_website(page))
    }
}

/// The host of a web address as listings have it: perhaps without a scheme.
fn website_host(address: &str) -> Option<String> {
    let address = address.trim();
    let url = match Url::parse(address) {
        Ok(url) if url.has_host() => url,
        // Also ada.com:8080, which would be a scheme.
        _ => Url::parse(&format!("http://{}", address.trim_start_matches('/'))).ok()?,
    };
    url.domain().map(|domain| domain.trim_end_matches('.').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lead::sample_lead;
    use crate::suppression::parse;

    fn set(entries: &[&str]) -> SuppressedSet {
        entries.iter().map(|entry| parse(entry, None).unwrap()).collect()
    }

    #[test]
    fn a_domain_covers_its_subdomains_and_emails_and_nothing_else() {
        let set = set(&["ada.com", "müller.de"]);
        for website in
            ["http://ada.com/", "https://www.ada.com", "ADA.com", "ada.com:8080/x", "//shop.ada.com", "ada.com."]
        {
            assert!(set.covers_website(website), "{website}");
        }
        for website in ["https://Müller.de/", "http://xn--mller-kva.de"] {
            assert!(set.covers_website(website), "{website}");
        }
        for website in
            ["", "n/a", "notada.com", "ada.com.evil.net", "http://facebook.com/ada.com", "http://127.0.0.1/", "http://"]
        {
            assert!(!set.covers_website(website), "{website}");
        }
        for email in ["joe@ada.com", "Joe@Mail.ADA.com", "info@müller.de"] {
            assert!(set.covers_email(email), "{email}");
        }
        for email in ["joe@notada.com", "ada.com", "joe@gmail.com"] {
            assert!(!set.covers_email(email), "{email}");
        }
    }

    #[test]
    fn an_email_and_a_phone_cover_only_themselves() {
        let set = set(&["joe@gmail.com", "+1 512 555 0100"]);
        assert!(set.covers_email(" Joe@Gmail.com") && !set.covers_email("jo@gmail.com"));
        assert!(!set.covers_website("http://gmail.com/"));
        assert!(set.covers_phone("+15125550100", None) && set.covers_phone("(512) 555-0100", Some("US")));
        assert!(!set.covers_phone("(512) 555-0100", Some("GB")) && !set.covers_phone("call us", None));
    }

    #[test]
    fn a_lead_is_covered_by_anything_it_shows() {
        let none = SuppressedSet::default();
        let list = set(&["ada.com", "joe@gmail.com", "+15125550100"]);
        let check = |change: fn(&mut Lead)| {
            let mut lead = sample_lead();
            assert!(!list.covers_lead(&lead));
            change(&mut lead);
            assert!(list.covers_lead(&lead) && !none.covers_lead(&lead), "{lead:?}");
        };
        check(|lead| lead.website = Some("ada.com".into()));
        check(|lead| lead.phone = Some("512 555 0100".into()));
        check(|lead| lead.primary_email = Some("joe@gmail.com".into()));
        let evidence = |field: &str, value: &str, url: &str| crate::lead::Evidence {
            field: field.into(),
            value: value.into(),
            url: url.into(),
            method: String::new(),
            snippet: String::new(),
            seen_at: crate::clock::Moment::from_micros(0),
        };
        for seen in [
            evidence("emails", "x@ada.com", ""),
            evidence("phone", "+15125550100", ""),
            evidence("chat", "tawk", "https://shop.ada.com/contact"),
        ] {
            let lead = Lead { evidence: vec![seen], ..sample_lead() };
            assert!(list.covers_lead(&lead), "{lead:?}");
        }
        assert!(list.covers_text("# https://www.ada.com/about\nWe fix pipes.\n\n# review\nada.com is nice\n"));
        assert!(!list.covers_text("# https://other.com/\nSee ada.com\n\n# review\nada.com is nice\n"));
    }
}
