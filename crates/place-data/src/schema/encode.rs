//! Places as record batches of the schema that Canvass writes.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, Float32Builder, ListBuilder, MapBuilder, StringBuilder, StructBuilder};
use arrow_array::{ArrayRef, RecordBatch, StructArray};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};

use crate::place::{Address, Place};

/// The schema of the files that Canvass writes: the present one of Overture, with opening hours, ratings and review counts.
pub(crate) fn schema() -> SchemaRef {
    let text = |name: &str| Field::new(name, DataType::Utf8, true);
    let texts = |name: &str| Field::new(name, list_of(DataType::Utf8), true);
    Arc::new(Schema::new(vec![
        Field::new("id", DataType::Utf8, false),
        Field::new("geometry", DataType::Binary, false),
        Field::new("bbox", DataType::Struct(bbox_fields()), false),
        Field::new("names", DataType::Struct(names_fields()), true),
        text("operating_status"),
        text("basic_category"),
        Field::new("taxonomy", DataType::Struct(taxonomy_fields()), true),
        Field::new("confidence", DataType::Float64, true),
        texts("websites"),
        texts("socials"),
        texts("emails"),
        texts("phones"),
        Field::new("brand", DataType::Struct(brand_fields()), true),
        Field::new("addresses", list_of(DataType::Struct(address_fields())), true),
        Field::new("sources", list_of(DataType::Struct(origin_fields())), true),
        text("opening_hours"),
        Field::new("rating", DataType::Float64, true),
        Field::new("review_count", DataType::Int64, true),
    ]))
}

/// Places as one batch.
pub(crate) fn encode(places: &[Place]) -> Result<RecordBatch, ArrowError> {
    let columns: Vec<ArrayRef> = vec![
        texts(places, |place| Some(&place.id)),
        geometry(places),
        bbox(places),
        names(places)?,
        texts(places, |place| Some(place.status.name())),
        texts(places, |place| place.categories.basic.as_deref()),
        taxonomy(places)?,
        numbers(places, |place| place.confidence),
        lists(places, |place| &place.websites),
        lists(places, |place| &place.socials),
        lists(places, |place| &place.emails),
        lists(places, |place| &place.phones),
        brand(places)?,
        addresses(places),
        origins(places),
        texts(places, |place| place.opening_hours.as_deref()),
        numbers(places, |place| place.rating),
        Arc::new(places.iter().map(|place| place.review_count).collect::<arrow_array::Int64Array>()),
    ];
    RecordBatch::try_new(schema(), columns)
}

fn list_of(item: DataType) -> DataType {
    DataType::List(Arc::new(Field::new("element", item, true)))
}

fn text_fields(names: &[&str]) -> Fields {
    names.iter().map(|name| Field::new(*name, DataType::Utf8, true)).collect()
}

fn bbox_fields() -> Fields {
    ["xmin", "xmax", "ymin", "ymax"].iter().map(|name| Field::new(*name, DataType::Float32, false)).collect()
}

fn translations_type() -> DataType {
    let entry = Fields::from(vec![Field::new("key", DataType::Utf8, false), Field::new("value", DataType::Utf8, true)]);
    DataType::Map(Arc::new(Field::new("entries", DataType::Struct(entry), false)), false)
}

fn names_fields() -> Fields {
    Fields::from(vec![Field::new("primary", DataType::Utf8, true), Field::new("common", translations_type(), true)])
}

fn taxonomy_fields() -> Fields {
    let texts = list_of(DataType::Utf8);
    Fields::from(vec![
        Field::new("primary", DataType::Utf8, true),
        Field::new("hierarchy", texts.clone(), true),
        Field::new("alternates", texts, true),
    ])
}

fn brand_fields() -> Fields {
    let names = DataType::Struct(text_fields(&["primary"]));
    Fields::from(vec![Field::new("wikidata", DataType::Utf8, true), Field::new("names", names, true)])
}

fn address_fields() -> Fields {
    text_fields(&["freeform", "locality", "postcode", "region", "country"])
}

fn origin_fields() -> Fields {
    text_fields(&["dataset", "record_id", "update_time"])
}

fn texts<'a>(places: &'a [Place], value: impl Fn(&'a Place) -> Option<&'a str>) -> ArrayRef {
    Arc::new(places.iter().map(value).collect::<arrow_array::StringArray>())
}

fn numbers(places: &[Place], value: impl Fn(&Place) -> Option<f64>) -> ArrayRef {
    Arc::new(places.iter().map(value).collect::<arrow_array::Float64Array>())
}

fn lists(places: &[Place], values: impl Fn(&Place) -> &[String]) -> ArrayRef {
    let field = Field::new("element", DataType::Utf8, true);
    let mut lists = ListBuilder::new(StringBuilder::new()).with_field(field);
    for place in places {
        let values = values(place);
        values.iter().for_each(|value| lists.values().append_value(value));
        lists.append(!values.is_empty());
    }
    Arc::new(lists.finish())
}

fn geometry(places: &[Place]) -> ArrayRef {
    let mut points = BinaryBuilder::new();
    for place in places {
        let mut wkb = [0_u8; 21];
        wkb[..5].copy_from_slice(&[1, 1, 0, 0, 0]);
        wkb[5..13].copy_from_slice(&place.point.longitude.to_le_bytes());
        wkb[13..].copy_from_slice(&place.point.latitude.to_le_bytes());
        points.append_value(wkb);
    }
    Arc::new(points.finish())
}

/// Boxes around the points: a 32-bit number is coarser than the point, so each bound is moved outward.
fn bbox(places: &[Place]) -> ArrayRef {
    let bounds = |value: fn(&Place) -> f64, outward: fn(f32, f64) -> f32| -> ArrayRef {
        let mut bounds = Float32Builder::with_capacity(places.len());
        places.iter().for_each(|place| bounds.append_value(outward(value(place) as f32, value(place))));
        Arc::new(bounds.finish())
    };
    let x = |place: &Place| place.point.longitude;
    let y = |place: &Place| place.point.latitude;
    let columns = vec![bounds(x, at_most), bounds(x, at_least), bounds(y, at_most), bounds(y, at_least)];
    Arc::new(StructArray::new(bbox_fields(), columns, None))
}

fn at_most(rounded: f32, exact: f64) -> f32 {
    if f64::from(rounded) > exact { rounded.next_down() } else { rounded }
}

fn at_least(rounded: f32, exact: f64) -> f32 {
    if f64::from(rounded) < exact { rounded.next_up() } else { rounded }
}

fn names(places: &[Place]) -> Result<ArrayRef, ArrowError> {
    let mut translations = MapBuilder::new(None, StringBuilder::new(), StringBuilder::new());
    for place in places {
        for (language, name) in &place.translations {
            translations.keys().append_value(language);
            translations.values().append_value(name);
        }
        translations.append(!place.translations.is_empty())?;
    }
    let columns: Vec<ArrayRef> = vec![texts(places, |place| Some(&place.name)), Arc::new(translations.finish())];
    Ok(Arc::new(StructArray::try_new(names_fields(), columns, None)?))
}

fn taxonomy(places: &[Place]) -> Result<ArrayRef, ArrowError> {
    let columns = vec![
        texts(places, |place| place.categories.primary.as_deref()),
        lists(places, |place| &place.categories.hierarchy),
        lists(places, |place| &place.categories.alternates),
    ];
    Ok(Arc::new(StructArray::try_new(taxonomy_fields(), columns, None)?))
}

fn brand(places: &[Place]) -> Result<ArrayRef, ArrowError> {
    let name = texts(places, |place| place.brand.as_ref()?.name.as_deref());
    let names = StructArray::try_new(text_fields(&["primary"]), vec![name], None)?;
    let columns = vec![texts(places, |place| place.brand.as_ref()?.wikidata.as_deref()), Arc::new(names) as ArrayRef];
    Ok(Arc::new(StructArray::try_new(brand_fields(), columns, None)?))
}

fn addresses(places: &[Place]) -> ArrayRef {
    let parts = |address: &Address| {
        let Address { freeform, locality, postcode, region, country } = address.clone();
        [freeform, locality, postcode, region, country]
    };
    records(address_fields(), places.iter().map(|place| place.addresses.iter().map(parts).collect()))
}

fn origins(places: &[Place]) -> ArrayRef {
    let rows = places.iter().map(|place| {
        let origins = place.origins.iter();
        origins.map(|one| [Some(one.dataset.clone()), one.record_id.clone(), one.updated.clone()]).collect()
    });
    records(origin_fields(), rows)
}

/// A list of records of texts for each place.
fn records<const N: usize>(fields: Fields, rows: impl Iterator<Item = Vec<[Option<String>; N]>>) -> ArrayRef {
    let field = Field::new("element", DataType::Struct(fields.clone()), true);
    let mut lists = ListBuilder::new(StructBuilder::from_fields(fields, 0)).with_field(field);
    for row in rows {
        for record in &row {
            for (place, value) in record.iter().enumerate() {
                if let Some(column) = lists.values().field_builder::<StringBuilder>(place) {
                    column.append_option(value.as_deref());
                }
            }
            lists.values().append(true);
        }
        lists.append(!row.is_empty());
    }
    Arc::new(lists.finish())
}
