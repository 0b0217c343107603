//! HTTPS: a valid certificate is accepted, every invalid one is an error with its reason.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use polite_reader::{Freshness, ReaderSettings, SiteReport, SiteStatus};
use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::hostile::Hostile;

/// A TLS server in front of the hostile one, and its certificate.
async fn secured(server: &Hostile, params: CertificateParams) -> (SocketAddr, Vec<u8>) {
    let key = KeyPair::generate().unwrap();
    let certificate = params.self_signed(&key).unwrap();
    let der = certificate.der().to_vec();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let builder = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let config = builder.with_single_cert(vec![CertificateDer::from(der.clone())], key).unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = server.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            if let Ok(mut stream) = acceptor.accept(stream).await {
                server.serve(&mut stream).await;
            }
        }
    });
    (address, der)
}

async fn read(server: &Hostile, params: CertificateParams, trusted: bool) -> Arc<SiteReport> {
    let (address, der) = secured(server, params).await;
    let settings = ReaderSettings {
        trusted_addresses: vec![address, server.address],
        extra_roots: if trusted { vec![der] } else { Vec::new() },
        ..server.settings()
    };
    server.reader_with(settings).read_site(&format!("https://kind.com:{}/", address.port()), Freshness::Fresh).await
}

fn params(name: &str) -> CertificateParams {
    CertificateParams::new(vec![name.to_owned()]).unwrap()
}

#[tokio::test]
async fn a_secure_site_is_read() {
    let server = Hostile::start().await;
    let report = read(&server, params("kind.com"), true).await;
    assert_eq!((report.status, report.pages.len()), (SiteStatus::Ok, 6), "{report:?}");
    assert!(report.url.starts_with("https://"));
}

#[tokio::test]
async fn invalid_certificates_are_errors_with_a_reason() {
    let server = Hostile::start().await;
    let mut expired = params("kind.com");
    expired.not_after = date_time_ymd(2020, 1, 1);
    expired.not_before = date_time_ymd(2019, 1, 1);
    let mut early = params("kind.com");
    early.not_before = date_time_ymd(3000, 1, 1);
    early.not_after = date_time_ymd(3001, 1, 1);
    let cases = [
        ("self-signed", params("kind.com"), false, "UnknownIssuer"),
        ("wrong name", params("other.com"), true, "not valid for name"),
        ("expired", expired, true, "expired"),
        ("not yet valid", early, true, "not valid yet"),
    ];
    for (case, params, trusted, expected) in cases {
        let report = read(&server, params, trusted).await;
        assert_eq!((report.status, report.pages.len()), (SiteStatus::Error, 0), "{case}");
        let detail = report.detail.as_deref().unwrap();
        assert!(detail.starts_with("no secure connection") && detail.contains(expected), "{case}: {detail}");
    }
    assert!(server.seen("kind.com").is_empty());
}

#[tokio::test]
async fn a_plain_server_on_a_secure_port_is_an_error() {
    let server = Hostile::start().await;
    let report =
        server.reader().read_site(&format!("https://kind.com:{}/", server.address.port()), Freshness::Fresh).await;
    assert!(matches!(report.status, SiteStatus::Error | SiteStatus::Timeout), "{report:?}");
}
