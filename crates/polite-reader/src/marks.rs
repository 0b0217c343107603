//! Tells a placeholder (a registrar's, a broker's, a bare server's) and a test for humans from a real
//! first page, by marks that only they carry. The words are our own, collected from how such pages speak.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use url::Url;

use crate::limits::MARKS_BYTES_MAX;
use crate::site_address::site_of;

/// What a first page really is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Parked,
    Challenge,
}

/// Sites of brokers and parking companies; whoever redirects there is parked.
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

/// Marks and what they mean, in lower case. Each is something no shop would write on its first page.
const MARKS: [(&str, Mark); 70] = [
    ("this domain is for sale", Mark::Parked),
    ("this domain may be for sale", Mark::Parked),
    ("this domain name is for sale", Mark::Parked),
    ("domain name is available for sale", Mark::Parked),
    ("the domain you have requested is for sale", Mark::Parked),
    ("buy this domain", Mark::Parked),
    ("inquire about this domain", Mark::Parked),
    ("make an offer on this domain", Mark::Parked),
    ("this domain is parked", Mark::Parked),
    ("domain is parked free", Mark::Parked),
    ("parked free, courtesy of", Mark::Parked),
    ("this domain has expired", Mark::Parked),
    ("this domain name has expired", Mark::Parked),
    ("domain has been registered and parked", Mark::Parked),
    ("this web page is parked", Mark::Parked),
    ("this page is parked", Mark::Parked),
    ("this domain has recently been registered", Mark::Parked),
    ("this domain was recently registered", Mark::Parked),
    ("future home of something quite cool", Mark::Parked),
    ("diese domain steht zum verkauf", Mark::Parked),
    ("diese domain kaufen", Mark::Parked),
    ("diese domain ist geparkt", Mark::Parked),
    ("domain ist zu verkaufen", Mark::Parked),
    ("ce domaine est \u{e0} vendre", Mark::Parked),
    ("ce nom de domaine est \u{e0} vendre", Mark::Parked),
    ("este dominio est\u{e1} en venta", Mark::Parked),
    ("este dominio est\u{e1} a la venta", Mark::Parked),
    ("questo dominio \u{e8} in vendita", Mark::Parked),
    ("dit domein is te koop", Mark::Parked),
    ("deze domeinnaam is te koop", Mark::Parked),
    ("este dom\u{ed}nio est\u{e1} \u{e0} venda", Mark::Parked),
    ("ta domena jest na sprzeda\u{17c}", Mark::Parked),
    ("sedoparking.com/", Mark::Parked),
    ("parkingcrew.net/", Mark::Parked),
    ("img.sedoparking.com", Mark::Parked),
    ("cdn.bodis.com", Mark::Parked),
    ("bodiscdn.com", Mark::Parked),
    ("parklogic.com/", Mark::Parked),
    ("d38psrni17bvxu.cloudfront.net", Mark::Parked),
    ("window.park = \"", Mark::Parked),
    ("/parking-lander/", Mark::Parked),
    ("wsimg.com/parking", Mark::Parked),
    ("hugedomains.com/domain_profile", Mark::Parked),
    ("this account has been suspended", Mark::Parked),
    ("welcome to nginx!</title>", Mark::Parked),
    ("apache2 ubuntu default page", Mark::Parked),
    ("apache2 debian default page", Mark::Parked),
    ("<title>iis windows server</title>", Mark::Parked),
    ("<h1>it works!</h1>", Mark::Parked),
    ("web server's default page", Mark::Parked),
    ("default plesk page", Mark::Parked),
    ("sorry, this shop is currently unavailable", Mark::Parked),
    ("looks like this domain isn't connected to a website yet", Mark::Parked),
    ("there isn't a github pages site here", Mark::Parked),
    ("website expired</title>", Mark::Parked),
    ("this site is not published or does not have a domain assigned", Mark::Parked),
    ("<title>index of /</title>", Mark::Parked),
    ("no such app</title>", Mark::Parked),
    ("<title>website coming soon</title>", Mark::Parked),
    ("<title>coming soon</title>", Mark::Parked),
    ("<title>just a moment...</title>", Mark::Challenge),
    ("attention required! | cloudflare", Mark::Challenge),
    ("/.well-known/sgcaptcha/", Mark::Challenge),
    ("_incapsula_resource?", Mark::Challenge),
    ("<title>ddos-guard</title>", Mark::Challenge),
    ("sucuri website firewall - access denied", Mark::Challenge),
    ("geo.captcha-delivery.com", Mark::Challenge),
    ("/_sec/cp_challenge/", Mark::Challenge),
    ("checking your browser before accessing", Mark::Challenge),
    ("awswafcookiedomainlist", Mark::Challenge),
];

static MATCHER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let mut builder = AhoCorasick::builder();
    let builder = builder.ascii_case_insensitive(true).match_kind(MatchKind::LeftmostFirst);
    builder.build(MARKS.iter().map(|(mark, _)| mark)).ok()
});

/// Reads the marks of a first page. Large pages are real: placeholders and tests are short.
pub(crate) fn mark(url: &Url, body: &[u8]) -> Option<Mark> {
    if PARKING_SITES.contains(&site_of(url)) {
        return Some(Mark::Parked);
    }
    if body.len() > MARKS_BYTES_MAX {
        return None;
    }
    let found = MATCHER.as_ref()?.find(body)?;
    Some(MARKS[found.pattern().as_usize()].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str, body: &str) -> Option<Mark> {
        mark(&Url::parse(url).unwrap(), body.as_bytes())
    }

    #[test]
    fn placeholders_and_tests_for_humans_are_recognised() {
        assert_eq!(check("http://shop.com/", "<h1>This Domain Is For Sale</h1>"), Some(Mark::Parked));
        assert_eq!(check("http://shop.com/", "<h1>Ce domaine est à vendre</h1>"), Some(Mark::Parked));
        assert_eq!(check("https://www.hugedomains.com/domain_profile.cfm?d=shop", "<p>"), Some(Mark::Parked));
        assert_eq!(check("http://shop.com/", "<title>Welcome to nginx!</title>"), Some(Mark::Parked));
        assert_eq!(check("http://shop.com/", "<title>Index of /</title>"), Some(Mark::Parked));
        assert_eq!(check("http://shop.com/", "<title>Just a moment...</title>"), Some(Mark::Challenge));
    }

    #[test]
    fn real_pages_are_not() {
        assert_eq!(check("http://shop.com/", "<h1>House for sale</h1> free parking, one moment please"), None);
        let long = format!("{}this domain is for sale", "<p>text</p>".repeat(10_000));
        assert_eq!(check("http://shop.com/", &long), None);
    }
}
