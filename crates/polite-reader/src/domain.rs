//! The registrable domain of a URL, which is what counts as one site, and its `www` sibling.

use url::Url;

use crate::address_guard::is_under_localhost;

/// The registrable domain of a URL by the public suffix list, or its host when it has none.
pub(crate) fn site_of(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    match url.host() {
        // Every sandbox business is its own site.
        Some(_) if is_public_name(url) => public_suffix::domain(host).unwrap_or(host),
        _ => host,
    }
}

/// The same site with `www.` added or removed, where that makes sense.
pub(crate) fn www_sibling(url: &Url) -> Option<Url> {
    let host = url.host_str()?;
    let sibling = match host.strip_prefix("www.") {
        Some(bare) => bare.to_owned(),
        None if public_suffix::domain(host) == Some(host) && is_public_name(url) => format!("www.{host}"),
        None => return None,
    };
    let mut other = url.clone();
    other.set_host(Some(&sibling)).ok()?;
    Some(other)
}

fn is_public_name(url: &Url) -> bool {
    matches!(url.host(), Some(url::Host::Domain(name)) if !is_under_localhost(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_registrable_domain_is_the_site() {
        let cases = [
            ("https://www.shop.com/", "shop.com"),
            ("https://a.b.shop.co.uk/", "shop.co.uk"),
            ("https://shop.github.io/", "shop.github.io"),
            ("http://joe.localhost:80/", "joe.localhost"),
            ("http://www.joe.localhost./", "www.joe.localhost"),
            ("http://8.8.8.8/", "8.8.8.8"),
        ];
        for (url, expected) in cases {
            assert_eq!(site_of(&Url::parse(url).unwrap()), expected, "{url}");
        }
    }

    #[test]
    fn a_bare_name_has_a_www_sibling() {
        let sibling = |url: &str| www_sibling(&Url::parse(url).unwrap()).map(String::from);
        assert_eq!(sibling("http://shop.com/x").as_deref(), Some("http://www.shop.com/x"));
        assert_eq!(sibling("http://www.shop.com/").as_deref(), Some("http://shop.com/"));
        assert_eq!(sibling("http://blog.shop.com/"), None);
        assert_eq!(sibling("http://8.8.8.8/"), None);
        assert_eq!(sibling("http://joe.localhost:81/"), None);
    }
}
