//! Pages for people: each is there, and loads nothing from elsewhere.

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
                if address == "data:," {
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
