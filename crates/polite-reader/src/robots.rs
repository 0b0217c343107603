//! What a host's `robots.txt` asks of us, by RFC 9309.

use std::time::Duration;

use robotxt::Robots;
use url::Url;

use crate::exchange::Answer;
use crate::failure::Failure;
use crate::limits::CRAWL_DELAY_MAX;

/// Bytes a rule takes besides its letters: its place in a list that may be half empty, and the allocation.
const RULE_BYTES: usize = 80;

/// The rules of one origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rules {
    /// The file was read, or does not exist.
    Known(Robots),
    /// The server failed to show its file, so nothing may be read.
    Unavailable(u16),
}

impl Rules {
    /// Turns the answer for a `robots.txt` into rules. Redirects have been followed before.
    pub(crate) fn of(answer: &Answer, token: &str) -> Self {
        match answer.status.as_u16() {
            // A file that cannot be opened is as good as none.
            200..=299 => Self::Known(
                answer.body.open().map_or_else(|_| Robots::allow_all(), |file| Robots::parse(&file.body, token)),
            ),
            // "Too many requests" says nothing about the file; taking it for a missing one would be rude.
            status @ (429 | 500..=599) => Self::Unavailable(status),
            _ => Self::Known(Robots::allow_all()),
        }
    }

    /// The rules when redirects lead nowhere, which RFC 9309 lets pass for a missing file.
    pub(crate) fn none() -> Self {
        Self::Known(Robots::allow_all())
    }

    /// Whether a URL of this origin may be asked for.
    pub(crate) fn check(&self, url: &Url) -> Result<(), Failure> {
        match self {
            Self::Unavailable(status) => Err(Failure::RobotsUnavailable(*status)),
            Self::Known(robots) if robots.is_url_allowed(url) => Ok(()),
            Self::Known(_) => Err(Failure::Disallowed(url.path().chars().take(80).collect())),
        }
    }

    /// The crawl-delay, up to the longest we obey.
    pub(crate) fn crawl_delay(&self) -> Duration {
        match self {
            Self::Known(robots) => robots.crawl_delay().unwrap_or_default().min(CRAWL_DELAY_MAX),
            Self::Unavailable(_) => Duration::ZERO,
        }
    }

    /// What keeping the rules costs, near enough.
    pub(crate) fn weight_bytes(&self) -> usize {
        match self {
            Self::Known(robots) => {
                256 + robots.rules().iter().map(|rule| rule.pattern().len() + RULE_BYTES).sum::<usize>()
            }
            Self::Unavailable(_) => 256,
        }
    }
}

/// Where the rules for a URL are, and the name they are remembered by.
pub(crate) fn robots_url(url: &Url) -> Option<Url> {
    let mut robots = url.join("/robots.txt").ok()?;
    robots.set_username("").ok()?;
    robots.set_password(None).ok()?;
    Some(robots)
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::StatusCode;

    use super::*;
    use crate::decode::{Encoding, Packed};

    fn rules(status: u16, body: &[u8]) -> Rules {
        let answer = Answer {
            status: StatusCode::from_u16(status).unwrap(),
            location: None,
            retry_after: None,
            content_type: None,
            body: Packed::new(Bytes::copy_from_slice(body), Encoding::Identity, usize::MAX),
        };
        Rules::of(&answer, "CanvassReader")
    }

    fn allows(rules: &Rules, path: &str) -> bool {
        rules.check(&Url::parse("https://shop.com").unwrap().join(path).unwrap()).is_ok()
    }

    #[test]
    fn rfc_9309_cases() {
        let cases: [(&[u8], &str, bool); 22] = [
            (b"", "/", true),
            (b"User-agent: *\nDisallow: /", "/contact", false),
            (b"User-agent: *\nDisallow:", "/contact", true),
            (b"\xef\xbb\xbfUser-agent: *\nDisallow: /", "/", false),
            (b"User-agent: canvassreader\nDisallow: /\n\nUser-agent: *\nAllow: /", "/", false),
            (b"User-agent: CANVASSREADER\nAllow: /\n\nUser-agent: *\nDisallow: /", "/", true),
            (b"User-agent: otherbot\nDisallow: /", "/", true),
            (b"User-agent: otherbot\nUser-agent: *\nDisallow: /", "/", false),
            (b"User-agent: *\nDisallow: /team\nAllow: /team/public", "/team/public/x", true),
            (b"User-agent: *\nDisallow: /team\nAllow: /team/public", "/team/private", false),
            (b"User-agent: *\nAllow: /page\nDisallow: /page", "/page", true),
            (b"User-agent: *\nDisallow: /*.php$", "/index.php", false),
            (b"User-agent: *\nDisallow: /*.php$", "/index.php?x=1", true),
            (b"User-agent: *\nDisallow: /a%3cd", "/a%3Cd", false),
            (b"User-agent: *\nDisallow: /caf\xc3\xa9", "/caf%C3%A9", false),
            (b"user-AGENT : *\r\ndisallow : /x # why\r\n", "/x", false),
            (b"User-agent: *\rDisallow: /x\r", "/x", false),
            (b"Disallow: /", "/", true),
            (b"<html><body>Not found</body></html>", "/", true),
            (b"User-agent: *\nDisallow: /x\nSitemap: https://shop.com/s.xml\nDisallow: /y", "/y", false),
            (b"User-agent: *\nCrawl-delay: 5\nDisallow: /x", "/x", false),
            (b"User-agent: *\nDisallow: /", "/robots.txt", true),
        ];
        for (file, path, expected) in cases {
            assert_eq!(allows(&rules(200, file), path), expected, "{} for {path}", String::from_utf8_lossy(file));
        }
    }

    #[test]
    fn the_status_decides_when_there_is_no_file() {
        let cases = [
            (200, false),
            (401, true),
            (403, true),
            (404, true),
            (410, true),
            (429, false),
            (500, false),
            (503, false),
        ];
        for (status, expected) in cases {
            assert_eq!(allows(&rules(status, b"User-agent: *\nDisallow: /"), "/"), expected, "{status}");
        }
    }

    #[test]
    fn crawl_delay_is_capped_and_nonsense_is_none() {
        let delay = |value: &str| rules(200, format!("User-agent: *\nCrawl-delay: {value}").as_bytes()).crawl_delay();
        assert_eq!(delay("2"), Duration::from_secs(2));
        assert_eq!(delay("0.5"), Duration::from_millis(500));
        assert_eq!(delay("86400"), CRAWL_DELAY_MAX);
        for nonsense in ["-1", "soon", "NaN", "inf", ""] {
            assert_eq!(delay(nonsense), Duration::ZERO, "{nonsense}");
        }
    }

    #[test]
    fn rules_live_at_the_root_of_the_origin() {
        let check = |url: &str| robots_url(&Url::parse(url).unwrap()).unwrap().to_string();
        assert_eq!(check("https://a:b@shop.com:8443/x/y?q#f"), "https://shop.com:8443/robots.txt");
    }
}
