//! Schemas that are made from the nouns themselves, so that the API document cannot fall behind them.

use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, SchemaType, Type};
use utoipa::openapi::{Object, Schema};

/// The schema of a word that is one of these. The first is the example.
pub fn one_of<const N: usize>(description: &str, names: [&'static str; N]) -> Object {
    ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::String))
        .description(Some(description))
        .enum_values(Some(names))
        .examples(names.first().copied())
        .build()
}

/// The schema of something that may not be there.
pub fn or_null(schema: Object) -> Schema {
    let null = ObjectBuilder::new().schema_type(SchemaType::new(Type::Null));
    OneOfBuilder::new().item(schema).item(null).build().into()
}
