//! Random areas and kinds in files of every layout: what is found is what a look at each place finds, in the same order.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::{Field, Fields, Schema};
use object_store::local::LocalFileSystem;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use place_data::{Dataset, Kinds, OperatingStatus, Place, PlaceQuery, Rank, write};
use places::{Area, Point, category};

/// Numbers that look random and are the same every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / (1_u64 << 31) as f64
    }

    fn below(&mut self, end: usize) -> usize {
        ((self.next() * end as f64) as usize).min(end - 1)
    }
}

/// How a file is written.
#[derive(Clone, Copy, Debug)]
struct FileLayout {
    group_rows: usize,
    page_rows: usize,
    statistics: EnabledStatistics,
    old_schema: bool,
}

const KINDS: [(&str, &str); 6] = [
    ("dentist", "health"),
    ("dental_clinic", "health_care"),
    ("plumbing", "home_service"),
    ("pizza_restaurant", "restaurant"),
    ("restaurant", "eat_and_drink"),
    ("kind_of_next_year", "dental_clinic"),
];

/// Towns around the globe, also at the antimeridian.
fn world(random: &mut Random, count: usize) -> Vec<Place> {
    let towns = [(30.267, -97.743), (40.71, -74.0), (-17.8, 179.98), (-17.6, -179.97), (60.17, 24.94)];
    let mut places: Vec<Place> = (0..count).map(|number| place(random, number, towns)).collect();
    places.sort_by(|one, other| one.point.longitude.total_cmp(&other.point.longitude));
    places
}

fn place(random: &mut Random, number: usize, towns: [(f64, f64); 5]) -> Place {
    let (latitude, longitude) = towns[random.below(towns.len())];
    let spread = |random: &mut Random| (random.next() + random.next() - 1.0) * 0.4;
    let longitude = longitude + spread(random);
    let longitude = if longitude.abs() > 180.0 { longitude - 360.0 * longitude.signum() } else { longitude };
    let point = Point { latitude: latitude + spread(random), longitude };
    let mut place = Place::new(format!("id-{number:06}"), format!("Business {number}"), point);
    let (primary, parent) = KINDS[random.below(KINDS.len())];
    place.categories.primary = (random.next() > 0.03).then(|| primary.to_owned());
    place.categories.hierarchy = vec![parent.to_owned(), primary.to_owned()];
    place.confidence = (random.next() > 0.05).then(|| (random.next() * 50.0).floor() / 50.0);
    place.websites = (random.next() > 0.4).then(|| format!("https://b{number}.example")).into_iter().collect();
    place.phones = (random.next() > 0.3).then(|| format!("+1512{number:07}")).into_iter().collect();
    if random.next() < 0.04 {
        place.status = OperatingStatus::PermanentlyClosed;
    }
    place
}

/// Writes places in a layout. What was lost on the way is lost in the places too.
fn write_as(path: &Path, places: &mut [Place], layout: FileLayout) {
    let plain = path.with_extension("plain");
    write(&plain, places.to_vec()).expect("a file");
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&plain).expect("a file")).expect("a reader");
    let batches: Vec<RecordBatch> = reader
        .build()
        .expect("a reader")
        .map(|batch| batch.expect("rows"))
        .map(|batch| in_schema(&batch, layout))
        .collect();
    std::fs::remove_file(plain).expect("a file");
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(layout.group_rows))
        .set_data_page_row_count_limit(layout.page_rows)
        .set_write_batch_size(layout.page_rows.min(64))
        .set_statistics_enabled(layout.statistics)
        .set_offset_index_disabled(layout.statistics != EnabledStatistics::Page)
        .build();
    let file = File::create(path).expect("a file");
    let mut writer = ArrowWriter::try_new(file, batches[0].schema(), Some(properties)).expect("a writer");
    batches.iter().for_each(|batch| writer.write(batch).expect("rows"));
    writer.close().expect("a file");
    if layout.old_schema {
        places.iter_mut().for_each(|place| place.categories.hierarchy.clear());
    }
}

/// The batch as it is, or as it was before the taxonomy.
fn in_schema(batch: &RecordBatch, layout: FileLayout) -> RecordBatch {
    if !layout.old_schema {
        return batch.clone();
    }
    let schema = batch.schema();
    let columns = schema.fields().iter().zip(batch.columns()).map(|(field, column)| match field.name().as_str() {
        "taxonomy" => {
            let taxonomy = column.as_struct();
            let primary = taxonomy.column_by_name("primary").expect("a column").clone();
            let alternate = taxonomy.column_by_name("alternates").expect("a column").clone();
            let fields = Fields::from(vec![
                Field::new("primary", primary.data_type().clone(), true),
                Field::new("alternate", alternate.data_type().clone(), true),
            ]);
            let old: ArrayRef = Arc::new(StructArray::new(fields, vec![primary, alternate], None));
            (Field::new("categories", old.data_type().clone(), true), old)
        }
        _ => (field.as_ref().clone(), column.clone()),
    });
    let (fields, columns): (Vec<Field>, Vec<ArrayRef>) = columns.unzip();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).expect("a batch")
}

fn expected(world: &[Place], query: &PlaceQuery) -> Vec<Place> {
    let named = |place: &Place| {
        let decided = place.categories.primary.as_ref().and_then(|name| query.kinds.decides(name));
        decided.unwrap_or_else(|| place.categories.hierarchy.iter().any(|name| query.kinds.contains(name)))
    };
    let sure = |place: &Place| place.confidence.is_none_or(|value| value > 0.0 && value >= query.confidence_min);
    let passes = |place: &&Place| named(place) && sure(place) && place.status == OperatingStatus::Open;
    let mut found: Vec<Place> =
        world.iter().filter(passes).filter(|place| query.area.contains(place.point)).cloned().collect();
    found.sort_by_key(Rank::of);
    found
}

fn random_query(random: &mut Random, world: &[Place]) -> PlaceQuery {
    let mut centre = world[random.below(world.len())].point;
    centre.latitude += random.next() * 0.1;
    let radius = [0.5, 3.0, 15.0, 60.0, 900.0][random.below(5)] * (0.5 + random.next());
    let slug = ["dentist", "plumber", "restaurant"][random.below(3)];
    PlaceQuery {
        area: Area::circle("somewhere", "US", centre, radius),
        kinds: Kinds::of(category(slug).expect("a category")),
        confidence_min: if random.next() < 0.5 { 0.0 } else { random.next() },
    }
}

#[tokio::test]
async fn every_layout_of_files_gives_what_a_look_at_each_place_gives() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(7);
    let layouts = [
        (EnabledStatistics::Page, 700, 100, false),
        (EnabledStatistics::Page, 5_000, 64, true),
        (EnabledStatistics::Chunk, 1_100, 300, false),
        (EnabledStatistics::None, 900, 200, true),
    ];
    let mut all = Vec::new();
    for (number, (statistics, group_rows, page_rows, old_schema)) in layouts.into_iter().enumerate() {
        let mut places = world(&mut random, 3_000);
        places.iter_mut().for_each(|place| place.id = format!("{number}-{}", place.id));
        let layout = FileLayout { group_rows, page_rows, statistics, old_schema };
        write_as(&folder.path().join(format!("{number}.parquet")), &mut places, layout);
        all.extend(places);
    }
    let store = LocalFileSystem::new_with_prefix(folder.path()).unwrap();
    let dataset = Dataset::in_folder(Arc::new(store), &"".into()).await.unwrap();
    let mut sum = 0;
    for round in 0..150 {
        let query = random_query(&mut random, &all);
        let expected = expected(&all, &query);
        let found = dataset.find(&query, None).await.unwrap();
        assert_eq!(found.total, expected.len() as u64, "round {round}");
        assert_eq!(found.places, expected, "round {round}");
        if let Some(middle) = expected.get(expected.len() / 2) {
            let rest = dataset.find(&query, Some(&Rank::of(middle))).await.unwrap();
            assert_eq!(rest.places, expected[expected.len() / 2 + 1..], "round {round}");
        }
        sum += expected.len();
    }
    assert!(sum > 10_000, "{sum}");
}

#[tokio::test]
async fn more_places_than_are_held_come_in_the_same_order_piece_by_piece() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(11);
    let mut all = world(&mut random, 40_000);
    let layout =
        FileLayout { group_rows: 7_000, page_rows: 500, statistics: EnabledStatistics::Page, old_schema: false };
    write_as(&folder.path().join("all.parquet"), &mut all, layout);
    let store = LocalFileSystem::new_with_prefix(folder.path()).unwrap();
    let dataset = Dataset::in_folder(Arc::new(store), &"".into()).await.unwrap();
    let area = Area::circle("the world", "US", Point { latitude: 0.0, longitude: 0.0 }, 13_000.0);
    let query = PlaceQuery { area, kinds: Kinds::of(category("dentist").unwrap()), confidence_min: 0.0 };
    let expected = expected(&all, &query);
    assert!(expected.len() > 10_000, "{}", expected.len());
    let (mut pieces, mut after): (Vec<Place>, Option<Rank>) = (Vec::new(), None);
    loop {
        let found = dataset.find(&query, after.as_ref()).await.unwrap();
        assert_eq!(found.total, expected.len() as u64);
        let Some(last) = found.places.last() else { break };
        after = Some(Rank::of(last));
        pieces.extend(found.places);
    }
    assert!(pieces == expected, "the order differs");
}

#[tokio::test]
async fn searches_run_in_tasks_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let all = world(&mut Random(13), 500);
    write(&folder.path().join("all.parquet"), all.clone()).unwrap();
    let store = LocalFileSystem::new_with_prefix(folder.path()).unwrap();
    let dataset = Arc::new(Dataset::in_folder(Arc::new(store), &"".into()).await.unwrap());
    let query = random_query(&mut Random(17), &all);
    let tasks: Vec<_> = (0..8)
        .map(|_| {
            let (dataset, query) = (dataset.clone(), query.clone());
            tokio::spawn(async move { dataset.find(&query, None).await })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap().unwrap().total, expected(&all, &query).len() as u64);
    }
}
