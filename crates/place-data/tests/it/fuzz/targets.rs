//! What is done with bytes of any kind: each function reads them as a file of one format, and fails on a panic, on a place beyond
//! its limits, and on an error that does not name the file. The targets of libFuzzer call them too.

use std::path::Path;
use std::sync::Arc;

use object_store::local::LocalFileSystem;
use place_data::library::Manifest;
use place_data::{Dataset, Error, Import, Kinds, Place, PlaceQuery, RowsExpected, Sink, csv, foursquare, geojson, osm};
use places::{Area, Point, category};

/// Checks what arrives.
struct Checked;

impl Sink for Checked {
    fn place(&mut self, place: Place) -> Result<(), Error> {
        assert!(!place.id.is_empty() && !place.name.trim().is_empty());
        assert!((-90.0..=90.0).contains(&place.point.latitude));
        assert!((-180.0..=180.0).contains(&place.point.longitude));
        assert!(place.rating.is_none_or(|rating| (0.0..=5.0).contains(&rating)));
        Ok(())
    }

    fn progress(&mut self, _bytes: u64) -> Result<(), Error> {
        Ok(())
    }
}

fn import(bytes: &[u8], read: impl FnOnce(&Path, &mut Import<'_>) -> Result<(), Error>) {
    let file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
    std::fs::write(file.path(), bytes).expect("a temporary file can be written");
    expect_sound(read(file.path(), &mut Import::into(&mut Checked)));
}

fn expect_sound<T>(result: Result<T, Error>) {
    match result {
        Ok(_) => {}
        Err(error @ Error::Malformed { .. }) => assert!(!error.to_string().contains('\n'), "one sentence: {error}"),
        Err(other) => panic!("not the fault of the file: {other:?}"),
    }
}

pub(crate) fn csv(bytes: &[u8]) {
    import(bytes, |path, import| csv::read(path, &csv::Options::default(), import));
}

pub(crate) fn geojson(bytes: &[u8]) {
    import(bytes, geojson::read);
}

/// PBF, XML or bzip2, told apart by the first bytes.
pub(crate) fn osm(bytes: &[u8]) {
    import(bytes, osm::read);
}

/// The decompressed content of a block of a PBF file, which changes of a whole file hardly ever reach.
pub(crate) fn osm_block(block: &[u8]) {
    let schema = b"\x22\x0eOsmSchema-V0.6";
    import(&[pbf_blob(b"OSMHeader", schema), pbf_blob(b"OSMData", block)].concat(), osm::read);
}

pub(crate) fn foursquare(bytes: &[u8]) {
    import(bytes, foursquare::read);
}

/// A Parquet file of places: found, counted, surveyed and verified.
pub(crate) fn dataset(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    std::fs::write(folder.path().join("places.parquet"), bytes).expect("a temporary file can be written");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime can be made");
    runtime.block_on(use_dataset(folder.path()));
}

async fn use_dataset(folder: &Path) {
    let store = LocalFileSystem::new_with_prefix(folder).expect("a temporary folder is a folder");
    let dataset = Dataset::in_folder(Arc::new(store), &"".into()).await.expect("there is a file");
    let area = Area::circle("Austin, TX", "US", Point { latitude: 30.267, longitude: -97.743 }, 10.0);
    let kinds = Kinds::of(category("dentist").expect("dentists are an industry"));
    let query = PlaceQuery { area, kinds, confidence_min: 0.0 };
    expect_sound(dataset.find(&query, None).await.inspect(|found| {
        assert!(found.places.len() as u64 <= found.total);
        assert!(found.places.iter().all(|place| query.area.contains(place.point)));
    }));
    expect_sound(dataset.survey(&mut |_| Ok(())).await);
    expect_sound(dataset.verify(RowsExpected::Any).await);
    expect_sound(dataset.verify(RowsExpected::Sorted).await);
}

pub(crate) fn manifest(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    std::fs::write(folder.path().join("manifest.json"), bytes).expect("a temporary file can be written");
    let read = Manifest::in_folder(folder.path());
    if let Ok(manifest) = &read {
        let versions = manifest.as_ref().expect("the file is there").versions();
        let within = |name: &str| Path::new(name).file_name() == Some(name.as_ref());
        assert!(versions.flat_map(|version| &version.files).all(|file| within(&file.name)));
    }
    expect_sound(read);
}

/// A blob of a PBF file, stored without compression.
fn pbf_blob(kind: &[u8], data: &[u8]) -> Vec<u8> {
    let content = pbf_field(1, data);
    let mut header = pbf_field(1, kind);
    header.push(3 << 3);
    pbf_number(&mut header, content.len());
    [&u32::try_from(header.len()).expect("a short header").to_be_bytes(), header.as_slice(), &content].concat()
}

fn pbf_field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![number << 3 | 2];
    pbf_number(&mut out, bytes.len());
    out.extend(bytes);
    out
}

fn pbf_number(out: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}
