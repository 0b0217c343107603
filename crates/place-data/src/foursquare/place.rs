//! Turns rows into places.

use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef, ListArray, PrimitiveArray, RecordBatch, StringViewArray};
use arrow_cast::cast;
use arrow_schema::{DataType, Field};
use places::Point;
use std::sync::Arc;

use super::label::LabelKinds;
use crate::columns::{SeenIds, VALUE_BYTES_MAX, on_globe, reasons};
use crate::osm::{Tags, socials};
use crate::{Address, Categories, Error, Import, Origin, Place};

/// The columns that are read.
pub(super) const COLUMNS: [&str; 22] = [
    "fsq_place_id",
    "name",
    "latitude",
    "longitude",
    "address",
    "locality",
    "region",
    "postcode",
    "admin_region",
    "post_town",
    "po_box",
    "country",
    "date_refreshed",
    "date_closed",
    "tel",
    "website",
    "email",
    "facebook_id",
    "instagram",
    "twitter",
    "fsq_category_labels",
    "unresolved_flags",
];

/// Flags that users of Foursquare have set on a place, and why it is left out.
const FLAGS: [(&str, &str); 7] = [
    ("closed", "reported as closed"),
    ("duplicate", "reported as a duplicate"),
    ("delete", "reported for deletion"),
    ("remove", "reported for deletion"),
    ("privatevenue", "reported as private"),
    ("doesnt_exist", "reported as not existing"),
    ("inappropriate", "reported as inappropriate"),
];
const NO_ID: &str = "no id";
const UNKNOWN_CATEGORY: &str = "categories that no industry has: searches for an industry do not find it";

/// Entries of one list that are read.
const LIST_MAX: usize = 20;

/// Reads places out of batches of rows.
#[derive(Default)]
pub(super) struct RowReader {
    seen: SeenIds,
    labels: LabelKinds,
}

impl RowReader {
    /// Takes or skips the rows of a batch, which has so many rows of its file before it.
    pub(super) fn take(
        &mut self,
        batch: &RecordBatch,
        (file, before): (&Path, u64),
        import: &mut Import<'_>,
    ) -> Result<(), Error> {
        let columns = Columns::of(batch);
        let file = file.file_name().unwrap_or_default().to_string_lossy();
        for row in 0..batch.num_rows() {
            let at = || {
                let id = columns.text("fsq_place_id", row).unwrap_or_default();
                format!("{file}, row {} ({id})", before + row as u64 + 1)
            };
            let reason = match self.place(&columns, row) {
                Err(reason) => reason,
                Ok(place) if !self.seen.is_new(&place.id) => reasons::SEEN_BEFORE,
                Ok(place) => {
                    if place.categories.primary.is_none() && !place.categories.alternates.is_empty() {
                        import.note(UNKNOWN_CATEGORY, at());
                    }
                    import.place(place)?;
                    continue;
                }
            };
            import.skip(reason, at());
        }
        Ok(())
    }

    fn place(&mut self, columns: &Columns, row: usize) -> Result<Place, &'static str> {
        let text = |name| columns.text(name, row);
        let id = text("fsq_place_id").ok_or(NO_ID)?;
        if text("date_closed").is_some() {
            return Err(reasons::CLOSED);
        }
        let flags = columns.flags.get(row);
        if let Some((_, reason)) = FLAGS.iter().find(|(name, _)| flags.iter().any(|flag| flag == name)) {
            return Err(reason);
        }
        let name = text("name").ok_or(reasons::NO_NAME)?;
        let point = columns.point(row)?;
        let list = |name| text(name).map(str::to_owned).into_iter().collect::<Vec<_>>();
        let handles = [("facebook", "facebook_id"), ("instagram", "instagram"), ("twitter", "twitter")];
        let handles = handles.into_iter().filter_map(|(network, column)| Some((network, text(column)?)));
        Ok(Place {
            categories: self.categories(columns.labels.get(row)),
            websites: list("website"),
            socials: socials(&Tags::pack(handles)),
            emails: list("email"),
            phones: list("tel"),
            addresses: address(columns, row).into_iter().collect(),
            origins: vec![Origin {
                dataset: "Foursquare".to_owned(),
                record_id: Some(id.to_owned()),
                updated: text("date_refreshed").map(str::to_owned),
            }],
            ..Place::new(id, name, point)
        })
    }

    /// The kinds that labels such as `Retail > Food and Beverage Retail > Butcher` mean; the labels themselves are kept too.
    fn categories(&mut self, labels: Vec<String>) -> Categories {
        let mut hierarchy: Vec<String> = Vec::new();
        for name in labels.iter().filter_map(|label| self.labels.kind(label)) {
            if !hierarchy.contains(&name) {
                hierarchy.push(name);
            }
        }
        Categories { primary: hierarchy.first().cloned(), hierarchy, alternates: labels, basic: None }
    }
}

fn address(columns: &Columns, row: usize) -> Option<Address> {
    let text = |name| columns.text(name, row).map(str::to_owned);
    let country = text("country").filter(|code| code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let address = Address {
        freeform: text("address").or_else(|| text("po_box").map(|number| format!("PO Box {number}"))),
        locality: text("locality").or_else(|| text("post_town")),
        postcode: text("postcode"),
        region: text("region").or_else(|| text("admin_region")),
        country: country.map(|code| code.to_ascii_uppercase()),
    };
    (address != Address::default()).then_some(address)
}

/// The columns of a batch. Those that a file lacks or that have another type are empty.
struct Columns {
    texts: Vec<(&'static str, Option<StringViewArray>)>,
    labels: TextLists,
    flags: TextLists,
    latitude: Option<PrimitiveArray<Float64Type>>,
    longitude: Option<PrimitiveArray<Float64Type>>,
}

impl Columns {
    fn of(batch: &RecordBatch) -> Columns {
        let column = |name: &str| batch.column_by_name(name);
        let numbers = |name: &str| cast(column(name)?, &DataType::Float64).ok()?.as_primitive_opt().cloned();
        Columns {
            texts: COLUMNS.iter().map(|name| (*name, column(name).and_then(views))).collect(),
            labels: TextLists::of(column("fsq_category_labels")),
            flags: TextLists::of(column("unresolved_flags")),
            latitude: numbers("latitude"),
            longitude: numbers("longitude"),
        }
    }

    /// The text of a row; `None` when it is null, blank or too long.
    fn text(&self, name: &str, row: usize) -> Option<&str> {
        let (_, column) = self.texts.iter().find(|(column, _)| *column == name)?;
        value(column.as_ref()?, row)
    }

    fn point(&self, row: usize) -> Result<Point, &'static str> {
        let number = |column: &Option<PrimitiveArray<Float64Type>>| {
            column.as_ref().filter(|column| !column.is_null(row)).map(|column| column.value(row))
        };
        let (latitude, longitude) =
            number(&self.latitude).zip(number(&self.longitude)).ok_or(reasons::NO_COORDINATES)?;
        let point = Point { latitude, longitude };
        match on_globe(point) {
            false => Err(reasons::BAD_COORDINATES),
            true if latitude == 0.0 && longitude == 0.0 => Err(reasons::ZERO_COORDINATES),
            true => Ok(point),
        }
    }
}

fn value(column: &StringViewArray, row: usize) -> Option<&str> {
    let text = (!column.is_null(row)).then(|| column.value(row).trim())?;
    (!text.is_empty() && text.len() <= VALUE_BYTES_MAX).then_some(text)
}

/// A column as texts; numbers and dates as they are written.
fn views(column: &ArrayRef) -> Option<StringViewArray> {
    let is_text = *column.data_type() == DataType::Utf8View;
    let texts = if is_text { column.clone() } else { cast(column, &DataType::Utf8).ok()? };
    cast(&texts, &DataType::Utf8View).ok()?.as_string_view_opt().cloned()
}

/// A column of lists of texts.
struct TextLists(Option<(ListArray, StringViewArray)>);

impl TextLists {
    fn of(column: Option<&ArrayRef>) -> TextLists {
        let item = Arc::new(Field::new("element", DataType::Utf8View, true));
        let lists = column.and_then(|column| cast(column, &DataType::List(item)).ok()?.as_list_opt::<i32>().cloned());
        TextLists(lists.and_then(|lists| {
            let values = lists.values().as_string_view_opt()?.clone();
            Some((lists, values))
        }))
    }

    fn get(&self, row: usize) -> Vec<String> {
        let Some((lists, values)) = self.0.as_ref().filter(|(lists, _)| !lists.is_null(row)) else {
            return Vec::new();
        };
        let ends = lists.value_offsets();
        let items = (ends[row]..ends[row + 1]).filter_map(|item| usize::try_from(item).ok());
        items.filter_map(|item| value(values, item)).take(LIST_MAX).map(str::to_owned).collect()
    }
}
