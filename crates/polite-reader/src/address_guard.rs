//! SSRF protection: keeps the reader on the public internet. Every URL is checked before it is requested and every
//! address before it is connected to, on the first request and on each redirect alike.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use url::{Host, Url};

use crate::limits::URL_CHARS_MAX;

/// Ports that business websites listen on. Others belong to mail, databases and other services, which must not receive our
/// requests.
const WEB_PORTS: [u16; 8] = [80, 443, 8000, 8008, 8080, 8081, 8443, 8888];

/// Names that never belong to a public website (RFC 6761, RFC 6762, RFC 8375, RFC 9476 and common practice).
const PRIVATE_SUFFIXES: [&str; 17] = [
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "private",
    "corp",
    "home",
    "lan",
    "arpa",
    "onion",
    "alt",
    "test",
    "invalid",
    "example",
    "i2p",
    "svc",
];

/// IPv4 ranges that are not public unicast, with their prefix length.
const PRIVATE_V4: [(Ipv4Addr, u32); 17] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),        // "this network"
    (Ipv4Addr::new(10, 0, 0, 0), 8),       // private
    (Ipv4Addr::new(100, 64, 0, 0), 10),    // carrier-grade NAT; also a cloud's metadata service
    (Ipv4Addr::new(127, 0, 0, 0), 8),      // loopback
    (Ipv4Addr::new(168, 63, 129, 16), 32), // a cloud's host agent, on a public number
    (Ipv4Addr::new(169, 254, 0, 0), 16),   // link-local; metadata services
    (Ipv4Addr::new(172, 16, 0, 0), 12),    // private
    (Ipv4Addr::new(192, 0, 0, 0), 24),     // protocol assignments
    (Ipv4Addr::new(192, 0, 2, 0), 24),     // documentation
    (Ipv4Addr::new(192, 31, 196, 0), 24),  // AS112
    (Ipv4Addr::new(192, 88, 99, 0), 24),   // 6to4 relays
    (Ipv4Addr::new(192, 168, 0, 0), 16),   // private
    (Ipv4Addr::new(192, 175, 48, 0), 24),  // AS112
    (Ipv4Addr::new(198, 18, 0, 0), 15),    // benchmarks
    (Ipv4Addr::new(198, 51, 100, 0), 24),  // documentation
    (Ipv4Addr::new(203, 0, 113, 0), 24),   // documentation
    (Ipv4Addr::new(224, 0, 0, 0), 3),      // multicast, reserved, broadcast
];

/// IPv6 ranges inside global unicast (2000::/3) that are not public. Everything outside 2000::/3 is refused anyway:
/// loopback, IPv4-mapped and IPv4-compatible, NAT64, link-local, ULA, multicast.
const PRIVATE_V6: [(Ipv6Addr, u32); 5] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23), // protocol assignments: Teredo, benchmarks, ORCHID
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32), // documentation
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16), // 6to4, an IPv4 address in disguise
    (Ipv6Addr::new(0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0), 48), // AS112
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20), // documentation
];

/// Characters of an unknown scheme that are repeated in the error.
const SCHEME_CHARS_MAX: usize = 20;

/// Why a URL or address may not be visited.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Neither http nor https.
    #[error("{0}: is not a supported scheme")]
    Scheme(String),
    /// The URL names nothing to connect to.
    #[error("the address has no host")]
    NoHost,
    /// Longer than any real URL.
    #[error("the address is longer than {URL_CHARS_MAX} characters")]
    TooLong,
    /// A name reserved for private networks.
    #[error("{0} is not a name of the public internet")]
    Name(String),
    /// A private, reserved or loopback address.
    #[error("{0} is not an address of the public internet")]
    Address(IpAddr),
    /// A port used by other services.
    #[error("port {0} is not a web server port")]
    Port(u16),
}

/// A host whose URL passed the check and may now be resolved or connected to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A name to resolve; each of its addresses is checked.
    Name(String, u16),
    /// A literal address that passed, or the loopback address a `localhost` name is allowed to mean.
    Address(SocketAddr),
}

/// The address check with its explicit exceptions.
#[derive(Debug, Clone)]
pub struct AddressGuard {
    /// Exceptions for literal addresses and `localhost` names.
    allowed: Vec<SocketAddr>,
    /// Exceptions for resolved names too.
    trusted: Vec<SocketAddr>,
    /// The address of every name under `.localhost`.
    localhost_at: Option<SocketAddr>,
}

impl AddressGuard {
    /// Allows the public internet, and these addresses where a URL names them literally or as a `localhost` name.
    #[must_use]
    pub fn new(allowed: Vec<SocketAddr>) -> Self {
        Self { allowed, trusted: Vec::new(), localhost_at: None }
    }

    /// Adds addresses that any name may resolve to.
    pub(crate) fn with_trusted(self, trusted: Vec<SocketAddr>) -> Self {
        Self { trusted, ..self }
    }

    /// The guard for one site. Of the addresses an operator allows, only those apply that the site's own start URLs name, so
    /// that its redirects and links cannot reach the others.
    pub(crate) fn for_site(&self, starts: &[Url], allowed: &[SocketAddr]) -> Self {
        let named = starts.iter().filter_map(|start| {
            let port = start.port_or_known_default()?;
            let is_named = |address: &&SocketAddr| match start.host() {
                Some(Host::Ipv4(ip)) => **address == SocketAddr::new(ip.into(), port),
                Some(Host::Ipv6(ip)) => **address == SocketAddr::new(ip.into(), port),
                Some(Host::Domain(name)) => is_localhost(name) && address.ip().is_loopback() && address.port() == port,
                None => false,
            };
            allowed.iter().find(is_named).copied()
        });
        Self { allowed: named.collect(), ..self.clone() }
    }

    /// Puts all names under `.localhost` at one address. This does not open the address itself: only such a name leads
    /// there.
    pub(crate) fn with_localhost_at(self, address: Option<SocketAddr>) -> Self {
        Self { localhost_at: address, ..self }
    }

    /// Checks everything about a URL that does not need the resolver.
    pub fn check_url(&self, url: &Url) -> Result<Target, Refusal> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Refusal::Scheme(url.scheme().chars().take(SCHEME_CHARS_MAX).collect()));
        }
        if url.as_str().len() > URL_CHARS_MAX {
            return Err(Refusal::TooLong);
        }
        let port = url.port_or_known_default().ok_or(Refusal::NoHost)?;
        match url.host() {
            None => Err(Refusal::NoHost),
            Some(Host::Ipv4(ip)) => self.check_literal(SocketAddr::new(ip.into(), port)),
            Some(Host::Ipv6(ip)) => self.check_literal(SocketAddr::new(ip.into(), port)),
            Some(Host::Domain(name)) => self.check_name(name, port),
        }
    }

    /// Checks an address immediately before it is connected to.
    pub fn check_address(&self, address: SocketAddr) -> Result<(), Refusal> {
        if self.trusted.contains(&address) {
            return Ok(());
        }
        if !is_public(address.ip()) {
            return Err(Refusal::Address(address.ip()));
        }
        if WEB_PORTS.contains(&address.port()) { Ok(()) } else { Err(Refusal::Port(address.port())) }
    }

    fn check_literal(&self, address: SocketAddr) -> Result<Target, Refusal> {
        if self.allowed.contains(&address) {
            return Ok(Target::Address(address));
        }
        self.check_address(address).map(|()| Target::Address(address))
    }

    fn check_name(&self, name: &str, port: u16) -> Result<Target, Refusal> {
        let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
        if let Some(stand_in) = self.localhost_at.filter(|_| is_under_localhost(&name)) {
            return Ok(Target::Address(stand_in));
        }
        let last = name.rsplit('.').next().unwrap_or_default();
        if is_malformed(&name) {
            return Err(Refusal::Name(name));
        }
        if last == "localhost" {
            // Like browsers, we take these names to mean loopback without asking a resolver.
            let mut exceptions = self.allowed.iter().chain(&self.trusted);
            let own = exceptions.find(|address| address.ip().is_loopback() && address.port() == port);
            return own.map(|address| Target::Address(*address)).ok_or(Refusal::Name(name));
        }
        if name.len() > 253 || !name.contains('.') || PRIVATE_SUFFIXES.contains(&last) {
            return Err(Refusal::Name(name));
        }
        let known = WEB_PORTS.contains(&port) || self.trusted.iter().any(|address| address.port() == port);
        if known { Ok(Target::Name(name, port)) } else { Err(Refusal::Port(port)) }
    }
}

fn is_localhost(host: &str) -> bool {
    host.trim_end_matches('.').rsplit('.').next().is_some_and(|last| last.eq_ignore_ascii_case("localhost"))
}

/// Whether a name has an empty label, or one at its end that a resolver could take for the number of an address
/// (`127.0.0.1..` is no address to a URL parser).
fn is_malformed(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or_default();
    name.split('.').any(str::is_empty) || last.starts_with(|first: char| first.is_ascii_digit())
}

/// Whether a host is a name under `.localhost`; `localhost` itself is not.
pub(crate) fn is_under_localhost(host: &str) -> bool {
    host.trim_end_matches('.').strip_suffix(".localhost").is_some_and(|label| !label.trim_matches('.').is_empty())
}

/// Whether an address is public unicast.
pub(crate) fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => !PRIVATE_V4.iter().any(|(net, prefix)| {
            let mask = u32::MAX << (32 - prefix);
            u32::from(ip) & mask == u32::from(*net) & mask
        }),
        IpAddr::V6(ip) => {
            let global = ip.segments()[0] & 0xe000 == 0x2000;
            global
                && !PRIVATE_V6.iter().any(|(net, prefix)| {
                    let mask = u128::MAX << (128 - prefix);
                    u128::from(ip) & mask == u128::from(*net) & mask
                })
        }
    }
}

#[cfg(test)]
mod tests;
