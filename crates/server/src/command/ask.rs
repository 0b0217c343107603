//! Asks the server that runs on this machine, over HTTP.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use canvass::outbound;

/// How long it may take to answer; readiness takes at most three seconds.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(4);

/// What the server answered.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: String,
}

impl Answer {
    pub(super) fn is_ok(&self) -> bool {
        self.status == 200
    }
}

/// Where a server that listens on `address` is reached from this machine.
pub(super) fn url_of(address: SocketAddr, path: &str) -> String {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    format!("http://{}{path}", SocketAddr::new(ip, address.port()))
}

/// Asks for `path` at `address`. The error says why there is no answer.
pub(super) async fn ask(address: SocketAddr, path: &str) -> anyhow::Result<Answer> {
    let response = outbound::client(ANSWER_TIME_MAX)?.get(url_of(address, path)).send().await?;
    Ok(Answer { status: response.status().as_u16(), body: response.text().await? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_for_everyone_is_reached_on_this_machine() {
        for (address, expected) in [
            ("0.0.0.0:8080", "http://127.0.0.1:8080/x"),
            ("[::]:80", "http://[::1]:80/x"),
            ("10.0.0.7:9090", "http://10.0.0.7:9090/x"),
        ] {
            assert_eq!(url_of(address.parse().unwrap(), "/x"), expected);
        }
    }
}
