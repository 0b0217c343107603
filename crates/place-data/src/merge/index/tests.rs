//! Many places, tile by tile, are merged as a few are: all at once.

use std::path::Path;

use object_store::local::LocalFileSystem;
use places::{Area, Point, category};
use proptest::prelude::*;

use super::*;
use crate::merge::Merger;
use crate::{Address, Dataset, Kinds, PlaceQuery, write};

const SOURCES: [&str; 3] = ["overture", "osm", "csv"];

/// A business of the world that a test makes up.
#[derive(Clone, Debug)]
struct Business {
    name: usize,
    /// Along a road through many tiles, in steps of 40 m to 6 km.
    step: f64,
    phone: u16,
    /// For each source whether it has the business, and how far it is off.
    sources: [Option<(i8, bool)>; 3],
}

fn business() -> impl Strategy<Value = Business> {
    let source = || proptest::option::weighted(0.7, (any::<i8>(), any::<bool>()));
    let step = prop_oneof![4 => 0.000_4..0.002, 2 => 0.005..0.06, 1 => 0.1..0.4];
    (0..5_usize, step, 0..30_u16, [source(), source(), source()]).prop_map(|(name, step, phone, sources)| Business {
        name,
        step,
        phone,
        sources,
    })
}

fn records(world: &[Business]) -> [Vec<Place>; 3] {
    let names = ["Hargrove Plumbing", "Okafor & Sons Plumbing", "Hargrove's", "Blue Heron Plumbing LLC", "Okafor"];
    let mut found = [Vec::new(), Vec::new(), Vec::new()];
    let mut longitude = -100.0;
    for (number, business) in world.iter().enumerate() {
        longitude += business.step;
        for (source, (aside, contact)) in
            business.sources.iter().enumerate().filter_map(|(at, has)| Some((at, (*has)?)))
        {
            let latitude = 40.0 + f64::from(aside) * 0.000_01;
            let mut place = Place::new(
                format!("{}", number % 97 * 1_000 + number),
                names[business.name],
                Point { latitude, longitude },
            );
            place.categories.primary = Some("plumbing".into());
            place.confidence = (source != 1).then(|| f64::from(aside.unsigned_abs()) / 128.0);
            if contact {
                place.phones = vec![format!("+1 512 555 {:04}", business.phone)];
                place.websites = vec![format!("https://example{}.com/{source}", business.phone % 7)];
            }
            let street = Some(format!("{} Main St", number / 3));
            place.addresses = vec![Address { freeform: street, country: Some("US".into()), ..Address::default() }];
            found[source].push(place);
        }
    }
    found
}

async fn set(folder: &Path, name: &str, places: Vec<Place>) -> Set {
    let folder = folder.join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    write(&folder.join("places.parquet"), places).expect("a file");
    let store = Arc::new(LocalFileSystem::new_with_prefix(&folder).expect("a store"));
    let dataset = Dataset::in_folder(store, &"".into()).await.expect("a data set");
    let plumbers = Kinds::of(category("plumber").expect("an industry"));
    let area = Area::circle("everywhere", "US", Point { latitude: 40.0, longitude: -90.0 }, 3_000.0);
    let query = PlaceQuery { area, kinds: plumbers, confidence_min: 0.0 };
    (SourceTag::from(name), QueryRows::find(&dataset, &query).await.expect("rows"))
}

/// All places, a few at a time.
async fn pages(index: &MergedIndex) -> Vec<(Rank, Merged)> {
    let mut all: Vec<(Rank, Merged)> = Vec::new();
    loop {
        let page = index.after(all.last().map(|(rank, _)| rank), 37).await.expect("a page");
        if page.is_empty() {
            return all;
        }
        all.extend(page);
    }
}

/// All places, merged at once.
async fn at_once(sets: &[Set]) -> Vec<(Rank, Merged)> {
    let mut merger = Merger::default();
    for (tag, rows) in sets {
        rows.scan(
            &schema::COLUMNS,
            |place| place,
            |found| {
                merger.add(tag.clone(), found.into_iter().map(|(_, place)| place).collect());
            },
        )
        .await
        .expect("places");
    }
    let mut merged: Vec<(Rank, Merged)> = merger.finish().into_iter().map(|merged| (merged.rank(), merged)).collect();
    merged.sort_by(|(one, _), (other, _)| one.cmp(other));
    merged
}

fn check(world: &[Business]) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(async {
        let folder = tempfile::tempdir().expect("a folder");
        let mut sets = Vec::new();
        for (name, places) in SOURCES.into_iter().zip(records(world)) {
            sets.push(set(folder.path(), name, places).await);
        }
        let expected = at_once(&sets).await;
        for tile_records in [5, 40, 100_000] {
            let index = MergedIndex::in_tiles(sets.clone(), tile_records).await.expect("an index");
            assert_eq!(index.total(), expected.len(), "tiles of {tile_records}");
            assert_eq!(pages(&index).await, expected, "tiles of {tile_records}");
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, ..ProptestConfig::default() })]

    #[test]
    fn tiles_do_not_matter(world in proptest::collection::vec(business(), 1..250)) {
        check(&world);
    }
}

#[test]
fn no_places_are_no_pages() {
    check(&[]);
}
