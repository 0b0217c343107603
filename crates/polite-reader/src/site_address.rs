//! Makes sense of what listings really have in their website field: no scheme, stray spaces,
//! upper case, several addresses, social profiles, tracking parameters, nothing at all.

use url::Url;

use crate::address_guard::is_under_localhost;
use crate::limits::LISTING_CHARS_MAX;
use crate::page_choice::drop_tracking;
use crate::report::{SiteReport, SiteStatus};
use crate::social::{SocialName, social_name};

/// What a listing's website field turns out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SiteAddress {
    /// A site, with the ways to reach it in the order they are tried.
    Site { ways: Vec<Url>, name: String },
    /// A profile somewhere else.
    Social(Url, SocialName),
    /// Nothing that could be visited, and why.
    Nothing(String),
}

/// Words people write where there is no website.
const NO_WEBSITE: [&str; 12] =
    ["-", "--", "n/a", "na", "none", "no", "null", "nil", "nan", "undefined", "no website", "http://"];

/// Parameters that only say where a visitor came from.
const TRACKING: [&str; 24] = [
    "fbclid",
    "gclid",
    "gclsrc",
    "dclid",
    "wbraid",
    "gbraid",
    "msclkid",
    "twclid",
    "ttclid",
    "igshid",
    "igsh",
    "yclid",
    "mc_cid",
    "mc_eid",
    "y_source",
    "ref_src",
    "_ga",
    "_gl",
    "srsltid",
    "hsa_acc",
    "hsa_cam",
    "hsctatracking",
    "rwg_token",
    "sc_cid",
];

/// Whether a query parameter only tracks.
pub(crate) fn is_tracking_parameter(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("utm_") || name.starts_with("mkt_") || TRACKING.contains(&name.as_str())
}

/// Whether a listing's website field names a site of the business's own: not a social media page, and not nothing.
#[must_use]
pub fn names_own_site(field: &str) -> bool {
    matches!(SiteAddress::parse(field), SiteAddress::Site { .. })
}

impl SiteAddress {
    /// Reads a website field.
    pub(crate) fn parse(field: &str) -> Self {
        let field: String =
            field.chars().take(LISTING_CHARS_MAX).filter(|c| !c.is_control() && !is_invisible(*c)).collect();
        let field = field.trim_matches(|c: char| c.is_whitespace() || "\"'<>()[]`,;|".contains(c));
        if field.is_empty() || NO_WEBSITE.contains(&field.to_lowercase().as_str()) {
            return Self::Nothing("the listing has no website".to_owned());
        }
        let text = first_address(field);
        let (scheme, rest) = split_scheme(text);
        match scheme {
            Scheme::Other(scheme) => Self::Nothing(format!("{scheme}: is not a scheme we read")),
            Scheme::None if rest.split('/').next().is_some_and(|host| host.contains('@')) => {
                Self::Nothing("the listing has an e-mail address in place of a website".to_owned())
            }
            Scheme::None => Self::of(&["https", "http"], rest),
            Scheme::Http => Self::of(&["http"], rest).or_secured(),
            Scheme::Https => Self::of(&["https"], rest),
        }
    }

    /// Adds the secure way to a plain site: old listings outlive plain servers. A port of its own is
    /// left as it is.
    fn or_secured(mut self) -> Self {
        if let Self::Site { ways, .. } = &mut self
            && let [plain] = ways.as_slice()
            && plain.port().is_none()
        {
            let mut secure = plain.clone();
            if secure.set_scheme("https").is_ok() {
                ways.push(secure);
            }
        }
        self
    }

    /// The report on a field that names no site of its own; nobody needs to be asked for it.
    pub(crate) fn without_a_read(self, field: &str) -> SiteReport {
        match self {
            Self::Social(url, name) => {
                let detail = Some(format!("the listing's website is a page on {name}"));
                SiteReport::without_pages(SiteStatus::SocialOnly, url.as_str(), detail)
            }
            Self::Nothing(reason) => SiteReport::without_pages(SiteStatus::None, &beginning(field), Some(reason)),
            Self::Site { .. } => SiteReport::without_pages(SiteStatus::None, &beginning(field), None),
        }
    }

    fn of(schemes: &[&str], rest: &str) -> Self {
        let ways: Vec<Url> = schemes.iter().filter_map(|scheme| clean_url(scheme, rest)).collect();
        let Some(first) = ways.first() else {
            return Self::Nothing("the listing's website is not an address".to_owned());
        };
        match social_name(first) {
            Some(name) => Self::Social(first.clone(), name),
            None => Self::Site { name: report_name(first), ways },
        }
    }
}

/// As much of a field as is looked at.
fn beginning(field: &str) -> String {
    field.trim().chars().take(LISTING_CHARS_MAX).collect()
}

enum Scheme {
    None,
    Http,
    Https,
    Other(String),
}

/// The first thing that looks like an address when there are several.
fn first_address(field: &str) -> &str {
    // "http:// www.shop.com" is one address with a typo in it.
    let glued = field.find("://").filter(|at| field[at + 3..].starts_with(char::is_whitespace));
    let from = glued.map_or(0, |at| at + 3);
    let parts = field[from..].split(|c: char| c.is_whitespace() || c == ',' || c == ';' || c == '|');
    parts
        .map(|part| part.trim_matches(['(', ')', '<', '>', '"', '\'']))
        .find(|part| part.contains('.'))
        .unwrap_or(field)
}

/// Takes the scheme off, in the many ways it is mistyped.
fn split_scheme(text: &str) -> (Scheme, &str) {
    let lower = text.to_ascii_lowercase();
    let Some(colon) = lower.find([':', '/']) else { return (Scheme::None, text) };
    let (word, rest) = (&lower[..colon], &text[colon..]);
    let body = rest.trim_start_matches([':', '/', '\\']);
    let scheme = match word {
        "https" | "htps" | "htpps" | "hhttps" | "httpss" | "ttps" | "httsp" => Scheme::Https,
        "http" | "htp" | "hhttp" | "htttp" | "ttp" | "httpp" => Scheme::Http,
        "" => return (Scheme::None, body),
        _ if rest.starts_with("://") => return (Scheme::Other(word.chars().take(20).collect()), body),
        "mailto" | "tel" | "javascript" | "data" | "file" | "ftp" | "about" | "sms" | "blob" | "ws" | "wss"
        | "gopher" => {
            return (Scheme::Other(word.to_owned()), body);
        }
        _ => return (Scheme::None, text),
    };
    // "http://https://shop.com" happens; the inner one counts.
    match split_scheme(body) {
        (Scheme::None, _) => (scheme, body),
        inner => inner,
    }
}

fn clean_url(scheme: &str, rest: &str) -> Option<Url> {
    let rest = rest.trim_end_matches(['.', ',', ';']);
    let mut url = Url::parse(&format!("{scheme}://{rest}")).ok()?;
    // Whatever stands before an @ is a mistake or a trick.
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    url.set_fragment(None);
    let host = url.host_str()?.to_owned();
    let bare = host.trim_matches('.');
    if bare != host {
        url.set_host(Some(bare)).ok()?;
    }
    let is_name = matches!(url.host(), Some(url::Host::Domain(_)));
    if is_name && !bare.contains('.') && bare != "localhost" {
        return None;
    }
    drop_tracking(&mut url);
    Some(url)
}

/// The name reports are kept under: the host without `www`, and the path where there is one,
/// since `sites.google.com/view/a` and `/b` are two businesses.
fn report_name(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    format!("{host}{port}{}{query}", url.path().trim_end_matches('/'))
}

/// The registrable domain of a URL by the public suffix list, or its host where there is none.
pub(crate) fn site_of(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    match url.host() {
        // Every sandbox business is its own site.
        Some(_) if is_public_name(url) => psl::domain_str(host).unwrap_or(host),
        _ => host,
    }
}

/// The same site with `www.` added or taken away, where that makes sense.
pub(crate) fn www_sibling(url: &Url) -> Option<Url> {
    let host = url.host_str()?;
    let sibling = match host.strip_prefix("www.") {
        Some(bare) => bare.to_owned(),
        None if psl::domain_str(host) == Some(host) && is_public_name(url) => format!("www.{host}"),
        None => return None,
    };
    let mut other = url.clone();
    other.set_host(Some(&sibling)).ok()?;
    Some(other)
}

fn is_public_name(url: &Url) -> bool {
    matches!(url.host(), Some(url::Host::Domain(name)) if !is_under_localhost(name))
}

/// Characters that copy and paste leaves behind.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_way(field: &str) -> String {
        match SiteAddress::parse(field) {
            SiteAddress::Site { ways, .. } => ways[0].to_string(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn what_listings_contain_becomes_an_address() {
        let cases = [
            ("shop.com", "https://shop.com/"),
            ("www.shop.com", "https://www.shop.com/"),
            ("HTTP://WWW.SHOP.COM", "http://www.shop.com/"),
            ("https://shop.com", "https://shop.com/"),
            ("  shop.com \n", "https://shop.com/"),
            ("shop.com.", "https://shop.com/"),
            ("http://shop.com./about", "http://shop.com/about"),
            ("shop.com/austin", "https://shop.com/austin"),
            ("//shop.com/x", "https://shop.com/x"),
            ("http:/shop.com", "http://shop.com/"),
            ("http//shop.com", "http://shop.com/"),
            ("http:shop.com", "http://shop.com/"),
            ("http:// shop.com", "https://shop.com/"),
            ("htp://shop.com", "http://shop.com/"),
            ("http://http://shop.com", "http://shop.com/"),
            ("http://https://shop.com", "https://shop.com/"),
            ("shop.com:8080/x", "https://shop.com:8080/x"),
            ("https://shop.com/?utm_source=g&utm_medium=x", "https://shop.com/"),
            ("https://shop.com/?id=7&gclid=abc", "https://shop.com/?id=7"),
            ("https://shop.com/#contact", "https://shop.com/"),
            ("shop.com, other.com", "https://shop.com/"),
            ("shop.com; www.other.com", "https://shop.com/"),
            ("Website: shop.com", "https://shop.com/"),
            ("<a.com>", "https://a.com/"),
            ("\"shop.com\"", "https://shop.com/"),
            ("\u{200b}shop.com\u{feff}", "https://shop.com/"),
            ("müller-bäckerei.de", "https://xn--mller-bckerei-hfb76a.de/"),
            ("xn--mller-bckerei-hfb76a.de", "https://xn--mller-bckerei-hfb76a.de/"),
            ("https://user:pw@shop.com/", "https://shop.com/"),
            ("sites.google.com/view/shop", "https://sites.google.com/view/shop"),
            ("https://shop.com/a b", "https://shop.com/a"),
        ];
        for (field, expected) in cases {
            assert_eq!(first_way(field), expected, "{field:?}");
        }
    }

    #[test]
    fn what_is_no_website_is_told_apart() {
        for field in [
            "",
            "  ",
            "-",
            "N/A",
            "none",
            "No Website",
            "null",
            "shop",
            "joe@shop.com",
            "mailto:joe@shop.com",
            "tel:+1",
            "http://",
            "???",
        ] {
            assert!(matches!(SiteAddress::parse(field), SiteAddress::Nothing(_)), "{field:?}");
        }
    }

    #[test]
    fn without_a_scheme_both_are_tried() {
        let SiteAddress::Site { ways, name } = SiteAddress::parse("WWW.Shop.com/a/") else { panic!("a site") };
        assert_eq!(
            ways.iter().map(Url::as_str).collect::<Vec<_>>(),
            ["https://www.shop.com/a/", "http://www.shop.com/a/"]
        );
        assert_eq!(name, "shop.com/a");
        let ways = |field: &str| match SiteAddress::parse(field) {
            SiteAddress::Site { ways, .. } => ways.iter().map(|way| way.scheme().to_owned()).collect::<Vec<_>>(),
            _ => Vec::new(),
        };
        assert_eq!(ways("http://shop.com"), ["http", "https"]);
        assert_eq!(ways("http://shop.com:8080"), ["http"]);
        assert_eq!(ways("https://shop.com"), ["https"]);
    }

    #[test]
    fn social_pages_are_no_websites() {
        let social = [
            "facebook.com/shop",
            "https://m.facebook.com/shop",
            "https://www.facebook.com/pages/x/1",
            "fb.me/shop",
            "instagram.com/shop",
            "https://linktr.ee/shop",
            "twitter.com/shop",
            "x.com/shop",
            "uk.linkedin.com/company/shop",
            "youtube.com/@shop",
            "https://www.pinterest.co.uk/shop",
            "https://www.yelp.de/biz/shop",
            "https://www.google.com/maps/place/x",
            "maps.google.de/x",
            "https://goo.gl/maps/x",
            "https://maps.app.goo.gl/x",
            "g.page/shop",
            "wa.me/123",
            "https://www.tripadvisor.fr/x",
        ];
        for field in social {
            assert!(matches!(SiteAddress::parse(field), SiteAddress::Social(..)), "{field}");
        }
        for field in [
            "sites.google.com/view/a",
            "facebook-fans.com",
            "shop.business.site",
            "notfacebook.com",
            "yelpaso.com",
            "max.com",
            "google.com",
        ] {
            assert!(matches!(SiteAddress::parse(field), SiteAddress::Site { .. }), "{field}");
        }
    }

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
    fn a_bare_name_has_a_sibling_with_www() {
        let sibling = |url: &str| www_sibling(&Url::parse(url).unwrap()).map(String::from);
        assert_eq!(sibling("http://shop.com/x").as_deref(), Some("http://www.shop.com/x"));
        assert_eq!(sibling("http://www.shop.com/").as_deref(), Some("http://shop.com/"));
        assert_eq!(sibling("http://blog.shop.com/"), None);
        assert_eq!(sibling("http://8.8.8.8/"), None);
        assert_eq!(sibling("http://joe.localhost:81/"), None);
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(100))]

        #[test]
        fn any_field_is_taken(field in ".{0,80}") {
            SiteAddress::parse(&field);
        }
    }
}
