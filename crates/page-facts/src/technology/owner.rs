//! Decides whose a host is: a path such as `/wp-content` tells what a site is built with only where the site itself serves
//! it, or a content delivery network for it.

use memchr::memmem;

use crate::domains;
use crate::page::around;

/// Bytes before a marker in which its URL may start.
const URL_BYTES_MAX: usize = 160;
/// Shortest name of a site that tells its other domains: `examplecdn.com` belongs to `example.com`.
const LABEL_BYTES_MIN: usize = 5;

/// First labels of a site's own delivery hosts, and of the host a headless site takes its content from.
const OWN_SERVICES: [&str; 30] = [
    "www",
    "cdn",
    "static",
    "assets",
    "asset",
    "media",
    "img",
    "imgs",
    "image",
    "images",
    "i",
    "s",
    "st",
    "files",
    "uploads",
    "content",
    "css",
    "js",
    "resources",
    "res",
    "web",
    "m",
    "mobile",
    "cms",
    "wp",
    "wordpress",
    "admin",
    "backend",
    "api",
    "origin",
];

/// Domains of delivery networks and hosting companies, which serve the files of any site.
const DELIVERY: [&str; 42] = [
    "cloudfront.net",
    "amazonaws.com",
    "akamaized.net",
    "akamaihd.net",
    "akamai.net",
    "edgekey.net",
    "fastly.net",
    "fastlylb.net",
    "b-cdn.net",
    "kxcdn.com",
    "imgix.net",
    "azureedge.net",
    "azurefd.net",
    "windows.net",
    "netdna-cdn.com",
    "netdna-ssl.com",
    "stackpathcdn.com",
    "stackpathdns.com",
    "hwcdn.net",
    "edgecastcdn.net",
    "cdn77.org",
    "rackcdn.com",
    "kinstacdn.com",
    "kinsta.cloud",
    "wpengine.com",
    "wpenginepowered.com",
    "wpmucdn.com",
    "rocketcdn.me",
    "nitrocdn.com",
    "exactdn.com",
    "optimole.com",
    "shortpixel.ai",
    "wp.com",
    "cloudinary.com",
    "gumlet.io",
    "twic.pics",
    "digitaloceanspaces.com",
    "googleapis.com",
    "googleusercontent.com",
    "r2.dev",
    "pantheonsite.io",
    "1c-bitrix-cdn.ru",
];

/// The host of a page and what follows from it.
#[derive(Debug)]
pub(crate) struct PageHost {
    /// In lower case, without `www.`.
    host: String,
    /// The registrable domain.
    site: Option<String>,
    /// The last host judged, and the judgement: most images of a page come from one host.
    last: Option<(String, bool)>,
}

impl PageHost {
    pub(crate) fn of(url: &str) -> PageHost {
        let host = domains::host_of(url).to_ascii_lowercase();
        let site = domains::registrable(&host);
        PageHost { host, site, last: None }
    }

    /// Whether the path that continues at `at` belongs to another site: an image of a blog does not make this site a blog.
    pub(crate) fn is_elsewhere(&mut self, source: &str, at: usize) -> bool {
        let Some(url) = url_before(source, at) else { return false };
        match &self.last {
            Some((last, is_elsewhere)) if last == url => *is_elsewhere,
            _ => {
                let is_elsewhere = !self.owns(url);
                self.last = Some((url.to_owned(), is_elsewhere));
                is_elsewhere
            }
        }
    }

    /// Whether a URL without its scheme is served by the site or for it.
    fn owns(&self, url: &str) -> bool {
        let Some(site) = self.site.as_deref() else { return true };
        let mut segments = url.split(['/', '\\']).filter(|segment| !segment.is_empty());
        let host = segments.next().unwrap_or("").to_ascii_lowercase();
        let host = host.split(':').next().unwrap_or("");
        if host.strip_prefix("www.").unwrap_or(host) == self.host {
            return true;
        }
        let Some(domain) = domains::registrable(host) else { return true };
        let first = host.split('.').next().unwrap_or("");
        let is_service = OWN_SERVICES.contains(&first.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-'));
        if domain == site {
            return is_service || first.contains("cdn") || first.contains("static");
        }
        if DELIVERY
            .iter()
            .any(|known| host.strip_suffix(known).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
        {
            // A network that serves the files of several sites names the site in the path: i0.wp.com/example.com/...
            let named = segments.find(|part| part.contains('.') && domains::is_real(&part.to_ascii_lowercase()));
            return named.is_none_or(|named| self.owns(named));
        }
        let label = domains::label(site);
        label.len() >= LABEL_BYTES_MIN
            && domains::label(&domain).contains(label)
            && (is_service || domain.contains("cdn"))
    }
}

/// The URL, without its scheme, whose path continues at `at`; slashes may be escaped. `None` for a relative one.
fn url_before(source: &str, at: usize) -> Option<&str> {
    let before = around(source, at, URL_BYTES_MAX, 0);
    let is_border = |byte: &u8| matches!(byte, b'"' | b'\'' | b' ' | b'(' | b'=' | b',' | b'>' | b'\n' | b';');
    let url = &before[before.as_bytes().iter().rposition(is_border).map_or(0, |border| border + 1)..];
    match (memmem::find(url.as_bytes(), b"//"), memmem::find(url.as_bytes(), b"/\\/")) {
        (Some(plain), _) => Some(&url[plain + 2..]),
        (None, Some(escaped)) => Some(&url[escaped + 3..]),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_speaks_for_the_site_only_on_its_own_hosts() {
        for (page, before, expected) in [
            ("https://www.acmeroofs.com/", "src=\"", true),
            ("https://www.acmeroofs.com/", "src=\"https://acmeroofs.com", true),
            ("https://acmeroofs.com/", "src=\"https://www.acmeroofs.com/blog", true),
            ("https://acmeroofs.com/", "src=\"https:\\/\\/www.acmeroofs.com\\", true),
            ("https://acmeroofs.com/", "src=\"https://cdn.acmeroofs.com", true),
            ("https://acmeroofs.com/", "src=\"https://static2.acmeroofs.com", true),
            ("https://acmeroofs.com/", "src=\"https://cms.acmeroofs.com", true),
            ("https://acmeroofs.com/", "src=\"https://d1abc.cloudfront.net", true),
            ("https://acmeroofs.com/", "src=\"https://i0.wp.com/acmeroofs.com", true),
            ("https://acmeroofs.com/", "src=\"https://i0.wp.com/www.otherroofs.com", false),
            ("https://acmeroofs.com/", "src=\"https://cdn.acmeroofs.net", true),
            ("https://acmeroofs.com/", "src=\"https://acmeroofscdn.com", true),
            ("https://acmeroofs.com/", "src=\"https://blog.acmeroofs.com", false),
            ("https://acmeroofs.com/", "src=\"https://deals.acmeroofs.com", false),
            ("https://forum.acmeroofs.com/", "src=\"https://acmeroofs.com", false),
            ("https://acmeroofs.com/", "src=\"https://vendor-assets.com/blog", false),
            ("https://acmeroofs.com/", "src=\"https://static.otherroofs.com", false),
            ("http://127.0.0.1:8080/", "src=\"http://127.0.0.1:8080", true),
        ] {
            let source = format!("<img {before}/wp-content/a.png\">");
            let at = source.find("/wp-content").unwrap();
            assert_eq!(!PageHost::of(page).is_elsewhere(&source, at), expected, "{page} {before}");
        }
    }
}
