//! `canvass suppress` as a real process.

use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::Binary;

fn said(binary: &Binary, arguments: &[&str]) -> String {
    let output = binary.run(arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn values(binary: &Binary) -> Vec<String> {
    let listed = binary.json(&["suppress", "list"]);
    listed.as_array().unwrap().iter().map(|entry| entry["value"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_business_is_suppressed_on_the_command_line_and_found_no_more() {
    let binary = Binary::new();
    let find = ["find", "dentist", "Plainville, Sandbox", "-n", "3", "--has-website"];
    let found = binary.json(&find);
    let website = found["leads"][1]["website"].as_str().unwrap();
    let domain = website.trim_start_matches("http://").split(':').next().unwrap();
    let told = said(&binary, &["suppress", "add", website, "--note", "asked by mail"]);
    assert_eq!(told, format!("{domain} is suppressed. 1 stored lead was blanked, 0 watches were removed.\n"));
    let told = said(&binary, &["suppress", "add", domain]);
    assert_eq!(
        told,
        format!("{domain} was suppressed already. 0 stored leads were blanked, 0 watches were removed.\n")
    );
    let listed = binary.json(&["suppress", "list"]);
    let entry = &listed[0];
    assert_eq!(
        (&entry["value"], &entry["kind"], &entry["note"]),
        (&json!(domain), &json!("domain"), &json!("asked by mail"))
    );
    assert!(entry["added_at"].as_str().is_some_and(|at| at.starts_with("20")), "{listed}");
    assert!(said(&binary, &["suppress", "list"]).contains("asked by mail"));
    let again = binary.json(&find);
    assert_eq!(again["search"]["coverage"]["filtered"]["suppressed"], 1, "{again}");
    assert!(again["leads"].as_array().unwrap().iter().all(|lead| lead["website"] != website), "{again}");
    let told = said(&binary, &["suppress", "remove", domain]);
    assert_eq!(told, format!("{domain} is off the suppression list. Leads that were blanked stay blanked.\n"));
    assert!(binary.fail(&["suppress", "remove", domain]).contains("not on the suppression list"));
    assert!(said(&binary, &["suppress", "list"]).contains("Nobody is suppressed"));
}

#[test]
fn a_file_is_added_whole_or_not_at_all() {
    let binary = Binary::new();
    let file = binary.folder.path().join("list.txt");
    std::fs::write(
        &file,
        "\u{feff}# asked in October\nada.com\n\nhttps://www.facebook.com/joe\n020 7946 0958\nnot a thing\n",
    )
    .unwrap();
    let refused = binary.fail(&["suppress", "add", "--file", "list.txt", "--country", "GB"]);
    for part in
        ["2 entries cannot be used", "line 4 of list.txt: many businesses share facebook.com", "line 6 of list.txt"]
    {
        assert!(refused.contains(part), "{refused}");
    }
    assert_eq!(binary.json(&["suppress", "list"]), json!([]));
    std::fs::write(&file, "# asked in October\r\nAda.com\r\nada.com\r\n020 7946 0958\r\n").unwrap();
    let told = said(&binary, &["suppress", "add", "joe@gmail.com", "--file", "list.txt", "--country", "GB"]);
    assert!(told.starts_with("3 entries are suppressed, 3 of them new. "), "{told}");
    assert_eq!(values(&binary), ["ada.com", "joe@gmail.com", "+442079460958"]);
    let mut piped = binary.command(&["suppress", "remove", "-", "--json"]);
    let mut child = piped.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"ada.com\n+44 20 7946 0958\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let removed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(removed.as_array().unwrap().len(), 2, "{removed}");
    assert_eq!(values(&binary), ["joe@gmail.com"]);
    assert!(binary.fail(&["suppress", "add", "--file", "missing.txt"]).contains("cannot open missing.txt"));
    assert!(binary.fail(&["suppress", "add", "gmail.com"]).contains("suppress the email address or the phone"));
    assert!(binary.fail(&["suppress", "add", "5550100", "--country", "UK"]).contains("two-letter code"));
    std::fs::write(&file, [0xff, 0xfe, 0x00]).unwrap();
    assert!(binary.fail(&["suppress", "add", "--file", "list.txt"]).contains("UTF-8"));
    std::fs::write(&file, "# nobody\n\n").unwrap();
    assert!(binary.fail(&["suppress", "add", "--file", "list.txt"]).contains("no entry"));
}
