//! Two small releases as Overture publishes them: a catalog, a bucket, and a list of files with their boxes.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use arrow_array::{ArrayRef, Float32Array, RecordBatch, StringArray, StructArray};
use arrow_schema::{DataType, Field};
use parquet::arrow::ArrowWriter;
use place_data::{Kinds, OvertureSettings, Place, PlaceQuery, write};
use places::{Area, Point, category};

use super::addresses;
use super::bucket::Bucket;

pub(crate) const RELEASE: &str = "2026-10-21.0";
const AUSTIN: Point = Point { latitude: 30.267, longitude: -97.743 };

pub(crate) struct World {
    root: tempfile::TempDir,
}

pub(crate) fn dentists_of_austin() -> PlaceQuery {
    let area = Area::circle("Austin, TX", "US", AUSTIN, 5.0);
    PlaceQuery { area, kinds: Kinds::of(category("dentist").expect("a category")), confidence_min: 0.0 }
}

fn dentist(id: &str, latitude: f64, longitude: f64) -> Place {
    let mut place = Place::new(id, format!("Dentist {id}"), Point { latitude, longitude });
    place.categories.primary = Some("dental_clinic".into());
    place
}

impl World {
    pub(crate) fn new() -> World {
        let world = World { root: tempfile::tempdir().expect("a folder") };
        let folder = |release: &str| world.bucket().join(format!("release/{release}/theme=places/type=place"));
        let new = folder(RELEASE);
        write_file(&new.join("east.parquet"), &[dentist("e1", 30.27, -97.74), dentist("e2", 30.26, -97.73)]);
        write_file(&new.join("west.parquet"), &[dentist("w1", 30.27, -97.75)]);
        write_file(&new.join("far.parquet"), &[dentist("f1", 60.17, 24.94)]);
        write_file(&folder("2026-09-23.1").join("all.parquet"), &[dentist("e1", 30.27, -97.74)]);
        let other = world.bucket().join(format!("release/{RELEASE}/theme=base/type=land"));
        fs::create_dir_all(&other).expect("a folder");
        fs::write(other.join("land.parquet"), "not places").expect("a file");
        addresses::write(&world.bucket().join(format!("release/{RELEASE}/theme=addresses/type=address")));
        let stac = world.root().join("stac");
        fs::create_dir_all(stac.join(RELEASE)).expect("a folder");
        let child = |name: &str| format!(r#"{{"rel": "child", "href": "./{name}/catalog.json"}}"#);
        let links = format!("[{}, {}]", child(RELEASE), child("2026-09-23.1"));
        fs::write(stac.join("catalog.json"), format!(r#"{{"latest": "{RELEASE}", "links": {links}}}"#))
            .expect("a file");
        write_collections(&stac.join(RELEASE).join("collections.parquet"));
        world
    }

    pub(crate) fn root(&self) -> &Path {
        self.root.path()
    }

    fn bucket(&self) -> PathBuf {
        self.root().join("overturemaps-us-west-2")
    }

    /// Dentists of Austin in the latest release.
    pub(crate) fn dentists(&self) -> u64 {
        3
    }

    pub(crate) fn remove(&self, name: &str) {
        fs::remove_dir_all(self.root().join(name)).expect("a folder");
    }

    /// A folder with the files of the latest release and nothing that says so.
    pub(crate) fn plain_folder(&self) -> PathBuf {
        let folder = self.root().join("plain");
        fs::rename(self.bucket().join(format!("release/{RELEASE}/theme=places/type=place")), &folder)
            .expect("a folder");
        folder
    }

    /// A server of all this, and the settings to find it.
    pub(crate) async fn published(&self) -> (Bucket, OvertureSettings) {
        let server = Bucket::serve(self.root().to_owned()).await;
        let settings = OvertureSettings {
            catalog: format!("{}/stac/catalog.json", server.endpoint),
            endpoint: Some(server.endpoint.clone()),
            cache: Some(self.root().join("cache")),
            ..OvertureSettings::default()
        };
        (server, settings)
    }

    /// Makes everything in the cache two hours older.
    pub(crate) fn age_the_catalog(&self, settings: &OvertureSettings) {
        let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        for file in cached(settings) {
            fs::File::options().append(true).open(file).and_then(|file| file.set_modified(old)).expect("a file");
        }
    }

    /// Damages every file of the cache, and says how many there are.
    pub(crate) fn damage_the_cache(&self, settings: &OvertureSettings) -> usize {
        let files = cached(settings);
        for file in &files {
            let mut bytes = fs::read(file).expect("a file");
            let middle = bytes.len() / 2;
            bytes[middle] ^= 0xff;
            fs::write(file, bytes).expect("a file");
        }
        files.len()
    }
}

fn cached(settings: &OvertureSettings) -> Vec<PathBuf> {
    let (mut found, mut waiting) = (Vec::new(), vec![settings.cache.clone().expect("a cache")]);
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { waiting.push(path) } else { found.push(path) }
        }
    }
    found
}

fn write_file(path: &Path, places: &[Place]) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    write(path, places.to_vec()).expect("a file");
}

/// The list of files beside the catalog, in its present form.
fn write_collections(path: &Path) {
    let boxes = [
        ("place", "east", -97.74, 30.26),
        ("place", "west", -97.75, 30.27),
        ("place", "far", 24.94, 60.17),
        ("address", "near", -97.75, 30.26),
        ("address", "away", 24.94, 60.17),
    ];
    let count = boxes.len();
    let text = |values: Vec<String>| Arc::new(StringArray::from(values)) as ArrayRef;
    let side = |value: fn(&(&str, &str, f32, f32)) -> f32| {
        Arc::new(boxes.iter().map(value).collect::<Float32Array>()) as ArrayRef
    };
    let address = |(kind, name, ..): &(&str, &str, f32, f32)| {
        let theme = if *kind == "place" { "places" } else { "addresses" };
        format!("s3://overturemaps-us-west-2/release/{RELEASE}/theme={theme}/type={kind}/{name}.parquet")
    };
    let s3 = record(vec![("href", text(boxes.iter().map(address).collect()))]);
    let aws =
        record(vec![("href", text(vec!["https://x.example".into(); count])), ("alternate", record(vec![("s3", s3)]))]);
    let bbox = record(vec![
        ("xmin", side(|(.., x, _)| *x)),
        ("xmax", side(|(.., x, _)| x + 0.02)),
        ("ymin", side(|(.., y)| *y)),
        ("ymax", side(|(.., y)| y + 0.02)),
    ]);
    let batch = RecordBatch::try_from_iter([
        ("type", text(vec!["Feature".into(); count])),
        ("collection", text(boxes.iter().map(|(kind, ..)| (*kind).to_owned()).collect())),
        ("bbox", bbox),
        ("assets", record(vec![("aws", aws)])),
    ]);
    let batch = batch.expect("a batch");
    assert!(matches!(batch.schema().field(2).data_type(), DataType::Struct(_)));
    write_batch(path, &batch);
}

pub(crate) fn record(members: Vec<(&str, ArrayRef)>) -> ArrayRef {
    let fields = members
        .into_iter()
        .map(|(name, values)| (Arc::new(Field::new(name, values.data_type().clone(), true)), values));
    Arc::new(StructArray::from(fields.collect::<Vec<_>>())) as ArrayRef
}

pub(crate) fn write_batch(path: &Path, batch: &RecordBatch) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    let file = fs::File::create(path).expect("a file");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
    writer.write(batch).expect("rows");
    writer.close().expect("a file");
}
