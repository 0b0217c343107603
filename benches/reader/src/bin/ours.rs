//! The reader over the benchmark's sites, on one core: robots rules, links, limits and all, with
//! politeness' waiting taken out. What is done with each page is one function, to be replaced.

use std::io::{self, Write as _};
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use futures::StreamExt;
use polite_reader::{FetchedPage, Freshness, Reader, ReaderSettings, SiteStatus};

/// Sites under way at once.
const SITES_AT_ONCE: usize = 64;

/// What is done with each page. The finders go here.
fn facts(page: &FetchedPage) -> usize {
    page.body.len()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let urls: Vec<String> = io::stdin().lines().collect::<io::Result<_>>()?;
    let settings = ReaderSettings {
        host_gap: Duration::ZERO,
        cache_ttl: Duration::ZERO,
        global_concurrency: SITES_AT_ONCE,
        allowed_addresses: urls.iter().filter_map(|url| address(url)).collect(),
        tag_manager_url: None,
        ..ReaderSettings::default()
    };
    let reader = Reader::new(settings).map_err(io::Error::other)?;
    let reads = futures::stream::iter(urls).map(|url| {
        let reader = reader.clone();
        async move {
            let report = reader.read_site(&url, Freshness::Fresh).await;
            let bytes: usize = report.pages.iter().map(facts).sum();
            (report.status == SiteStatus::Ok, report.pages.len(), bytes)
        }
    });
    let (mut sites, mut pages, mut bytes) = (0, 0, 0);
    let mut reads = reads.buffer_unordered(SITES_AT_ONCE);
    while let Some((ok, site_pages, site_bytes)) = reads.next().await {
        sites += usize::from(ok);
        pages += site_pages;
        bytes += site_bytes;
    }
    writeln!(io::stdout(), "{{\"sites\": {sites}, \"pages\": {pages}, \"bytes\": {bytes}}}")
}

/// The socket address in `http://127.1.0.1:4711/`.
fn address(url: &str) -> Option<SocketAddr> {
    let (host, port) = url.strip_prefix("http://")?.trim_end_matches('/').rsplit_once(':')?;
    Some(SocketAddr::new(host.parse::<IpAddr>().ok()?, port.parse().ok()?))
}
