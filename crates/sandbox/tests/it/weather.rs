//! Websites over HTTPS in the weather of the web, read with polite-reader.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use places::Scope;
use polite_reader::{Freshness, Reader, ReaderSettings, SiteReport};
use sandbox::{Authority, Business, Reach, SecureSites, ServedRequest, Weather, World, test_place};
use tokio::net::TcpListener;

use crate::support::{SEED, host, trade};

/// A request that was seen: its kind, host and path.
type Seen = (&'static str, String, String);

/// A world served over HTTPS.
struct Served {
    world: World,
    address: SocketAddr,
    authority: Authority,
    /// Reach, host and path of every request.
    seen: Arc<Mutex<BTreeSet<Seen>>>,
}

impl Served {
    async fn start() -> Served {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let world = World::new(SEED).in_weather(Weather::Web);
        let authority = Authority::new().unwrap();
        let seen = Arc::new(Mutex::new(BTreeSet::new()));
        let noted = Arc::clone(&seen);
        let observer = Arc::new(move |served: &ServedRequest<'_>| {
            let reach = match served.reach {
                Reach::Answers => "answers",
                Reach::Silent => "silent",
                Reach::Resets => "resets",
            };
            noted.lock().unwrap().insert((reach, served.host.to_owned(), served.path.to_owned()));
        });
        let sites = SecureSites::new(world.clone(), Arc::new(|| 0), &authority).unwrap().observed_by(observer);
        tokio::spawn(sites.serve(listener, std::future::pending()));
        Served { world, address, authority, seen }
    }

    /// Reads a website, trusting these authorities.
    async fn read(&self, business: &Business, roots: Vec<Vec<u8>>) -> Arc<SiteReport> {
        let settings = ReaderSettings {
            localhost_at: Some(self.address),
            extra_roots: roots,
            tag_manager_url: None,
            ..ReaderSettings::default()
        };
        let url = format!("https://{}:{}/", host(business).unwrap(), self.address.port());
        Reader::new(settings).unwrap().read_site(&url, Freshness::Fresh).await
    }

    fn trusted(&self) -> Vec<Vec<u8>> {
        vec![self.authority.der().to_vec()]
    }

    /// The first business of an ordinary town whose website is as wanted.
    fn business(&self, fits: impl Fn(&World, &Business, &str) -> bool) -> Business {
        let area = test_place("Crowdville, Sandbox").unwrap().area(Scope::City);
        let mut businesses = self.world.businesses(&area, trade("plumber"));
        businesses.find(|business| host(business).is_some_and(|host| fits(&self.world, business, host))).unwrap()
    }

    /// A business whose website is in order and quick, so that no test waits long.
    fn quick(&self) -> Business {
        self.business(|world, business, host| {
            let (truth, forecast) = (world.truth(business, 0), world.forecast(host).unwrap());
            let waits: Duration = truth.paths.iter().map(|path| forecast.first_byte(path)).sum();
            let is_quick = waits + forecast.first_byte("/robots.txt") < Duration::from_secs(2);
            forecast.reach == Reach::Answers && truth.site_status == "ok" && is_quick
        })
    }

    fn saw(&self, reach: &'static str, business: &Business, path: &str) -> bool {
        let name = host(business).unwrap();
        self.seen.lock().unwrap().iter().any(|(how, host, at)| *how == reach && host.starts_with(name) && at == path)
    }
}

#[tokio::test]
async fn websites_are_read_over_https_by_those_who_trust_the_authority() {
    let served = Served::start().await;
    let business = served.quick();
    let report = served.read(&business, served.trusted()).await;
    assert_eq!(report.status.as_str(), "ok", "{:?}", report.detail);
    assert!(report.pages.len() >= 2 && report.pages.iter().all(|page| page.url.starts_with("https://")));
    for page in &report.pages {
        let (_, rest) = page.url.split_once("localhost").unwrap();
        let path = rest.split_once('/').map_or("/".to_owned(), |(_, path)| format!("/{path}"));
        let calm = World::new(SEED).respond(host(&business).unwrap(), &path, 0).unwrap();
        assert_eq!(calm.body, page.body, "the same bytes as in calm weather: {}", page.url);
        assert!(served.saw("answers", &business, &path), "{path}");
    }
    assert!(served.saw("answers", &business, "/robots.txt"));
}

#[tokio::test]
async fn those_who_do_not_trust_the_authority_read_nothing() {
    let served = Served::start().await;
    let business = served.quick();
    for roots in [Vec::new(), vec![Authority::new().unwrap().der().to_vec()]] {
        let report = served.read(&business, roots).await;
        let detail = report.detail.as_deref().unwrap_or_default();
        assert!(report.pages.is_empty() && detail.starts_with("no secure connection"), "{detail}");
    }
    assert!(served.seen.lock().unwrap().is_empty());
}

#[tokio::test]
async fn some_websites_reset_connections_and_some_are_silent() {
    let served = Served::start().await;
    let with = |reach| served.business(|world, _, host| world.forecast(host).unwrap().reach == reach);
    let (resets, silent) = (with(Reach::Resets), with(Reach::Silent));
    let (reset, timed_out) =
        tokio::join!(served.read(&resets, served.trusted()), served.read(&silent, served.trusted()));
    assert_eq!((reset.status.as_str(), reset.pages.len()), ("error", 0), "{:?}", reset.detail);
    assert_eq!((timed_out.status.as_str(), timed_out.pages.len()), ("timeout", 0), "{:?}", timed_out.detail);
    assert!(served.saw("resets", &resets, "") && served.saw("silent", &silent, ""));
}

#[test]
fn redirects_stay_on_https() {
    let calm = World::new(SEED);
    let web = calm.clone().in_weather(Weather::Web);
    let area = test_place("Crowdville, Sandbox").unwrap().area(Scope::City);
    let location = |world: &World, host: &str| {
        let response = world.respond(host, "/", 0).unwrap();
        response.headers.into_iter().find(|(name, _)| *name == "location").map(|(_, target)| target)
    };
    let hosts = calm.businesses(&area, trade("plumber")).take(200).filter_map(|one| host(&one).map(str::to_owned));
    let to_www: Vec<String> =
        hosts.filter(|host| location(&calm, host).is_some_and(|target| target.starts_with("http://www."))).collect();
    assert!(!to_www.is_empty());
    for host in to_www {
        assert_eq!(location(&web, &host), Some(format!("https://www.{host}/")));
    }
}

#[test]
fn the_weather_changes_no_business_and_calm_weather_has_no_forecast() {
    let calm = World::new(SEED);
    let web = calm.clone().in_weather(Weather::Web);
    let area = test_place("Crowdville, Sandbox").unwrap().area(Scope::City);
    let first = |world: &World| world.businesses(&area, trade("plumber")).take(50).collect::<Vec<_>>();
    assert_eq!(first(&calm), first(&web));
    assert!(calm.forecast("a.localhost").is_none() && web.forecast("a.localhost").is_some());
}
