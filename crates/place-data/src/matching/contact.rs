//! Phone numbers and web addresses in forms that can be compared.

use crate::phone::e164;
use crate::shared_sites::is_shared_site;

/// Longest text that is parsed as a phone number, and longest web address.
const PHONE_BYTES_MAX: usize = 60;
const URL_BYTES_MAX: usize = 2_000;
/// Digits that two numbers share at least when the country of one is unknown.
const LOCAL_DIGITS_MIN: usize = 7;

/// Paths of a website that are its front page.
const FRONT_PAGES: &[&str] = &[
    "",
    "home",
    "index.html",
    "index.php",
    "index.htm",
    "index.aspx",
    "en",
    "de",
    "fr",
    "es",
    "it",
    "fi",
    "en-us",
    "m",
    "mobile",
    "home.html",
    "default.aspx",
];
/// Query parameters that say where a visitor came from.
const TRACKING: &[&str] = &[
    "utm_", "cid", "cmp", "cm_mmc", "y_source", "gclid", "fbclid", "seo_id", "emt", "iata", "src", "ref", "sc_cid",
    "lc",
];

/// Beginnings of free-phone and shared-cost numbers, with country code.
const COMPANY_WIDE: &str = "1800 1833 1844 1855 1866 1877 1888 338 34900 34901 34902 35880 39800 39848 41800 41848 43800 44800 44808 44844 44845
    44870 44871 49180 49800 611300 611800 35810 35820 35829 358300 358600 35875";

/// A phone number as digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Phone {
    /// With the country code if that is known.
    pub(crate) digits: u64,
    international: bool,
    /// Set when many places of one source have it.
    pub(crate) common: bool,
}

impl Phone {
    /// Parses a number as written in this country, an ISO 3166-1 alpha-2 code.
    pub(crate) fn parse(text: &str, country: Option<&str>) -> Option<Phone> {
        let text = text.trim();
        if text.len() > PHONE_BYTES_MAX {
            return None;
        }
        if let Some(digits) = plain_international(text) {
            return Some(Phone { digits, international: true, common: false });
        }
        if let Some(digits) = north_american(text, country) {
            return Some(Phone { digits, international: true, common: false });
        }
        if let Some(e164) = e164(text, country) {
            return Some(Phone {
                digits: e164.trim_start_matches('+').parse().ok()?,
                international: true,
                common: false,
            });
        }
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let local = digits.trim_start_matches('0');
        if !(LOCAL_DIGITS_MIN..=15).contains(&local.len()) {
            return None;
        }
        Some(Phone { digits: local.parse().ok()?, international: false, common: false })
    }

    /// Whether both are the same number, as far as can be told.
    pub(crate) fn is(self, other: Phone) -> bool {
        if self.international && other.international {
            return self.digits == other.digits;
        }
        let (short, long) =
            if self.digits <= other.digits { (self.digits, other.digits) } else { (other.digits, self.digits) };
        long % 10_u64.pow(short.checked_ilog10().unwrap_or(0) + 1) == short
    }

    /// Whether it belongs to a whole company rather than to one place: free-phone and shared-cost numbers.
    pub(crate) fn is_company_wide(self) -> bool {
        let text = self.digits.to_string();
        self.common || COMPANY_WIDE.split_whitespace().any(|prefix| text.starts_with(prefix))
    }

    /// Whether the country code is known.
    pub(crate) fn is_international(self) -> bool {
        self.international
    }

    /// Groups numbers that can be the same.
    pub(crate) fn block(self) -> u64 {
        self.digits % 10_u64.pow(7)
    }
}

/// The digits of a number that is written with its country code and nothing that needs interpretation.
fn plain_international(text: &str) -> Option<u64> {
    let rest = text.strip_prefix('+')?;
    let plain = rest.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b' ' | b'-' | b'.'));
    let digits: String = rest.chars().filter(char::is_ascii_digit).collect();
    // A zero after a country code is a trunk prefix nearly everywhere; the library knows where it is not.
    let trunk = digits.get(1..4).is_none_or(|next| next.contains('0')) && !digits.starts_with('1');
    (plain && !trunk && (8..=15).contains(&digits.len())).then(|| digits.parse().ok())?
}

/// The digits of a number of the United States or Canada, the most frequent ones without a country code.
fn north_american(text: &str, country: Option<&str>) -> Option<u64> {
    if !matches!(country, Some("US" | "CA")) || text.bytes().any(|byte| byte.is_ascii_alphabetic() || byte == b'+') {
        return None;
    }
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let national = digits.strip_prefix('1').unwrap_or(&digits);
    let valid = national.len() == 10 && !national.starts_with(['0', '1']);
    valid.then(|| format!("1{national}").parse().ok())?
}

/// A web address, reduced to what can be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WebAddress {
    /// The registrable domain; for a page on a shared site, domain and path.
    pub(crate) site: String,
    /// Subdomain, path and query below a domain of its own; empty for the front page.
    pub(crate) page: String,
    /// Whether it is a page on a site that many businesses use.
    pub(crate) on_shared_site: bool,
    /// Set when many places of one source have the domain.
    pub(crate) common: bool,
}

impl WebAddress {
    /// Parses a web address, with or without a scheme.
    pub(crate) fn parse(text: &str) -> Option<WebAddress> {
        let text = text.trim();
        if text.is_empty() || text.len() > URL_BYTES_MAX {
            return None;
        }
        let text = text.split_once("://").map_or(text, |(_, rest)| rest).to_ascii_lowercase();
        let end = text.find(['/', '?', '#']).unwrap_or(text.len());
        let (host, rest) = text.split_at(end);
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        let host = host.split(':').next()?.trim_end_matches('.');
        let host = host.strip_prefix("www.").unwrap_or(host);
        let domain = public_suffix::domain(host)?;
        let page = page(rest);
        let below = host.strip_suffix(domain).unwrap_or_default().trim_end_matches('.');
        if is_shared(domain) {
            let page = profile(&page);
            return (!page.is_empty()).then(|| WebAddress {
                site: format!("{domain}/{page}"),
                page: String::new(),
                on_shared_site: true,
                common: false,
            });
        }
        // A part of a website may have a name of its own: "cafe.example.com" is another page than "hotel.example.com".
        let page = if below.is_empty() || FRONT_PAGES.contains(&below) { page } else { format!("{below}:{page}") };
        Some(WebAddress { site: domain.to_owned(), page, on_shared_site: false, common: false })
    }
}

fn is_shared(domain: &str) -> bool {
    // Those with a domain of their own in each country.
    let label = domain.split('.').next().unwrap_or_default();
    let everywhere = matches!(label, "facebook" | "tripadvisor" | "yelp" | "google" | "pinterest" | "booking");
    everywhere || is_shared_site(domain)
}

/// Path and query without what does not tell pages apart.
fn page(rest: &str) -> String {
    let rest = rest.split('#').next().unwrap_or_default().trim_end_matches('/');
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let path = path.trim_matches('/');
    let path = if FRONT_PAGES.contains(&path) { "" } else { path };
    let query: Vec<&str> = query
        .split('&')
        .filter(|part| !part.is_empty() && !TRACKING.iter().any(|name| part.starts_with(name)))
        .collect();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{}", query.join("&")) }
}

/// The part of a path on a shared site that names the business: the number at the end of `pages/Name/123` or `Name-123`.
fn profile(page: &str) -> String {
    let (path, query) = page.split_once('?').unwrap_or((page, ""));
    if let Some(id) = query.split('&').find_map(|part| part.strip_prefix("id=")) {
        return id.to_owned();
    }
    let last = path.rsplit(['/', '-']).next().unwrap_or_default();
    if last.len() >= 9 && last.bytes().all(|byte| byte.is_ascii_digit()) { last.to_owned() } else { path.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_same_however_they_are_written() {
        let parse = |text, country| Phone::parse(text, country).unwrap();
        let office = parse("+1 512-555-0100", None);
        for (text, country) in [
            ("(512) 555-0100", Some("US")),
            ("5125550100", None),
            ("001 512 555 0100", Some("DE")),
            ("1.512.555.0100", Some("us")),
        ] {
            assert!(parse(text, country).is(office), "{text}");
        }
        assert!(parse("+44 (0)20 7946 0958", None).is(parse("020 7946 0958", Some("GB"))));
        assert!(parse("+49 030 901820", None).is(parse("030 901820", Some("DE"))));
        assert!(!parse("+15125550101", None).is(office));
        assert!(parse("+18005550100", None).is_company_wide());
        for wrong in ["", "12", "call us", &"1".repeat(1_000)] {
            assert_eq!(Phone::parse(wrong, Some("US")), None, "{wrong}");
        }
    }

    #[test]
    fn web_addresses_are_reduced_to_site_and_page() {
        let check = |text: &str, expected: &str| {
            let found = WebAddress::parse(text).map(|web| format!("{} {} {}", web.site, web.page, web.on_shared_site));
            assert_eq!(found.unwrap_or_default(), expected, "{text}");
        };
        check("http://www.Joes.example.co.uk/", "example.co.uk joes: false");
        check("joes.com/index.html?utm_source=x#top", "joes.com  false");
        check("https://ntb.com/store?storeNumber=273&utm_source=a", "ntb.com store?storenumber=273 false");
        check("https://www.facebook.com/JoesPlumbing/?ref=page", "facebook.com/joesplumbing  true");
        check("https://m.facebook.com/pages/Joes/123456789012", "facebook.com/123456789012  true");
        check("https://www.facebook.com/profile.php?id=100", "facebook.com/100  true");
        check("https://joe.wixsite.com/pizza", "joe.wixsite.com pizza false");
        for wrong in ["", "facebook.com", "localhost", "://", "com"] {
            check(wrong, "");
        }
    }
}
