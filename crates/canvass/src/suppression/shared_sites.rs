//! Domains that many businesses share: to suppress one would hide them all.

use page_facts::is_free_mail;
use place_data::is_shared_site;
use polite_reader::names_own_site;

/// Whether a host is that of a site which many businesses share. A name of its own below such a site, such as
/// `joes.weebly.com`, is one business's; below a social network no name is.
pub(super) fn is_shared(host: &str) -> bool {
    is_free_mail(host)
        || is_shared_site(host)
        // A word alone is no site at all, and so not one's own either.
        || (public_suffix::domain(host).is_some() && !names_own_site(&format!("http://{host}/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_of_many_are_told_from_sites_of_one() {
        for host in
            ["facebook.com", "de-de.facebook.com", "yelp.co.uk", "gmail.com", "yahoo.de", "wix.com", "google.com"]
        {
            assert!(is_shared(host), "{host}");
        }
        for host in ["ada.com", "joes.weebly.com", "joe.squarespace.com", "ada.co.uk", "joes.localhost"] {
            assert!(!is_shared(host), "{host}");
        }
    }
}
