//! The rules of a host's `robots.txt`, by RFC 9309. This is the only implementation: the reader obeys it and the command line
//! explains it.

mod file;
mod pattern;

use std::time::Duration;

use url::{Position, Url};

use crate::fetch::FetchResponse;
use crate::fetch_error::FetchError;
use crate::limits::CRAWL_DELAY_MAX;

pub(crate) use file::product_token;
use file::{Robots, decode, lines};

/// Memory that rules take on top of the rules themselves.
const RULES_BYTES: usize = 256;

/// The rules of one origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RobotsRules {
    /// The file was read, or does not exist.
    Known(Robots),
    /// The server failed to serve its file, so nothing may be read. Holds the status.
    Unavailable(u16),
}

/// What a `robots.txt` says about one path, and which line says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsVerdict {
    /// Whether the path may be read.
    pub is_allowed: bool,
    /// The line that decided; `None` when no rule matches, which means allowed.
    pub line: Option<RobotsLine>,
    /// The delay requested between two requests, as written.
    pub crawl_delay: Option<Duration>,
}

/// A line of a `robots.txt`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsLine {
    /// Line number, from 1.
    pub number: usize,
    /// The line as written.
    pub text: String,
}

/// Evaluates a file for a path, including its query, and the product named by `agent`.
#[must_use]
pub fn check_robots(file: &[u8], agent: &str, path: &str) -> RobotsVerdict {
    let robots = Robots::parse(file, product_token(agent), false);
    let decision = robots.decide(path);
    let line = decision.rule.map(|rule| {
        let text = decode(file, false);
        let text = lines(&text).nth(rule.line - 1).unwrap_or_default().trim().to_owned();
        RobotsLine { number: rule.line, text }
    });
    RobotsVerdict { is_allowed: decision.is_allowed, line, crawl_delay: robots.crawl_delay() }
}

impl RobotsRules {
    /// Turns the response for a `robots.txt`, after redirects, into rules.
    pub(crate) fn of(answer: &FetchResponse, token: &str) -> Self {
        match answer.status.as_u16() {
            // A file that cannot be decompressed counts as missing.
            200..=299 => Self::Known(
                answer
                    .body
                    .decompress()
                    .map_or_else(|_| Robots::default(), |file| Robots::parse(&file.body, token, file.cut)),
            ),
            // "Too many requests" says nothing about the file; treating it as missing would be impolite.
            status @ (429 | 500..=599) => Self::Unavailable(status),
            _ => Self::none(),
        }
    }

    /// The rules when redirects lead nowhere, which RFC 9309 allows to treat as a missing file.
    pub(crate) fn none() -> Self {
        Self::Known(Robots::default())
    }

    /// Whether a URL of this origin may be requested.
    pub(crate) fn check(&self, url: &Url) -> Result<(), FetchError> {
        match self {
            Self::Unavailable(status) => Err(FetchError::RobotsUnavailable(*status)),
            Self::Known(robots) if robots.decide(&url[Position::BeforePath..Position::AfterQuery]).is_allowed => Ok(()),
            Self::Known(_) => Err(FetchError::Disallowed(url.path().chars().take(80).collect())),
        }
    }

    /// The crawl delay, limited to the longest we obey.
    pub(crate) fn crawl_delay(&self) -> Duration {
        match self {
            Self::Known(robots) => robots.crawl_delay().unwrap_or_default().min(CRAWL_DELAY_MAX),
            Self::Unavailable(_) => Duration::ZERO,
        }
    }

    /// Approximate memory use.
    pub(crate) fn weight_bytes(&self) -> usize {
        match self {
            Self::Known(robots) => RULES_BYTES + robots.weight_bytes(),
            Self::Unavailable(_) => RULES_BYTES,
        }
    }
}

/// The URL of the robots.txt for a URL, which is also its cache key.
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
    use crate::decompress::{CompressedBody, ContentEncoding};

    fn rules(status: u16, body: &[u8]) -> RobotsRules {
        let answer = FetchResponse {
            status: StatusCode::from_u16(status).unwrap(),
            location: None,
            retry_after: None,
            content_type: None,
            body: CompressedBody::new(Bytes::copy_from_slice(body), ContentEncoding::Identity, usize::MAX),
        };
        RobotsRules::of(&answer, "CanvassReader")
    }

    fn allows(rules: &RobotsRules, path: &str) -> bool {
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
    fn without_a_file_the_status_decides() {
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
    fn crawl_delay_is_limited_and_invalid_values_are_ignored() {
        let delay = |value: &str| rules(200, format!("User-agent: *\nCrawl-delay: {value}").as_bytes()).crawl_delay();
        assert_eq!(delay("2"), Duration::from_secs(2));
        assert_eq!(delay("0.5"), Duration::from_millis(500));
        assert_eq!(delay("86400"), CRAWL_DELAY_MAX);
        for nonsense in ["-1", "soon", "NaN", "inf", ""] {
            assert_eq!(delay(nonsense), Duration::ZERO, "{nonsense}");
        }
    }

    #[test]
    fn robots_txt_is_at_the_root_of_the_origin() {
        let check = |url: &str| robots_url(&Url::parse(url).unwrap()).unwrap().to_string();
        assert_eq!(check("https://a:b@shop.com:8443/x/y?q#f"), "https://shop.com:8443/robots.txt");
    }

    /// Whether a file allows a path, and the line that says so.
    fn decided(file: impl AsRef<[u8]>, path: &str) -> (bool, Option<usize>) {
        let verdict = check_robots(file.as_ref(), "CanvassReader/0.1.0", path);
        (verdict.is_allowed, verdict.line.map(|line| line.number))
    }

    /// A file, a path, and the expected decision with its line.
    type Case<'c> = (&'c str, &'c str, (bool, Option<usize>));

    fn check_table(cases: &[Case<'_>]) {
        for (file, path, expected) in cases {
            assert_eq!(decided(file, path), *expected, "{file:?} for {path}");
        }
    }

    #[test]
    fn a_group_is_matched_by_product_token() {
        let of_agent = |agent: &str| decided(format!("User-agent: {agent}\nDisallow: /"), "/").0;
        for ours in [
            "CanvassReader",
            "canvassreader",
            "CanvassReader/0.1.0",
            "CanvassReader/*",
            "CanvassReader bot",
            "CanvassReader (+https://x.example)",
            "*",
            "* foo",
            "*\tfoo",
            "* # all",
        ] {
            assert!(!of_agent(ours), "{ours}");
        }
        for other in ["Canvass", "CanvassReaders", "CanvassReader-Images", "Not CanvassReader", "*bot", "bot*", ""] {
            assert!(of_agent(other), "{other}");
        }
    }

    #[test]
    fn groups_are_merged_and_ours_take_precedence() {
        check_table(&[
            ("User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", "/b", (false, Some(5))),
            (
                "User-agent: canvassreader\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\nUser-agent: CanvassReader/2\nDisallow: /b",
                "/b",
                (false, Some(8)),
            ),
            ("User-agent: *\nDisallow: /\nUser-agent: canvassreader\nDisallow: /b", "/a", (true, None)),
            ("User-agent: canvassreader\nDisallow:\nUser-agent: *\nDisallow: /", "/a", (true, None)),
            ("User-agent: x\nUser-agent: canvassreader\nDisallow: /a", "/a", (false, Some(3))),
            ("User-agent: canvassreader\nUser-agent: x\nDisallow: /a", "/a", (false, Some(3))),
            // Lines outside the protocol do not end a group.
            ("User-agent: canvassreader\nCrawl-delay: 5\nUser-agent: x\nDisallow: /a", "/a", (false, Some(4))),
            ("User-agent: canvassreader\nSitemap: /s.xml\nDisallow: /a", "/a", (false, Some(3))),
            ("User-agent: canvassreader\nHost: x\n\n\nDisallow: /a", "/a", (false, Some(5))),
            ("Disallow: /\nUser-agent: *\nDisallow: /b", "/a", (true, None)),
            ("User-agent: x\nDisallow: /", "/a", (true, None)),
        ]);
    }

    #[test]
    fn the_longest_match_decides_and_allow_wins_ties() {
        check_table(&[
            ("User-agent: *\nDisallow: /\nAllow: /p", "/page", (true, Some(3))),
            ("User-agent: *\nAllow: /p\nDisallow: /", "/page", (true, Some(2))),
            ("User-agent: *\nAllow: /folder\nDisallow: /folder", "/folder/page", (true, Some(2))),
            ("User-agent: *\nDisallow: /folder\nAllow: /folder", "/folder/page", (true, Some(3))),
            ("User-agent: *\nAllow: /page\nDisallow: /*.htm", "/page.htm", (false, Some(3))),
            ("User-agent: *\nAllow: /page\nDisallow: /*.ph", "/page.php5", (true, Some(2))),
            ("User-agent: *\nAllow: /$\nDisallow: /", "/", (true, Some(2))),
            ("User-agent: *\nAllow: /$\nDisallow: /", "/page.htm", (false, Some(3))),
            ("User-agent: *\nDisallow: /x\nDisallow: /x", "/x", (false, Some(2))),
            ("User-agent: *\nDisallow: /robots.txt", "/robots.txt", (true, None)),
        ]);
    }

    #[test]
    fn wildcards_and_end_anchors_are_supported() {
        let matches = |pattern: &str, path: &str| !decided(format!("User-agent: *\nDisallow: {pattern}"), path).0;
        for (pattern, path) in [
            ("/", "/anything"),
            ("/*", "/anything"),
            ("*", "/anything"),
            ("/fish", "/fish/salmon.html"),
            ("/fish*", "/fishheads"),
            ("/fish/", "/fish/?id=1"),
            ("/*.php", "/folder/any.php.file.html"),
            ("/*.php$", "/folder/filename.php"),
            ("/fish*.php", "/fishheads/catfish.php?parameters"),
            ("/*a*b*c", "/xxaxxbxxcxx"),
            ("/a*$", "/abc"),
            ("/a**b", "/axb"),
            ("/x*aba$", "/xababa"),
            ("/*?", "/x?y=1"),
            ("/a$b", "/a$b/c"),
            ("*.pdf", "/x/y.pdf"),
        ] {
            assert!(matches(pattern, path), "{pattern} for {path}");
        }
        for (pattern, path) in [
            ("/fish", "/Fish.asp"),
            ("/fish", "/catfish"),
            ("/fish/", "/fish"),
            ("/*.php$", "/filename.php?parameters"),
            ("/*.php$", "/filename.php5"),
            ("/fish*.php", "/Fish.PHP"),
            ("/a*b$", "/ab/c"),
            ("/aba*aba$", "/aba"),
            ("fish", "/fish"),
            ("$", "/"),
        ] {
            assert!(!matches(pattern, path), "{pattern} for {path}");
        }
    }

    #[test]
    fn percent_escapes_are_compared_by_meaning() {
        let matches = |pattern: &str, path: &str| !decided(format!("User-agent: *\nDisallow: {pattern}"), path).0;
        for (pattern, path) in [
            ("/foo/bar?baz=quz", "/foo/bar?baz=quz"),
            ("/foo/bar/\u{30c4}", "/foo/bar/%E3%83%84"),
            ("/foo/bar/%E3%83%84", "/foo/bar/%e3%83%84"),
            ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
            ("/foo/bar/baz", "/foo/bar/%62%61%7A"),
            ("/~joe", "/%7Ejoe"),
            ("/a b", "/a%20b"),
            ("/a<b", "/a%3Cb"),
            ("/file-%2A.html", "/file-*.html"),
            ("/file-%2A.html", "/file-%2a.html"),
            ("/cash-%24", "/cash-$"),
            ("/100%", "/100%25"),
        ] {
            assert!(matches(pattern, path), "{pattern} for {path}");
        }
        for (pattern, path) in
            [("/a%2Fb", "/a/b"), ("/a/b", "/a%2Fb"), ("/a%3Fb", "/a?b"), ("/file-%2A.html", "/file-x.html")]
        {
            assert!(!matches(pattern, path), "{pattern} for {path}");
        }
    }

    #[test]
    fn a_file_is_read_in_any_encoding_and_with_any_byte_order_mark() {
        let file = "User-agent: *\r\nDisallow: /caf\u{e9}\r\n";
        let units = |mark: &[u8], bytes: fn(u16) -> [u8; 2]| {
            mark.iter().copied().chain(file.encode_utf16().flat_map(bytes)).collect::<Vec<u8>>()
        };
        let marked = |mark: &[u8]| [mark, file.as_bytes()].concat();
        let utf32: Vec<u8> =
            [0xff_u8, 0xfe, 0, 0].into_iter().chain(file.chars().flat_map(|c| u32::from(c).to_le_bytes())).collect();
        for bytes in [
            units(b"\xff\xfe", u16::to_le_bytes),
            units(b"\xfe\xff", u16::to_be_bytes),
            units(b"", u16::to_le_bytes),
            units(b"", u16::to_be_bytes),
            utf32,
            marked(b""),
            marked(b"\xef\xbb\xbf"),
            marked(b"\xef\xbb"),
            marked(b"\xef"),
            marked(b"\xbb\xbf"),
            marked(b"\xef\xbb\xbf\xef\xbb\xbf"),
            marked("\u{ef}\u{bb}\u{bf}".as_bytes()),
            marked(b"\0"),
        ] {
            assert_eq!(decided(&bytes, "/caf%C3%A9"), (false, Some(2)), "{:?}", &bytes[..8]);
        }
    }

    #[test]
    fn all_line_endings_and_common_mistakes_are_accepted() {
        for file in [
            "User-agent: *\nDisallow: /x",
            "User-agent: *\r\nDisallow: /x\r\n",
            "User-agent: *\rDisallow: /x\r",
            "user-agent:*\nDISALLOW:/x#why",
            "  User-Agent : *  \n\tDisallow\t:\t/x  # why",
            "User-agent *\nDisallow /x",
            "Useragent: *\nDissallow: /x",
        ] {
            assert_eq!(decided(file, "/x"), (false, Some(2)), "{file:?}");
        }
        let mixed = "# one\r\n\r# three\n\nUser-agent: *\rDisallow: /x";
        let verdict = check_robots(mixed.as_bytes(), "CanvassReader", "/x");
        assert_eq!(verdict.line, Some(RobotsLine { number: 6, text: "Disallow: /x".into() }));
    }

    #[test]
    fn nothing_beyond_the_size_limit_counts_and_no_line_is_read_partially() {
        let cap = crate::limits::ROBOTS_BYTES_MAX;
        let filled = |to: usize, last: &str| {
            let head = "User-agent: *\nDisallow: /x\n";
            format!("{head}{}\n{last}", "#".repeat(to - head.len() - 1))
        };
        assert_eq!(decided(filled(cap, "Disallow: /y\n"), "/y"), (true, None));
        assert_eq!(decided(filled(cap, "Disallow: /y\n"), "/x"), (false, Some(2)));
        // The limit falls after "Disallow: /y", which continues: half of the line would disallow more than the whole.
        assert_eq!(decided(filled(cap - 12, "Disallow: /y/private\n"), "/y"), (true, None));
        assert_eq!(decided(filled(cap - 13, "Disallow: /y\n"), "/y"), (false, Some(4)));
        assert!(cap >= 500 * 1024, "RFC 9309 requires it");
    }

    #[test]
    fn the_longest_crawl_delay_of_our_groups_applies() {
        let delay = |file: &str| check_robots(file.as_bytes(), "CanvassReader", "/").crawl_delay;
        assert_eq!(
            delay("User-agent: *\nCrawl-delay: 2\n\nUser-agent: *\nCrawl-delay: 5\nDisallow: /x"),
            Some(Duration::from_secs(5))
        );
        assert_eq!(delay("User-agent: canvassreader\nDisallow: /x\n\nUser-agent: *\nCrawl-delay: 5"), None);
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(200))]

        #[test]
        fn any_bytes_are_accepted(file in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..300), path in "/.{0,20}") {
            let _ = check_robots(&file, "CanvassReader", &path);
        }
    }
}
