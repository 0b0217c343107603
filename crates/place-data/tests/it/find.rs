//! Places are found in files by area and kind: exactly those that a look at every place finds, in a fixed order.

use std::path::Path;
use std::sync::Arc;

use object_store::local::LocalFileSystem;
use place_data::{Address, Brand, Categories, Dataset, Kinds, OperatingStatus, Origin, Place, PlaceQuery, Rank, write};
use places::{Area, Point, category};

/// A world of places on a spiral around Austin, deterministic and of several kinds.
fn world(count: usize) -> Vec<Place> {
    let kinds = [("dentist", "health"), ("plumbing", "home_service"), ("pizza_restaurant", "restaurant")];
    (0..count)
        .map(|number| {
            let turn = number as f64 * 0.618;
            let reach = number as f64 / count as f64 * 1.5;
            let point = Point { latitude: 30.267 + reach * turn.sin(), longitude: -97.743 + reach * turn.cos() };
            let (primary, parent) = kinds[number % kinds.len()];
            let mut place = Place::new(format!("id-{number:06}"), format!("Business {number}"), point);
            place.categories.primary = Some(primary.to_owned());
            place.categories.hierarchy = vec![parent.to_owned(), primary.to_owned()];
            place.confidence = Some((number % 100) as f64 / 100.0);
            place.websites = (number % 2 == 0).then(|| format!("https://b{number}.example")).into_iter().collect();
            place.phones = (number % 3 != 0).then(|| format!("+1512555{number:04}")).into_iter().collect();
            if number % 50 == 7 {
                place.status = OperatingStatus::PermanentlyClosed;
            }
            place
        })
        .collect()
}

fn austin(radius_miles: f64) -> Area {
    Area::circle("Austin, TX", "US", Point { latitude: 30.267, longitude: -97.743 }, radius_miles)
}

async fn dataset(folder: &Path) -> Dataset {
    let store = LocalFileSystem::new_with_prefix(folder).expect("a folder");
    Dataset::in_folder(Arc::new(store), &"".into()).await.expect("a dataset")
}

fn expected(world: &[Place], query: &PlaceQuery) -> Vec<Place> {
    let named = |place: &Place| place.categories.primary.as_ref().is_some_and(|name| query.kinds.contains(name));
    let sure = |place: &Place| place.confidence.is_none_or(|value| value > 0.0 && value >= query.confidence_min);
    let mut found: Vec<Place> = world
        .iter()
        .filter(|place| named(place) && sure(place))
        .filter(|place| place.status == OperatingStatus::Open && query.area.contains(place.point))
        .cloned()
        .collect();
    found.sort_by_key(Rank::of);
    found
}

#[tokio::test]
async fn the_places_of_an_area_are_those_that_a_look_at_all_of_them_finds() {
    let folder = tempfile::tempdir().unwrap();
    let world = world(20_000);
    // Two files, split across the world: the layout must not matter.
    write(&folder.path().join("a.parquet"), world.iter().step_by(2).cloned()).unwrap();
    write(&folder.path().join("b.parquet"), world.iter().skip(1).step_by(2).cloned()).unwrap();
    let dataset = dataset(folder.path()).await;
    assert_eq!(dataset.rows().await.unwrap(), 20_000);
    for slug in ["dentist", "plumber"] {
        for (radius, confidence_min) in [(1.0, 0.0), (12.0, 0.5), (40.0, 0.9)] {
            let kinds = Kinds::of(category(slug).unwrap());
            let query = PlaceQuery { area: austin(radius), kinds, confidence_min };
            let (found, expected) = (dataset.find(&query, None).await.unwrap(), expected(&world, &query));
            assert!(!expected.is_empty(), "{slug} within {radius} miles");
            assert_eq!(found.total, expected.len() as u64);
            assert_eq!(found.places, expected[..found.places.len()], "{slug} within {radius} miles");
        }
    }
}

#[tokio::test]
async fn a_search_goes_on_behind_any_place() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("all.parquet"), world(3_000)).unwrap();
    let dataset = dataset(folder.path()).await;
    let query = PlaceQuery { area: austin(60.0), kinds: Kinds::of(category("dentist").unwrap()), confidence_min: 0.0 };
    let all = dataset.find(&query, None).await.unwrap();
    for (position, place) in all.places.iter().enumerate().step_by(97) {
        let after = Rank::parse(&Rank::of(place).to_text()).unwrap();
        let rest = dataset.find(&query, Some(&after)).await.unwrap();
        assert_eq!(rest.places, all.places[position + 1..]);
        assert_eq!(rest.total, all.total, "the count is that of the whole query");
    }
}

#[tokio::test]
async fn every_field_of_a_place_comes_back_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut place = Place::new("08f2", "Café Größe", Point { latitude: 30.267_123_456, longitude: -97.743_987_654 });
    place.translations = vec![("en".into(), "Cafe Size".into()), ("ja".into(), "カフェ".into())];
    place.categories = Categories {
        primary: Some("dentist".into()),
        hierarchy: vec!["health".into(), "dentist".into()],
        alternates: vec!["orthodontist".into()],
        basic: Some("dentist".into()),
    };
    place.confidence = Some(0.877);
    place.websites = vec!["https://one.example".into(), "https://two.example".into()];
    place.socials = vec!["https://www.facebook.com/1".into()];
    place.emails = vec!["hello@one.example".into()];
    place.phones = vec!["+15125550100".into()];
    place.brand = Some(Brand { name: Some("Größe".into()), wikidata: Some("Q1".into()) });
    let street =
        |freeform: &str| Address { freeform: Some(freeform.into()), country: Some("US".into()), ..Address::default() };
    place.addresses = vec![street("1 Main St"), street("2 Main St")];
    place.opening_hours = Some("Mo-Fr 08:00-17:00".into());
    place.rating = Some(4.5);
    place.review_count = Some(12);
    place.origins = vec![Origin { dataset: "meta".into(), record_id: Some("7".into()), updated: None }];
    write(&folder.path().join("one.parquet"), [place.clone()]).unwrap();
    let query = PlaceQuery { area: austin(1.0), kinds: Kinds::of(category("dentist").unwrap()), confidence_min: 0.0 };
    assert_eq!(dataset(folder.path()).await.find(&query, None).await.unwrap().places, [place]);
}

#[tokio::test]
async fn broken_files_are_named_and_break_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("places.parquet");
    write(&path, world(2_000)).unwrap();
    let sound = std::fs::read(&path).unwrap();
    let query = PlaceQuery { area: austin(60.0), kinds: Kinds::of(category("dentist").unwrap()), confidence_min: 0.0 };
    let try_with = async |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        dataset(folder.path()).await.find(&query, None).await
    };
    for cut in [0, 3, 12, sound.len() / 2, sound.len() - 1] {
        let error = try_with(&sound[..cut]).await.unwrap_err().to_string();
        assert!(error.starts_with("places.parquet"), "{error}");
    }
    // Any flipped byte is either an error that names the file, or harmless; it never panics.
    for position in (0..sound.len()).step_by(sound.len() / 300) {
        let mut bytes = sound.clone();
        bytes[position] ^= 0x5a;
        if let Err(error) = try_with(&bytes).await {
            assert!(error.to_string().starts_with("places.parquet"), "{error}");
        }
    }
}

#[tokio::test]
async fn a_category_of_a_later_release_is_found_by_its_hierarchy() {
    let folder = tempfile::tempdir().unwrap();
    let mut place = Place::new("1", "Smile", Point { latitude: 30.267, longitude: -97.743 });
    place.categories.primary = Some("tooth_studio".into());
    place.categories.hierarchy = vec!["health_care".into(), "dental_clinic".into(), "tooth_studio".into()];
    let mut other = Place { id: "2".into(), ..place.clone() };
    other.categories.hierarchy = vec!["health_care".into(), "tooth_studio".into()];
    write(&folder.path().join("new.parquet"), [place.clone(), other]).unwrap();
    let query = PlaceQuery { area: austin(1.0), kinds: Kinds::of(category("dentist").unwrap()), confidence_min: 0.0 };
    assert_eq!(dataset(folder.path()).await.find(&query, None).await.unwrap().places, [place]);
}
