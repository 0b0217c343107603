//! Metrics for Prometheus. Labels hold routes as written in the route table, never addresses or keys.

use std::sync::OnceLock;
use std::time::Duration;

use canvass::db::Db;
use http::{Method, StatusCode};
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use crate::connection::Connections;

const REQUESTS: &str = "canvass_http_requests_total";
const REQUEST_SECONDS: &str = "canvass_http_request_seconds";
const DATABASE_CONNECTIONS: &str = "canvass_database_connections";
const CONNECTIONS: &str = "canvass_http_connections";
const BODY_BYTES: &str = "canvass_request_body_bytes";
const HEARS_OTHERS: &str = "canvass_hears_other_processes";
const BUILD: &str = "canvass_build_info";
/// Upper bounds of the time buckets, in seconds.
const SECONDS_BUCKETS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1.0, 5.0, 30.0];

fn recorder() -> &'static PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE.get_or_init(|| {
        let handle = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Full(REQUEST_SECONDS.to_owned()), &SECONDS_BUCKETS)
            .and_then(PrometheusBuilder::install_recorder)
            .expect("the buckets are not empty, and this is the only recorder of the process");
        describe_counter!(REQUESTS, "Requests answered, by method, route and status");
        describe_histogram!(REQUEST_SECONDS, "Seconds from a request to its answer, by route");
        describe_gauge!(DATABASE_CONNECTIONS, "Database connections of this process, by state");
        describe_gauge!(CONNECTIONS, "Open connections, with and without an accepted key");
        describe_gauge!(BODY_BYTES, "Bytes of unfinished request bodies held");
        describe_gauge!(
            HEARS_OTHERS,
            "1 while changes by other processes on the database are heard, 0 while they are polled for"
        );
        describe_gauge!(BUILD, "Always 1; the label says which version runs");
        gauge!(BUILD, "version" => env!("CARGO_PKG_VERSION")).set(1.0);
        handle
    })
}

/// Installs the recorder and describes the metrics.
pub fn start() {
    recorder();
}

/// Records one finished request.
pub fn request(method: &Method, route: &str, status: StatusCode, elapsed: Duration) {
    let status = [status.as_str().chars().next().unwrap_or('0'), 'x', 'x'].iter().collect::<String>();
    let labels = [("method", method_label(method)), ("route", route.to_owned()), ("status", status)];
    counter!(REQUESTS, &labels).increment(1);
    histogram!(REQUEST_SECONDS, "route" => route.to_owned()).record(elapsed.as_secs_f64());
}

/// Clients may invent methods; only the known ones get a time series of their own.
fn method_label(method: &Method) -> String {
    let known = [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS];
    if known.contains(method) { method.to_string() } else { "other".into() }
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

/// Everything counted so far, in Prometheus's text format.
pub fn render(held: &Held<'_>) -> String {
    let (keyed, keyless) = held.connections.count();
    gauge!(CONNECTIONS, "state" => "keyed").set(keyed as f64);
    gauge!(CONNECTIONS, "state" => "keyless").set(keyless as f64);
    gauge!(BODY_BYTES).set(held.body_bytes as f64);
    gauge!(HEARS_OTHERS).set(f64::from(u8::from(held.hears_others)));
    let (all, idle) = match held.db {
        Db::Sqlite { readers, writer } => (readers.size() + writer.size(), readers.num_idle() + writer.num_idle()),
        Db::Pg(pool) => (pool.size(), pool.num_idle()),
    };
    gauge!(DATABASE_CONNECTIONS, "state" => "idle").set(idle as f64);
    gauge!(DATABASE_CONNECTIONS, "state" => "busy").set(f64::from(all) - idle as f64);
    recorder().run_upkeep();
    recorder().render()
}
