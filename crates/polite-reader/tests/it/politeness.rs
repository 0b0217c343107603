//! Politeness: robots rules, gaps, crawl delay, Retry-After, and concurrency limits.

use std::time::{Duration, Instant};

use polite_reader::{Freshness, ReaderSettings, SiteStatus};

use crate::hostile::{Hostile, RecordedRequest};

fn gaps(seen: &[RecordedRequest]) -> Vec<Duration> {
    seen.windows(2).map(|pair| pair[1].at - pair[0].at).collect()
}

#[tokio::test]
async fn disallowed_pages_are_skipped_and_the_rest_is_read() {
    let server = Hostile::start().await;
    let report = server.reader().read_site(&server.url("robots-partly.com", "/"), Freshness::Cached).await;
    assert_eq!((report.status, report.complete), (SiteStatus::Ok, true));
    let paths = server.paths("robots-partly.com");
    assert!(!paths.iter().any(|path| path.starts_with("/contact") || path.starts_with("/team")), "{paths:?}");
    assert_eq!(report.pages.len(), 4);
}

#[tokio::test]
async fn robots_txt_is_requested_first_and_once() {
    let server = Hostile::start().await;
    for host in
        ["kind.com", "robots-401.com", "robots-html.com", "robots-loop.com", "robots-giant.com", "robots-endless.com"]
    {
        let report = server.reader().read_site(&server.url(host, "/"), Freshness::Cached).await;
        assert_eq!(report.status, SiteStatus::Ok, "{host}: {report:?}");
        assert_eq!(server.paths(host)[0], "/robots.txt", "{host}");
        assert_eq!(
            server.paths(host).contains(&"/team.html".to_owned()),
            !host.contains("giant") && !host.contains("endless"),
            "{host}"
        );
    }
}

#[tokio::test]
async fn robots_txt_that_fails_briefly_is_requested_again() {
    let server = Hostile::start().await;
    let report = server.reader().read_site(&server.url("robots-500-once.com", "/"), Freshness::Cached).await;
    assert_eq!(report.status, SiteStatus::Ok);
}

#[tokio::test]
async fn requests_to_one_host_are_spaced() {
    let server = Hostile::start().await;
    let gap = Duration::from_millis(60);
    let reader = server.reader_with(ReaderSettings { host_gap: gap, ..server.settings() });
    reader.read_site(&server.url("kind.com", "/"), Freshness::Cached).await;
    let gaps = gaps(&server.seen("kind.com"));
    // The gap is between the moments of sending; the server may see one request late and the next one in time.
    let late = gap / 2;
    assert!(gaps.len() == 6 && gaps.iter().all(|found| *found >= gap - late), "{gaps:?}");
    assert!(gaps.iter().sum::<Duration>() >= 6 * gap - late, "{gaps:?}");
}

#[tokio::test]
async fn crawl_delay_is_obeyed() {
    let server = Hostile::start().await;
    server.reader().read_site(&server.url("crawl-delay.com", "/"), Freshness::Cached).await;
    let seen = server.seen("crawl-delay.com");
    // The crawl delay is known once robots.txt has been read, so it does not apply to the first gap.
    assert!(gaps(&seen[1..]).iter().all(|gap| *gap >= Duration::from_millis(300)), "{:?}", gaps(&seen));
    assert_eq!(seen.len(), 7);
}

#[tokio::test]
async fn a_crawl_delay_of_a_day_means_one_page() {
    let server = Hostile::start().await;
    let report = server.reader().read_site(&server.url("crawl-delay-day.com", "/"), Freshness::Cached).await;
    assert_eq!((report.status, report.pages.len(), report.complete), (SiteStatus::Ok, 1, true));
}

#[tokio::test]
async fn retry_after_is_obeyed() {
    let server = Hostile::start().await;
    let report = server.reader().read_site(&server.url("busy-once.com", "/"), Freshness::Cached).await;
    assert_eq!(report.status, SiteStatus::Ok);
    let seen = server.seen("busy-once.com");
    assert_eq!((seen[1].path.as_str(), seen[2].path.as_str()), ("/", "/"));
    assert!(seen[2].at - seen[1].at >= Duration::from_secs(1));
}

#[tokio::test]
async fn a_server_that_keeps_refusing_is_left_alone() {
    let server = Hostile::start().await;
    let reader = server.reader();
    reader.read_site(&server.url("busy-always.com", "/"), Freshness::Cached).await;
    assert_eq!(server.paths("busy-always.com"), ["/robots.txt", "/", "/", "/"]);
    let started = Instant::now();
    reader.read_site(&server.url("busy-for-an-hour.com", "/"), Freshness::Cached).await;
    assert_eq!(server.paths("busy-for-an-hour.com"), ["/robots.txt", "/"]);
    assert!(started.elapsed() < Duration::from_secs(1));
}

#[tokio::test]
async fn a_broken_connection_is_retried_exactly_once() {
    let server = Hostile::start().await;
    server.reader().read_site(&server.url("robots-reset.com", "/"), Freshness::Cached).await;
    let paths = server.paths("robots-reset.com");
    assert!(paths.len() <= 4 && paths.iter().all(|path| path == "/robots.txt"), "{paths:?}");
}

#[tokio::test]
async fn different_pages_of_one_host_wait_for_each_other() {
    let server = Hostile::start().await;
    let reader = server.reader();
    let reads = (0..5).map(|branch| {
        let (reader, url) = (reader.clone(), server.url("kind.com", &format!("/start?branch={branch}")));
        async move { reader.read_site(&url, Freshness::Cached).await }
    });
    let reports = futures::future::join_all(reads).await;
    assert!(reports.iter().all(|report| report.status == SiteStatus::Ok));
    assert_eq!(server.most_connections("kind.com"), 1);
    // The pages they have in common are fetched once, and so is robots.txt.
    assert!(reports.iter().all(|report| report.pages.len() == 6));
    assert_eq!(server.paths("kind.com").len(), 1 + 5 + 5);
}

#[tokio::test]
async fn global_concurrency_is_limited() {
    let server = Hostile::start().await;
    let reader = server.reader_with(ReaderSettings { global_concurrency: 1, ..server.settings() });
    let urls = [server.url("silent.com", "/"), server.url("silent-body.com", "/")];
    let started = Instant::now();
    futures::future::join_all(urls.iter().map(|url| reader.read_site(url, Freshness::Cached))).await;
    // Each takes a timeout of 600 ms, one after the other.
    assert!(started.elapsed() >= Duration::from_millis(1_200));
}

#[tokio::test]
async fn the_site_deadline_keeps_what_was_read() {
    let server = Hostile::start().await;
    let settings = ReaderSettings {
        host_gap: Duration::from_millis(200),
        site_deadline: Duration::from_millis(700),
        ..server.settings()
    };
    let report = server.reader_with(settings).read_site(&server.url("kind.com", "/"), Freshness::Cached).await;
    assert_eq!((report.status, report.complete), (SiteStatus::Ok, false));
    assert!((1..6).contains(&report.pages.len()));
    assert!(
        report.detail.as_ref().is_some_and(|detail| detail.starts_with("time ran out after")),
        "{:?}",
        report.detail
    );
}

#[tokio::test]
async fn a_redirect_to_a_host_that_waits_for_a_slot_does_not_deadlock() {
    let server = Hostile::start().await;
    let reader = server.reader_with(ReaderSettings { global_concurrency: 1, ..server.settings() });
    // The first has the only global slot and needs the host that the second is about to visit.
    let urls = [server.url("redirect-kind.com", "/"), server.url("kind.com", "/other")];
    let reports = futures::future::join_all(urls.iter().map(|url| reader.read_site(url, Freshness::Cached))).await;
    assert!(reports.iter().all(|report| report.status == SiteStatus::Ok), "{reports:?}");
}

#[tokio::test]
async fn names_that_do_not_exist_are_reported_without_waiting() {
    let server = Hostile::start().await;
    let reader = server.reader_with(ReaderSettings { host_gap: Duration::from_secs(60), ..server.settings() });
    let started = Instant::now();
    let report = reader.read_site("gone.com", Freshness::Cached).await;
    assert_eq!(report.status, SiteStatus::Dead);
    assert!(started.elapsed() < Duration::from_secs(2));
}
