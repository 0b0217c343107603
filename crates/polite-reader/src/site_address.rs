//! Parses the website field of a listing: missing scheme, stray spaces, upper case, several URLs, social profiles, tracking
//! parameters, or nothing at all.

use url::Url;

use crate::limits::LISTING_CHARS_MAX;
use crate::report::{SiteReport, SiteStatus};
use crate::social::{SocialName, social_name};
use crate::tracking::drop_tracking;

/// The meaning of a listing's website field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SiteAddress {
    /// A site, with its start URLs in the order they are tried and its cache key.
    Site { start_urls: Vec<Url>, name: String },
    /// A profile on another site.
    Social(Url, SocialName),
    /// Nothing that can be visited, and why.
    Nothing(String),
}

/// Words people write when there is no website.
const NO_WEBSITE: [&str; 12] =
    ["-", "--", "n/a", "na", "none", "no", "null", "nil", "nan", "undefined", "no website", "http://"];

/// Whether a listing's website field names a site of the business's own, as opposed to a social profile or nothing.
#[must_use]
pub fn names_own_site(field: &str) -> bool {
    matches!(SiteAddress::parse(field), SiteAddress::Site { .. })
}

/// What a listing's website field names, cleaned: with a scheme, without tracking parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListedWebsite {
    /// A site of the business's own.
    Own(Url),
    /// A page on somebody else's site, such as a social network.
    Social(Url),
}

/// What a listing's website field names; `None` when that is nothing that can be visited.
#[must_use]
pub fn listed_website(field: &str) -> Option<ListedWebsite> {
    match SiteAddress::parse(field) {
        SiteAddress::Site { start_urls, .. } => start_urls.into_iter().next().map(ListedWebsite::Own),
        SiteAddress::Social(url, _) => Some(ListedWebsite::Social(url)),
        SiteAddress::Nothing(_) => None,
    }
}

impl SiteAddress {
    /// Parses a website field.
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
            Scheme::Other(scheme) => Self::Nothing(format!("{scheme}: is not a supported scheme")),
            Scheme::None if rest.split('/').next().is_some_and(|host| host.contains('@')) => {
                Self::Nothing("the listing has an email address instead of a website".to_owned())
            }
            Scheme::None => Self::of(&["https", "http"], rest),
            Scheme::Http => Self::of(&["http"], rest).or_secured(),
            Scheme::Https => Self::of(&["https"], rest),
        }
    }

    /// Adds the https URL to an http one: listings are often older than the site's certificate. An explicit port is left as
    /// it is.
    fn or_secured(mut self) -> Self {
        if let Self::Site { start_urls, .. } = &mut self
            && let [plain] = start_urls.as_slice()
            && plain.port().is_none()
        {
            let mut secure = plain.clone();
            if secure.set_scheme("https").is_ok() {
                start_urls.push(secure);
            }
        }
        self
    }

    /// The report for a field that names no site of its own; no request is needed for it.
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
        let start_urls: Vec<Url> = schemes.iter().filter_map(|scheme| clean_url(scheme, rest)).collect();
        let Some(first) = start_urls.first() else {
            return Self::Nothing("the listing's website is not an address".to_owned());
        };
        match social_name(first) {
            Some(name) => Self::Social(first.clone(), name),
            None => Self::Site { name: report_name(first), start_urls },
        }
    }
}

/// The part of a field that is read.
fn beginning(field: &str) -> String {
    field.trim().chars().take(LISTING_CHARS_MAX).collect()
}

enum Scheme {
    None,
    Http,
    Https,
    Other(String),
}

/// The first part that looks like a URL when there are several.
fn first_address(field: &str) -> &str {
    // "http:// www.shop.com" is one URL with a typo.
    let glued = field.find("://").filter(|at| field[at + 3..].starts_with(char::is_whitespace));
    let from = glued.map_or(0, |at| at + 3);
    let parts = field[from..].split(|c: char| c.is_whitespace() || c == ',' || c == ';' || c == '|');
    parts
        .map(|part| part.trim_matches(['(', ')', '<', '>', '"', '\'']))
        .find(|part| part.contains('.'))
        .unwrap_or(field)
}

/// Removes the scheme, in its many misspellings.
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
    // In "http://https://shop.com" the inner scheme counts.
    match split_scheme(body) {
        (Scheme::None, _) => (scheme, body),
        inner => inner,
    }
}

fn clean_url(scheme: &str, rest: &str) -> Option<Url> {
    let rest = rest.trim_end_matches(['.', ',', ';']);
    let mut url = Url::parse(&format!("{scheme}://{rest}")).ok()?;
    // Whatever precedes an @ is a mistake or a trick.
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

/// The cache key of a site's report: the host without `www`, and the path if there is one, since `sites.google.com/view/a` and
/// `/b` are two businesses.
fn report_name(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    format!("{host}{port}{}{query}", url.path().trim_end_matches('/'))
}

/// Characters left over from copy and paste.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_start_url(field: &str) -> String {
        match SiteAddress::parse(field) {
            SiteAddress::Site { start_urls, .. } => start_urls[0].to_string(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn website_fields_become_urls() {
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
            assert_eq!(first_start_url(field), expected, "{field:?}");
        }
    }

    #[test]
    fn fields_without_a_website_are_recognised() {
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
        let SiteAddress::Site { start_urls, name } = SiteAddress::parse("WWW.Shop.com/a/") else { panic!("a site") };
        assert_eq!(
            start_urls.iter().map(Url::as_str).collect::<Vec<_>>(),
            ["https://www.shop.com/a/", "http://www.shop.com/a/"]
        );
        assert_eq!(name, "shop.com/a");
        let start_urls = |field: &str| match SiteAddress::parse(field) {
            SiteAddress::Site { start_urls, .. } => {
                start_urls.iter().map(|start_url| start_url.scheme().to_owned()).collect::<Vec<_>>()
            }
            _ => Vec::new(),
        };
        assert_eq!(start_urls("http://shop.com"), ["http", "https"]);
        assert_eq!(start_urls("http://shop.com:8080"), ["http"]);
        assert_eq!(start_urls("https://shop.com"), ["https"]);
    }

    #[test]
    fn social_profiles_are_not_websites() {
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

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(100))]

        #[test]
        fn any_field_is_accepted(field in ".{0,80}") {
            SiteAddress::parse(&field);
        }
    }
}
