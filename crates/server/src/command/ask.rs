//! Asks the server that runs on this machine, over HTTP.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use anyhow::bail;
use bytes::Bytes;
use http::Request;
use http::header::HOST;
use http_body_util::{BodyExt, Empty, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// How long it may take to answer; readiness takes at most three seconds.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(4);

/// Bytes of an answer; metrics take some dozens of kilobytes.
const ANSWER_BYTES_MAX: usize = 8 << 20;

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
///
/// With a connection of its own, and not with the clients for other servers: those need certificates of authorities to begin
/// with, which a small container lacks.
pub(super) async fn ask(address: SocketAddr, path: &str) -> anyhow::Result<Answer> {
    match timeout(ANSWER_TIME_MAX, exchange(&url_of(address, path))).await {
        Ok(answered) => answered,
        Err(_) => bail!("it did not answer within {} seconds", ANSWER_TIME_MAX.as_secs()),
    }
}

async fn exchange(url: &str) -> anyhow::Result<Answer> {
    let request = Request::get(url).body(Empty::<Bytes>::new())?;
    let authority = request.uri().authority().map(ToString::to_string).unwrap_or_default();
    let (mut sender, connection) = http1::handshake(TokioIo::new(TcpStream::connect(&authority).await?)).await?;
    let driving = tokio::spawn(connection);
    let (mut parts, body) = request.into_parts();
    parts.headers.insert(HOST, authority.parse()?);
    parts.uri = parts.uri.path().parse()?;
    let response = sender.send_request(Request::from_parts(parts, body)).await?;
    let status = response.status().as_u16();
    let body = Limited::new(response.into_body(), ANSWER_BYTES_MAX).collect().await;
    driving.abort();
    let body = body.map_err(|error| anyhow::anyhow!("its answer cannot be read: {error}"))?.to_bytes();
    Ok(Answer { status, body: String::from_utf8_lossy(&body).into_owned() })
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
