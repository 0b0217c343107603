//! Pages for people: each is there, loads nothing from elsewhere, and shows what strangers wrote as text.

use std::time::Duration;

use canvass::config::Settings;
use canvass::plan::Tier;
use http::{Method, StatusCode};

use crate::support::{Binary, More, On, TestApp, client, send};

#[tokio::test]
async fn every_page_and_what_it_loads_is_served_from_here() {
    let test = TestApp::new(On::Sqlite).await;
    let (_, key) = test.account(Tier::Free, 1).await;
    for page in ["/", "/app", "/docs"] {
        let answer = test.get(page, &key).await;
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (StatusCode::OK, "text/html; charset=utf-8"),
            "{page}"
        );
        let mut loaded = 0;
        for attribute in ["src=\"", "href=\""] {
            for rest in answer.text.split(attribute).skip(1) {
                let address = rest.split('"').next().unwrap();
                if address == "data:," || address.starts_with('#') {
                    continue;
                }
                assert!(address.starts_with('/') && !address.starts_with("//"), "{page} loads {address}");
                assert_eq!(test.get(address, &key).await.status, StatusCode::OK, "{page} loads {address}");
                loaded += 1;
            }
        }
        assert!(loaded >= 2, "{page}");
    }
    for missing in ["/assets/nothing.js", "/docs/index.html", "/docs/..%2fCargo.toml"] {
        assert_eq!(test.get(missing, &key).await.status, StatusCode::NOT_FOUND, "{missing}");
    }
}

#[tokio::test]
async fn the_welcome_page_says_which_source_is_on_and_how_to_switch() {
    let binary = Binary::new();
    let sandbox = binary.serve();
    let page = send(client().get(sandbox.base())).await.text;
    assert!(page.contains("(<code>sandbox</code>)") && page.contains("export CANVASS_SOURCE=overture"), "{page}");
    let places = tempfile::tempdir().unwrap();
    let places = places.path().display().to_string();
    let binary = Binary::new().set("CANVASS_SOURCE", "overture").set("CANVASS_PLACES", &places);
    let overture = binary.serve();
    let page = send(client().get(overture.base())).await.text;
    assert!(page.contains("(<code>overture</code>)") && page.contains("export CANVASS_SOURCE=sandbox"), "{page}");
}

#[tokio::test]
async fn the_web_app_is_one_document_with_files_that_never_change() {
    let test = TestApp::new(On::Sqlite).await;
    let page = test.get("/app", "").await;
    let policy = page.header("content-security-policy");
    assert!(
        policy.starts_with("default-src 'none'") && policy.contains("require-trusted-types-for 'script'"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe") && page.header("cache-control") == "no-cache", "{page:?}");
    for path in ["/app/", "/app/search/019a8546-6d1b-7cc0-b6dd-8f3b5f0c9d11", "/app/welcome", "/app/index.html"] {
        let same = test.get(path, "").await;
        assert_eq!((same.status, &same.text), (StatusCode::OK, &page.text), "{path}");
        assert_eq!(same.header("content-security-policy"), policy, "{path}");
    }
    for (start, kind) in [("src=\"/app/assets/", "text/javascript"), ("href=\"/app/assets/", "text/css")] {
        let name = page.text.split(start).nth(1).unwrap().split('"').next().unwrap();
        let file =
            send(test.request(Method::GET, &format!("/app/assets/{name}")).header("Accept-Encoding", "gzip")).await;
        assert!(file.header("content-type").starts_with(kind), "{name}");
        assert_eq!(file.header("cache-control"), "max-age=31536000, immutable", "{name}");
        assert_eq!(file.header("content-encoding"), "gzip", "{name}");
    }
    assert!(!page.text.contains("<style") && !page.text.contains("style=") && !page.text.contains("onload="));
    assert_eq!(test.get("/app/assets/index-of-an-older-version.js", "").await.status, StatusCode::NOT_FOUND);
}

/// A website of the sandbox.
async fn site(test: &TestApp) -> String {
    let (_, key) = test.whole_account(50).await;
    let body = serde_json::json!({"industry": "plumber", "location": "Austin, TX", "requested_count": 20});
    let id = test.start(&key, body).await;
    test.work().await;
    let leads = test.leads(&key, &id).await;
    let read = leads.iter().find(|lead| lead["site_status"] == "ok").unwrap();
    read["website"].as_str().unwrap().to_owned()
}

fn host(website: &str) -> String {
    website.trim_start_matches("http://").trim_end_matches('/').to_owned()
}

#[tokio::test]
async fn websites_of_the_sandbox_are_not_on_a_port_that_others_reach() {
    let own = TestApp::new(On::Sqlite).await;
    let website = site(&own).await;
    let ask = |test: &TestApp| send(test.request(Method::GET, "/").header("Host", host(&website)));
    assert!(ask(&own).await.text.contains("<html"), "on a private server they are on its own port");
    let public = |settings: &mut Settings| settings.base_url = "https://leads.example.com".parse().ok();
    let everywhere = |settings: &mut Settings| settings.listen = "0.0.0.0:8080".parse().unwrap();
    for change in [&public as &dyn Fn(&mut Settings), &everywhere] {
        let test = TestApp::with(On::Sqlite, change, More::default()).await;
        let answer = ask(&test).await;
        assert!(answer.header("content-security-policy").contains("default-src"), "it is our own page");
        assert!(answer.text.contains("Canvass") && answer.headers.contains_key("x-request-id"), "{answer:?}");
        assert!(site(&test).await.ends_with(".localhost:8081/"), "leads carry the port the websites are on");
    }
}

#[tokio::test]
async fn a_public_server_has_the_websites_on_a_loopback_port_of_their_own() {
    let binary = Binary::new().set("CANVASS_BASE_URL", "http://leads.example.com");
    let served = binary.serve_with(&["serve", "--json", "--listen", "0.0.0.0:0"]);
    let pid = served.pid();
    let ports = listening(pid);
    let [public, sites] = ports.as_slice() else { panic!("{ports:?}") };
    assert_eq!((public.0.as_str(), sites.0.as_str()), ("0.0.0.0", "127.0.0.1"));
    let page = async |port: u16| {
        let request = client().get(format!("http://127.0.0.1:{port}/")).header("Host", "nobody.localhost");
        send(request.timeout(Duration::from_secs(60))).await
    };
    assert!(page(sites.1).await.text.contains("No such website"));
    assert!(!page(public.1).await.text.contains("No such website"));
}

/// The addresses on which a process listens, the widest first.
fn listening(pid: u32) -> Vec<(String, u16)> {
    let folder = std::fs::read_dir(format!("/proc/{pid}/fd")).unwrap();
    let sockets: Vec<String> = folder
        .filter_map(|entry| std::fs::read_link(entry.unwrap().path()).ok())
        .filter_map(|target| Some(target.to_str()?.strip_prefix("socket:[")?.trim_end_matches(']').to_owned()))
        .collect();
    let table = std::fs::read_to_string(format!("/proc/{pid}/net/tcp")).unwrap();
    let mut found = Vec::new();
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split_whitespace().collect();
        if columns[3] == "0A" && sockets.iter().any(|socket| socket == columns[9]) {
            let (address, port) = columns[1].split_once(':').unwrap();
            let bytes = u32::from_str_radix(address, 16).unwrap().to_le_bytes();
            found.push((std::net::Ipv4Addr::from(bytes).to_string(), u16::from_str_radix(port, 16).unwrap()));
        }
    }
    found.sort();
    found
}
