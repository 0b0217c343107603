//! `canvass places`: imports through the real binary, and what remains of one that is killed.

mod get;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::support::Binary;

/// An OpenStreetMap extract with so many dentists around Helsinki, and one café without a name.
fn extract(binary: &Binary, name: &str, dentists: usize) -> PathBuf {
    let mut xml = String::from("<?xml version='1.0'?><osm version='0.6'>\n");
    for number in 1..=dentists {
        let shift = number as f64 / dentists as f64 / 20.0;
        let (latitude, longitude) = (60.15 + shift, 24.92 + shift);
        let _ = writeln!(
            xml,
            "<node id='{number}' lat='{latitude:.7}' lon='{longitude:.7}'><tag k='amenity' v='dentist'/>\
             <tag k='name' v='Dentist {number}'/><tag k='website' v='https://d{number}.example'/><tag k='addr:country' v='FI'/></node>"
        );
    }
    xml.push_str("<node id='900000001' lat='60.17' lon='24.94'><tag k='amenity' v='cafe'/></node></osm>");
    let path = binary.folder.path().join(name);
    std::fs::write(&path, xml).unwrap();
    path
}

/// Imports a file, and gives what is listed of it then.
fn import(binary: &Binary, file: &Path) -> Value {
    let imported = binary.json(&["places", "import", "osm", file.to_str().unwrap()]);
    let listed = binary.json(&["places", "list"])[0].clone();
    assert_eq!(imported["version"], listed["version"]);
    listed
}

#[test]
fn an_extract_is_imported_listed_shown_checked_and_removed() {
    let binary = Binary::new();
    let file = extract(&binary, "helsinki.osm", 3_000);
    assert_eq!(binary.json(&["places", "list"]), serde_json::json!([]));
    let dry = binary.json(&["places", "import", "osm", "helsinki.osm", "--dry-run"]);
    assert_eq!((&dry["rows"], &dry["dry_run"]), (&3_000.into(), &true.into()));
    assert!(!binary.data().exists(), "a dry run writes nothing");

    let said = binary.run(&["places", "import", "osm", "helsinki.osm"]);
    let said = String::from_utf8(said.stdout).unwrap();
    assert!(said.starts_with("Businesses imported from helsinki.osm as \"osm\": 3,000 ("), "{said}");
    assert!(said.contains("Left out, ") && said.contains("n900000001"), "{said}");
    assert!(said.contains("Attribution: © OpenStreetMap contributors (ODbL-1.0)"), "{said}");
    assert!(said.ends_with("To search them:\n  CANVASS_SOURCE=osm canvass find dentist \"Helsinki\"\n"), "{said}");

    let listed = binary.json(&["places", "list"]);
    assert_eq!((&listed[0]["name"], &listed[0]["rows"]), (&"osm".into(), &3_000.into()));
    assert_eq!(import(&binary, &file)["version"], listed[0]["version"], "the same file is the same version");
    let info = binary.json(&["places", "info"]);
    assert_eq!((&info["rows"], &info["with_website"]), (&3_000.into(), &3_000.into()));
    assert_eq!((&info["industries"]["dentist"], &info["countries"]["FI"]), (&3_000.into(), &3_000.into()));
    let shown = String::from_utf8(binary.run(&["places", "info", "osm"]).stdout).unwrap();
    assert!(shown.contains("Dentists") && shown.contains("with a website"), "{shown}");
    assert_eq!(binary.json(&["places", "verify"])["rows"], 3_000);

    let folder = binary.data().join("places/osm");
    assert_eq!(binary.json(&["places", "verify", folder.to_str().unwrap()])["rows"], 3_000);
    std::fs::remove_file(folder.join("manifest.json")).unwrap();
    assert_eq!(binary.json(&["places", "info", folder.to_str().unwrap()])["rows"], 3_000, "a folder of any files");
    import(&binary, &file);
    binary.json(&["places", "remove", "osm"]);
    assert_eq!(binary.json(&["places", "list"]), serde_json::json!([]));
    assert!(!folder.exists());
}

#[test]
fn what_is_wrong_is_said_and_changes_nothing() {
    let binary = Binary::new();
    let file = extract(&binary, "good.osm", 20);
    let before = import(&binary, &file);
    let sound = std::fs::read_to_string(&file).unwrap();
    std::fs::write(binary.folder.path().join("cut.osm"), &sound[..sound.len() / 2]).unwrap();
    std::fs::write(binary.folder.path().join("other.osm"), "id,name\n1,x\n").unwrap();
    std::fs::write(binary.folder.path().join("none.osm"), "<osm version='0.6'></osm>").unwrap();
    for (arguments, problem) in [
        (vec!["import", "osm", "cut.osm"], "cut.osm"),
        (vec!["import", "osm", "other.osm"], "other.osm: is in none of the formats that can be read"),
        (vec!["import", "osm", "none.osm"], "none.osm: there are no businesses in it"),
        (vec!["import", "osm", "gone.osm"], "gone.osm"),
        (vec!["import", "osm", "good.osm", "--as", "all"], "an import cannot be named \"all\""),
        (vec!["import", "osm", "good.osm", "--as", "../x"], "an import cannot be named \"../x\""),
        (vec!["remove", "csv"], "nothing is imported as \"csv\"; imported: osm"),
        (vec!["info", "csv"], "there is no folder \"csv\": nothing is imported as \"csv\"; imported: osm"),
    ] {
        let said = binary.fail(&[&["places"], arguments.as_slice()].concat());
        assert!(said.contains(problem), "{arguments:?}: {said}");
    }
    assert_eq!(binary.json(&["places", "list"])[0], before);
    assert_eq!(binary.json(&["places", "verify"])["rows"], 20);
}

#[test]
fn a_table_shows_how_it_is_read_and_other_formats_have_names_of_their_own() {
    let binary = Binary::new();
    let table = "Firma;Telefon;Sterne;Breite;Länge\nZahn & Co;+49 89 1234567;4,5;48.137;11.575\n;;;;\n";
    std::fs::write(binary.folder.path().join("kunden.csv"), table).unwrap();
    let arguments = ["places", "import", "csv", "kunden.csv", "--map", "name=Firma", "--category", "dentist"];
    let output = binary.run(&[arguments.as_slice(), &["--map", "rating=Sterne"]].concat());
    let (said, noted) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(noted.starts_with("Column") && noted.contains("Firma    name"), "{noted}");
    assert!(said.starts_with("Businesses imported from kunden.csv as \"csv\": 1 ("), "{said}");
    assert!(said.ends_with("CANVASS_SOURCE=csv canvass find dentist \"Munich\"\n"), "{said}");
    let features = r#"{"type": "Feature", "properties": {"name": "Café"}, "geometry":
        {"type": "Point", "coordinates": [11.57, 48.13]}}"#;
    std::fs::write(binary.folder.path().join("own.geojson"), features).unwrap();
    let imported =
        binary.json(&["places", "import", "geojson", "own.geojson", "--attribution", "The city", "--as", "city"]);
    assert_eq!((&imported["attribution"], &imported["licence"]), (&"The city".into(), &Value::Null));
    let listed = binary.json(&["places", "list"]);
    let names: Vec<&Value> = listed.as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["city", "csv"]);
    assert_eq!((&listed[1]["has_ratings"], &listed[0]["has_ratings"]), (&true.into(), &false.into()));
    let said = binary.fail(&["places", "info"]);
    assert!(said.contains("several files are imported; name one of city, csv"), "{said}");
    let said = binary.fail(&["places", "import", "csv", "kunden.csv", "--map", "name=Nobody"]);
    assert!(said.contains("Nobody"), "{said}");
    let said = binary.fail(&["places", "import", "foursquare", "kunden.csv"]);
    assert!(said.contains("kunden.csv"), "{said}");
}

/// A point in an import that can be seen from outside: a file that is there.
type Seen = fn(&Path) -> bool;

fn any_file(folder: &Path, ending: &str) -> bool {
    let Ok(mut entries) = std::fs::read_dir(folder) else { return false };
    entries.any(|entry| entry.is_ok_and(|entry| entry.path().extension().is_some_and(|found| found == ending)))
}

#[test]
fn an_import_that_is_killed_leaves_the_one_before() {
    let binary = Binary::new();
    let small = extract(&binary, "small.osm", 50);
    let large = extract(&binary, "large.osm", 40_000);
    let folder = binary.data().join("places/osm");
    let points: [Seen; 5] = [
        |_| true,
        |folder| folder.join("import").is_dir(),
        |folder| any_file(&folder.join("import"), "run"),
        |folder| any_file(&folder.join("import"), "parquet"),
        |folder| folder.join("import/manifest.json").is_file(),
    ];
    for seen in points {
        let before = import(&binary, &small);
        let mut command = binary.command(&["places", "import", "osm", large.to_str().unwrap()]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while !seen(&folder) && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let after = binary.json(&["places", "list"]);
        // One that was killed behind its last step is there.
        let whole = after[0]["rows"] == 40_000;
        assert!(whole || after[0] == before, "{after}");
        assert_eq!(binary.json(&["places", "verify"])["rows"], if whole { 40_000 } else { 50 });
    }
    assert_eq!(import(&binary, &large)["rows"], 40_000);
    assert!(!folder.join("import").exists(), "nothing of the killed ones is left");
    assert!(std::fs::read_dir(&folder).unwrap().count() <= 3, "the manifest, its file and that of the version before");
}

#[test]
fn a_full_disk_changes_nothing() {
    let binary = Binary::new();
    let before = import(&binary, &extract(&binary, "small.osm", 50));
    let large = extract(&binary, "large.osm", 40_000);
    // Files may have some blocks only, and a longer one is an error rather than a signal: as on a disk that is full.
    for blocks in [8, 400, 900] {
        let mut command = Command::new("sh");
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" places import osm \"$1\"");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_canvass"), large.to_str().unwrap()]);
        command.env_clear().env("CANVASS_DATA", binary.data()).current_dir(binary.folder.path());
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains("File too large"), "{blocks}: {said}");
        assert!(said.contains("places/osm/import/"), "the file is named: {said}");
        assert_eq!(binary.json(&["places", "list"])[0], before);
        assert!(!binary.data().join("places/osm/import").exists());
    }
}

#[test]
fn an_interrupted_import_says_so_and_changes_nothing() {
    let binary = Binary::new();
    let large = extract(&binary, "large.osm", 60_000);
    let folder = binary.data().join("places/osm");
    let mut command = binary.command(&["places", "import", "osm", large.to_str().unwrap()]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !folder.join("import").is_dir() {
        std::thread::sleep(Duration::from_micros(200));
    }
    let pid = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(!output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "error: cancelled\n");
    assert!(!folder.exists());
    assert_eq!(binary.json(&["places", "list"]), serde_json::json!([]));
}
