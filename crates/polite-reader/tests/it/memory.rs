//! Memory stays bounded however bad the sites are. Measured in a child process, so that the server's memory does not count.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use polite_reader::{Freshness, Reader, ReaderSettings, SiteStatus};

use crate::child::{again_as_child, port_from_parent};
use crate::hostile::Hostile;

/// Sites read at once.
const SITES: usize = 200;

/// Limit on the peak memory of the reading process.
const PEAK_MIB_MAX: usize = 200;

/// The worst misbehaviours with regard to memory.
const WORST: [&str; 18] = [
    "base-bomb",
    "base-bomb-2k",
    "link-bomb",
    "refresh-bomb",
    "frame-bomb",
    "location-bomb",
    "scheme-bomb",
    "type-bomb",
    "endless-body",
    "zip-bomb",
    "heavy-pages",
    "endless-headers",
    "endless-header",
    "endless-chunks",
    "slow-body",
    "robots-endless",
    "robots-rules",
    "zip-bomb-pages",
];

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_bad_sites_at_once_stay_under_two_hundred_mebibytes() {
    if let Some(port) = port_from_parent() {
        return read_bad_sites(port).await;
    }
    let server = Hostile::start().await;
    let name = "memory::two_hundred_bad_sites_at_once_stay_under_two_hundred_mebibytes";
    let output = again_as_child(name, &server).output().await.unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    let peak: usize =
        said.split("peak MiB: ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap().parse().unwrap();
    println!("{}", said.lines().find(|line| line.contains("peak MiB")).unwrap_or_default());
    assert!(peak < PEAK_MIB_MAX, "{peak} MiB");
}

/// The child's part: reads all sites at once and prints its peak memory.
#[expect(clippy::print_stdout, reason = "how the child reports to its parent")]
async fn read_bad_sites(port: u16) {
    let settings = ReaderSettings {
        host_gap: Duration::ZERO,
        first_byte_deadline: Duration::from_secs(2),
        body_deadline: Duration::from_secs(2),
        site_deadline: Duration::from_secs(8),
        allowed_addresses: vec![SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port)],
        ..ReaderSettings::default()
    };
    let reader = Reader::new(settings).unwrap();
    let reads = (0..SITES).map(|at| {
        let url = format!("http://{}-{at}.localhost:{port}/", WORST[at % WORST.len()]);
        let reader = reader.clone();
        // Each report is dropped immediately, as it is once its facts are extracted.
        tokio::spawn(async move {
            let report = reader.read_site(&url, Freshness::Fresh).await;
            (report.status, report.pages.iter().map(|page| page.body.len()).sum::<usize>())
        })
    });
    let outcomes = futures::future::join_all(reads).await;
    let read =
        outcomes.iter().filter(|outcome| outcome.as_ref().is_ok_and(|(status, _)| *status == SiteStatus::Ok)).count();
    let bytes: usize = outcomes.iter().map(|outcome| outcome.as_ref().map_or(0, |(_, bytes)| *bytes)).sum();
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak_kib: usize = peak.trim().trim_end_matches(" kB").parse().unwrap();
    println!("sites: {SITES} read: {read} MiB handed over: {} peak MiB: {} ", bytes >> 20, peak_kib >> 10);
}

#[tokio::test]
async fn pages_that_do_not_fit_beside_those_of_others_are_read_again_and_whole() {
    let server = Hostile::start().await;
    let deadline = Duration::from_secs(20);
    let settings = ReaderSettings {
        page_bytes_max: 2 * 1024 * 1024,
        // Less than the pages of all sites together.
        memory_bytes_max: 16 * 1024 * 1024,
        body_deadline: deadline,
        first_byte_deadline: deadline,
        site_deadline: 3 * deadline,
        ..server.settings()
    };
    let reader = server.reader_with(settings);
    let hosts: Vec<String> = (0..40).map(|number| format!("long-{number}.com")).collect();
    let reads = hosts.iter().map(|host| async {
        let report = reader.read_site(&server.url(host, "/"), Freshness::Fresh).await;
        let lengths: Vec<usize> = report.pages.iter().map(|page| page.body.len()).collect();
        (report.status, report.complete, lengths)
    });
    for (status, complete, lengths) in futures::future::join_all(reads).await {
        assert_eq!((status, complete), (SiteStatus::Ok, true));
        assert!(lengths.iter().all(|length| *length > 650_000), "{lengths:?}");
    }
    let requests: usize = hosts.iter().map(|host| server.paths(host).iter().filter(|path| *path == "/").count()).sum();
    assert!(requests > hosts.len(), "memory ran out for some");
}

#[tokio::test]
async fn a_long_value_is_not_copied_for_every_link() {
    let server = Hostile::start().await;
    let deadline = Duration::from_secs(20);
    let settings = ReaderSettings {
        page_bytes_max: 2 * 1024 * 1024,
        first_byte_deadline: deadline,
        site_deadline: 3 * deadline,
        ..server.settings()
    };
    let reader = server.reader_with(settings);
    for host in
        ["base-bomb.com", "base-bomb-2k.com", "link-bomb.com", "frame-bomb.com", "refresh-bomb.com", "type-bomb.com"]
    {
        let report = reader.read_site(&server.url(host, "/"), Freshness::Fresh).await;
        assert_eq!(report.status, SiteStatus::Ok, "{host}: {:?}", report.detail);
        assert!(report.pages.iter().all(|page| page.url.len() <= 2_048), "{host}");
        assert!(report.pages.iter().flat_map(|page| &page.content_type).all(|kind| kind.len() <= 200), "{host}");
    }
    for host in ["location-bomb.com", "scheme-bomb.com"] {
        let report = reader.read_site(&server.url(host, "/"), Freshness::Fresh).await;
        assert_eq!(report.status, SiteStatus::Error, "{host}");
        assert!(report.detail.as_ref().is_some_and(|detail| detail.len() < 400), "{host}");
        assert_eq!(server.paths(host), ["/robots.txt", "/"], "{host}");
    }
    let field = "x".repeat(3_000_000);
    assert!(reader.read_site(&field, Freshness::Fresh).await.url.len() <= 2_048);
}
