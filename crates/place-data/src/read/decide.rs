//! Decides from a few columns which rows are places that are looked for.
//!
//! What decides is the same for every query, so it is decoded once and kept: points, kinds and confidence.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::cast;
use arrow_schema::DataType;
use places::{Area, Bounds, Point, overture};
use rustc_hash::FxHashMap;

use super::codes::{Coder, Codes};
use super::kinds::Kinds;
use super::prune::RowGroupRows;
use crate::place::OperatingStatus;
use crate::schema::{points, texts};

/// The columns that are looked at. The hierarchy is read only for rows whose main category is not known.
pub(super) const COLUMNS: [&str; 5] =
    ["geometry", "taxonomy.primary", "categories.primary", "confidence", "operating_status"];
/// What says more about a row whose main category is not known.
pub(super) const HIERARCHY: &str = "taxonomy.hierarchy";

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
    points: Vec<Point>,
    kinds: Codes,
    names: Vec<Kind>,
    confidence: Codes,
    /// The different values of the confidence, NaN where the source does not say.
    levels: Vec<f64>,
}

/// What is known of the main category of a row, before any query.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kind {
    /// No query finds the row: it is closed, or without a usable point.
    Never,
    /// The row has no main category.
    Unknown,
    /// A category that Overture has or had.
    Overture(Box<str>),
    Other(Box<str>),
}

/// Whether rows of a kind are looked for.
#[derive(Clone, Copy, Debug)]
enum Verdict {
    Yes,
    No,
    /// The hierarchy decides.
    Open,
}

/// What decides about the rows of one batch.
#[derive(Debug)]
pub(super) struct DecidingBatch {
    /// `None` for a row that no query finds.
    points: Vec<Option<Point>>,
    /// Positions among the names.
    kinds: Vec<Option<usize>>,
    names: Vec<Box<str>>,
    /// NaN where the source does not say.
    confidence: Vec<f64>,
}

/// The rows of a row group that are looked for, with their points.
#[derive(Clone, Debug, Default)]
pub(super) struct Decision {
    pub(super) found: Vec<(usize, Point)>,
    /// Rows that pass but for their kind, about which the hierarchy decides.
    pub(super) open: Vec<(usize, Point)>,
}

impl DecidingRows {
    pub(super) fn new(rows: &RowGroupRows, batches: Vec<DecidingBatch>) -> DecidingRows {
        let (mut kinds, mut levels) = (Coder::new(), Coder::new());
        let (never, unknown) = (kinds.code(&Kind::Never), kinds.code(&Kind::Unknown));
        let mut points = Vec::with_capacity(batches.iter().map(|batch| batch.points.len()).sum());
        for batch in batches {
            let names: Vec<u32> = batch.names.into_iter().map(|name| kinds.code(&Kind::of(name))).collect();
            for (row, point) in batch.points.into_iter().enumerate() {
                let named = batch.kinds[row].and_then(|name| names.get(name).copied());
                kinds.push(if point.is_some() { named.unwrap_or(unknown) } else { never });
                points.push(point.unwrap_or(Point { latitude: f64::NAN, longitude: f64::NAN }));
                let level = levels.code(&batch.confidence[row].to_bits());
                levels.push(level);
            }
        }
        let ((names, kinds), (levels, confidence)) = (kinds.finish(), levels.finish());
        let levels = levels.into_iter().map(f64::from_bits).collect();
        DecidingRows { rows: rows.rows.clone(), points, kinds, names, confidence, levels }
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
        let names: usize = self.names.iter().map(Kind::weight).sum();
        let codes = self.kinds.weight() + self.confidence.weight();
        let bytes = self.points.len() * size_of::<Point>() + codes + names + self.levels.len() * 8;
        u32::try_from(bytes + self.rows.len() * 16).unwrap_or(u32::MAX)
    }

    /// The rows that meet the conditions.
    pub(super) fn decide(&self, conditions: &Conditions) -> Decision {
        let mut decision = Decision::default();
        let verdicts: Vec<Verdict> = self.names.iter().map(|kind| kind.verdict(&conditions.kinds)).collect();
        let rows = self.rows.iter().cloned().flatten();
        for (place, row) in (0..self.kinds.len()).zip(rows) {
            let among = match verdicts[self.kinds.get(place)] {
                Verdict::No => continue,
                Verdict::Yes => &mut decision.found,
                Verdict::Open => &mut decision.open,
            };
            let point = self.points[place];
            if conditions.hold(point, self.levels[self.confidence.get(place)]) {
                among.push((row, point));
            }
        }
        decision
    }
}

impl Kind {
    fn of(name: Box<str>) -> Kind {
        if overture::exists(&name) { Kind::Overture(name) } else { Kind::Other(name) }
    }

    /// As [`Kinds::decides`] says, without looking the name up again.
    fn verdict(&self, kinds: &Kinds) -> Verdict {
        match self {
            Kind::Never => Verdict::No,
            Kind::Unknown => Verdict::Open,
            Kind::Overture(name) | Kind::Other(name) if kinds.contains(name) => Verdict::Yes,
            Kind::Overture(_) => Verdict::No,
            Kind::Other(_) => Verdict::Open,
        }
    }

    fn weight(&self) -> usize {
        let letters = match self {
            Kind::Overture(name) | Kind::Other(name) => name.len(),
            Kind::Never | Kind::Unknown => 0,
        };
        size_of::<Kind>() + letters
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
        let (kinds, names) = kinds(batch);
        let (closed, confidence) = (closed(batch), confidence(batch));
        let mut points = points(batch);
        for (row, point) in points.iter_mut().enumerate() {
            // A confidence of 0 means closed, whatever the floor.
            if closed[row] || confidence[row] <= 0.0 {
                *point = None;
            }
        }
        DecidingBatch { points, kinds, names, confidence }
    }
}

/// The main category of each row, and the names of the categories.
fn kinds(batch: &RecordBatch) -> (Vec<Option<usize>>, Vec<Box<str>>) {
    let none = || (vec![None; batch.num_rows()], Vec::new());
    let member = |column: &str| batch.column_by_name(column)?.as_struct_opt()?.column_by_name("primary");
    let Some(primary) = member("taxonomy").or_else(|| member("categories")) else { return none() };
    if let Some(dictionary) = primary.as_dictionary_opt::<Int32Type>()
        && let Some(values) = dictionary.values().as_string_opt::<i32>()
    {
        let kind = |key: Option<i32>| key.and_then(|key| usize::try_from(key).ok());
        let names = values.iter().map(|name| name.unwrap_or_default().into()).collect();
        return (dictionary.keys().iter().map(kind).collect(), names);
    }
    let Some(texts) = texts(primary) else { return none() };
    let (mut known, mut names) = (FxHashMap::default(), Vec::new());
    let mut kind = |name: &str| {
        *known.entry(name.to_owned()).or_insert_with(|| {
            names.push(Box::from(name));
            names.len() - 1
        })
    };
    let kinds = texts.iter().map(|name| name.map(&mut kind)).collect();
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
    match texts(column) {
        Some(texts) => texts.iter().map(|text| text.and_then(&says)).collect(),
        None => vec![None; column.len()],
    }
}
