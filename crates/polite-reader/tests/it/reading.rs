//! Which pages are read, what the report says, and what is cached.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use polite_reader::{Freshness, PageKind, ReaderSettings, SiteReport, SiteStatus};

use crate::hostile::Hostile;
use crate::misbehaviours::KIND_HOME;

async fn read(server: &Hostile, host: &str) -> Arc<SiteReport> {
    server.reader().read_site(&server.url(host, "/"), Freshness::Cached).await
}

#[tokio::test]
async fn a_well_behaved_site_yields_its_best_pages() {
    let server = Hostile::start().await;
    let report = read(&server, "kind.com").await;
    assert_eq!((report.status, report.complete, &report.detail), (SiteStatus::Ok, true, &None));
    let kinds: Vec<PageKind> = report.pages.iter().map(|page| page.kind).collect();
    use PageKind::{About, Book, Contact, Home, Imprint, Team};
    assert_eq!(kinds, [Home, Contact, Imprint, Team, About, Book]);
    assert_eq!(report.pages[0].body, KIND_HOME.as_bytes());
    assert_eq!(report.pages[0].content_type.as_deref(), Some("text/html; charset=utf-8"));
    assert_eq!(
        server.paths("kind.com"),
        ["/robots.txt", "/", "/contact", "/impressum", "/team.html", "/about-us", "/book"]
    );
    assert!(server.paths("elsewhere.net").is_empty());
}

#[tokio::test]
async fn the_whole_site_is_read_over_one_connection() {
    let server = Hostile::start().await;
    read(&server, "kind.com").await;
    assert_eq!(server.most_connections("kind.com"), 1);
    let report = read(&server, "closes-after-each.com").await;
    assert!(report.complete && report.pages.len() == 6, "{report:?}");
    assert_eq!(server.most_connections("closes-after-each.com"), 1);
}

#[tokio::test]
async fn a_request_is_repeated_when_the_server_dropped_an_idle_connection() {
    let server = Hostile::start().await;
    let report = read(&server, "closes-silently.com").await;
    assert!(report.complete && report.pages.len() == 6, "{report:?}");
}

#[tokio::test]
async fn compressed_pages_are_decompressed() {
    let server = Hostile::start().await;
    let report = read(&server, "gzipped.com").await;
    assert_eq!(report.pages[0].body, KIND_HOME.as_bytes());
    assert!(!report.pages[0].cut);
}

#[tokio::test]
async fn every_request_identifies_us() {
    let server = Hostile::start().await;
    read(&server, "kind.com").await;
    for seen in server.seen("kind.com") {
        let head = seen.head.to_ascii_lowercase();
        assert!(head.contains("user-agent: canvassreader/") && head.contains("(+https://"), "{head}");
        assert!(head.contains("accept-encoding: gzip\r\n"), "{head}");
        assert!(!head.contains("cookie") && !head.contains("referer") && !head.contains("authorization"), "{head}");
    }
}

#[tokio::test]
async fn a_redirect_of_the_home_page_is_followed_and_reported() {
    let server = Hostile::start().await;
    let report = read(&server, "redirect-kind.com").await;
    assert_eq!((report.status, report.url.as_str()), (SiteStatus::Ok, server.url("kind.com", "/").as_str()));
    assert_eq!(report.pages.len(), 6);
    assert_eq!(server.paths("kind.com")[0], "/robots.txt");
}

#[tokio::test]
async fn a_page_that_only_redirects_is_followed() {
    let server = Hostile::start().await;
    for host in ["refresh.com", "refresh-by-script.com"] {
        let report = read(&server, host).await;
        assert!(report.url.ends_with("/start"), "{}", report.url);
        assert_eq!(report.pages.len(), 6);
    }
}

#[tokio::test]
async fn frames_are_read() {
    let server = Hostile::start().await;
    let report = read(&server, "frames.com").await;
    assert_eq!(server.paths("frames.com"), ["/robots.txt", "/", "/menu.html", "/main.html"]);
    assert_eq!(report.pages.len(), 3);
}

#[tokio::test]
async fn the_path_and_port_of_a_listing_are_kept_and_its_tracking_is_not() {
    let server = Hostile::start().await;
    let url = server.url("Kind.COM", "/start?utm_source=maps&lang=en&fbclid=x#top");
    server.reader().read_site(&format!("  {url} "), Freshness::Cached).await;
    assert_eq!(server.paths("kind.com")[1], "/start?lang=en");
}

#[tokio::test]
async fn without_a_scheme_https_is_tried_first_and_http_then() {
    let server = Hostile::start().await;
    let report = server.reader().read_site(&server.url("kind.com", "/")["http://".len()..], Freshness::Cached).await;
    assert_eq!((report.status, report.url.starts_with("http://")), (SiteStatus::Ok, true), "{report:?}");
}

#[tokio::test]
async fn a_name_that_only_exists_with_www_is_found() {
    let server = Hostile::start().await;
    let report = read(&server, "only-www.com").await;
    assert_eq!(report.status, SiteStatus::Ok);
    assert!(report.url.contains("//www.only-www.com"), "{}", report.url);
}

#[tokio::test]
async fn reports_are_cached_and_fresh_ones_replace_them() {
    let server = Hostile::start().await;
    let reader = server.reader();
    let url = server.url("kind.com", "/");
    let first = reader.read_site(&url, Freshness::Cached).await;
    let again = reader.clone().read_site(&server.url("www.kind.com", ""), Freshness::Cached).await;
    assert_eq!(first, again);
    assert_eq!(server.seen("kind.com").len(), 7);
    let fresh = reader.read_site(&url, Freshness::Fresh).await;
    assert_eq!(server.seen("kind.com").len(), 13, "robots.txt is cached");
    assert_eq!(fresh, reader.read_site(&url, Freshness::Cached).await);
    assert_eq!(server.seen("kind.com").len(), 13);
}

#[tokio::test]
async fn reports_expire_and_failures_are_not_cached() {
    let server = Hostile::start().await;
    let settings = ReaderSettings { cache_ttl: Duration::from_millis(1), ..server.settings() };
    let reader = server.reader_with(settings);
    let url = server.url("kind.com", "/");
    reader.read_site(&url, Freshness::Cached).await;
    tokio::time::sleep(Duration::from_millis(2)).await;
    reader.read_site(&url, Freshness::Cached).await;
    assert_eq!(server.seen("kind.com").len(), 14);
    let reader = server.reader();
    let url = server.url("broken.com", "/");
    reader.read_site(&url, Freshness::Cached).await;
    reader.read_site(&url, Freshness::Cached).await;
    assert_eq!(server.paths("broken.com"), ["/robots.txt", "/", "/", "/", "/"], "each read tries twice");
}

#[tokio::test]
async fn concurrent_readers_of_one_site_share_one_read() {
    let server = Hostile::start().await;
    let reader = server.reader();
    let reads = (0..50).map(|at| {
        let (reader, url) = (reader.clone(), server.url(if at % 2 == 0 { "kind.com" } else { "www.kind.com" }, "/"));
        tokio::spawn(async move { reader.read_site(&url, Freshness::Fresh).await })
    });
    let reports = futures::future::join_all(reads).await;
    let different: HashSet<_> = reports.iter().map(|report| Arc::as_ptr(report.as_ref().unwrap())).collect();
    assert_eq!(different.len(), 1);
    assert_eq!(server.seen("kind.com").len() + server.seen("www.kind.com").len(), 7);
}

#[tokio::test]
async fn a_caller_that_goes_away_does_not_affect_the_others() {
    let server = Hostile::start().await;
    let reader = server.reader();
    let url = server.url("slow-body.com", "/");
    let mut first = Box::pin(reader.read_site(&url, Freshness::Cached));
    assert!(futures::poll!(&mut first).is_pending());
    let second = reader.read_site(&url, Freshness::Cached);
    drop(first);
    assert_eq!(second.await.status, SiteStatus::Ok);
    assert_eq!(server.paths("slow-body.com"), ["/robots.txt", "/", "/"], "one read, which tries twice");
}

#[tokio::test]
async fn a_read_nobody_waits_for_is_cancelled_and_can_be_restarted() {
    let server = Hostile::start().await;
    let reader = server.reader();
    let url = server.url("kind.com", "/");
    let mut abandoned = Box::pin(reader.read_site(&url, Freshness::Cached));
    assert!(futures::poll!(&mut abandoned).is_pending());
    drop(abandoned);
    assert_eq!(reader.read_site(&url, Freshness::Cached).await.status, SiteStatus::Ok);
}

#[tokio::test]
async fn containers_are_fetched_once_for_all_sites() {
    let server = Hostile::start().await;
    let reader = server.reader();
    for host in ["tagged.com", "tagged-too.com"] {
        let report = reader.read_site(&server.url(host, "/"), Freshness::Cached).await;
        assert_eq!(report.scripts.len(), 1, "{report:?}");
        assert_eq!(report.scripts[0].body, "connect.facebook.net");
        assert!(report.complete);
    }
    assert_eq!(server.paths("gtm.net"), ["/robots.txt", "/gtm.js?id=GTM-TAGGED1"]);
    let report = reader.read_site(&server.url("tagged-otherwise.com", "/"), Freshness::Cached).await;
    assert_eq!(report.scripts.len(), 2);
    assert_eq!((server.paths("gtm.net").len(), server.connections("gtm.net")), (4, 1), "one connection for all");
}

#[tokio::test]
async fn a_page_that_could_not_be_read_makes_the_report_incomplete() {
    let server = Hostile::start().await;
    let report = read(&server, "half-broken.com").await;
    assert_eq!((report.status, report.complete, report.pages.len()), (SiteStatus::Ok, false, 5));
    assert_eq!(report.detail.as_deref(), Some("/contact: it answered with status 500"));
}

#[tokio::test]
async fn mail_domains_are_known_unknown_or_without_mail() {
    let reader = Hostile::start().await.reader();
    assert_eq!(reader.has_mx("Has-Mail.com.").await, Some(true));
    assert_eq!(reader.has_mx("no-mail.com").await, Some(false));
    assert_eq!(reader.has_mx("dns-down.com").await, None);
    assert_eq!(reader.has_mx("not a domain").await, Some(false));
}

#[tokio::test]
async fn listings_without_a_website_cost_no_request() {
    let server = Hostile::start().await;
    let reader = server.reader();
    for (field, expected) in [
        ("", SiteStatus::None),
        ("n/a", SiteStatus::None),
        ("joe@kind.com", SiteStatus::None),
        ("ftp://kind.com", SiteStatus::None),
        ("https://www.facebook.com/kind", SiteStatus::SocialOnly),
        ("instagram.com/kind", SiteStatus::SocialOnly),
        ("linktr.ee/kind", SiteStatus::SocialOnly),
    ] {
        let report = reader.read_site(field, Freshness::Fresh).await;
        assert_eq!(report.status, expected, "{field}");
        assert!(report.detail.is_some() && report.pages.is_empty());
    }
}

#[tokio::test]
async fn pages_can_be_delivered_one_by_one() {
    let server = Hostile::start().await;
    let mut pages = Vec::new();
    let report = server.reader().stream_site(&server.url("kind.com", "/"), &mut |page| pages.push(page)).await;
    assert_eq!((report.status, report.complete, report.pages.len()), (SiteStatus::Ok, true, 0));
    let together = read(&server, "kind.com").await;
    assert_eq!(pages, together.pages);
    let mut kinds = Vec::new();
    let report = server.reader().stream_site(&server.url("tagged.com", "/"), &mut |page| kinds.push(page.kind)).await;
    assert_eq!((report.complete, kinds), (true, vec![PageKind::Home, PageKind::Script]));
    let report = server.reader().stream_site(&server.url("zip-bomb.com", "/"), &mut |page| assert!(page.cut)).await;
    assert_eq!((report.status, report.complete), (SiteStatus::Ok, false));
    let report = server.reader().stream_site("instagram.com/kind", &mut |_| panic!("no page")).await;
    assert_eq!(report.status, SiteStatus::SocialOnly);
}

#[tokio::test]
async fn a_container_that_does_not_exist_is_not_missing_and_a_broken_one_is() {
    let server = Hostile::start().await;
    let report = read(&server, "tagged-in-vain.com").await;
    assert_eq!((report.status, report.complete, &report.detail), (SiteStatus::Ok, true, &None));
    let report = read(&server, "tagged-badly.com").await;
    assert_eq!((report.status, report.complete), (SiteStatus::Ok, false));
    assert_eq!(report.detail.as_deref(), Some("container GTM-BROKEN1: it answered with status 500"));
}

#[tokio::test]
async fn a_single_failure_is_retried_before_the_result_is_final() {
    let server = Hostile::start().await;
    for host in [
        "reset-once.com",
        "broken-once.com",
        "silent-once.com",
        "reset-mid-body-once.com",
        "robots-broken-once.com",
        "robots-half-once.com",
    ] {
        let report = read(&server, host).await;
        assert_eq!(
            (report.status, report.complete, report.pages.len()),
            (SiteStatus::Ok, true, 6),
            "{host}: {report:?}"
        );
    }
}

#[tokio::test]
async fn a_server_that_briefly_refuses_connections_is_not_dead() {
    let server = Hostile::start().await;
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut settings = server.settings();
    settings.allowed_addresses.push(free);
    settings.host_gap = Duration::from_secs(1);
    settings.site_deadline = Duration::from_secs(30);
    let reader = server.reader_with(settings);
    let url = format!("http://{free}/");
    let mut reading = Box::pin(reader.read_site(&url, Freshness::Cached));
    // Once it waits before its second attempt, it has found the port closed.
    let early = tokio::time::timeout(Duration::from_millis(500), &mut reading).await;
    assert!(early.is_err(), "{early:?}");
    server.also_listen_on(free).await;
    assert_eq!(reading.await.status, SiteStatus::Ok);
}

#[tokio::test]
async fn only_complete_reads_are_cached() {
    let server = Hostile::start().await;
    for host in ["reset-mid-body.com", "half-broken.com", "endless-body.com", "robots-500.com", "tagged-badly.com"] {
        let reader = server.reader();
        let url = server.url(host, "/");
        reader.read_site(&url, Freshness::Cached).await;
        let asked = server.seen(host).len();
        reader.read_site(&url, Freshness::Cached).await;
        assert!(server.seen(host).len() > asked, "{host}");
    }
}

#[tokio::test]
async fn a_page_that_broke_off_is_not_cached_for_other_sites_of_its_host() {
    let server = Hostile::start().await;
    let reader = server.reader();
    for branch in ["/start?branch=1", "/start?branch=2"] {
        reader.read_site(&server.url("half-contact.com", branch), Freshness::Cached).await;
    }
    let contacts = server.paths("half-contact.com").iter().filter(|path| *path == "/contact").count();
    assert_eq!(contacts, 4, "each read tries twice");
}
