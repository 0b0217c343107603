//! A file read back is what the JSON says, whatever names businesses have and whoever reads it.

use std::sync::Arc;

use canvass::exports::Shape;
use rstest::rstest;
use serde_json::{Value, json};

use super::{PAYLOADS, cell, columns, found, meant, searched};
use crate::support::{On, Scripted, TestApp, by_the_letter, csv_lines, csv_rows, listing};

/// Names that a careless writer or reader of CSV loses something of.
const HOSTILE: [&str; 14] = [
    " leading and trailing ",
    "\ttab",
    "comma, semicolon; pipe|",
    "one \"quote\", two \"\" quotes",
    "\"",
    "\"\"",
    "line\nfeed",
    "carriage\rreturn",
    "both\r\nof them\r\n",
    "ends in a comma,",
    "ends in a quote\"",
    "Zoë's Café № 5 李小龙 🦷",
    "\u{feff}mark",
    "back\\slash \\\" and 'apostrophe'",
];

/// What a lead in JSON says of a column of the full export.
fn said(lead: &Value, column: &str) -> String {
    let basic = &lead["signals"]["basic"];
    let of_emails = |field: &str| {
        let emails = lead["emails"].as_array().unwrap().iter();
        emails.map(|email| cell(&email[field])).collect::<Vec<_>>().join("; ")
    };
    let networks = ["facebook", "instagram", "linkedin", "x", "youtube", "tiktok"];
    match column {
        "emails" => of_emails("email"),
        "email_types" => of_emails("type"),
        "email_confidences" => of_emails("confidence"),
        "signals_detected" => cell(&basic["detected"]),
        "premium_locked" => "false".into(),
        "score" => cell(&lead["signals"]["score"]),
        "reasons" => {
            let reasons = lead["signals"]["reasons"].as_array().unwrap().iter();
            let one = |reason: &Value| {
                format!("{} ({:+})", reason["reason"].as_str().unwrap(), reason["points"].as_i64().unwrap())
            };
            reasons.map(one).collect::<Vec<_>>().join("; ")
        }
        "other_socials" => {
            let all = lead["socials"].as_object().unwrap().iter();
            let others = all.filter(|(network, profile)| !networks.contains(&network.as_str()) && profile.is_string());
            others.map(|(network, profile)| format!("{network}: {}", cell(profile))).collect::<Vec<_>>().join("; ")
        }
        _ if networks.contains(&column) => cell(&lead["socials"][column]),
        _ if basic.get(column).is_some() => cell(&basic[column]),
        _ => cell(lead.get(column).unwrap_or_else(|| panic!("no {column} in {lead}"))),
    }
}

/// Asserts that every cell of a full export is what the leads say.
async fn assert_same(test: &TestApp, key: &str, id: &str) -> Vec<Value> {
    let leads = test.leads(key, id).await;
    let export = test.get(&format!("/searches/{id}/export"), key).await;
    assert_eq!(export.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(columns(&export.text), Shape::Full.columns().join(","));
    let lines = csv_lines(&export.text);
    assert_eq!(lines.len(), leads.len());
    for (line, lead) in lines.iter().zip(&leads) {
        for column in Shape::Full.columns() {
            assert_eq!(meant(&line[column]), said(lead, column), "{column} of {lead}");
        }
    }
    leads
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn an_export_read_back_is_what_the_leads_are(#[case] on: On) {
    let (test, key, id) = searched(on, 60).await;
    let leads = assert_same(&test, &key, &id).await;
    assert!(leads.iter().any(|lead| lead["emails"].as_array().unwrap().len() > 1), "some lead has two emails");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn an_export_of_hostile_names_read_back_is_what_the_leads_are(#[case] on: On) {
    let named = |(number, name): (usize, &&str)| {
        let mut listing = listing(number);
        listing.name = (*name).to_owned();
        listing.address.street = Some((*name).to_owned());
        listing.address.city = Some((*name).to_owned());
        listing
    };
    let names: Vec<&str> = HOSTILE.into_iter().chain(PAYLOADS).collect();
    let (test, key, id) = found(on, names.iter().enumerate().map(named).collect()).await;
    let leads = assert_same(&test, &key, &id).await;
    assert_eq!(leads.len(), names.len());
    for (lead, name) in leads.iter().zip(names) {
        assert_eq!(lead["business_name"], name, "nothing is lost on the way in");
    }
}

#[tokio::test]
async fn a_file_without_leads_is_its_columns() {
    let test = TestApp::listing(On::Sqlite, Arc::new(Scripted::of(0))).await;
    let (_, key) = test.whole_account(10).await;
    let id = test.start(&key, json!({"industry": "plumber", "location": "Plainville, Sandbox"})).await;
    test.work().await;
    let export = test.get(&format!("/searches/{id}/export"), &key).await;
    assert_eq!(export.text, format!("{}\r\n", Shape::Full.columns().join(",")));
}

#[test]
fn the_strict_reader_refuses_what_the_rfc_does() {
    for wrong in ["a,b\n", "a", "a\"b\r\n", "\"a\"b\r\n", "\"a\r\n", "\"\"\r\n", "a,b\r\nc\r\n", "a\rb\r\n"] {
        assert!(by_the_letter(wrong).is_err(), "{wrong:?}");
    }
    let right = "a, b ,\r\n\"x\"\"y\",\"1\r\n2\",\"c,d\"\r\n";
    assert_eq!(by_the_letter(right).unwrap(), [["a", " b ", ""], ["x\"y", "1\r\n2", "c,d"]]);
}

#[test]
fn hostile_cells_are_read_back_by_every_reader() {
    let cells: Vec<&str> = HOSTILE.into_iter().chain(PAYLOADS).chain(["", " ", "plain"]).collect();
    let columns = canvass::exports::line(cells.iter().map(|_| "column"));
    let file = columns + &canvass::exports::line(&cells);
    #[expect(
        clippy::disallowed_methods,
        reason = "for trying the file in a spreadsheet by hand; no setting of Canvass"
    )]
    if let Ok(path) = std::env::var("TEST_CSV_OUT") {
        std::fs::write(path, &file).unwrap();
    }
    let rows = csv_rows(&file);
    for (read, cell) in rows[1].iter().zip(cells) {
        assert_eq!(meant(read), cell, "{read:?}");
    }
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config { failure_persistence: None, ..Default::default() })]
    #[test]
    fn whatever_a_cell_holds_is_read_back(cells in proptest::collection::vec(".*|[=+@,;\"'\r\n\t -]*", 2..6)) {
        // A mark at the very beginning is a file's, not a cell's: columns stand there.
        let columns = canvass::exports::line(cells.iter().map(|_| "column"));
        let line = columns + &canvass::exports::line(&cells);
        let rows = by_the_letter(&line).unwrap();
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
        let by_library: Vec<Vec<String>> =
            reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
        assert_eq!(rows, by_library);
        assert_eq!((rows.len(), rows[1].len()), (2, cells.len()), "{line:?}");
        for (read, cell) in rows[1].iter().zip(&cells) {
            let cell = cell.replace('\0', "");
            assert_eq!(meant(read), cell, "{read:?}");
            assert!(!read.starts_with(['=', '@', '\t', '\r', '＝', '＠']), "{read:?}");
        }
    }
}
