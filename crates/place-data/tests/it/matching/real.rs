//! Real records, where they are at hand: an Overture sample and OpenStreetMap extracts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use object_store::local::LocalFileSystem;
use place_data::{Dataset, Error, Import, Kinds, Place, PlaceQuery, Sink};
use places::{Area, Point};

use super::evaluate::check;
use super::hard::{neighbours, rewritten};
use super::random::Random;

/// The folder of real data; `None` where there is none.
fn folder() -> Option<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "tests are told where real data lies")]
    let told = std::env::var("CANVASS_TEST_DATA").map(PathBuf::from);
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    Some(told.unwrap_or_else(|_| beside())).filter(|folder| folder.is_dir())
}

#[derive(Default)]
struct Collected(Vec<Place>);

impl Sink for Collected {
    fn place(&mut self, place: Place) -> Result<(), Error> {
        self.0.push(place);
        Ok(())
    }

    fn progress(&mut self, _: u64) -> Result<(), Error> {
        Ok(())
    }
}

fn extract(file: &Path) -> Vec<Place> {
    let mut sink = Collected::default();
    let mut import = Import::into(&mut sink);
    place_data::osm::read(file, &mut import).expect("an extract that can be read");
    import.finish();
    sink.0
}

/// The places of all industries in the sample.
async fn sample(folder: &Path) -> Vec<Place> {
    let store = Arc::new(LocalFileSystem::new_with_prefix(folder).expect("a folder"));
    let dataset = Dataset::of_files(store, vec!["us_places_sample.parquet".into()]).expect("a file");
    let middle = Point { latitude: 39.8, longitude: -98.6 };
    let mut found = BTreeMap::new();
    for category in places::categories() {
        let area = Area::circle("everywhere", "US", middle, 5_000.0);
        let query = PlaceQuery { area, kinds: Kinds::of(category), confidence_min: 0.0 };
        let places = dataset.find(&query, None).await.expect("a sample that can be read").places;
        found.extend(places.into_iter().map(|place| (place.id.clone(), place)));
    }
    found.into_values().collect()
}

#[tokio::test]
async fn real_records_are_matched_with_the_precision_and_recall_we_promise() {
    let Some(folder) = folder() else {
        eprintln!("skipped: no real data (CANVASS_TEST_DATA)");
        return;
    };
    let extracts = ["Helsinki", "monaco", "baltimore"].map(|name| folder.join(format!("osm/{name}.osm.pbf")));
    let mapped: Vec<Place> = extracts.iter().flat_map(|file| extract(file)).collect();
    let sampled = sample(&folder.join("overture")).await;
    let mut random = Random(9);
    let mut pairs = neighbours(&mapped, 700);
    pairs.extend(neighbours(&sampled, 200));
    pairs.extend(rewritten(&mapped, 450, &mut random));
    pairs.extend(rewritten(&sampled, 450, &mut random));
    check("real", &pairs);
}
