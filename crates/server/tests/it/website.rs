//! Websites and saved pages on the command line: `canvass read` and `canvass facts`.

use std::io::{Read, Write};
use std::net::TcpListener;

use serde_json::{Value, json};

use crate::support::Binary;

const HOME: &str = r#"<title>Joe's</title><a href="/contact">Contact us</a> <a href="/about">Our team</a>
<a href="https://www.facebook.com/joesplumbing">Facebook</a> <a href="https://www.facebook.com/sharer/sharer.php?u=x">Share</a>
<script src="https://assets.calendly.com/assets/external/widget.js"></script>"#;
const CONTACT: &str = r#"<p>Call <a href="tel:+15125550134">(512) 555-0134</a>,
write to <a href="mailto:joe@joesplumbing.com?subject=Hello">Joe</a></p>"#;
const ABOUT: &str = "<h2>Our team</h2><h3>Joe Miller</h3><p>Owner</p>";

/// A page that tries to clear the screen, to set the title of the window, and to turn text around.
const HOSTILE: &str = r#"<script type="application/ld+json">{"@type": "Dentist",
"name": "Evil\u001b[2J\u001b]0;owned\u0007\u009b31m\u202etxt.exe\u200b",
"address": {"@type": "PostalAddress", "streetAddress": "1 Main\r\nFake: line"}}</script>
<a href="mailto:joe@joesplumbing.com">write</a>"#;

/// Serves a small site on the loopback, and gives its address.
fn site() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 4096];
            let length = stream.read(&mut request).unwrap_or(0);
            let request = String::from_utf8_lossy(&request[..length]).into_owned();
            let path = request.split(' ').nth(1).unwrap_or_default();
            let (status, body) = match path {
                "/" => ("200 OK", HOME),
                "/contact" => ("200 OK", CONTACT),
                "/about" => ("200 OK", ABOUT),
                "/hostile" => ("200 OK", HOSTILE),
                _ => ("404 Not Found", ""),
            };
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all((head + body).as_bytes());
        }
    });
    address
}

#[test]
fn a_website_is_read_and_shown() {
    let address = site();
    let binary = Binary::new().set("CANVASS_ALLOW_ADDRESSES", &address);
    let url = format!("http://{address}/");
    let read = binary.json(&["read", &url]);
    assert_eq!((&read["site_status"], &read["complete"]), (&json!("ok"), &json!(true)), "{read}");
    assert_eq!(read["pages"].as_array().unwrap().len(), 3, "{read}");
    let email = &read["emails"][0];
    assert_eq!(
        (&email["email"], &email["type"], &email["is_primary"]),
        (&json!("joe@joesplumbing.com"), &json!("personal"), &json!(true))
    );
    assert_eq!(email["url"], format!("http://{address}/contact"), "every finding says where it was found");
    assert_eq!(
        (&read["phones"][0]["phone"], &read["people"][0]["name"]),
        (&json!("+15125550134"), &json!("Joe Miller"))
    );
    assert_eq!(read["socials"], json!({"facebook": "https://www.facebook.com/joesplumbing"}));
    assert_eq!(read["signals"]["booking"], "calendly");
    let card = String::from_utf8(binary.run(&["read", &url]).stdout).unwrap();
    for said in ["3 pages read", "joe@joesplumbing.com", "+15125550134", "Joe Miller", "calendly"] {
        assert!(card.contains(said), "{card}");
    }
}

/// What a terminal acts on, and what hides or turns text around.
fn acts(text: &str) -> bool {
    text.contains(|c: char| (c.is_control() && c != '\n') || "\u{202e}\u{200b}\u{2066}\u{feff}".contains(c))
}

#[test]
fn nothing_on_a_page_reaches_the_terminal_as_a_command() {
    let address = site();
    let binary = Binary::new().set("CANVASS_ALLOW_ADDRESSES", &address);
    let url = format!("http://{address}/hostile");
    let card = String::from_utf8(binary.run(&["read", &url]).stdout).unwrap();
    assert!(card.contains("Evil") && !acts(&card), "{card:?}");
    assert!(!card.lines().any(|line| line.trim_start().starts_with("Fake")), "one finding is one line: {card}");
    let output = binary.run(&["read", &url, "--json"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let read: Value = serde_json::from_str(&text).unwrap();
    assert!(!acts(&text) && read["schema_org"]["name"].as_str().unwrap().contains('\u{202e}'), "{text:?}");

    std::fs::write(binary.folder.path().join("hostile.html"), HOSTILE).unwrap();
    let facts = binary.run(&["facts", "hostile.html", "--url", "https://joes.com"]);
    let text = String::from_utf8(facts.stdout).unwrap();
    assert!(text.contains("Evil") && !acts(&text), "{text:?}");
    let missing = binary.fail(&["account", "show", "nobody\u{202e}@example.com"]);
    assert!(!acts(&missing), "{missing:?}");
}

#[test]
fn a_website_of_the_sandbox_is_read_with_and_without_a_server() {
    let binary = Binary::new();
    let found = binary.json(&["find", "dentist", "Plainville, Sandbox", "-n", "1", "--has-email"]);
    let site = found["leads"][0]["website"].as_str().unwrap();
    let email = found["leads"][0]["primary_email"].as_str().unwrap();
    let alone = binary.json(&["read", site]);
    assert_eq!((&alone["site_status"], &alone["emails"][0]["email"]), (&json!("ok"), &json!(email)), "{alone}");
    let served = binary.serve();
    let port = served.base().rsplit(':').next().unwrap();
    let site = site.replace(":8080", &format!(":{port}"));
    assert_eq!(binary.json(&["read", &site])["emails"][0]["email"], email);
    let bare = site.trim_start_matches("http://").trim_end_matches('/');
    assert_eq!(binary.json(&["read", bare])["emails"][0]["email"], email, "as people write it");
}

#[test]
fn a_private_address_is_not_read_unless_it_is_allowed() {
    let address = site();
    let output = Binary::new().run(&["read", &format!("http://{address}/"), "--json"]);
    assert!(!output.status.success());
    let read: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_ne!(read["site_status"], "ok");
    assert!(read["detail"].as_str().unwrap().contains("public internet"), "{read}");
    assert_eq!(read["emails"], json!([]));
}

#[test]
fn saved_pages_give_one_line_each_in_order() {
    let binary = Binary::new();
    let folder = binary.folder.path();
    let mut list = String::new();
    for number in 0..300 {
        let page = format!("<a href='mailto:person{number}@business{number}.com'>write</a>");
        if number % 2 == 0 {
            std::fs::write(folder.join(format!("{number}.html")), page).unwrap();
            list += &format!(
                "{{\"file\": \"{number}.html\", \"url\": \"https://business{number}.com/\", \"kind\": \"x\"}}\n"
            );
        } else {
            let file = std::fs::File::create(folder.join(format!("{number}.html.gz"))).unwrap();
            let mut packed = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
            packed.write_all(page.as_bytes()).unwrap();
            packed.finish().unwrap();
            list += &format!("{{\"file\": \"{number}.html.gz\", \"url\": \"https://business{number}.com/\"}}\n");
        }
    }
    std::fs::write(folder.join("list.jsonl"), list).unwrap();
    let output = binary.run(&["facts", "--jsonl", "list.jsonl"]);
    assert!(output.status.success(), "{output:?}");
    let lines: Vec<Value> =
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 300);
    for (number, line) in lines.iter().enumerate() {
        assert!(line["file"].as_str().unwrap().starts_with(&format!("{number}.html")), "{line}");
        assert_eq!(line["emails"][0]["email"], format!("person{number}@business{number}.com"));
        for member in ["phones", "people", "socials", "signals", "schema_org", "text_length"] {
            assert!(!line[member].is_null(), "{member} in {line}");
        }
    }
}

#[test]
fn a_page_that_cannot_be_read_says_so_on_its_line() {
    let binary = Binary::new();
    std::fs::write(binary.folder.path().join("broken.html.gz"), b"not packed").unwrap();
    std::fs::write(binary.folder.path().join("fine.html"), b"\xff\0<a href=mailto:joe@joes.com>").unwrap();
    let output = binary.run(&["facts", "missing.html", "broken.html.gz", "fine.html", "--url", "https://joes.com"]);
    assert!(!output.status.success());
    let lines: Vec<Value> =
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines[0]["error"].is_string() && lines[1]["error"].is_string(), "{lines:?}");
    assert_eq!(lines[2]["emails"][0]["email"], "joe@joes.com");
    assert!(binary.fail(&["facts"]).contains("--url"));
    std::fs::write(binary.folder.path().join("list.jsonl"), "{\"file\": 3}").unwrap();
    assert!(binary.fail(&["facts", "--jsonl", "list.jsonl"]).contains("line 1 of list.jsonl"));
}

#[test]
fn a_line_of_the_list_may_carry_what_the_listing_knows() {
    let binary = Binary::new();
    let folder = binary.folder.path();
    std::fs::write(folder.join("home.html"), "<p>Call 020 7946 0018</p>").unwrap();
    let lines = [
        json!({"file": "home.html", "url": "https://joes.com/", "region": "GB", "name": "Joe's"}),
        json!({"file": "home.html", "url": "https://joes.com/"}),
    ];
    std::fs::write(folder.join("list.jsonl"), lines.map(|line| line.to_string()).join("\n")).unwrap();
    let phones = |arguments: &[&str]| -> Vec<Value> {
        let output = binary.run(arguments);
        let lines = String::from_utf8(output.stdout).unwrap();
        lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["phones"][0]["phone"].clone()).collect()
    };
    let british = json!("+442079460018");
    assert_eq!(phones(&["facts", "--jsonl", "list.jsonl"])[0], british);
    let both = ["facts", "--jsonl", "list.jsonl", "--region", "GB", "--name", "Joe's"];
    assert_eq!(phones(&both), [british.clone(), british], "the option is for lines without a region");
}

#[test]
fn a_value_is_explained_by_the_rules_that_saw_it() {
    let binary = Binary::new();
    let page = "<link rel=preconnect href=https://widget.intercom.io><a href=https://calendly.com/joes/visit>Book</a>
        <!-- www.tidio.com --><p>Ring the bell at noon.</p>";
    std::fs::write(binary.folder.path().join("home.html"), page).unwrap();
    let explain =
        |value: &str| ["facts", "home.html", "--url", "https://joes.com", "--explain", value].map(str::to_owned);
    let text = |value: &str| {
        let arguments = explain(value);
        let output = binary.run(&arguments.each_ref().map(String::as_str));
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let json = |value: &str| binary.json(&explain(value).each_ref().map(String::as_str));
    assert!(text("calendly").contains("found"), "{}", text("calendly"));
    let refused = json("Intercom");
    let expected = json!({"file": "home.html", "url": "https://joes.com", "finder": "chat", "verdict": "refused",
        "rule": "only a hint to connect early", "text": "Intercom"});
    assert_eq!(refused, json!([expected]));
    assert!(text("tidio").contains("where no rule looks"), "{}", text("tidio"));
    assert!(text("Ring the bell").contains("no rule takes it"), "{}", text("Ring the bell"));
    assert!(text("nobody@joes.com").contains("check the spelling"), "{}", text("nobody@joes.com"));
    assert_eq!(json("nobody@joes.com"), json!([]));
}

#[test]
fn a_robots_file_is_explained_line_by_line() {
    let binary = Binary::new();
    let file = binary.folder.path().join("robots.txt");
    std::fs::write(
        &file,
        "# ours\r\nUser-agent: CanvassReader/0.1.0\r\nCrawl-delay: 2\r\nDisallow: /team # why\r\nAllow: /team/open\r\n",
    )
    .unwrap();
    let file = file.to_str().unwrap();
    let allowed = binary.json(&["robots", file, "/team/open?x=1"]);
    assert_eq!(
        (&allowed["allowed"], &allowed["line"], &allowed["text"]),
        (&json!(true), &json!(5), &json!("Allow: /team/open"))
    );
    assert_eq!(allowed["crawl_delay_seconds"], json!(2.0));
    let output = binary.run(&["robots", file, "https://shop.com/team/joe", "--json"]);
    let refused: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(!output.status.success());
    assert_eq!(
        (&refused["allowed"], &refused["line"], &refused["text"]),
        (&json!(false), &json!(4), &json!("Disallow: /team # why"))
    );
    let other = binary.json(&["robots", file, "/team", "--agent", "OtherBot/2.0"]);
    assert_eq!((&other["allowed"], &other["line"], &other["text"]), (&json!(true), &json!(null), &json!(null)));
    let said = String::from_utf8(binary.run(&["robots", file, "/team"]).stdout).unwrap();
    assert!(said.contains("disallowed") && said.contains("line 4: Disallow: /team"), "{said}");
    assert!(binary.fail(&["robots", file, "team"]).contains("must be a path"));
}

#[test]
fn the_robots_file_of_a_website_is_asked_for_by_the_same_rules_as_its_pages() {
    let address = site();
    let url = format!("http://{address}/about");
    let binary = Binary::new().set("CANVASS_ALLOW_ADDRESSES", &address);
    let answer = binary.json(&["robots", &url, "/contact"]);
    assert_eq!((&answer["allowed"], &answer["line"]), (&json!(true), &json!(null)));
    assert_eq!(answer["source"], format!("http://{address}/robots.txt"));
    assert!(answer["reason"].as_str().unwrap().contains("404"), "{answer}");
    assert!(Binary::new().fail(&["robots", &url, "/contact"]).contains("not an address of the public internet"));
}
