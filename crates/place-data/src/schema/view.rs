//! Texts and bytes as views, which share the memory of repeated values: a file may repeat one value of megabytes in every row.

use std::sync::Arc;

use arrow_schema::{DataType, Field, FieldRef};

/// The same field with texts and bytes as views, also within lists, records and maps.
pub(crate) fn viewed(field: &Field) -> Field {
    field.clone().with_data_type(viewed_type(field.data_type()))
}

fn viewed_type(kind: &DataType) -> DataType {
    let inner = |field: &FieldRef| Arc::new(viewed(field));
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 => DataType::Utf8View,
        DataType::Binary | DataType::LargeBinary => DataType::BinaryView,
        DataType::Dictionary(_, values) if matches!(**values, DataType::Utf8 | DataType::LargeUtf8) => {
            DataType::Utf8View
        }
        DataType::List(item) => DataType::List(inner(item)),
        DataType::LargeList(item) => DataType::LargeList(inner(item)),
        DataType::Struct(members) => DataType::Struct(members.iter().map(inner).collect()),
        DataType::Map(entries, is_sorted) => DataType::Map(inner(entries), *is_sorted),
        other => other.clone(),
    }
}
