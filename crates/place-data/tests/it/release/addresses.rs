//! Addresses of a release: found in folders and in the bucket, without any file of places and none that is far away.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, Float32Array, RecordBatch, StringArray};
use place_data::{AddressPoint, Error, Overture, OvertureSettings, StreetTest};
use places::Bounds;

use super::at;
use super::world::{RELEASE, World, record, write_batch};

const AUSTIN: Bounds = Bounds { south: 30.2, west: -97.8, north: 30.3, east: -97.7 };

/// Number, street, longitude, latitude.
type Row = (Option<&'static str>, Option<&'static str>, f64, f64);

/// Writes two files of addresses: one in Austin, one far away.
pub(crate) fn write(folder: &Path) {
    let near = [
        (Some("5"), Some("Main St"), -97.745, 30.265),
        (Some("7"), Some("Main St"), -97.744, 30.266),
        (None, Some("Main St"), -97.743, 30.266),
        (Some("5"), Some("Oak St"), -97.742, 30.266),
        (Some("9"), None, -97.742, 30.267),
        (Some("11"), Some("Main St"), -97.742, 99.0),
    ];
    write_file(&folder.join("near.parquet"), &near);
    write_file(&folder.join("away.parquet"), &[(Some("5"), Some("Main St"), 24.94, 60.17)]);
}

fn write_file(path: &Path, rows: &[Row]) {
    let point = |row: &Row| [&[1, 1, 0, 0, 0][..], &row.2.to_le_bytes(), &row.3.to_le_bytes()].concat();
    let side =
        |of: fn(&Row) -> f64| Arc::new(rows.iter().map(|row| of(row) as f32).collect::<Float32Array>()) as ArrayRef;
    let bbox = [
        ("xmin", side(|row| row.2)),
        ("xmax", side(|row| row.2)),
        ("ymin", side(|row| row.3)),
        ("ymax", side(|row| row.3)),
    ];
    let ids = (0..rows.len()).map(|row| Some(format!("a{row}"))).collect::<StringArray>();
    let batch = RecordBatch::try_from_iter_with_nullable([
        ("id", Arc::new(ids) as ArrayRef, true),
        ("geometry", Arc::new(BinaryArray::from_iter_values(rows.iter().map(point))) as ArrayRef, true),
        ("bbox", record(bbox.to_vec()), true),
        ("street", Arc::new(rows.iter().map(|row| row.1).collect::<StringArray>()) as ArrayRef, true),
        ("number", Arc::new(rows.iter().map(|row| row.0).collect::<StringArray>()) as ArrayRef, true),
        ("postal_city", Arc::new(rows.iter().map(|_| Some("Austin")).collect::<StringArray>()) as ArrayRef, true),
    ]);
    write_batch(path, &batch.expect("columns of one length"));
}

async fn on_main_street(settings: OvertureSettings) -> Result<(String, Vec<AddressPoint>), Error> {
    let (release, dataset) = Overture::addresses(settings)?.latest().await?;
    let is_main: StreetTest = Arc::new(|street| street == "Main St");
    Ok((release, dataset.addresses(&AUSTIN, &is_main).await?))
}

fn shown(found: &[AddressPoint]) -> Vec<(&str, Option<&str>, Option<&str>)> {
    found.iter().map(|address| (address.id.as_str(), address.number.as_deref(), address.city.as_deref())).collect()
}

const EXPECTED: [(&str, Option<&str>, Option<&str>); 3] =
    [("a0", Some("5"), Some("Austin")), ("a1", Some("7"), Some("Austin")), ("a2", None, Some("Austin"))];

#[tokio::test]
async fn addresses_are_found_in_each_folder_of_a_release() {
    let world = World::new();
    let bucket = format!("{}/overturemaps-us-west-2", world.root().display());
    for below in ["", "/release", "/release/2026-10-21.0", "/release/2026-10-21.0/theme=addresses/type=address"] {
        let (release, found) = on_main_street(at(format!("{bucket}{below}"))).await.unwrap();
        assert_eq!((release.as_str(), shown(&found).as_slice()), (RELEASE, EXPECTED.as_slice()), "{below}");
    }
    let places = at(format!("{bucket}/release/{RELEASE}/theme=places/type=place"));
    let error = on_main_street(places).await.unwrap_err().to_string();
    assert!(error.contains("holds no addresses"), "{error}");
}

#[tokio::test]
async fn in_the_bucket_only_files_of_addresses_in_reach_are_opened() {
    let world = World::new();
    let (server, settings) = world.published().await;
    let (release, found) = on_main_street(settings.clone()).await.unwrap();
    assert_eq!((release.as_str(), shown(&found).as_slice()), (RELEASE, EXPECTED.as_slice()));
    let asked = server.asked();
    let of_data = asked.iter().filter(|request| request.ends_with(".parquet") && !request.contains("collections"));
    assert!(
        of_data.clone().count() > 0 && of_data.clone().all(|request| request.contains("near.parquet")),
        "{asked:?}"
    );
    // What was kept for the addresses is not taken for the places, and the other way round.
    assert_eq!(super::dentists(settings.clone()).await.unwrap().1, world.dentists());
    assert_eq!(shown(&on_main_street(settings).await.unwrap().1), EXPECTED);
}
