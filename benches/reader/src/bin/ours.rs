//! The reader over the benchmark's sites, on one core: robots rules, links, limits, every finder, with politeness'
//! waiting taken out.
//!
//! `ours` looks for everything on every page; `ours bare` only fetches, as peers without extraction do.
//! `ours GAP_MS SITES_AT_ONCE` puts the waiting back in: the polite run.

use std::hint::black_box;
use std::io::{self, Write as _};
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use futures::StreamExt;
use page_facts::{Context, RawPage};
use polite_reader::{FetchedPage, Freshness, Reader, ReaderSettings, SiteStatus};

// As the product has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Sites under way at once.
const SITES_AT_ONCE: usize = 64;

/// Bytes of memory budget for each site under way.
const SITE_BYTES: usize = 1024 * 1024;

/// What is done with the pages of a site.
#[derive(Clone, Copy, PartialEq)]
enum Work {
    /// Every finder looks at them.
    Facts,
    /// They are only counted.
    Bare,
}

/// Does the work; the number of bytes shows that it was done.
fn work_on(work: Work, pages: &[FetchedPage]) -> usize {
    let raw: Vec<RawPage<'_>> = pages.iter().map(raw).collect();
    if work == Work::Facts {
        black_box(page_facts::facts(&raw, &Context::default()));
    }
    raw.iter().map(|page| page.body.len()).sum()
}

fn raw(page: &FetchedPage) -> RawPage<'_> {
    RawPage { url: &page.url, content_type: page.content_type.as_deref(), body: &page.body }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let urls: Vec<String> = io::stdin().lines().collect::<io::Result<_>>()?;
    let work = if std::env::args().any(|argument| argument == "bare") { Work::Bare } else { Work::Facts };
    let mut numbers = std::env::args().skip(1).map_while(|number| number.parse::<usize>().ok());
    let gap_ms = numbers.next().unwrap_or(0);
    let at_once = numbers.next().unwrap_or(SITES_AT_ONCE);
    let settings = ReaderSettings {
        host_gap: Duration::from_millis(gap_ms as u64),
        cache_ttl: Duration::ZERO,
        global_concurrency: at_once,
        memory_bytes_max: at_once.max(SITES_AT_ONCE) * SITE_BYTES,
        allowed_addresses: urls.iter().filter_map(|url| address(url)).collect(),
        tag_manager_url: None,
        ..ReaderSettings::default()
    };
    let reader = Reader::new(settings).map_err(io::Error::other)?;
    let reads = futures::stream::iter(urls).map(|url| {
        let reader = reader.clone();
        async move {
            if gap_ms > 0 {
                return stream(&reader, &url, work).await;
            }
            let report = reader.read_site(&url, Freshness::Fresh).await;
            let bytes = work_on(work, &report.pages);
            (report.status == SiteStatus::Ok, report.pages.len(), bytes)
        }
    });
    let (mut sites, mut pages, mut bytes) = (0, 0, 0);
    let started = std::time::Instant::now();
    let mut reads = reads.buffer_unordered(at_once);
    while let Some((ok, site_pages, site_bytes)) = reads.next().await {
        sites += usize::from(ok);
        pages += site_pages;
        bytes += site_bytes;
    }
    let seconds = started.elapsed().as_secs_f64();
    writeln!(io::stdout(), "{{\"sites\": {sites}, \"pages\": {pages}, \"bytes\": {bytes}, \"seconds\": {seconds:.2}}}")
}

/// The polite run looks at each page as it comes and keeps none.
async fn stream(reader: &Reader, url: &str, work: Work) -> (bool, usize, usize) {
    let (mut pages, mut bytes) = (0, 0);
    let mut on_page = |page: FetchedPage| {
        pages += 1;
        bytes += work_on(work, &[page]);
    };
    let report = reader.stream_site(url, &mut on_page).await;
    (report.status == SiteStatus::Ok, pages, bytes)
}

/// The socket address in `http://127.1.0.1:4711/`.
fn address(url: &str) -> Option<SocketAddr> {
    let (host, port) = url.strip_prefix("http://")?.trim_end_matches('/').rsplit_once(':')?;
    Some(SocketAddr::new(host.parse::<IpAddr>().ok()?, port.parse().ok()?))
}
