//! What a data set holds: how many places, where, of which kinds, and how many of them can be reached.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::OnceLock;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use futures::TryStreamExt;
use parquet::arrow::ProjectionMask;
use places::{Bounds, Point, overture};
use serde::Serialize;

use super::dataset::Dataset;
use super::file::PlaceFile;
use super::kinds::Kinds;
use super::scan::numbers;
use crate::Error;
use crate::place::OperatingStatus;
use crate::schema::{Texts, items, lists};
use crate::write::widened;

/// Countries by code that are counted. There are fewer; a file may claim more.
const COUNTRIES_MAX: usize = 26 * 26;

/// What a data set holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Survey {
    /// Rows of all files.
    pub rows: u64,
    /// Places that have closed, which searches leave out.
    pub closed: u64,
    /// Places with a website.
    pub with_website: u64,
    /// Places with a phone number.
    pub with_phone: u64,
    /// Places with an email address.
    pub with_email: u64,
    /// The box around all places.
    pub bounds: Option<Bounds>,
    /// Places by country, ISO 3166-1 alpha-2.
    pub countries: BTreeMap<String, u64>,
    /// Places in business by industry, by its slug. A place can belong to several.
    pub industries: BTreeMap<&'static str, u64>,
}

impl Dataset {
    /// Counts what the data set holds. `progress` is called with the rows counted so far; its error ends the count.
    ///
    /// # Errors
    /// [`Error::Malformed`] when a file cannot be decoded.
    pub async fn survey(&self, progress: &mut (dyn FnMut(u64) -> Result<(), Error> + Send)) -> Result<Survey, Error> {
        let count = |batch: RecordBatch| counted(&batch);
        let mut groups = std::pin::pin!(self.scan(self.row_groups().await?, columns, count));
        let mut survey = Survey::default();
        while let Some((_, counted)) = groups.try_next().await? {
            counted.into_iter().for_each(|some| survey.add(some));
            progress(survey.rows)?;
        }
        Ok(survey)
    }
}

impl Survey {
    fn add(&mut self, other: Survey) {
        self.rows += other.rows;
        self.closed += other.closed;
        self.with_website += other.with_website;
        self.with_phone += other.with_phone;
        self.with_email += other.with_email;
        if let Some(Bounds { south, west, north, east }) = other.bounds {
            for (latitude, longitude) in [(south, west), (north, east)] {
                self.bounds = Some(widened(self.bounds, Point { latitude, longitude }));
            }
        }
        for (country, count) in other.countries {
            if self.countries.len() < COUNTRIES_MAX || self.countries.contains_key(&country) {
                *self.countries.entry(country).or_default() += count;
            }
        }
        for (industry, count) in other.industries {
            *self.industries.entry(industry).or_default() += count;
        }
    }
}

/// Of addresses only the countries: the rest is most of the bytes.
fn columns(file: &PlaceFile) -> ProjectionMask {
    let wanted = [
        "bbox",
        "taxonomy.primary",
        "taxonomy.hierarchy",
        "categories.primary",
        "confidence",
        "operating_status",
        "websites",
        "phones",
        "emails",
    ];
    let schema = file.metadata.parquet_schema();
    let leaves = schema.columns().iter().enumerate().filter(|(_, column)| {
        let path = column.path().string();
        let below =
            |parent: &str| path.strip_prefix(parent).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        wanted.iter().any(|parent| below(parent)) || (path.starts_with("addresses.") && path.ends_with(".country"))
    });
    ProjectionMask::leaves(schema, leaves.map(|(leaf, _)| leaf))
}

fn counted(batch: &RecordBatch) -> Survey {
    let open = open_rows(batch);
    Survey {
        rows: batch.num_rows() as u64,
        closed: open.iter().filter(|open| !**open).count() as u64,
        with_website: filled(batch.column_by_name("websites")),
        with_phone: filled(batch.column_by_name("phones")),
        with_email: filled(batch.column_by_name("emails")),
        bounds: bounds(batch),
        countries: countries(batch),
        industries: industries(batch, &open),
    }
}

/// Which rows are places in business. A confidence of 0 means closed.
fn open_rows(batch: &RecordBatch) -> Vec<bool> {
    let confidence = numbers(batch.column_by_name("confidence"));
    let status = Texts::of(batch.column_by_name("operating_status"));
    let exists = |row: usize| confidence.as_ref().is_none_or(|values| values.is_null(row) || values.value(row) > 0.0);
    let open = |row: usize| status.get(row).is_none_or(|name| OperatingStatus::of(name) == OperatingStatus::Open);
    (0..batch.num_rows()).map(|row| exists(row) && open(row)).collect()
}

/// How many lists of a column are not empty.
fn filled(column: Option<&ArrayRef>) -> u64 {
    let Some(lists) = lists(column) else { return 0 };
    (0..lists.len()).filter(|row| !lists.is_null(*row) && lists.value_length(*row) > 0).count() as u64
}

fn bounds(batch: &RecordBatch) -> Option<Bounds> {
    let boxes = batch.column_by_name("bbox")?.as_struct_opt()?;
    let side = |name: &str| numbers(boxes.column_by_name(name));
    let least = |name: &str| side(name)?.iter().flatten().filter(|value| value.is_finite()).reduce(f64::min);
    let greatest = |name: &str| side(name)?.iter().flatten().filter(|value| value.is_finite()).reduce(f64::max);
    Some(Bounds { south: least("ymin")?, west: least("xmin")?, north: greatest("ymax")?, east: greatest("xmax")? })
}

/// Rows by the country of their first address.
fn countries(batch: &RecordBatch) -> BTreeMap<String, u64> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let Some(addresses) = lists(batch.column_by_name("addresses")) else { return counts };
    let names = Texts::of(addresses.values().as_struct_opt().and_then(|address| address.column_by_name("country")));
    for row in 0..addresses.len() {
        let Some(name) = items(&addresses, row).next().and_then(|first| names.get(first)) else { continue };
        if name.len() == 2 && name.bytes().all(|letter| letter.is_ascii_alphabetic()) {
            *counts.entry(name.to_ascii_uppercase()).or_default() += 1;
        }
    }
    counts
}

fn industries(batch: &RecordBatch, open: &[bool]) -> BTreeMap<&'static str, u64> {
    let taxonomy = batch.column_by_name("taxonomy").and_then(|column| column.as_struct_opt());
    let kinds = taxonomy.or_else(|| batch.column_by_name("categories")?.as_struct_opt());
    let primary = Texts::of(kinds.and_then(|kinds| kinds.column_by_name("primary")));
    let hierarchy = lists(taxonomy.and_then(|taxonomy| taxonomy.column_by_name("hierarchy")));
    let names = Texts::of(hierarchy.as_ref().map(|lists| lists.values()));
    let mut counts: BTreeMap<&'static str, u64> = BTreeMap::new();
    // Rows of a category that is known here are counted by it, and looked up once.
    let mut known: HashMap<&str, u64> = HashMap::new();
    for row in (0..batch.num_rows()).filter(|row| open[*row]) {
        let primary = primary.get(row);
        if let Some(name) = primary.filter(|name| overture::exists(name)) {
            *known.entry(name).or_default() += 1;
            continue;
        }
        let above = hierarchy.iter().flat_map(|lists| items(lists, row)).filter_map(|item| names.get(item));
        let slugs: HashSet<&'static str> = primary.into_iter().chain(above).flat_map(named).copied().collect();
        slugs.into_iter().for_each(|slug| *counts.entry(slug).or_default() += 1);
    }
    for (name, count) in known {
        named(name).iter().for_each(|slug| *counts.entry(slug).or_default() += count);
    }
    counts
}

/// The industries whose places a source may give this name.
fn named(name: &str) -> &'static [&'static str] {
    static INDUSTRIES: OnceLock<HashMap<String, Vec<&'static str>>> = OnceLock::new();
    let all = INDUSTRIES.get_or_init(|| {
        let mut all: HashMap<String, Vec<&'static str>> = HashMap::new();
        for category in places::categories() {
            for name in Kinds::of(category).into_names() {
                all.entry(name).or_default().push(category.slug);
            }
        }
        all
    });
    all.get(name).map_or(&[], Vec::as_slice)
}
