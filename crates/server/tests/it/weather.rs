//! Searches in the weather of the web: the same leads as in calm weather, from websites over HTTPS that take their time.

use std::time::Duration;

use polite_reader::ReaderSettings;
use sandbox::{Reach, Weather, World};
use serde_json::{Value, json};

use crate::support::{Binary, On, Outside, TestApp};

const COUNT: usize = 12;

/// What a lead says, without ids, times and the port of its website.
fn facts(lead: &Value) -> Value {
    let told = |field: &str| lead[field].clone();
    let fields = ["business_name", "site_status", "phone", "address", "hours", "owner_name", "owner_title"];
    let further = ["primary_email", "emails", "socials", "signals"];
    fields
        .into_iter()
        .chain(further)
        .map(|field| (field.to_owned(), told(field)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

async fn leads_in(weather: Weather) -> Vec<Value> {
    // Politeness is for other tests; here it would only take time.
    let reading = ReaderSettings { host_gap: Duration::from_millis(5), ..ReaderSettings::default() };
    let outside = Outside { reading: Some(reading), ..Outside::default() };
    let change = |settings: &mut canvass::config::Settings| settings.sandbox_weather = weather;
    let test = TestApp::assemble(On::Sqlite, change, Default::default(), outside).await;
    let (_, key) = test.whole_account(100).await;
    let request = json!({"industry": "plumber", "location": "Plainville, Sandbox", "requested_count": COUNT});
    let id = test.start(&key, request).await;
    test.work().await;
    test.leads(&key, &id).await
}

#[tokio::test]
async fn a_search_finds_the_same_facts_as_in_calm_weather() {
    let (calm, web) = (leads_in(Weather::Calm).await, leads_in(Weather::Web).await);
    assert_eq!((calm.len(), web.len()), (COUNT, COUNT));
    let world = World::new(canvass::sandbox::SEED).in_weather(Weather::Web);
    let mut read = 0;
    for (calm, web) in calm.iter().zip(&web) {
        let website = web["website"].as_str().unwrap_or_default();
        let Some((host, _)) = website.strip_prefix("https://").and_then(|rest| rest.split_once(":")) else {
            assert_eq!(facts(calm), facts(web));
            continue;
        };
        if world.forecast(host).unwrap().reach == Reach::Answers {
            assert_eq!(facts(calm), facts(web));
            read += usize::from(web["site_status"] == "ok");
        } else {
            assert!(["timeout", "error"].contains(&web["site_status"].as_str().unwrap()), "{web}");
            assert_eq!((&calm["business_name"], &web["emails"]), (&web["business_name"], &json!([])));
        }
    }
    assert!(read > COUNT / 3, "{read} websites were read");
}

#[test]
fn websites_that_another_process_serves_are_read_there() {
    let sites = Binary::new().set("CANVASS_SANDBOX_WEATHER", "web");
    let (ca, requests) = (sites.data().join("ca.pem"), sites.data().join("requests.jsonl"));
    std::fs::create_dir_all(sites.data()).unwrap();
    let paths = [ca.to_str().unwrap(), requests.to_str().unwrap()];
    let arguments = ["sandbox", "serve", "--port", "0", "--ca", paths[0], "--requests", paths[1], "--json"];
    let mut command = sites.command(&arguments);
    let mut serving = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let said = first_value(serving.stdout.take().unwrap());
    let address = said["address"].as_str().unwrap();
    let world = World::new(canvass::sandbox::SEED).in_weather(Weather::Web);
    let area = sandbox::test_place("Plainville, Sandbox").unwrap().area(places::Scope::City);
    let quick = world.businesses(&area, places::category("plumber").unwrap()).find_map(|business| {
        let sandbox::Website::Own { host } = &business.website else { return None };
        let forecast = world.forecast(host)?;
        let is_quick = forecast.first_byte("/robots.txt") + forecast.first_byte("/") < Duration::from_millis(300);
        let is_read = forecast.reach == Reach::Answers && world.truth(&business, 0).site_status == "ok";
        (is_quick && is_read).then(|| host.clone())
    });
    let url = format!("https://{}:{}/", quick.unwrap(), address.rsplit(':').next().unwrap());
    let told = |binary: Binary| binary.set("CANVASS_SANDBOX_WEATHER", "web").set("CANVASS_SANDBOX_SITES", address);
    let trusting = told(Binary::new()).set("CANVASS_SANDBOX_CA", paths[0]).run(&["read", &url, "--json"]);
    let distrusting = told(Binary::new()).run(&["read", &url, "--json"]);
    serving.kill().unwrap();
    serving.wait().unwrap();
    let read: Value = serde_json::from_slice(&trusting.stdout).unwrap();
    assert_eq!(read["site_status"], "ok", "{read}");
    let refused: Value = serde_json::from_slice(&distrusting.stdout).unwrap();
    assert!(refused["detail"].as_str().unwrap().contains("UnknownIssuer"), "{refused}");
    let lines = std::fs::read_to_string(&requests).unwrap();
    assert!(lines.lines().any(|line| line.contains("/robots.txt")), "{lines}");
}

/// The first JSON value that a process prints.
fn first_value(output: impl std::io::Read) -> Value {
    serde_json::Deserializer::from_reader(output).into_iter().next().unwrap().unwrap()
}
