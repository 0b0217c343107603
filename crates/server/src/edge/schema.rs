//! Schemas for the API document, made from the types themselves so that the document cannot fall behind them.
//!
//! Types that derive `schemars::JsonSchema` can state their limits as constants, and serve the assistant connector too;
//! [`component`] and [`components`] turn their schemas into utoipa's.

use canvass::plan::Scope;
use canvass::search::Status;
use schemars::JsonSchema;
use schemars::generate::{Contract, SchemaSettings};
use serde_json::{Map, Value, json};
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Ref, RefBuilder, SchemaType, Type};
use utoipa::openapi::{Object, RefOr, Required, Schema};

const SCOPE: &str = "Scope";
const SEARCH_STATUS: &str = "SearchStatus";
/// Where components stand in the document.
const COMPONENTS: &str = "/components/schemas";

/// Enumerations that several objects use. As components they have one type and one name in generated clients.
pub fn shared() -> [(&'static str, Object); 2] {
    [
        (SCOPE, one_of("How wide a search reaches.", Scope::ALL.map(Scope::name))),
        (SEARCH_STATUS, one_of("The state of a search.", Status::ALL.map(Status::name))),
    ]
}

/// The schema of a scope.
pub fn scope(description: &str) -> Ref {
    reference(SCOPE, description)
}

/// The schema of a search's status.
pub fn search_status() -> Ref {
    reference(SEARCH_STATUS, "The state of the search.")
}

/// The schema of a word that is one of these. The first is the example.
pub fn one_of<const N: usize>(description: &str, names: [&'static str; N]) -> Object {
    ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::String))
        .description(Some(description))
        .enum_values(Some(names))
        .examples(names.first().copied())
        .build()
}

/// The schema of a value that may be null.
pub fn or_null(schema: impl Into<RefOr<Schema>>) -> Schema {
    let null = ObjectBuilder::new().schema_type(SchemaType::new(Type::Null));
    OneOfBuilder::new().item(schema).item(null).build().into()
}

fn reference(name: &str, description: &str) -> Ref {
    RefBuilder::new().ref_location_from_schema_name(name).description(Some(description)).build()
}

/// Whether a type describes what clients send or what they receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// A missing member is read as null, so only members without a null are required.
    Request,
    /// Every member is always there, unless it is skipped when it is null.
    Response,
}

/// The component of a type, without the components it refers to.
pub fn component<T: JsonSchema>(direction: Direction) -> RefOr<Schema> {
    let name = T::schema_name();
    let own = definitions::<T>(direction).remove(name.as_ref());
    openapi(own.unwrap_or_default())
}

/// Adds the components that a type refers to.
pub fn components<T: JsonSchema>(direction: Direction, list: &mut Vec<(String, RefOr<Schema>)>) {
    let mut others = definitions::<T>(direction);
    others.remove(T::schema_name().as_ref());
    list.extend(others.into_iter().map(|(name, schema)| (name, openapi(schema))));
}

/// The members of a type as query parameters: first those in `order`, then the others by name.
pub fn query_parameters<T: JsonSchema>(order: &[&str]) -> Vec<Parameter> {
    let mut schema = definitions::<T>(Direction::Request).remove(T::schema_name().as_ref()).unwrap_or_default();
    let required: Vec<Value> = schema["required"].as_array().cloned().unwrap_or_default();
    let Value::Object(properties) = schema["properties"].take() else { return Vec::new() };
    let mut properties: Vec<(String, Value)> = properties.into_iter().collect();
    let place = |name: &str| order.iter().position(|one| *one == name).unwrap_or(order.len());
    properties.sort_by_key(|(name, _)| place(name));
    let parameter = |(name, property)| {
        let is_required = if required.contains(&json!(name)) { Required::True } else { Required::False };
        query_parameter(name, property, is_required)
    };
    properties.into_iter().map(parameter).collect()
}

fn query_parameter(name: String, mut property: Value, required: Required) -> Parameter {
    let description = property["description"].take().as_str().map(str::to_owned);
    let example = property.pointer_mut("/examples/0").map(Value::take);
    if let Value::Object(members) = &mut property {
        members.retain(|keyword, _| keyword != "description" && keyword != "examples");
    }
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Query)
        .required(required)
        .description(description)
        .example(example)
        .schema(Some(openapi(property)))
        .build()
}

/// A type and everything it refers to, by component name.
fn definitions<T: JsonSchema>(direction: Direction) -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = COMPONENTS.into();
        settings.contract = match direction {
            Direction::Request => Contract::Deserialize,
            Direction::Response => Contract::Serialize,
        };
    });
    let mut generator = settings.into_generator();
    generator.subschema_for::<T>();
    generator.take_definitions(true)
}

fn openapi(mut schema: Value) -> RefOr<Schema> {
    in_openapi_words(&mut schema);
    serde_json::from_value(schema).expect("schemars writes JSON Schema, and a test reads every component")
}

/// The same schema as the rest of the document writes it: one example, `oneOf` for what may be null, and no default,
/// because client generators take a member with a default for one that is always there.
fn in_openapi_words(schema: &mut Value) {
    if let Value::Object(members) = schema {
        members.remove("default");
        if let Some(Value::Array(mut examples)) = members.remove("examples") {
            members.extend(examples.drain(..).take(1).map(|example| ("example".to_owned(), example)));
        }
        if let Some(mut options) = members.remove("anyOf") {
            let description = members.remove("description");
            options[0].as_object_mut().zip(description).map(|(first, text)| first.insert("description".into(), text));
            members.insert("oneOf".into(), options);
        }
    }
    match schema {
        Value::Object(members) => members.values_mut().for_each(in_openapi_words),
        Value::Array(entries) => entries.iter_mut().for_each(in_openapi_words),
        _ => {}
    }
}
