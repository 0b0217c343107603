//! `canvass places get`: an area is downloaded, killed at any point and taken up again, and a search beyond it says why it finds
//! nothing.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use super::{Seen, any_file, extract, import};
use crate::support::Binary;

/// A release of so many dentists in Helsinki, and the settings to read it.
fn release(dentists: usize) -> (Binary, String) {
    let binary = Binary::new();
    import(&binary, &extract(&binary, "helsinki.osm", dentists));
    let folder = binary.data().join("places/osm").display().to_string();
    (binary.set("CANVASS_SOURCE", "overture"), folder)
}

#[test]
fn a_download_is_searched_like_a_release_and_says_what_it_does_not_cover() {
    let (binary, folder) = release(3_000);
    let got = binary.command(&["places", "get", "Helsinki", "--json"]).env("CANVASS_PLACES", folder).output().unwrap();
    let got: serde_json::Value = serde_json::from_slice(&got.stdout).expect("what was downloaded");
    assert_eq!((&got["area"], &got["places"]), (&"Helsinki, Finland".into(), &3_000.into()));

    let binary = binary.set("CANVASS_PLACES", got["folder"].as_str().unwrap()).set("CANVASS_READ_WEBSITES", "false");
    let found = binary.json(&["find", "dentist", "Helsinki", "-n", "5"]);
    assert_eq!(
        (&found["search"]["leads_found"], &found["search"]["coverage"]["available"]),
        (&5.into(), &3_000.into())
    );
    assert_eq!(found["search"]["coverage"]["notes"], serde_json::json!([]), "{found}");

    let beyond = binary.json(&["find", "dentist", "Tampere", "-n", "5"]);
    let said = "The source overture is a download of Helsinki, Finland alone, and Tampere, Finland lies outside of it; \
                `canvass places get` downloads other areas.";
    assert_eq!(beyond["search"]["coverage"]["notes"], serde_json::json!([said]));
    let shown = binary.run(&["find", "dentist", "Tampere", "-n", "5"]);
    let shown = [shown.stdout, shown.stderr].map(|said| String::from_utf8(said).unwrap()).concat();
    assert!(shown.contains(said), "{shown}");
}

#[test]
fn an_import_says_when_it_has_no_businesses_of_any_kind_in_an_area() {
    let (binary, _) = release(50);
    let binary = binary.set("CANVASS_SOURCE", "osm").set("CANVASS_READ_WEBSITES", "false");
    let notes = |industry: &str, location: &str| {
        binary.json(&["find", industry, location, "-n", "5"])["search"]["coverage"]["notes"].clone()
    };
    let none = ["The source osm has no businesses of any kind in Tampere, Finland."];
    assert_eq!(notes("dentist", "Tampere"), serde_json::json!(none));
    assert_eq!(notes("plumber", "Helsinki"), serde_json::json!([]), "it has others there");
}

#[test]
fn a_download_that_is_killed_goes_on_with_the_same_command() {
    let (binary, folder) = release(120_000);
    let binary = binary.set("CANVASS_PLACES", &folder);
    let whole = binary.json(&["places", "get", "Helsinki", "--to", "whole"]);
    let target = binary.folder.path().join("killed");
    let points: [Seen; 5] = [
        |_| true,
        |folder| any_file(&folder.join("parts"), "run"),
        |folder| folder.join("parts/1.run").is_file(),
        |folder| any_file(&folder.join("import"), "parquet"),
        |folder| folder.join("import/manifest.json").is_file(),
    ];
    for seen in points {
        let mut command = binary.command(&["places", "get", "Helsinki", "--to", "killed"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while !seen(&target) && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let killed = binary.json(&["places", "get", "Helsinki", "--to", "killed"]);
    assert_eq!((&killed["version"], &killed["places"]), (&whole["version"], &whole["places"]));
    assert!(!left(&target, "parts") && !left(&target, "import"), "nothing of the killed ones is left");
    assert_eq!(binary.json(&["places", "verify", target.to_str().unwrap()])["rows"], whole["places"]);
}

fn left(folder: &Path, name: &str) -> bool {
    folder.join(name).exists()
}
