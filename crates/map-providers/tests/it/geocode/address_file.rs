//! Files of addresses as Overture publishes them.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder, StructBuilder};
use arrow_array::{ArrayRef, BinaryArray, Float32Array, RecordBatch, StringArray, StructArray};
use arrow_schema::{DataType, Field, Fields};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use place_data::AddressPoint;

/// Rows of a row group: small, so that there are several.
const GROUP_ROWS: usize = 512;

/// Writes a file of addresses, those that lie close together beside each other as in Overture's.
pub(crate) fn write(path: &Path, mut addresses: Vec<AddressPoint>) {
    addresses.sort_by(|one, other| one.point.longitude.total_cmp(&other.point.longitude));
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    let texts =
        |of: fn(&AddressPoint) -> Option<&str>| Arc::new(addresses.iter().map(of).collect::<StringArray>()) as ArrayRef;
    let side = |of: fn(&AddressPoint) -> f64| {
        Arc::new(addresses.iter().map(|address| Some(of(address) as f32)).collect::<Float32Array>()) as ArrayRef
    };
    let point = |address: &AddressPoint| {
        let numbers = [address.point.longitude, address.point.latitude].map(f64::to_le_bytes);
        [&[1_u8, 1, 0, 0, 0][..], numbers[0].as_slice(), numbers[1].as_slice()].concat()
    };
    let sides = [
        ("xmin", side(|address| address.point.longitude)),
        ("xmax", side(|address| address.point.longitude)),
        ("ymin", side(|address| address.point.latitude)),
        ("ymax", side(|address| address.point.latitude)),
    ];
    let batch = RecordBatch::try_from_iter([
        ("id", texts(|address| Some(address.id.as_str()))),
        ("geometry", Arc::new(BinaryArray::from_iter_values(addresses.iter().map(point))) as ArrayRef),
        ("bbox", record(sides.to_vec())),
        ("country", texts(|_| None)),
        ("postcode", texts(|address| address.postcode.as_deref())),
        ("street", texts(|address| Some(address.street.as_str()))),
        ("number", texts(|address| address.number.as_deref())),
        ("unit", texts(|address| address.unit.as_deref())),
        ("address_levels", levels(&addresses)),
        ("postal_city", texts(|_| None)),
    ]);
    let batch = batch.expect("columns of one length");
    write_batch(path, &batch);
}

fn write_batch(path: &Path, batch: &RecordBatch) {
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .set_data_page_row_count_limit(64)
        .set_write_batch_size(64)
        .build();
    let file = fs::File::create(path).expect("a file");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).expect("a writer");
    writer.write(batch).expect("rows");
    writer.close().expect("a file");
}

fn record(members: Vec<(&str, ArrayRef)>) -> ArrayRef {
    let fields = members
        .into_iter()
        .map(|(name, values)| (Arc::new(Field::new(name, values.data_type().clone(), true)), values));
    Arc::new(StructArray::from(fields.collect::<Vec<_>>())) as ArrayRef
}

/// State and town, as lists of records with one member.
fn levels(addresses: &[AddressPoint]) -> ArrayRef {
    let fields = Fields::from(vec![Field::new("value", DataType::Utf8, true)]);
    let mut lists = ListBuilder::new(StructBuilder::from_fields(fields, 2 * addresses.len()));
    for address in addresses {
        for name in [Some("State"), address.city.as_deref()] {
            let values = lists.values();
            values.field_builder::<StringBuilder>(0).expect("a column of texts").append_option(name);
            values.append(true);
        }
        lists.append(true);
    }
    Arc::new(lists.finish())
}
