//! HTTP/2 where a host offers it over TLS, and what hosts do wrong with it.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, Version};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use polite_reader::{Freshness, Reader, ReaderSettings, SiteReport, SiteStatus};
use rcgen::{CertificateParams, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{HandshakeKind, ServerConfig};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::hostile::LoopbackResolver;

/// What a host does once HTTP/2 was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// Speaks it.
    Fluent,
    /// Answers with something else.
    Garbage,
    /// Closes the connection.
    HangsUp,
    /// Neither reads nor answers.
    Silent,
    /// Sends more response headers than anybody needs.
    HeaderBomb,
    /// Speaks HTTP/1.1 only, and closes after every response.
    ClosesEveryTime,
}

/// What a host has seen.
#[derive(Default)]
struct Seen {
    requests: Vec<(Version, String)>,
    handshakes: Vec<HandshakeKind>,
    /// Silent connections that the reader has closed.
    closed: usize,
}

/// A host with a certificate of its own.
struct Host {
    address: SocketAddr,
    certificate: Vec<u8>,
    seen: Arc<Mutex<Seen>>,
}

impl Host {
    async fn start(manner: Manner) -> Host {
        let key = KeyPair::generate().unwrap();
        let certificate = CertificateParams::new(vec!["kind.com".to_owned()]).unwrap().self_signed(&key).unwrap();
        let certificate = certificate.der().to_vec();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let builder = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()));
        let builder = builder.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
        let mut config = builder.with_single_cert(vec![CertificateDer::from(certificate.clone())], key).unwrap();
        config.alpn_protocols = match manner {
            Manner::ClosesEveryTime => vec![b"http/1.1".to_vec()],
            _ => vec![b"h2".to_vec(), b"http/1.1".to_vec()],
        };
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Seen::default()));
        let shared = Arc::clone(&seen);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, seen) = (acceptor.clone(), Arc::clone(&shared));
                tokio::spawn(async move {
                    if let Ok(stream) = acceptor.accept(stream).await {
                        serve(stream, manner, seen).await;
                    }
                });
            }
        });
        Host { address, certificate, seen }
    }

    async fn read(&self) -> Arc<SiteReport> {
        let settings = ReaderSettings {
            host_gap: Duration::ZERO,
            first_byte_deadline: Duration::from_millis(600),
            body_deadline: Duration::from_millis(600),
            site_deadline: Duration::from_secs(5),
            trusted_addresses: vec![self.address],
            extra_roots: vec![self.certificate.clone()],
            tag_manager_url: None,
            ..ReaderSettings::default()
        };
        let reader = Reader::with_resolver(settings, Arc::new(LoopbackResolver)).unwrap();
        reader.read_site(&format!("https://kind.com:{}/", self.address.port()), Freshness::Fresh).await
    }

    fn versions(&self) -> Vec<Version> {
        self.seen.lock().unwrap().requests.iter().map(|(version, _)| *version).collect()
    }
}

async fn serve(mut stream: TlsStream<TcpStream>, manner: Manner, seen: Arc<Mutex<Seen>>) {
    let http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
    seen.lock().unwrap().handshakes.extend(stream.get_ref().1.handshake_kind());
    let service = {
        let seen = Arc::clone(&seen);
        service_fn(move |request| answer(request, manner, Arc::clone(&seen)))
    };
    match manner {
        Manner::Garbage if http2 => drop(stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await),
        Manner::HangsUp if http2 => {}
        Manner::Silent if http2 => {
            // The preface is taken, so that only an end can follow.
            let mut taken = [0; 1024];
            while stream.read(&mut taken).await.is_ok_and(|length| length > 0) {}
            seen.lock().unwrap().closed += 1;
        }
        _ if http2 => {
            let _ = http2::Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await;
        }
        _ => {
            let keep_alive = manner != Manner::ClosesEveryTime;
            let mut builder = http1::Builder::new();
            let _ = builder.keep_alive(keep_alive).serve_connection(TokioIo::new(stream), service).await;
        }
    }
}

async fn answer(
    request: Request<Incoming>,
    manner: Manner,
    seen: Arc<Mutex<Seen>>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let path = request.uri().path().to_owned();
    seen.lock().unwrap().requests.push((request.version(), path.clone()));
    let mut response = Response::builder().header("Content-Type", "text/html");
    if manner == Manner::HeaderBomb && request.version() == Version::HTTP_2 {
        for number in 0..200 {
            response = response.header(format!("x-{number}"), "x".repeat(1_000));
        }
    }
    let body = match path.as_str() {
        "/robots.txt" => return Ok(response.status(404).body(Full::default()).unwrap()),
        "/" => "<a href='/contact'>Contact</a><a href='/about'>About us</a><p>Welcome</p>",
        _ => "<p>Call 512 555 0142</p>",
    };
    Ok(response.body(Full::from(body)).unwrap())
}

#[tokio::test]
async fn a_site_is_read_over_http2_where_it_is_offered() {
    let host = Host::start(Manner::Fluent).await;
    let report = host.read().await;
    assert_eq!((report.status, report.pages.len()), (SiteStatus::Ok, 3), "{report:?}");
    assert_eq!(host.versions(), [Version::HTTP_2; 4]);
    assert_eq!(host.seen.lock().unwrap().handshakes.len(), 1, "one connection for all pages");
}

#[tokio::test]
async fn a_host_that_offers_http2_and_cannot_speak_it_is_read_over_http1() {
    for manner in [Manner::Garbage, Manner::HangsUp, Manner::HeaderBomb] {
        let host = Host::start(manner).await;
        let report = host.read().await;
        assert_eq!((report.status, report.pages.len()), (SiteStatus::Ok, 3), "{manner:?}: {report:?}");
        let over_http1 = host.versions().iter().filter(|version| **version == Version::HTTP_11).count();
        assert!(over_http1 >= 3, "{manner:?}: {:?}", host.versions());
    }
}

#[tokio::test]
async fn a_silent_host_times_out_and_its_connection_is_closed() {
    let host = Host::start(Manner::Silent).await;
    let report = host.read().await;
    assert_eq!(report.status, SiteStatus::Timeout, "{report:?}");
    let opened = host.seen.lock().unwrap().handshakes.len();
    for _ in 0..200 {
        if host.seen.lock().unwrap().closed == opened {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{} of {opened} connections were closed", host.seen.lock().unwrap().closed);
}

#[tokio::test]
async fn a_host_that_closes_every_connection_resumes_its_tls_session() {
    let host = Host::start(Manner::ClosesEveryTime).await;
    let report = host.read().await;
    assert_eq!((report.status, report.pages.len()), (SiteStatus::Ok, 3), "{report:?}");
    let handshakes = host.seen.lock().unwrap().handshakes.clone();
    assert_eq!(handshakes[0], HandshakeKind::Full);
    assert!(
        handshakes.len() == 4 && handshakes[1..].iter().all(|kind| *kind == HandshakeKind::Resumed),
        "{handshakes:?}"
    );
}
