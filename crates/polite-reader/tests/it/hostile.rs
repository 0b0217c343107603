//! A web server that misbehaves on request. The host name says how: `endless-body.com` sends an endless body. Uses real
//! sockets on loopback; unknown names get a small well-behaved site.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use polite_reader::{Reader, ReaderSettings, ResolveError, Resolver};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::misbehaviours::{AfterReply, Reply, reply};

/// A request as the server saw it.
#[derive(Debug, Clone)]
pub(crate) struct RecordedRequest {
    pub(crate) host: String,
    pub(crate) path: String,
    pub(crate) head: String,
    pub(crate) at: Instant,
}

/// What the server has recorded.
#[derive(Debug, Default)]
struct Log {
    seen: Vec<RecordedRequest>,
    /// Open connections now, and the maximum so far, by host.
    open: HashMap<String, (usize, usize)>,
    /// Connections so far, by host.
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
pub(crate) enum ConnectionEnd {
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

    /// Serves the same content on another address too.
    pub(crate) async fn also_listen_on(&self, address: SocketAddr) {
        let listener = TcpListener::bind(address).await.unwrap();
        tokio::spawn(self.clone().accept(listener));
    }

    async fn accept(self, listener: TcpListener) {
        while let Ok((mut stream, _)) = listener.accept().await {
            let server = self.clone();
            tokio::spawn(async move {
                if server.serve(&mut stream).await == ConnectionEnd::Reset {
                    let _ = stream.set_zero_linger();
                }
            });
        }
    }

    /// Settings that allow this server and no other private address.
    pub(crate) fn settings(&self) -> ReaderSettings {
        ReaderSettings {
            host_gap: Duration::ZERO,
            connect_deadline: Duration::from_secs(2),
            first_byte_deadline: Duration::from_millis(600),
            body_deadline: Duration::from_millis(600),
            site_deadline: Duration::from_secs(5),
            page_bytes_max: 256 * 1024,
            trusted_addresses: vec![self.address],
            tag_manager_url: Some(self.url("gtm.net", "/gtm.js")),
            ..ReaderSettings::default()
        }
    }

    /// A reader for which every name resolves to this server.
    pub(crate) fn reader(&self) -> Reader {
        self.reader_with(self.settings())
    }

    /// The same with other settings.
    pub(crate) fn reader_with(&self, settings: ReaderSettings) -> Reader {
        Reader::with_resolver(settings, Arc::new(LoopbackResolver)).unwrap()
    }

    pub(crate) fn url(&self, host: &str, path: &str) -> String {
        format!("http://{host}:{}{path}", self.address.port())
    }

    /// The requests for a host, in order.
    pub(crate) fn seen(&self, host: &str) -> Vec<RecordedRequest> {
        self.log.lock().unwrap().seen.iter().filter(|seen| seen.host == host).cloned().collect()
    }

    /// Connections to a host so far.
    pub(crate) fn connections(&self, host: &str) -> usize {
        self.log.lock().unwrap().connections.get(host).copied().unwrap_or_default()
    }

    /// Requests so far, to all hosts.
    pub(crate) fn requests(&self) -> usize {
        self.log.lock().unwrap().seen.len()
    }

    /// The requested paths of a host, in order.
    pub(crate) fn paths(&self, host: &str) -> Vec<String> {
        self.seen(host).into_iter().map(|seen| seen.path).collect()
    }

    /// The most connections a host had at once.
    pub(crate) fn most_connections(&self, host: &str) -> usize {
        self.log.lock().unwrap().open.get(host).map_or(0, |(_, most)| *most)
    }

    /// Serves one connection, request after request.
    pub(crate) async fn serve(&self, stream: &mut (impl AsyncRead + AsyncWrite + Unpin + Send)) -> ConnectionEnd {
        let mut known_host = None;
        let mut ending = ConnectionEnd::Close;
        while let Some(head) = read_head(stream).await {
            let seen = seen(head);
            let tries = self.note(&seen, &mut known_host);
            let Reply { bytes, then } =
                reply(&RecordedRequest { host: misbehaviour(&seen.host), ..seen }, tries, self.address.port());
            if matches!(then, AfterReply::Reset) {
                ending = ConnectionEnd::Reset;
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

    /// Records a request and returns how often it was made before.
    fn note(&self, seen: &RecordedRequest, known_host: &mut Option<String>) -> usize {
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

/// Does what follows the reply; `false` ends the connection.
async fn after(stream: &mut (impl AsyncRead + AsyncWrite + Unpin + Send), then: AfterReply) -> bool {
    match then {
        AfterReply::KeepAlive => return true,
        AfterReply::Close | AfterReply::Reset => {}
        AfterReply::Forever(bytes) => {
            // The pause keeps this from using up the test machine's CPU.
            while stream.write_all(&bytes).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
        AfterReply::Drip(bytes, pause) => {
            for byte in bytes {
                tokio::time::sleep(pause).await;
                if stream.write_all(&[byte]).await.is_err() {
                    break;
                }
            }
        }
        AfterReply::Hang => {
            let mut sink = [0; 64];
            while stream.read(&mut sink).await.is_ok_and(|read| read > 0) {}
        }
    }
    false
}

/// Resolves every name to loopback, and has a few scripted mail domains.
#[derive(Debug)]
pub(crate) struct LoopbackResolver;

impl Resolver for LoopbackResolver {
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

fn seen(head: String) -> RecordedRequest {
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let host = head.lines().find_map(|line| line.strip_prefix("Host: ")).unwrap_or_default();
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host).to_owned();
    RecordedRequest { host, path, head, at: Instant::now() }
}

/// The name of a misbehaviour: `endless-body-17.localhost` is one of many `endless-body.com`.
pub(crate) fn misbehaviour(host: &str) -> String {
    match host.strip_suffix(".localhost").and_then(|name| name.rsplit_once('-')) {
        Some((name, number)) if number.parse::<usize>().is_ok() => format!("{name}.com"),
        _ => host.to_owned(),
    }
}
