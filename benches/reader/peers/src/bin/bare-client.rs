//! The floor: a plain HTTP client that fetches the same pages of the same sites and takes their
//! compression off, with no robots rules, no links, no limits and no manners.

use std::io::{self, Write as _};

use futures::StreamExt;

const PATHS: [&str; 6] = ["/robots.txt", "/", "/contact", "/about-us", "/our-team", "/impressum"];
const SITES_AT_ONCE: usize = 64;

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let urls: Vec<String> = io::stdin().lines().collect::<io::Result<_>>()?;
    let client = reqwest::Client::builder().no_proxy().build().map_err(io::Error::other)?;
    let reads = futures::stream::iter(urls).map(|url| {
        let client = client.clone();
        async move {
            let (mut pages, mut bytes) = (0, 0);
            for path in PATHS {
                let Ok(response) = client.get(format!("{}{path}", url.trim_end_matches('/'))).send().await else { continue };
                let Ok(body) = response.bytes().await else { continue };
                if path != "/robots.txt" {
                    pages += 1;
                    bytes += body.len();
                }
            }
            (pages, bytes)
        }
    });
    let (mut pages, mut bytes) = (0, 0);
    let mut reads = reads.buffer_unordered(SITES_AT_ONCE);
    while let Some((site_pages, site_bytes)) = reads.next().await {
        pages += site_pages;
        bytes += site_bytes;
    }
    writeln!(io::stdout(), "{{\"pages\": {pages}, \"bytes\": {bytes}}}")
}
