//! Finds the addresses of a street within a box.
//!
//! First the names of streets on the pages that can lie in the box, each different one looked at once; then everything about the
//! addresses on the streets that are wanted.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, RecordBatch};
use futures::{StreamExt, TryStreamExt, stream};
use places::{Bounds, Point};
use rustc_hash::FxHashMap;

use super::dataset::{Dataset, GroupRows};
use super::file::Wanted;
use super::object::Objects;
use super::prefetch::{self, Step};
use super::prune::RowGroupRows;
use crate::Error;
use crate::schema::{ADDRESS_COLUMNS, Texts, items, lists, points, texts};

/// Addresses that are held at most: the longest streets of several towns together have fewer.
const ADDRESSES_MAX: usize = 50_000;
/// Names of streets whose verdict is kept while a row group is read.
const VERDICTS_MAX: usize = 50_000;
/// Bytes of a part of an address beyond which it is none.
const TEXT_BYTES_MAX: usize = 300;
/// Requests from afar for the names of streets, and for the addresses on those that are wanted.
const STREET_REQUESTS: usize = 6;
const ADDRESS_REQUESTS: usize = 4;
/// The column of names of streets.
const STREET: &str = "street";

/// Whether a street is looked for, by its name as the file has it.
pub type StreetTest = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// An address, and where it lies.
#[derive(Clone, Debug, PartialEq)]
pub struct AddressPoint {
    /// A GERS id.
    pub id: String,
    /// Where it lies.
    pub point: Point,
    /// The house number, which need not be one: `12`, `74B`, `189 1/2`.
    pub number: Option<String>,
    /// The street's name, as the source spells it.
    pub street: String,
    /// The unit within the house.
    pub unit: Option<String>,
    /// The postal code.
    pub postcode: Option<String>,
    /// The town that the postal service names, or else the narrowest administrative unit.
    pub city: Option<String>,
}

impl Dataset {
    /// The addresses within a box whose street passes the test, ordered by id; at most fifty thousand. For files of Overture's
    /// theme of addresses.
    ///
    /// # Errors
    /// As [`Dataset::find`].
    pub async fn addresses(&self, within: &Bounds, is_wanted: &StreetTest) -> Result<Vec<AddressPoint>, Error> {
        let groups = self.groups(&within.parts()).await?;
        let step = Step {
            groups: groups.iter().collect(),
            columns: &[STREET],
            next: &ADDRESS_COLUMNS,
            requests: STREET_REQUESTS,
        };
        let objects = &prefetch::fetch(&self.objects, step).await?;
        let on_streets = stream::iter(groups).map(|group| on_streets(objects, group, is_wanted.clone()));
        let found: Vec<GroupRows> = on_streets.buffered(self.at_once()).try_collect().await?;
        let found = at_most(found, ADDRESSES_MAX);
        let step =
            Step { groups: found.iter().collect(), columns: &ADDRESS_COLUMNS, next: &[], requests: ADDRESS_REQUESTS };
        let objects = &prefetch::fetch(objects, step).await?;
        let reads = stream::iter(found).map(|group| async move {
            let wanted = Wanted { rows: &group.rows, columns: group.file.columns(&ADDRESS_COLUMNS) };
            let read = group.file.read(objects, wanted, |batch| decoded(&batch));
            Ok::<_, Error>(read.await?.into_iter().flatten().collect::<Vec<AddressPoint>>())
        });
        let read: Vec<Vec<AddressPoint>> = reads.buffered(self.at_once()).try_collect().await?;
        let mut addresses: Vec<AddressPoint> = read.into_iter().flatten().collect();
        addresses.retain(|address| within.contains(address.point) && is_wanted(&address.street));
        addresses.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(addresses)
    }
}

/// Those of the rows that lie on a street that is wanted.
async fn on_streets(objects: &Objects, group: GroupRows, is_wanted: StreetTest) -> Result<GroupRows, Error> {
    let wanted = Wanted { rows: &group.rows, columns: group.file.columns(&[STREET]) };
    let mut verdicts = Verdicts { is_wanted, known: FxHashMap::default() };
    let passed = group.file.read(objects, wanted, move |batch| verdicts.of(&batch)).await?;
    let rows = group.rows.each().zip(passed.into_iter().flatten());
    let rows = RowGroupRows::of(group.rows.group, rows.filter(|(_, passes)| *passes).map(|(row, _)| row));
    Ok(GroupRows { rows, ..group })
}

/// The first rows, up to a number of them.
fn at_most(groups: Vec<GroupRows>, most: usize) -> Vec<GroupRows> {
    let mut left = most;
    let mut kept = Vec::new();
    for mut group in groups.into_iter().filter(|group| group.rows.count() > 0) {
        if group.rows.count() > left {
            group.rows = RowGroupRows::of(group.rows.group, group.rows.each().take(left));
        }
        left -= group.rows.count();
        kept.extend((group.rows.count() > 0).then_some(group));
    }
    kept
}

/// What was said of names of streets so far.
struct Verdicts {
    is_wanted: StreetTest,
    known: FxHashMap<Box<str>, bool>,
}

impl Verdicts {
    /// Whether the street of each row is wanted.
    fn of(&mut self, batch: &RecordBatch) -> Vec<bool> {
        let none = || vec![false; batch.num_rows()];
        let Some(column) = batch.column_by_name(STREET) else { return none() };
        if let Some(dictionary) = column.as_dictionary_opt::<Int32Type>() {
            let Some(names) = texts(dictionary.values()) else { return none() };
            let mut verdicts: Vec<Option<bool>> = vec![None; names.len()];
            let mut verdict = |key: Option<i32>| {
                let key = usize::try_from(key?).ok().filter(|key| *key < names.len() && !names.is_null(*key))?;
                Some(*verdicts[key].get_or_insert_with(|| self.verdict(names.value(key))))
            };
            return dictionary.keys().iter().map(|key| verdict(key).unwrap_or(false)).collect();
        }
        let Some(names) = texts(column) else { return none() };
        names.iter().map(|name| name.is_some_and(|name| self.verdict(name))).collect()
    }

    fn verdict(&mut self, name: &str) -> bool {
        if name.len() > TEXT_BYTES_MAX {
            return false;
        }
        if let Some(known) = self.known.get(name) {
            return *known;
        }
        if self.known.len() >= VERDICTS_MAX {
            self.known.clear();
        }
        let verdict = (self.is_wanted)(name);
        self.known.insert(name.into(), verdict);
        verdict
    }
}

/// The addresses of a batch, without those that have no street or no usable point.
fn decoded(batch: &RecordBatch) -> Vec<AddressPoint> {
    let texts_of = |name: &str| Texts::of(batch.column_by_name(name));
    let [id, street, number, unit] = ["id", STREET, "number", "unit"].map(texts_of);
    let [postcode, postal_city] = ["postcode", "postal_city"].map(texts_of);
    let levels = lists(batch.column_by_name("address_levels"));
    let level_names = levels.as_ref().map(|lists| {
        let values = lists.values();
        Texts::of(values.as_struct_opt().and_then(|level| level.column_by_name("value")))
    });
    let narrowest = |row: usize| {
        let (lists, names) = (levels.as_ref()?, level_names.as_ref()?);
        items(lists, row).filter_map(|item| names.get(item)).last()
    };
    let text = |texts: &Texts, row: usize| short(texts.get(row));
    let rows = points(batch).into_iter().enumerate();
    rows.filter_map(|(row, point)| {
        Some(AddressPoint {
            id: text(&id, row).unwrap_or_default(),
            point: point?,
            number: text(&number, row),
            street: text(&street, row)?,
            unit: text(&unit, row),
            postcode: text(&postcode, row),
            city: text(&postal_city, row).or_else(|| short(narrowest(row))),
        })
    })
    .collect()
}

fn short(text: Option<&str>) -> Option<String> {
    text.filter(|text| text.len() <= TEXT_BYTES_MAX).map(str::to_owned)
}
