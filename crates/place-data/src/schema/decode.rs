//! Places out of record batches, whichever generation and dialect of the schema they have.
//!
//! Columns may be missing, entirely null (and then of no type), or of another width; a value that is not what its name
//! promises is left out rather than the whole file refused.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BinaryViewArray, ListArray, MapArray, PrimitiveArray, RecordBatch, StringViewArray, StructArray,
};
use arrow_cast::cast;
use arrow_schema::{DataType, Field};
use places::Point;
use std::sync::Arc;

use crate::order::Rank;
use crate::place::{Address, Brand, Categories, NameSource, OperatingStatus, Origin, Place};

/// Bytes of a text beyond which it is left out.
const TEXT_BYTES_MAX: usize = 64 * 1024;
/// Items of a list of one place that are read.
const LIST_ITEMS_MAX: usize = 500;

/// The places of a batch, without those that have no name or no usable point.
pub(crate) fn decode(batch: &RecordBatch) -> Vec<Place> {
    let rows = Rows::of(batch);
    (0..batch.num_rows()).filter_map(|row| rows.place(row)).collect()
}

/// The points of a batch; `None` for a row without a usable one.
pub(crate) fn points(batch: &RecordBatch) -> Vec<Option<Point>> {
    match geometries(batch) {
        Some(column) => column.iter().map(|wkb| exact_point(wkb?)).collect(),
        None => vec![None; batch.num_rows()],
    }
}

/// The position in the order of each place of a batch; `None` for what is no place.
pub(crate) fn ranks(batch: &RecordBatch) -> Vec<Option<Rank>> {
    let column = |name: &str| batch.column_by_name(name);
    let (id, name) = (Texts::of(column("id")), Texts::of(member(record(column("names")), "primary")));
    let (websites, phones) = (TextLists::of(column("websites")), TextLists::of(column("phones")));
    let confidence = numbers::<Float64Type>(column("confidence"));
    let rank = |row: usize| {
        name.get(row)?;
        let reachable = u8::from(websites.has(row)) + u8::from(phones.has(row));
        let confidence = number(confidence.as_ref(), row).filter(|value| value.is_finite());
        Some(Rank::new(reachable, confidence, id.owned(row)?))
    };
    (0..batch.num_rows()).map(rank).collect()
}

fn geometries(batch: &RecordBatch) -> Option<BinaryViewArray> {
    cast(batch.column_by_name("geometry")?, &DataType::BinaryView).ok()?.as_binary_view_opt().cloned()
}

/// A point out of well-known binary; `None` for anything but a point within the globe.
fn exact_point(wkb: &[u8]) -> Option<Point> {
    let (little, rest) = (*wkb.first()? == 1, wkb.get(1..)?);
    let kind: [u8; 4] = rest.get(..4)?.try_into().ok()?;
    let kind = if little { u32::from_le_bytes(kind) } else { u32::from_be_bytes(kind) };
    // The upper bits tell of a height or a reference system; the position comes first behind the latter's four bytes.
    let body = rest.get(if kind & 0x2000_0000 == 0 { 4 } else { 8 }..)?;
    let number = |at: usize| -> Option<f64> {
        let bytes: [u8; 8] = body.get(at..at + 8)?.try_into().ok()?;
        Some(if little { f64::from_le_bytes(bytes) } else { f64::from_be_bytes(bytes) })
    };
    let point = Point { longitude: number(0)?, latitude: number(8)? };
    (kind & 0xff == 1 && on_globe(point)).then_some(point)
}

fn on_globe(point: Point) -> bool {
    (-180.0..=180.0).contains(&point.longitude) && (-90.0..=90.0).contains(&point.latitude)
}

/// A column of texts, or nothing where the file has none.
pub(crate) struct Texts(Option<StringViewArray>);

impl Texts {
    /// The column as text, when it can be had as such.
    pub(crate) fn of(column: Option<&ArrayRef>) -> Texts {
        Texts(column.and_then(|column| cast(column, &DataType::Utf8View).ok()?.as_string_view_opt().cloned()))
    }

    /// The text of a row; `None` when it is null, blank, or longer than any true value.
    pub(crate) fn get(&self, row: usize) -> Option<&str> {
        let column = self.0.as_ref()?;
        let text = (!column.is_null(row)).then(|| column.value(row).trim())?;
        (!text.is_empty() && text.len() <= TEXT_BYTES_MAX).then_some(text)
    }

    fn owned(&self, row: usize) -> Option<String> {
        self.get(row).map(str::to_owned)
    }
}

/// A column of lists of texts.
struct TextLists(Option<(ListArray, Texts)>);

impl TextLists {
    fn of(column: Option<&ArrayRef>) -> TextLists {
        TextLists(lists(column).map(|lists| {
            let values = Texts::of(Some(lists.values()));
            (lists, values)
        }))
    }

    fn get(&self, row: usize) -> Vec<String> {
        let Some((lists, values)) = &self.0 else { return Vec::new() };
        items(lists, row).filter_map(|item| values.owned(item)).collect()
    }

    /// Whether a row has any text.
    fn has(&self, row: usize) -> bool {
        let Some((lists, values)) = &self.0 else { return false };
        items(lists, row).any(|item| values.get(item).is_some())
    }
}

/// A column as lists with 32-bit offsets.
pub(crate) fn lists(column: Option<&ArrayRef>) -> Option<ListArray> {
    let column = column?;
    let item = match column.data_type() {
        DataType::List(item) | DataType::LargeList(item) | DataType::ListView(item) | DataType::LargeListView(item) => {
            item
        }
        DataType::FixedSizeList(item, _) => item,
        _ => return None,
    };
    let item = Arc::new(Field::new("element", item.data_type().clone(), true));
    cast(column, &DataType::List(item)).ok()?.as_list_opt::<i32>().cloned()
}

/// The positions of a row's items among the values.
pub(crate) fn items(lists: &ListArray, row: usize) -> impl Iterator<Item = usize> {
    let ends = lists.value_offsets();
    let whole = if lists.is_null(row) { 0..0 } else { ends[row]..ends[row + 1] };
    whole.take(LIST_ITEMS_MAX).filter_map(|item| usize::try_from(item).ok())
}

fn member<'a>(parent: Option<&'a StructArray>, name: &str) -> Option<&'a ArrayRef> {
    parent?.column_by_name(name)
}

fn record(column: Option<&ArrayRef>) -> Option<&StructArray> {
    column?.as_struct_opt()
}

fn numbers<T: arrow_array::ArrowPrimitiveType>(column: Option<&ArrayRef>) -> Option<PrimitiveArray<T>> {
    cast(column?, &T::DATA_TYPE).ok()?.as_primitive_opt::<T>().cloned()
}

fn number<T: arrow_array::ArrowPrimitiveType>(column: Option<&PrimitiveArray<T>>, row: usize) -> Option<T::Native> {
    column.filter(|column| !column.is_null(row)).map(|column| column.value(row))
}

/// Lists of records of texts: the list, and the columns of its records in the order of their names.
struct Records<const N: usize>(Option<(ListArray, [Texts; N])>);

impl<const N: usize> Records<N> {
    fn of(column: Option<&ArrayRef>, names: [&str; N]) -> Records<N> {
        Records(lists(column).map(|lists| {
            let columns = names.map(|name| Texts::of(member(record(Some(lists.values())), name)));
            (lists, columns)
        }))
    }

    fn get(&self, row: usize) -> Vec<[Option<String>; N]> {
        let Some((lists, columns)) = &self.0 else { return Vec::new() };
        items(lists, row).map(|item| columns.each_ref().map(|column| column.owned(item))).collect()
    }
}

/// The columns of a batch, by name.
struct Rows {
    id: Texts,
    geometry: Option<BinaryViewArray>,
    name: Texts,
    translations: Option<(MapArray, Texts, Texts)>,
    primary: Texts,
    hierarchy: TextLists,
    alternates: TextLists,
    basic: Texts,
    confidence: Option<PrimitiveArray<Float64Type>>,
    status: Texts,
    websites: TextLists,
    socials: TextLists,
    emails: TextLists,
    phones: TextLists,
    brand_name: Texts,
    brand_wikidata: Texts,
    addresses: Records<5>,
    origins: Records<3>,
    opening_hours: Texts,
    rating: Option<PrimitiveArray<Float64Type>>,
    review_count: Option<PrimitiveArray<Int64Type>>,
}

impl Rows {
    fn of(batch: &RecordBatch) -> Rows {
        let column = |name: &str| batch.column_by_name(name);
        let (names, brand) = (record(column("names")), record(column("brand")));
        // The present generation when the file has it, else the one before.
        let (kinds, alternates) = match record(column("taxonomy")) {
            Some(taxonomy) => (Some(taxonomy), "alternates"),
            None => (record(column("categories")), "alternate"),
        };
        Rows {
            id: Texts::of(column("id")),
            geometry: geometries(batch),
            name: Texts::of(member(names, "primary")),
            translations: translations(member(names, "common")),
            primary: Texts::of(member(kinds, "primary")),
            hierarchy: TextLists::of(member(kinds, "hierarchy")),
            alternates: TextLists::of(member(kinds, alternates)),
            basic: Texts::of(column("basic_category")),
            confidence: numbers(column("confidence")),
            status: Texts::of(column("operating_status")),
            websites: TextLists::of(column("websites")),
            socials: TextLists::of(column("socials")),
            emails: TextLists::of(column("emails")),
            phones: TextLists::of(column("phones")),
            brand_name: Texts::of(member(record(member(brand, "names")), "primary")),
            brand_wikidata: Texts::of(member(brand, "wikidata")),
            addresses: Records::of(column("addresses"), ["freeform", "locality", "postcode", "region", "country"]),
            origins: Records::of(column("sources"), ["dataset", "record_id", "update_time"]),
            opening_hours: Texts::of(column("opening_hours")),
            rating: numbers(column("rating")),
            review_count: numbers(column("review_count")),
        }
    }

    fn place(&self, row: usize) -> Option<Place> {
        let geometry = self.geometry.as_ref().filter(|geometry| !geometry.is_null(row))?;
        Some(Place {
            id: self.id.owned(row)?,
            name: self.name.owned(row)?,
            name_source: NameSource::Name,
            translations: self.translations(row),
            point: exact_point(geometry.value(row))?,
            categories: Categories {
                primary: self.primary.owned(row),
                hierarchy: self.hierarchy.get(row),
                alternates: self.alternates.get(row),
                basic: self.basic.owned(row),
            },
            confidence: number(self.confidence.as_ref(), row).filter(|value| value.is_finite()),
            status: self.status.get(row).map_or(OperatingStatus::Open, OperatingStatus::of),
            websites: self.websites.get(row),
            socials: self.socials.get(row),
            emails: self.emails.get(row),
            phones: self.phones.get(row),
            brand: self.brand(row),
            addresses: self.addresses.get(row).into_iter().filter_map(address).collect(),
            opening_hours: self.opening_hours.owned(row),
            rating: number(self.rating.as_ref(), row).filter(|rating| (0.0..=5.0).contains(rating)),
            review_count: number(self.review_count.as_ref(), row).filter(|count| *count >= 0),
            origins: self.origins.get(row).into_iter().filter_map(origin).collect(),
        })
    }

    fn translations(&self, row: usize) -> Vec<(String, String)> {
        let Some((map, languages, names)) = self.translations.as_ref().filter(|(map, ..)| !map.is_null(row)) else {
            return Vec::new();
        };
        let (first, last) = (map.value_offsets()[row], map.value_offsets()[row + 1]);
        let entries = (first..last).take(LIST_ITEMS_MAX).filter_map(|entry| usize::try_from(entry).ok());
        entries.filter_map(|entry| Some((languages.owned(entry)?, names.owned(entry)?))).collect()
    }

    fn brand(&self, row: usize) -> Option<Brand> {
        let brand = Brand { name: self.brand_name.owned(row), wikidata: self.brand_wikidata.owned(row) };
        (brand != Brand::default()).then_some(brand)
    }
}

fn translations(column: Option<&ArrayRef>) -> Option<(MapArray, Texts, Texts)> {
    let map = column?.as_map_opt()?;
    Some((map.clone(), Texts::of(Some(map.keys())), Texts::of(Some(map.values()))))
}

fn address([freeform, locality, postcode, region, country]: [Option<String>; 5]) -> Option<Address> {
    let address = Address { freeform, locality, postcode, region, country };
    (address != Address::default()).then_some(address)
}

fn origin([dataset, record_id, updated]: [Option<String>; 3]) -> Option<Origin> {
    Some(Origin { dataset: dataset?, record_id, updated })
}
