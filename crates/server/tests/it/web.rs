//! Pages for people: each is there, loads nothing from elsewhere, and shows what strangers wrote as text.

use canvass::plan::Tier;
use http::StatusCode;

use crate::support::{On, TestApp};

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
async fn the_account_page_says_how_to_connect_every_assistant() {
    let test = TestApp::new(On::Sqlite).await;
    let (_, key) = test.account(Tier::Free, 1).await;
    let page = test.get("/app", &key).await.text;
    let section = page.split("<section id=\"connector\"").nth(1).unwrap().split("</section>").next().unwrap();
    let hosts = ["Claude, on the web and desktop", "ChatGPT", "Claude Code", "Cursor", "VS Code"];
    assert_eq!(section.matches("<summary>").count(), hosts.len());
    for (host, snippet) in hosts.into_iter().zip(section.split("<summary>").skip(1)) {
        assert!(snippet.starts_with(host), "{host}: {snippet}");
        let text = snippet.split("<pre>").nth(1).unwrap().split("</pre>").next().unwrap();
        assert!(text.contains("{origin}/mcp") && text.contains("{key}"), "{host}: {text}");
    }
    assert!(!page.contains(&key), "the key stays in the tab that knows it");
}

/// The scripts of the account page.
const SCRIPTS: [&str; 4] = ["app.js", "search.js", "ai_key.js", "connector.js"];

#[tokio::test]
async fn the_account_page_runs_nothing_inline_and_writes_no_markup() {
    let test = TestApp::new(On::Sqlite).await;
    let page = test.get("/app", "").await;
    let policy = page.header("content-security-policy");
    assert!(policy.contains("default-src 'self'") && !policy.contains("unsafe"), "{policy}");
    assert!(!page.text.contains("onclick=") && !page.text.contains("onload="), "no handlers in the page");
    assert!(!page.text.contains("<style") && !page.text.contains("style="));
    for inline in page.text.split("<script").skip(1) {
        assert!(inline.starts_with(" src=\"/assets/") && inline.contains("\"></script>"), "{inline:.60}");
    }
    for script in SCRIPTS {
        let text = test.get(&format!("/assets/{script}"), "").await.text;
        for way_in in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "srcdoc"]
        {
            assert!(!text.contains(way_in), "{script} uses {way_in}");
        }
        for named in text.split("byId(\"").skip(1) {
            let id = named.split('"').next().unwrap();
            assert!(page.text.contains(&format!("id=\"{id}\"")), "{script} looks for {id}");
        }
    }
}

#[tokio::test]
async fn whoever_downloads_an_audience_is_told_about_consent() {
    let test = TestApp::new(On::Sqlite).await;
    let page = test.get("/app", "").await.text;
    let downloads = page.find("id=\"downloads\"").unwrap();
    let note = page.find("people on the list consented").unwrap();
    assert!(note > downloads && note - downloads < 400, "the note stands right below what is downloaded");
}
