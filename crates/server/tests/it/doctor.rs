//! `canvass doctor`: finds what is wrong, and says what to do.

mod broken;
mod permissions;

use std::io::{Read, Write};
use std::net::TcpListener;

use serde_json::Value;

use crate::support::Binary;

fn check<'a>(report: &'a Value, name: &str) -> &'a Value {
    report["checks"]
        .as_array()
        .unwrap()
        .iter()
        .find(|check| check["name"] == name)
        .unwrap_or_else(|| panic!("{name} in {report}"))
}

fn examine(binary: &Binary) -> (bool, Value) {
    let output = binary.run(&["doctor", "--json"]);
    (output.status.success(), serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}")))
}

/// A server on the loopback that says one thing to everyone.
fn says(words: &'static str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            // A web server listens first; a mail server speaks first.
            if words.starts_with("HTTP") {
                let _ = stream.read(&mut [0; 4096]);
            }
            let _ = stream.write_all(words.as_bytes());
        }
    });
    port
}

#[test]
fn a_fresh_install_is_well() {
    let binary = Binary::new();
    let (well, report) = examine(&binary);
    assert!(well && report["ok"] == true, "{report}");
    for name in ["settings", "disk", "permissions", "database", "source", "reader", "mail", "ai"] {
        assert_eq!(check(&report, name)["verdict"], "ok", "{report}");
    }
    assert!(!binary.data().exists(), "looking changes nothing");
    binary.json(&["migrate"]);
    let (well, report) = examine(&binary);
    assert!(well, "{report}");
    assert_eq!(check(&report, "ledger")["verdict"], "ok");
}

#[test]
fn a_geocoder_beside_the_sandbox_is_tried() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let binary = Binary::new().set("CANVASS_GEOCODERS", "nominatim,sandbox");
    let binary = binary.set("CANVASS_NOMINATIM_URL", &format!("http://{closed}"));
    let (_, report) = examine(&binary);
    let geocoders = report["checks"].as_array().unwrap().iter().filter(|check| check["name"] == "geocoder");
    let verdicts: Vec<&str> = geocoders.map(|check| check["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["warn", "ok"], "{report}");
}

#[test]
fn a_bad_setting_is_named() {
    let (well, report) = examine(&Binary::new().set("CANVASS_RATE_LIMIT", "many"));
    assert!(!well);
    let says = check(&report, "settings")["says"].as_str().unwrap();
    assert!(says.contains("rate_limit (from CANVASS_RATE_LIMIT)"), "{says}");
}

#[test]
fn what_does_not_answer_is_named_with_advice() {
    // Bound and closed again: nobody listens there.
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let binary = Binary::new()
        .set("CANVASS_SMTP_URL", &format!("smtp://user:hunter2@127.0.0.1:{closed}"))
        .set("CANVASS_AI_BASE_URL", &format!("http://127.0.0.1:{closed}/v1"))
        .set("CANVASS_DATABASE_URL", &format!("postgres://user:hunter2@127.0.0.1:{closed}/leads"));
    let (well, report) = examine(&binary);
    assert!(!well);
    for name in ["mail", "ai", "database"] {
        assert_eq!(check(&report, name)["verdict"], "fail", "{report}");
        assert!(check(&report, name)["advice"].is_string());
    }
    assert!(!report.to_string().contains("hunter2"), "{report}");
}

#[test]
fn what_answers_is_well() {
    let mail = says("220 mail.example ESMTP\r\n");
    let model = says(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 25\r\nconnection: close\r\n\r\n{\"data\":[{\"id\":\"small\"}]}",
    );
    let binary = Binary::new()
        .set("CANVASS_SMTP_URL", &format!("smtp://127.0.0.1:{mail}"))
        .set("CANVASS_AI_BASE_URL", &format!("http://127.0.0.1:{model}/v1"))
        .set("CANVASS_AI_API_KEY", "sk-hunter2")
        .set("CANVASS_AI_MODEL", "small");
    let (well, report) = examine(&binary);
    assert!(well, "{report}");
    assert_eq!(check(&report, "mail")["verdict"], "ok", "{report}");
    assert_eq!(check(&report, "ai")["verdict"], "ok", "{report}");
    assert!(!report.to_string().contains("hunter2"));
    let not_mail = Binary::new().set("CANVASS_SMTP_URL", &format!("smtp://127.0.0.1:{}", says("SSH-2.0-x\r\n")));
    assert_eq!(check(&examine(&not_mail).1, "mail")["verdict"], "fail");
}
