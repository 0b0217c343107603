//! Reads websites over a real socket with polite-reader: every status occurs, as the ground truth says.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use http::Response;
use http_body_util::BodyExt;
use places::Scope;
use polite_reader::{Freshness, Reader, ReaderSettings, SiteReport};
use sandbox::{Behaviour, Body, Broken, Business, Reset, World, respond, serve, test_place};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::support::{SEED, host, trade, with_websites};

/// A served world and a reader for it.
struct Served {
    world: World,
    port: u16,
    age: Arc<AtomicU32>,
    reader: Reader,
    _stop: oneshot::Sender<()>,
}

impl Served {
    async fn start() -> Served {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let world = World::new(SEED);
        let age = Arc::new(AtomicU32::new(0));
        let (stop, stopped) = oneshot::channel::<()>();
        let clock = Arc::clone(&age);
        let stopped = async {
            let _ = stopped.await;
        };
        tokio::spawn(serve(listener, world.clone(), Arc::new(move || clock.load(Ordering::SeqCst)), stopped));
        let settings = ReaderSettings {
            host_gap: Duration::ZERO,
            allowed_addresses: vec![address],
            tag_manager_url: None,
            // Hanging websites are the only slow thing here.
            first_byte_deadline: Duration::from_secs(4),
            site_deadline: Duration::from_secs(20),
            ..ReaderSettings::default()
        };
        Served { world, port: address.port(), age, reader: Reader::new(settings).unwrap(), _stop: stop }
    }

    async fn read(&self, business: &Business) -> Arc<SiteReport> {
        let url = business.website.url(self.port).unwrap_or_default();
        self.reader.read_site(&url, Freshness::Fresh).await
    }

    fn of_place(&self, place: &str, count: usize) -> Vec<Business> {
        let area = test_place(place).unwrap().area(Scope::City);
        self.world.businesses(&area, trade("plumber")).take(count).collect()
    }
}

#[tokio::test]
async fn every_status_matches_the_ground_truth() {
    let served = Served::start().await;
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut businesses = served.of_place("Nastyville, Sandbox", 60);
    businesses.extend(served.of_place("Deadwood, Sandbox", 8));
    for business in &businesses {
        let truth = served.world.truth(business, 0);
        *seen.entry(truth.site_status).or_default() += 1;
    }
    let expected: Vec<&str> =
        vec!["blocked", "dead", "error", "none", "ok", "parked", "robots", "social_only", "timeout"];
    assert_eq!(seen.keys().copied().collect::<Vec<_>>(), expected, "{seen:?}");
    let reads = businesses.iter().map(|business| served.read(business));
    for (business, report) in businesses.iter().zip(futures::future::join_all(reads).await) {
        let truth = served.world.truth(business, 0);
        let stated = (report.status.as_str(), report.detail.as_deref());
        assert_eq!(stated.0, truth.site_status, "{business:?} {stated:?}");
    }
}

#[tokio::test]
async fn ordinary_websites_are_read_completely() {
    let served = Served::start().await;
    let businesses = with_websites(&served.world, 40);
    let reads = businesses.iter().map(|business| served.read(business));
    let reports = futures::future::join_all(reads).await;
    let mut whole = 0;
    for (business, report) in businesses.iter().zip(reports) {
        let truth = served.world.truth(business, 0);
        assert_eq!(report.status.as_str(), truth.site_status, "{business:?} {:?}", report.detail);
        for page in &report.pages {
            let (_, rest) = page.url.split_once("localhost").unwrap();
            let path = rest.split_once('/').map_or("/".to_owned(), |(_, path)| format!("/{path}"));
            let host = page.url["http://".len()..].split(':').next().unwrap();
            let whole = served.world.respond(host, &path, 0).unwrap().body;
            assert!(if page.cut { whole.starts_with(&page.body) } else { whole == page.body }, "{}", page.url);
        }
        whole += usize::from(report.complete && report.pages.len() >= 2);
    }
    assert!(whole >= 30, "{whole} of {}", businesses.len());
}

#[tokio::test]
async fn a_changed_age_takes_effect_immediately() {
    let served = Served::start().await;
    let places = served.of_place("Changeville, Sandbox", 24);
    let business = places.iter().find(|business| !served.world.changes(business, 0, 3).is_empty()).unwrap();
    let before = served.read(business).await;
    served.age.store(3, Ordering::SeqCst);
    let after = served.read(business).await;
    assert_ne!(
        before.pages.iter().map(|page| &page.body).collect::<Vec<_>>(),
        after.pages.iter().map(|page| &page.body).collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn a_flickering_pixel_is_missing_on_every_second_fetch() {
    let world = World::new(SEED);
    let area = test_place("Flickertown, Sandbox").unwrap().area(Scope::City);
    let business = world.businesses(&area, trade("plumber")).find(|business| host(business).is_some()).unwrap();
    let host = host(&business).unwrap();
    assert!(!world.truth(&business, 0).ad_networks.is_empty());
    let mut sizes = Vec::new();
    for _ in 0..4 {
        let response = respond(&world, host, "/", 0).await.unwrap();
        sizes.push(response.headers()["content-length"].to_str().unwrap().parse::<usize>().unwrap());
    }
    assert!(sizes[0] > sizes[1] && sizes[0] == sizes[2] && sizes[1] == sizes[3], "{sizes:?}");
}

/// Responses of websites in a test place until one behaves as wanted, and the time it took by the test's clock.
async fn behaving(place: &str, fits: impl Fn(&Behaviour) -> bool) -> (Duration, Result<Response<Body>, Reset>) {
    let world = World::new(SEED);
    let area = test_place(place).unwrap().area(Scope::City);
    for business in world.businesses(&area, trade("plumber")) {
        let Some(host) = host(&business) else { continue };
        if fits(&world.respond(host, "/", 0).unwrap().behaviour) {
            let started = Instant::now();
            let response = respond(&world, host, "/", 0).await;
            return (started.elapsed(), response);
        }
    }
    panic!("{place} has no such website");
}

#[tokio::test(start_paused = true)]
async fn slow_websites_respond_eventually_and_hanging_ones_do_not() {
    let (took, slow) = behaving("Snailville, Sandbox", |how| matches!(how, Behaviour::Delay(_))).await;
    assert!(took >= Duration::from_millis(300) && slow.unwrap().status() == 200, "{took:?}");
    let (took, hanging) = behaving("Snailville, Sandbox", |how| matches!(how, Behaviour::Hang)).await;
    assert!(took >= Duration::from_secs(60) && hanging.unwrap_err() == Reset, "{took:?}");
    let (_, dripping) = behaving("Snailville, Sandbox", |how| matches!(how, Behaviour::Drip { .. })).await;
    let started = Instant::now();
    let bytes = dripping.unwrap().into_body().collect().await.unwrap().to_bytes();
    assert!(bytes.len() > 4_000 && started.elapsed() >= Duration::from_millis(250));
}

#[tokio::test(start_paused = true)]
async fn endless_bodies_end_and_truncated_ones_break_off() {
    let (_, endless) = behaving("Nastyville, Sandbox", |how| matches!(how, Behaviour::Endless)).await;
    let mut body = endless.unwrap().into_body();
    let mut bytes = 0;
    while let Some(frame) = body.frame().await {
        bytes += frame.unwrap().into_data().unwrap().len();
    }
    assert!((10_000_000..100_000_000).contains(&bytes), "{bytes}");
    let (_, reset) = behaving("Nastyville, Sandbox", |how| matches!(how, Behaviour::Reset)).await;
    assert_eq!(reset.unwrap_err(), Reset);
    let (_, robots) = behaving("Nastyville, Sandbox", |how| matches!(how, Behaviour::Plain)).await;
    let response = robots.unwrap();
    let announced = response.headers()["content-length"].to_str().unwrap().parse::<usize>().unwrap();
    assert_eq!(response.into_body().collect().await.unwrap().to_bytes().len(), announced);
}

#[tokio::test]
async fn a_truncated_page_is_read_as_far_as_it_goes() {
    let served = Served::start().await;
    let mut cut = 0;
    for business in served.of_place("Nastyville, Sandbox", 60) {
        let (truth, Some(host)) = (served.world.truth(&business, 0), host(&business)) else { continue };
        let breaks_off =
            |path: &&String| matches!(served.world.respond(host, path, 0).unwrap().behaviour, Behaviour::Truncate(_));
        let Some(path) = truth.paths.iter().find(breaks_off) else { continue };
        let report = served.read(&business).await;
        let page = report.pages.iter().find(|page| page.url.ends_with(path.as_str())).unwrap();
        let whole = served.world.respond(host, path, 0).unwrap().body;
        assert!(page.cut && !report.complete && whole.starts_with(&page.body) && page.body.len() < whole.len());
        let response = respond(&served.world, host, path, 0).await.unwrap();
        assert_eq!(response.into_body().collect().await.unwrap_err(), Broken);
        cut += 1;
    }
    assert!(cut > 0);
}

#[tokio::test]
async fn an_unknown_host_gets_a_page_that_says_so() {
    let response = respond(&World::new(SEED), "nobody.localhost:8080", "/", 0).await.unwrap();
    assert_eq!(response.status(), 404);
}

#[tokio::test]
async fn the_server_stops_when_told_to() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let idle = tokio::net::TcpStream::connect(address).await.unwrap();
    serve(listener, World::new(SEED), Arc::new(|| 0), async {}).await;
    assert!(tokio::net::TcpStream::connect(address).await.is_err());
    drop(idle);
}
