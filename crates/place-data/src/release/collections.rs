//! The list of a release's files with the box of each, which lies beside Overture's catalog as `collections.parquet`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::cast;
use arrow_schema::DataType;
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use places::Bounds;

use crate::schema::Texts;
use crate::soundness::{CheckedPages, can_have_rows, has_footer};
use crate::theme::Theme;

/// What is read of the list.
const COLUMNS: [&str; 4] = ["collection", "type", "bbox", "assets"];
/// By how much boxes are widened, in degrees: they may have been rounded.
const SLACK: f64 = 1e-4;

/// A file of places or addresses: its name, and a box around them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlaceFileName {
    pub(super) name: String,
    pub(super) bounds: Option<Bounds>,
}

/// The files of a theme in a release. Empty when the list says nothing of them in a way that is understood here.
pub(super) fn parse(list: Bytes, theme: Theme) -> Vec<PlaceFileName> {
    // A list made to break the decoder may make it panic.
    let mut files = catch_unwind(AssertUnwindSafe(|| rows(list, theme))).ok().flatten().unwrap_or_default();
    files.sort_by(|one, other| one.name.cmp(&other.name));
    files.dedup_by(|one, other| one.name == other.name);
    files
}

fn rows(list: Bytes, theme: Theme) -> Option<Vec<PlaceFileName>> {
    if !has_footer(&list) {
        return None;
    }
    let metadata = ArrowReaderMetadata::load(&list, ArrowReaderOptions::new()).ok()?;
    if !can_have_rows(metadata.metadata(), list.len() as u64) {
        return None;
    }
    let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(CheckedPages(list), metadata);
    let columns = ProjectionMask::columns(builder.parquet_schema(), COLUMNS);
    let mut files = Vec::new();
    for batch in builder.with_projection(columns).build().ok()? {
        files.extend(of_theme(&batch.ok()?, theme));
    }
    Some(files)
}

fn of_theme(batch: &RecordBatch, theme: Theme) -> Vec<PlaceFileName> {
    let (collection, kind) = (Texts::of(batch.column_by_name("collection")), Texts::of(batch.column_by_name("type")));
    let addresses = batch.column_by_name("assets").map(texts_below).unwrap_or_default();
    let sides = batch.column_by_name("bbox").map(sides).unwrap_or_default();
    let is_wanted =
        |row: &usize| collection.get(*row) == Some(theme.kind()) && kind.get(*row).is_none_or(|kind| kind == "Feature");
    let file = |row: usize| {
        let name = addresses.iter().find_map(|texts| file_name(texts.get(row)?, theme))?;
        Some(PlaceFileName { name, bounds: bounds(&sides, row) })
    };
    (0..batch.num_rows()).filter(is_wanted).filter_map(file).collect()
}

/// The last part of the address of a Parquet file. Where it lies is known; other stores have it under the same name.
fn file_name(address: &str, theme: Theme) -> Option<String> {
    let name = address.split(['?', '#']).next()?.rsplit('/').next()?;
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.=".contains(&byte));
    let is_of_theme = address.contains(&format!("type={}/", theme.kind()));
    (is_of_theme && name.ends_with(".parquet") && plain).then(|| name.to_owned())
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{Float64Array, StringArray, StructArray};
    use parquet::arrow::ArrowWriter;
    use proptest::prelude::*;

    use super::*;

    fn record(members: Vec<(&str, ArrayRef)>) -> ArrayRef {
        Arc::new(StructArray::try_from(members).expect("columns of one length"))
    }

    /// A list of two files of places, as Overture publishes it.
    fn list() -> Vec<u8> {
        let texts = |values: [&str; 2]| Arc::new(StringArray::from(values.to_vec())) as ArrayRef;
        let bucket = "s3://overturemaps-us-west-2/release/2026-10-21.0/theme=places/type=place/part";
        let href = texts([&format!("{bucket}-0.parquet"), &format!("{bucket}-1.parquet")]);
        let store = record(vec![("alternate", record(vec![("s3", record(vec![("href", href)]))]))]);
        let sides = [("xmin", -98.0), ("ymin", 30.0), ("xmax", -97.0), ("ymax", 31.0)];
        let sides = sides.map(|(name, side)| (name, Arc::new(Float64Array::from(vec![side, side])) as ArrayRef));
        let columns = [
            ("collection", texts(["place", "place"])),
            ("type", texts(["Feature", "Feature"])),
            ("bbox", record(sides.to_vec())),
            ("assets", record(vec![("aws", store)])),
        ];
        let batch = RecordBatch::try_from_iter(columns).expect("columns of one length");
        let mut bytes = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).expect("a schema that can be written");
        writer.write(&batch).expect("memory can be written");
        writer.close().expect("memory can be written");
        bytes
    }

    #[test]
    fn files_are_listed_with_their_boxes() {
        let files = parse(list().into(), Theme::Places);
        assert_eq!(
            files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(),
            ["part-0.parquet", "part-1.parquet"]
        );
        assert_eq!(parse(list().into(), Theme::Addresses), []);
        assert!(files.iter().all(|file| file.bounds.is_some_and(|bounds| bounds.west < -97.9 && bounds.north > 30.9)));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

        #[test]
        fn a_damaged_list_names_plain_files_or_none(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
            length in any::<prop::sample::Index>(),
            is_cut in prop::bool::weighted(0.1),
        ) {
            let mut bytes = list();
            for (index, byte) in changes {
                let at = index.index(bytes.len());
                bytes[at] = byte;
            }
            if is_cut {
                bytes.truncate(length.index(bytes.len()));
            }
            for file in parse(bytes.into(), Theme::Places) {
                prop_assert!(file.name.ends_with(".parquet") && !file.name.contains(['/', '\\']));
            }
        }
    }
}
