//! Decides from a few columns which rows are places that are looked for.
//!
//! What decides is the same for every query, so it is decoded once and kept: points, kinds and confidence.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::cast;
use arrow_schema::DataType;
use places::{Area, Bounds, Point};
use rustc_hash::FxHashMap;

use super::kinds::Kinds;
use super::prune::RowGroupRows;
use crate::place::OperatingStatus;
use crate::schema::points;

/// The columns that are looked at. The hierarchy is read only for rows whose main category is not known.
pub(super) const COLUMNS: [&str; 5] =
    ["geometry", "taxonomy.primary", "categories.primary", "confidence", "operating_status"];
/// What says more about a row whose main category is not known.
pub(super) const HIERARCHY: &str = "taxonomy.hierarchy";

/// A row that no query finds: closed, or without a usable point.
const NEVER: u32 = u32::MAX;
/// A row without a main category.
const NO_KIND: u32 = u32::MAX - 1;

/// What a query asks of each row.
#[derive(Clone, Debug)]
pub(super) struct Conditions {
    pub(super) kinds: Kinds,
    pub(super) area: Area,
    pub(super) boxes: Vec<Bounds>,
    pub(super) confidence_min: f64,
}

/// What decides about some rows of a row group.
#[derive(Debug)]
pub(super) struct DecidingRows {
    rows: Vec<Range<usize>>,
    batches: Vec<DecidingBatch>,
}

/// The same for the rows of one batch.
#[derive(Debug)]
pub(super) struct DecidingBatch {
    points: Vec<Point>,
    /// Positions among the names.
    kinds: Vec<u32>,
    names: Vec<Box<str>>,
    /// NaN where the source does not say.
    confidence: Vec<f64>,
}

/// The rows of a row group that are looked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Decision {
    pub(super) found: Vec<usize>,
    /// Rows that pass but for their kind, about which the hierarchy decides.
    pub(super) open: Vec<usize>,
}

impl DecidingRows {
    pub(super) fn new(rows: &RowGroupRows, batches: Vec<DecidingBatch>) -> DecidingRows {
        DecidingRows { rows: rows.rows.clone(), batches }
    }

    /// Whether these are all of the given rows.
    pub(super) fn covers(&self, wanted: &RowGroupRows) -> bool {
        let within = |range: &Range<usize>| {
            let next = self.rows.partition_point(|own| own.end <= range.start);
            self.rows.get(next).is_some_and(|own| own.start <= range.start && range.end <= own.end)
        };
        wanted.rows.iter().all(within)
    }

    /// The memory it takes, in bytes.
    pub(super) fn weight(&self) -> u32 {
        let names = |batch: &DecidingBatch| batch.names.iter().map(|name| name.len() + 16).sum::<usize>();
        let bytes: usize = self.batches.iter().map(|batch| batch.kinds.len() * 28 + names(batch)).sum();
        u32::try_from(bytes + self.rows.len() * 16).unwrap_or(u32::MAX)
    }

    /// The rows that meet the conditions.
    pub(super) fn decide(&self, conditions: &Conditions) -> Decision {
        let mut decision = Decision::default();
        let mut rows = self.rows.iter().cloned().flatten();
        for batch in &self.batches {
            let verdicts: Vec<Option<bool>> = batch.names.iter().map(|name| conditions.kinds.decides(name)).collect();
            for (place, row) in (0..batch.kinds.len()).zip(rows.by_ref()) {
                let verdict = match batch.kinds[place] {
                    NEVER => continue,
                    NO_KIND => None,
                    kind => verdicts.get(kind as usize).copied().flatten(),
                };
                if verdict == Some(false) || !conditions.hold(batch.points[place], batch.confidence[place]) {
                    continue;
                }
                let among = if verdict.is_some() { &mut decision.found } else { &mut decision.open };
                among.push(row);
            }
        }
        decision
    }
}

impl Conditions {
    fn hold(&self, point: Point, confidence: f64) -> bool {
        let sure = confidence.is_nan() || confidence >= self.confidence_min;
        sure && self.boxes.iter().any(|part| part.contains(point)) && self.area.contains(point)
    }
}

impl DecidingBatch {
    pub(super) fn of(batch: &RecordBatch) -> DecidingBatch {
        let (mut kinds, names) = kinds(batch);
        let closed = closed(batch);
        let confidence = confidence(batch);
        let nowhere = Point { latitude: f64::NAN, longitude: f64::NAN };
        let points: Vec<Point> = points(batch)
            .into_iter()
            .enumerate()
            .map(|(row, point)| {
                // A confidence of 0 means closed, whatever the floor.
                if point.is_none() || closed[row] || confidence[row] <= 0.0 {
                    kinds[row] = NEVER;
                }
                point.unwrap_or(nowhere)
            })
            .collect();
        DecidingBatch { points, kinds, names, confidence }
    }
}

/// The main category of each row, and the names of the categories.
fn kinds(batch: &RecordBatch) -> (Vec<u32>, Vec<Box<str>>) {
    let member = |column: &str| batch.column_by_name(column)?.as_struct_opt()?.column_by_name("primary");
    let Some(primary) = member("taxonomy").or_else(|| member("categories")) else {
        return (vec![NO_KIND; batch.num_rows()], Vec::new());
    };
    if let Some(dictionary) = primary.as_dictionary_opt::<Int32Type>()
        && let Some(values) = dictionary.values().as_string_opt::<i32>()
    {
        let kind = |key: Option<i32>| key.and_then(|key| u32::try_from(key).ok()).unwrap_or(NO_KIND);
        let names = values.iter().map(|name| name.unwrap_or_default().into()).collect();
        return (dictionary.keys().iter().map(kind).collect(), names);
    }
    let texts = cast(primary, &DataType::Utf8).ok().and_then(|column| column.as_string_opt::<i32>().cloned());
    let Some(texts) = texts else { return (vec![NO_KIND; batch.num_rows()], Vec::new()) };
    let (mut known, mut names) = (FxHashMap::default(), Vec::new());
    let mut kind = |name: &str| {
        *known.entry(name.to_owned()).or_insert_with(|| {
            names.push(Box::from(name));
            u32::try_from(names.len() - 1).unwrap_or(NO_KIND)
        })
    };
    let kinds = texts.iter().map(|name| name.map_or(NO_KIND, &mut kind)).collect();
    (kinds, names)
}

/// Whether each row is closed.
fn closed(batch: &RecordBatch) -> Vec<bool> {
    let shut = |name: &str| Some(OperatingStatus::of(name.trim()) != OperatingStatus::Open);
    match batch.column_by_name("operating_status") {
        Some(column) => each_text(column, shut).into_iter().map(|closed| closed == Some(true)).collect(),
        None => vec![false; batch.num_rows()],
    }
}

fn confidence(batch: &RecordBatch) -> Vec<f64> {
    let column = batch.column_by_name("confidence").and_then(|column| cast(column, &DataType::Float64).ok());
    match column.as_ref().and_then(|column| column.as_primitive_opt::<Float64Type>()) {
        Some(values) => values.iter().map(|value| value.unwrap_or(f64::NAN)).collect(),
        None => vec![f64::NAN; batch.num_rows()],
    }
}

/// For each row, whether its hierarchy has one of the names.
pub(super) fn named_in_hierarchy(batch: &RecordBatch, kinds: &Kinds) -> Vec<bool> {
    let none = || vec![false; batch.num_rows()];
    let taxonomy = batch.column_by_name("taxonomy").and_then(|column| column.as_struct_opt());
    let Some(hierarchy) = taxonomy.and_then(|taxonomy| taxonomy.column_by_name("hierarchy")) else { return none() };
    let Some(lists) = hierarchy.as_list_opt::<i32>() else { return none() };
    let named = each_text(lists.values(), |name| Some(kinds.contains(name)));
    let ends = lists.value_offsets();
    let among = |row: usize| {
        let (first, last) = (ends[row].unsigned_abs() as usize, ends[row + 1].unsigned_abs() as usize);
        !lists.is_null(row) && named.get(first..last).is_some_and(|named| named.contains(&Some(true)))
    };
    (0..batch.num_rows()).map(among).collect()
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
