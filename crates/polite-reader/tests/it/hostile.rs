//! A web server that misbehaves on request. The host name says how: `endless-body.com` sends a
//! body without end. Real sockets on loopback; unknown names get a kind little site.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use polite_reader::{Reader, ReaderSettings, ResolveError, Resolver};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::misbehaviours::{Reply, Then, reply};

/// A request as the server saw it.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) host: String,
    pub(crate) path: String,
    pub(crate) head: String,
    pub(crate) at: Instant,
}

/// What the server knows.
#[derive(Debug, Default)]
struct Log {
    seen: Vec<Seen>,
    /// Open connections now, and the most there ever were, by host.
    open: HashMap<String, (usize, usize)>,
    /// All connections there ever were, by host.
    connections: HashMap<String, usize>,
}

/// The server; it lives as long as the test's runtime.
#[derive(Debug, Clone)]
pub(crate) struct Hostile {
    pub(crate) address: SocketAddr,
    log: Arc<Mutex<Log>>,
}

/// How a connection ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Close,
    Reset,
}

impl Hostile {
    /// Starts the server on a free port.
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let server = Self { address: listener.local_addr().unwrap(), log: Arc::default() };
        tokio::spawn(server.clone().accept(listener));
        server
    }

    /// Serves the same on a further address, from now on.
    pub(crate) async fn also_listen_on(&self, address: SocketAddr) {
        let listener = TcpListener::bind(address).await.unwrap();
        tokio::spawn(self.clone().accept(listener));
    }

    async fn accept(self, listener: TcpListener) {
        while let Ok((mut stream, _)) = listener.accept().await {
            let server = self.clone();
            tokio::spawn(async move {
                if server.serve(&mut stream).await == Ending::Reset {
                    let _ = stream.set_zero_linger();
                }
            });
        }
    }

    /// Settings that may visit this server and nothing else that is private.
    pub(crate) fn settings(&self) -> ReaderSettings {
        ReaderSettings {
            host_gap: Duration::ZERO,
            connect_deadline: Duration::from_secs(2),
            first_byte_deadline: Duration::from_millis(600),
            body_deadline: Duration::from_millis(600),
            site_deadline: Duration::from_secs(5),
            page_bytes_max: 256 * 1024,
            allowed_addresses: vec![self.address],
            tag_manager_url: Some(self.url("gtm.net", "/gtm.js")),
            ..ReaderSettings::default()
        }
    }

    /// A reader whose every name leads here.
    pub(crate) fn reader(&self) -> Reader {
        self.reader_with(self.settings())
    }

    /// The same with other settings.
    pub(crate) fn reader_with(&self, settings: ReaderSettings) -> Reader {
        Reader::with_resolver(settings, Arc::new(EveryName)).unwrap()
    }

    /// The address of a page.
    pub(crate) fn url(&self, host: &str, path: &str) -> String {
        format!("http://{host}:{}{path}", self.address.port())
    }

    /// All requests for a host, in order.
    pub(crate) fn seen(&self, host: &str) -> Vec<Seen> {
        self.log.lock().unwrap().seen.iter().filter(|seen| seen.host == host).cloned().collect()
    }

    /// All connections a host ever had.
    pub(crate) fn connections(&self, host: &str) -> usize {
        self.log.lock().unwrap().connections.get(host).copied().unwrap_or_default()
    }

    /// How many requests came at all.
    pub(crate) fn requests(&self) -> usize {
        self.log.lock().unwrap().seen.len()
    }

    /// The paths asked for, in order.
    pub(crate) fn paths(&self, host: &str) -> Vec<String> {
        self.seen(host).into_iter().map(|seen| seen.path).collect()
    }

    /// The most connections a host ever had at once.
    pub(crate) fn most_connections(&self, host: &str) -> usize {
        self.log.lock().unwrap().open.get(host).map_or(0, |(_, most)| *most)
    }

    /// Serves one connection, request after request.
    pub(crate) async fn serve(&self, stream: &mut (impl AsyncRead + AsyncWrite + Unpin + Send)) -> Ending {
        let mut known_host = None;
        let mut ending = Ending::Close;
        while let Some(head) = read_head(stream).await {
            let seen = seen(head);
            let tries = self.note(&seen, &mut known_host);
            let Reply { bytes, then } =
                reply(&Seen { host: misbehaviour(&seen.host), ..seen }, tries, self.address.port());
            if matches!(then, Then::Reset) {
                ending = Ending::Reset;
            }
            if stream.write_all(&bytes).await.is_err() || !after(stream, then).await {
                break;
            }
        }
        if let Some(host) = known_host
            && let Some((open, _)) = self.log.lock().unwrap().open.get_mut(&host)
        {
            *open -= 1;
        }
        ending
    }

    /// Notes a request and says how often it was made before.
    fn note(&self, seen: &Seen, known_host: &mut Option<String>) -> usize {
        let mut log = self.log.lock().unwrap();
        if known_host.is_none() {
            let (open, most) = log.open.entry(seen.host.clone()).or_default();
            *open += 1;
            *most = (*most).max(*open);
            *log.connections.entry(seen.host.clone()).or_default() += 1;
            *known_host = Some(seen.host.clone());
        }
        let before = log.seen.iter().filter(|other| other.host == seen.host && other.path == seen.path).count();
        log.seen.push(seen.clone());
        before
    }
}

/// Does what comes after the bytes; `false` ends the connection.
async fn after(stream: &mut (impl AsyncRead + AsyncWrite + Unpin + Send), then: Then) -> bool {
    match then {
        Then::KeepAlive => return true,
        Then::Close | Then::Reset => {}
        Then::Forever(bytes) => {
            // A pause, because the tests' own machine has better things to do than to send this.
            while stream.write_all(&bytes).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
        Then::Drip(bytes, pause) => {
            for byte in bytes {
                tokio::time::sleep(pause).await;
                if stream.write_all(&[byte]).await.is_err() {
                    break;
                }
            }
        }
        Then::Hang => {
            let mut sink = [0; 64];
            while stream.read(&mut sink).await.is_ok_and(|read| read > 0) {}
        }
    }
    false
}

/// Resolves every name to loopback, and knows a little about mail.
#[derive(Debug)]
pub(crate) struct EveryName;

impl Resolver for EveryName {
    fn addresses<'a>(&'a self, host: &'a str) -> BoxFuture<'a, Result<Vec<IpAddr>, ResolveError>> {
        Box::pin(async move {
            match host {
                "gone.com" | "www.gone.com" | "only-www.com" => Err(ResolveError::NoSuchName),
                "dns-down.com" => Err(ResolveError::Unavailable),
                "no-addresses.com" | "www.no-addresses.com" => Ok(Vec::new()),
                _ => Ok(vec![Ipv4Addr::LOCALHOST.into()]),
            }
        })
    }

    fn has_mx<'a>(&'a self, domain: &'a str) -> BoxFuture<'a, Option<bool>> {
        Box::pin(async move {
            match domain {
                "has-mail.com" => Some(true),
                "no-mail.com" => Some(false),
                _ => None,
            }
        })
    }
}

async fn read_head(stream: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).await.ok()? == 0 {
            return None;
        }
        head.push(byte[0]);
    }
    Some(String::from_utf8_lossy(&head).into_owned())
}

fn seen(head: String) -> Seen {
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let host = head.lines().find_map(|line| line.strip_prefix("Host: ")).unwrap_or_default();
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host).to_owned();
    Seen { host, path, head, at: Instant::now() }
}

/// The name of a misbehaviour: `endless-body-17.localhost` is one of many `endless-body.com`.
pub(crate) fn misbehaviour(host: &str) -> String {
    match host.strip_suffix(".localhost").and_then(|name| name.rsplit_once('-')) {
        Some((name, number)) if number.parse::<usize>().is_ok() => format!("{name}.com"),
        _ => host.to_owned(),
    }
}
