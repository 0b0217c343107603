//! `canvass find`, `canvass work` and `canvass sandbox`: searches without a server, and the world they look at.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::time::{Duration, Instant};

use http::Method;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::support::{Binary, client, send};

#[test]
fn find_shows_what_it_found_in_every_form() {
    let binary = Binary::new();
    let found = binary.json(&["find", "plumbers", "Plainville, Sandbox", "-n", "12", "--min-rating", "3"]);
    assert_eq!(found["search"]["status"], "done", "{found}");
    let leads = found["leads"].as_array().unwrap();
    assert_eq!(leads.len() as i64, found["search"]["leads_found"].as_i64().unwrap());
    assert!(leads.iter().all(|lead| lead["rating"].as_f64().unwrap() >= 3.0));
    assert!(leads.iter().all(|lead| lead["signals"]["score"].is_i64()));

    let again = ["find", "plumbers", "Plainville, Sandbox", "-n", "12", "--min-rating", "3", "--csv", "leads.csv"];
    let output = binary.command(&again).env("COLUMNS", "200").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains(leads[0]["business_name"].as_str().unwrap()) && said.contains("made up"), "{said}");
    let csv = std::fs::read_to_string(binary.folder.path().join("leads.csv")).unwrap();
    assert_eq!(csv.split("\r\n").count(), leads.len() + 2, "a heading, a row each, and an end");
    assert!(csv.starts_with("lead_id,business_name,industry,website,phone,address,"), "{csv}");

    let output = binary.run(&["find", "plumbers", "Plainville, Sandbox", "-n", "3", "--skip-owned", "--csv", "-"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.starts_with("lead_id,"), "{said}");
    assert!(!said.contains(leads[0]["business_id"].as_str().unwrap()), "those found before are skipped");
}

#[test]
fn find_says_what_to_change() {
    let binary = Binary::new();
    for (arguments, said) in [
        (vec!["find", "plumber", "Austn, TX"], "Austin, TX"),
        (vec!["find", "plumber", "Blocktown, Sandbox"], "will not help"),
        (vec!["find", "plumber", "Plainville, Sandbox", "--min-rating", "4", "--max-rating", "3"], "max_rating"),
    ] {
        let error = String::from_utf8(binary.run(&arguments).stderr).unwrap();
        assert!(error.contains(said), "{arguments:?}: {error}");
    }
}

#[test]
fn the_command_that_a_rehearsal_prints_works() {
    for provider in ["google", "overpass", "nominatim"] {
        let binary = Binary::new();
        let mut rehearsal = binary.command(&["rehearse", provider, "--port", "0"]);
        let mut rehearsal = rehearsal.stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(rehearsal.stdout.take().unwrap()).lines();
        let line = lines.map(Result::unwrap).find(|line| line.contains("canvass find")).unwrap();
        let (settings, arguments) = line.trim().split_once(" canvass find ").unwrap();
        let (before, rest) = arguments.split_once(" \"").unwrap();
        let (location, options) = rest.split_once("\" ").unwrap();
        let settings = settings.split(' ').map(|setting| setting.split_once('=').unwrap());
        let mut arguments = vec!["find", before, location];
        arguments.extend(options.split(' '));
        let output = binary.command(&arguments).envs(settings).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains("Leads: 10,"), "{line}: {said} {}", String::from_utf8_lossy(&output.stderr));
        assert!(!said.contains("Websites read: 0,") && said.contains("unreachable: 0."), "{said}");
        assert_eq!(said.contains("was located"), provider != "overpass", "{said}");
        assert_eq!(said.contains(&format!("Calls made to {provider}: ")), provider != "nominatim", "{said}");
        rehearsal.kill().unwrap();
        rehearsal.wait().unwrap();
    }
}

#[test]
fn ctrl_c_keeps_what_was_found() {
    let binary = Binary::new();
    let mut command =
        binary.command(&["find", "plumber", "Slowtown, Sandbox", "-n", "20", "--csv", "leads.csv", "--json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    // The slow provider takes seconds: by then it has found some and not all.
    let begun = Instant::now();
    while !some_lead_is_stored(&binary) {
        assert!(begun.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(20));
    }
    kill_process(Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap(), Signal::INT).unwrap();
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(child.wait().unwrap().success());
    let found: Value = serde_json::from_str(&said).unwrap();
    let leads = found["leads"].as_array().unwrap().len();
    assert_eq!((found["search"]["status"].as_str(), leads > 0 && leads < 20), (Some("cancelled"), true), "{said}");
    let csv = std::fs::read_to_string(binary.folder.path().join("leads.csv")).unwrap();
    assert_eq!(csv.split("\r\n").count(), leads + 2);
}

#[test]
fn a_search_at_the_machine_makes_no_customer_and_the_demo_account_still_comes() {
    let binary = Binary::new();
    assert_eq!(binary.json(&["find", "plumber", "Plainville, Sandbox", "-n", "1"])["search"]["status"], "done");
    assert_eq!(binary.json(&["account", "list"]), serde_json::json!([]));
    let refused = binary.run(&["account", "create", "--email", "Find@localhost"]);
    assert!(String::from_utf8(refused.stderr).unwrap().contains("reserved"));
    let served = binary.serve();
    assert!(served.key().starts_with("cv_live_"));
    let listed = binary.json(&["account", "list"]);
    let emails: Vec<&str> = listed.as_array().unwrap().iter().map(|one| one["email"].as_str().unwrap()).collect();
    assert_eq!(emails, ["demo@example.com"]);
}

#[test]
fn the_table_fits_the_screen() {
    let binary = Binary::new();
    for columns in ["80", "120", "200"] {
        let mut command = binary.command(&["find", "plumber", "Munich, Germany", "-n", "12"]);
        let output = command.env("COLUMNS", columns).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let table: Vec<&str> = said.lines().take(13).collect();
        assert!(table[0].starts_with("Business") && table[0].ends_with("Website"), "{said}");
        for line in table {
            assert!(unicode_width::UnicodeWidthStr::width(line) <= columns.parse().unwrap(), "{columns}: {line}");
        }
    }
    let said = String::from_utf8(binary.run(&["find", "plumber", "Munich, Germany", "-n", "12"]).stdout).unwrap();
    assert!(!said.contains('…'), "whoever reads a pipe wants whole values: {said}");
}

fn some_lead_is_stored(binary: &Binary) -> bool {
    let output = binary.run(&["account", "show", "find@localhost", "--json"]);
    let account: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    account.and_then(|account| account["credits"].as_i64()).is_some_and(|credits| credits < 20)
}

#[tokio::test]
async fn redirects_of_a_sandbox_website_stay_on_the_server() {
    let binary = Binary::new();
    let found = binary.json(&["find", "plumber", "Plainville, Sandbox", "-n", "150", "--has-website"]);
    let served = binary.serve();
    let port = served.base().rsplit(':').next().unwrap();
    drop(client());
    let http = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let mut redirects = 0;
    for lead in found["leads"].as_array().unwrap() {
        let Some(site) = lead["website"].as_str().filter(|site| site.contains(".localhost")) else { continue };
        let name = site.trim_start_matches("http://").split(':').next().unwrap();
        let answer = send(http.get(served.base()).header("Host", format!("{name}:{port}"))).await;
        let target = answer.headers.get("location").map(|value| value.to_str().unwrap().to_owned());
        if let Some(target) = target.filter(|target| target.starts_with("http://")) {
            assert_eq!(target, format!("http://www.{name}:{port}/"));
            redirects += 1;
        }
    }
    assert!(redirects > 0, "some websites redirect to their www name");
}

#[tokio::test]
async fn a_running_server_shows_its_websites_and_their_age_at_once() {
    let binary = Binary::new();
    let served = binary.serve();
    let http = client();
    let ask = async |path: &str, body: Value| {
        let request = http.request(Method::POST, format!("{}{path}", served.base())).header("X-API-Key", served.key());
        send(request.json(&body)).await
    };
    let id = ask(
        "/search/start",
        serde_json::json!({"industry": "plumber", "location": "Changeville, Sandbox", "requested_count": 20}),
    )
    .await;
    let id = id.json()["search_id"].as_str().unwrap().to_owned();
    let get = async |path: &str| {
        send(http.get(format!("{}{path}", served.base())).header("X-API-Key", served.key())).await.json()
    };
    while get(&format!("/searches/{id}")).await["status"] == "running" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let leads = get(&format!("/searches/{id}/leads")).await;
    let websites: Vec<String> = leads
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|lead| {
            let ok = lead["site_status"] == "ok";
            lead["website"].as_str().filter(|_| ok).map(str::to_owned)
        })
        .collect();
    assert!(websites.len() > 5);
    let port = served.base().rsplit(':').next().unwrap();
    assert!(websites.iter().all(|website| website.contains(&format!(".localhost:{port}/"))), "{websites:?}");
    // A browser goes to the name by itself; here the address is ours and the name travels in the header.
    let look = async |website: &str| {
        let host = website.trim_start_matches("http://").trim_end_matches('/').to_owned();
        send(http.get(served.base()).header("Host", host)).await.text
    };
    let mut before = Vec::new();
    for website in &websites {
        before.push(look(website).await);
    }
    assert!(before.iter().all(|page| page.contains('<')));
    assert_eq!(binary.json(&["sandbox", "show"])["age"], 0);
    assert_eq!(binary.json(&["sandbox", "advance", "3"])["age"], 3);
    tokio::time::sleep(Duration::from_millis(60)).await;
    let mut changed = 0;
    for (website, before) in websites.iter().zip(&before) {
        changed += usize::from(&look(website).await != before);
    }
    assert!(changed > 0, "some of the businesses changed their websites");
}
