//! Checks `Host` and `Origin` against DNS rebinding.
//!
//! A foreign web page can make a browser send requests to a host name of its own that resolves to this machine. Such a
//! request carries that name in `Host` or `Origin`, and is refused before its key is read.

use std::net::IpAddr;

use http::header::{HOST, ORIGIN};
use http::request::Parts;
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, Uri};
use url::{Host, Url};

use crate::edge::{Edge, Problem};

/// The host name of this machine for itself.
const LOOPBACK_NAME: &str = "localhost";

/// 403 for a request under a foreign host name or from a foreign page.
pub(super) fn check(edge: &Edge, request: &Parts) -> Result<(), Problem> {
    let authority = authority(&request.uri, &request.headers).ok_or_else(foreign_host)?;
    let own = Own { base: Url::parse(&edge.base_url).ok(), listen: edge.app.settings.listen.ip() };
    if !own.has_host(authority.host()) {
        return Err(foreign_host());
    }
    match request.headers.get(ORIGIN) {
        Some(origin) if !own.has_origin(origin, &authority) => Err(foreign_origin()),
        _ => Ok(()),
    }
}

/// The authority that the client addressed.
fn authority(uri: &Uri, headers: &HeaderMap) -> Option<Authority> {
    match headers.get(HOST) {
        Some(host) => Authority::try_from(host.as_bytes()).ok(),
        None => uri.authority().cloned(),
    }
}

/// The names of this server.
struct Own {
    base: Option<Url>,
    listen: IpAddr,
}

impl Own {
    fn has_host(&self, host: &str) -> bool {
        let Ok(host) = Host::parse(host) else { return false };
        let base = self.base.as_ref().and_then(Url::host).map(|base| base.to_owned());
        base.as_ref() == Some(&host) || is_loopback(&host) || self.listens_on(&host)
    }

    /// An IP address that we listen on; unlike a name, it cannot be pointed at us by others.
    fn listens_on(&self, host: &Host<String>) -> bool {
        let address: IpAddr = match host {
            Host::Ipv4(address) => (*address).into(),
            Host::Ipv6(address) => (*address).into(),
            Host::Domain(_) => return false,
        };
        self.listen.is_unspecified() || self.listen == address
    }

    fn has_origin(&self, origin: &HeaderValue, authority: &Authority) -> bool {
        let Some(origin) = origin.to_str().ok().and_then(|text| Url::parse(text).ok()) else { return false };
        let Some(host) = origin.host().map(|host| host.to_owned()) else { return false };
        let port = |port: Option<u16>| port.or(origin.port_or_known_default());
        let same = Host::parse(authority.host()).is_ok_and(|asked| asked == host)
            && port(authority.port_u16()) == origin.port_or_known_default();
        let base = self.base.as_ref().is_some_and(|base| base.origin() == origin.origin());
        ["http", "https"].contains(&origin.scheme()) && (same || base || is_loopback(&host))
    }
}

fn is_loopback(host: &Host<String>) -> bool {
    match host {
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
        Host::Domain(name) => name.eq_ignore_ascii_case(LOOPBACK_NAME),
    }
}

fn foreign_host() -> Problem {
    let detail = "this server is not reached under that host name; use the address the account page shows, or have the \
                  operator set base_url to it";
    Problem::forbidden("foreign_host", detail)
}

fn foreign_origin() -> Problem {
    let detail = "requests from pages of other websites are refused; connect from the assistant itself";
    Problem::forbidden("foreign_origin", detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(listen: &str) -> Own {
        Own { base: Url::parse("https://leads.example.com").ok(), listen: listen.parse().unwrap() }
    }

    #[test]
    fn only_our_own_names_are_ours() {
        let local = own("127.0.0.1");
        for host in ["leads.example.com", "LEADS.example.com", "localhost", "127.0.0.1", "[::1]"] {
            assert!(local.has_host(host), "{host}");
        }
        for host in
            ["evil.example.com", "example.com", "leads.example.com.evil.com", "192.168.1.5", "", "localhost.evil.com"]
        {
            assert!(!local.has_host(host), "{host}");
        }
        assert!(own("0.0.0.0").has_host("192.168.1.5"));
        assert!(!own("0.0.0.0").has_host("evil.example.com"));
        assert!(own("192.168.1.5").has_host("192.168.1.5"));
    }

    #[test]
    fn a_page_of_ours_may_ask_and_no_other() {
        let check = |origin: &str, host: &str| {
            own("0.0.0.0").has_origin(&HeaderValue::from_str(origin).unwrap(), &host.parse().unwrap())
        };
        assert!(check("https://leads.example.com", "leads.example.com"));
        assert!(check("http://localhost:6274", "127.0.0.1:8080"));
        assert!(check("http://[::1]:6274", "127.0.0.1:8080"));
        assert!(check("http://192.168.1.5:8080", "192.168.1.5:8080"));
        assert!(!check("http://192.168.1.5:3000", "192.168.1.5:8080"));
        assert!(!check("http://leads.example.com", "127.0.0.1:8080"));
        assert!(!check("https://evil.example.com", "leads.example.com"));
        assert!(!check("null", "leads.example.com"));
        assert!(!check("file:///tmp/page.html", "localhost"));
    }
}
