//! Schemas of tools, from the types that describe their arguments and results.
//!
//! Hosts differ in how much of JSON Schema they take, so these schemas are plain: everything is inlined, no `format`,
//! and `anyOf` for what may be null. An argument that may be left out is simply not required.

use std::borrow::Cow;
use std::marker::PhantomData;

use rmcp::model::JsonObject;
use schemars::generate::{Contract, SchemaSettings};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::edge::schema::shared;

/// The member that every result ends in.
const NEXT_STEP: &str = "next_step";
/// What hosts refuse, or what only makes a schema longer for a model.
const DROPPED: [&str; 7] = ["$schema", "title", "format", "example", "examples", "pattern", "propertyNames"];

/// The schema of a tool's arguments.
pub(super) fn input<T: JsonSchema>() -> JsonObject {
    let mut schema = inlined::<T>(Contract::Deserialize);
    plain(&mut schema, Nulls::Dropped);
    schema.remove("description");
    schema.entry("properties").or_insert_with(|| json!({}));
    schema.insert("additionalProperties".into(), false.into());
    schema
}

/// The schema of a tool's result: the view, and what to do next.
pub(super) fn output<T: JsonSchema>() -> JsonObject {
    let mut schema = inlined::<T>(Contract::Serialize);
    plain(&mut schema, Nulls::Kept);
    schema.remove("description");
    let next_step = json!({"type": "string", "description": "What to do next, in a sentence or two."});
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.insert(NEXT_STEP.into(), next_step);
    }
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.push(NEXT_STEP.into());
    }
    schema
}

fn inlined<T: JsonSchema>(contract: Contract) -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
        settings.contract = contract;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    std::mem::take(schema.ensure_object())
}

/// The schema of a view as the API document has it.
pub(super) struct ApiView<T>(PhantomData<T>);

impl<T: ToSchema> JsonSchema for ApiView<T> {
    fn schema_name() -> Cow<'static, str> {
        T::name()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut components = Vec::new();
        T::schemas(&mut components);
        let mut components: Map<String, Value> =
            components.into_iter().map(|(name, schema)| (name, json!(schema))).collect();
        components.extend(shared().map(|(name, schema)| (name.to_owned(), json!(schema))));
        let mut schema = json!(T::schema());
        inline(&mut schema, &components);
        Schema::try_from(schema).unwrap_or_default()
    }
}

/// Puts components in place of the references to them. A description beside a reference wins over the component's.
fn inline(schema: &mut Value, components: &Map<String, Value>) {
    if let Value::Object(members) = schema
        && let Some(Value::String(reference)) = members.remove("$ref")
        && let Some(Value::Object(component)) = reference.rsplit('/').next().and_then(|name| components.get(name))
    {
        for (name, value) in component {
            members.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
    for inner in values_mut(schema) {
        inline(inner, components);
    }
}

/// What becomes of null in a schema.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nulls {
    /// Arguments: null is read as left out, and no host needs to know.
    Dropped,
    /// Results.
    Kept,
}

fn plain(schema: &mut Map<String, Value>, nulls: Nulls) {
    for name in DROPPED {
        schema.remove(name);
    }
    if schema.get("default") == Some(&Value::Null) {
        schema.remove("default");
    }
    if let Some(Value::String(description)) = schema.get_mut("description") {
        *description = description.replace('\n', " ");
    }
    separate_null(schema, nulls);
    // The names of properties are no keywords, whatever they are called.
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.values_mut().filter_map(Value::as_object_mut).for_each(|property| plain(property, nulls));
    }
    for keyword in ["items", "additionalProperties"] {
        if let Some(Value::Object(inner)) = schema.get_mut(keyword) {
            plain(inner, nulls);
        }
    }
    for inner in schema.get_mut("anyOf").and_then(Value::as_array_mut).into_iter().flatten() {
        inner.as_object_mut().into_iter().for_each(|inner| plain(inner, nulls));
    }
}

/// Turns every way to say "or null" into `anyOf` with the description outside, or drops the null.
fn separate_null(schema: &mut Map<String, Value>, nulls: Nulls) {
    let Some(mut value) = value_or_null(schema) else { return };
    let description = schema.remove("description").or_else(|| value.get("description").cloned());
    value.remove("description");
    match nulls {
        Nulls::Dropped => schema.append(&mut value),
        Nulls::Kept => drop(schema.insert("anyOf".into(), json!([value, {"type": "null"}]))),
    }
    schema.extend(description.map(|text| ("description".to_owned(), text)));
}

/// Takes the schema of the value out of a schema that also allows null.
fn value_or_null(schema: &mut Map<String, Value>) -> Option<Map<String, Value>> {
    let null = json!("null");
    if let Some(Value::Array(types)) = schema.get("type") {
        let kind = types.iter().find(|kind| **kind != null)?.clone();
        let description = schema.remove("description");
        let mut value = std::mem::take(schema);
        value.insert("type".into(), kind);
        schema.extend(description.map(|text| ("description".to_owned(), text)));
        return Some(value);
    }
    let keyword = ["oneOf", "anyOf"].into_iter().find(|keyword| schema.contains_key(*keyword))?;
    let Some(Value::Array(options)) = schema.remove(keyword) else { return None };
    options.into_iter().filter(|option| option["type"] != null).find_map(|option| match option {
        Value::Object(value) => Some(value),
        _ => None,
    })
}

fn values_mut(value: &mut Value) -> Vec<&mut Value> {
    match value {
        Value::Object(members) => members.values_mut().collect(),
        Value::Array(entries) => entries.iter_mut().collect(),
        _ => Vec::new(),
    }
}
