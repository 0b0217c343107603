//! Opens one connection to a checked address, HTTP/2 if the host offers it over TLS. The name is resolved once, its addresses are checked, and the socket
//! connects to exactly one of them, so DNS rebinding between check and connection has no effect. No proxy is used.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use rustls::client::Resumption;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use url::Url;

use crate::address_guard::{AddressGuard, Target};
use crate::cache::Cache;
use crate::connection::Connection;
use crate::fetch_error::FetchError;
use crate::limits::{ADDRESSES_TRIED_MAX, DNS_DEADLINE, HTTP1_ONLY_HOSTS_MAX, HTTP1_ONLY_TTL, TLS_SESSIONS_MAX};
use crate::resolve::{ResolveError, Resolver};
use crate::settings::{ReaderSettings, SettingsError};

pub(crate) struct Connector {
    resolver: Arc<dyn Resolver>,
    /// Offers HTTP/2 and HTTP/1.1.
    tls: TlsConnector,
    /// Offers HTTP/1.1 alone.
    tls_http1: TlsConnector,
    /// Hosts that offer HTTP/2 and then fail to speak it.
    http1_only: Cache<()>,
    deadline: Duration,
}

impl Connector {
    pub(crate) fn new(settings: &ReaderSettings, resolver: Arc<dyn Resolver>) -> Result<Self, SettingsError> {
        let tls = tls_config(&settings.extra_roots)?;
        let mut http1 = tls.clone();
        http1.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self {
            resolver,
            tls: TlsConnector::from(Arc::new(tls)),
            tls_http1: TlsConnector::from(Arc::new(http1)),
            http1_only: Cache::new(HTTP1_ONLY_TTL, HTTP1_ONLY_HOSTS_MAX),
            deadline: settings.connect_deadline,
        })
    }

    /// Speaks HTTP/1.1 with this host from now on.
    pub(crate) fn avoid_http2(&self, url: &Url) {
        self.http1_only.put(url.host_str().unwrap_or_default(), (), 1);
    }

    /// Resolves, checks and connects.
    pub(crate) async fn open(&self, url: &Url, guard: &AddressGuard) -> Result<Connection, FetchError> {
        let addresses = self.checked_addresses(url, guard).await?;
        let mut failure = FetchError::Unreachable;
        for address in addresses.into_iter().take(ADDRESSES_TRIED_MAX) {
            match timeout(self.deadline, self.connect(address, url)).await {
                Ok(Ok(connection)) => return Ok(connection),
                Ok(Err(last @ (FetchError::Tls(_) | FetchError::Local(_)))) => return Err(last),
                Ok(Err(other)) => failure = other,
                Err(_) => failure = FetchError::ConnectTimeout,
            }
        }
        Err(failure)
    }

    /// The addresses of a URL's host that may be connected to.
    async fn checked_addresses(&self, url: &Url, guard: &AddressGuard) -> Result<Vec<SocketAddr>, FetchError> {
        let (name, port) = match guard.check_url(url)? {
            Target::Address(address) => return Ok(vec![address]),
            Target::Name(name, port) => (name, port),
        };
        let found = match timeout(DNS_DEADLINE, self.resolver.addresses(&name)).await {
            Ok(Ok(found)) => found,
            Ok(Err(ResolveError::NoSuchName)) => return Err(FetchError::NoSuchName(name)),
            Ok(Err(ResolveError::Unavailable)) | Err(_) => return Err(FetchError::DnsUnavailable(name)),
        };
        let mut refusal = None;
        let mut checked = Vec::with_capacity(found.len());
        for address in found.into_iter().map(|ip| SocketAddr::new(ip, port)) {
            match guard.check_address(address) {
                Ok(()) => checked.push(address),
                Err(reason) => refusal = Some(reason),
            }
        }
        match refusal {
            // A public name with a private address among its addresses is misconfigured or malicious.
            Some(reason) => Err(reason.into()),
            None if checked.is_empty() => Err(FetchError::NoSuchName(name)),
            None => Ok(checked),
        }
    }

    async fn connect(&self, address: SocketAddr, url: &Url) -> Result<Connection, FetchError> {
        let socket = TcpStream::connect(address).await.map_err(|error| socket_failure(&error, address))?;
        socket.set_nodelay(true).map_err(|error| socket_failure(&error, address))?;
        if url.scheme() == "http" {
            return Connection::http1(socket, url).await;
        }
        let host = url.host_str().unwrap_or_default();
        let tls = if self.http1_only.get(host).is_some() { &self.tls_http1 } else { &self.tls };
        let host = host.trim_end_matches('.').trim_matches(['[', ']']);
        let name = ServerName::try_from(host.to_owned()).map_err(|error| FetchError::Tls(error.to_string()))?;
        let secured = tls.connect(name, socket).await.map_err(|error| tls_failure(&error))?;
        match secured.get_ref().1.alpn_protocol() {
            Some(b"h2") => Connection::http2(secured, url).await,
            _ => Connection::http1(secured, url).await,
        }
    }
}

/// Only a refused connection means that the server is gone; other errors may be caused by our own network.
fn socket_failure(error: &io::Error, address: SocketAddr) -> FetchError {
    if is_local_fault(error, address) {
        return FetchError::Local(error.kind().to_string());
    }
    match error.kind() {
        io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionReset => FetchError::Unreachable,
        io::ErrorKind::TimedOut => FetchError::ConnectTimeout,
        _ => FetchError::NoRoute,
    }
}

/// Whether this machine is at fault: out of sockets or memory, or without a network. Missing IPv6 is normal, so for IPv6
/// addresses network errors do not count.
fn is_local_fault(error: &io::Error, address: SocketAddr) -> bool {
    use io::ErrorKind::{AddrNotAvailable, NetworkDown, NetworkUnreachable, OutOfMemory};
    // Linux: too many open files in the system or this process, no memory, no buffer space.
    const EXHAUSTED: [i32; 4] = [23, 24, 12, 105];
    let exhausted = error.raw_os_error().is_some_and(|code| EXHAUSTED.contains(&code));
    let offline = matches!(error.kind(), NetworkDown | NetworkUnreachable | AddrNotAvailable) && address.is_ipv4();
    exhausted || offline || error.kind() == OutOfMemory
}

/// rustls wraps certificate errors in an I/O error.
fn tls_failure(error: &io::Error) -> FetchError {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
        Some(error) => FetchError::Tls(error.to_string().chars().take(160).collect()),
        None => FetchError::TlsBrokeOff,
    }
}

fn tls_config(extra_roots: &[Vec<u8>]) -> Result<ClientConfig, SettingsError> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    for root in extra_roots {
        roots.add(CertificateDer::from(root.clone())).map_err(SettingsError::ExtraRoot)?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider);
    let versions = builder.with_safe_default_protocol_versions().map_err(SettingsError::Tls)?;
    let mut config = versions.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    // A host that closes the connection after every page is then spared most of the next handshake.
    config.resumption = Resumption::in_memory_sessions(TLS_SESSIONS_MAX);
    Ok(config)
}
