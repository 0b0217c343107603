//! The `spider` crate over the same sites: it crawls only, extracting nothing, with robots rules
//! obeyed, no delay and the same number of pages a site.

use std::io::{self, Write as _};

use futures::StreamExt;
use spider::website::Website;

/// Pages of one site, as many as there are; its links to pages that do not exist count as pages with it.
const PAGES_PER_SITE: u32 = 5;
const SITES_AT_ONCE: usize = 64;

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let urls: Vec<String> = io::stdin().lines().collect::<io::Result<_>>()?;
    let reads = futures::stream::iter(urls).map(|url| async move {
        let mut site = Website::new(&url);
        site.with_respect_robots_txt(true).with_delay(0).with_limit(PAGES_PER_SITE).with_user_agent(Some("Bench/1"));
        site.scrape_raw().await;
        let pages = site.get_pages().map_or(0, |pages| pages.len());
        let bytes: usize = site.get_pages().map_or(0, |pages| pages.iter().map(|page| page.get_html_bytes_u8().len()).sum());
        (pages, bytes)
    });
    let (mut pages, mut bytes) = (0, 0);
    let mut reads = reads.buffer_unordered(SITES_AT_ONCE);
    while let Some((site_pages, site_bytes)) = reads.next().await {
        pages += site_pages;
        bytes += site_bytes;
    }
    writeln!(io::stdout(), "{{\"pages\": {pages}, \"bytes\": {bytes}}}")
}
