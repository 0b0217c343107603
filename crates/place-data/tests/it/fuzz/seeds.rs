//! Small valid files from which fuzzing starts: random bytes would not get far into any format.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use place_data::library::{Format, ImportName, ImportRequest};
use place_data::{Library, Place, Sink, Skipped};
use places::Point;

use super::encode::{PbfStyle, TestCompression};
use super::map::map;

const CSV: &str = "name;latitude;longitude;phone;website;category;rating\n\"Alma; Oy\";60,17;24,94;+358 9 123;alma.example;Bakery;4,5\n";
const GEOJSON: &str = r#"{"type":"FeatureCollection","features":[
{"type":"Feature","id":1,"geometry":{"type":"Point","coordinates":[24.94,60.17]},"properties":{"name":"Alma","shop":"bakery"}},
{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[0,1],[1,1],[0,0]]]},
"properties":{"names":{"primary":"Alma","common":{"sv":"Alma"}},"categories":{"primary":"bakery"},"phones":["+358 9 123"]}},
{"type":"Feature","geometry":null,"properties":{"Name":"Alma","lat":"60.17","lng":24.94,"Telephone":"+358 9 123"}}]}"#;

pub(crate) fn csv() -> Vec<Vec<u8>> {
    let commas = CSV.replace(',', ".").replace(';', ",");
    let wide = format!("\u{feff}{CSV}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    vec![CSV.into(), commas.into(), wide]
}

pub(crate) fn geojson() -> Vec<Vec<u8>> {
    vec![GEOJSON.into(), GEOJSON.lines().nth(1).unwrap_or_default().trim_end_matches(',').into()]
}

pub(crate) fn osm_pbf() -> Vec<Vec<u8>> {
    let compressions = [TestCompression::Raw, TestCompression::Zlib, TestCompression::Lz4, TestCompression::Zstd];
    let styles = compressions.into_iter().flat_map(|compression| {
        [true, false].map(|has_dense_nodes| PbfStyle {
            compression,
            has_dense_nodes,
            has_locations_on_ways: false,
            block_objects: 40,
        })
    });
    styles.map(|style| map().pbf(style)).collect()
}

/// Blocks as they are inside of their blobs.
pub(crate) fn osm_block() -> Vec<Vec<u8>> {
    let style = |has_dense_nodes| PbfStyle {
        compression: TestCompression::Raw,
        has_dense_nodes,
        has_locations_on_ways: false,
        block_objects: 40,
    };
    [true, false].into_iter().flat_map(|dense| blocks(&map().pbf(style(dense)))).collect()
}

/// The blocks of a file that is stored without compression.
fn blocks(mut file: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    while let Some((length, rest)) = file.split_first_chunk::<4>() {
        let (header, rest) = rest.split_at(u32::from_be_bytes(*length) as usize);
        // The header ends with the size of the blob; before it is the number of that field.
        let at = header.windows(2).rposition(|pair| pair[0] == 3 << 3 && pair[1] != 0).expect("a size") + 1;
        let size = varint(&header[at..]).0;
        let (blob, rest) = rest.split_at(size);
        let (_, digits) = varint(&blob[1..]);
        found.push(blob[1 + digits..].to_vec());
        file = rest;
    }
    found
}

/// A number and the bytes that it takes.
fn varint(bytes: &[u8]) -> (usize, usize) {
    let digits = bytes.iter().take_while(|byte| **byte >= 0x80).count() + 1;
    let value = bytes[..digits].iter().rev().fold(0, |value, byte| value << 7 | usize::from(byte & 0x7f));
    (value, digits)
}

pub(crate) fn osm_xml() -> Vec<Vec<u8>> {
    vec![map().xml().into_bytes()]
}

pub(crate) fn osm_bz2() -> Vec<Vec<u8>> {
    vec![map().bzip2()]
}

pub(crate) fn foursquare() -> Vec<Vec<u8>> {
    let texts = |values: [&str; 2]| Arc::new(StringArray::from(values.to_vec())) as ArrayRef;
    let numbers = |values: [f64; 2]| Arc::new(Float64Array::from(values.to_vec())) as ArrayRef;
    let mut labels = ListBuilder::new(StringBuilder::new());
    for _ in 0..2 {
        labels.values().append_value("Health and Medicine > Dentist");
        labels.append(true);
    }
    let columns = [
        ("fsq_place_id", texts(["a", "b"])),
        ("name", texts(["Alma", "Berta"])),
        ("latitude", numbers([30.25, 60.17])),
        ("longitude", numbers([-97.75, 24.94])),
        ("country", texts(["US", "FI"])),
        ("tel", texts(["(512) 555-0100", "+358 9 123"])),
        ("fsq_category_labels", Arc::new(labels.finish())),
    ];
    let columns = columns.into_iter().map(|(name, column)| (name, column, true));
    let batch = RecordBatch::try_from_iter_with_nullable(columns).expect("columns of one length");
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).expect("a schema that can be written");
    writer.write(&batch).expect("memory can be written");
    writer.close().expect("memory can be written");
    vec![bytes]
}

/// Files and manifest of an import.
fn imported() -> (Vec<Vec<u8>>, Vec<u8>) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let request = ImportRequest {
        name: ImportName::parse("seed").expect("a plain name"),
        format: Format::Csv,
        original: "seed.csv".into(),
        attribution: None,
        imported_at: "2026-10-21T00:00:00Z".parse().expect("a time"),
    };
    let mut importer = Library::in_folder(folder.path()).importer(request).expect("an empty library");
    for number in 0..20 {
        let point = Point { latitude: 30.267, longitude: -97.743 + f64::from(number) / 1e5 };
        let mut place = Place::new(format!("id-{number}"), format!("Dentist {number}"), point);
        place.categories.primary = Some("dentist".into());
        place.websites = vec![format!("https://dentist-{number}.example")];
        importer.place(place).expect("a folder that can be written to");
    }
    let manifest = importer.finish(&Skipped::default(), &mut |_| Ok(())).expect("a folder that can be written to");
    let read = |name: &str| std::fs::read(folder.path().join("seed").join(name)).expect("a file that was written");
    (manifest.current.files.iter().map(|file| read(&file.name)).collect(), read("manifest.json"))
}

pub(crate) fn dataset() -> Vec<Vec<u8>> {
    imported().0
}

pub(crate) fn manifest() -> Vec<Vec<u8>> {
    vec![imported().1]
}
