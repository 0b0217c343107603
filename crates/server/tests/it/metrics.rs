//! Metrics: what the server exposes, what the dashboard and the alerts ask for, and what the documents describe.

use std::collections::BTreeSet;
use std::path::Path;

use http::{Method, StatusCode};
use rehearsal::overpass;
use rstest::rstest;
use serde_json::json;

use crate::live::{overpass_at, through};
use crate::support::{Binary, More, On, TestApp, client, send};

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every metric that a text names, without the endings of a histogram's parts.
fn named(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let metric = |word: &str| {
        let whole = ["_bucket", "_sum", "_count"].iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word);
        whole.to_owned()
    };
    words.filter(|word| word.starts_with("canvass_")).map(metric).collect()
}

/// The metrics of a response, by their `# TYPE` lines.
fn exposed(metrics: &str) -> BTreeSet<String> {
    let types = metrics.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next());
    types.map(str::to_owned).collect()
}

/// The value of one line.
fn value(metrics: &str, series: &str) -> f64 {
    let line = metrics.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {series} in {metrics}")).parse().unwrap()
}

/// A free port, for settings that must name one.
fn free_address() -> String {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn the_dashboard_the_alerts_and_the_documents_name_what_is_exposed(#[case] on: On) {
    server::metrics::start("overpass");
    let (_, overpass) = overpass_at(overpass::Options::default()).await;
    let change = |settings: &mut canvass::config::Settings| {
        through(settings, "overpass");
        overpass(settings);
    };
    let test = TestApp::with(on, change, More::default()).await;
    let (_, key) = test.whole_account(100).await;
    test.start(&key, json!({"industry": "dentist", "location": "Georgetown, TX", "requested_count": 3})).await;
    test.start(&key, json!({"industry": "plumber", "location": "Georgetown, TX", "requested_count": 2})).await;
    let before = test.get("/metrics", &key).await.text;
    assert_eq!(value(&before, "canvass_searches{state=\"waiting\"}"), 2.0);
    test.work().await;
    let metrics = test.get("/metrics", &key).await.text;
    assert_eq!(value(&metrics, "canvass_leads_delivered_total"), 5.0);
    assert_eq!(value(&metrics, "canvass_searches_ended_total{status=\"done\"}"), 2.0);
    assert_eq!(value(&metrics, "canvass_search_seconds_count"), 2.0);
    assert!(value(&metrics, "canvass_source_listings_total{source=\"overpass\"}") >= 5.0, "{metrics}");

    let exposed = exposed(&metrics);
    let documents = named(&file("docs/operating.md"));
    for (name, asks) in [
        ("packaging/grafana.json", named(&file("packaging/grafana.json"))),
        ("packaging/alerts.yaml", named(&file("packaging/alerts.yaml"))),
    ] {
        assert!(asks.len() > 5, "{name}");
        assert_eq!(asks.difference(&exposed).collect::<Vec<_>>(), [""; 0], "{name} asks for what is not exposed");
    }
    let ours: BTreeSet<String> = exposed.iter().filter(|name| name.starts_with("canvass_")).cloned().collect();
    assert_eq!(ours.difference(&documents).collect::<Vec<_>>(), [""; 0], "not in docs/operating.md");
    assert_eq!(documents.difference(&ours).collect::<Vec<_>>(), [""; 0], "in docs/operating.md, but not exposed");
}

#[tokio::test]
async fn a_search_is_counted_and_logged_with_its_figures() {
    let binary = Binary::new().set("CANVASS_LOG_FORMAT", "json");
    let served = binary.serve();
    let (base, key) = (served.base().to_owned(), served.key().to_owned());
    let http = client();
    let keyed = |method: Method, path: String| http.request(method, format!("{base}{path}")).header("X-API-Key", &key);
    let body = json!({"industry": "dentist", "location": "Austin, TX", "requested_count": 7});
    let id = send(keyed(Method::POST, "/search/start".into()).json(&body)).await.json()["search_id"].clone();
    let id = id.as_str().unwrap();
    send(keyed(Method::GET, format!("/searches/{id}/events"))).await;
    let search = send(keyed(Method::GET, format!("/searches/{id}"))).await.json();
    let metrics = send(http.request(Method::GET, format!("{base}/metrics"))).await.text;
    assert_eq!(value(&metrics, "canvass_leads_delivered_total"), 7.0);
    let sites = value(&metrics, "canvass_sites_read_total{status=\"ok\"}");
    assert!(sites > 0.0 && value(&metrics, "canvass_pages_read_total") > sites, "{metrics}");
    assert!(value(&metrics, "canvass_page_bytes_read_total") > 1_000.0, "{metrics}");
    assert!(value(&metrics, "canvass_resident_memory_bytes") > 1e6, "{metrics}");
    assert!(!metrics.contains(id) && !metrics.contains("Austin"), "labels hold no one's data");
    let (_, log) = served.stop();
    let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ended: Vec<_> = lines.iter().filter(|line| line["message"] == "a search ended").collect();
    assert_eq!(ended.len(), 1, "{log}");
    let line = ended[0];
    assert_eq!((&line["search.id"], &line["search.status"]), (&json!(id), &json!("done")), "{line}");
    assert_eq!((&line["search.leads"], &line["search.because"]), (&json!(7), &json!("requested_count")), "{line}");
    assert_eq!(line["search.sites_read"], search["coverage"]["sites_read"], "{line}");
    assert!(line["search.seconds"].as_f64().unwrap() > 0.0, "{line}");
}

#[tokio::test]
async fn metrics_can_have_an_address_of_their_own() {
    let address = free_address();
    let binary = Binary::new().set("CANVASS_METRICS_LISTEN", &address);
    let served = binary.serve();
    let http = client();
    let get = |url: String| send(http.request(Method::GET, url));
    let hidden = get(format!("{}/metrics", served.base())).await;
    assert_eq!((hidden.status, hidden.code()), (StatusCode::NOT_FOUND, "not_found".to_owned()));
    let metrics = get(format!("http://{address}/metrics")).await;
    assert_eq!(metrics.status, StatusCode::OK);
    assert!(exposed(&metrics.text).contains("canvass_searches_ended_total"), "{}", metrics.text);
    assert_eq!(get(format!("http://{address}/healthz")).await.status, StatusCode::OK);
    assert_eq!(get(format!("http://{address}/readyz/")).await.status, StatusCode::OK);
    let other = get(format!("http://{address}/me")).await;
    assert_eq!((other.status, other.code()), (StatusCode::NOT_FOUND, "not_found".to_owned()));
    let asked = binary.json(&["health", "--metrics"]);
    assert_eq!((&asked["ok"], &asked["url"]), (&json!(true), &json!(format!("http://{address}/readyz"))));
    let (well, log) = served.stop();
    assert!(well, "{log}");
}

#[tokio::test]
async fn a_worker_can_be_monitored() {
    let address = free_address();
    let binary = Binary::new().set("CANVASS_METRICS_LISTEN", &address);
    let worker = binary.serve_with(&["work", "--json"]);
    // It listens before it says anything more; its first words come just before.
    let metrics = loop {
        match client().get(format!("http://{address}/metrics")).send().await {
            Ok(response) => break response.text().await.unwrap(),
            Err(error) => assert!(error.is_connect(), "{error}"),
        }
    };
    assert_eq!(value(&metrics, "canvass_jobs_running{kind=\"search\"}"), 0.0);
    assert_eq!(binary.json(&["health", "--metrics", "--live"])["ok"], true);
    let (well, log) = worker.stop();
    assert!(well, "{log}");
}
