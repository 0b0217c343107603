//! Known ways around an address guard, as tables. Each is tried as a listing's website, as a redirect target and as a plain
//! URL, because each path parses separately.

use super::*;

use crate::site_address::SiteAddress;

/// URLs that must be refused before any name is resolved.
fn bypasses() -> impl Iterator<Item = &'static str> {
    include_str!("../../tests/bypasses.txt").lines().filter(|line| !line.starts_with('#'))
}

/// Schemes and ports that must be refused whatever the host.
const NOT_WEB: [&str; 14] = [
    "file:///etc/passwd",
    "ftp://shop.com/",
    "gopher://shop.com:70/_x",
    "dict://shop.com:11211/stat",
    "ws://shop.com/",
    "javascript:alert(1)",
    "data:text/html,x",
    "mailto:a@shop.com",
    "http://shop.com:22/",
    "http://shop.com:25/",
    "http://shop.com:3306/",
    "http://shop.com:6379/",
    "http://8.8.8.8:53/",
    "https://shop.com:0/",
];

const PUBLIC: [&str; 14] = [
    "http://shop.com/",
    "https://www.shop.co.uk/",
    "https://shop.com:8443/",
    "http://8.8.8.8/",
    "http://134744072/",
    "http://1.1.1.1:8080/",
    "http://[2606:4700::1111]/",
    "http://172.15.255.255/",
    "http://172.32.0.1/",
    "http://100.63.0.1/",
    "http://100.128.0.1/",
    "http://192.169.0.1/",
    "http://münchen.de/",
    "http://localhost.shop.com/",
];

fn guard() -> AddressGuard {
    AddressGuard::new(Vec::new())
}

/// Refused, or not even a URL.
fn is_refused(guard: &AddressGuard, url: &str) -> bool {
    Url::parse(url).map_or(true, |url| guard.check_url(&url).is_err())
}

#[test]
fn no_bypass_works_as_a_url() {
    assert!(bypasses().count() >= 100);
    for url in bypasses().chain(NOT_WEB) {
        assert!(is_refused(&guard(), url), "{url}");
        assert!(is_refused(&guard(), &url.replacen("http://", "https://", 1)), "https {url}");
    }
}

#[test]
fn no_bypass_works_as_a_redirect() {
    let from = Url::parse("http://shop.com/a/b").unwrap();
    for location in bypasses().chain(NOT_WEB) {
        let forms = [location.to_owned(), location.replacen("http:", "", 1), location.to_uppercase()];
        for form in forms {
            let refused = from.join(&form).map_or(true, |url| guard().check_url(&url).is_err());
            assert!(refused, "{form}");
        }
    }
}

#[test]
fn no_bypass_works_as_a_listing() {
    for field in bypasses().chain(NOT_WEB) {
        for form in [field.to_owned(), field.replacen("http://", "", 1), format!("  {field}  ")] {
            let SiteAddress::Site { start_urls, .. } = SiteAddress::parse(&form) else { continue };
            for start_url in start_urls {
                let harmless = start_url.host_str() == Some("shop.com") || start_url.host_str() == Some("x");
                assert!(guard().check_url(&start_url).is_err() || harmless, "{form} became {start_url}");
            }
        }
    }
}

#[test]
fn the_checked_host_is_the_one_connected_to() {
    // Parsers disagree about backslashes; ours runs once and its result is used for both.
    let url = Url::parse("http://shop.com\\@127.0.0.1:22/").unwrap();
    assert_eq!(guard().check_url(&url), Ok(Target::Name("shop.com".into(), 80)));
}

#[test]
fn the_public_internet_is_allowed() {
    for url in PUBLIC {
        assert!(!is_refused(&guard(), url), "{url}");
    }
}

#[test]
fn resolved_addresses_follow_the_same_rules() {
    let private = [
        "0.0.0.0",
        "10.1.2.3",
        "100.64.1.1",
        "127.0.0.1",
        "169.254.169.254",
        "172.20.0.1",
        "192.168.1.1",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "168.63.129.16",
        "::",
        "::1",
        "::ffff:1.1.1.1",
        "::1.1.1.1",
        "64:ff9b::101:101",
        "2002:101:101::",
        "2001::1",
        "fe80::1",
        "fd00::1",
        "ff02::1",
        "2001:db8::1",
    ];
    for ip in private {
        let address = SocketAddr::new(ip.parse().unwrap(), 80);
        assert_eq!(guard().check_address(address), Err(Refusal::Address(address.ip())), "{ip}");
    }
    for ip in ["1.1.1.1", "8.8.8.8", "2606:4700::1111", "2a00:1450:4001:81b::200e"] {
        assert_eq!(guard().check_address(SocketAddr::new(ip.parse().unwrap(), 443)), Ok(()), "{ip}");
    }
}

#[test]
fn an_exception_covers_one_address_with_one_port() {
    let allowed: SocketAddr = "127.0.0.1:4711".parse().unwrap();
    let guard = AddressGuard::new(vec![allowed]);
    let target = |url: &str| guard.check_url(&Url::parse(url).unwrap());
    assert_eq!(target("http://127.0.0.1:4711/"), Ok(Target::Address(allowed)));
    assert_eq!(target("http://joes-plumbing-4f2a.localhost:4711/"), Ok(Target::Address(allowed)));
    assert_eq!(target("http://localhost:4711/"), Ok(Target::Address(allowed)));
    for url in [
        "http://127.0.0.1/",
        "http://127.0.0.1:4712/",
        "http://127.0.0.2:4711/",
        "http://[::1]:4711/",
        "http://x.localhost/",
    ] {
        assert!(target(url).is_err(), "{url}");
    }
    // No other name leads there, whatever it resolves to.
    assert_eq!(target("http://shop.com:4711/"), Err(Refusal::Port(4711)));
    assert!(guard.check_address(allowed).is_err());
    assert!(guard.check_address("10.0.0.1:4711".parse().unwrap()).is_err());
    assert!(guard.check_address("8.8.8.8:4711".parse().unwrap()).is_err());
    for url in bypasses() {
        assert!(is_refused(&guard, url), "{url}");
    }
}

#[test]
fn names_under_localhost_can_be_redirected_without_opening_anything_else() {
    let stand_in: SocketAddr = "127.0.0.1:4711".parse().unwrap();
    let guard = guard().with_localhost_at(Some(stand_in));
    let target = |url: &str| guard.check_url(&Url::parse(url).unwrap());
    for url in [
        "http://x.localhost/",
        "http://x.localhost:8080/",
        "http://x.localhost:9999/",
        "http://X.LocalHost:22/",
        "https://a.b.localhost./",
    ] {
        assert_eq!(target(url), Ok(Target::Address(stand_in)), "{url}");
    }
    for url in ["http://localhost/", "http://localhost:4711/", "http://127.0.0.1:4711/", "http://[::1]:4711/"] {
        assert!(target(url).is_err(), "{url}");
    }
    for url in ["http://.localhost/", "http://..localhost/", "http://xlocalhost/", "http://x.localhost.local/"] {
        assert!(is_refused(&guard, url), "{url}");
    }
    assert!(target("ftp://x.localhost/").is_err());
    assert_eq!(target("http://shop.com:4711/"), Err(Refusal::Port(4711)));
    assert!(guard.check_address(stand_in).is_err());
    let leads_elsewhere =
        |url: &&str| !Url::parse(url).is_ok_and(|url| is_under_localhost(url.host_str().unwrap_or_default()));
    for url in bypasses().chain(NOT_WEB).filter(leads_elsewhere) {
        assert!(is_refused(&guard, url), "{url}");
    }
}

#[test]
fn every_private_range_has_the_right_bounds() {
    let borders = [
        ("9.255.255.255", "10.0.0.0"),
        ("11.0.0.0", "10.255.255.255"),
        ("100.63.255.255", "100.64.0.0"),
        ("100.128.0.0", "100.127.255.255"),
        ("126.255.255.255", "127.0.0.0"),
        ("128.0.0.0", "127.255.255.255"),
        ("169.253.255.255", "169.254.0.0"),
        ("169.255.0.0", "169.254.255.255"),
        ("172.15.255.255", "172.16.0.0"),
        ("172.32.0.0", "172.31.255.255"),
        ("192.167.255.255", "192.168.0.0"),
        ("192.169.0.0", "192.168.255.255"),
        ("198.17.255.255", "198.18.0.0"),
        ("198.20.0.0", "198.19.255.255"),
        ("223.255.255.255", "224.0.0.0"),
        ("1.0.0.0", "0.255.255.255"),
        ("2001:200::", "2001:1ff::"),
        ("2003::", "2002:ffff::"),
        ("2001:db7::", "2001:db8::"),
        ("3ffe::", "3fff:fff::"),
        ("2000::1", "1fff::1"),
    ];
    for (public, private) in borders {
        assert!(is_public(public.parse().unwrap()), "{public}");
        assert!(!is_public(private.parse().unwrap()), "{private}");
    }
}

#[test]
fn an_exception_applies_only_to_the_site_that_starts_there() {
    let allowed: Vec<SocketAddr> = vec!["127.0.0.1:4711".parse().unwrap(), "10.0.0.8:80".parse().unwrap()];
    let parse = |url: &str| Url::parse(url).unwrap();
    let reaches = |start: &str, url: &str| guard().for_site(&[parse(start)], &allowed).check_url(&parse(url)).is_ok();
    for start in
        ["http://127.0.0.1:4711/", "http://2130706433:4711/", "http://localhost:4711/", "http://x.localhost:4711/"]
    {
        assert!(reaches(start, start), "{start}");
        assert!(reaches(start, "http://127.0.0.1:4711/contact"), "its own pages: {start}");
        assert!(!reaches(start, "http://10.0.0.8/"), "another exception: {start}");
    }
    for start in
        ["http://shop.com/", "http://shop.com:4711/", "http://8.8.8.8/", "http://127.0.0.1/", "http://10.0.0.9/"]
    {
        for url in ["http://127.0.0.1:4711/", "http://localhost:4711/", "http://10.0.0.8/"] {
            assert!(!reaches(start, url), "{start} to {url}");
        }
    }
}
