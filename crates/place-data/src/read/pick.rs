//! Decides from a few columns which rows may be places that are looked for.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type};
use arrow_array::{Array, ArrayRef, PrimitiveArray, RecordBatch};
use arrow_cast::cast;
use arrow_schema::DataType;
use places::Bounds;

use super::kinds::Kinds;
use super::prune::RowGroupRows;
use crate::place::OperatingStatus;
use crate::schema::Texts;

/// The columns that are looked at.
pub(super) const COLUMNS: [&str; 6] =
    ["bbox", "taxonomy.primary", "taxonomy.hierarchy", "categories.primary", "confidence", "operating_status"];

/// What a row must be like. A row that passes may still lie outside of the area, within its box.
#[derive(Clone, Debug)]
pub(super) struct Pick {
    pub(super) kinds: Kinds,
    pub(super) boxes: Vec<Bounds>,
    pub(super) confidence_min: f64,
}

impl Pick {
    /// The rows of a batch that pass.
    pub(super) fn rows(&self, batch: &RecordBatch) -> Vec<bool> {
        let mut passes = self.of_kind(batch);
        self.drop_outside(batch, &mut passes);
        self.drop_doubtful(batch, &mut passes);
        passes
    }

    fn of_kind(&self, batch: &RecordBatch) -> Vec<bool> {
        let taxonomy = batch.column_by_name("taxonomy").and_then(|column| column.as_struct_opt());
        let kinds = taxonomy.or_else(|| batch.column_by_name("categories")?.as_struct_opt());
        let decided = match kinds.and_then(|kinds| kinds.column_by_name("primary")) {
            Some(primary) => each_text(primary, |name| self.kinds.decides(name)),
            None => vec![None; batch.num_rows()],
        };
        let hierarchy = taxonomy.and_then(|taxonomy| taxonomy.column_by_name("hierarchy"));
        let Some(lists) = hierarchy.and_then(|column| column.as_list_opt::<i32>()) else {
            return decided.into_iter().map(|decided| decided.unwrap_or(false)).collect();
        };
        let named = each_text(lists.values(), |name| Some(self.kinds.contains(name)));
        let ends = lists.value_offsets();
        let among = |row: usize| {
            let (first, last) = (ends[row].unsigned_abs() as usize, ends[row + 1].unsigned_abs() as usize);
            !lists.is_null(row) && named.get(first..last).is_some_and(|named| named.contains(&Some(true)))
        };
        decided.into_iter().enumerate().map(|(row, decided)| decided.unwrap_or_else(|| among(row))).collect()
    }

    fn drop_outside(&self, batch: &RecordBatch, passes: &mut [bool]) {
        let Some(boxes) = batch.column_by_name("bbox").and_then(|column| column.as_struct_opt()) else { return };
        let side = |name: &str| numbers(boxes.column_by_name(name));
        let (Some(west), Some(east), Some(south), Some(north)) =
            (side("xmin"), side("xmax"), side("ymin"), side("ymax"))
        else {
            return;
        };
        for (row, passes) in passes.iter_mut().enumerate().filter(|(_, passes)| **passes) {
            *passes = self.boxes.iter().any(|part| {
                west.value(row) <= part.east
                    && east.value(row) >= part.west
                    && south.value(row) <= part.north
                    && north.value(row) >= part.south
            });
        }
    }

    /// A confidence of 0 means closed, whatever the floor.
    fn drop_doubtful(&self, batch: &RecordBatch, passes: &mut [bool]) {
        let confidence = numbers(batch.column_by_name("confidence"));
        let status = Texts::of(batch.column_by_name("operating_status"));
        let sure = |row: usize| match &confidence {
            Some(values) if !values.is_null(row) => values.value(row) > 0.0 && values.value(row) >= self.confidence_min,
            _ => true,
        };
        let open = |row: usize| status.get(row).is_none_or(|name| OperatingStatus::of(name) == OperatingStatus::Open);
        for (row, passes) in passes.iter_mut().enumerate().filter(|(_, passes)| **passes) {
            *passes = sure(row) && open(row);
        }
    }
}

/// What is said of each text of a column; nothing of null. Of a dictionary each value is looked at once.
fn each_text(column: &ArrayRef, says: impl Fn(&str) -> Option<bool>) -> Vec<Option<bool>> {
    if let Some(dictionary) = column.as_dictionary_opt::<Int32Type>() {
        let values = each_text(dictionary.values(), says);
        let value = |key: Option<i32>| values.get(usize::try_from(key?).ok()?).copied().flatten();
        return dictionary.keys().iter().map(value).collect();
    }
    let texts = cast(column, &DataType::Utf8).ok().and_then(|column| column.as_string_opt::<i32>().cloned());
    match texts {
        Some(texts) => texts.iter().map(|text| text.and_then(&says)).collect(),
        None => vec![None; column.len()],
    }
}

fn numbers(column: Option<&ArrayRef>) -> Option<PrimitiveArray<Float64Type>> {
    cast(column?, &DataType::Float64).ok()?.as_primitive_opt().cloned()
}

/// The rows of a row group that passed, out of those that were looked at.
pub(super) fn passed(looked_at: &RowGroupRows, passes: impl IntoIterator<Item = bool>) -> RowGroupRows {
    let mut rows: Vec<Range<usize>> = Vec::new();
    for (row, _) in looked_at.rows.iter().cloned().flatten().zip(passes).filter(|(_, passes)| *passes) {
        match rows.last_mut() {
            Some(last) if last.end == row => last.end += 1,
            _ => rows.push(row..row + 1),
        }
    }
    RowGroupRows { group: looked_at.group, rows }
}
