//! Malicious DNS: rebinding, mixed answers, private answers; and the sandbox's own names.

use std::collections::VecDeque;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use polite_reader::{Freshness, Reader, ReaderSettings, ResolveError, Resolver, SiteReport, SiteStatus};

use crate::child::{again_as_child, port_from_parent};
use crate::hostile::Hostile;

/// Returns one list of addresses after the other, and the last one forever.
#[derive(Debug)]
struct ScriptedResolver {
    answers: Mutex<VecDeque<Vec<IpAddr>>>,
    asked: Mutex<usize>,
}

impl ScriptedResolver {
    fn new(answers: &[&[&str]]) -> Arc<Self> {
        let parse = |list: &&[&str]| list.iter().map(|ip| ip.parse().unwrap()).collect();
        Arc::new(Self { answers: Mutex::new(answers.iter().map(parse).collect()), asked: Mutex::new(0) })
    }
}

impl Resolver for ScriptedResolver {
    fn addresses<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<Vec<IpAddr>, ResolveError>> {
        *self.asked.lock().unwrap() += 1;
        let mut answers = self.answers.lock().unwrap();
        let next = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() };
        Box::pin(async move { next.ok_or(ResolveError::NoSuchName) })
    }

    fn has_mx<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Option<bool>> {
        Box::pin(async { None })
    }
}

async fn read(settings: ReaderSettings, resolver: Arc<ScriptedResolver>, url: &str) -> Arc<SiteReport> {
    Reader::with_resolver(settings, resolver).unwrap().read_site(url, Freshness::Fresh).await
}

#[tokio::test]
async fn a_name_that_becomes_private_between_requests_is_not_followed() {
    let server = Hostile::start().await;
    // Every page of this site needs a new connection, and so a new answer.
    let resolver = ScriptedResolver::new(&[&["127.0.0.1"], &["169.254.169.254"]]);
    let url = server.url("closes-after-each.com", "/");
    let report = read(server.settings(), Arc::clone(&resolver), &url).await;
    assert_eq!(server.paths("closes-after-each.com"), ["/robots.txt", "/"]);
    assert!(!report.complete);
    let detail = report.detail.as_deref().unwrap();
    assert!(detail.contains("169.254.169.254 is not an address of the public internet"), "{detail}");
}

#[tokio::test]
async fn a_connection_goes_to_the_address_that_was_checked() {
    let server = Hostile::start().await;
    // If the name were resolved a second time for the connection, it would not be reachable.
    let resolver = ScriptedResolver::new(&[&["127.0.0.1"], &["10.0.0.1"]]);
    let report = read(server.settings(), Arc::clone(&resolver), &server.url("kind.com", "/")).await;
    assert_eq!((report.status, report.pages.len()), (SiteStatus::Ok, 6));
    assert_eq!(*resolver.asked.lock().unwrap(), 1);
}

#[tokio::test]
async fn one_private_address_among_public_ones_rules_out_the_name() {
    let server = Hostile::start().await;
    for answers in
        [&["127.0.0.1", "10.0.0.1"], &["10.0.0.1", "127.0.0.1"], &["127.0.0.1", "::1"], &["127.0.0.1", "127.0.0.2"]]
    {
        let report = read(server.settings(), ScriptedResolver::new(&[answers]), &server.url("kind.com", "/")).await;
        assert_eq!(report.status, SiteStatus::Error, "{answers:?}");
        assert!(server.seen("kind.com").is_empty());
    }
}

#[tokio::test]
async fn a_private_answer_is_refused_whatever_the_name() {
    let server = Hostile::start().await;
    let settings = ReaderSettings { trusted_addresses: Vec::new(), ..server.settings() };
    for ip in [
        "127.0.0.1",
        "10.0.0.8",
        "169.254.169.254",
        "::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "fd00:ec2::254",
        "0.0.0.0",
    ] {
        let report = read(settings.clone(), ScriptedResolver::new(&[&[ip]]), "http://shop.com/").await;
        assert_eq!(report.status, SiteStatus::Error, "{ip}");
        assert!(
            report.detail.as_deref().is_some_and(|detail| detail.contains("not an address of the public")),
            "{report:?}"
        );
    }
}

#[tokio::test]
async fn sandbox_names_need_no_resolver_and_reach_no_other_port() {
    let server = Hostile::start().await;
    let resolver = ScriptedResolver::new(&[]);
    let report = read(server.settings(), Arc::clone(&resolver), &server.url("joes-plumbing-4f2a.localhost", "/")).await;
    assert_eq!((report.status, report.pages.len()), (SiteStatus::Ok, 6));
    let other = SocketAddr::new(server.address.ip(), server.address.port().wrapping_add(1));
    let settings = only(&server, other);
    let report = read(settings, Arc::clone(&resolver), &server.url("joes-plumbing-4f2a.localhost", "/")).await;
    assert_eq!((report.status, report.pages.len()), (SiteStatus::Error, 0));
    assert_eq!(*resolver.asked.lock().unwrap(), 0);
}

/// Settings that know this server only as the sandbox's, with a gap too long to wait for.
fn stand_in_settings(server: &Hostile) -> ReaderSettings {
    ReaderSettings {
        host_gap: Duration::from_secs(60),
        trusted_addresses: Vec::new(),
        localhost_at: Some(server.address),
        tag_manager_url: None,
        ..server.settings()
    }
}

#[tokio::test]
async fn every_sandbox_name_is_served_at_the_configured_address_whatever_its_port() {
    let server = Hostile::start().await;
    let resolver = ScriptedResolver::new(&[]);
    for host in ["x.localhost:8080", "y.localhost:9999", "z.localhost"] {
        let report = read(stand_in_settings(&server), Arc::clone(&resolver), &format!("http://{host}/")).await;
        assert_eq!((report.status, report.pages.len()), (SiteStatus::Ok, 6), "{report:?}");
        assert_eq!(report.url, format!("http://{host}/"));
        let seen = server.seen(host.split(':').next().unwrap());
        assert_eq!(seen.len(), 7);
        assert!(seen.iter().all(|seen| seen.head.contains(&format!("Host: {host}\r\n"))), "{seen:?}");
    }
    assert_eq!(*resolver.asked.lock().unwrap(), 0);
}

#[tokio::test]
async fn a_sandbox_site_cannot_lead_to_anything_private() {
    let server = Hostile::start().await;
    for way in ["metadata", "loopback", "localhost", "decimal", "userinfo", "own-port", "own-address"] {
        let host = format!("redirect-{way}-1.localhost");
        let report = read(stand_in_settings(&server), ScriptedResolver::new(&[]), &server.url(&host, "/")).await;
        assert_eq!(report.status, SiteStatus::Error, "{host}");
        let detail = report.detail.as_deref().unwrap_or_default();
        assert!(detail.ends_with("so it was not visited"), "{host}: {detail}");
        assert_eq!(server.paths(&host), ["/robots.txt", "/"], "{host}");
    }
    for host in ["127.0.0.1", "localhost", "169.254.169.254"] {
        assert!(server.paths(host).is_empty(), "{host}");
        let report = read(stand_in_settings(&server), ScriptedResolver::new(&[]), &server.url(host, "/")).await;
        assert_eq!((report.status, server.paths(host).len()), (SiteStatus::Error, 0), "{host}");
    }
}

#[tokio::test]
async fn the_sandbox_address_is_no_exception_for_other_names() {
    let server = Hostile::start().await;
    let report =
        read(stand_in_settings(&server), ScriptedResolver::new(&[&["127.0.0.1"]]), &server.url("kind.com", "/")).await;
    assert_eq!((report.status, server.requests()), (SiteStatus::Error, 0));
    let report = read(stand_in_settings(&server), ScriptedResolver::new(&[&["127.0.0.1"]]), "http://kind.com/").await;
    assert_eq!((report.status, server.requests()), (SiteStatus::Error, 0));
}

#[tokio::test]
async fn robots_rules_of_a_sandbox_site_are_obeyed() {
    let server = Hostile::start().await;
    let report =
        read(stand_in_settings(&server), ScriptedResolver::new(&[]), &server.url("robots-no-1.localhost", "/")).await;
    assert_eq!((report.status, server.paths("robots-no-1.localhost").len()), (SiteStatus::Robots, 1));
    read(stand_in_settings(&server), ScriptedResolver::new(&[]), &server.url("crawl-delay-1.localhost", "/")).await;
    let seen = server.seen("crawl-delay-1.localhost");
    assert_eq!(seen.len(), 7);
    assert!(seen[1..].windows(2).all(|pair| pair[1].at - pair[0].at >= Duration::from_millis(300)));
}

#[tokio::test]
async fn sandbox_sites_are_sites_of_their_own() {
    let server = Hostile::start().await;
    let reader = server.reader();
    let first = reader.read_site(&server.url("a.localhost", "/"), Freshness::Cached).await;
    let second = reader.read_site(&server.url("b.localhost", "/"), Freshness::Cached).await;
    assert!(first.url != second.url && !server.seen("b.localhost").is_empty());
}

#[tokio::test]
async fn proxy_variables_in_the_environment_are_ignored() {
    if let Some(port) = port_from_parent() {
        return read_despite_proxies(port).await;
    }
    let server = Hostile::start().await;
    let mut child = again_as_child("dns::proxy_variables_in_the_environment_are_ignored", &server);
    // Nothing listens there; a client that used the environment would fail.
    for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
        child.env(name, "http://127.0.0.1:9");
    }
    assert!(child.output().await.unwrap().status.success());
    assert_eq!(server.seen("proxied.localhost").len(), 7);
}

/// The child's part, with the proxies in its environment.
async fn read_despite_proxies(port: u16) {
    let settings = ReaderSettings {
        host_gap: Duration::ZERO,
        allowed_addresses: vec![SocketAddr::new("127.0.0.1".parse().unwrap(), port)],
        ..ReaderSettings::default()
    };
    let reader = Reader::new(settings).unwrap();
    let report = reader.read_site(&format!("http://proxied.localhost:{port}/"), Freshness::Fresh).await;
    assert_eq!(report.status, SiteStatus::Ok, "{report:?}");
}

/// Settings that allow one private address, as an operator would write them.
fn only(server: &Hostile, address: SocketAddr) -> ReaderSettings {
    ReaderSettings {
        allowed_addresses: vec![address],
        trusted_addresses: Vec::new(),
        tag_manager_url: None,
        ..server.settings()
    }
}

#[tokio::test]
async fn an_allowed_address_is_read_when_the_listing_names_it() {
    let server = Hostile::start().await;
    for host in ["127.0.0.1", "localhost", "joes.localhost"] {
        let report = read(only(&server, server.address), ScriptedResolver::new(&[]), &server.url(host, "/")).await;
        assert_eq!((report.status, report.pages.len()), (SiteStatus::Ok, 6), "{host}: {:?}", report.detail);
    }
}

#[tokio::test]
async fn no_public_name_leads_to_an_allowed_address() {
    let server = Hostile::start().await;
    let port = server.address.port();
    for url in [format!("http://kind.com:{port}/"), "http://kind.com/".to_owned(), "kind.com".to_owned()] {
        let report = read(only(&server, server.address), ScriptedResolver::new(&[&["127.0.0.1"]]), &url).await;
        assert_eq!((report.status, server.requests()), (SiteStatus::Error, 0), "{url}: {report:?}");
    }
}

#[tokio::test]
async fn no_redirect_leads_to_an_allowed_address() {
    // A model server that the operator allows, and a website on the internet, which a test must trust.
    let (website, model) = (Hostile::start().await, Hostile::start().await);
    let settings = ReaderSettings { allowed_addresses: vec![model.address], ..website.settings() };
    for target in ["127.0.0.1", "localhost", "x.localhost"] {
        let path = format!("/to?{}", model.url(target, "/"));
        let url = website.url("redirect-to.com", &path);
        let report = read(settings.clone(), ScriptedResolver::new(&[&["127.0.0.1"]]), &url).await;
        assert_eq!((report.status, model.requests()), (SiteStatus::Error, 0), "{target}: {report:?}");
        assert_eq!(website.paths("redirect-to.com").last(), Some(&path), "{target}");
    }
    // Nor from one allowed address to another.
    let both =
        ReaderSettings { allowed_addresses: vec![website.address, model.address], ..only(&website, website.address) };
    let url = website.url("redirect-to-1.localhost", &format!("/to?{}", model.url("127.0.0.1", "/")));
    let report = read(both, ScriptedResolver::new(&[]), &url).await;
    assert_eq!((report.status, model.requests()), (SiteStatus::Error, 0), "{report:?}");
}
