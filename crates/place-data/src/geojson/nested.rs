//! Properties in the nested shape of Overture's schema.

use std::borrow::Cow;

use places::Point;
use serde_json::{Map, Value};

use crate::columns::{VALUE_BYTES_MAX, made_id, reasons};
use crate::{Address, Brand, Categories, OperatingStatus, Origin, Place};

/// Entries of one list that are read.
const LIST_MAX: usize = 20;

/// Whether properties have this shape: a record of names.
pub(super) fn is_nested(properties: &Map<String, Value>) -> bool {
    member(properties, "names")["primary"].is_string()
}

/// The place in these properties.
///
/// # Errors
/// The reason for which the feature is skipped.
pub(super) fn place(properties: &Map<String, Value>, id: Option<String>, point: Point) -> Result<Place, &'static str> {
    let names = member(properties, "names");
    let name = text(&names["primary"]).ok_or(reasons::NO_NAME)?;
    let status =
        text(&member(properties, "operating_status")).map(|name| OperatingStatus::of(&name)).unwrap_or_default();
    let confidence = member(properties, "confidence").as_f64().filter(|value| (0.0..=1.0).contains(value));
    if status == OperatingStatus::PermanentlyClosed || confidence == Some(0.0) {
        return Err(reasons::CLOSED);
    }
    let addresses: Vec<Address> = list(&member(properties, "addresses"), address);
    let id = id.or_else(|| text(&member(properties, "id")));
    let id = id.unwrap_or_else(|| made_id(&name, addresses.first(), point));
    let texts = |name: &str| list(&member(properties, name), text);
    Ok(Place {
        translations: translations(&names["common"]),
        categories: categories(properties),
        confidence,
        status,
        websites: texts("websites"),
        socials: texts("socials"),
        emails: texts("emails"),
        phones: texts("phones"),
        brand: brand(&member(properties, "brand")),
        addresses,
        opening_hours: text(&member(properties, "opening_hours")),
        rating: member(properties, "rating").as_f64().filter(|rating| (0.0..=5.0).contains(rating)),
        review_count: member(properties, "review_count").as_i64().filter(|count| *count >= 0),
        origins: list(&member(properties, "sources"), origin),
        ..Place::new(id, name, point)
    })
}

/// A member; some programs write records and lists as JSON within a text.
fn member<'v>(properties: &'v Map<String, Value>, name: &str) -> Cow<'v, Value> {
    match properties.get(name) {
        None => Cow::Owned(Value::Null),
        Some(Value::String(text)) if text.starts_with(['{', '[']) => {
            Cow::Owned(serde_json::from_str(text).unwrap_or_default())
        }
        Some(value) => Cow::Borrowed(value),
    }
}

fn text(value: &Value) -> Option<String> {
    let text = value.as_str()?.trim();
    (!text.is_empty() && text.len() <= VALUE_BYTES_MAX).then(|| text.to_owned())
}

fn list<T>(value: &Value, read: fn(&Value) -> Option<T>) -> Vec<T> {
    value.as_array().into_iter().flatten().take(LIST_MAX).filter_map(read).collect()
}

fn translations(common: &Value) -> Vec<(String, String)> {
    let names = common.as_object().into_iter().flatten().take(LIST_MAX);
    names.filter_map(|(language, name)| Some((language.clone(), text(name)?))).collect()
}

fn categories(properties: &Map<String, Value>) -> Categories {
    let taxonomy = member(properties, "taxonomy");
    let (kinds, alternates) = match taxonomy.is_object() {
        true => (taxonomy, "alternates"),
        false => (member(properties, "categories"), "alternate"),
    };
    Categories {
        primary: text(&kinds["primary"]),
        hierarchy: list(&kinds["hierarchy"], text),
        alternates: list(&kinds[alternates], text),
        basic: text(&member(properties, "basic_category")),
    }
}

fn brand(value: &Value) -> Option<Brand> {
    let brand = Brand { name: text(&value["names"]["primary"]), wikidata: text(&value["wikidata"]) };
    (brand != Brand::default()).then_some(brand)
}

fn address(value: &Value) -> Option<Address> {
    let address = Address {
        freeform: text(&value["freeform"]),
        locality: text(&value["locality"]),
        postcode: text(&value["postcode"]),
        region: text(&value["region"]),
        country: text(&value["country"]),
    };
    (address != Address::default()).then_some(address)
}

fn origin(value: &Value) -> Option<Origin> {
    let dataset = text(&value["dataset"])?;
    Some(Origin { dataset, record_id: text(&value["record_id"]), updated: text(&value["update_time"]) })
}
