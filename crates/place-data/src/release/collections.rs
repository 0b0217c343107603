//! The list of a release's files with the box of each, which lies beside Overture's catalog as `collections.parquet`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::cast;
use arrow_schema::DataType;
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use places::Bounds;

use crate::schema::Texts;

/// What is read of the list.
const COLUMNS: [&str; 4] = ["collection", "type", "bbox", "assets"];
/// By how much boxes are widened, in degrees: they may have been rounded.
const SLACK: f64 = 1e-4;

/// A file of places: its name, and a box around its places.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlaceFileName {
    pub(super) name: String,
    pub(super) bounds: Option<Bounds>,
}

/// The files of places in a release. Empty when the list says nothing of them in a way that is understood here.
pub(super) fn parse(list: Bytes) -> Vec<PlaceFileName> {
    // A list made to break the decoder may make it panic.
    let mut files = catch_unwind(AssertUnwindSafe(|| rows(list))).ok().flatten().unwrap_or_default();
    files.sort_by(|one, other| one.name.cmp(&other.name));
    files.dedup_by(|one, other| one.name == other.name);
    files
}

fn rows(list: Bytes) -> Option<Vec<PlaceFileName>> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(list).ok()?;
    let columns = ProjectionMask::columns(builder.parquet_schema(), COLUMNS);
    let mut files = Vec::new();
    for batch in builder.with_projection(columns).build().ok()? {
        files.extend(of_places(&batch.ok()?));
    }
    Some(files)
}

fn of_places(batch: &RecordBatch) -> Vec<PlaceFileName> {
    let (collection, kind) = (Texts::of(batch.column_by_name("collection")), Texts::of(batch.column_by_name("type")));
    let addresses = batch.column_by_name("assets").map(texts_below).unwrap_or_default();
    let sides = batch.column_by_name("bbox").map(sides).unwrap_or_default();
    let is_place =
        |row: &usize| collection.get(*row) == Some("place") && kind.get(*row).is_none_or(|kind| kind == "Feature");
    let file = |row: usize| {
        let name = addresses.iter().find_map(|texts| file_name(texts.get(row)?))?;
        Some(PlaceFileName { name, bounds: bounds(&sides, row) })
    };
    (0..batch.num_rows()).filter(is_place).filter_map(file).collect()
}

/// The last part of the address of a Parquet file. Where it lies is known; other stores have it under the same name.
fn file_name(address: &str) -> Option<String> {
    let name = address.split(['?', '#']).next()?.rsplit('/').next()?;
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.=".contains(&byte));
    (address.contains("type=place/") && name.ends_with(".parquet") && plain).then(|| name.to_owned())
}

/// All columns of texts within a column of records: the address lies deep in it, elsewhere in each generation of the list.
fn texts_below(column: &ArrayRef) -> Vec<Texts> {
    match column.as_struct_opt() {
        Some(record) => record.columns().iter().flat_map(texts_below).collect(),
        None if matches!(column.data_type(), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) => {
            vec![Texts::of(Some(column))]
        }
        None => Vec::new(),
    }
}

type Side = arrow_array::PrimitiveArray<Float64Type>;

/// West, south, east and north of each row's box.
fn sides(column: &ArrayRef) -> Vec<Side> {
    let numbers = |side: &ArrayRef| cast(side, &DataType::Float64).ok()?.as_primitive_opt::<Float64Type>().cloned();
    let record = column.as_struct_opt();
    let named = ["xmin", "ymin", "xmax", "ymax"].map(|name| record?.column_by_name(name).and_then(numbers));
    named.into_iter().collect::<Option<Vec<Side>>>().unwrap_or_default()
}

fn bounds(sides: &[Side], row: usize) -> Option<Bounds> {
    let [west, south, east, north] = sides else { return None };
    if [west, south, east, north].iter().any(|side| side.is_null(row) || !side.value(row).is_finite()) {
        return None;
    }
    let bounds = Bounds {
        south: south.value(row) - SLACK,
        west: west.value(row) - SLACK,
        north: north.value(row) + SLACK,
        east: east.value(row) + SLACK,
    };
    (bounds.west <= bounds.east && bounds.south <= bounds.north).then_some(bounds)
}
