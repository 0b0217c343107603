//! CSV files that are none, are damaged, or are made to do harm.

use place_data::Error;
use place_data::csv::{self, Options};
use proptest::prelude::*;

use super::csv::read;
use super::{file, import, message};

fn refused(bytes: &[u8]) -> String {
    let file = file(bytes);
    message(import(|import| csv::read(file.path(), &Options::default(), import)), file.path())
}

#[test]
fn a_file_of_another_kind_is_named_for_what_it_is() {
    for (bytes, expected) in [
        (&b""[..], "is empty; expected a CSV file"),
        (b"\xef\xbb\xbf \n\n", "is empty"),
        (b"PK\x03\x04....", "Excel workbook"),
        (b"\xd0\xcf\x11\xe0....", "Excel workbook of the old kind"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"PAR1....", "is a Parquet file"),
        (b"%PDF-1.7", "is a PDF document"),
        (b"SQLite format 3\0", "SQLite"),
        (b" <!doctype html><html>", "is HTML or XML"),
        (b"{\"type\": \"FeatureCollection\"}", "is JSON"),
        (b"name,lat,lon\n\0\0\0\0\x01\x02", "NUL characters"),
        (b"name,lat,lon\n", "has a header and no rows"),
        (b"hello\nworld\n", "has one column only"),
        (b"\xff\xfe", "has one column only"),
    ] {
        let message = refused(bytes);
        assert!(message.contains(expected), "{message}");
    }
    assert!(refused(",".repeat(3000).as_bytes()).contains("more than 1000 columns"));
    let missing = import(|import| csv::read("/nowhere/at/all.csv".as_ref(), &Options::default(), import));
    assert!(missing.unwrap_err().to_string().starts_with("/nowhere/at/all.csv: "));
}

#[test]
fn cells_of_ten_megabytes_are_skipped() {
    let long = "x".repeat(10_000_000);
    let text =
        format!("id,name,lat,lon\n1,{long},1,1\n2,\"{long}\n{long}\",1,1\n3,Alma,1,1\n4,{},1,1\n", "y".repeat(5000));
    let imported = read(text.as_bytes(), &Options::default()).unwrap();
    assert_eq!(imported.places.len(), 1);
    let expected = [
        ("a cell longer than 64 KiB, or a record longer than 1 MiB", vec!["line 2", "line 3"]),
        ("a name or id longer than 4,096 bytes", vec!["line 6"]),
    ];
    assert_eq!(imported.reasons(), expected);
}

#[test]
fn a_quotation_mark_without_a_partner_is_refused_with_its_line() {
    let message = refused(b"name,lat,lon\nAlma,1,1\n\"Bela,2,2\nCora,3,3\n");
    assert!(message.contains(", line 3: a quoted cell begins in this record and does not end"), "{message}");
}

#[test]
fn damaged_text_late_in_a_file_costs_only_the_values_that_it_damages() {
    let rows = "Zoë,1,1,Köln\n".repeat(10).replace("Zoë", "Zoë é é");
    let mut bytes = format!("name,lat,lon,city\n{rows}").into_bytes();
    bytes.extend(b"Caf\xff,2,2,Bonn\nCora,3,3,B\xffnn\nD\0ra,4,4,Ulm\n");
    // The NUL comes late, where the file was already taken for text.
    let padded = [&bytes[..18], rows.repeat(400).as_bytes(), &bytes[18..]].concat();
    let imported = read(&padded, &Options::default()).unwrap();
    let last = imported.places.last().unwrap();
    assert_eq!((last.name.as_str(), last.addresses.len()), ("Cora", 0));
    assert_eq!(imported.skipped.0["no name"].count, 2);
}

fn is_harmless(bytes: &[u8]) -> Result<(), TestCaseError> {
    match read(bytes, &Options::default()) {
        Ok(_) | Err(Error::Malformed { .. }) => Ok(()),
        Err(other) => Err(TestCaseError::fail(format!("{other:?}"))),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        is_harmless(&bytes)?;
    }

    #[test]
    fn no_cells_make_the_reader_panic(
        cells in prop::collection::vec("[-+0-9.,;/|>NSEW°()\" a-zA-Zäé\\[\\]{}=\n\r\u{fffd}]{0,20}", 12..60),
    ) {
        let mut text = "name,lat,lon,coordinates,rating,reviews,status,phone,website,email,facebook,category\n".to_owned();
        for row in cells.chunks(12) {
            let quoted: Vec<String> = row.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect();
            text.push_str(&quoted.join(","));
            text.push('\n');
        }
        is_harmless(text.as_bytes())?;
    }

    #[test]
    fn no_change_of_bytes_makes_the_reader_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = "Name;Lat;Lon;Rating;Tel\n\"Zoë \"\"X\"\"\";1,5;2,5;4,5;1\nBela;1;1;5;2\n".as_bytes().to_vec();
        for (index, byte) in changes {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        is_harmless(&bytes)?;
    }
}
