//! Metrics for Prometheus. Labels hold routes as written in the route table, never addresses or keys.

use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

use canvass::db::Db;
use canvass::measure::{self, Kind, METRICS};
use dashmap::DashMap;
use http::{Method, StatusCode};
use metrics::{Counter, Histogram, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use crate::connection::Connections;

const REQUESTS: &str = "canvass_http_requests_total";
const REQUEST_SECONDS: &str = "canvass_http_request_seconds";
const DATABASE_CONNECTIONS: &str = "canvass_database_connections";
const CONNECTIONS: &str = "canvass_http_connections";
const BODY_BYTES: &str = "canvass_request_body_bytes";
const HEARS_OTHERS: &str = "canvass_hears_other_processes";
const RESIDENT_BYTES: &str = "canvass_resident_memory_bytes";
const BUILD: &str = "canvass_build_info";
/// Upper bounds of the time buckets, in seconds.
const SECONDS_BUCKETS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1.0, 5.0, 30.0];

/// How often samples of histograms are counted.
const COUNT_EVERY: Duration = Duration::from_secs(5);

fn recorder() -> &'static PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE.get_or_init(|| {
        let histograms = METRICS.iter().filter_map(|metric| match metric.kind {
            Kind::Histogram(buckets) => Some((metric.name, buckets)),
            Kind::Counter | Kind::Gauge => None,
        });
        let handle = histograms
            .chain([(REQUEST_SECONDS, &SECONDS_BUCKETS[..])])
            .try_fold(PrometheusBuilder::new(), |builder, (name, buckets)| {
                builder.set_buckets_for_metric(Matcher::Full(name.to_owned()), buckets)
            })
            .and_then(PrometheusBuilder::install_recorder)
            .expect("the buckets are not empty, and this is the only recorder of the process");
        for metric in METRICS {
            match metric.kind {
                Kind::Counter => describe_counter!(metric.name, metric.help),
                Kind::Gauge => describe_gauge!(metric.name, metric.help),
                Kind::Histogram(_) => describe_histogram!(metric.name, metric.help),
            }
        }
        describe_counter!(REQUESTS, "Requests answered, by method, route and status");
        describe_histogram!(REQUEST_SECONDS, "Seconds from a request to its answer, by route");
        describe_gauge!(DATABASE_CONNECTIONS, "Database connections of this process, by state");
        describe_gauge!(CONNECTIONS, "Open connections, with and without an accepted key");
        describe_gauge!(BODY_BYTES, "Bytes of unfinished request bodies held");
        describe_gauge!(
            HEARS_OTHERS,
            "1 while changes by other processes on the database are heard, 0 while they are polled for"
        );
        describe_gauge!(RESIDENT_BYTES, "Bytes of memory that this process occupies");
        describe_gauge!(BUILD, "Always 1; the label says which version runs");
        gauge!(BUILD, "version" => env!("CARGO_PKG_VERSION")).set(1.0);
        handle
    })
}

/// Installs the recorder, describes the metrics, and shows those of the source in use.
pub fn start(source: &str) {
    recorder();
    measure::show_all();
    measure::show_source(source);
}

/// What is counted of the requests to one route, kept so that no request has to look for it by its labels.
struct RouteMetrics {
    seconds: Histogram,
    /// By method and the first digit of the status.
    requests: DashMap<(&'static str, u16), Counter>,
}

impl RouteMetrics {
    fn of(route: &str) -> Arc<RouteMetrics> {
        static ROUTES: LazyLock<DashMap<String, Arc<RouteMetrics>>> = LazyLock::new(DashMap::new);
        let known = ROUTES.get(route).map(|known| known.clone());
        known.unwrap_or_else(|| {
            let seconds = histogram!(REQUEST_SECONDS, "route" => route.to_owned());
            let new = Arc::new(RouteMetrics { seconds, requests: DashMap::new() });
            ROUTES.entry(route.to_owned()).or_insert(new).clone()
        })
    }
}

/// Records one finished request.
pub fn request(method: &'static str, route: &str, status: StatusCode, elapsed: Duration) {
    let metrics = RouteMetrics::of(route);
    metrics.seconds.record(elapsed.as_secs_f64());
    let hundreds = status.as_u16() / 100;
    let counter = metrics.requests.entry((method, hundreds)).or_insert_with(|| {
        let labels = [("method", method.to_owned()), ("route", route.to_owned()), ("status", format!("{hundreds}xx"))];
        counter!(REQUESTS, &labels)
    });
    counter.increment(1);
}

/// A method as metrics, traces and the log show it. Clients may invent methods, and put anything into them: only known ones are
/// shown.
pub fn method_name(method: &Method) -> &'static str {
    const KNOWN: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    KNOWN.into_iter().find(|known| *known == method.as_str()).unwrap_or("other")
}

/// What the server holds at this moment, read when the metrics are asked for.
pub struct Held<'a> {
    /// Whether what other processes commit is heard.
    pub hears_others: bool,
    /// Client connections.
    pub connections: &'a Connections,
    /// Bytes of request bodies that have not been read to their end.
    pub body_bytes: usize,
    /// Whose connections are counted as idle or busy.
    pub db: &'a Db,
}

/// Counts the samples of histograms, for as long as it is polled. Each is kept until then, so this must not wait for somebody to
/// ask for metrics: nobody may ever do so.
pub async fn keep_counting() {
    loop {
        tokio::time::sleep(COUNT_EVERY).await;
        recorder().run_upkeep();
    }
}

/// Everything counted so far, in Prometheus's text format.
pub fn render(held: &Held<'_>) -> String {
    let (keyed, keyless) = held.connections.count();
    gauge!(CONNECTIONS, "state" => "keyed").set(keyed as f64);
    gauge!(CONNECTIONS, "state" => "keyless").set(keyless as f64);
    gauge!(BODY_BYTES).set(held.body_bytes as f64);
    gauge!(HEARS_OTHERS).set(f64::from(u8::from(held.hears_others)));
    let (all, idle) = match held.db {
        Db::Sqlite { readers, writer, .. } => (readers.size() + writer.size(), readers.num_idle() + writer.num_idle()),
        Db::Pg { pool, .. } => (pool.size(), pool.num_idle()),
    };
    gauge!(DATABASE_CONNECTIONS, "state" => "idle").set(idle as f64);
    gauge!(DATABASE_CONNECTIONS, "state" => "busy").set(f64::from(all) - idle as f64);
    if let Some(bytes) = resident_bytes() {
        gauge!(RESIDENT_BYTES).set(bytes as f64);
    }
    recorder().run_upkeep();
    recorder().render()
}

/// Memory that this process occupies, where the system says.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kibibytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.trim().strip_suffix(" kB")?;
    kibibytes.parse::<u64>().ok().map(|kibibytes| kibibytes * 1024)
}
