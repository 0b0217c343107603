//! The pace and the slots of providers, kept by real processes that share a database; what the rehearsal saw is the proof.

use std::time::Duration;

use http::StatusCode;
use rehearsal::{nominatim, overpass};
use rstest::rstest;
use serde_json::json;
use tokio::time::Instant;

use super::{serve, world};
use crate::support::{Answer, On, Served, Stored, client, send};

/// Servers that share a database.
const SERVERS: usize = 3;
/// How long a query takes: several times the interval between two, so that more than the slots would be under way without them.
const QUERY_TIME: Duration = Duration::from_secs(4);
/// How often the test looks whether a search has ended.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// Queries that may be under way at an Overpass server.
const SLOTS: usize = 2;

/// Real servers on one database, and a key for all of them.
fn start(stored: &Stored) -> (Vec<Served>, String) {
    let account = ["account", "create", "--email", "ada@example.com", "--tier", "scale", "--credits", "1000"];
    stored.binary.json(&account);
    let key = stored.binary.json(&["key", "create", "--email", "ada@example.com", "--name", "test"]);
    ((0..SERVERS).map(|_| stored.binary.serve()).collect(), key["key"].as_str().unwrap().to_owned())
}

/// The most requests that were under way at once.
fn most_at_once(spans: &[(Instant, Instant)]) -> usize {
    let at = |moment: Instant| spans.iter().filter(|(from, to)| *from <= moment && moment < *to).count();
    spans.iter().map(|(from, _)| at(*from)).max().unwrap_or(0)
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_that_share_a_database_ask_nominatim_at_most_once_a_second(#[case] on: On) {
    let rehearsal = nominatim::Rehearsal::new(world(), nominatim::Options::default());
    let base = serve(rehearsal.router()).await;
    let Stored { binary, url } = Stored::new(on).await;
    let binary = binary.set("CANVASS_GEOCODERS", "nominatim").set("CANVASS_NOMINATIM_URL", base.as_str());
    let stored = Stored { binary, url };
    let (servers, key) = start(&stored);
    let http = client();
    let ask = async |server: &str, number: usize| -> Answer {
        let query = format!("industry=dentist&location={number}00+Main+St,+Georgetown,+TX&radius_miles=5");
        send(http.get(format!("{server}/search/quote?{query}")).header("X-API-Key", &key)).await
    };
    let asked = (0..2 * SERVERS).map(|number| ask(servers[number % SERVERS].base(), number + 1));
    for answer in futures::future::join_all(asked).await {
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        assert!(answer.text.contains("by nominatim"), "{}", answer.text);
    }
    let mut starts: Vec<Instant> = rehearsal.log().iter().map(|request| request.started).collect();
    starts.sort();
    assert_eq!(starts.len(), 2 * SERVERS, "each address is asked for once");
    let least = starts.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap();
    assert!(least >= Duration::from_secs(1), "two requests within a second: {least:?}");
    let agents =
        rehearsal.log().iter().all(|one| one.user_agent.as_deref().is_some_and(|it| it.starts_with("canvass/")));
    assert!(agents, "every request says who asks");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_that_share_a_database_keep_to_the_slots_of_overpass(#[case] on: On) {
    // A server that would take any number of queries, and says so: only Canvass's own count keeps them to the setting.
    let options =
        overpass::Options { work: QUERY_TIME, status: overpass::StatusPage::Unlimited, ..overpass::Options::default() };
    let rehearsal = overpass::Rehearsal::new(world(), options);
    let base = serve(rehearsal.router()).await.join("api/").unwrap();
    let Stored { binary, url } = Stored::new(on).await;
    let binary = binary
        .set("CANVASS_SOURCE", "overpass")
        .set("CANVASS_OVERPASS_URL", base.as_str())
        .set("CANVASS_OVERPASS_SLOTS", &SLOTS.to_string())
        .set("CANVASS_GEOCODERS", "none")
        .set("CANVASS_RUNNING_SEARCHES", "20")
        .set("CANVASS_READ_WEBSITES", "false");
    let stored = Stored { binary, url };
    let (servers, key) = start(&stored);
    let http = client();
    let begin = async |server: &str, town: &str| {
        let body = json!({"industry": "dentist", "location": format!("{town}, TX"), "requested_count": 50});
        let started = send(http.post(format!("{server}/search/start")).header("X-API-Key", &key).json(&body)).await;
        assert_eq!(started.status, StatusCode::OK, "{started:?}");
        (server.to_owned(), started.json()["search_id"].as_str().unwrap().to_owned())
    };
    let towns = ["Georgetown", "Pflugerville", "Leander", "Kyle", "Lockhart"];
    let begun = towns.iter().enumerate().map(|(number, town)| begin(servers[number % SERVERS].base(), town));
    let searches = futures::future::join_all(begun).await;
    for (server, id) in &searches {
        let ask = || send(http.get(format!("{server}/searches/{id}")).header("X-API-Key", &key));
        let mut search = ask().await.json();
        while search["status"] == "running" {
            tokio::time::sleep(LOOK_EVERY).await;
            search = ask().await.json();
        }
        assert_eq!(search["status"], "done", "{search}");
    }
    let log = rehearsal.log();
    let queries = log.iter().filter(|request| request.kind == overpass::RequestKind::Query);
    let spans: Vec<(Instant, Instant)> = queries.map(|query| (query.started, query.ended.unwrap())).collect();
    assert!(spans.len() >= searches.len(), "{log:?}");
    let most = most_at_once(&spans);
    println!("{} queries of {SERVERS} servers, at most {most} at once", spans.len());
    assert!(most <= SLOTS, "{most} queries were under way at once");
}
