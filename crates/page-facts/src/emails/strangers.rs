//! Addresses of others: on a page that lists organisations, or in what visitors of a forum write.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::domains;
use crate::emails::mention::EmailMention;
use crate::site::Site;

/// Organisations with an address on one page from which it is a list of them.
const LIST_MIN: usize = 5;
/// Organisations from which none of them is kept.
const DIRECTORY_MIN: usize = 12;
/// Free mailboxes that count as one organisation: a club shows those of its members.
const MAILBOXES_PER_ORGANISATION: usize = 2;

/// The addresses that belong to others.
#[derive(Debug, Default)]
pub(super) struct Strangers<'m> {
    listed: FxHashSet<&'m str>,
    dropped: FxHashSet<&'m str>,
}

impl<'m> Strangers<'m> {
    /// Finds them among the mentions of all pages. An address that is also on an ordinary page is not one of them.
    pub(super) fn of(mentions: &'m [(String, EmailMention)], site: &Site) -> Strangers<'m> {
        let mut pages: FxHashMap<&str, Vec<&'m str>> = FxHashMap::default();
        for (url, mention) in mentions {
            let (_, domain) = mention.email.split_once('@').unwrap_or(("", ""));
            let is_own = site.owns(domain) || site.similarity(label_of(domain).as_str()) > 0;
            if !is_own || domains::is_free_mail(domain) {
                pages.entry(url.as_str()).or_default().push(mention.email.as_str());
            }
        }
        let mut strangers = Strangers::default();
        let mut known: FxHashSet<&'m str> = FxHashSet::default();
        for (url, emails) in &pages {
            let organisations = organisations(emails);
            if organisations >= DIRECTORY_MIN {
                strangers.dropped.extend(emails);
            } else if organisations >= LIST_MIN || is_forum(url) {
                strangers.listed.extend(emails);
            } else {
                known.extend(emails);
            }
        }
        strangers.listed.retain(|email| !known.contains(email));
        strangers.dropped.retain(|email| !known.contains(email) && !strangers.listed.contains(email));
        strangers
    }

    /// Whether an address is one of several of others: kept, but never primary.
    pub(super) fn is_listed(&self, email: &str) -> bool {
        self.listed.contains(email)
    }

    /// Whether an address is one of dozens.
    pub(super) fn is_dropped(&self, email: &str) -> bool {
        self.dropped.contains(email)
    }
}

fn label_of(domain: &str) -> String {
    let registrable = domains::registrable(domain).unwrap_or_default();
    domains::label(&registrable).to_owned()
}

/// How many organisations the addresses of a page belong to.
fn organisations(emails: &[&str]) -> usize {
    let mut others: FxHashSet<String> = FxHashSet::default();
    let mut free: FxHashSet<&str> = FxHashSet::default();
    for email in emails {
        let (_, domain) = email.split_once('@').unwrap_or(("", ""));
        if domains::is_free_mail(domain) {
            free.insert(email);
        } else {
            others.insert(domains::registrable(domain).unwrap_or_default());
        }
    }
    others.len() + free.len() / MAILBOXES_PER_ORGANISATION
}

/// Whether visitors write what is on a page.
fn is_forum(url: &str) -> bool {
    let host = domains::host_of(url).to_ascii_lowercase();
    let path = domains::path_of(url).to_ascii_lowercase();
    ["forum.", "forums.", "boards.", "board.", "community.", "discuss."].iter().any(|start| host.starts_with(start))
        || ["/forum", "/thread", "/topic/", "showthread", "viewtopic", "/boards/"]
            .iter()
            .any(|part| path.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Method;

    fn check(url: &str, emails: &[&str], listed: usize, dropped: usize) {
        let mentions: Vec<(String, EmailMention)> = emails
            .iter()
            .map(|email| {
                let (email, snippet) = ((*email).to_owned(), String::new());
                (url.to_owned(), EmailMention { email, method: Method::Text, snippet })
            })
            .collect();
        let strangers = Strangers::of(&mentions, &Site::of("https://acme.com/"));
        assert_eq!((strangers.listed.len(), strangers.dropped.len()), (listed, dropped), "{emails:?}");
    }

    #[test]
    fn pages_that_list_organisations_are_recognised() {
        let many: Vec<String> = (0..15).map(|n| format!("info@club{n}.org")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let page = "https://acme.com/links";
        check(page, &[&many[..], &["info@acme.com"]].concat(), 0, 15);
        check(page, &many[..6], 6, 0);
        check(page, &many[..3], 0, 0);
        check(page, &["a@gmail.com", "b@gmail.com", "c@gmail.com", "info@acme.com"], 0, 0);
        check(page, &["a@partner.com", "b@partner.com", "c@partner.com", "d@partner.com", "e@partner.com"], 0, 0);
        check("https://acme.com/forum/7", &["x@gmail.com", "info@acme.com"], 1, 0);
    }
}
