//! Merges the mentions of all pages: one entry per address with its type and confidence, at most one of them primary.

use rustc_hash::FxHashMap;

use crate::domains;
use crate::emails::confidence::{DomainKind, EmailOrigin, confidence};
use crate::emails::kind;
use crate::emails::mention::EmailMention;
use crate::emails::rank;
use crate::emails::strangers::Strangers;
use crate::explain;
use crate::facts::{EmailType, Evidence, FoundEmail, FoundPerson};
use crate::finders::Finder;
use crate::site::Site;

/// Addresses kept per site.
const EMAILS_MAX: usize = 200;

/// Merges mentions, given in page order with the URL of their page.
pub(crate) fn merge(mentions: &[(String, EmailMention)], people: &[FoundPerson], site: &Site) -> Vec<FoundEmail> {
    let mut found: Vec<FoundEmail> = Vec::new();
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    let strangers = Strangers::of(mentions, site);
    for (url, mention) in mentions {
        if strangers.is_dropped(&mention.email) {
            explain::refused(Finder::Emails, "one of many addresses of others on the page", &mention.email);
            continue;
        }
        let is_full = found.len() >= EMAILS_MAX;
        let origin =
            |times_seen| EmailOrigin { method: mention.method, domain: domain_kind(&mention.email, site), times_seen };
        let evidence = || Evidence { url: url.clone(), method: mention.method, snippet: mention.snippet.clone() };
        let place = places.get(mention.email.as_str()).copied();
        match place.and_then(|place| found.get_mut(place)) {
            Some(known) => {
                let is_new = known.evidence.url != *url || known.evidence.method != mention.method;
                known.times_seen += u32::from(is_new);
                let best = EmailOrigin { method: known.evidence.method, ..origin(1) };
                if confidence(&origin(1), None) > confidence(&best, None) {
                    known.evidence = evidence();
                }
            }
            None if !is_full => {
                places.insert(mention.email.as_str(), found.len());
                found.push(FoundEmail {
                    email: mention.email.clone(),
                    kind: EmailType::Unknown,
                    confidence: 0.0,
                    is_primary: false,
                    times_seen: 1,
                    person: None,
                    evidence: evidence(),
                });
            }
            None => {}
        }
    }
    for email in &mut found {
        let is_strangers = strangers.is_listed(&email.email);
        let domain = if is_strangers { DomainKind::Stranger } else { domain_kind(&email.email, site) };
        complete(email, people, domain);
    }
    rank::choose_primary(&mut found, people, &|email| match strangers.is_listed(email) {
        true => rank::Belonging::Stranger,
        false => rank::Belonging::of(email, site),
    });
    found
}

fn complete(email: &mut FoundEmail, people: &[FoundPerson], domain: DomainKind) {
    let origin = EmailOrigin { method: email.evidence.method, domain, times_seen: email.times_seen };
    email.confidence = confidence(&origin, None);
    email.person = people.iter().find(|person| belongs_to(&email.email, person)).map(|person| person.name.clone());
    email.kind = kind::kind_of(&email.email, domain == DomainKind::Own, email.person.as_deref());
}

pub(super) fn domain_kind(email: &str, site: &Site) -> DomainKind {
    let domain = email.split_once('@').map_or("", |(_, domain)| domain);
    if site.owns(domain) {
        DomainKind::Own
    } else if domains::is_free_mail(domain) {
        DomainKind::Free
    } else {
        DomainKind::Other
    }
}

/// Whether a local part fits a name: `jane.doe`, `jdoe`, `jane`, `doe`, `janed` and `jane_doe` fit Jane Doe.
fn belongs_to(email: &str, person: &FoundPerson) -> bool {
    if person.email.as_deref() == Some(email) {
        return true;
    }
    let local: String = email.split('@').next().unwrap_or("").chars().filter(char::is_ascii_alphabetic).collect();
    let mut words = person
        .name
        .split_whitespace()
        .map(|w| w.to_lowercase().chars().filter(char::is_ascii_alphabetic).collect::<String>());
    let (Some(first), Some(last)) = (words.next(), words.next_back()) else { return false };
    if first.is_empty() || last.is_empty() {
        return false;
    }
    let fits = [
        first.clone(),
        last.clone(),
        format!("{first}{last}"),
        format!("{}{last}", &first[..1]),
        format!("{first}{}", &last[..1]),
        format!("{last}{first}"),
        format!("dr{last}"),
    ];
    local.len() > 2 && fits.contains(&local)
}
