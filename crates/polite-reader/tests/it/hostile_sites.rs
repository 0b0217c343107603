//! Every misbehaviour by name: its status, that it ends soon, and what is kept.

use std::time::{Duration, Instant};

use futures::StreamExt;
use polite_reader::{Freshness, SiteReport, SiteStatus};

use crate::hostile::Hostile;
use crate::misbehaviours::bypasses;

/// Status and number of pages kept.
type Expected = (SiteStatus, usize);

const CASES: [(&str, Expected); 67] = [
    ("endless-body.com", (SiteStatus::Ok, 1)),
    ("endless-chunks.com", (SiteStatus::Ok, 1)),
    ("zip-bomb.com", (SiteStatus::Ok, 1)),
    ("zip-nonsense.com", (SiteStatus::Error, 0)),
    ("brotli.com", (SiteStatus::Error, 0)),
    ("slow-head.com", (SiteStatus::Timeout, 0)),
    ("slow-body.com", (SiteStatus::Ok, 1)),
    ("silent.com", (SiteStatus::Timeout, 0)),
    ("silent-body.com", (SiteStatus::Timeout, 0)),
    ("redirect-loop.com", (SiteStatus::Error, 0)),
    ("redirect-chain.com", (SiteStatus::Error, 0)),
    ("redirect-nowhere.com", (SiteStatus::Error, 0)),
    ("redirect-without.com", (SiteStatus::Error, 0)),
    ("redirect-metadata.com", (SiteStatus::Error, 0)),
    ("redirect-loopback.com", (SiteStatus::Error, 0)),
    ("redirect-localhost.com", (SiteStatus::Error, 0)),
    ("redirect-decimal.com", (SiteStatus::Error, 0)),
    ("redirect-file.com", (SiteStatus::Error, 0)),
    ("redirect-script.com", (SiteStatus::Error, 0)),
    ("redirect-userinfo.com", (SiteStatus::Error, 0)),
    ("redirect-social.com", (SiteStatus::SocialOnly, 0)),
    ("wrong-length-short.com", (SiteStatus::Ok, 1)),
    ("wrong-length-long.com", (SiteStatus::Ok, 1)),
    ("two-lengths.com", (SiteStatus::Error, 0)),
    ("negative-length.com", (SiteStatus::Error, 0)),
    ("huge-length.com", (SiteStatus::Error, 0)),
    ("bad-chunks.com", (SiteStatus::Error, 0)),
    ("huge-chunk.com", (SiteStatus::Ok, 1)),
    ("torn-chunks.com", (SiteStatus::Ok, 1)),
    ("wrong-charset.com", (SiteStatus::Ok, 1)),
    ("ten-thousand-links.com", (SiteStatus::Ok, 2)),
    ("deep-nesting.com", (SiteStatus::Ok, 1)),
    ("reset.com", (SiteStatus::Error, 0)),
    ("reset-mid-body.com", (SiteStatus::Ok, 1)),
    ("reset-once.com", (SiteStatus::Ok, 6)),
    ("endless-headers.com", (SiteStatus::Error, 0)),
    ("endless-header.com", (SiteStatus::Error, 0)),
    ("endless-status.com", (SiteStatus::Error, 0)),
    ("informational-flood.com", (SiteStatus::Timeout, 0)),
    ("informational-then-page.com", (SiteStatus::Ok, 6)),
    ("not-http.com", (SiteStatus::Error, 0)),
    ("http-0.9.com", (SiteStatus::Error, 0)),
    ("switching.com", (SiteStatus::Error, 0)),
    ("nul-header.com", (SiteStatus::Error, 0)),
    ("folded-header.com", (SiteStatus::Ok, 1)),
    ("pdf.com", (SiteStatus::Error, 0)),
    ("no-type.com", (SiteStatus::Ok, 1)),
    ("empty.com", (SiteStatus::Error, 0)),
    ("forbidden.com", (SiteStatus::Blocked, 0)),
    ("missing.com", (SiteStatus::Dead, 0)),
    ("broken.com", (SiteStatus::Error, 0)),
    ("busy-always.com", (SiteStatus::Blocked, 0)),
    ("busy-for-an-hour.com", (SiteStatus::Blocked, 0)),
    ("parked.com", (SiteStatus::Parked, 1)),
    ("challenge.com", (SiteStatus::Blocked, 0)),
    ("gone.com", (SiteStatus::Dead, 0)),
    ("no-addresses.com", (SiteStatus::Dead, 0)),
    ("dns-down.com", (SiteStatus::Error, 0)),
    ("robots-no.com", (SiteStatus::Robots, 0)),
    ("robots-not-us.com", (SiteStatus::Robots, 0)),
    ("robots-bom.com", (SiteStatus::Robots, 0)),
    ("robots-gzip.com", (SiteStatus::Robots, 0)),
    ("robots-moved.com", (SiteStatus::Robots, 0)),
    ("robots-500.com", (SiteStatus::Robots, 0)),
    ("robots-silent.com", (SiteStatus::Timeout, 0)),
    ("robots-reset.com", (SiteStatus::Error, 0)),
    ("robots-to-metadata.com", (SiteStatus::Error, 0)),
];

async fn read(server: &Hostile, host: &str) -> SiteReport {
    SiteReport::clone(&*server.reader().read_site(&server.url(host, "/"), Freshness::Cached).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_misbehaviour_ends_soon_and_as_expected() {
    let server = Hostile::start().await;
    let reads = CASES.iter().map(|(host, expected)| {
        let server = server.clone();
        async move {
            let started = Instant::now();
            let report = read(&server, host).await;
            let outcome = (report.status, report.pages.len());
            let soon = started.elapsed() < Duration::from_secs(5);
            (outcome != *expected || !soon).then(|| format!("{host}: {outcome:?} {:?}", report.detail))
        }
    });
    let outcomes: Vec<Option<String>> = futures::stream::iter(reads).buffer_unordered(16).collect().await;
    let wrong: Vec<String> = outcomes.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn errors_are_explained_in_plain_words() {
    let server = Hostile::start().await;
    let cases = [
        ("gone.com", "the name gone.com does not exist"),
        ("silent.com", "the server did not answer in time"),
        ("redirect-metadata.com", "169.254.169.254 is not an address of the public internet, so it was not visited"),
        ("redirect-file.com", "file: is not a supported scheme, so it was not visited"),
        ("redirect-loop.com", "it redirects too many times"),
        ("redirect-social.com", "it redirects to a page on Facebook"),
        ("pdf.com", "it is application/pdf, not a web page"),
        ("forbidden.com", "it answered with status 403"),
        ("robots-no.com", "robots.txt disallows /"),
        ("robots-500.com", "robots.txt answered with status 500, so nothing may be read"),
        ("brotli.com", "its compression is not supported (br)"),
    ];
    for (host, expected) in cases {
        assert_eq!(read(&server, host).await.detail.as_deref(), Some(expected), "{host}");
    }
}

#[tokio::test]
async fn bodies_are_truncated_at_the_limit_and_reported() {
    let server = Hostile::start().await;
    for host in ["endless-body.com", "endless-chunks.com", "zip-bomb.com"] {
        let report = read(&server, host).await;
        let page = &report.pages[0];
        assert!(page.cut && !report.complete, "{host}");
        assert!(page.body.len() <= server.settings().page_bytes_max, "{host}: {}", page.body.len());
        assert!(page.body.len() >= 1000, "{host}: {}", page.body.len());
    }
}

#[tokio::test]
async fn half_a_page_is_kept_and_reported() {
    let server = Hostile::start().await;
    for host in ["slow-body.com", "wrong-length-short.com", "reset-mid-body.com", "torn-chunks.com"] {
        let report = read(&server, host).await;
        assert!(report.pages[0].cut && report.pages[0].body.starts_with(b"<p>"), "{host}");
        assert!(!report.complete, "{host}");
    }
}

#[tokio::test]
async fn bytes_of_any_charset_are_passed_on_unchanged() {
    let server = Hostile::start().await;
    let report = read(&server, "wrong-charset.com").await;
    assert_eq!(report.pages[0].body.as_ref(), b"<p>M\xfcller \xff\xfe\x00</p>");
}

#[tokio::test]
async fn nothing_private_is_ever_requested() {
    let server = Hostile::start().await;
    // Without a guard, these would reach our own server under another name.
    for host in ["redirect-loopback.com", "redirect-localhost.com", "redirect-metadata.com", "redirect-userinfo.com"] {
        read(&server, host).await;
        assert_eq!(server.paths(host), ["/robots.txt", "/"], "{host}");
    }
    for host in ["127.0.0.1", "localhost", "169.254.169.254"] {
        assert!(server.paths(host).is_empty(), "{host}");
    }
}

#[tokio::test]
async fn a_dead_port_is_dead() {
    let server = Hostile::start().await;
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut settings = server.settings();
    settings.trusted_addresses.push(free);
    let report =
        server.reader_with(settings).read_site(&format!("http://shop.com:{}/", free.port()), Freshness::Cached).await;
    assert_eq!(report.status, SiteStatus::Dead, "{report:?}");
}

#[tokio::test]
async fn no_bypass_of_the_guard_works_as_a_redirect_or_as_a_listing() {
    let server = Hostile::start().await;
    let reader = server.reader();
    let count = bypasses().count();
    for (number, bypass) in bypasses().enumerate() {
        let report =
            reader.read_site(&server.url("redirect-anywhere.com", &format!("/{number}")), Freshness::Fresh).await;
        let detail = report.detail.clone().unwrap_or_default();
        let refused =
            detail.ends_with("so it was not visited") || detail == "it redirects to an address that cannot be read";
        assert!(report.status == SiteStatus::Error && refused, "{bypass}: {detail}");
        let report = reader.read_site(bypass, Freshness::Fresh).await;
        assert!(matches!(report.status, SiteStatus::Error | SiteStatus::None), "{bypass}: {report:?}");
        assert!(report.pages.is_empty());
    }
    assert_eq!(server.requests(), count + 1, "robots.txt once, and each redirect");
}
