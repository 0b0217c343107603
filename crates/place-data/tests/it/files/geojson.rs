//! GeoJSON in its forms and with properties of several schemas, and hostile files.

use place_data::{Error, Import, geojson};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Collected, Imported, file, import, message, reasons};

fn read(bytes: &[u8]) -> Result<Imported, Error> {
    let file = file(bytes);
    import(|import| geojson::read(file.path(), import))
}

fn refused(bytes: &[u8]) -> String {
    let file = file(bytes);
    message(import(|import| geojson::read(file.path(), import)), file.path())
}

fn feature(id: u32, properties: Value) -> Value {
    let geometry = json!({"type": "Point", "coordinates": [-97.75, 30.25]});
    json!({"type": "Feature", "id": id, "geometry": geometry, "properties": properties})
}

fn collection(features: &[Value]) -> Value {
    json!({"type": "FeatureCollection", "features": features})
}

fn flat(id: u32) -> Value {
    feature(id, json!({"Business Name": format!("Alma {id}"), "Phone": "555", "Industry": "Plumber", "rating": 4.5}))
}

fn one(feature: Value) -> place_data::Place {
    let mut imported = read(feature.to_string().as_bytes()).unwrap();
    assert_eq!(imported.places.len(), 1, "{:?}", imported.reasons());
    imported.places.remove(0)
}

#[test]
fn features_are_read_in_every_form_of_file() {
    let features = [flat(1), flat(2), flat(3)];
    let lines: Vec<String> = features.iter().map(Value::to_string).collect();
    let separated: String = lines.iter().map(|line| format!("\u{1e}{line}\n")).collect();
    let collection = collection(&features);
    let pretty = serde_json::to_string_pretty(&collection).unwrap();
    let behind =
        format!("{{\"features\": [{}], \"crs\": {{\"x\": [1]}}, \"type\": \"FeatureCollection\"}}", lines.join(","));
    for text in [
        collection.to_string(),
        format!("\u{feff}{pretty}"),
        behind,
        lines.join("\n"),
        lines.join("\r\n\r\n"),
        separated,
    ] {
        let imported = read(text.as_bytes()).unwrap();
        let ids: Vec<&str> = imported.places.iter().map(|place| place.id.as_str()).collect();
        assert_eq!(ids, ["1", "2", "3"], "{text}");
        assert_eq!(imported.progress.last(), Some(&(text.trim_start_matches('\u{feff}').len() as u64)));
    }
    assert_eq!(one(flat(7)).id, "7");
    assert!(read(br#"{"type": "FeatureCollection", "features": []}"#).unwrap().places.is_empty());
}

#[test]
fn flat_properties_are_understood_as_columns_are() {
    let place = one(flat(1));
    assert_eq!((place.name.as_str(), place.rating), ("Alma 1", Some(4.5)));
    assert_eq!((place.point.latitude, place.point.longitude), (30.25, -97.75));
    assert_eq!(place.categories.primary.as_deref(), Some("canvass:plumber"));
    let nested = json!({
        "title": "Alma", "contact": {"phone": ["555-1", "555-2"], "email": "a@alma.example"}, "reviewsCount": 12,
        "address": {"street": "Main St", "house_number": 12, "city": "Austin", "country": "US"}, "closed": false,
    });
    let place = one(feature(1, nested));
    assert_eq!(
        (place.phones, place.emails, place.review_count),
        (vec!["555-1".to_owned(), "555-2".to_owned()], vec!["a@alma.example".to_owned()], Some(12))
    );
    assert_eq!(place.addresses[0].freeform.as_deref(), Some("12 Main St"));
    let unplaced = json!({"type": "Feature", "geometry": null, "properties": {"name": "A", "lat": 1.5, "lon": "2,5"}});
    assert_eq!(one(unplaced).point.longitude, 2.5);
}

#[test]
fn tags_of_openstreetmap_are_understood() {
    let tags = json!({
        "@id": "node/42", "name": "Alma", "name:fr": "L'Alma", "craft": "plumber", "addr:street": "Main St",
        "addr:housenumber": "12", "addr:country": "US", "contact:phone": "+1 512 555 0100;+1 512 555 0101",
        "contact:instagram": "@alma",
    });
    let mut tagged = feature(1, tags);
    tagged["id"] = json!("way/42");
    let place = one(tagged);
    assert_eq!((place.id.as_str(), place.categories.primary.as_deref()), ("w42", Some("craft=plumber")));
    assert_eq!((place.phones.len(), place.socials.len(), place.translations.len()), (2, 1, 1));
    assert_eq!(place.origins[0].dataset, "OpenStreetMap");
    assert_eq!(place.addresses[0].freeform.as_deref(), Some("12 Main St"));
    let gone = json!({"name": "Gone", "disused:shop": "bakery"});
    let nameless = json!({"shop": "bakery"});
    let imported = read(collection(&[feature(1, gone), feature(2, nameless)]).to_string().as_bytes()).unwrap();
    let found = imported.reasons();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].0.starts_with("closed: tagged as disused") && found[1].0 == "no name, brand or operator");
}

#[test]
fn the_nested_shape_of_overture_is_understood() {
    let properties = json!({
        "names": {"primary": "Alma", "common": {"fr": "L'Alma"}}, "confidence": 0.9,
        "taxonomy": {"primary": "dental_clinic", "hierarchy": ["health", "dental_clinic"], "alternates": ["dentist"]},
        "categories": {"primary": "dentist"}, "basic_category": "dentist", "operating_status": "open",
        "websites": ["https://alma.example"], "phones": ["+1 512"], "emails": ["a@alma.example"], "socials": ["https://x.com/a"],
        "brand": {"names": {"primary": "Alma Group"}, "wikidata": "Q1"},
        "addresses": [{"freeform": "12 Main St", "locality": "Austin", "postcode": "78701", "region": "TX", "country": "US"}],
        "sources": [{"dataset": "meta", "record_id": "9", "update_time": "2026-01-01"}],
    });
    let mut shaped = feature(1, properties);
    shaped["id"] = json!("08f1");
    let place = one(shaped.clone());
    assert_eq!((place.id.as_str(), place.name.as_str(), place.confidence), ("08f1", "Alma", Some(0.9)));
    assert_eq!(place.categories.primary.as_deref(), Some("dental_clinic"));
    assert_eq!((place.categories.hierarchy.len(), place.categories.alternates.len()), (2, 1));
    assert_eq!((place.websites.len(), place.phones.len(), place.emails.len(), place.socials.len()), (1, 1, 1, 1));
    assert_eq!(place.brand.as_ref().unwrap().wikidata.as_deref(), Some("Q1"));
    assert_eq!((place.addresses[0].region.as_deref(), place.origins[0].dataset.as_str()), (Some("TX"), "meta"));
    // Some programs write records as texts.
    for (_, value) in shaped["properties"].as_object_mut().unwrap().iter_mut().filter(|(_, value)| !value.is_string()) {
        *value = if value.is_number() { value.clone() } else { json!(value.to_string()) };
    }
    assert_eq!(one(shaped.clone()), place);
    shaped["properties"]["operating_status"] = json!("permanently_closed");
    assert_eq!(read(shaped.to_string().as_bytes()).unwrap().reasons(), [("closed for good", vec!["feature 1 (08f1)"])]);
}

#[test]
fn areas_are_represented_by_a_point_inside() {
    let horseshoe = json!([[0, 0], [9, 0], [9, 9], [8, 9], [8, 1], [1, 1], [1, 9], [0, 9], [0, 0]]);
    let mut shaped = flat(1);
    shaped["geometry"] = json!({"type": "Polygon", "coordinates": [horseshoe]});
    let point = one(shaped).point;
    assert!(point.latitude < 1.0 || !(1.0..=8.0).contains(&point.longitude), "{point:?}");
}

#[test]
fn bad_features_are_skipped_with_number_and_id() {
    let off = json!({"type": "Feature", "id": "x", "geometry": {"type": "Point", "coordinates": [200, 0]}, "properties": {"name": "A"}});
    let features = [
        flat(1),
        flat(1),
        off,
        json!(7),
        json!({"type": "Feature"}),
        feature(5, json!(null)),
        feature(6, json!({"name": ["A"]})),
        feature(7, json!({"name": "B", "rating": 9})),
    ];
    let imported = read(collection(&features).to_string().as_bytes()).unwrap();
    assert_eq!(imported.places.iter().map(|place| place.name.as_str()).collect::<Vec<_>>(), ["Alma 1", "[\"A\"]", "B"]);
    let expected = [
        ("coordinates that cannot be read or are out of range", vec!["feature 3 (x)"]),
        ("no name", vec!["feature 5", "feature 6 (5)"]),
        ("not a Feature", vec!["feature 4"]),
        ("the same id a second time", vec!["feature 2 (1)"]),
    ];
    assert_eq!(imported.reasons(), expected);
    assert_eq!(reasons(&imported.notes), [("a rating that is not a number from 0 to 5", vec!["feature 8 (7)"])]);
}

#[test]
fn a_file_that_is_no_geojson_is_refused_with_its_place() {
    for (text, expected) in [
        ("", "is empty; expected GeoJSON"),
        (" \n ", "is empty"),
        ("name,lat,lon\n", "line 1, column"),
        ("[1, 2]", "expected an object of GeoJSON"),
        ("{}", "neither a FeatureCollection nor a Feature"),
        (r#"{"type": "Topology"}"#, "neither a FeatureCollection nor a Feature"),
        (r#"{"type": "FeatureCollection"}"#, "a FeatureCollection without features"),
        (r#"{"type": "FeatureCollection", "features": {}}"#, "expected a list of features"),
        ("PAR1", "line 1, column 1"),
        ("\u{0}\u{0}", "line 1, column 1"),
    ] {
        let message = refused(text.as_bytes());
        assert!(message.contains(expected), "{message}");
    }
    assert!(refused(b"{\"type\": \"\xff\"}").contains("line 1, column"));
    let whole = collection(&[flat(1), flat(2)]).to_string();
    let cut = refused(&whole.as_bytes()[..whole.len() - 30]);
    assert!(cut.contains("after feature 1: the file is cut off"), "{cut}");
    let missing = import(|import| geojson::read("/nowhere/at/all.geojson".as_ref(), import));
    assert!(missing.unwrap_err().to_string().starts_with("/nowhere/at/all.geojson: "));
}

#[test]
fn compressed_files_and_other_encodings_are_named() {
    for (bytes, expected) in [
        (&b"\x1f\x8b\x08\x00"[..], "is compressed with gzip: unpack it first"),
        (b"PK\x03\x04", "is a ZIP archive"),
        (b"\xff\xfe{\x00}\x00", "is encoded in UTF-16"),
    ] {
        let message = refused(bytes);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn depth_and_size_are_limited() {
    let deep = format!("{{\"type\": \"Feature\", \"properties\": {}", "[".repeat(1_000_000));
    assert!(refused(deep.as_bytes()).contains("recursion limit exceeded"));
    let ignored = format!("{{\"type\": \"Feature\", \"x\": {}", "[".repeat(1_000_000));
    assert!(refused(ignored.as_bytes()).contains("the file is cut off"));
    let mut long = flat(1);
    long["properties"]["note"] = json!("x".repeat(10_000_000));
    long["properties"]["Phone"] = json!("5".repeat(10_000));
    assert!(one(long.clone()).phones.is_empty());
    long["properties"]["Business Name"] = json!("y".repeat(10_000));
    let imported = read(long.to_string().as_bytes()).unwrap();
    assert_eq!(imported.reasons(), [("a name or id longer than 4,096 bytes", vec!["feature 1 (1)"])]);
    long["properties"]["note"] = json!("x".repeat(20_000_000));
    let message = refused(collection(&[flat(2), long]).to_string().as_bytes());
    assert!(message.contains("after feature 1: a feature has more than 16 MiB"), "{message}");
}

#[test]
fn an_import_can_be_cancelled() {
    let saved = file(flat(1).to_string().as_bytes());
    let mut sink = Collected { cancel_at: Some(1), ..Collected::default() };
    let result = geojson::read(saved.path(), &mut Import::into(&mut sink));
    assert!(matches!(result, Err(Error::Cancelled)));
}

fn is_harmless(bytes: &[u8]) -> Result<(), TestCaseError> {
    match read(bytes) {
        Ok(_) | Err(Error::Malformed { .. }) => Ok(()),
        Err(other) => Err(TestCaseError::fail(format!("{other:?}"))),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        is_harmless(&bytes)?;
    }

    #[test]
    fn no_change_of_bytes_makes_the_reader_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut shaped = flat(1);
        shaped["geometry"] = json!({"type": "Polygon", "coordinates": [[[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]]]});
        let mut bytes = collection(&[shaped, flat(2), feature(3, json!({"names": {"primary": "A"}}))]).to_string().into_bytes();
        for (index, byte) in changes {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        is_harmless(&bytes)?;
    }
}
