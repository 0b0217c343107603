//! Serves generated sites on loopback, each on an address of its own (127.1.x.y), gzipped
//! beforehand so that the server costs little. Prints its port and serves until killed.

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::net::Ipv4Addr;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use reader_bench::{PAGE_PATHS, ROBOTS, page};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Sites with bytes of their own; the others repeat them.
const DIFFERENT_SITES: usize = 100;

/// Bytes of a request that are read.
const REQUEST_BYTES_MAX: usize = 16 * 1024;

/// Ready answers by path, one map a site.
type Site = HashMap<&'static str, Vec<u8>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let count: usize = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(1_000);
    let sites: Vec<Arc<Site>> =
        (0..DIFFERENT_SITES.min(count)).map(|at| site(at).map(Arc::new)).collect::<io::Result<_>>()?;
    let first = TcpListener::bind((address(0), 0)).await?;
    let port = first.local_addr()?.port();
    serve(first, Arc::clone(&sites[0]));
    for at in 1..count {
        let listener = TcpListener::bind((address(at), port)).await?;
        serve(listener, Arc::clone(&sites[at % sites.len()]));
    }
    writeln!(io::stdout(), "{port}")?;
    std::future::pending().await
}

/// The address of a site.
fn address(site: usize) -> Ipv4Addr {
    let [_, _, high, low] = u32::try_from(site + 1).unwrap_or(1).to_be_bytes();
    Ipv4Addr::new(127, 1, high, low)
}

fn site(at: usize) -> io::Result<Site> {
    let mut site = Site::new();
    for path in PAGE_PATHS {
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(page(at, path).as_bytes())?;
        let body = packed.finish()?;
        site.insert(
            path,
            answer("200 OK", "Content-Type: text/html; charset=utf-8\r\nContent-Encoding: gzip\r\n", &body),
        );
    }
    site.insert("/robots.txt", answer("200 OK", "Content-Type: text/plain\r\n", ROBOTS.as_bytes()));
    site.insert("", answer("404 Not Found", "Content-Type: text/html\r\n", b"<h1>Not found</h1>"));
    Ok(site)
}

fn answer(status: &str, fields: &str, body: &[u8]) -> Vec<u8> {
    let mut out = format!("HTTP/1.1 {status}\r\n{fields}Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    out.extend_from_slice(body);
    out
}

fn serve(listener: TcpListener, site: Arc<Site>) {
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let site = Arc::clone(&site);
            tokio::spawn(async move { converse(stream, &site).await });
        }
    });
}

/// Answers request after request; what breaks ends the connection.
async fn converse(mut stream: TcpStream, site: &Site) -> Option<()> {
    let mut request = Vec::with_capacity(2_048);
    loop {
        request.clear();
        while !request.ends_with(b"\r\n\r\n") {
            if request.len() > REQUEST_BYTES_MAX || stream.read_buf(&mut request).await.ok()? == 0 {
                return None;
            }
        }
        let path = std::str::from_utf8(&request).ok()?.split(' ').nth(1)?;
        let answer = site.get(path).or_else(|| site.get(""))?;
        stream.write_all(answer).await.ok()?;
    }
}
