//! Distinguishes parked domains (registrar, broker or default server pages) and bot challenges from real home pages, by
//! phrases that only they contain. The phrases are our own collection.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use url::Url;

use crate::domain::site_of;
use crate::limits::PLACEHOLDER_BYTES_MAX;

/// What a page is instead of a real home page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Placeholder {
    Parked,
    Challenge,
}

/// Domains of brokers and parking companies; a site that redirects there is parked.
const PARKING_SITES: [&str; 19] = [
    "hugedomains.com",
    "dan.com",
    "sedo.com",
    "sedoparking.com",
    "afternic.com",
    "bodis.com",
    "parkingcrew.net",
    "above.com",
    "parklogic.com",
    "undeveloped.com",
    "brandbucket.com",
    "squadhelp.com",
    "atom.com",
    "domainmarket.com",
    "buydomains.com",
    "uniregistry.com",
    "efty.com",
    "domain.io",
    "perfectdomain.com",
];

/// Phrases and what they mean, in lower case. None of them would appear on the home page of a real business.
const PHRASES: [(&str, Placeholder); 70] = [
    ("this domain is for sale", Placeholder::Parked),
    ("this domain may be for sale", Placeholder::Parked),
    ("this domain name is for sale", Placeholder::Parked),
    ("domain name is available for sale", Placeholder::Parked),
    ("the domain you have requested is for sale", Placeholder::Parked),
    ("buy this domain", Placeholder::Parked),
    ("inquire about this domain", Placeholder::Parked),
    ("make an offer on this domain", Placeholder::Parked),
    ("this domain is parked", Placeholder::Parked),
    ("domain is parked free", Placeholder::Parked),
    ("parked free, courtesy of", Placeholder::Parked),
    ("this domain has expired", Placeholder::Parked),
    ("this domain name has expired", Placeholder::Parked),
    ("domain has been registered and parked", Placeholder::Parked),
    ("this web page is parked", Placeholder::Parked),
    ("this page is parked", Placeholder::Parked),
    ("this domain has recently been registered", Placeholder::Parked),
    ("this domain was recently registered", Placeholder::Parked),
    ("future home of something quite cool", Placeholder::Parked),
    ("diese domain steht zum verkauf", Placeholder::Parked),
    ("diese domain kaufen", Placeholder::Parked),
    ("diese domain ist geparkt", Placeholder::Parked),
    ("domain ist zu verkaufen", Placeholder::Parked),
    ("ce domaine est \u{e0} vendre", Placeholder::Parked),
    ("ce nom de domaine est \u{e0} vendre", Placeholder::Parked),
    ("este dominio est\u{e1} en venta", Placeholder::Parked),
    ("este dominio est\u{e1} a la venta", Placeholder::Parked),
    ("questo dominio \u{e8} in vendita", Placeholder::Parked),
    ("dit domein is te koop", Placeholder::Parked),
    ("deze domeinnaam is te koop", Placeholder::Parked),
    ("este dom\u{ed}nio est\u{e1} \u{e0} venda", Placeholder::Parked),
    ("ta domena jest na sprzeda\u{17c}", Placeholder::Parked),
    ("sedoparking.com/", Placeholder::Parked),
    ("parkingcrew.net/", Placeholder::Parked),
    ("img.sedoparking.com", Placeholder::Parked),
    ("cdn.bodis.com", Placeholder::Parked),
    ("bodiscdn.com", Placeholder::Parked),
    ("parklogic.com/", Placeholder::Parked),
    ("d38psrni17bvxu.cloudfront.net", Placeholder::Parked),
    ("window.park = \"", Placeholder::Parked),
    ("/parking-lander/", Placeholder::Parked),
    ("wsimg.com/parking", Placeholder::Parked),
    ("hugedomains.com/domain_profile", Placeholder::Parked),
    ("this account has been suspended", Placeholder::Parked),
    ("welcome to nginx!</title>", Placeholder::Parked),
    ("apache2 ubuntu default page", Placeholder::Parked),
    ("apache2 debian default page", Placeholder::Parked),
    ("<title>iis windows server</title>", Placeholder::Parked),
    ("<h1>it works!</h1>", Placeholder::Parked),
    ("web server's default page", Placeholder::Parked),
    ("default plesk page", Placeholder::Parked),
    ("sorry, this shop is currently unavailable", Placeholder::Parked),
    ("looks like this domain isn't connected to a website yet", Placeholder::Parked),
    ("there isn't a github pages site here", Placeholder::Parked),
    ("website expired</title>", Placeholder::Parked),
    ("this site is not published or does not have a domain assigned", Placeholder::Parked),
    ("<title>index of /</title>", Placeholder::Parked),
    ("no such app</title>", Placeholder::Parked),
    ("<title>website coming soon</title>", Placeholder::Parked),
    ("<title>coming soon</title>", Placeholder::Parked),
    ("<title>just a moment...</title>", Placeholder::Challenge),
    ("attention required! | cloudflare", Placeholder::Challenge),
    ("/.well-known/sgcaptcha/", Placeholder::Challenge),
    ("_incapsula_resource?", Placeholder::Challenge),
    ("<title>ddos-guard</title>", Placeholder::Challenge),
    ("sucuri website firewall - access denied", Placeholder::Challenge),
    ("geo.captcha-delivery.com", Placeholder::Challenge),
    ("/_sec/cp_challenge/", Placeholder::Challenge),
    ("checking your browser before accessing", Placeholder::Challenge),
    ("awswafcookiedomainlist", Placeholder::Challenge),
];

static MATCHER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let mut builder = AhoCorasick::builder();
    let builder = builder.ascii_case_insensitive(true).match_kind(MatchKind::LeftmostFirst);
    builder.build(PHRASES.iter().map(|(mark, _)| mark)).ok()
});

/// Detects a parked domain or bot challenge. Large pages are real: placeholders are short.
pub(crate) fn placeholder(url: &Url, body: &[u8]) -> Option<Placeholder> {
    if PARKING_SITES.contains(&site_of(url)) {
        return Some(Placeholder::Parked);
    }
    if body.len() > PLACEHOLDER_BYTES_MAX {
        return None;
    }
    let found = MATCHER.as_ref()?.find(body)?;
    Some(PHRASES[found.pattern().as_usize()].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str, body: &str) -> Option<Placeholder> {
        placeholder(&Url::parse(url).unwrap(), body.as_bytes())
    }

    #[test]
    fn parked_domains_and_bot_challenges_are_recognised() {
        assert_eq!(check("http://shop.com/", "<h1>This Domain Is For Sale</h1>"), Some(Placeholder::Parked));
        assert_eq!(check("http://shop.com/", "<h1>Ce domaine est à vendre</h1>"), Some(Placeholder::Parked));
        assert_eq!(check("https://www.hugedomains.com/domain_profile.cfm?d=shop", "<p>"), Some(Placeholder::Parked));
        assert_eq!(check("http://shop.com/", "<title>Welcome to nginx!</title>"), Some(Placeholder::Parked));
        assert_eq!(check("http://shop.com/", "<title>Index of /</title>"), Some(Placeholder::Parked));
        assert_eq!(check("http://shop.com/", "<title>Just a moment...</title>"), Some(Placeholder::Challenge));
    }

    #[test]
    fn real_pages_are_not_placeholders() {
        assert_eq!(check("http://shop.com/", "<h1>House for sale</h1> free parking, one moment please"), None);
        let long = format!("{}this domain is for sale", "<p>text</p>".repeat(10_000));
        assert_eq!(check("http://shop.com/", &long), None);
    }
}
